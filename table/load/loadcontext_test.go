package load_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"catena/table"
	"catena/table/columnar"
	"catena/table/csv"
	"catena/table/load"
	"catena/table/tabletest"
	"catena/table/xlsx"
)

// A file of any format is not read on when nobody waits for it.
func TestLoadCancelled(t *testing.T) {
	const rows = 40_000
	var text strings.Builder
	text.WriteString("id,name,n,ratio\n")
	for i := range rows {
		fmt.Fprintf(&text, "%d,\"name %d\",%d,%g\n", i, i%7, i*i, float64(i)/3)
	}
	named, err := load.Bytes([]byte(text.String()), "t.csv", table.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	big := named.Table
	files := map[string][]byte{"t.csv": []byte(text.String()), "careful.csv": []byte("Title\n\n" + text.String() + "Source: x\n")}
	files["t.json"], err = big.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	for name, write := range map[string]func(*bytes.Buffer) error{
		"t.xlsx":    func(b *bytes.Buffer) error { return xlsx.Write(t.Context(), b, xlsx.Sheet{Name: "s", Table: big}) },
		"t.parquet": func(b *bytes.Buffer) error { return columnar.WriteParquet(context.Background(), b, big) },
		"t.arrow":   func(b *bytes.Buffer) error { return columnar.WriteIPC(context.Background(), b, big) },
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		files[name] = b.Bytes()
	}
	for name, data := range files {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), name)
			if err := os.WriteFile(path, data, 0o600); err != nil {
				t.Fatal(err)
			}
			whole := &tabletest.AskedContext{Context: context.Background(), Most: 1 << 40}
			got, err := load.File(whole, path, table.Limits{})
			if err != nil || got[0].Table.NumRows() != rows {
				t.Fatal(got, err)
			}
			asked := whole.Asked.Load()
			if asked < 6 {
				t.Errorf("the context was asked %d times", asked)
			}
			// Pieces that are read side by side ask a few times more or less.
			for _, most := range []int64{0, asked / 2, asked - 3 - asked/20} {
				part := &tabletest.AskedContext{Context: context.Background(), Most: most}
				if got, err := load.File(part, path, table.Limits{}); !errors.Is(err, context.Canceled) || got != nil {
					t.Errorf("ended after %d of %d: %v, %v", most, asked, got, err)
				}
			}
		})
	}
}

// No format is written on when nobody waits for it. Of workbooks TestWideWorkbooks tells.
func TestWritersEndWithTheirContext(t *testing.T) {
	b := table.NewBuilder(table.Column{Name: "id", Type: table.Int}, table.Column{Name: "name", Type: table.Text})
	for i := range 200_000 {
		if err := b.Append(table.IntValue(int64(i)), table.TextValue(fmt.Sprint("name ", i))); err != nil {
			t.Fatal(err)
		}
	}
	big := b.Table()
	for name, write := range map[string]func(context.Context, io.Writer) error{
		"CSV":          func(ctx context.Context, w io.Writer) error { return csv.Write(ctx, w, big) },
		"harmless CSV": func(ctx context.Context, w io.Writer) error { return csv.WriteHarmless(ctx, w, big) },
		"Arrow":        func(ctx context.Context, w io.Writer) error { return columnar.WriteIPC(ctx, w, big) },
		"Parquet":      func(ctx context.Context, w io.Writer) error { return columnar.WriteParquet(ctx, w, big) },
	} {
		t.Run(name, func(t *testing.T) {
			whole := &tabletest.AskedContext{Context: context.Background(), Most: 1 << 40}
			if err := write(whole, io.Discard); err != nil {
				t.Fatal(err)
			}
			asked := whole.Asked.Load()
			if asked < 4 {
				t.Errorf("the context was asked %d times", asked)
			}
			for _, most := range []int64{0, asked / 2} {
				if err := write(&tabletest.AskedContext{Context: context.Background(), Most: most}, io.Discard); !errors.Is(err, context.Canceled) {
					t.Errorf("ended after %d of %d: %v", most, asked, err)
				}
			}
		})
	}
}
