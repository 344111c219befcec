package runs

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"catena/chat"
	"catena/internal/access"
	"catena/internal/id"
)

// ErrBusy is wrapped by Start while as many runs are under way as may be. Try again shortly.
var ErrBusy = errors.New("too many runs are under way")

// ErrCallerBusy is ErrBusy where it is the caller's own runs that are too many: others may still start one.
var ErrCallerBusy = fmt.Errorf("%w of this caller", ErrBusy)

// ErrClosed is wrapped by Start after Close.
var ErrClosed = errors.New("the program is about to end")

// statusRunning is what a RunLog says of a run until it finished.
const statusRunning = "running"

// Bounds of the work around a run.
const (
	defaultRuns = 64
	logTimeout  = 10 * time.Second // of one write to the log
	// of events, and the end, to the log: under load a run is slow rather than without its log
	eventsWait = time.Minute
	lastWait   = 5 * time.Second        // for cancelled runs to end, in Close
	pollEvery  = 500 * time.Millisecond // for a run of another process
	eventsRead = 256                    // events of one read
	// for more events to come before one is written: each write waits for the disk, and others wait for it
	gatherTime = 4 * time.Millisecond
	unreadTime = 50 * time.Millisecond // the same while nobody reads them here
)

// Options bound runs. The zero value means the defaults.
type Options struct {
	Max     int           // runs under way at once; 0 means 64
	Timeout time.Duration // of one run; 0 means 10 minutes
	Log     *slog.Logger  // nil means slog.Default()
	// HandOver says that the log outlives this process: runs that do not end in time when it is closed are left in it,
	// for another process or the next start to go on with. Otherwise they are cancelled.
	HandOver bool
	// Call is told of a run that a process left open and that is no turn but a single call (tools.DirectRun); it is
	// leased to this process, and goes on, which it reports, or is ended. Nil takes them for turns.
	Call func(ctx context.Context, run string) (goesOn bool, err error)
	// PerCaller is how many runs of one caller may be under way at once; nil, or 0 of it, is no bound but Max.
	PerCaller func(access.Caller) int
	// Places counts them over all processes; nil, or one that does not answer, leaves each to count its own.
	Places Places
	// Present gives who a caller is by now, for a run that is taken over, and while one is under way; a
	// *access.CredentialError ends it. Nil keeps the rights of then.
	Present func(ctx context.Context, c access.Caller) (access.Caller, error)
	// Running is told that a run started (1) or ended (-1), Poisoned that one was set aside, whose last two owners died
	// in the same step. Nil ones are skipped. They must not block.
	Running  func(delta int)
	Poisoned func()
	// Tables are those of the steps; nil when the Sessions of the engine keep all there are.
	Tables StepTables
}

// StepTables are the tables that steps made. *handle.Tables satisfies it.
type StepTables interface {
	// RunStored returns when those of a run that were made before outlive this process as its log does, or could not be
	// kept.
	RunStored(ctx context.Context, run string) error
	// DropSession forgets a session's tables wherever they are, also those on their way to the store.
	DropSession(ctx context.Context, c access.Caller, session string) error
}

// Places counts the runs of callers that are under way at any of several processes. *redis.Store satisfies it.
type Places interface {
	// TakePlace has a run count, for keep at most, and reports whether fewer than limit did.
	TakePlace(ctx context.Context, owner, run string, limit int, keep time.Duration) (bool, error)
	LeavePlace(ctx context.Context, owner, run string) error
}

// Runs keeps turns going when their connection ends, writes their events to the log, and lets any number of readers
// follow them. It is safe for concurrent use.
type Runs struct {
	engine *chat.Engine
	log    Log
	opts   Options

	mu    sync.Mutex
	live  map[string]*liveRun
	fails map[string]int // takeovers of runs that failed here
	// leftRuns are runs that this process gave up and whose log could not be told: it lives, so they did not end it.
	leftRuns map[string]bool
	watch    CancelWatch // looks while a run is under way
	closed   bool        // no more runs are taken
	over     bool        // those under way have had their time
	all      sync.WaitGroup
}

