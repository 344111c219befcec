package columnar_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"catena/table"
	"catena/table/columnar"
	"catena/table/load"
	"catena/table/tabletest"
)

// TestLargeDictionary reads texts that refer to a dictionary and take more than the library may write out by itself: the table is the same.
func TestLargeDictionary(t *testing.T) {
	const rows = 1 << 16
	words := make([]table.Value, rows)
	for i := range words {
		switch i % 4 {
		case 0:
			words[i] = table.NullValue
		case 1:
			words[i] = table.TextValue(strings.Repeat("long ", 300))
		default:
			words[i] = table.TextValue(fmt.Sprint("w", i%100))
		}
	}
	for name, typ := range map[string]table.Type{"text": table.Text, "json": table.JSON} {
		cells := words
		if typ == table.JSON {
			cells = make([]table.Value, rows)
			for i, w := range words {
				if cells[i] = w; !w.IsNull() {
					cells[i] = table.JsonValue(`"` + w.String() + `"`)
				}
			}
		}
		want, err := (*table.Table)(nil).WithColumn(table.Column{Name: "a", Type: typ}, cells)
		if err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		if err := columnar.WriteParquet(t.Context(), &file, want); err != nil {
			t.Fatal(err)
		}
		got, err := load.Bytes(file.Bytes(), "a.parquet", table.Limits{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got.Table.Fingerprint() != want.Fingerprint() {
			t.Errorf("%s: another table came back: %v", name, got.Table.Columns())
		}
	}
}

// TestDictionaryRefusedEarly reads one long text that many rows refer to: it is refused before it is written out.
func TestDictionaryRefusedEarly(t *testing.T) {
	for _, f := range tabletest.Parquet() {
		if f.Name != "dictionary.parquet" {
			continue
		}
		var err error
		took := tabletest.Allocated(func() { _, err = load.Bytes(f.Data, f.Name, table.Limits{}) })
		var over *table.LimitError
		if !errors.As(err, &over) || over.What != table.LimitMemory || took > 32<<20 {
			t.Errorf("%v after %d MiB", err, took>>20)
		}
		return
	}
	t.Error("there is no such file")
}
