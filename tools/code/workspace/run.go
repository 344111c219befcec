package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"runtime/debug"
	"syscall"

	"catena/tools/code/index"
	"catena/tools/code/scan"
)

// run is one making of an index. Several records may follow it, of different owners; Workspaces.mu guards its fields.
type run struct {
	corpus     *corpus
	ctx        context.Context
	cancel     context.CancelFunc
	followers  map[*record]bool
	owner      string        // who asked first
	background bool          // started by a change of files, so by nobody: it goes on without followers
	done       chan struct{} // closed at the end
	shared     Status        // what all followers' statuses have in common
}

// start begins a run in a goroutine of its own, for an owner, or in the background for "". The lock must be held, and
// the corpus must have no run.
func (w *Workspaces) start(c *corpus, owner string) *run {
	r := &run{corpus: c, followers: map[*record]bool{}, owner: owner, background: owner == "", done: make(chan struct{}),
		shared: Status{Status: Pending, Stage: stages[0].Name, Stages: map[string]StageStatus{}}}
	for _, s := range stages {
		r.shared.Stages[s.Name] = StageStatus{Status: Pending}
	}
	r.ctx, r.cancel = context.WithCancel(w.ctx)
	c.run = r
	w.wg.Go(func() { w.execute(r) })
	return r
}

// follow makes a record show the run's state from now on. The lock must be held.
func (r *run) follow(rec *record) {
	rec.run = r
	r.followers[rec] = true
	r.copyTo(rec)
	rec.tell(r.corpus.w.now(), event{stage: r.shared.Stage, percent: r.shared.Progress, message: rec.Status.Path})
}

func (r *run) copyTo(rec *record) {
	rec.Status.Status, rec.Status.Stage, rec.Status.Progress = r.shared.Status, r.shared.Stage, r.shared.Progress
	rec.Status.Stages = maps.Clone(r.shared.Stages)
	rec.Status.Commit, rec.Status.Facts = r.shared.Commit, r.shared.Facts
}

// leave takes a record out of the run and stops a run that nobody follows. The lock must be held.
func (r *run) leave(rec *record) {
	delete(r.followers, rec)
	if len(r.followers) == 0 && !r.background {
		r.cancel()
	}
}

// stopped reports whether the run was told to stop.
func (r *run) stopped() bool { return r.ctx.Err() != nil }

// execute does the work and ends the records that follow it.
func (w *Workspaces) execute(r *run) {
	snap, m, err := w.guarded(r)
	w.mu.Lock()
	r.corpus.run = nil
	status, hint := Complete, ""
	switch {
	case errors.Is(err, context.Canceled):
		status, err = Cancelled, ErrCancelled
		if w.closed {
			status, err = Failed, errInterrupted
		}
	case err != nil:
		status, hint = Failed, hintFor(err)
	}
	ended := map[*record]event{}
	for rec := range r.followers {
		if m != nil {
			rec.Status.Commit, rec.Status.Facts = m.Git.Commit, m.Facts
		}
		ended[rec] = rec.end(w.now(), status, err, hint)
	}
	w.mu.Unlock()
	if err != nil && r.background && status == Failed {
		w.log.Warn("changed files could not be indexed; the former index answers", "folder", r.corpus.site.path, "error", err)
	}
	for rec, e := range ended { // who is told that it is there finds it there after a crash, too
		w.save(rec)
		w.mu.Lock()
		rec.tell(w.now(), e)
		w.mu.Unlock()
		w.announce(rec)
	}
	if err == nil && snap != nil {
		w.watch(r.corpus)
	}
	r.cancel()
	close(r.done)
}

// guarded runs the stages. A panic is an error: one repository must not end the program.
func (w *Workspaces) guarded(r *run) (snap *index.Snapshot, m *manifest, err error) {
	defer func() {
		if p := recover(); p != nil {
			w.log.Error("indexing broke", "folder", r.corpus.site.path, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			snap, m, err = nil, nil, errors.New("indexing broke; the log has the details")
		}
	}()
	done, err := w.turns.take(r.ctx, r.owner)
	if err != nil {
		return nil, nil, err
	}
	defer done()
	free, err := r.corpus.lock(r.ctx, func() { r.note("another process makes an index of the same; this one follows") })
	if err != nil {
		return nil, nil, err
	}
	defer free()
	r.corpus.ahead(true)
	p := &pipeline{w: w, run: r, corpus: r.corpus}
	defer p.cleanUp()
	if err := p.work(r.ctx); err != nil {
		if r.ctx.Err() != nil {
			err = r.ctx.Err()
		}
		return nil, nil, err
	}
	return p.snap, p.made, nil
}

// begin says that a stage has begun.
func (r *run) begin(i int) {
	r.update(func() {
		r.shared.Status, r.shared.Stage = Running, stages[i].Name
		r.shared.Stages[stages[i].Name] = StageStatus{Status: Running}
	}, nil)
}

// finished says that a stage has ended. The end of the last one is told with the end of the run.
func (r *run) finished(i int, message string) {
	name := stages[i].Name
	change := func() { r.shared.Stages[name] = StageStatus{Status: Complete, Progress: 100} }
	if i == len(stages)-1 {
		r.update(change, nil)
		r.note("%s: %s", name, message)
		return
	}
	r.update(func() {
		change()
		r.shared.Progress = stages[i].Percent
	}, &event{stage: name, percent: stages[i].Percent, message: message})
}

// update changes what the followers share and tells them.
func (r *run) update(change func(), e *event) {
	w := r.corpus.w
	w.mu.Lock()
	change()
	told := make([]*record, 0, len(r.followers))
	for rec := range r.followers {
		r.copyTo(rec)
		rec.Status.UpdatedAt = w.now()
		if e != nil {
			rec.tell(w.now(), *e)
		}
		told = append(told, rec)
	}
	w.mu.Unlock()
	for _, rec := range told {
		w.announce(rec)
	}
}

// note adds a line to the logs of those who follow.
func (r *run) note(format string, args ...any) {
	w := r.corpus.w
	w.mu.Lock()
	defer w.mu.Unlock()
	for rec := range r.followers {
		rec.log(w.now(), fmt.Sprintf(format, args...))
	}
}

// hintFor says what to do about a failure.
func hintFor(err error) string {
	switch {
	case errors.Is(err, scan.ErrNoRepository):
		return "Leave rev out to index the files as they lie there, or give the path of a git repository."
	case errors.Is(err, scan.ErrNoRevision):
		return "Give a branch, a tag or a commit that the repository has, or leave rev out to index the files as they lie there."
	case errors.Is(err, fs.ErrNotExist):
		return "The folder changed or vanished while it was indexed: look whether it is there, then call ensure_repo_index again. What was indexed before still answers."
	case errors.Is(err, fs.ErrPermission):
		return "The server may not read the folder, or not write its own data folder: change the rights, then call ensure_repo_index again."
	case errors.Is(err, syscall.ENOSPC):
		return "The disk that holds the indexes is full: make room, then call ensure_repo_index again."
	}
	return "Call ensure_repo_index again; when it fails in the same way, mimir://logs/{index_id} says what happened. What was indexed before still answers."
}
