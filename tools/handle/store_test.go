package handle_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"catena/table"
	"catena/table/columnar"
	"catena/tools/handle"
)

// A large table is stored packed, and comes back as it was.
func TestLargeTablesArePacked(t *testing.T) {
	b := table.NewBuilder(table.Column{Name: "region", Type: table.Text}, table.Column{Name: "n", Type: table.Int})
	for i := range 20_000 {
		if err := b.Append(table.TextValue([]string{"North", "South"}[i%2]), table.IntValue(int64(i%100))); err != nil {
			t.Fatal(err)
		}
	}
	tab := b.Table()
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
