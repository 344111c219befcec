// Package storetest is the one suite that every store must pass.
package storetest

import (
	"context"
	"testing"
	"time"
)

// Store is what a store offers, the sum of what its consumers declare. Get and Put are the cache's.
type Store interface {
	CreateSession(ctx context.Context, owner, id, title string, at time.Time) error
	AppendTurn(ctx context.Context, owner, session, run string, data []byte, at time.Time) error
	Turns(ctx context.Context, owner, session string, n int) ([][]byte, error)
	SetTitle(ctx context.Context, owner, session, title string) error
	DeleteSession(ctx context.Context, owner, session string) error
	ListSessions(ctx context.Context, owner string, limit int) ([]map[string]any, error)

	StartRun(ctx context.Context, owner, run, session string, request []byte, at time.Time) error
	AppendEvents(ctx context.Context, run string, first uint64, events [][]byte) error
	Events(ctx context.Context, owner, run string, after uint64, limit int) (seqs []uint64, events [][]byte, err error)
	FinishRun(ctx context.Context, run, status string, response []byte, at time.Time) error
	Run(ctx context.Context, owner, run string) (session, status string, request, response []byte, err error)
	OpenRuns(ctx context.Context) (runs []string, err error)
	LastEvent(ctx context.Context, run string) (seq uint64, data []byte, err error)

	Begin(ctx context.Context, run, step, tool, argsHash string, readOnly bool) error
	End(ctx context.Context, run, step, status string, took time.Duration, result []byte) error
	Calls(ctx context.Context, run string, each func(step, tool, argsHash, status string, attempts int, result []byte) error) error
	Unfinished(ctx context.Context, run string) ([]string, error)

	PutHandle(ctx context.Context, owner, handle, session, run string, meta, content []byte, expires time.Time) error
	GetHandle(ctx context.Context, owner, handle string) (meta, content []byte, err error)
	ListHandles(ctx context.Context, owner, session string, limit int) (handles []string, metas [][]byte, err error)
	DeleteHandle(ctx context.Context, owner, handle string) error

	Get(ctx context.Context, key string) (value []byte, ok bool, err error)
	Put(ctx context.Context, key string, value []byte, ttl time.Duration) error
	Sweep(ctx context.Context) (removed int, err error)
	Close() error
}

// at is a fixed instant with microseconds, which every store keeps.
var at = time.Date(2026, 11, 30, 12, 0, 0, 123000, time.UTC)

// Run tests the stores that open returns; each call must give an empty one that reads the clock from now. The suite closes
// them.
func Run(t *testing.T, open func(t *testing.T, now func() time.Time) Store) {
	tests := map[string]func(*testing.T, Store, *clock){
		"sessions":           sessions,
		"session owners":     sessionOwners,
		"session list":       sessionList,
		"deletion is real":   deletion,
		"runs":               runs,
		"run owners":         runOwners,
		"gapless events":     gapless,
		"concurrent events":  concurrentEvents,
		"a failed write":     failedWrite,
		"journal":            journal,
		"handles":            handles,
		"handles expire":     handlesExpire,
		"cache":              cache,
		"closed":             closed,
		"concurrent turns":   concurrentTurns,
		"values stay as put": exactBytes,
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			c := &clock{at: at}
			s := open(t, c.now)
			t.Cleanup(func() { check(t, s.Close()) })
			test(t, s, c)
		})
	}
}
