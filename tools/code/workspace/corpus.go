package workspace

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"path/filepath"
	"sync"
	"time"

	"catena/tools/code/index"
	"catena/tools/code/scan"
)

// corpus is the index of one folder, or of one revision of it. All owners share it; ids are theirs alone. Workspaces.mu
// guards the fields below it.
type corpus struct {
	w    *Workspaces
	site site
	rev  string
	dir  string // where it is kept
	key  string

	load sync.Mutex // one loading, listing or look at a time; taken before Workspaces.mu

	packing sync.Mutex // one packing of a bundle at a time

	run      *run
	snap     *index.Snapshot // nil when it is not in memory
	made     *manifest       // of the newest index; nil when there is none, or it was not looked for yet
	looked   bool            // whether there is one on disk is known
	tree     scan.Tree       // of a folder; nil when it is not open
	used     time.Time       // when it was last asked for
	checked  time.Time       // when the files were last compared with made
	checking chan struct{}   // closed when the comparison under way ends; nil without one
	stale    time.Time       // when it was noticed that they differ; zero when they do not
	gone     bool
	unwatch  context.CancelFunc // nil when it is not watched
	dirty    bool               // a change came while it was not in memory
	orphan   bool               // no id leads to it: it only answers those who hold it
	onDisk   string             // the generation that counted when the disk was last looked at
	newer    bool               // another process has put a newer one in its place
	peeked   time.Time          // when that was last looked for
	listed   *listing           // by the last look, for the run that it leads to; nil when one has taken it
}

// listing is the files of a folder at a time.
type listing struct {
	files   []scan.Entry
	skipped []scan.Skipped
	at      time.Time
}

// listingAge is how old the listing of a look may be for a run to begin with it.
const listingAge = 100 * time.Millisecond

// list lists the files of a tree. What the look before a run has just listed is not listed again.
func (c *corpus) list(ctx context.Context, tree scan.Tree) ([]scan.Entry, []scan.Skipped, error) {
	c.w.mu.Lock()
	last := c.listed
	c.listed = nil
	c.w.mu.Unlock()
	if last != nil && time.Since(last.at) < listingAge {
		return last.files, last.skipped, nil
	}
	return tree.Files(ctx)
}

// corpusKey names a folder and revision in file names.
func corpusKey(path, rev string) string {
	sum := sha256.Sum256([]byte(path + "\x00" + rev))
	return hex.EncodeToString(sum[:12])
}

// corpusOf returns the corpus of a folder and revision. The lock must be held.
func (w *Workspaces) corpusOf(at site, rev string) *corpus {
	c := w.peek(at, rev)
	w.corpora[c.key] = c
	return c
}

// peek is corpusOf, but keeps no new one. The lock must be held.
func (w *Workspaces) peek(at site, rev string) *corpus {
	key := corpusKey(at.path, rev)
	if c := w.corpora[key]; c != nil {
		return c
	}
	return &corpus{w: w, site: at, rev: rev, key: key, dir: filepath.Join(w.dir, "data", key)}
}

func (c *corpus) inMemory() (*index.Snapshot, *manifest) {
	c.w.mu.Lock()
	defer c.w.mu.Unlock()
	c.used = c.w.now()
	return c.snap, c.made
}

// install puts a new index in the place of the former one, in memory.
func (c *corpus) install(snap *index.Snapshot, m *manifest) {
	c.w.mu.Lock()
	defer c.w.mu.Unlock()
	c.snap, c.made, c.looked = snap, m, true
	c.used, c.checked = c.w.now(), c.w.now()
	c.stale, c.gone, c.dirty = time.Time{}, false, false
}

// drop frees the memory of an index that nobody has asked for lately.
func (c *corpus) drop(before time.Time) {
	if !c.load.TryLock() {
		return
	}
	defer c.load.Unlock()
	c.w.mu.Lock()
	defer c.w.mu.Unlock()
	if c.run != nil || !c.used.Before(before) {
		return
	}
	c.snap, c.made, c.looked, c.newer, c.listed = nil, nil, false, false, nil
	if c.tree != nil && c.unwatch == nil {
		_ = c.tree.Close() // only a handle to read by
		c.tree = nil
	}
}

// files returns the tree of the corpus: an open folder, kept to be listed quickly, or a revision. done must be called
// after use.
func (c *corpus) files(ctx context.Context) (tree scan.Tree, done func(), err error) {
	if c.rev != "" {
		tree, err = scan.RevisionIn(ctx, c.site.base, c.site.rel(), c.rev, c.w.opt.Limits)
		if err != nil {
			return nil, nil, err
		}
		return tree, func() { _ = tree.Close() }, nil // only handles to read by
	}
	c.w.mu.Lock()
	tree = c.tree
	c.w.mu.Unlock()
	if tree == nil {
		if tree, err = scan.FolderIn(ctx, c.site.base, c.site.rel(), c.w.opt.Limits); err != nil {
			return nil, nil, err
		}
		c.w.mu.Lock()
		defer c.w.mu.Unlock()
		if c.tree != nil || c.w.closed {
			other := tree
			return other, func() { _ = other.Close() }, nil
		}
		c.tree = tree
	}
	return tree, func() {}, nil
}

// mostCompared bounds the files that a look reads to see whether their content has changed; beyond it a new time is a
// change.
const mostCompared = 2000

// compare lists the files and says how they differ from the newest index.
func (c *corpus) compare(ctx context.Context, m *manifest) (delta, error) {
	tree, done, err := c.files(ctx)
	if err != nil {
		return delta{}, err
	}
	defer done()
	if c.rev != "" {
		git, err := tree.Git(ctx)
		if err == nil && git.Commit != m.Git.Commit {
			return delta{gone: []string{""}}, nil
		}
		return delta{}, err
	}
	files, skipped, err := tree.Files(ctx)
	if err != nil {
		return delta{}, err
	}
	last := &listing{files, skipped, time.Now()}
	d, err := m.diff(ctx, tree, files, mostCompared)
	if err == nil && !d.empty() {
		c.w.mu.Lock()
		defer c.w.mu.Unlock()
		c.listed = last
	}
	return d, err
}

// look compares the files with the index and notes what it finds. It reports whether they are the same.
func (c *corpus) look(ctx context.Context) (bool, error) {
	c.load.Lock()
	defer c.load.Unlock()
	m, err := c.find()
	if m == nil || err != nil {
		return false, err
	}
	d, err := c.compare(ctx, m)
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	c.w.mu.Lock()
	defer c.w.mu.Unlock()
	now := c.w.now()
	c.checked = now
	switch c.gone = errors.Is(err, fs.ErrNotExist); {
	case err != nil && c.stale.IsZero():
		c.stale = now
		return false, err
	case err != nil:
		return false, err
	case c.made != m: // a newer index came meanwhile
		return false, nil
	case d.empty():
		c.stale = time.Time{}
		if len(d.touched) > 0 {
			c.made = m.with(d)
		}
		return true, nil
	case c.stale.IsZero():
		c.stale = now
	}
	return false, nil
}
