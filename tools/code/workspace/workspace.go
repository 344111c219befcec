package workspace

import (
	"context"
	"fmt"
	"time"

	"catena/tools/code/index"
	"catena/tools/code/scan"
)

// Workspace is one owner's index of a folder or revision. It is safe for concurrent use.
type Workspace struct {
	corpus *corpus
	record *record // nil when the owner has no id for it
	// renewed says that the index was made anew for this because the former one could not be read.
	renewed bool
}

// Root is the folder, absolute and with symlinks resolved.
func (x *Workspace) Root() string { return x.corpus.site.path }

// How long a View may wait for a look at the files, how old a look may be, and how often an index is opened for it.
const (
	lookWait  = 250 * time.Millisecond
	lookAge   = 2 * time.Second
	viewTries = 3 // each but the first because an index came meanwhile; of an id whose index was removed from the disk, in vain
)

// View is the workspace at this moment. It loads the index when it is not in memory. Where files are not watched it
// looks whether they have changed, at most every 2 s; when that takes longer than 250 ms, the view says what was found
// before, and the next one what is found now.
//
// An owner without an id has never indexed it, whoever else has: nothing of theirs is told.
func (x *Workspace) View() View {
	c, w := x.corpus, x.corpus.w
	if x.record == nil {
		return View{State: NeverIndexed, Status: Status{Path: c.site.path, Rev: c.rev}}
	}
	for try := 1; ; try++ {
		snap, m, err := c.open(w.ctx)
		if m != nil {
			c.refresh()
			c.catchUp()
		}
		v, settled, err := x.moment(snap, m, err)
		if !settled && try < viewTries {
			continue
		}
		if err != nil {
			w.log.Error("an index cannot be used; ensure_repo_index makes it anew", "folder", c.site.path, "error", err)
		}
		return v
	}
}

// moment is the View of one moment, after an open gave snap, m and err. What a run, or somebody else who opened it, has
// put in memory since counts in their place: whatever is told is read under the one lock under which a run ends.
// settled is false, and the index must be opened again, where open found none and there is one now: of an id that is
// complete, or one that was dropped from memory again. An error stays one until a run ends, so that an index that
// cannot be read is not read over and over.
func (x *Workspace) moment(snap *index.Snapshot, m *manifest, failure error) (v View, settled bool, err error) {
	c, w := x.corpus, x.corpus.w
	w.mu.Lock()
	defer w.mu.Unlock()
	if c.snap != nil {
		snap, m, failure = c.snap, c.made, nil
	}
	v.Status = x.record.status()
	v.State, v.Snapshot = c.state(m), snap
	if failure != nil && c.run == nil {
		v.State = Damaged
	}
	if m != nil {
		v.IndexedAt, v.StaleSince, v.Skipped = m.MadeAt, c.stale, m.Skipped
	}
	settled = m != nil || failure != nil || c.made == nil && v.Status.Status != Complete
	return v, settled, failure
}

// catchUp begins to watch an index that is used again, and takes up what changed while it was not in memory.
func (c *corpus) catchUp() {
	w := c.w
	w.watch(c)
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, ok := w.below(c.site.path); !ok {
		return
	}
	if c.dirty && c.snap != nil && c.run == nil && !c.gone && !c.orphan && !w.closed {
		c.dirty = false
		w.start(c, "")
	}
}

// state says how true the index is. The lock must be held.
func (c *corpus) state(m *manifest) string {
	switch {
	case m == nil && c.run != nil:
		return Indexing
	case m == nil:
		return NeverIndexed
	case c.gone:
		return Gone
	case !c.stale.IsZero():
		return Stale
	case m.Facts.Files == 0:
		return Empty
	}
	return Fresh
}

// refresh looks at the files when nobody watches them and the last look is old. It waits a little for what it finds.
func (c *corpus) refresh() {
	w := c.w
	w.mu.Lock()
	done := c.checking
	if done == nil {
		if w.closed || c.run != nil || c.unwatch != nil || w.now().Sub(c.checked) < lookAge {
			w.mu.Unlock()
			return
		}
		done = make(chan struct{})
		c.checking = done
		w.wg.Go(func() {
			c.lookAgain(w.ctx)
			w.mu.Lock()
			defer w.mu.Unlock()
			c.checking = nil
			close(done)
		})
	}
	w.mu.Unlock()
	late := time.NewTimer(lookWait)
	defer late.Stop()
	select {
	case <-done:
	case <-late.C:
	}
}

// lookAgain looks at the files. What goes wrong shows as the state of the index.
func (c *corpus) lookAgain(ctx context.Context) {
	if _, err := c.look(ctx); err != nil && ctx.Err() == nil && !isAny(err, scan.ErrNoRepository, scan.ErrNoRevision) {
		c.w.log.Debug("a folder could not be looked at", "folder", c.site.path, "error", err)
	}
}

// Generation names the newest index of a workspace; "" while there is none, or nothing in it. The index is not loaded
// for it.
func (x *Workspace) Generation() string {
	c := x.corpus
	c.w.mu.Lock()
	m := c.made
	c.w.mu.Unlock()
	if m == nil {
		var err error
		c.load.Lock()
		m, err = c.find()
		c.load.Unlock()
		if err != nil {
			return "" // View says why it cannot be used
		}
	}
	if m == nil || m.Facts.Files == 0 {
		return ""
	}
	return fmt.Sprintf("%s-%x", m.Generation, m.MadeAt.UnixMicro())
}

// Asked reports whether the owner has asked for its index, whatever became of it.
func (x *Workspace) Asked() bool { return x.record != nil }

// Renewed reports whether the index was made anew for this because the former one could not be read.
func (x *Workspace) Renewed() bool { return x.renewed }
