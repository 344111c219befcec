package handle_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"catena/table"
	"catena/table/columnar"
	"catena/tools/handle"
)

// largeTable is one that is stored packed.
func largeTable(t *testing.T) *table.Table {
	t.Helper()
	b := table.NewBuilder(table.Column{Name: "region", Type: table.Text}, table.Column{Name: "n", Type: table.Int})
	for i := range 20_000 {
		if err := b.Append(table.TextValue([]string{"North", "South"}[i%2]), table.IntValue(int64(i%100))); err != nil {
			t.Fatal(err)
		}
	}
	return b.Table()
}

// slowShelf keeps whoever stores much waiting.
type slowShelf struct {
	shelf
	begun, proceed chan struct{}
}

func (s *slowShelf) PutHandle(
	ctx context.Context, owner, handle, session, run string, meta, content []byte, expires time.Time,
) error {
	if len(content) > 4<<10 {
		close(s.begun)
		<-s.proceed
	}
	return s.shelf.PutHandle(ctx, owner, handle, session, run, meta, content, expires)
}

// A run does not wait for the large tables of others, and waits for its own of every size.
func TestRunsDoNotWaitForLargeTables(t *testing.T) {
	store := &slowShelf{begun: make(chan struct{}), proceed: make(chan struct{})}
	store.rows = map[string][2][]byte{}
	tables := handle.New(handle.Options{Store: store})
	defer tables.Close()
	put := func(run string, tab *table.Table) string {
		t.Helper()
		h, err := tables.Put(t.Context(), ann, handle.Meta{Name: "made", Run: run}, tab)
		if err != nil {
			t.Fatal(err)
		}
		return ann.ID + "/" + h
	}
	large := put("run_a", largeTable(t))
	<-store.begun
	small, other := put("run_b", people(t, 4)), put("run_a", people(t, 4))
	if err := tables.RunStored(t.Context(), "run_b"); err != nil || !store.has(small) {
		t.Fatalf("the small table is not stored: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, wait := range map[string]func(ctx context.Context) error{
		"run": func(ctx context.Context) error { return tables.RunStored(ctx, "run_a") }, "all": tables.Flush,
	} {
		if err := wait(ended); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: while a table is not stored: %v", name, err)
		}
	}
	close(store.proceed)
	if err := tables.RunStored(t.Context(), "run_a"); err != nil || !store.has(large) || !store.has(other) {
		t.Errorf("not all tables of the run are stored: %v", err)
	}
	if err := tables.RunStored(t.Context(), "run_c"); err != nil {
		t.Errorf("a run without tables: %v", err)
	}
}

// A large table is stored packed, and comes back as it was.
func TestLargeTablesArePacked(t *testing.T) {
	tab := largeTable(t)
	var plain bytes.Buffer
	if err := columnar.WriteIPC(t.Context(), &plain, tab); err != nil {
		t.Fatal(err)
	}
	store := &shelf{rows: map[string][2][]byte{}}
	first := handle.New(handle.Options{Store: store})
	h, err := first.Put(t.Context(), ann, handle.Meta{Name: "large"}, tab)
	if err != nil {
		t.Fatal(err)
	}
	first.Close()
	if n := len(store.rows[ann.ID+"/"+h][1]); n == 0 || n*4 > plain.Len() {
		t.Errorf("%d bytes are stored of %d", n, plain.Len())
	}
	second := handle.New(handle.Options{Store: store})
	defer second.Close()
	back, _, err := second.Get(t.Context(), ann, h)
	if err != nil {
		t.Fatal(err)
	}
	var again bytes.Buffer
	if err := columnar.WriteIPC(t.Context(), &again, back); err != nil || !bytes.Equal(plain.Bytes(), again.Bytes()) {
		t.Errorf("it came back otherwise: %v", err)
	}
}

// A table is read again whatever its shape: the limits of cells and columns are for what others send.
func TestStoredTablesAreReadAgain(t *testing.T) {
	long := table.NewBuilder(table.Column{Name: "text", Type: table.Text})
	if err := long.Append(table.TextValue(strings.Repeat("long ", 700_000))); err != nil {
		t.Fatal(err)
	}
	var cols []table.Column
	var row []table.Value
	for i := range table.DefaultLimits.Columns + 1 {
		cols, row = append(cols, table.Column{Name: fmt.Sprint("c", i), Type: table.Int}), append(row, table.IntValue(int64(i)))
	}
	wide := table.NewBuilder(cols...)
	if err := wide.Append(row...); err != nil {
		t.Fatal(err)
	}
	store := &shelf{rows: map[string][2][]byte{}}
	for name, tab := range map[string]*table.Table{"long": long.Table(), "wide": wide.Table()} {
		first := handle.New(handle.Options{Store: store})
		h, err := first.Put(t.Context(), ann, handle.Meta{Name: name}, tab)
		if err != nil {
			t.Fatal(err)
		}
		first.Close()
		second := handle.New(handle.Options{Store: store})
		back, _, err := second.Get(t.Context(), ann, h)
		if err != nil || back.NumCols() != tab.NumCols() || back.Value(0, tab.NumCols()-1) != tab.Value(0, tab.NumCols()-1) {
			t.Errorf("%s did not come back: %v", name, err)
		}
		second.Close()
	}
}
