package table

import (
	"catena/table/tabletest"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestRepeatedTextIsBounded(t *testing.T) {
	long := strings.Repeat("x", 256<<10)
	var rows strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&rows, "<tr><td>%d", i)
	}
	for name, data := range map[string][]byte{
		"shared strings": tabletest.Book("", tabletest.RowsXML(slices.Repeat([]string{`t="s"|3`}, 1500)...), "strings:<si><t>"+long+"</t></si>"),
		"merged cells":   tabletest.Book("", tabletest.RowsXML(append([]string{"a;b", long + ";x"}, slices.Repeat([]string{";|1"}, 1500)...)...)+`<mergeCells><mergeCell ref="A2:A1500"/></mergeCells>`),
		"rowspan":        []byte("<table><tr><th>a<th>b<tr><td rowspan=65000>" + long + "<td>1" + rows.String() + "</table>"),
		"colspan":        []byte("<table><tr><th>a<th>b<tr><td colspan=1000>" + long + "<td>1<tr><td>2</table>"),
		"header":         []byte("<table><thead><tr><th colspan=1000>" + long + "<th>b<tbody><tr><td>1<td>2</table>"),
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := ReadBytes(data, "f", Limits{})
			runtime.ReadMemStats(&after)
			var limit *LimitError
			if !errors.As(err, &limit) || limit.What != LimitBytes {
				t.Errorf("error %v", err)
			}
			if used := after.TotalAlloc - before.TotalAlloc; used > 128<<20 {
				t.Errorf("%d MiB were allocated for %d bytes", used>>20, len(data))
			}
		})
	}
}

// Texts in many pieces take time and memory by their length only.
func TestTextInManyPieces(t *testing.T) {
	run := strings.Repeat("<r><t>abcd</t></r>", 100_000)
	value := strings.Repeat("ab<!-- -->", 100_000)
	data := tabletest.Book("", tabletest.RowsXML("a;b", `t="s"|3;t="str"|`+"<v>"+value+"</v>", "x;y"), "strings:<si>"+run+"</si>")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got, err := ReadBytes(data, "f.xlsx", Limits{})
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := got.Table.Value(0, 0).Text(), got.Table.Value(0, 1).Text(); a != strings.Repeat("abcd", 100_000) || b != strings.Repeat("ab", 100_000) {
		t.Errorf("%d and %d bytes", len(a), len(b))
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 64<<20 {
		t.Errorf("%d MiB were allocated for %d bytes", used>>20, len(run)+len(value))
	}
}

func TestMedianOfLargeValues(t *testing.T) {
	for _, tt := range [][3]string{
		{"90000000000000000000000000000000000000", "90000000000000000000000000000000000000", "90000000000000000000000000000000000000"},
		{"-99999999999999999999999999999999999999", "-99999999999999999999999999999999999997", "-99999999999999999999999999999999999998"},
		{"99999999999999999999999999999999999998", "99999999999999999999999999999999999999", "99999999999999999999999999999999999998"},
		{"9000000000000000000000000000000000000.1", "9000000000000000000000000000000000000.3", "9000000000000000000000000000000000000.2"},
	} {
		lo, err := ParseDecimal(tt[0])
		if err != nil {
			t.Fatal(err)
		}
		hi, err := ParseDecimal(tt[1])
		if err != nil {
			t.Fatal(err)
		}
		got, err := medianOf(lo, hi)
		if err != nil || got.Text() != tt[2] {
			t.Errorf("the median of %s and %s is %s (%v), want %s", tt[0], tt[1], got.Text(), err, tt[2])
		}
	}
	got, err := medianOf(Value{typ: Duration, i: -1 << 62}, Value{typ: Duration, i: 1<<63 - 1})
	if want := int64(1<<61 - 1); err != nil || got.i != want {
		t.Errorf("the median of durations is %d (%v), want %d", got.i, err, want)
	}
}
