package store

import (
	"context"
	"testing"
)

// A write-ahead log is moved into the database once it is as long as the options say.
func TestLogBytes(t *testing.T) {
	if got := (Options{}).withDefaults().LogBytes; got != 16<<20 {
		t.Errorf("%d bytes without one", got)
	}
	s, err := Open(t.Context(), t.TempDir()+"/s.db", Options{LogBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for pragma, want := range map[string]int64{"wal_autocheckpoint": 256, "journal_size_limit": 1 << 20} {
		var got int64
		err := s.write(t.Context(), func(ctx context.Context, q *statements) error { return q.row(ctx, "PRAGMA "+pragma).Scan(&got) })
		if err != nil || got != want {
			t.Errorf("%s is %d, not %d: %v", pragma, got, want, err)
		}
	}
}
