package table

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"catena/table/tabletest"
)

// TestLargeDictionary reads texts that refer to a dictionary and take more than the library may write out by itself: the table is the same.
func TestLargeDictionary(t *testing.T) {
	const rows = 1 << 16
	words := make([]Value, rows)
	for i := range words {
		switch i % 4 {
		case 0:
			words[i] = NullValue
		case 1:
			words[i] = TextValue(strings.Repeat("long ", 300))
		default:
			words[i] = TextValue(fmt.Sprint("w", i%100))
		}
	}
	for name, typ := range map[string]Type{"text": Text, "json": JSON} {
		cells := words
		if typ == JSON {
			cells = make([]Value, rows)
			for i, w := range words {
				if cells[i] = w; !w.IsNull() {
					cells[i] = jsonValue(`"` + w.String() + `"`)
				}
			}
		}
		want, err := (*Table)(nil).WithColumn(Column{Name: "a", Type: typ}, cells)
		if err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		if err := want.WriteParquet(&file); err != nil {
			t.Fatal(err)
		}
		got, err := ReadBytes(file.Bytes(), "a.parquet", Limits{})
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
		took := allocated(func() { _, err = ReadBytes(f.Data, f.Name, Limits{}) })
		var over *LimitError
		if !errors.As(err, &over) || over.What != limitMemory || took > 32<<20 {
			t.Errorf("%v after %d MiB", err, took>>20)
		}
		return
	}
	t.Error("there is no such file")
}
