package csv

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/table"
	"catena/table/infer"
)

// someCells are what random columns are made of, by family.
var someCells = map[string][]string{
	"number": {"0", "-0", "7", "+7", "12", "-345", "1.5", "1.50", "-0.25", ".5", "123456789012345678", "1234567890123456789", "99999999999999999999", "0.000000000000000001",
		"0.0000000000000000001", "12345678901234567.8", "999999999999999999.9"},
	"code":     {"007", "00", "01.5", "0"},
	"exponent": {"1e3", "1.5E-9", "-2e+10", "1e400", "1e-400"},
	"dressed":  {"$1,234.50", "12%", "(5)", "1.234,5", "1,234", "5 EUR", "-$3", "−4", "1'000"},
	"bool":     {"true", "false", "TRUE", "False", "yes", "no"},
	"day":      {"2024-01-02", "2024-02-29", "2023-02-29", "0000-01-01", "2024-1-2", "2024-13-01", "2024-12-31", "01/02/2024", "13/02/2024", "1999-00", "Jan 2024", "2 Jan 2024", "2024/01/02"},
	"moment": {"2024-01-02 10:11:12", "2024-01-02T10:11", "2024-01-02T10:11:12.5", "2024-01-02T10:11:12.123456", "2024-01-02T10:11:12.1234567", "2024-01-02T24:00:00", "2024-01-02T10:11:12,5",
		"2024-01-02  10:11:12", "2024-01-02T10:11:12+02:00"},
	"instant": {"2024-01-02T10:11:12Z", "2024-01-02 10:11:12.25Z", "2024-01-02T10:11Z", "2024-01-02T10:11:12z", "2024-01-02T10:11:12 UTC"},
	"clock":   {"10:11:12", "9:00", "23:59:59.5", "10:11:12 PM"},
	"null":    {"", " ", "\u00a0", "NA", "null", "-", "?", "n/a"},
	"text":    {"North", "client 42", " padded", "May", "12 apples", "1h 30m", "a-1", "T", "Z", "x:y:z", "10:11:12:13", "1.2.3", "--", "Monday", "3rd", "PT5M", "[1,2]", "1;2", "été 5", "4x4", "USD"},
}

// randomColumn mixes cells of one or a few families.
func randomColumn(r *rand.Rand) []string {
	families := []string{"number", "code", "exponent", "dressed", "bool", "day", "moment", "instant", "clock", "null", "text"}
	var pool []string
	for range 1 + r.IntN(3) {
		family := someCells[families[r.IntN(len(families))]]
		if r.IntN(2) == 0 { // few of them
			family = family[r.IntN(len(family)):]
			family = family[:1+r.IntN(len(family))]
		}
		pool = append(pool, family...)
	}
	cells := make([]string, 1+r.IntN(40))
	for i := range cells {
		cells[i] = pool[r.IntN(len(pool))]
	}
	return cells
}

func shownColumn(got infer.Result) string {
	return fmt.Sprintf("%s/%d/%s/%s %v %q", got.Column.Type, got.Column.Scale, got.Column.Zone, got.Column.Unit, got.Array, got.Notes)
}

// TestKindsAgree checks the promise of Kind: a column read by its kind is what infer makes of all its texts.
func TestKindsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	byKind := 0
	for range 10_000 {
		cells := randomColumn(r)
		g := &grid{Cells: cells}
		for i := range cells {
			g.Rows = append(g.Rows, csvRow{from: i, to: i + 1})
		}
		want := (&infer.Texts{Name: "c", Cells: slices.Clone(cells)}).Infer()
		got := g.inferColumns([]table.Column{{Name: "c"}}, g.Rows, table.Limits{})[0]
		if diff := cmp.Diff(shownColumn(want), shownColumn(got)); diff != "" {
			t.Fatalf("of %q by kind %d: %s", cells, g.kind(0, g.Rows), diff)
		}
		if g.kind(0, g.Rows) != infer.RawCells {
			byKind++
		}
	}
	if byKind < 2_000 {
		t.Errorf("only %d columns were read by a kind", byKind)
	}
}

// TestKindChanges checks columns whose cells change below what the guess looks at.
func TestKindChanges(t *testing.T) {
	for _, tail := range []string{"1.25", "x", "1e3", "007", "NA", "99999999999999999999", ""} {
		cells := append(slices.Repeat([]string{"12"}, 3000), tail, "3")
		text := "a,b\n" + strings.Join(cells, ",k\n") + ",k\n"
		named, err := Read(strings.NewReader(text), "t.csv", table.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		got := named.Table
		want := (&infer.Texts{Name: "a", Cells: cells}).Infer()
		if diff := cmp.Diff(want.Column, got.Column(0)); diff != "" {
			t.Errorf("with %q: %s", tail, diff)
		}
		if v := got.Value(3000, 0).Text(); want.Column.Type == table.Text && v != tail {
			t.Errorf("with %q: read as %q", tail, v)
		}
	}
}
