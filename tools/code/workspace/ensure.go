package workspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	ulids "github.com/oklog/ulid/v2"
)

// Ensure makes the index of a folder or revision, or finds that the one there is still true, and blocks until the end.
// Two calls for the same thing share one run and, for one owner, one id. The Status is set whenever there is an id,
// also beside an error: *PathError before there is one, ErrCancelled, the context's error, or what went wrong. When the
// context of everybody who waits has ended, the work stops.
func (w *Workspaces) Ensure(ctx context.Context, req Request) (Status, error) {
	at, err := w.locate(req.Path)
	if err != nil {
		return Status{}, err
	}
	if err := checkRev(req.Rev); err != nil {
		return Status{}, err
	}
	for {
		rec, busy, err := w.attach(ctx, req, at)
		if err != nil {
			return Status{}, err
		}
		if busy == nil {
			return w.follow(ctx, rec, req)
		}
		select {
		case <-busy:
		case <-ctx.Done():
			return Status{}, ctx.Err()
		}
	}
}

// attach finds or starts what a request waits for. busy is set instead when a run must end first: one that was stopped,
// or one that took up changes and may have begun before the last of them.
func (w *Workspaces) attach(ctx context.Context, req Request, at site) (rec *record, busy <-chan struct{}, err error) {
	w.sync(false)
	w.mu.Lock()
	c, rec, busy, err := w.underWay(at, req)
	w.mu.Unlock()
	if rec != nil {
		w.mu.Lock()
		w.last[req.Owner] = rec.Status.IndexID
		w.mu.Unlock()
		w.save(rec)
	}
	if rec != nil || busy != nil || err != nil {
		return rec, busy, err
	}

	same, err := c.look(ctx)
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	if same && err == nil { // an index that cannot be read is made anew
		_, _, err = c.open(ctx)
	}
	if err != nil { // the run meets it again and says what it is
		same = false
	}
	w.mu.Lock()
	_, rec, busy, err = w.underWay(at, req) // started meanwhile
	switch {
	case rec != nil:
	case busy != nil || err != nil:
		w.mu.Unlock()
		return nil, busy, err
	case same && c.made != nil && c.made.Unembedded == 0 && c.made.EmbedModel == w.embedModel():
		rec = w.unchanged(c, req)
	default:
		rec = w.join(w.start(c, req.Owner), req)
	}
	w.last[req.Owner] = rec.Status.IndexID
	old, unused := w.outdated(rec)
	w.mu.Unlock()
	w.forget(old, unused)
	w.save(rec)
	w.announce(rec)
	if same {
		w.watch(c)
	}
	return rec, nil, nil
}

// underWay looks for a run that a request can join, or must wait for. The lock must be held.
func (w *Workspaces) underWay(at site, req Request) (c *corpus, rec *record, busy <-chan struct{}, err error) {
	if w.closed {
		return nil, nil, nil, ErrClosed
	}
	c = w.corpusOf(at, req.Rev)
	switch r := c.run; {
	case r == nil:
		return c, nil, nil, nil
	case r.background || r.stopped():
		return c, nil, r.done, nil
	default:
		return c, w.join(r, req), nil, nil
	}
}

// join makes a request's owner follow a run: with the id that the owner has for it, or a new one. The lock must be
// held.
func (w *Workspaces) join(r *run, req Request) *record {
	for rec := range r.followers {
		if rec.Owner == req.Owner {
			rec.waiters++
			return rec
		}
	}
	rec := w.newRecord(r.corpus, req)
	rec.waiters++
	r.follow(rec)
	return rec
}

