package server

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"catena/chat"
	"catena/chat/runs"
	"catena/internal/access"
)

// Runs starts turns and lets readers follow them. *runs.Runs satisfies it. Errors for a run that is not there, or is
// another's, wrap fs.ErrNotExist.
type Runs interface {
	// Start accepts a message, makes it durable and runs its turn on its own: the end of ctx does not stop the run.
	Start(ctx context.Context, c access.Caller, req chat.Request) (run string, err error)
	// Started gives the run that the key of a request started before, "" for none; its errors are those of Start.
	Started(ctx context.Context, c access.Caller, req chat.Request) (run string, err error)
	// Reply takes a message for the decision about what waits before it, as runs.Runs does; run is "" where it is none.
	Reply(ctx context.Context, c access.Caller, req chat.Request) (run string, after uint64, err error)
	// Follow calls emit for each event after a sequence number, in order, until the run's terminal event, the end of
	// ctx, or an error of emit, which it returns.
	Follow(ctx context.Context, c access.Caller, run string, after uint64, emit func(chat.Event) error) error
	// Wait returns the run's response once it has ended.
	Wait(ctx context.Context, c access.Caller, run string) (chat.Response, error)
	// Get returns what is known of a run.
	Get(ctx context.Context, c access.Caller, run string) (runs.Info, error)
	// Cancel stops a run. Cancelling a run that has ended does nothing.
	Cancel(ctx context.Context, c access.Caller, run string) error
}

// Turns has messages answered for somebody who waits for the answer. Make it with newTurns.
type Turns struct {
	runs Runs
	log  *slog.Logger
}

// newTurns makes the turns of a core.
func newTurns(core *Core, runs Runs) *Turns { return &Turns{runs: runs, log: core.log} }

// RunHeaders name the run whose events or answer follow, and behind which of its events they come: 0 is all of them. A
// reader whose connection breaks before the first event goes on from there.
func RunHeaders(c *gin.Context, run string, after uint64) {
	c.Header("X-Run-Id", run)
	c.Header("X-Run-After", strconv.FormatUint(after, 10))
}

// StartOrDecide starts the turn of a message, or has the run go on about whose waiting steps the message only decides:
// its events continue after a number. Who may change nothing decides nothing; such a message is a message.
func StartOrDecide(
	ctx context.Context, runs Runs, caller access.Caller, req chat.Request,
) (run string, after uint64, err error) {
	if caller.May(access.Edit) {
		if run, after, err = runs.Reply(ctx, caller, req); run != "" || err != nil {
			return run, after, err
		}
	}
	run, err = runs.Start(ctx, caller, req)
	return run, 0, err
}

// Await waits for a run's response. When ctx ends first, the run is cancelled, unless somebody will come for it.
func (t *Turns) Await(ctx context.Context, caller access.Caller, run string, awaited bool) (chat.Response, error) {
	resp, err := t.runs.Wait(ctx, caller, run)
	switch {
	case err == nil:
		return resp, nil
	case stopping(ctx) || errors.Is(err, runs.ErrClosed):
		return chat.Response{}, closing(run)
	case ctx.Err() != nil:
		if !awaited {
			t.Cancel(ctx, caller, run)
		}
		return chat.Response{}, ctx.Err()
	}
	return resp, err
}

// Cancel stops a run whose reader has gone, unless it was the server that went: such a run goes on.
func (t *Turns) Cancel(ctx context.Context, caller access.Caller, run string) {
	if stopping(ctx) {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if err := t.runs.Cancel(ctx, caller, run); err != nil {
		t.log.WarnContext(ctx, "a run without a reader could not be cancelled", "run", run, "error", err.Error())
	}
}

// RunRunning is the status of a run that has not ended; any other is its outcome.
const RunRunning = "running"

// BrokenOff words the error of a stream that has begun; nil where nobody reads any more.
func (s *Core) BrokenOff(c *gin.Context, run string, raw *Stream, err error) *Problem {
	ctx := c.Request.Context()
	if stopping(ctx) {
		p := closing(run)
		p.RequestID = RequestID(ctx)
		return p
	}
	ended := EndedBy(ctx)
	if gone := ctx.Err() != nil && ended == nil || raw.Failed() != nil; gone {
		return nil
	}
	if ended != nil {
		err = ended
	}
	p := *ProblemOf(err)
	p.RequestID = RequestID(ctx)
	s.log.WarnContext(ctx, "a streamed answer failed", "run", run, "error", err.Error())
	return &p
}

// errStopping is the cause by which the contexts of requests end when the server stops.
var errStopping = errors.New("server: it stops")

// stopping reports whether a request's context ended because the server stops, not because its client went away.
func stopping(ctx context.Context) bool { return errors.Is(context.Cause(ctx), errStopping) }

// retryAfter is after how many seconds a request that was refused may do better, "" where waiting is no help.
func retryAfter(p Problem) string {
	switch {
	case p.Status == http.StatusTooManyRequests || p.Code == "busy":
		return "1"
	case p.Status == http.StatusServiceUnavailable:
		return "5"
	}
	return ""
}

// closing is the problem of a request that the end of the process cuts off: run is the one that it waits for and that
// goes on, "" where there is none.
func closing(run string) *Problem {
	if run == "" {
		return NewProblem(http.StatusServiceUnavailable, "closing", "The server is about to end.",
			"Try again when it is back.")
	}
	p := NewProblem(http.StatusServiceUnavailable, "closing",
		"The server stops before the answer is there. The message is kept: its run goes on when the server is back, "+
			"or at another replica.",
		"Do not send it again but with its Idempotency-Key, if it had one: GET /api/v1/runs/"+run+
			" has the answer then, and /api/v1/runs/"+run+"/events what happens till then.")
	p.RunID = run
	return p
}
