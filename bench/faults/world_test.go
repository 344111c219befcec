package main

import (
	"testing"
	"time"
)

// A store that forgets may have lost a part of what was asked for before that, and nothing of what came after it.
func TestMayForget(t *testing.T) {
	at := time.Now()
	for _, c := range []struct {
		forgets bool
		forgot  int64
		asked   time.Time
		want    bool
	}{
		{true, at.UnixNano(), at.Add(-time.Second), true},
		{true, at.UnixNano(), at.Add(time.Second), false},
		{true, 0, at.Add(-time.Second), false}, // it has not happened yet
		{false, at.UnixNano(), at.Add(-time.Second), false},
	} {
		w := &world{forgets: c.forgets}
		w.forgot.Store(c.forgot)
		if got := w.mayForget(c.asked); got != c.want {
			t.Errorf("%+v: %t", c, got)
		}
	}
}
