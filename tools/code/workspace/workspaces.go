package workspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"
	"golang.org/x/sync/semaphore"

	"catena/internal/text"
	"catena/tools/code/scan"
)

// Bounds of what goes on at once and of what is kept in memory.
const (
	maxRuns  = 3                // indexes that are made at once; more wait
	ownRuns  = 2                // of those that one owner has begun: fewer, so that nobody keeps all others waiting
	idleTime = 10 * time.Minute // after which an index that nobody asked for is dropped from memory
	sweeps   = time.Minute      // between looks for such
)

// Workspaces are the folders and revisions that are indexed, each owner's ids over them, and the work on them. It is
// safe for concurrent use.
type Workspaces struct {
	opt    Options
	log    *slog.Logger
	now    func() time.Time
	roots  []string // absolute, with symlinks resolved
	dir    string
	temp   bool // dir is removed by Close
	cores  int
	memory *semaphore.Weighted // bytes of parseMemory, of all runs

	ctx    context.Context // ends with Close
	cancel context.CancelFunc
	wg     sync.WaitGroup
	turns  turns
	saveMu sync.Mutex // one writer or reader of records' files; taken before mu
	self   string     // names this process to others
	life   *flock.Flock

	mu      sync.Mutex
	closed  bool
	corpora map[string]*corpus      // by key
	records map[string]*record      // by index id
	late    []*record               // to be saved when everything is loaded
	orphans []*corpus               // forgotten, but perhaps in use by somebody who holds a Workspace
	caches  map[string]*vectorStore // by model
	last    map[string]string       // the id that each owner asked for last in this process
	synced  time.Time               // when the records were last compared with those of other processes
	worth   worth                   // of the first root
	listed  time.Time               // the time of the folder of records when they were last read
}

// New opens the indexes of Options.Dir. What ran when the process ended is failed from then on, with its former
// index. Close must be called at the end.
func New(opt Options) (*Workspaces, error) {
	roots, err := resolveRoots(opt.Roots)
	if err != nil {
		return nil, err
	}
	w := &Workspaces{opt: opt, log: opt.Log, now: opt.Now, roots: roots, dir: opt.Dir, cores: runtime.GOMAXPROCS(0), memory: semaphore.NewWeighted(parseMemory),
		turns: newTurns(), corpora: map[string]*corpus{}, records: map[string]*record{},
		caches: map[string]*vectorStore{}, last: map[string]string{}}
	if w.log == nil {
		w.log = slog.Default()
	}
	if w.now == nil {
		w.now = time.Now
	}
	if w.dir == "" {
		if w.dir, err = os.MkdirTemp("", "catena-code-"); err != nil {
			return nil, fmt.Errorf("code: a folder for the indexes: %w", err)
		}
		w.temp = true
	}
	if w.dir, err = filepath.Abs(w.dir); err == nil {
		for _, name := range []string{"records", "data", "processes", "locks"} {
			err = errors.Join(err, os.MkdirAll(filepath.Join(w.dir, name), 0o700))
		}
	}
	if err == nil {
		err = w.enter(w.loadRecords)
	}
	if err != nil {
		return nil, fmt.Errorf("code: opening the indexes: %w", errors.Join(err, w.leave()))
	}
	for _, r := range w.late {
		w.save(r)
	}
	w.late = nil
	w.ctx, w.cancel = context.WithCancel(context.Background())
	w.wg.Go(w.sweep)
	return w, nil
}

// Close stops all work and waits for it.
func (w *Workspaces) Close() error {
	w.mu.Lock()
	if w.closed {
		w.mu.Unlock()
		return nil
	}
	w.closed = true
	w.mu.Unlock()
	w.cancel()
	w.wg.Wait()
	var errs []error
	w.mu.Lock()
	for _, c := range slices.AppendSeq(w.orphans, maps.Values(w.corpora)) {
		if c.tree != nil {
			errs = append(errs, c.tree.Close())
			c.tree = nil
		}
	}
	w.mu.Unlock()
	errs = append(errs, w.leave())
	if w.temp {
		errs = append(errs, os.RemoveAll(w.dir))
	}
	return errors.Join(errs...)
}

// sweep drops from memory what nobody has asked for lately.
func (w *Workspaces) sweep() {
	tick := time.NewTicker(sweeps)
	defer tick.Stop()
	for {
		select {
		case <-w.ctx.Done():
			return
		case <-tick.C:
		}
		w.mu.Lock()
		list := slices.AppendSeq(slices.Clone(w.orphans), maps.Values(w.corpora))
		w.mu.Unlock()
		for _, c := range list {
			c.drop(w.now().Add(-idleTime))
		}
		w.mu.Lock()
		w.orphans = slices.DeleteFunc(w.orphans, func(c *corpus) bool { return c.snap == nil && c.tree == nil })
		w.mu.Unlock()
	}
}

