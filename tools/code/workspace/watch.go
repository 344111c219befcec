package workspace

import (
	"context"

	"catena/tools/code/scan"
)

// watch begins to watch the folder of an index, when that is wanted and not done yet.
func (w *Workspaces) watch(c *corpus) {
	if _, ok := w.below(c.site.path); !ok || !w.opt.Watch || c.rev != "" {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed || c.orphan || c.unwatch != nil || c.tree == nil {
		return
	}
	ctx, stop := context.WithCancel(w.ctx)
	events, err := scan.Watch(ctx, c.tree, scan.WatchOptions{Debounce: w.opt.Debounce, Git: w.opt.Poll})
	if err != nil {
		stop()
		w.log.Warn("a folder cannot be watched; it is looked at when it is asked about", "folder", c.site.path, "error", err)
		return
	}
	c.unwatch = stop
	w.wg.Go(func() {
		defer stop()
		for e := range events {
			c.changed(ctx, e)
		}
	})
}

// changed takes up what the watcher tells: an index in memory is brought up to date, one that is not is known to be
// stale.
func (c *corpus) changed(ctx context.Context, e scan.Event) {
	// A run that was under way already may have come too early for the change, so it is looked again after it.
	for range 3 {
		if e.Paths == nil || !c.inUse() { // else it is all but certain that something has changed
			same, err := c.look(ctx)
			if same || err != nil || ctx.Err() != nil {
				return
			}
		}
		r, own := c.takeUp(e)
		if r == nil {
			return
		}
		select {
		case <-r.done:
		case <-ctx.Done():
			return
		}
		if own {
			return
		}
	}
}

// inUse reports whether the index is in memory.
func (c *corpus) inUse() bool {
	c.w.mu.Lock()
	defer c.w.mu.Unlock()
	return c.snap != nil
}

// takeUp gives the run that is to be waited for, and whether it was begun for the event; nil when there is nothing to
// do now.
func (c *corpus) takeUp(e scan.Event) (r *run, own bool) {
	w := c.w
	w.mu.Lock()
	defer w.mu.Unlock()
	if c.stale.IsZero() || e.At.Before(c.stale) {
		c.stale = e.At
	}
	switch {
	case c.run != nil:
		return c.run, false
	case w.closed || c.orphan || c.gone || c.made == nil:
		return nil, false
	case c.snap == nil:
		c.dirty = true
		return nil, false
	}
	return w.start(c, ""), true
}
