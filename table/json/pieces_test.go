package json

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/table"
	"catena/table/tabletest"
)

// samePieces checks that a text gives the same table, report or error whether it is read in pieces or not.
func samePieces(t *testing.T, text string, lim table.Limits, piece int) {
	t.Helper()
	lim = lim.WithDefaults()
	want, wantErr := table.FirstNamed(jsonInPieces([]byte(text), "x.json", lim, 0, false))
	got, err := table.FirstNamed(jsonInPieces([]byte(text), "x.json", lim, piece, false))
	if (err == nil) != (wantErr == nil) || err != nil && err.Error() != wantErr.Error() {
		t.Fatalf("in pieces of %d: %v; row by row: %v", piece, err, wantErr)
	}
	if err != nil {
		var format *table.FormatError
		if !errors.As(err, &format) {
			t.Fatalf("not a FormatError: %v", err)
		}
		return
	}
	if diff := cmp.Diff(want.Report, got.Report); diff != "" {
		t.Fatalf("in pieces of %d, the report differs: %s", piece, diff)
	}
	if diff := cmp.Diff(want.Table.Columns(), got.Table.Columns()); diff != "" {
		t.Fatalf("in pieces of %d, the columns differ: %s", piece, diff)
	}
	if diff := cmp.Diff(tabletest.Rows(want.Table), tabletest.Rows(got.Table)); diff != "" {
		t.Fatalf("in pieces of %d, the cells differ: %s", piece, diff)
	}
}

// oddRecords are lists whose rows from the given one on differ from those before.
var oddRecords = map[string]func(r *rand.Rand, row int) string{
	"alike": func(r *rand.Rand, row int) string {
		return fmt.Sprintf(`{"id":%d,"name":"n%d","at":"2024-01-%02d","ok":%t,"x":%g}`, row, r.IntN(50), 1+r.IntN(28), r.IntN(2) == 0, r.NormFloat64())
	},
	"nested": func(r *rand.Rand, row int) string {
		return fmt.Sprintf(`{"id":%d,"in":{"a":1,"b":{"c":[%d]}}}`, row, row)
	},
	"same within": func(r *rand.Rand, row int) string {
		return fmt.Sprintf(`{"id":%d,"list":[{"id":1},{"id":2},{"id":3}]}`, row)
	},
	"names of nothing and with dots": func(_ *rand.Rand, row int) string {
		return fmt.Sprintf(`{"id":%d%s,"":{"a":%d}}`, row, map[bool]string{true: fmt.Sprintf(`,".a":%d`, row)}[row < 50], -row)
	},
	"names in text": func(r *rand.Rand, row int) string { return fmt.Sprintf(`{"id":"},{\"id\":%d"}`, row) },
	"new member": func(r *rand.Rand, row int) string {
		return fmt.Sprintf(`{"id":%d%s}`, row, map[bool]string{row > 150: `,"new":1`}[true])
	},
	"rare member": func(r *rand.Rand, row int) string {
		return fmt.Sprintf(`{"id":%d%s}`, row, map[bool]string{row%97 == 96: `,"rare":"x"`}[true])
	},
	"late value": func(r *rand.Rand, row int) string {
		return fmt.Sprintf(`{"id":%d,"late":%s}`, row, map[bool]string{false: "null", true: "1.5"}[row > 200])
	},
	"another kind": func(r *rand.Rand, row int) string {
		return fmt.Sprintf(`{"id":%s,"b":%d}`, map[bool]string{false: "1", true: `"one"`}[row%60 == 59], row)
	},
	"mixed always": func(r *rand.Rand, row int) string {
		return fmt.Sprintf(`{"a":%s}`, []string{"1", `"x"`, "true", "[1]"}[r.IntN(4)])
	},
	"wider numbers": func(r *rand.Rand, row int) string {
		return fmt.Sprintf(`{"n":%d.%0*d}`, row, 1+row/50, 1)
	},
	"twice": func(r *rand.Rand, row int) string {
		return fmt.Sprintf(`{"id":%d,"b":"x"%s}`, row, map[bool]string{row == 222: `,"id":5`}[true])
	},
	"other order": func(r *rand.Rand, row int) string {
		return []string{`{"a":1,"b":"x"}`, `{"b":"y","a":2}`}[r.IntN(2)]
	},
	"lists":   func(r *rand.Rand, row int) string { return fmt.Sprintf(`[%d,"x",[1],null]`, row) },
	"longer":  func(r *rand.Rand, row int) string { return fmt.Sprintf(`[%d%s]`, row, strings.Repeat(",1", row/100)) },
	"scalars": func(r *rand.Rand, row int) string { return fmt.Sprint(row) },
	"empty":   func(r *rand.Rand, row int) string { return `{}` },
	"mistaken": func(r *rand.Rand, row int) string {
		return fmt.Sprintf(`{"id":%s}`, map[bool]string{false: "1", true: "1e"}[row == 250])
	},
	"broken": func(r *rand.Rand, row int) string {
		return fmt.Sprintf(`{"id":%d%s`, row, map[bool]string{false: "}", true: ""}[row == 290])
	},
	"escapes": func(r *rand.Rand, row int) string { return fmt.Sprintf(`{"\u0069d":%d,"b\"":"\n"}`, row) },
}

