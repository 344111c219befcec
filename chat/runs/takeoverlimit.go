package runs

import (
	"catena/chat"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
)

// giveUp counts a takeover that failed, and ends the run when that was one too many: what is kept of it cannot be read,
// and the next look would not find it otherwise. It reports whether the run is over. A store that is away, and a
// process without room, say nothing of the run.
func (r *Runs) giveUp(ctx context.Context, run string, cause error) (ended bool, err error) {
	if passing(ctx, cause) {
		return false, nil
	}
	r.mu.Lock()
	if r.fails == nil || len(r.fails) >= maxFailed {
		r.fails = map[string]int{}
	}
	r.fails[run]++
	tries := r.fails[run]
	r.mu.Unlock()
	if tries < maxTakeovers {
		return false, nil
	}
	p := &chat.Problem{Code: codeInterrupted,
		Detail: "The program stopped while this was running, and what was kept of it cannot be read.",
		Hint:   "Send the message again."}
	if err := r.endUnread(ctx, run, p); err != nil {
		return false, fmt.Errorf("chat: run %s could not be ended: %w", run, err)
	}
	r.mu.Lock()
	delete(r.fails, run)
	r.mu.Unlock()
	r.opts.Log.ErrorContext(ctx, "a run is ended that could not be taken over", "run", run, "tries", tries, "error",
		cause.Error())
	return true, nil
}

// maxFailed bounds the runs whose takeovers are counted.
const maxFailed = 10_000

// transient are errors of the moment: of a store that another process holds, or of a program that ends.
var transient = []error{fs.ErrExist, ErrBusy, ErrClosed, context.DeadlineExceeded, context.Canceled}

// passing reports whether an error says nothing of the run that it was about.
func passing(ctx context.Context, err error) bool {
	var store interface{ Unavailable() string }
	if ctx.Err() != nil || errors.As(err, &store) || isLost(err) {
		return true
	}
	return slices.ContainsFunc(transient, func(target error) bool { return errors.Is(err, target) })
}

// endUnread ends a run of this process's of which not everything can be read, with what can.
func (r *Runs) endUnread(ctx context.Context, run string, p *chat.Problem) error {
	owner, session, request, err := r.log.Accepted(ctx, run)
	if err != nil {
		return err
	}
	if unknown, err := r.log.Unfinished(ctx, run); err != nil || len(unknown) > 0 {
		p.Detail += " Whether something of it took effect is not known."
		p.Hint = "Check that first. " + p.Hint
	}
	resp := failedResponse(run, session, p)
	var stored storedRequest
	_ = json.Unmarshal(request, &stored) // as much as there is
	stored.SessionID = session
	last, data, err := r.log.LastEvent(ctx, run)
	if err != nil {
		return err
	}
	var end chat.Payload
	var events [][]byte
	if _ = json.Unmarshal(data, &end); !chat.Terminal(end.Type) {
		event, err := chat.EncodeEvent(chat.Payload{Type: chat.RunError, RunID: run, Code: p.Code, Message: p.Detail,
			Result: &resp, Timestamp: r.engine.Now().UnixMilli()})
		if err != nil {
			return err
		}
		events = [][]byte{event}
	}
	r.engine.RememberEnd(owner, stored.Request, resp)
	return r.endAs(ctx, run, last+1, events, resp)
}
