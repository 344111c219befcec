package csv

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/table"
	"catena/table/content"
)

// carefully reads a text without the short way for plain ones.
func carefully(t testing.TB, text string, lim table.Limits) (table.Named, error) {
	t.Helper()
	c, err := openCSV([]byte(text), "text.csv", lim.WithDefaults())
	if err != nil {
		return table.Named{}, err
	}
	found, err := c.sections()
	if err != nil {
		return table.Named{}, err
	}
	return found[0].Load(lim.WithDefaults())
}

// sameNamed compares tables with their reports.
func sameNamed(t testing.TB, want, got table.Named) {
	t.Helper()
	if diff := cmp.Diff(want.Report, got.Report); diff != "" {
		t.Fatal(diff)
	}
	if diff := cmp.Diff(want.Table.Columns(), got.Table.Columns()); diff != "" {
		t.Fatal(diff)
	}
	if want.Table.NumRows() != got.Table.NumRows() {
		t.Fatalf("%d rows instead of %d", got.Table.NumRows(), want.Table.NumRows())
	}
	for r := range want.Table.NumRows() {
		for c := range want.Table.NumCols() {
			if a, b := want.Table.Value(r, c), got.Table.Value(r, c); a != b {
				t.Fatalf("row %d, column %d is %v instead of %v", r+1, c+1, b, a)
			}
		}
	}
}

// plainText is a large text, with the lines that edit gives for some places.
func plainText(r *rand.Rand, edit map[int]string) string {
	var b strings.Builder
	ends := []string{"\n", "\r\n"}[r.IntN(2)]
	rows := 6000 + r.IntN(3000)
	b.WriteString("id,amount,day,text,quoted,odd," + []string{"gone", ""}[r.IntN(2)] + ends)
	for i := range rows {
		if line, ok := edit[i*100/rows]; ok {
			delete(edit, i*100/rows)
			b.WriteString(line + ends)
			continue
		}
		fmt.Fprintf(&b, "%d,%d.%d,2024-%02d-%02d,text %d,\"a, \"\"%d\"\"%s\",%s,%s", i, r.IntN(100), r.IntN(1000), 1+r.IntN(12), 1+r.IntN(28), r.IntN(50), r.IntN(9),
			[]string{"", "\n", " é"}[r.IntN(3)], []string{"1", "", "NA", "x"}[min(r.IntN(4), i/2000)], ends)
	}
	return b.String()
}

// TestPlainAgrees checks that a large text is read alike in the short way and the careful one, plain or not, by any number of workers.
func TestPlainAgrees(t *testing.T) {
	edits := []string{
		"1,2,3,4,5,6", "1,2,3,4,5,6,7,8", "", "a,b", "# note", ",,,,,,", "id,amount,day,text,quoted,odd,gone", "---,---,---,---,---,---,---", "1,2, 3,4,5,6,7", `1,2,3,4,a "b,6,7`, `1,2,3,4,"a"b,6,7`,
		`1,2,3,4,"never closed,6,7`, `1,2,3,4,="5",6,7`, "1,2,3,4,\u00a05,6,7", "1,2,3,4,5\u200b,6,7", ",2,3,4,5,6,7", "total,1,,,,,", "1,2,3,é,ñ,6,7", "1,1e5,3,4,5,6,7", "9999999999999999999,2,3,4,5,6,7",
		"007,2,3,4,5,6,7", "1,2,2024-02-30,4,5,6,7", "1,2,3,4,5,6,last", "Source: nobody", "1,2,3,4,5,6,\x007", "1,2,3,4,\"\",6,7",
	}
	workers := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(workers)
	r := rand.New(rand.NewPCG(5, 6))
	short := 0
	for i := range 2 * len(edits) {
		edit := map[int]string{}
		if i >= len(edits)/3 {
			edit[[]int{r.IntN(100), 0, 99, 98}[i%4]] = edits[i%len(edits)]
		}
		text := plainText(r, edit)
		runtime.GOMAXPROCS(1 + i%5)
		want, err := carefully(t, text, table.Limits{})
		got, gotErr := Read(strings.NewReader(text), "text.csv", table.Limits{})
		if err != nil || gotErr != nil {
			t.Fatal(err, gotErr)
		}
		sameNamed(t, want, got)
		if c, err := openCSV([]byte(text), "text.csv", table.DefaultLimits); err == nil {
			if _, ok := c.readPlain(); ok {
				short++
			}
		}
	}
	if short < len(edits)*2/3 {
		t.Errorf("only %d texts were read in the short way", short)
	}
}

// TestPlainLimits checks that limits hold for plain texts, with the same error.
func TestPlainLimits(t *testing.T) {
	text := plainText(rand.New(rand.NewPCG(7, 8)), map[int]string{50: "1,2,3," + strings.Repeat("x", 500) + ",5,6,7"})
	for _, lim := range []table.Limits{{Rows: 5000}, {CellSize: 400}, {Columns: 6}, {Bytes: 1000}} {
		_, want := carefully(t, text, lim)
		_, err := Read(strings.NewReader(text), "text.csv", lim)
		if err == nil || lim.Bytes == 0 && err.Error() != want.Error() {
			t.Errorf("%+v: %v instead of %v", lim, err, want)
		}
	}
}

func TestCutPoints(t *testing.T) {
	text := "a,\"b\nc\"\nd,e\r\n\"x\"\"\n\",y\nz,z\n"
	starts := []int{0, 8, 13, 22, 26}
	for size := 1; size < len(text)+2; size++ {
		for _, cut := range content.Scan([]byte(text)).CutPoints(text, 0, len(text), size) {
			if !slices.Contains(starts, cut) {
				t.Errorf("by %d: cut at %d, in %q", size, cut, text[cut:])
			}
		}
	}
}
