package code

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"catena/tools/code/index"
)

// An index is kept in a folder for each generation: the parts of the index, the manifest, the bundle. Parts never change, so a new
// generation links those that it shares with the former one. The file "current" names the generation that counts; it is renamed
// into its place when everything else is on the disk.
const (
	current      = "current"
	manifestFile = "manifest.gob"
	bundleFile   = "bundle.tar.zst"
)

func (c *corpus) generation(name string) string {
	return filepath.Join(c.dir, "gen-"+strings.TrimSpace(filepath.Base(name)))
}

// find reads the manifest of the newest index, if there is one. c.load must be held.
func (c *corpus) find() (*manifest, error) {
	c.w.mu.Lock()
	m, looked := c.made, c.looked
	c.w.mu.Unlock()
	if m != nil || looked {
		return m, nil
	}
	name, err := os.ReadFile(filepath.Join(c.dir, current))
	if err == nil {
		m, err = readManifest(c.generation(string(name)))
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the index of %s cannot be read: %w", c.site.path, err)
	}
	c.w.mu.Lock()
	defer c.w.mu.Unlock()
	if c.made == nil {
		c.made, c.looked = m, true
	}
	return c.made, nil
}

// open returns the newest snapshot with its manifest, from disk when it is not in memory; both nil when there is none. An index
// that cannot be read is an error; the next Ensure makes it anew.
func (c *corpus) open(ctx context.Context) (*index.Snapshot, *manifest, error) {
	if snap, m := c.inMemory(); snap != nil {
		return snap, m, nil
	}
	c.load.Lock()
	defer c.load.Unlock()
	if snap, m := c.inMemory(); snap != nil {
		return snap, m, nil
	}
	m, err := c.find()
	if m == nil || err != nil {
		return nil, nil, err
	}
	snap, err := index.Open(ctx, c.generation(m.Generation), index.Options{Now: c.w.now})
	if err != nil {
		if snap, m := c.inMemory(); snap != nil { // a run has replaced what was being read
			return snap, m, nil
		}
		return nil, nil, fmt.Errorf("the index of %s cannot be read: %w", c.site.path, err)
	}
	c.w.mu.Lock()
	defer c.w.mu.Unlock()
	if c.snap == nil { // else a run has put in a newer one meanwhile
		c.snap, c.made = snap, m
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
		if e.Name() == manifestFile || e.Name() == bundleFile {
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
