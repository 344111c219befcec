package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"catena/tools/code/index"
)

// An index is kept in a folder for each generation: the parts of the index, the manifest, the bundle. Parts never
// change, so a new generation links those that it shares with the former one. The file "current" names the generation
// that counts; it is renamed into its place when everything else is on the disk.
const (
	current      = "current"
	manifestFile = "manifest.gob"
	BundleFile   = "bundle.tar.zst"
)

func (c *corpus) generation(name string) string {
	return filepath.Join(c.dir, "gen-"+strings.TrimSpace(filepath.Base(name)))
}

// find reads the manifest of the newest index, if there is one. c.load must be held.
func (c *corpus) find() (*manifest, error) {
	if c.ahead(false) {
		c.renew()
	}
	c.w.mu.Lock()
	m, looked := c.made, c.looked
	c.w.mu.Unlock()
	if m != nil || looked {
		return m, nil
	}
	name, m, err := c.newest(readManifest)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the index of %s cannot be read: %w", c.site.path, err)
	}
	c.w.mu.Lock()
	defer c.w.mu.Unlock()
	if c.made == nil {
		c.made, c.looked, c.onDisk, c.newer = m, true, name, false
	}
	return c.made, nil
}

// newest reads the manifest, and whatever read does beside, of the generation that counts. Another process may put a
// newer one in its place and remove it meanwhile, so it is tried again then.
func (c *corpus) newest(read func(dir string) (*manifest, error)) (name string, m *manifest, err error) {
	for range 5 {
		name, err = c.currentName()
		if err != nil {
			return "", nil, err
		}
		if m, err = read(c.generation(name)); err == nil {
			return name, m, nil
		}
		if now, e := c.currentName(); e != nil || now == name {
			break
		}
	}
	return name, nil, err
}

// loadNewest reads the index that counts from disk.
func (c *corpus) loadNewest(ctx context.Context) (snap *index.Snapshot, m *manifest, name string, err error) {
	name, m, err = c.newest(func(dir string) (*manifest, error) {
		m, err := readManifest(dir)
		if err == nil {
			snap, err = index.Open(ctx, dir, index.Options{Now: c.w.now})
		}
		return m, err
	})
	return snap, m, name, err
}

// renew takes up the index that another process has made: at once when the former one is in memory, else when it is
// asked for. One that cannot be read leaves the former one in its place. c.load must be held.
func (c *corpus) renew() {
	w := c.w
	w.mu.Lock()
	loaded := c.snap != nil
	w.mu.Unlock()
	var snap *index.Snapshot
	var m *manifest
	var name string
	var err error
	if loaded {
		if snap, m, name, err = c.loadNewest(w.ctx); err != nil && w.ctx.Err() == nil {
			w.log.Warn("the index that another process has made cannot be read; the former one answers", "folder", c.site.path, "error", err)
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	c.newer = false
	switch {
	case err != nil:
		c.onDisk = name
	case loaded:
		c.snap, c.made, c.onDisk = snap, m, name
		c.stale, c.checked, c.gone, c.dirty = time.Time{}, time.Time{}, false, false
	default:
		c.made, c.looked = nil, false
		c.stale, c.checked = time.Time{}, time.Time{}
	}
}

// open returns the newest snapshot with its manifest, from disk when it is not in memory; both nil when there is none.
// An index that cannot be read is an error; the next Ensure makes it anew.
func (c *corpus) open(ctx context.Context) (*index.Snapshot, *manifest, error) {
	if snap, m := c.inMemory(); snap != nil && !c.ahead(false) {
		return snap, m, nil
	}
	c.load.Lock()
	defer c.load.Unlock()
	m, err := c.find()
	if snap, m := c.inMemory(); snap != nil {
		return snap, m, nil
	}
	if m == nil || err != nil {
		return nil, nil, err
	}
	snap, m, name, err := c.loadNewest(ctx)
	if err != nil {
		if snap, m := c.inMemory(); snap != nil { // a run has replaced what was being read
			return snap, m, nil
		}
		return nil, nil, fmt.Errorf("the index of %s cannot be read: %w", c.site.path, err)
	}
	c.w.mu.Lock()
	defer c.w.mu.Unlock()
	if c.snap == nil { // else a run has put in a newer one meanwhile
		c.snap, c.made, c.onDisk, c.newer = snap, m, name, false
	}
	return c.snap, c.made, nil
}

// share links the parts of the former generation into a new one. Where the system cannot link, Save writes them again.
func (p *pipeline) share() error {
	if p.former == nil {
		return nil
	}
	list, err := os.ReadDir(p.from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("looking at the former index: %w", err)
	}
	for _, e := range list {
		if e.Name() == manifestFile || e.Name() == BundleFile {
			continue
		}
		if !linked(filepath.Join(p.from, e.Name()), filepath.Join(p.dir, e.Name())) {
			break
		}
	}
	return nil
}

// linked gives a file a second name, and reports whether the system can do that.
func linked(old, name string) bool { return os.Link(old, name) == nil }

// commit puts the new index in the place of the former one: on disk by one renaming, then in memory.
func (p *pipeline) commit(ctx context.Context) error {
	if err := p.made.write(p.dir); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := writeFile(filepath.Join(p.corpus.dir, current), []byte(p.made.Generation)); err != nil {
		return err
	}
	p.dir = ""
	p.w.mu.Lock()
	p.corpus.onDisk, p.corpus.newer = p.made.Generation, false
	p.w.mu.Unlock()
	p.corpus.install(p.snap, p.made)
	p.corpus.prune(p.made.Generation)
	return nil
}

// prune removes the generations before the one that is kept.
func (c *corpus) prune(keep string) {
	list, err := os.ReadDir(c.dir)
	if err != nil {
		return // they are removed the next time
	}
	for _, e := range list {
		name := e.Name()
		if !strings.HasPrefix(name, "gen-") || name == "gen-"+keep {
			continue
		}
		if err := os.RemoveAll(filepath.Join(c.dir, name)); err != nil {
			c.w.log.Warn("a former index could not be removed", "folder", filepath.Join(c.dir, name), "error", err)
		}
	}
}
