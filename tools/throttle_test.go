package tools

import (
	"testing"
	"time"
)

func TestThrottled(t *testing.T) {
	if throttled(nil, time.Now) != nil {
		t.Error("progress that nobody wants is reported")
	}
	at, n := time.Unix(0, 0), 0
	report := throttled(func(Progress) { n++ }, func() time.Time { return at })
	for _, tc := range []struct {
		pause time.Duration
		calls int
		want  int // that pass
	}{{0, 1000, ProgressRate}, {50 * time.Millisecond, 1, 0}, {50 * time.Millisecond, 5, 1}, {time.Second, 1000, ProgressRate}, {time.Hour, 1000, ProgressRate}} {
		at, n = at.Add(tc.pause), 0
		for range tc.calls {
			report(Progress{})
		}
		if n != tc.want {
			t.Errorf("%d of %d passed after %s, want %d", n, tc.calls, tc.pause, tc.want)
		}
	}
}
