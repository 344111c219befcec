package runs

import (
	"catena/chat/chattest"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// since gives exactly what the log has after a number, or says that memory does not go back so far.
func TestRecent(t *testing.T) {
	l := newLive("run_1", chattest.Ann, 1)
	var log [][]byte
	write := func(texts ...string) {
		var events [][]byte
		for _, text := range texts {
			events = append(events, []byte(text))
		}
		log = append(log, events...)
		l.recent.add(events)
		l.next += uint64(len(events))
	}
	check := func(wantFrom uint64) {
		t.Helper()
		last := uint64(len(log))
		for after := range last + 3 {
			got, ok := l.since(after)
			if ok != (after >= wantFrom) {
				t.Fatalf("after %d of %d: known is %v", after, last, ok)
			}
			if ok && after < last {
				if d := cmp.Diff(log[after:], got); d != "" {
					t.Fatalf("after %d of %d: %s", after, last, d)
				}
			} else if len(got) != 0 {
				t.Fatalf("after %d of %d: %d events", after, last, len(got))
			}
		}
	}
	if _, ok := l.since(0); ok {
		t.Error("a run without events has nothing in memory")
	}
	write("one")
	check(0)
	write("two", "three")
	check(0)
	held, _ := l.since(0)
	for i := range 3 * recentEvents {
		write(fmt.Sprint("event ", i))
	}
	check(uint64(len(log) - recentEvents))
	if string(held[0]) != "one" || string(held[2]) != "three" {
		t.Errorf("what a reader holds was changed: %s", held)
	}
	write(strings.Repeat("x", recentBytes-1))
	check(uint64(len(log) - 1))
	write("y", "z")
	check(uint64(len(log) - 2))
	write(strings.Repeat("x", recentBytes+1))
	if _, ok := l.since(uint64(len(log)) - 1); ok || l.recent.bytes != 0 {
		t.Errorf("an event that is larger than the bound is kept: %d bytes", l.recent.bytes)
	}
	l.lost = true
	if _, ok := l.since(uint64(len(log))); ok {
		t.Error("a run that is another's has nothing here")
	}
	var none *liveRun
	if _, ok := none.since(0); ok {
		t.Error("a run of another process has nothing here")
	}
}