// What several workers read is what one reads, whatever comes.
func TestPiecesAreSame(t *testing.T) {
	tabletest.TwoWorkers(t)
	for name, record := range oddRecords {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			records := make([]string, 400)
			for row := range records {
				records[row] = record(r, row)
			}
			for _, text := range []string{
				"[" + strings.Join(records, ",") + "]",
				"[\n  " + strings.Join(records, ",\n  ") + "\n]\n",
				strings.Join(records, "\n"),
				`{"total":3,"rows":[` + strings.Join(records, ", ") + `]}`,
				"[" + strings.Join(records, ",") + ",]",
				"[" + strings.Join(records, ",") + "] x",
			} {
				for _, piece := range []int{100, 700, 3000} {
					samePieces(t, text, table.Limits{}, piece)
					samePieces(t, text, table.Limits{Rows: 333}, piece)
				}
			}
		})
	}
}

// A wire form, whose columns are declared, may be read in pieces, too.
func TestPiecesOfWire(t *testing.T) {
	tabletest.TwoWorkers(t)
	rows := make([]string, 300)
	for i := range rows {
		rows[i] = fmt.Sprintf(`["%d.25",%d,"2024-01-02"]`, i, i)
	}
	samePieces(t, `{"columns":[{"name":"a","type":"decimal"},{"name":"a","type":"integer"},{"name":"d","type":"date"}],"rows":[`+strings.Join(rows, ",")+`]}`, table.Limits{}, 400)
}

func FuzzPieces(f *testing.F) {
	f.Add(`{"a":1,"b":"x"}`, `{"a":2,"b":null}`, `{"a":3,"b":"y"}`, ",", uint8(9))
	f.Add(`{"a":1}`, `{"a":2,"a":3}`, `{"b":{"a":"2"}}`, "\n", uint8(1))
	f.Add(`[1]`, `[[1],[2]]`, `["x"]`, " , ", uint8(50))
	f.Fuzz(func(t *testing.T, often, sometimes, rarely, sep string, piece uint8) {
		tabletest.TwoWorkers(t)
		var b strings.Builder
		for i := range 60 {
			switch {
			case i > 0 && i%29 == 0:
				b.WriteString(rarely)
			case i > 0 && i%7 == 0:
				b.WriteString(sometimes)
			default:
				b.WriteString(often)
			}
			if i < 59 {
				b.WriteString(sep)
			}
		}
		lim := table.Limits{Bytes: 1 << 16, Rows: 1000, Columns: 100, CellSize: 1000, Depth: 20}
		samePieces(t, "["+b.String()+"]", lim, int(piece)+1)
		samePieces(t, b.String(), lim, int(piece)+1)
	})
}
