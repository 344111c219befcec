package plantest

import (
	"runtime"
	"testing"
	"time"
)

// Bounded runs f on text and fails when it allocates more than 64 MiB or takes far too long for a text of that length.
func Bounded(t testing.TB, text string, f func(string)) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	began := time.Now()
	f(text)
	took := time.Since(began)
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > raceFactor*64<<20 { // garbage included
		t.Errorf("%d bytes were allocated for a text of %d: %.80q", used, len(text), text)
	}
	if took > 30*time.Second {
		t.Errorf("a text of %d bytes took %s: %.40q", len(text), took, text)
	}
}
