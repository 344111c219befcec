package tools_test

import (
	"bytes"
	"testing"

	"catena/table"
	"catena/tools"
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
	if err := tab.WriteIPC(&plain); err != nil {
		t.Fatal(err)
	}
	store := &shelf{rows: map[string][2][]byte{}}
	first := tools.NewTables(tools.TablesOptions{Store: store})
	h, err := first.Put(t.Context(), ann, tools.Meta{Name: "large"}, tab)
	if err != nil {
		t.Fatal(err)
	}
	first.Close()
	if n := len(store.rows[ann.ID+"/"+h][1]); n == 0 || n*4 > plain.Len() {
		t.Errorf("%d bytes are stored of %d", n, plain.Len())
	}
	second := tools.NewTables(tools.TablesOptions{Store: store})
	defer second.Close()
	back, _, err := second.Get(t.Context(), ann, h)
	if err != nil {
		t.Fatal(err)
	}
	var again bytes.Buffer
	if err := back.WriteIPC(&again); err != nil || !bytes.Equal(plain.Bytes(), again.Bytes()) {
		t.Errorf("it came back otherwise: %v", err)
	}
}
