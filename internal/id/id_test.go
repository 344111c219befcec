package id_test

import (
	"strings"
	"testing"
	"time"

	"catena/internal/id"
)

// Ids of one moment begin alike, so that they lie together in an index, and no two are the same.
func TestNewID(t *testing.T) {
	seen := map[string]bool{}
	start := time.Now()
	for range 10_000 {
		one := id.New("run_")
		text, ok := strings.CutPrefix(one, "run_")
		if !ok || len(text) != 26 || strings.Trim(text, "abcdefghijklmnopqrstuvwxyz234567") != "" {
			t.Fatalf("%q", one)
		}
		if seen[one] {
			t.Fatalf("%q twice", one)
		}
		seen[one] = true
	}
	begins := map[string]bool{}
	for one := range seen {
		begins[one[:len("run_")+7]] = true // 35 of the 48 bits of the time: 8.2 s
	}
	if most := 2 + int(time.Since(start)/(8*time.Second)); len(begins) > most {
		t.Errorf("%d beginnings, not %d", len(begins), most)
	}
	for text, want := range map[string]bool{id.New(""): true, "": false, id.New("")[1:]: false, strings.Repeat("1", 26): false,
		id.New("")[:24] + "\n\n": false} {
		if id.Valid(text) != want {
			t.Errorf("%q", text)
		}
	}
}
