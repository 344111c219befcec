package runs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"catena/internal/access"
	"catena/internal/text"
)

// Close takes no more runs and waits for those under way until ctx ends; then it leaves them to be gone on with, or
// cancels them (RunsOptions.HandOver), and gives them a few seconds to write what they have. The error says that some
// did not. A second Close waits likewise.
func (r *Runs) Close(ctx context.Context) error {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	idle := make(chan struct{})
	go func() {
		r.all.Wait()
		close(idle)
	}()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
	}
	r.mu.Lock()
	r.over = true
	running := slices.Collect(maps.Values(r.live))
	r.mu.Unlock()
	for _, l := range running {
		r.end(l)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastWait)
	defer cancel()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		r.mu.Lock()
		defer r.mu.Unlock()
		return fmt.Errorf("chat: %s did not end when cancelled", text.Count(len(r.live), "run"))
	}
}

// end stops a run for which this process has no more time.
func (r *Runs) end(l *liveRun) {
	if r.opts.HandOver {
		r.lose(l)
		return
	}
	l.cancel()
}

// DeleteSession deletes a session of the caller's and all that belongs to it, after it has stopped the session's runs:
// what they still wrote would otherwise outlive it. Tables go last, as those of the last steps may reach the store
// behind the deletion; when that fails, or one is deleted that is gone, it is done again.
func (r *Runs) DeleteSession(ctx context.Context, c access.Caller, session string) error {
	var ending []*liveRun
	r.mu.Lock()
	for _, l := range r.live {
		if l.caller.ID == c.ID && l.session == session {
			l.cancel()
			ending = append(ending, l)
		}
	}
	r.mu.Unlock()
	for _, l := range ending {
		select {
		case <-l.done:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	err := r.engine.DropSession(ctx, c, session)
	gone := errors.Is(err, fs.ErrNotExist)
	if err != nil && !gone {
		return err
	}
	if r.opts.Tables != nil {
		if err := r.opts.Tables.DropSession(ctx, c, session); err != nil {
			return fmt.Errorf("chat: the tables of the session could not be deleted: %w", err)
		}
	}
	return err
}