// unchanged gives the owner's newest complete id of an index that is still true, or a new id that is complete at once.
// The lock must be held.
func (w *Workspaces) unchanged(c *corpus, req Request) *record {
	var newest *record
	for _, rec := range w.records {
		if rec.corpus == c && rec.Owner == req.Owner && rec.Status.Status == Complete && (newest == nil || rec.newer(newest)) {
			newest = rec
		}
	}
	if newest == nil {
		newest = w.newRecord(c, req)
		newest.Status.Stages = map[string]StageStatus{}
		for _, s := range stages {
			newest.Status.Stages[s.Name] = StageStatus{Status: Complete, Progress: 100}
		}
		newest.Status.Stage = stages[len(stages)-1].Name
		newest.Status.Commit, newest.Status.Facts = c.made.Git.Commit, c.made.Facts
		newest.tell(w.now(), newest.end(w.now(), Complete, nil, ""))
	}
	newest.Status.Commit, newest.Status.Facts = c.made.Git.Commit, c.made.Facts
	newest.Status.UpdatedAt = w.now()
	newest.events = []event{{stage: newest.Status.Stage, percent: 100, message: newest.Status.Path + " is up to date", ended: true}}
	newest.told = true
	newest.waiters++
	return newest
}

// newRecord makes an index id. The lock must be held.
func (w *Workspaces) newRecord(c *corpus, req Request) *record {
	now := w.now()
	rec := &record{corpus: c, changed: make(chan struct{}), saved: saved{Owner: req.Owner, Base: c.site.base, Process: w.self,
		Status: Status{IndexID: ulids.Make().String(), Status: Pending, StartedAt: now, UpdatedAt: now, Path: c.site.path, Rev: c.rev}}}
	about := "Index of " + c.site.path
	if c.rev != "" {
		about += " at " + c.rev
	}
	rec.log(now, about)
	w.records[rec.Status.IndexID] = rec
	w.listChanged()
	return rec
}

// listChanged tells Options.Listed.
func (w *Workspaces) listChanged() {
	if w.opt.Listed != nil {
		w.opt.Listed()
	}
}

// newer reports whether r was begun after other.
func (r *record) newer(other *record) bool {
	return cmp.Or(r.Status.UpdatedAt.Compare(other.Status.UpdatedAt), strings.Compare(r.Status.IndexID, other.Status.IndexID)) > 0
}

// follow tells a request of a record's events until its end. It counts as one who waits, and no more after it.
func (w *Workspaces) follow(ctx context.Context, rec *record, req Request) (Status, error) {
	for n := 0; ; {
		w.mu.Lock()
		events := slices.Clone(rec.events[min(n, len(rec.events)):])
		st, over, changed, err := rec.status(), rec.told, rec.changed, rec.err
		if over {
			rec.waiters--
		}
		w.mu.Unlock()
		n += len(events)
		for _, e := range events {
			req.tell(st.IndexID, e)
		}
		if over {
			return st, err
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return w.unfollow(rec), fmt.Errorf("waiting for the index: %w", ctx.Err())
		}
	}
}

// unfollow takes away one who waits; nobody is left to wait for a record that nobody asked to be kept.
func (w *Workspaces) unfollow(rec *record) Status {
	w.mu.Lock()
	rec.waiters--
	stopped := rec.waiters == 0 && !rec.kept && w.stop(rec)
	st := rec.status()
	w.mu.Unlock()
	if stopped {
		w.save(rec)
		w.announce(rec)
	}
	return st
}

// tell passes an event on.
func (req Request) tell(id string, e event) {
	if req.Progress != nil {
		req.Progress(id, e.stage, e.percent, e.message)
	}
	if req.Updated != nil {
		for _, uri := range URIs(id, e.ended) {
			req.Updated(uri)
		}
	}
}

// announce tells Options.Updated what of a record may have changed.
func (w *Workspaces) announce(rec *record) {
	if w.opt.Updated == nil {
		return
	}
	w.mu.Lock()
	owner, id, over := rec.Owner, rec.Status.IndexID, rec.over()
	w.mu.Unlock()
	for _, uri := range URIs(id, over) {
		w.opt.Updated(owner, uri)
	}
}

func isAny(err error, targets ...error) bool {
	return slices.ContainsFunc(targets, func(t error) bool { return errors.Is(err, t) })
}

// URIs are the resources of an index that may have changed; over says that it has come to its end.
func URIs(id string, over bool) []string {
	uris := []string{"mimir://status/" + id, "mimir://logs/" + id}
	if over {
		uris = append(uris, "mimir://manifest/"+id, "mimir://indexes/"+id+"/"+BundleFile)
	}
	return uris
}
