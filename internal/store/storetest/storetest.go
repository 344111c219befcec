// Package storetest is the one suite that every store must pass.
package storetest

import (
	"testing"
	"time"

	"catena/internal/store"
)

// LeaseTTL is what stores under test lease runs for: short, because a server's clock cannot be moved.
const LeaseTTL = 400 * time.Millisecond

// Options are what stores under test are opened with: nothing happens by itself.
func Options(t testing.TB, now func() time.Time) store.Options {
	return store.Options{
		Now: now, SweepEvery: -1, RenewEvery: -1, LeaseTTL: LeaseTTL, OwnerBytes: 4 << 20, BusyTimeout: 5 * time.Second,
		Report: func(err error) { t.Error("reported:", err) },
	}
}

// Backend makes the stores to test.
type Backend struct {
	// New makes an empty place and returns a function that opens it: each store that it returns stands for another process. The
	// suite closes them.
	New func(t *testing.T, opts store.Options) (open func() store.Store)
	// Alone says that a place can be opened once only.
	Alone bool
}

// at is a fixed instant with microseconds, which every store keeps.
var at = time.Date(2026, 11, 30, 12, 0, 0, 123000, time.UTC)

// Run tests the stores of a backend.
func Run(t *testing.T, b Backend) {
	tests := map[string]func(*testing.T, store.Store, *clock){
		"sessions":             sessions,
		"session owners":       sessionOwners,
		"session list":         sessionList,
		"session pages":        sessionPages,
		"session spaces":       sessionSpaces,
		"deletion is real":     deletion,
		"digests stay":         digestsStay,
		"runs":                 runs,
		"run owners":           runOwners,
		"runs go on":           runsGoOn,
		"runs are cancelled":   cancelling,
		"calls expire":         callsExpire,
		"turns are replaced":   replacedTurns,
		"gapless events":       gapless,
		"last events, the end": endedWithEvents,
		"many events":          manyEvents,
		"concurrent events":    concurrentEvents,
		"a failed write":       failedWrite,
		"journal":              journal,
		"journal of no run":    journalOfNoRun,
		"handles":              handles,
		"handles expire":       handlesExpire,
		"handles have limits":  handleLimits,
		"handles by session":   handlesBySession,
		"puts meet deletion":   putsMeetDeletion,
		"cache":                cache,
		"closed":               closed,
		"concurrent turns":     concurrentTurns,
		"values stay as put":   exactBytes,
		"leases":               leases,
		"locks":                locks,
		"running in a session": runningIn,
		"first runs":           firstRuns,
		"records":              func(t *testing.T, s store.Store, _ *clock) { Records(t, s) },
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			c := &clock{at: at}
			s := b.New(t, Options(t, c.now))()
			t.Cleanup(func() { check(t, s.Close()) })
			test(t, s, c)
		})
	}
	t.Run("logs age", func(t *testing.T) { logsAge(t, b) })
	if b.Alone {
		return
	}
	pairs := map[string]func(t *testing.T, one, other store.Store, c *clock){
		"a run is taken over":            takenOver,
		"one of many takes over":         oneTakesOver,
		"a released run":                 released,
		"a run is finished by its owner": finishedByOwner,
		"a late end":                     lateEnd,
		"one of many starts a run":       oneStarts,
		"a deleted run":                  deletedRun,
		"a late turn":                    lateTurn,
		"a run is set aside":             setAside,
		"one at a time has a lock":       oneLocks,
		"records have a limit":           recordLimit,
	}
	for name, test := range pairs {
		t.Run(name, func(t *testing.T) {
			c := &clock{at: at}
			open := b.New(t, Options(t, c.now))
			one, other := open(), open()
			t.Cleanup(func() { check(t, one.Close()); check(t, other.Close()) })
			test(t, one, other, c)
		})
	}
}
