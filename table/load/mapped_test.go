package load

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/table"
)

// saleText is a delimited text of so many rows, with what is told of in the report.
func saleText(rows int) string {
	var b strings.Builder
	b.WriteString("Sales of the year\n\nid,client,day,price,score,at\n")
	for i := range rows {
		fmt.Fprintf(&b, "%d,Client %d,2026-0%d-1%d,%d.%02d,%de-7,2026-01-02T03:04:05+02:00\n", i, i%77, i%9+1, i%9, i%1000, i%100, i+1)
	}
	b.WriteString("Source: the shop\n")
	return b.String()
}

func TestMappedFileIsReadLikeBytes(t *testing.T) {
	defer func(was int64) { mappedBytes = was }(mappedBytes)
	mappedBytes = 1 << 10
	for name, text := range map[string]string{
		"long.csv": saleText(200_000), "short.csv": saleText(40), "mixed.csv": saleText(9000) + "a,b\n1,2\n", "rows.json": `[{"a":1}]` + strings.Repeat(" ", 2000),
		"latin.csv": "name;n\n" + strings.Repeat("Z\xfcrich;1\n", 300), "cut.csv": "\xef\xbb\xbfname,n\n" + strings.Repeat("Zürich,1\n", 20_000),
	} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := File(context.Background(), path, table.Limits{})
		if err != nil {
			t.Fatal(name, err)
		}
		want, err := Tables([]byte(text), name, table.Limits{})
		if err != nil {
			t.Fatal(name, err)
		}
		if len(got) != len(want) {
			t.Fatalf("%s: %d tables, read from bytes %d", name, len(got), len(want))
		}
		for i := range got {
			if got[i].Name != want[i].Name || got[i].Table.Fingerprint() != want[i].Table.Fingerprint() {
				t.Errorf("%s: table %d is not what bytes give", name, i)
			}
			if diff := cmp.Diff(want[i].Report, got[i].Report); diff != "" {
				t.Errorf("%s: table %d: %s", name, i, diff)
			}
			if diff := cmp.Diff(want[i].Table.Columns(), got[i].Table.Columns()); diff != "" {
				t.Errorf("%s: table %d: %s", name, i, diff)
			}
		}
	}
}

func TestFileThatShrinksWhileMapped(t *testing.T) {
	defer func(was int64) { mappedBytes = was }(mappedBytes)
	mappedBytes = 1 << 10
	path := filepath.Join(t.TempDir(), "shrinks.csv")
	if err := os.WriteFile(path, []byte(saleText(20_000)), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	for _, left := range []int64{300 << 10, 0} {
		if err := os.Truncate(path, left); err != nil {
			t.Fatal(err)
		}
		if _, ok := loadMapped(f, info, table.DefaultLimits); ok {
			t.Errorf("a file that was cut to %d bytes was loaded as a whole", left)
		}
	}
}
