package data_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCleaning(t *testing.T) {
	reg, _ := kitchen(t, nil)
	for name, tt := range map[string]struct {
		csv, column string
		want        []string
		notes       []string
	}{
		"case, ties":          {"id,country\n1,usa\n2,Usa \n3,USA\n4,france\n5,France\n6,FRANCE\n7, peru\n", "country", []string{"USA", "USA", "USA", "France", "France", "France", "peru"}, []string{"4 cells of country were spelled like the others"}},
		"ways of dates":       {"id,when\n1,2025-01-03\n2,03/25/2025\n3,04/02/2025\n4,05.06.2025\n5,n/a\n6,\"Jan 7, 2025\"\n7,2025-02-11\n", "when", []string{"2025-01-03", "2025-03-25", "2025-04-02", "2025-06-05", "", "2025-01-07", "2025-02-11"}, []string{"when is read as date; its dates were written in several ways", "1 cell of when that is no date is empty now"}},
		"day first":           {"id,when\n1,2025-01-03\n2,25/03/2025\n3,04/02/2025\n4,5 June 2025\n", "when", []string{"2025-01-03", "2025-03-25", "2025-02-04", "2025-06-05"}, []string{"several ways"}},
		"neither comes first": {"id,when\n1,2025-01-03\n2,03/05/2025\n3,04/02/2025\n4,5 June 2025\n", "when", []string{"2025-01-03", "03/05/2025", "04/02/2025", "5 June 2025"}, []string{"nothing tells whether the day or the month comes first in row 2"}},
		"both come first":     {"id,when\n1,2025-01-03\n2,03/25/2025\n3,25/03/2025\n4,04/02/2025\n", "when", []string{"2025-01-03", "03/25/2025", "25/03/2025", "04/02/2025"}, []string{"in row 4"}},
		"a word for a number": {"id,amount\n1,10\n2,20\n3,30\n4,x40\n", "amount", []string{"10", "20", "30", "x40"}, []string{"1 cell of amount is no number, so the column stays text: “x40” in row 4"}},
		"nothing":             {"id,amount\n1,10\n2,20\n", "amount", []string{"10", "20"}, []string{"Nothing had to be cleaned."}},
	} {
		t.Run(name, func(t *testing.T) {
			res := call(t, reg, "clean_and_prepare_table", `{"data":"`+strings.NewReplacer("\n", `\n`, `"`, `\"`).Replace(tt.csv)+`"}`)
			at := slices.Index(res.Table.Names(), tt.column)
			var got []string
			for _, r := range rows(res.Table) {
				got = append(got, r[at])
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Error(d)
			}
			for _, want := range tt.notes {
				if !strings.Contains(strings.Join(res.Notes, "\n"), want) {
					t.Errorf("no %q in %q", want, res.Notes)
				}
			}
		})
	}
}
