package data

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"catena/internal/access"
	"catena/internal/lane"
	"catena/table"
	"catena/tools"
	"catena/tools/handle"
)

// packed is a CSV of so many bytes, packed by gzip.
func packed(t *testing.T, size int) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte("a,b\n" + strings.Repeat("1,2\n", size/4))); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// An upload that unpacks to much is refused as too large, not as damaged.
func TestUploadThatUnpacksToMuch(t *testing.T) {
	s := NewSources(handle.New(handle.Options{}), table.Limits{})
	_, err := s.Attach(t.Context(), access.Caller{ID: "ann"}, tools.Upload{Session: "s1", Name: "bomb.csv.gz", Data: packed(t, 16<<20)})
	var over *table.LimitError
	if !errors.As(err, &over) {
		t.Fatalf("%v", err)
	}
	if res, broke := tools.FailedBy(err); broke != nil || res.Code != tools.CodeTooLarge {
		t.Errorf("%s %v", res.Code, broke)
	}
}

// Uploads that may be large are read one after another; short texts do not wait for them, and who hangs up does not either.
func TestUploadsThatWait(t *testing.T) {
	kept := handle.New(handle.Options{})
	sources := NewSources(kept, table.Limits{})
	sources.Heavy = lane.New(1)
	s := New(Options{Sources: sources, Tables: kept})
	leave, _ := sources.Heavy.Enter(t.Context(), "bob") // one is read
	ann := access.Caller{ID: "ann"}
	if _, err := s.Attach(t.Context(), ann, tools.Upload{Session: "s1", Name: "short.csv", Data: []byte("a,b\n1,2\n")}); err != nil {
		t.Error(err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Attach(gone, ann, tools.Upload{Session: "s1", Name: "long.csv.gz", Data: packed(t, 1<<10)}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	leave()
	if _, err := s.Attach(t.Context(), ann, tools.Upload{Session: "s1", Name: "long.csv.gz", Data: packed(t, 1<<10)}); err != nil {
		t.Error(err)
	}
}

// The uploads of a session have a bound of columns together, as each message looks at all of them. What is there already, and
// what takes another's place, counts once.
func TestUploadsOfManyColumns(t *testing.T) {
	s := NewSources(handle.New(handle.Options{}), table.DefaultLimits)
	wide := func(first int) []byte {
		cells := strings.Repeat(",1", uploadColumns/2-1) + "\n"
		return fmt.Appendf(nil, "%d%s%[1]d%[2]s", first, cells)
	}
	ann := access.Caller{ID: "ann"}
	for i, step := range []struct {
		session, name string
		conflict      tools.OnConflict
		data          []byte
		fits          bool
	}{
		{"s1", "a.csv", "", wide(1), true},
		{"s1", "b.csv", "", wide(2), true},
		{"s1", "c.csv", "", wide(3), false},
		{"s1", "d.csv", "", []byte("a,b\n1,2\n"), false},
		{"s1", "e.csv", "", wide(1), true}, // is there already
		{"s1", "b.csv", tools.Replace, wide(4), true},
		{"s1", "b.csv", tools.KeepBoth, wide(5), false},
		{"s2", "c.csv", "", wide(3), true},
	} {
		_, err := s.Attach(t.Context(), ann, tools.Upload{Session: step.session, Name: step.name, Data: step.data, OnConflict: step.conflict})
		var over *table.LimitError
		if step.fits && err != nil || !step.fits && (!errors.As(err, &over) || over.What != table.LimitColumns) {
			t.Errorf("step %d: %v", i+1, err)
		}
	}
}
