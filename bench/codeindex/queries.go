package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"catena/tools/code/index"
)

// searching measures what readers wait for.
func searching(ctx context.Context, set *settings, c *corpus, snap *index.Snapshot, out *report) error {
	out.heading("Queries")
	asked, err := makeQuestions(ctx, snap, set.n, set.seed)
	if err != nil {
		return err
	}
	alone, err := searchAll(ctx, snap, asked, 3)
	if err != nil {
		return err
	}
	out.plain("search_p50_ms", "search p50", alone.wall(50), "ms")
	out.most("search_p95_ms", "search p95", alone.wall(95), 20, "ms")
	out.plain("search_p99_ms", "search p99", alone.wall(99), "ms")
	if err := reading(ctx, c, snap, out); err != nil {
		return err
	}
	return whileChanging(ctx, c, snap, asked, out)
}

func searchAll(ctx context.Context, snap *index.Snapshot, asked []question, rounds int) (samples, error) {
	var all samples
	for range rounds {
		for _, q := range asked {
			s, err := timed(func() error {
				_, err := snap.Search(ctx, index.Query{Text: q.text, Limit: 10})
				return err
			})
			if err != nil {
				return nil, err
			}
			all = append(all, s)
		}
	}
	return all, nil
}

// reading measures get_dependents and get_files_context.
func reading(ctx context.Context, c *corpus, snap *index.Snapshot, out *report) error {
	var deps, contexts, again samples
	for n := range 400 {
		path := someFile(c, 1000+n)
		s, err := timed(func() error {
			_, err := snap.Dependents(path)
			return err
		})
		if err != nil {
			return err
		}
		deps = append(deps, s)
		if s, err = timed(func() error { return fileContext(ctx, snap, path) }); err != nil {
			return err
		}
		if n >= 100 { // the first ones fill caches
			contexts = append(contexts, s)
			best := s
			for range 4 {
				if s, err = timed(func() error { return fileContext(ctx, snap, path) }); err != nil {
					return err
				}
				best.wall = min(best.wall, s.wall)
			}
			again = append(again, best)
		}
	}
	out.most("dependents_p95_ms", "get_dependents p95", deps.wall(95), 10, "ms")
	out.plain("context_p50_ms", "get_files_context p50", contexts.wall(50), "ms")
	out.most("context_p95_ms", "get_files_context p95", contexts.wall(95), 1, "ms")
	out.plain("context_best_p95_ms", "the same, the fastest of five calls each", again.wall(95), "ms")
	return nil
}

// fileContext is what get_files_context asks of the index.
func fileContext(ctx context.Context, snap *index.Snapshot, path string) error {
	if _, err := snap.Lines(path, 1, 200); err != nil {
		return err
	}
	if _, err := snap.Related(ctx, path, 10); err != nil {
		return err
	}
	_, err := snap.Tests(path)
	return err
}

// whileChanging compares queries alone with queries while another goroutine re-indexes one file after the other, as fast as it can. Both
// are measured in turns, so that what else the machine does falls on both.
func whileChanging(ctx context.Context, c *corpus, snap *index.Snapshot, asked []question, out *report) error {
	var alone, beside samples
	changes := 0
	for round := range 8 {
		quiet, err := searchAll(ctx, snap, asked, 1)
		if err != nil {
			return err
		}
		alone = append(alone, quiet...)
		busy, n, err := besideChanges(ctx, c, snap, asked, round)
		if err != nil {
			return fmt.Errorf("queries while files change: %w", err)
		}
		beside = append(beside, busy...)
		changes += n
	}
	wall, cpu := func(s sample) time.Duration { return s.wall }, func(s sample) time.Duration { return s.cpu }
	out.plain("changes_beside", "files re-indexed meanwhile, one after the other", float64(changes), "")
	out.most("beside_ratio", "search while re-indexing by search alone, mean", beside.mean(wall)/alone.mean(wall), 1.2, "")
	out.plain("beside_p50_ratio", "the same, p50", beside.wall(50)/alone.wall(50), "")
	out.plain("beside_mean_cpu_ratio", "the same, mean of processor time", beside.mean(cpu)/max(alone.mean(cpu), 1e-9), "")
	out.plain("beside_p95_ms", "search p95 while re-indexing", beside.wall(95), "ms")
	return nil
}

// besideChanges asks all questions of a snapshot while changes are made to it.
func besideChanges(ctx context.Context, c *corpus, snap *index.Snapshot, asked []question, round int) (samples, int, error) {
	stop := make(chan struct{})
	var failed error
	var group sync.WaitGroup
	changes := 0
	group.Go(func() {
		next := snap
		for n := 0; ; n++ {
			select {
			case <-stop:
				return
			default:
			}
			ch, _, err := c.change(ctx, someFile(c, 100*round+n), n)
			if err == nil {
				next, err = next.With(ctx, []index.Change{ch})
			}
			if err != nil {
				failed = err
				return
			}
			changes++
		}
	})
	busy, err := searchAll(ctx, snap, asked, 1)
	close(stop)
	group.Wait()
	if err == nil {
		err = failed
	}
	return busy, changes, err
}
