package workspace

import (
	"context"
	"errors"
	"testing"

	"golang.org/x/sync/semaphore"

	"catena/tools/code/parse"
)

// What files are parsed with never goes beyond what there is for all of them, and whoever waits for it ends with the request.
func TestParseCost(t *testing.T) {
	for size, want := range map[int]int64{0: 0, 1 << 20: parse.MemoryPerByte << 20, parse.MaxFileSize: parseMemory} {
		if got := parseCost(size); got != want {
			t.Errorf("%d bytes cost %d, want %d", size, got, want)
		}
	}
	memory := semaphore.NewWeighted(parseMemory)
	if err := memory.Acquire(t.Context(), parseMemory); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := memory.Acquire(ctx, parseCost(1)); !errors.Is(err, context.Canceled) {
		t.Errorf("a wait for memory ends with %v", err)
	}
}
