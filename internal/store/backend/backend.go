// Package backend is what the stores on SQLite and on Redis are built of alike: the leases that a store holds, what it
// tells of quotas and retention, work in the background, and the errors that the contract of store.Store names.
package backend

import (
	"crypto/rand"
	"fmt"
	"os"
	"sync"
	"time"

	"catena/internal/store"
)

// DirectRun begins the ids of runs that are a single call and have no record; '`' comes after '_'.
const (
	DirectRun    = "call_"
	DirectRunEnd = "call`"
)

// Running is the status of a run that has not ended.
const Running = "running"

// MaxSwept bounds the sessions that one sweep removes, so that it does not hold up the writes of turns for long.
const MaxSwept = 100

// CheckAppend refuses more events at once than one AppendEvents may bring.
func CheckAppend(run string, events [][]byte) error {
	if len(events) > store.MaxAppend {
		return fmt.Errorf("store: %d events of run %s at once; append at most %d", len(events), run, store.MaxAppend)
	}
	return nil
}

// NewProcess names whoever opened a store: the process's number, for what runs on the same machine, and random
// characters.
func NewProcess() string { return fmt.Sprintf("%d-%s", os.Getpid(), rand.Text()) }

// Every calls f at each tick until done is closed; a negative or zero pause is never.
func Every(pause time.Duration, done <-chan struct{}, ending *sync.WaitGroup, f func()) {
	if pause <= 0 {
		return
	}
	ending.Go(func() {
		tick := time.NewTicker(pause)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				f()
			}
		}
	})
}
