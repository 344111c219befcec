package table_test

import (
	"bytes"
	"context"
	"testing"

	"catena/table"
	"catena/table/columnar"
	"catena/table/load"
)

// What a source says of a column goes through the formats that have room for it.
func TestAbout(t *testing.T) {
	const about = "The share of homes that stand empty."
	b := table.NewBuilder(table.Column{Name: "v", Type: table.Int, About: about}, table.Column{Name: "w", Type: table.Int})
	if err := b.Append(table.IntValue(1), table.IntValue(2)); err != nil {
		t.Fatal(err)
	}
	made := b.Table()
	for name, write := range map[string]func(*bytes.Buffer) error{
		"x.arrow":   func(b *bytes.Buffer) error { return columnar.WriteIPC(context.Background(), b, made) },
		"x.parquet": func(b *bytes.Buffer) error { return columnar.WriteParquet(context.Background(), b, made) },
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		got, err := load.Bytes(b.Bytes(), name, table.Limits{})
		if err != nil || got.Table.Column(0).About != about || got.Table.Column(1).About != "" {
			t.Errorf("%s: %+v, error %v", name, got.Table, err)
		}
	}
}
