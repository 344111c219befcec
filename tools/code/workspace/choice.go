package workspace

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"catena/tools/code/scan"
)

// Known finds the workspace at a path, or, when that is "", the one that Current chooses. It starts nothing.
func (w *Workspaces) Known(owner, path string) (*Workspace, error) {
	w.sync(false)
	if path == "" {
		return w.chosen(owner)
	}
	at, err := w.locate(path)
	if err != nil {
		if x := w.formerly(owner, path); x != nil {
			return x, nil
		}
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return nil, ErrClosed
	}
	return w.at(owner, at), nil
}

// at is the owner's workspace of a folder; without a record when there is none. The lock must be held.
func (w *Workspaces) at(owner string, at site) *Workspace {
	if r := w.latest(owner, func(r *record) bool { return r.corpus.site.path == at.path && r.corpus.rev == "" }); r != nil {
		return &Workspace{corpus: r.corpus, record: r}
	}
	return &Workspace{corpus: w.peek(at, "")}
}

// latest is the owner's newest record of those; nil without one. The lock must be held.
func (w *Workspaces) latest(owner string, of func(*record) bool) *record {
	var newest *record
	for _, r := range w.records {
		if r.Owner == owner && of(r) && (newest == nil || r.newer(newest)) {
			newest = r
		}
	}
	return newest
}

// formerly finds the owner's index of a folder that cannot be indexed now: it is gone, or lies below no root any more.
// Somebody who was allowed to has made it, and it may be asked.
func (w *Workspaces) formerly(owner, path string) *Workspace {
	abs := w.absolute(path)
	w.mu.Lock()
	defer w.mu.Unlock()
	r := w.latest(owner, func(r *record) bool { return r.corpus.site.path == abs && r.corpus.rev == "" })
	if r == nil || w.closed {
		return nil
	}
	return &Workspace{corpus: r.corpus, record: r}
}

// absolute makes a path absolute and resolves what of it is there.
func (w *Workspaces) absolute(path string) string {
	abs := filepath.Clean(path)
	if !filepath.IsAbs(abs) {
		abs = filepath.Join(w.roots[0], abs)
	}
	for dir := abs; len(path) <= MaxPath && !strings.ContainsRune(path, 0); dir = filepath.Dir(dir) {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			return filepath.Join(real, strings.TrimPrefix(abs, dir))
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return abs
}

// chosen is the workspace of a question that names none.
func (w *Workspaces) chosen(owner string) (*Workspace, error) {
	root := site{base: w.roots[0], path: w.roots[0]}
	w.mu.Lock()
	if w.closed {
		w.mu.Unlock()
		return nil, ErrClosed
	}
	last := w.records[w.last[owner]]
	first := w.at(owner, root)
	ever := w.latest(owner, func(r *record) bool { return isFolder(r.corpus.site.path) })
	w.mu.Unlock()
	switch {
	case last != nil && last.Owner == owner && isFolder(last.corpus.site.path):
		return &Workspace{corpus: last.corpus, record: last}, nil
	case first.record != nil && isFolder(root.path), ever == nil, w.worthIndexing():
		return first, nil
	}
	return &Workspace{corpus: ever.corpus, record: ever}, nil
}

// Instead is the workspace that a request means for "this repository" when the first root has no file to index and no
// index: the one that was indexed last. nil when the request means what it says.
func (w *Workspaces) Instead(req Request) *Workspace {
	if req.Path != "." || req.Rev != "" {
		return nil
	}
	x, err := w.Known(req.Owner, "")
	if err != nil || x.record == nil || x.Root() == w.roots[0] || w.worthIndexing() {
		return nil
	}
	if _, m, err := x.corpus.open(w.ctx); m == nil || err != nil {
		return nil
	}
	return x
}

// worth is whether the first root has a file that would be indexed, as it was found.
type worth struct {
	found    bool
	modified time.Time // of the folder
	until    time.Time
}

// worthFor is how long a look at the first root holds: every turn asks, and each look walks folders. What comes to the
// folder itself is seen at once, what comes further down after this time.
const worthFor = 10 * time.Second

// worthIndexing reports whether the first root has a file that would be indexed.
func (w *Workspaces) worthIndexing() bool {
	root, now := w.roots[0], w.now()
	info, err := os.Stat(root)
	if err != nil {
		return false
	}
	w.mu.Lock()
	last := w.worth
	w.mu.Unlock()
	if last.modified.Equal(info.ModTime()) && now.Before(last.until) {
		return last.found
	}
	next := worth{found: w.hasFiles(root), modified: info.ModTime(), until: now.Add(worthFor)}
	w.mu.Lock()
	w.worth = next
	w.mu.Unlock()
	return next.found
}

// hasFiles reports whether a folder has a file that would be indexed.
func (w *Workspaces) hasFiles(root string) bool {
	limits := w.opt.Limits
	limits.Files = 1
	at := site{base: root, path: root}
	tree, err := scan.FolderIn(w.ctx, at.base, at.rel(), limits)
	if err != nil {
		return false
	}
	files, _, err := tree.Files(w.ctx)
	_ = tree.Close() // only a handle to read by
	return err == nil && len(files) > 0
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// Newest is the owner's newest workspace that is, or is being, indexed; nil without one. It never starts anything.
func (w *Workspaces) Newest(owner string) *Workspace {
	for _, st := range w.List(owner) {
		x, err := w.Find(owner, st.IndexID)
		if err == nil && isFolder(st.Path) && (st.Status != Failed && st.Status != Cancelled || x.Generation() != "") {
			return x
		}
	}
	return nil
}
