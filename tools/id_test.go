package tools_test

import (
	"strings"
	"testing"
	"time"

	"catena/tools"
)

// Ids of one moment begin alike, so that they lie together in an index, and no two are the same.
func TestNewID(t *testing.T) {
	seen := map[string]bool{}
	start := time.Now()
	for range 10_000 {
		id := tools.NewID("run_")
		text, ok := strings.CutPrefix(id, "run_")
		if !ok || len(text) != 26 || strings.Trim(text, "abcdefghijklmnopqrstuvwxyz234567") != "" {
			t.Fatalf("%q", id)
		}
		if seen[id] {
			t.Fatalf("%q twice", id)
		}
		seen[id] = true
	}
	begins := map[string]bool{}
	for id := range seen {
		begins[id[:len("run_")+7]] = true // 35 of the 48 bits of the time: 8.2 s
	}
	if most := 2 + int(time.Since(start)/(8*time.Second)); len(begins) > most {
		t.Errorf("%d beginnings, not %d", len(begins), most)
	}
	if !tools.IsHandle(tools.NewID(tools.HandlePrefix)) {
		t.Error("no handle is made of it")
	}
}
