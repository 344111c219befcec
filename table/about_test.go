package table

import (
	"bytes"
	"context"
	"testing"
)

// What a source says of a column goes through the formats that have room for it.
func TestAbout(t *testing.T) {
	const about = "The share of homes that stand empty."
	b := NewBuilder(Column{Name: "v", Type: Int, About: about}, Column{Name: "w", Type: Int})
	if err := b.Append(IntValue(1), IntValue(2)); err != nil {
		t.Fatal(err)
	}
	made := b.Table()
	for name, write := range map[string]func(*bytes.Buffer) error{
		"x.arrow":   func(b *bytes.Buffer) error { return WriteIPC(context.Background(), b, made) },
		"x.parquet": func(b *bytes.Buffer) error { return WriteParquet(context.Background(), b, made) },
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		got, err := ReadBytes(b.Bytes(), name, Limits{})
		if err != nil || got.Table.Column(0).About != about || got.Table.Column(1).About != "" {
			t.Errorf("%s: %+v, error %v", name, got.Table, err)
		}
	}
}
