package runs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"catena/chat"
	"catena/internal/access"
	"catena/tools"
)

// runNotFound is the error for a run that is not there, or is another's.
func runNotFound() error {
	return &chat.InputError{Code: "run_not_found", Detail: "There is no such run.",
		Hint: "Check its id; runs go with their session.", Err: fs.ErrNotExist}
}

// own returns a run under way in this process, nil for any other or another's.
func (r *Runs) own(c access.Caller, run string) *liveRun {
	r.mu.Lock()
	defer r.mu.Unlock()
	if l := r.live[run]; l != nil && l.caller.ID == c.ID && !l.isLost() {
		return l
	}
	return nil
}

// Follow calls fn with the events of a run after a sequence number: first those in the log, then each as it is written,
// without a gap, until the terminal one, the end of ctx, or an error of fn, which it returns. Any number may follow one
// run, also after its end. A run that is not there, or is another's, gives an *InputError that wraps fs.ErrNotExist.
func (r *Runs) Follow(ctx context.Context, c access.Caller, run string, after uint64, fn func(chat.Event) error) error {
	var l *liveRun
	for {
		if now := r.own(c, run); now != nil || l.failure() == nil {
			// one that broke here says so, also when it has left
			l = now
		}
		l.beRead()
		changed, open, err := r.state(ctx, c, run, l) // before reading: what a finished run has is all there then
		if err != nil {
			return err
		}
		n, err := r.next(ctx, c, run, l, &after, fn)
		if err != nil {
			return err
		}
		switch {
		case n == eventsRead:
			continue
		case l.isLost():
			if err := r.leftOver(); err != nil {
				return err
			}
			continue
		case !open:
			return l.failure()
		case l == nil: // of another process, or left by this one before it was asked for
			if err := r.leftOver(); err != nil {
				return err
			}
		}
		if err := l.wait(ctx, changed); err != nil {
			return err
		}
	}
}

// state reports whether a run has not finished, and what is closed when the log of one under way here grows.
func (r *Runs) state(
	ctx context.Context, c access.Caller, run string, l *liveRun,
) (changed <-chan struct{}, open bool, err error) {
	if l == nil {
		open, err = r.open(ctx, c, run)
		return nil, open, err
	}
	l.mu.Lock()
	changed = l.changed
	l.mu.Unlock()
	select {
	case <-l.done:
		return changed, false, nil
	default:
		return changed, true, nil
	}
}

// failure is why the log of a run lacks its end, nil when it does not.
func (l *liveRun) failure() error {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.broken
}

// open reports whether a run has not finished.
func (r *Runs) open(ctx context.Context, c access.Caller, run string) (bool, error) {
	_, status, _, _, err := r.log.Run(ctx, c.ID, run)
	if errors.Is(err, fs.ErrNotExist) {
		return false, runNotFound()
	}
	if err != nil {
		return false, fmt.Errorf("chat: the run could not be read: %w", err)
	}
	return status == statusRunning, nil
}

// next gives fn what there is after a number: of a run under way here from memory, where that goes back so far.
func (r *Runs) next(
	ctx context.Context, c access.Caller, run string, l *liveRun, after *uint64, fn func(chat.Event) error,
) (int, error) {
	events, ok := l.since(*after)
	if !ok {
		return r.replay(ctx, c, run, after, fn)
	}
	for _, data := range events {
		if err := fn(chat.Event{Seq: *after + 1, Data: data}); err != nil {
			return 0, err
		}
		*after++
	}
	return len(events), ctx.Err()
}

// replay gives fn what the log has after a number, one read of it.
func (r *Runs) replay(
	ctx context.Context, c access.Caller, run string, after *uint64, fn func(chat.Event) error,
) (int, error) {
	seqs, events, err := r.log.Events(ctx, c.ID, run, *after, eventsRead)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, runNotFound()
	}
	if err != nil {
		return 0, fmt.Errorf("chat: the run's events could not be read: %w", err)
	}
	for i, data := range events {
		if err := fn(chat.Event{Seq: seqs[i], Data: data}); err != nil {
			return i, err
		}
		*after = seqs[i]
	}
	return len(events), nil
}

