package chat

import (
	"context"
	"errors"
	"slices"
	"time"

	"catena/formatter"
	"catena/internal/access"
	"catena/internal/id"
	"catena/planner/plan"
	"catena/tools"
)

// unknownContext is the note of a turn whose earlier messages belong to no session that is known.
const unknownContext = "The earlier messages of this conversation are not known here, so this goes by the last one " +
	"alone."

// turn is the state of one turn.
type turn struct {
	*Engine
	opts   *Options // the engine's when the turn began
	caller access.Caller
	req    Request
	TurnIO
	started time.Time // by the clock
	ask     plan.Request
	asOf    time.Time // the data's date, when it stands for the clock
	resp    Response
	shown   []plan.TableInfo // what the answer shows, for the session
	text    []paragraph      // the answer's
	facts   []string         // those of them that a summary may speak of
	figures []string         // the numbers that it may say
	views   []*formatter.View
	tables  []AnswerTable     // the answer's as the log has them, one for each of resp.Tables
	firsts  []*formatter.View // of those
	short   *short            // the answer as the log has it; nil: as it is

	tablesSize int // bytes of tables

	missing []string // what is not in the answer, one sentence each
	// nameTaken are the attachments whose names other tables of the session have.
	nameTaken []*tools.NameTakenError
	braces    []braced // tables that stood in the message as JSON
	unread    []string // attachments that could not be loaded and why, a sentence or two each
	cut       []string // what the answer shows only in part, one sentence each
	early     *tools.Early
	told      []string        // notes of the session's earlier turns
	kept      Checkpoint      // where the turn stands
	over      func(Response)  // the hook that is told of the end; nil: none
	begun     map[string]bool // steps of tools whose beginning was told, and not their end

	unanswered tools.Unanswered // calls that had no answer in time
}

// Turn answers a message: load the session, ask the planner, run the plan, profile and format what it gave, remember.
//
// Events go to emit as they happen, in order, from this goroutine; the last one, and only that, is terminal. emit may
// be nil. What goes wrong in answering is in the Response (outcome "error", with a Problem). The error is *InputError
// for a request that cannot be taken, and nothing was emitted then; or it wraps the context's error, beside a Response
// that says so.
func (e *Engine) Turn(ctx context.Context, c access.Caller, req Request, emit func(Payload)) (Response, error) {
	return e.TurnWith(ctx, c, req, TurnIO{Emit: emit})
}

// TurnIO is where a turn reports to and resumes from. The zero value is a turn that nobody listens to and nobody goes
// on with.
type TurnIO struct {
	Emit func(Payload)                                 // nil: nobody listens
	Save func(ctx context.Context, state []byte) error // keeps where the turn stands; nil: nothing is kept
	From *Checkpoint                                   // where it goes on from; nil: it begins
	// Resumed is set for a turn that a former process began and did not end: its events go on in the same log. nil:
	// there are none.
	Resumed *Resumed
}

// Resumed is what the log of a run has of a turn that a former process began.
type Resumed struct {
	Started bool // RUN_STARTED
	Texts   int  // texts of the answer that were begun
}

// TurnWith is Turn, or the rest of one that a question or the end of a process has stopped.
func (e *Engine) TurnWith(ctx context.Context, c access.Caller, req Request, io TurnIO) (Response, error) {
	t, err := e.begin(ctx, c, req, io)
	if err != nil {
		return Response{}, err
	}
	if t.opts.Hooks.Turn != nil {
		ctx, t.over = t.opts.Hooks.Turn(ctx, t.req.SessionID, t.req.RunID)
	}
	if t.Resumed == nil || !t.Resumed.Started {
		t.send(Payload{Type: RunStarted, ThreadID: t.req.SessionID, RunID: t.req.RunID})
	}
	metered, used := t.meter(ctx)
	err = t.work(metered)
	t.resp.Usage = t.kept.Usage.Add(used())
	t.finish(ctx, err)
	if ctx.Err() == nil {
		err = nil // told by the response
	}
	return t.resp, err
}

// meter counts the model's use under the context that it gives: by the engine's meter, or as planner and summary tell
// it.
func (t *turn) meter(ctx context.Context) (context.Context, func() plan.Usage) {
	if t.opts.Meter == nil {
		return ctx, func() plan.Usage { return t.resp.Usage }
	}
	return t.opts.Meter.Begin(ctx, t.caller.ID)
}

