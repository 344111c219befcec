package runs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"catena/chat"
	"catena/internal/access"
	"catena/planner/plan"
)

// Bounds of what is taken over.
const (
	// maxTakeovers is how often a run goes on by itself: one that ends each process that works on it must not go round
	// for ever.
	maxTakeovers = 5
	// takeoverAge is how old the last event of a run may be. What was left longer ago changes nothing any more by
	// itself.
	takeoverAge = time.Hour
	// toolsWait is how long a run that is taken over waits for its tools: the servers of a program that has just
	// started come up.
	toolsWait  = 15 * time.Second
	toolsEvery = 100 * time.Millisecond
)

// orphan is a run whose process is gone, as it was left.
type orphan struct {
	owner string
	req   chat.Request
	from  *StoredCaller
	kept  *chat.Checkpoint
	last  uint64 // the number of its last event
	log   taken

	attached int
	why      string          // what else it ends for, a sentence behind a space
	ended    bool            // the log has its end; only the record of it is missing
	result   json.RawMessage // of that end
}

// taken is what the log of a run says that a former process began and did not end.
type taken struct {
	started bool // RUN_STARTED stands there
	texts   int  // texts of the answer that were begun
	times   int  // how often the run was taken over
	at      time.Time

	text  string              // the message whose text is under way
	calls []string            // tool calls whose arguments are under way
	steps []chat.StepMetadata // under way

	deaths deaths // the steps that its owners died in
	former bool   // another owner had it before
}

// resumed is what a turn that goes on must know of it; nil for nil.
func (k *taken) resumed() *chat.Resumed {
	if k == nil {
		return nil
	}
	return &chat.Resumed{Started: k.started, Texts: k.texts}
}

// Recover takes over runs that a process left open which is gone, and has them go on: finished steps are not called
// again, those that only read or may be repeated are, and a person is asked about the others. A run that cannot go on
// by itself ends with a RUN_ERROR of code "interrupted": one that was left more than an hour ago, that was taken over
// five times, or whose attachments an older version did not keep. One whose last two owners died in the same step is
// set aside with the code "poisoned" (ReleaseRun). Call it at the start of a process that serves, and every few
// seconds. It goes on after an error, and returns how many runs go on, how many it ended, and all errors.
func (r *Runs) Recover(ctx context.Context) (goOn, ended int, err error) {
	r.mu.Lock()
	room := 2*r.opts.Max - len(r.live) // those of a process that died come on top of its own
	if r.closed {
		room = 0
	}
	r.mu.Unlock()
	if room <= 0 {
		return 0, 0, nil
	}
	open, err := r.log.OpenRuns(ctx, room)
	if err != nil {
		return 0, 0, fmt.Errorf("chat: the open runs could not be listed: %w", err)
	}
	interrupted, err := r.readings(ctx, len(open))
	if err != nil {
		return 0, 0, err
	}
	var errs []error
	for _, run := range open {
		on, err := r.takeOverMarked(ctx, run, interrupted)
		over := false
		if err != nil {
			var endErr error
			over, endErr = r.giveUp(ctx, run, err)
			errs = append(errs, endErr)
		}
		switch {
		case over:
			ended++
		case err != nil:
			errs = append(errs, fmt.Errorf("chat: run %s could not be taken over: %w", run, err),
				r.log.ReleaseLease(ctx, run))
		case on:
			goOn++
		default:
			ended++
		}
	}
	return goOn, ended, errors.Join(errs...)
}

// takeOver has a run go on that is this process's now, or ends it.
func (r *Runs) takeOver(ctx context.Context, run string) (goesOn bool, err error) {
	o, err := r.readOrphan(ctx, run)
	if err != nil {
		return false, err
	}
	if o.ended {
		return false, r.interrupt(ctx, run, o)
	}
	o.log.former = true
	o.log.deaths.left = o.log.deaths.left || r.leftHere(run)
	if steps := o.log.poison(); len(steps) > 0 {
		return false, r.setAside(ctx, run, o, steps)
	}
	if !o.mayGoOn(r.engine.Now()) {
		return false, r.interrupt(ctx, run, o)
	}
	c, err := r.CallerNow(ctx, *o.from)
	var gone *access.CredentialError
	if errors.As(err, &gone) {
		o.why = " The key that it was asked with is unknown by now, or was revoked."
		return false, r.interrupt(ctx, run, o)
	}
	if err != nil {
		return false, err
	}
	l := newLive(run, c, o.last+1)
	l.session, l.taken = o.req.SessionID, &o.log
	l.placed = r.opts.Places != nil // by the former process
	if o.kept.Planned() {
		l.from = o.kept
	} else if o.kept != nil {
		o.req.Attachments = o.kept.Attachments
	}
	if err := r.admit(l); err != nil {
		return false, err
	}
	r.opts.Log.WarnContext(ctx, "a run whose process is gone goes on here", "run", run, "attempt", o.log.times+1)
	r.launch(ctx, l, o.req)
	return true, nil
}

// mayGoOn reports whether a run may go on without anybody saying so.
func (o *orphan) mayGoOn(now time.Time) bool {
	again := o.log.times < maxTakeovers && now.Sub(o.log.at) < takeoverAge
	return again && o.from != nil && whole(o.attached, o.kept)
}