// liveRun is a run under way in this process.
type liveRun struct {
	id      string
	caller  access.Caller
	session string           // set before the run starts, with the lock of Runs
	digest  string           // of the request, with an IdempotencyKey
	from    *chat.Checkpoint // where a run goes on from; nil for one that begins
	taken   *taken           // what a former process left in its log; nil where there was none
	wanted  context.Context  // until somebody cancels the run, from its admission on
	cancel  context.CancelFunc
	stop    context.CancelCauseFunc // is cancel with a reason for who reads the answer: a *chat.InputError
	placed  bool                    // it may count among its caller's runs of all processes
	done    chan struct{}           // closed when the run is finished and logged
	resp    chat.Response           // read after done

	mu       sync.Mutex
	waiting  [][]byte      // events that are not in the log yet
	emitted  uint64        // the number of the last event that was taken
	changed  chan struct{} // closed and replaced when the log grew
	wake     chan struct{} // tells the writer that something waits
	read     chan struct{} // closed once somebody reads the events as they come
	calls    chan struct{} // tells the writer that a tool is about to be called, which may end the process
	next     uint64        // the number of the first event that waits
	recent   recent        // the events before it
	terminal bool          // the terminal event was emitted
	broken   error         // the log could not be written; nothing more is
	lost     bool          // the run is another process's, or to be: nothing more is written
}

// New makes runs of an engine's turns.
func New(engine *chat.Engine, log Log, opts Options) *Runs {
	opts.Max = cmp.Or(opts.Max, defaultRuns)
	opts.Timeout = cmp.Or(opts.Timeout, 10*time.Minute)
	if opts.Log == nil {
		opts.Log = slog.Default()
	}
	return &Runs{engine: engine, log: log, opts: opts, live: map[string]*liveRun{}}
}

// Start takes a message: it checks it, opens its session, makes it durable, and starts its turn, which goes on when ctx
// ends. A request whose IdempotencyKey started a run before gives that run again once it is over.
// Errors: *InputError (it wraps fs.ErrExist while the run of the key is under way), or one that wraps ErrBusy,
// ErrClosed, or what the store said.
func (r *Runs) Start(ctx context.Context, c access.Caller, req chat.Request) (run string, err error) {
	if err := req.Check(); err != nil {
		return "", err
	}
	id, sum := id.New("run_"), ""
	if req.IdempotencyKey != "" {
		id = keyedID(c, req.IdempotencyKey)
		if sum, err = digest(req); err != nil {
			return "", err
		}
		if known, err := r.startedBefore(ctx, c, id, sum); known || err != nil {
			return id, err
		}
	}
	l := newLive(id, c, 1)
	l.digest, l.session = sum, req.SessionID
	if err := r.admit(l); err != nil {
		return "", err
	}
	if err := r.takePlace(ctx, l); err != nil {
		r.abandon(l)
		return "", err
	}
	if err := r.accept(ctx, l, &req); err != nil {
		r.giveBack(ctx, l, err)
		r.abandon(l)
		return "", err
	}
	r.launch(ctx, l, req)
	return l.id, nil
}

// launch starts the turn of an admitted run. It goes on when ctx ends.
func (r *Runs) launch(ctx context.Context, l *liveRun, req chat.Request) {
	stoppable, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	runCtx, cancel := context.WithTimeout(stoppable, r.opts.Timeout)
	end := func() { stop(context.Cause(l.wanted)); cancel() }
	context.AfterFunc(l.wanted, end)
	if l.wanted.Err() != nil {
		end() // before the turn begins
	}
	r.mu.Lock()
	over := r.over
	r.mu.Unlock()
	if over {
		r.end(l)
	}
	go r.do(runCtx, l, req)
}

// newLive makes a run whose next event has a number.
func newLive(id string, c access.Caller, next uint64) *liveRun {
	l := &liveRun{
		id:      id,
		caller:  c,
		done:    make(chan struct{}),
		changed: make(chan struct{}),
		wake:    make(chan struct{}, 1),
		read:    make(chan struct{}),
		calls:   make(chan struct{}, 1),
		next:    next,
		emitted: next - 1,
	}
	l.wanted, l.stop = context.WithCancelCause(context.Background())
	l.cancel = func() { l.stop(nil) }
	return l
}

// accept makes the message durable, with its session where it begins one.
func (r *Runs) accept(ctx context.Context, l *liveRun, req *chat.Request) error {
	_, begins, err := r.engine.FindSession(ctx, l.caller, req, 1)
	if err != nil {
		return err
	}
	r.mu.Lock()
	l.session = req.SessionID
	r.mu.Unlock()
	req.RunID = l.id
	data, err := json.Marshal(newStored(l, *req, r.engine.Now()))
	var attached []byte
	if err == nil {
		attached, err = attachedState(req)
	}
	if err != nil {
		return fmt.Errorf("chat: the message could not be written: %w", err)
	}
	owner, at := l.caller.ID, r.engine.Now()
	switch {
	case begins:
		err = r.log.StartFirstRun(
			ctx,
			owner,
			l.id,
			req.SessionID,
			chat.SessionTitle(*req),
			l.digest,
			data,
			attached,
			at,
		)
	case l.digest == "":
		err = r.log.StartRun(ctx, owner, l.id, req.SessionID, data, attached, at)
	default:
		err = r.log.StartKeyedRun(ctx, owner, l.id, req.SessionID, l.digest, data, attached, at)
	}
	if l.digest != "" && errors.Is(err, fs.ErrExist) { // started by another process, or since we looked
		return inFlight(l.id)
	}
	if err != nil {
		return fmt.Errorf("chat: the message could not be kept: %w", err)
	}
	return nil
}

