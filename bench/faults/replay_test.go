package main

import "testing"

// TestReplay is a short run of what -replay does. Enough is written for SQLite to move its write-ahead log into the database.
func TestReplay(t *testing.T) {
	f := figures{}
	if err := replay(t.Context(), t.TempDir(), 40, 1, f); err != nil {
		t.Fatal(err)
	}
	if err := f.check(); err != nil {
		t.Error(err)
	}
	if f["replay_checkpoints"].(int) == 0 {
		t.Error("no checkpoint was recorded while messages came, so none was cut")
	}
}
