package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
	ulids "github.com/oklog/ulid/v2"
)

// Several processes may use one Options.Dir: a server, and commands beside it. Each holds a lock file of its own for as
// long as it lives, so that others know whether the process that is said to make an index still does. Who makes an
// index holds a lock of its folder or revision, so that one generation follows the other. Readers need no lock: they
// load a whole generation, and notice when there is a newer one. The system frees the locks of a process that ends,
// however it ends. Where it knows no locks, one process at a time may use a folder.
const (
	lockEvery = 50 * time.Millisecond // between tries for a lock that another process holds
	enterTime = 30 * time.Second      // for others to start
	syncAge   = time.Second           // how old what is known of other processes' work may be
)

// tryLock takes a lock that nobody else has. Where the system has none, it is taken.
func tryLock(l *flock.Flock) (bool, error) {
	ok, err := l.TryLock()
	if errors.Is(err, errors.ErrUnsupported) {
		return true, nil
	}
	return ok, err
}

// enter makes this process known to the others, then calls load. One process does so at a time. alone says that there
// is no other.
func (w *Workspaces) enter(load func(alone bool) error) (err error) {
	start := flock.New(filepath.Join(w.dir, "start.lock"), flock.SetPermissions(0o600))
	ctx, stop := context.WithTimeout(context.Background(), enterTime)
	defer stop()
	if _, err := start.TryLockContext(ctx, lockEvery); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return fmt.Errorf("waiting for another process to start: %w", err)
	}
	defer func() { err = errors.Join(err, unlock(start)) }()
	alone := true
	others, err := filepath.Glob(filepath.Join(w.dir, "processes", "*.lock"))
	if err != nil {
		return err
	}
	for _, name := range others {
		if held(name) {
			alone = false
			continue
		}
		if err := os.Remove(name); err != nil {
			w.log.Warn("the lock of a process that has ended could not be removed", "file", name, "error", err)
		}
	}
	w.self = ulids.Make().String()
	w.life = flock.New(w.processFile(w.self), flock.SetPermissions(0o600))
	if ok, err := tryLock(w.life); err != nil || !ok {
		return errors.Join(errors.New("the lock of this process could not be taken"), err)
	}
	return load(alone)
}

// leave tells the others that this process ends.
func (w *Workspaces) leave() error {
	if w.life == nil {
		return nil
	}
	err := unlock(w.life)
	if e := os.Remove(w.life.Path()); e != nil && !errors.Is(e, os.ErrNotExist) {
		err = errors.Join(err, e)
	}
	return err
}

func unlock(l *flock.Flock) error {
	if err := l.Close(); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	return nil
}

func (w *Workspaces) processFile(id string) string {
	return filepath.Join(w.dir, "processes", id+".lock")
}

// alive reports whether a process, not this one, still runs. The id is from a file: what is none is nobody's.
func (w *Workspaces) alive(id string) bool {
	return id != w.self && IsID(id) && held(w.processFile(id))
}

// held reports whether somebody holds a lock file.
func held(name string) bool {
	if _, err := os.Stat(name); err != nil {
		return false
	}
	l := flock.New(name)
	ok, err := tryLock(l)
	if err == nil && ok {
		_ = unlock(l) // it was taken to look only
	}
	return err == nil && !ok
}

// lock waits until no other process makes an index of the same folder or revision. waiting is called when that takes
// time.
func (c *corpus) lock(ctx context.Context, waiting func()) (free func(), err error) {
	l := flock.New(filepath.Join(c.w.dir, "locks", c.key), flock.SetPermissions(0o600))
	ok, err := tryLock(l)
	if err == nil && !ok {
		waiting()
		_, err = l.TryLockContext(ctx, lockEvery)
	}
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("the lock of the index: %w", err), unlock(l))
	}
	return func() {
		if err := unlock(l); err != nil {
			c.w.log.Warn("the lock of an index could not be given back", "folder", c.site.path, "error", err)
		}
	}, nil
}

// ahead looks, at most once a second unless forced, whether another process has put a newer generation in place.
func (c *corpus) ahead(force bool) bool {
	w := c.w
	w.mu.Lock()
	defer w.mu.Unlock()
	if c.newer || w.temp || c.orphan || !c.looked || !force && time.Since(c.peeked) < syncAge {
		return c.newer
	}
	c.peeked = time.Now()
	name, err := c.currentName()
	c.newer = err == nil && name != c.onDisk
	return c.newer
}

// currentName is the generation on disk that counts.
func (c *corpus) currentName() (string, error) {
	name, err := os.ReadFile(filepath.Join(c.dir, current))
	return strings.TrimSpace(string(name)), err
}
