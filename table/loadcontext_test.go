package table

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// askedContext counts how often it is asked, and ends after some time of that.
type askedContext struct {
	context.Context
	asked atomic.Int64
	most  int64
}

func (c *askedContext) Err() error {
	if c.asked.Add(1) > c.most {
		return context.Canceled
	}
	return nil
}

// A file of any format is not read on when nobody waits for it.
func TestLoadCancelled(t *testing.T) {
	const rows = 40_000
	var text strings.Builder
	text.WriteString("id,name,n,ratio\n")
	for i := range rows {
		fmt.Fprintf(&text, "%d,\"name %d\",%d,%g\n", i, i%7, i*i, float64(i)/3)
	}
	named, err := ReadBytes([]byte(text.String()), "t.csv", Limits{})
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
		"t.xlsx":    func(b *bytes.Buffer) error { return WriteSheet(b, "s", big) },
		"t.parquet": func(b *bytes.Buffer) error { return WriteParquet(context.Background(), b, big) },
		"t.arrow":   func(b *bytes.Buffer) error { return WriteIPC(context.Background(), b, big) },
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
			whole := &askedContext{Context: context.Background(), most: 1 << 40}
			got, err := LoadFile(whole, path, Limits{})
			if err != nil || got[0].Table.NumRows() != rows {
				t.Fatal(got, err)
			}
			asked := whole.asked.Load()
			if asked < 6 {
				t.Errorf("the context was asked %d times", asked)
			}
			// Pieces that are read side by side ask a few times more or less.
			for _, most := range []int64{0, asked / 2, asked - 3 - asked/20} {
				part := &askedContext{Context: context.Background(), most: most}
				if got, err := LoadFile(part, path, Limits{}); !errors.Is(err, context.Canceled) || got != nil {
					t.Errorf("ended after %d of %d: %v, %v", most, asked, got, err)
				}
			}
		})
	}
}

// No format is written on when nobody waits for it. Of workbooks TestWideWorkbooks tells.
func TestWritersEndWithTheirContext(t *testing.T) {
	b := NewBuilder(Column{Name: "id", Type: Int}, Column{Name: "name", Type: Text})
	for i := range 200_000 {
		if err := b.Append(IntValue(int64(i)), TextValue(fmt.Sprint("name ", i))); err != nil {
			t.Fatal(err)
		}
	}
	big := b.Table()
	for name, write := range map[string]func(context.Context, io.Writer) error{
		"CSV":          big.WriteCSV,
		"harmless CSV": big.WriteHarmlessCSV,
		"Arrow":        func(ctx context.Context, w io.Writer) error { return WriteIPC(ctx, w, big) },
		"Parquet":      func(ctx context.Context, w io.Writer) error { return WriteParquet(ctx, w, big) },
	} {
		t.Run(name, func(t *testing.T) {
			whole := &askedContext{Context: context.Background(), most: 1 << 40}
			if err := write(whole, io.Discard); err != nil {
				t.Fatal(err)
			}
			asked := whole.asked.Load()
			if asked < 4 {
				t.Errorf("the context was asked %d times", asked)
			}
			for _, most := range []int64{0, asked / 2} {
				if err := write(&askedContext{Context: context.Background(), most: most}, io.Discard); !errors.Is(err, context.Canceled) {
					t.Errorf("ended after %d of %d: %v", most, asked, err)
				}
			}
		})
	}
}