// Find gives the workspace of an index id. An id that is unknown, or another owner's, gives an error that wraps
// ErrNotFound.
func (w *Workspaces) Find(owner, indexID string) (*Workspace, error) {
	id := strings.ToUpper(indexID) // Crockford's base 32 knows no case
	w.mu.Lock()
	unknown := w.records[id] == nil
	w.mu.Unlock()
	w.sync(unknown && IsID(id))
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return nil, ErrClosed
	}
	r := w.records[id]
	if r == nil || r.Owner != owner {
		return nil, fmt.Errorf("index %q: %w", text.Clip(indexID, 60), ErrNotFound)
	}
	return &Workspace{corpus: r.corpus, record: r}, nil
}

// List gives the status of every index id of an owner, the newest first.
func (w *Workspaces) List(owner string) []Status {
	w.sync(false)
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []Status
	for _, r := range w.records {
		if r.Owner == owner {
			out = append(out, r.status())
		}
	}
	slices.SortFunc(out, func(a, b Status) int {
		return cmp.Or(b.StartedAt.Compare(a.StartedAt), strings.Compare(b.IndexID, a.IndexID))
	})
	return out
}

// Cancel stops the work on an index. One that has ended already stays as it is. Unknown ids give ErrNotFound; one
// that another process makes gives ErrElsewhere.
func (w *Workspaces) Cancel(owner, indexID string) error {
	x, err := w.Find(owner, indexID)
	if err != nil {
		return err
	}
	w.mu.Lock()
	elsewhere := w.elsewhere(x.record)
	stopped := !elsewhere && w.stop(x.record)
	w.mu.Unlock()
	if elsewhere {
		return ErrElsewhere
	}
	if stopped {
		w.save(x.record)
		w.announce(x.record)
	}
	return nil
}

// stop ends a record as cancelled and reports whether it was under way. The lock must be held.
func (w *Workspaces) stop(r *record) bool {
	if r.over() {
		return false
	}
	if r.run != nil {
		r.run.leave(r)
	}
	r.tell(w.now(), r.end(w.now(), Cancelled, ErrCancelled, "What was indexed before still answers."))
	return true
}

// longestWait bounds how long Current waits for a first index.
const longestWait = 20 * time.Second

// Current gives the workspace that the owner works on: the one at path, or, when that is "", the one that was ensured
// last by this Workspaces; else the first root when it has an index or a file worth indexing; else the one that was
// ensured last ever. A folder that is gone must be named. An index that cannot be read counts as none. With AutoIndex a
// folder without an index is indexed, and Current waits for it for up to 20 s; after that the view's state is Indexing.
// Without it the view's state is NeverIndexed.
func (w *Workspaces) Current(ctx context.Context, owner, path string) (*Workspace, error) {
	x, err := w.Known(owner, path)
	if err != nil {
		return nil, err
	}
	damaged := false
	if x.record != nil {
		_, m, err := x.corpus.open(ctx)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if m != nil && err == nil {
			return x, nil
		}
		damaged = err != nil
	}
	rec, err := w.first(ctx, x, Request{Owner: owner, Path: x.corpus.site.path, Rev: x.corpus.rev})
	if rec == nil || err != nil {
		return x, err
	}
	waiting, stop := context.WithTimeout(ctx, longestWait)
	defer stop()
	_, _ = w.follow(waiting, rec, Request{}) // how it went is in the view
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return &Workspace{corpus: rec.corpus, record: rec, renewed: damaged}, nil
}

// first gives the record of the first index of a workspace to wait for: the one that is being made, or, with AutoIndex,
// a new one. nil when there is none.
func (w *Workspaces) first(ctx context.Context, x *Workspace, req Request) (*record, error) {
	if _, ok := w.below(x.corpus.site.path); !w.opt.AutoIndex || !ok {
		w.mu.Lock()
		defer w.mu.Unlock()
		if x.record == nil || x.record.over() || w.elsewhere(x.record) {
			return nil, nil
		}
		x.record.waiters++
		return x.record, nil
	}
	for {
		rec, busy, err := w.attach(ctx, req, x.corpus.site)
		if err != nil {
			return nil, err
		}
		if busy == nil {
			w.mu.Lock()
			defer w.mu.Unlock()
			rec.kept = true // what was begun for one question is there for the next
			return rec, nil
		}
		select {
		case <-busy:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// embedModel names what makes vectors; "" without one.
func (w *Workspaces) embedModel() string {
	if w.opt.Embed == nil {
		return ""
	}
	return cmp.Or(w.opt.EmbedModel, "unnamed")
}

// checkRev refuses what git would not take for a revision.
func checkRev(rev string) error {
	if len(rev) > 256 || strings.ContainsFunc(rev, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return fmt.Errorf("%q: %w", text.Clip(rev, 60), scan.ErrNoRevision)
	}
	return nil
}

// FirstRoot is the first of Options.Roots, absolute and with symlinks resolved: relative paths begin there.
func (w *Workspaces) FirstRoot() string { return w.roots[0] }

var idPattern = regexp.MustCompile(`^[0-9A-HJKMNP-TV-Z]{26}$`)

// IsID reports whether a text has the form of index ids (ULID).
func IsID(s string) bool { return idPattern.MatchString(s) }
