package infer_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/table"
	"catena/table/infer"
	"catena/table/load"
	"catena/table/loadtest"
)

// Magnitudes behind plain numbers are never dropped: they count, or the column stays text.
func TestScaledNumbers(t *testing.T) {
	for name, tt := range map[string]struct {
		column string
		cells  string // with blanks between
		kind   string
		want   string
	}{
		"K, M and B":            {"valuation", "1.2M 350K 2.5B", "integer", "1200000 350000 2500000000"},
		"k":                     {"followers", "10k 3.5k", "integer", "10000 3500"},
		"beside plain ones":     {"followers", "900 12.5k n/a", "integer", "900 12500 null"},
		"fractions stay":        {"n", "1.2345K 0.5", "decimal1", "1234.5 0.5"},
		"signs":                 {"n", "-1.2M +350K", "integer", "-1200000 350000"},
		"words":                 {"n", "2bn 300mn", "integer", "2000000000 300000000"},
		"whole thousands":       {"salary", "50K 85K", "integer", "50000 85000"},
		"decimal commas":        {"n", "\"1,2M\" \"3,5K\"", "integer", "1200000 3500"},
		"a size":                {"file_size", "1.2M 350K", "text", "1.2M 350K"},
		"a plan":                {"Plan", "1.5K 3.5K", "text", "1.5K 3.5K"},
		"displays":              {"screen", "4K 8K", "text", "4K 8K"},
		"seats":                 {"place", "12B 14B", "text", "12B 14B"},
		"one value":             {"n", "350K 350K", "text", "350K 350K"},
		"networks":              {"n", "5G 4G", "text", "5G 4G"},
		"metres":                {"n", "500m 350m", "text", "500m 350m"},
		"a word among them":     {"n", "1.2M many", "text", "1.2M many"},
		"codes of leading zero": {"n", "01K 350K", "text", "01K 350K"},
	} {
		t.Run(name, func(t *testing.T) {
			text := "k," + tt.column + "\n"
			for _, cell := range strings.Fields(tt.cells) {
				text += "a," + cell + "\n"
			}
			named, err := load.Bytes([]byte(text), "x.csv", table.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if got := loadtest.Kinds(named.Table); got != "k:text "+tt.column+":"+tt.kind {
				t.Errorf("columns %s, want %s; notes %q", got, tt.kind, named.Report.Notes)
			}
			var got []string
			for row := range named.Table.NumRows() {
				got = append(got, named.Table.Value(row, 1).String())
			}
			if diff := cmp.Diff(tt.want, strings.Join(got, " ")); diff != "" {
				t.Error(diff)
			}
			if notes := strings.Join(named.Report.Notes, "\n"); tt.kind != "text" && !strings.Contains(notes, "k, M and B behind numbers") {
				t.Errorf("notes %q", notes)
			}
		})
	}
}

func TestReadScaled(t *testing.T) {
	for text, want := range map[string]string{
		"1.2M": "1200000", " 350K ": "350000", "3.5k": "3500", "2 bn": "2000000000", "-1,5 Mio.": "-1500000", "1,234K": "1234000",
		"350": "", "300 K": "", "5m": "", "5G": "", "M": "", "": "", "$5M": "", "007K": "", "1e5K": "",
	} {
		v, ok := infer.ReadScaled(text)
		if got := v.Text(); ok != (want != "") || got != want {
			t.Errorf("ReadScaled(%q) = %q, %v; want %q", text, got, ok, want)
		}
	}
}