// wait returns when the log may have grown. A run of another process is looked at again after a while.
func (l *liveRun) wait(ctx context.Context, changed <-chan struct{}) error {
	if l == nil {
		again := time.NewTimer(pollEvery)
		defer again.Stop()
		select {
		case <-again.C:
		case <-ctx.Done():
			return ctx.Err()
		}
		return nil
	}
	if err := l.failure(); err != nil {
		return err
	}
	select {
	case <-changed:
	case <-l.done:
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

// leftOver is what the readers of a run are told that this process leaves to be gone on with; nil while it takes runs.
// It wraps ErrClosed.
func (r *Runs) leftOver() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.closed {
		return nil
	}
	return fmt.Errorf("chat: the run goes on elsewhere, or at the next start: %w", ErrClosed)
}

// Wait returns a run's response, when it has one. The error wraps ErrClosed when this process ends before it has.
func (r *Runs) Wait(ctx context.Context, c access.Caller, run string) (chat.Response, error) {
	if l := r.own(c, run); l != nil {
		select {
		case <-l.done:
			if err := l.failure(); err != nil {
				return chat.Response{}, err
			}
			if !l.isLost() {
				return l.resp, nil
			}
			if err := r.leftOver(); err != nil {
				return chat.Response{}, err
			}
		case <-ctx.Done():
			return chat.Response{}, ctx.Err()
		}
	}
	for {
		_, status, _, data, err := r.log.Run(ctx, c.ID, run)
		if errors.Is(err, fs.ErrNotExist) {
			return chat.Response{}, runNotFound()
		}
		if err != nil {
			return chat.Response{}, fmt.Errorf("chat: the run could not be read: %w", err)
		}
		if status != statusRunning {
			var resp chat.Response
			if err := json.Unmarshal(data, &resp); err != nil {
				return chat.Response{}, fmt.Errorf("chat: the response of run %s could not be read: %w", run, err)
			}
			return r.engine.WholeResponse(ctx, c, resp)
		}
		if err := r.leftOver(); err != nil {
			return chat.Response{}, err
		}
		var other *liveRun // of another process
		if err := other.wait(ctx, nil); err != nil {
			return chat.Response{}, err
		}
	}
}

// Cancel stops a run, whichever process runs it. It returns at once; the run's terminal event follows. To cancel a run
// that is over does nothing.
func (r *Runs) Cancel(ctx context.Context, c access.Caller, run string) error {
	l := r.own(c, run)
	if !c.May(access.Edit) {
		if err := r.askedWith(ctx, c, l, run); err != nil {
			return err
		}
	}
	if l != nil {
		l.cancel()
		return nil
	}
	err := r.log.CancelRun(ctx, c.ID, run)
	if errors.Is(err, fs.ErrNotExist) {
		return runNotFound()
	}
	if err != nil {
		return fmt.Errorf("chat: the run could not be cancelled: %w", err)
	}
	return nil
}

// askedWith returns an error where a run, which is live here unless l is nil, was asked for with another key than the
// caller's: who may change nothing stops no other.
func (r *Runs) askedWith(ctx context.Context, c access.Caller, l *liveRun, run string) error {
	stored := storedRequest{}
	if l != nil {
		stored.Caller = &StoredCaller{Key: l.caller.Key}
	} else {
		owner, _, request, err := r.log.Accepted(ctx, run)
		if errors.Is(err, fs.ErrNotExist) || err == nil && owner != c.ID {
			return runNotFound()
		}
		if err == nil {
			err = json.Unmarshal(request, &stored)
		}
		if err != nil {
			return fmt.Errorf("chat: the run could not be read: %w", err)
		}
	}
	if stored.Caller == nil || stored.Caller.Key == c.Key {
		return nil
	}
	return fmt.Errorf("chat: the run was asked for with another key, and this one may change nothing: %w",
		access.ErrForbidden)
}

// Info is what is known of a run.
type Info struct {
	RunID     string          `json:"run_id"`
	SessionID string          `json:"session_id"`
	Status    string          `json:"status"`             // running, or an outcome
	Request   json.RawMessage `json:"request"`            // as it was accepted, without attachments
	Response  json.RawMessage `json:"response,omitempty"` // when it is over

	At     time.Time       `json:"-"` // when it was accepted; the zero time where that is not known
	Client json.RawMessage `json:"-"` // Request.Client
}

// Get returns what is known of a run of the caller's.
func (r *Runs) Get(ctx context.Context, c access.Caller, run string) (Info, error) {
	session, status, request, response, err := r.log.Run(ctx, c.ID, run)
	if errors.Is(err, fs.ErrNotExist) || strings.HasPrefix(run, tools.DirectRun) { // a single call is no turn
		return Info{}, runNotFound()
	}
	if err != nil {
		return Info{}, fmt.Errorf("chat: the run could not be read: %w", err)
	}
	var stored storedRequest
	if broken := json.Unmarshal(request, &stored); broken == nil {
		request, err = chat.Encode(stored.Request)
	} else {
		request = nil // which is no reason to hide how it ended
	}
	if err != nil {
		return Info{}, fmt.Errorf("chat: the request of run %s could not be written: %w", run, err)
	}
	return Info{RunID: run, SessionID: session, Status: status, Request: request, Response: response, At: stored.At,
		Client: stored.Client}, nil
}

// Whole gives what is known of a run with the whole of its response, of which Get gives the short form where it is
// large. Where the WholeResponse is there no more the response stays short, and says so.
func (r *Runs) Whole(ctx context.Context, c access.Caller, info Info) (Info, error) {
	var short struct {
		Whole *chat.Whole `json:"whole"`
	}
	if len(info.Response) == 0 {
		return info, nil
	}
	if err := json.Unmarshal(info.Response, &short); err != nil {
		return info, fmt.Errorf("chat: the response of run %s could not be read: %w", info.RunID, err)
	}
	if short.Whole == nil {
		return info, nil
	}
	var resp chat.Response
	err := json.Unmarshal(info.Response, &resp)
	if err == nil {
		resp, err = r.engine.WholeResponse(ctx, c, resp)
	}
	if err == nil {
		info.Response, err = resp.JSON()
	}
	if err != nil {
		return info, fmt.Errorf("chat: the response of run %s could not be read: %w", info.RunID, err)
	}
	return info, nil
}