// WholeResponse reports whether all that was attached to a message is there still, as tables or as it came.
func whole(attached int, k *chat.Checkpoint) bool {
	return attached == 0 || k.Planned() || k != nil && len(k.Attachments) == attached
}

// readOrphan reads all that is known of a run.
func (r *Runs) readOrphan(ctx context.Context, run string) (o orphan, err error) {
	var request []byte
	var session string
	if o.owner, session, request, err = r.log.Accepted(ctx, run); err != nil {
		return o, err
	}
	var stored storedRequest
	if err := json.Unmarshal(request, &stored); err != nil {
		return o, fmt.Errorf("its request could not be read: %w", err)
	}
	o.req, o.from, o.attached = stored.request(), stored.Caller, stored.Attached
	o.log.at = stored.At
	o.req.SessionID, o.req.RunID = session, run
	data, err := r.log.State(ctx, run)
	if err != nil {
		return o, err
	}
	if o.kept, err = chat.ReadCheckpoint(data); err != nil {
		r.opts.Log.WarnContext(ctx, "a run cannot be gone on with where it stands", "run", run, "error", err.Error())
		o.from = nil
	}
	for {
		seqs, events, err := r.log.Events(ctx, o.owner, run, o.last, eventsRead)
		if err != nil {
			return o, err
		}
		for i, data := range events {
			o.last = seqs[i]
			o.read(data)
		}
		if len(events) < eventsRead {
			return o, nil
		}
	}
}

// read follows the log of a run by one event.
func (o *orphan) read(data []byte) {
	var p struct {
		chat.Payload
		Result json.RawMessage `json:"result"`
	}
	if json.Unmarshal(data, &p) != nil {
		return // nothing that this program wrote
	}
	o.ended, o.result = chat.Terminal(p.Type), p.Result
	o.log.read(p.Payload)
}

func (k *taken) read(p chat.Payload) {
	if p.Timestamp > 0 {
		k.at = time.UnixMilli(p.Timestamp)
	}
	switch p.Type {
	case chat.RunStarted:
		*k = taken{started: true, at: k.at}
	case chat.RunFinished, chat.RunError:
		*k = taken{at: k.at}
	case chat.TextMessageStart:
		k.text, k.texts = p.MessageID, k.texts+1
	case chat.TextMessageEnd:
		k.text = ""
	case chat.ToolCallStart:
		k.calls = append(k.calls, p.ToolCallID)
	case chat.ToolCallEnd:
		k.calls = slices.DeleteFunc(k.calls, func(id string) bool { return id == p.ToolCallID })
	case chat.StepStarted:
		if p.Metadata != nil {
			k.beginStep(p.Metadata.Catena)
		}
	case chat.StepFinished:
		if p.Metadata != nil && p.Metadata.Catena.Error == stoppedText {
			k.deaths.open = append(k.deaths.open, p.Metadata.Catena)
		}
		k.steps = slices.DeleteFunc(k.steps, func(m chat.StepMetadata) bool { return m.StepID == p.StepName })
	case chat.Custom:
		k.readOwner(p)
	}
}

// takeUp ends in the log what the former process began there, tells the takeover, and waits for its tools.
func (r *Runs) takeUp(ctx context.Context, l *liveRun) {
	emit := l.emit(r.opts.Log)
	send := func(p chat.Payload) {
		p.Timestamp = r.engine.Now().UnixMilli()
		emit(p)
	}
	if l.taken.text != "" {
		send(chat.Payload{Type: chat.TextMessageEnd, MessageID: l.taken.text})
	}
	for _, id := range l.taken.calls {
		send(chat.Payload{Type: chat.ToolCallEnd, ToolCallID: id})
	}
	for _, m := range l.taken.steps {
		m.Status, m.Error = "cancelled", stoppedText
		send(chat.Payload{Type: chat.StepFinished, StepName: m.StepID, Metadata: &chat.Metadata{Catena: m}})
	}
	if l.taken.former {
		if !l.taken.started { // a log begins with it
			send(chat.Payload{Type: chat.RunStarted, ThreadID: l.session, RunID: l.id})
			l.taken.started = true
		}
		send(chat.Payload{Type: chat.Custom, Name: takeoverEvent,
			Value: takeover{Times: l.taken.times + 1, Left: l.taken.deaths.left}})
	}
	r.awaitTools(ctx, l)
}

// awaitTools returns when all tools of the plan are there, or where there is no plan all servers, or after a while.
func (r *Runs) awaitTools(ctx context.Context, l *liveRun) {
	ctx, cancel := context.WithTimeout(ctx, toolsWait)
	defer cancel()
	tick := time.NewTicker(toolsEvery)
	defer tick.Stop()
	for !r.hasTools(l) {
		select {
		case <-ctx.Done():
			return // the steps say which are not there
		case <-tick.C:
		}
	}
}

func (r *Runs) hasTools(l *liveRun) bool {
	if l.from == nil {
		return len(r.engine.Catalogue().Down()) == 0
	}
	known := r.engine.Catalogue().Planning(l.caller)
	for _, s := range l.from.Plan.Steps {
		if _, ok := plan.FindTool(known, s.Tool); !ok {
			return false
		}
	}
	return true
}