// do runs the turn beside the writer of its events, and records its end.
func (r *Runs) do(ctx context.Context, l *liveRun, req chat.Request) {
	defer close(l.done) // last: whoever waited for it may have the run go on
	defer r.release(l)
	defer l.cancel()
	ended, written := make(chan struct{}), make(chan struct{})
	go r.write(l, ended, written)
	if l.taken != nil {
		l.beRead() // by itself: see recordSteps
		r.takeUp(ctx, l)
	}
	resp := r.turn(ctx, l, req)
	close(ended)
	r.awaitTables(l)
	<-written
	l.resp = resp
	if l.isLost() || l.failure() != nil || r.finish(l, resp) != nil {
		r.letGo(l) // without the whole of its log, and the record of its end, a run is not over
		return
	}
	r.leavePlace(l)
}

// awaitTables returns when the tables that the answer is about to show are kept: a run that goes on after the end of
// this process reads them, and does not call again what it has called.
func (r *Runs) awaitTables(l *liveRun) {
	if r.opts.Tables == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), eventsWait)
	defer cancel()
	if err := r.opts.Tables.RunStored(ctx, l.id); err != nil {
		r.opts.Log.Warn("a run ends before its tables are stored", "run", l.id, "error", err.Error())
	}
}

// turn runs the turn and sees to it that the log has a terminal event, whatever happens.
func (r *Runs) turn(ctx context.Context, l *liveRun, req chat.Request) (resp chat.Response) {
	defer func() {
		if p := recover(); p != nil {
			r.opts.Log.ErrorContext(ctx, "a turn broke", "run", l.id, "panic", p, "stack", string(debug.Stack()))
			resp = r.failed(
				l,
				req,
				&chat.Problem{
					Code:   "internal",
					Detail: "Something went wrong inside.",
					Hint:   "Try again; the server's log has the reason under the run's id.",
				},
			)
		}
	}()
	resp, err := r.engine.TurnWith(
		ctx,
		l.caller,
		req,
		chat.TurnIO{
			Emit:    r.recordSteps(l, l.emit(r.opts.Log)),
			From:    l.from,
			Resumed: l.taken.resumed(),
			Save: func(ctx context.Context, state []byte) error {
				return r.log.SaveState(ctx, l.id, state)
			},
		},
	)
	if err != nil && resp.Outcome == "" { // the session went away before the turn began
		resp = r.failed(l, req, chat.ProblemOf(err))
	}
	return resp
}

// failed makes the response of a run that has none of its own, its turn in the session, and its terminal event.
func (r *Runs) failed(l *liveRun, req chat.Request, p *chat.Problem) chat.Response {
	resp := failedResponse(l.id, req.SessionID, p)
	r.engine.RememberEnd(l.caller.ID, req, resp)
	l.emit(
		r.opts.Log,
	)(
		chat.Payload{
			Type:      chat.RunError,
			RunID:     l.id,
			Code:      p.Code,
			Message:   p.Detail,
			Result:    &resp,
			Timestamp: r.engine.Now().UnixMilli(),
		},
	)
	return resp
}

func failedResponse(run, session string, p *chat.Problem) chat.Response {
	return chat.Response{
		Response:      p.Detail,
		Outcome:       chat.OutcomeError,
		Error:         p,
		RunID:         run,
		SessionID:     session,
		Intent:        "direct",
		PromptType:    "general",
		Pending:       []chat.Pending{},
		ToolsExecuted: []string{},
		Steps:         []chat.StepInfo{},
		Tables:        []chat.AnswerTable{},
		Charts:        []chat.AnswerChart{},
		Completeness:  chat.Completeness{State: "partial", Detail: p.Detail},
	}
}

// finish records the end of a run with its last events, and tells its readers. The error has been logged.
func (r *Runs) finish(l *liveRun, resp chat.Response) error {
	data, err := resp.ForLog().JSON()
	l.mu.Lock()
	events, first := l.waiting, l.next
	l.waiting = nil
	l.mu.Unlock()
	if err == nil {
		ctx, cancel := context.WithTimeout(context.Background(), eventsWait)
		defer cancel()
		err = r.log.EndRun(ctx, l.id, first, events, resp.Outcome, data, r.engine.Now())
	}
	return r.written(l, events, err)
}
