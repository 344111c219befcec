package table

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"
)

func reading(t *testing.T, b *MemoryBudget) (lim Limits, end func()) {
	t.Helper()
	lim, end = Limits{Memory: b}.WithContext(t.Context()).Begin()
	t.Cleanup(end)
	return lim, end
}

func wantOver(t *testing.T, err error, what string) {
	t.Helper()
	var over *LimitError
	if !errors.As(err, &over) || over.What != what {
		t.Fatalf("the error is %v, not one of the limit of %s", err, what)
	}
}

// One reading may have three quarters of a budget, and gives all of it back at its end.
func TestMemoryBudgetBoundsOneReading(t *testing.T) {
	b := NewMemoryBudget(100)
	lim, end := reading(t, b)
	if err := lim.Reserve(75); err != nil {
		t.Fatal(err)
	}
	wantOver(t, lim.Reserve(1), "memory")
	wantOver(t, lim.ReserveEach(1<<40, 1<<40), "memory")
	lim.GiveBack(10)
	if err := lim.Reserve(10); err != nil {
		t.Fatal(err)
	}
	inner, endInner := lim.Begin() // a reader within it
	wantOver(t, inner.Reserve(1), "memory")
	endInner()
	if got := b.Taken(); got != 75 {
		t.Errorf("%d bytes are taken after an inner reading ended, not 75", got)
	}
	end()
	if got := b.Taken(); got != 0 {
		t.Errorf("%d bytes are taken after the end", got)
	}
	wantOver(t, lim.Reserve(1), "memory")
}

// A reading waits for what others give back.
func TestMemoryBudgetWaitsForOthers(t *testing.T) {
	b := NewMemoryBudget(100)
	first, endFirst := reading(t, b)
	second, _ := reading(t, b)
	if err := first.Reserve(60); err != nil {
		t.Fatal(err)
	}
	got := make(chan error, 1)
	go func() { got <- second.Reserve(60) }()
	endFirst()
	if err := <-got; err != nil {
		t.Errorf("what the first gave back was not given to the second: %v", err)
	}
}

// Who waits is told when it is not worth it, or that its request has ended.
func TestMemoryBudgetRefusesWhenOthersHaveIt(t *testing.T) {
	b := NewMemoryBudget(100)
	first, _ := reading(t, b)
	if err := first.Reserve(60); err != nil {
		t.Fatal(err)
	}
	second, _ := reading(t, b)
	second.memory.wait = 0
	wantOver(t, second.Reserve(60), "memory")

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	third, end := Limits{Memory: b}.WithContext(ctx).Begin()
	defer end()
	if err := third.Reserve(60); !errors.Is(err, context.Canceled) {
		t.Errorf("a reading whose request has ended got %v", err)
	}
}

func TestMemoryBudgetShared(t *testing.T) {
	b := NewMemoryBudget(1000)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 100 {
				lim, end := Limits{Memory: b}.Begin()
				if err := lim.Reserve(300); err != nil {
					t.Error(err)
				}
				lim.GiveBack(100)
				end()
			}
		})
	}
	all.Wait()
	if got := b.Taken(); got != 0 {
		t.Errorf("%d bytes are still taken", got)
	}
}

// A reading that takes too long names the limit; one whose request ends has the error of that.
func TestReadingEnds(t *testing.T) {
	_, err := ReadTables([]byte("a,b\n1,2\n"), "late.csv", Limits{Time: 1})
	wantOver(t, err, "time")
	var named *FormatError
	if !errors.As(err, &named) || named.Source != "late.csv" {
		t.Errorf("the error does not name the file: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ReadTables([]byte("a,b\n1,2\n"), "left.csv", Limits{}.WithContext(ctx)); !errors.Is(err, context.Canceled) {
		t.Errorf("a reading whose request ended got %v", err)
	}
	if _, err := ReadTables([]byte("a,b\n1,2\n"), "both.csv", Limits{Time: 1}.WithContext(ctx)); errors.As(err, &named) {
		t.Errorf("a reading whose request ended got %v", err)
	}
}

// What takes memory outside of readings and verbs has the same bounds.
// Work that saw the reading's context end at the deadline is told by Ended that it passed: both have one moment.
func TestReadingHasOneDeadline(t *testing.T) {
	lim, end := Limits{Time: time.Minute}.Begin()
	defer end()
	if got, ok := lim.Context().Deadline(); !ok || !got.Equal(lim.deadline) {
		t.Errorf("the context ends at %v, the reading at %v", got, lim.deadline)
	}
}

func TestMemoryBudgetTake(t *testing.T) {
	b := NewMemoryBudget(100)
	if b.Take(t.Context(), 76) || !b.Take(t.Context(), 75) || b.Taken() != 75 {
		t.Errorf("%d are taken", b.Taken())
	}
	if b.Give(75); b.Taken() != 0 {
		t.Errorf("%d are taken", b.Taken())
	}
}