// begin checks the request and opens its session.
func (e *Engine) begin(ctx context.Context, c access.Caller, req Request, io TurnIO) (*turn, error) {
	t := &turn{Engine: e, opts: e.current.Load(), caller: c, req: req, TurnIO: io, started: e.opts.Now()}
	if err := t.req.Check(); err != nil {
		return nil, err
	}
	t.takePasted()
	if t.From != nil {
		t.kept = *t.From
		t.req.Attachments = nil // they were loaded then
	}
	if t.req.RunID == "" {
		t.req.RunID = id.New("run_")
	}
	turns, err := e.EnterSession(ctx, c, &t.req, historyTurns)
	if err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(turns, func(s StoredTurn) bool { return s.RunID == t.req.RunID }); i >= 0 {
		turns = turns[:i] // a turn that goes on is no history of its own
	}
	t.takeReply(turns)
	t.ask.History = history(turns)
	for _, earlier := range turns {
		t.told = append(t.told, earlier.Notes...)
	}
	t.resp = Response{
		SessionID: t.req.SessionID, RunID: t.req.RunID, Pending: []Pending{}, ToolsExecuted: []string{},
		Steps: []StepInfo{}, Tables: []AnswerTable{}, Charts: []AnswerChart{},
	}
	if t.req.ContextUnknown {
		t.note(unknownContext)
	}
	return t, nil
}

// work is the one path from message to answer.
func (t *turn) work(ctx context.Context) error {
	if err := t.gather(ctx); err != nil {
		return err
	}
	if t.refuseUnread() || t.askTaken() || t.tellFiles() {
		return nil
	}
	res, err := t.planned(ctx)
	defer t.cancelEarly()
	if err != nil {
		return err
	}
	if t.settle(res) {
		return nil
	}
	if t.From == nil {
		t.keep(ctx, res)
	}
	t.tellLoading(ctx, tablesIn(res.Plan))
	out, err := t.execute(ctx, res)
	showing, shown := outlasting(ctx, showTime)
	defer shown()
	t.answer(showing, out)
	if err != nil {
		return err
	}
	t.fitForm(ctx, res)
	t.summarize(ctx, res)
	return nil
}

// showTime is how long what a cancelled turn already has may take to be formatted.
const showTime = 5 * time.Second

// outlasting is a context that ends a while after another has.
func outlasting(ctx context.Context, more time.Duration) (context.Context, context.CancelFunc) {
	longer, cancel := context.WithCancel(context.WithoutCancel(ctx))
	unwatch := context.AfterFunc(ctx, func() {
		late := time.NewTimer(more)
		defer late.Stop()
		select {
		case <-late.C:
			cancel()
		case <-longer.Done():
		}
	})
	return longer, func() { unwatch(); cancel() }
}

// finish tells the end: the text, the session's memory, the terminal event.
func (t *turn) finish(ctx context.Context, err error) {
	if err != nil {
		t.fail(stoppedBy(ctx, err))
	}
	t.compose()
	t.resp.ProcessingTimeMS = millis(t.opts.Now().Sub(t.started))
	t.shortened(func() (string, time.Time) { return t.keepWhole(ctx) })
	t.sendText()
	if err := t.remember(ctx, t); err != nil {
		t.opts.Log.ErrorContext(ctx, "a turn could not be kept", "run", t.req.RunID, "error", err.Error())
		t.note("This turn could not be kept: a follow-up will not know of it.")
		t.resp.encoded = nil
	}
	if t.short == nil { // what is kept of it stays what it is
		t.resp.ProcessingTimeMS = millis(t.opts.Now().Sub(t.started))
	}
	t.sendEnd()
	if t.over != nil {
		t.over(t.resp)
	}
}

// stoppedBy is the reason for people for which a turn was stopped, or else err.
func stoppedBy(ctx context.Context, err error) error {
	var why *InputError
	if errors.As(context.Cause(ctx), &why) {
		return why
	}
	return err
}

// note adds a sentence that a reader must know, once.
func (t *turn) note(sentence string) {
	sentence = plainLine(sentence)
	for _, n := range t.resp.Notes {
		if n == sentence {
			return
		}
	}
	t.resp.Notes = append(t.resp.Notes, sentence)
}

// millis is a duration in milliseconds, to the microsecond.
func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
