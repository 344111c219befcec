package main

import (
	"os"
	"path/filepath"
	"sync"
	"time"
)

// disk measures, beside the load, what a bare write of 4 KiB that is synced takes on the same disk: a store_memory waits for
// three such, one after the other (the journal before, the memory, the journal after), so no store can be faster than that.
type disk struct {
	stop chan struct{}
	done sync.WaitGroup
	took []time.Duration
	err  error
}

// startDisk writes twenty times a second until end.
func startDisk(dir string) *disk {
	d := &disk{stop: make(chan struct{})}
	d.done.Go(func() { d.err = d.write(filepath.Join(dir, "bare")) })
	return d
}

func (d *disk) write(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	page := make([]byte, 4096)
	for {
		select {
		case <-d.stop:
			return nil
		case <-tick.C:
		}
		start := time.Now()
		if _, err := f.WriteAt(page, 0); err != nil {
			return err
		}
		if err := f.Sync(); err != nil {
			return err
		}
		d.took = append(d.took, time.Since(start))
	}
}

// end stops writing and returns the quantiles in milliseconds.
func (d *disk) end() (p50, p95 float64, err error) {
	close(d.stop)
	d.done.Wait()
	p50, p95, _ = quantiles(d.took)
	return p50, p95, d.err
}
