package table

import (
	"errors"
	"slices"
	"testing"

	"catena/internal/parallel"
)

var errWorker = errors.New("a worker broke")

// recovered gives what f panics with.
func recovered(f func()) (value any) {
	defer func() { value = recover() }()
	f()
	return nil
}

// TestWorkerPanics checks that a panic of any worker reaches the caller, wherever it happens, and that no other worker waits for ever.
func TestWorkerPanics(t *testing.T) {
	broken := func(name string, f func()) {
		t.Helper()
		if err, ok := recovered(f).(error); !ok || !errors.Is(err, errWorker) {
			t.Errorf("%s: %v", name, err)
		}
	}
	broken("each column", func() {
		parallel.Columns(50, 10_000, func(c int) {
			if c == 30 {
				panic(errWorker)
			}
		})
	})
	for _, where := range []string{"start", "do", "join", "after"} {
		for workers := 1; workers < 5; workers++ {
			at := func(here string, piece int) bool {
				if here == where && piece == 7 {
					panic(errWorker)
				}
				return true
			}
			work := parallel.Pieces[*int]{
				Start: func() *int { at("start", 7); return new(int) },
				Do:    func(w *int, piece int) bool { *w = piece; return at("do", piece) },
				Join:  func(w *int) bool { return at("join", *w) },
				After: func(w *int) { at("after", *w) },
			}
			broken(where, func() { work.InTurn(workers, 20) })
		}
	}
}

// TestInTurn checks that pieces are joined in order up to the first one that is refused.
func TestInTurn(t *testing.T) {
	for workers := 1; workers < 5; workers++ {
		var got []int
		work := parallel.Pieces[*int]{
			Start: func() *int { return new(int) },
			Do:    func(w *int, piece int) bool { *w = piece; return piece != 15 },
			Join:  func(w *int) bool { got = append(got, *w); return *w != 17 },
		}
		joined := work.InTurn(workers, 20)
		if joined != 15 || !slices.IsSorted(got) || len(got) != 15 {
			t.Errorf("%d workers joined %d pieces: %v", workers, joined, got)
		}
	}
}
