package main

import (
	"context"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"

	"catena/tools/code/index"
	"catena/tools/code/parse"
	"catena/tools/code/scan"
)

// corpus is the folder that is indexed.
type corpus struct {
	tree    scan.Tree
	entries []scan.Entry
	bytes   int64
	skipped int
}

func goRoot() string {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "/usr/local/go"
	}
	return strings.TrimSpace(string(out))
}

func readCorpus(ctx context.Context, dir string) (*corpus, error) {
	tree, err := scan.Folder(ctx, dir, scan.Limits{})
	if err != nil {
		return nil, err
	}
	entries, skipped, err := tree.Files(ctx)
	if err != nil {
		return nil, err
	}
	c := &corpus{tree: tree, entries: entries, skipped: len(skipped)}
	for _, e := range entries {
		c.bytes += e.Size
	}
	return c, nil
}

// build indexes everything; edit, when it is not nil, may change a source before it is parsed.
func (c *corpus) build(ctx context.Context, edit func(path string, src []byte) []byte) (*index.Snapshot, error) {
	b := index.NewBuilder(index.Options{})
	work := make(chan scan.Entry)
	errs := make(chan error, runtime.GOMAXPROCS(0))
	var group sync.WaitGroup
	for range cap(errs) {
		group.Go(func() {
			for e := range work {
				if err := c.add(ctx, b, e, edit); err != nil {
					errs <- err
					for range work { // let the sender end
					}
					return
				}
			}
		})
	}
	for _, e := range c.entries {
		work <- e
	}
	close(work)
	group.Wait()
	select {
	case err := <-errs:
		return nil, err
	default:
	}
	return b.Build(ctx)
}

func (c *corpus) add(ctx context.Context, b *index.Builder, e scan.Entry, edit func(string, []byte) []byte) error {
	src, err := c.tree.Read(ctx, e.Path)
	if err != nil {
		return err
	}
	if edit != nil {
		src = edit(e.Path, src)
	}
	f, err := parse.Parse(ctx, e.Path, src)
	if err != nil {
		return fmt.Errorf("%s: %w", e.Path, err)
	}
	return b.Add(f, src, index.Stamp{Hash: e.Hash, Mod: e.ModTime})
}

// change parses a file with one more function at its end.
func (c *corpus) change(ctx context.Context, path string, n int) (index.Change, time.Duration, error) {
	src, err := c.tree.Read(ctx, path)
	if err != nil {
		return index.Change{}, 0, err
	}
	src = append(src, fmt.Sprintf("\n// addedByBench%d is one more.\nfunc addedByBench%d(a int) int { return a + %d }\n", n, n, n)...)
	start := time.Now()
	f, err := parse.Parse(ctx, path, src)
	return index.Change{File: f, Source: src}, time.Since(start), err
}
