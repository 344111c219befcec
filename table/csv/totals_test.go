package csv_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/table"
	"catena/table/csv"
	"catena/table/load"
)

// Rows that are called totals go where their numbers prove it, and only there.
func TestTotals(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		rows       int      // that stay
		left       []string // line and why of those left out
		note       string   // a part of a note
	}{
		{"the average and the most", "store,n\nA,10\nB,20\nC,30\nAverage,20\nMax,30\nMin,10\n", 3, []string{"5 " + csv.DropMean, "6 " + csv.DropExtreme, "7 " + csv.DropExtreme}, ""},
		{"a total below one row", "name,n\na,5\nTotal,5\nb,3\n", 3, nil, `line 3 is called "Total", but there is one row above it`},
		{"somebody called Max", "who,n\nAda,10\nBo,20\nMax,30\n", 3, nil, ""},
		{"Max as a person or the most", "who,n\nAda,10\nBo,20\nMax,20\n", 3, nil, `line 4, "Max", may sum the rows above it up`},
		{"Min and Max, who have neither", "who,n\nAda,10\nMin,20\nMax,15\n", 3, nil, ""},
		{"the median and the number", "store,n\nA,10\nB,20\nC,30\nMedian,20\nCount,3\n", 3, []string{"5 " + csv.DropFigure, "6 " + csv.DropFigure}, ""},
		{"the least and the most", "store,n,m\nA,10,2\nB,20,7\nC,30,1\nMin,10,1\nMax,30,7\n", 3, []string{"5 " + csv.DropExtreme, "6 " + csv.DropExtreme}, ""},
		{"the average last", "store,n\nA,10\nB,25\nC,31\nMin,10\nMax,31\nAverage,22\n", 3, []string{"5 " + csv.DropExtreme, "6 " + csv.DropExtreme, "7 " + csv.DropMean}, ""},
		{"one that does not fit", "store,n\nA,10\nB,25\nC,31\nMin,10\nMax,31\nMedian,26\n", 4, []string{"5 " + csv.DropExtreme, "6 " + csv.DropExtreme}, `line 7 is called "Median"`},
		{"a median between two", "store;n\nA;10,5\nB;25,5\nMedian;18,00\nMax;25,5\n", 2, []string{"4 " + csv.DropFigure, "5 " + csv.DropExtreme}, ""},
		{"the deviation", "store,n\nA,10\nB,20\nC,30\nMean,20\nStd Dev,10.00\n", 3, []string{"5 " + csv.DropMean, "6 " + csv.DropFigure}, ""},
		{"figures of others", "stat,n\nx,3\ny,3\ncount,2\nmean,50\nstd,10\nmin,3\nmax,99\n", 7, nil, `line 5 is called "mean"`},
		{"a total that does not fit", "store,n\nA,10\nB,25\nTotal,36\nMin,10\nMax,25\n", 3, []string{"5 " + csv.DropExtreme, "6 " + csv.DropExtreme}, `line 4 is called "Total"`},
		{"twice the most", "who,n\nAda,10\nBo,30\nMax,30\nMax,30\n", 4, nil, ""},
		{"groups, and all of them", "region,city,n\nN,a,10\nN,b,20\nN Total,,30\nS,c,5\nS,d,6\nS Total,,11\nGrand Total,,41\n", 4,
			[]string{"4 " + csv.DropSubtotal, "7 " + csv.DropSubtotal, "8 " + csv.DropTotal}, ""},
		{"subtotals without names", "region,n\nN,10\nN,20\nSubtotal,30\nS,5\nS,6\nSubtotal,11\nTotal,41\n", 4,
			[]string{"4 " + csv.DropSubtotal, "7 " + csv.DropSubtotal, "8 " + csv.DropTotal}, ""},
		{"totals of totals", "k,n\na,1\nb,2\nSubtotal,3\nc,4\nd,5\nSubtotal,9\nSubtotal,12\ne,7\nf,8\nSubtotal,15\nTotal,27\n", 6,
			[]string{"4 " + csv.DropSubtotal, "7 " + csv.DropSubtotal, "8 " + csv.DropSubtotal, "11 " + csv.DropSubtotal, "12 " + csv.DropTotal}, ""},
		{"a group of one", "k,n\nN,10\nN Total,10\nS,4\nS,3\nS Total,7\nTotal,17\n", 3, []string{"3 " + csv.DropSubtotal, "6 " + csv.DropSubtotal, "7 " + csv.DropTotal}, ""},
		{"years", "year,q,n\n2020,1,5\n2020,2,6\nTotal for 2020,,11\n2021,1,3\n2021,2,4\nTotal for 2021,,7\n", 4, []string{"4 " + csv.DropSubtotal, "7 " + csv.DropSubtotal}, ""},
		{"a key before the name", "year,kind,n\n2020,x,5\n2020,y,6\n2020,Total,11\n2021,x,3\n2021,y,4\n2021,Total,7\n", 4, []string{"4 " + csv.DropTotal, "7 " + csv.DropSubtotal}, ""},
		{"a number of rows", "id,name\n1,a\n2,b\n7,c\nTotal,3\n", 3, []string{"5 " + csv.DropTotal}, ""},
		{"an average", "name,n\na,10\nb,20\nAverage,15\n", 2, []string{"4 " + csv.DropMean}, ""},
		{"a rounded average below a total", "name,n\na,10\nb,20\nc,20\nTotal,50\nMean,16.67\n", 3, []string{"5 " + csv.DropTotal, "6 " + csv.DropMean}, ""},
		{"decimal commas", "name;n\na;1.500,50\nb;999,00\nSumme;2.499,50\n", 2, []string{"4 " + csv.DropTotal}, ""},
		{"currencies and shares", "name,n,share\na,\"$1,000.10\",20%\nb,$0.90,40%\nTotal,\"$1,001.00\",35%\n", 2, []string{"4 " + csv.DropTotal}, ""},
		{"tenths", "name,n\na,0.1\nb,0.2\nTotal,0.3\n", 2, []string{"4 " + csv.DropTotal}, ""},
		{"a sum of doubles", "name,n\na,0.1\nb,0.2\nTotal,0.30000000000000004\n", 2, []string{"4 " + csv.DropTotal}, ""},
		{"numbers rounded one by one", "name,n\na,1034.53\nb,2022.28\nc,711.14\nTotal,3767.96\n", 3, []string{"5 " + csv.DropTotal}, ""},
		{"more than rounding", "name,n\na,1034.53\nb,2022.28\nc,711.14\nTotal,3790\n", 4, nil, `line 5 is called "Total"`},
		{"no name below subtotals", "region,n\nN,10\nN,20\nSubtotal,30\nS,5\nS,6\nSubtotal,11\n,41\n", 4,
			[]string{"4 " + csv.DropSubtotal, "7 " + csv.DropSubtotal, "8 " + csv.DropTotal}, ""},
		{"a mean beside a sum", "name,n,price\na,1,10\nb,3,20\nTotal,4,15\n", 2, []string{"4 " + csv.DropTotal}, ""},
		{"the name of a column", "name,revenue\na,1\nb,3\nTotal revenue,4\n", 2, []string{"4 " + csv.DropSubtotal}, ""},

		{"quarters of months", "Month,Sales\nJan,10\nFeb,20\nQ1 Total,30\nMar,5\nApr,6\nQ2 Total,11\nGrand total,41\n", 4,
			[]string{"4 " + csv.DropSubtotal, "7 " + csv.DropSubtotal, "8 " + csv.DropTotal}, ""},
		{"the period last", "Month,Sales\nJan,10\nFeb,20\nTotal Q1,30\nMar,5\nApr,6\nTotal Q2,11\nTotal,41\n", 4,
			[]string{"4 " + csv.DropSubtotal, "7 " + csv.DropSubtotal, "8 " + csv.DropTotal}, ""},
		{"years of quarters", "when,n\nJan 5,10\nFeb 7,20\n2024 Total,30\nMar 1,5\nApr 2,6\n2025 Total,11\n", 4, []string{"4 " + csv.DropSubtotal, "7 " + csv.DropSubtotal}, ""},
		{"one period", "Month,Sales\nJan,10\nFeb,20\nMar,7\nQ1 Total,37\n", 3, []string{"5 " + csv.DropSubtotal}, ""},
		{"a period that does not fit", "Month,Sales\nJan,10\nFeb,20\nQ1 Total,31\nMar,5\n", 4, nil, `line 4 is called "Q1 Total"`},

		{"a client by chance", "client,n\nA,10\nB,20\nTotal Energies,30\nC,5\nD,7\n", 5, nil, ""},
		{"not the sum", "company,n\nShell,100\nBP,90\nTotal,80\n", 3, nil, `line 4 is called "Total", but its numbers are not those of the rows above it together`},
		{"one column does not fit", "name,n,m\na,1,2\nb,3,4\nTotal,4,7\n", 3, nil, `line 4 is called "Total"`},
		{"a client's name", "client,n\nA,10\nB,20\nTotal Energies,30\nC,5\n", 4, nil, ""},
		{"a client with a country", "client,country,n\nShell,UK,100\nBP,UK,90\nTotal,FR,190\n", 3, nil, `line 4 is called "Total"`},
		{"a word in the middle", "name,n\na,1\nb,2\nSum Ltd,3\nb,2\n", 4, nil, ""},
		{"the first row", "name,n\nTotal,3\na,1\nb,2\n", 3, nil, ""},
		{"a column of totals", "kind,n\ntotal,1\ntotal,2\ntotal,3\n", 3, nil, ""},
		{"two breakdowns", "kind,n,m\na,1,5\nb,2,6\nTotal,3,11\nyoung,2,4\nold,1,7\nTotal,3,11\n", 6, nil, "lines 4 and 7 are the same total"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			named, err := load.Bytes([]byte(tt.text), "x.csv", table.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			var left []string
			for _, d := range named.Report.Dropped {
				left = append(left, fmt.Sprint(d.Line, " ", d.Why))
			}
			if diff := cmp.Diff(tt.left, left); diff != "" || named.Table.NumRows() != tt.rows {
				t.Errorf("%d rows\n%s\n%q", named.Table.NumRows(), diff, named.Report.Notes)
			}
			if notes := strings.Join(named.Report.Notes, "\n"); !strings.Contains(notes, tt.note) || tt.note == "" && strings.Contains(notes, "is called") {
				t.Errorf("notes %q", notes)
			}
		})
	}
}

// Groups in a long text are found as those in a short one are.
func TestTotalsLong(t *testing.T) {
	var text strings.Builder
	text.WriteString("region,item,n\n")
	rows, all := 0, 0
	for g := range 60 {
		sum := 0
		for i := range 100 + g {
			fmt.Fprintf(&text, "Region %d,item number %d of this region,%d\n", g, i, i)
			sum += i
			rows++
		}
		fmt.Fprintf(&text, "Region %d Total,,%d\n", g, sum)
		all += sum
	}
	fmt.Fprintf(&text, "Grand Total,,%d\n", all)
	named, err := load.Bytes([]byte(text.String()), "x.csv", table.Limits{})
	if err != nil || named.Table.NumRows() != rows || len(named.Report.Dropped) != 61 || text.Len() < 128<<10 {
		t.Errorf("%d rows of %d, %d left out, %v", named.Table.NumRows(), rows, len(named.Report.Dropped), err)
	}
	if !slices.ContainsFunc(named.Report.Notes, func(n string) bool { return strings.Contains(n, "57 further lines were left out") }) {
		t.Errorf("%q", named.Report.Notes)
	}
}

// TestTotalsUnproved keeps rows that are called totals where their numbers prove nothing: zeros, or a single row each.
func TestTotalsUnproved(t *testing.T) {
	for name, text := range map[string]string{
		"a ticker":         "ticker,change\nA,0\nB,0\nALL,0\nC,1\nD,2\n",
		"an audience":      "audience,day,clicks\nA,1,0\nAll,1,0\nB,1,0\nAll,2,0\nC,3,7\n",
		"audiences":        "region,audience,score\nN,Men,5\nN,All,5\nS,Women,3\nS,All,4\nE,Men,2\nE,All,2\n",
		"a company's name": "company,sales\nShell,3\nTotal,3\nBP,6\nTotal,6\nExxon,4\n",
	} {
		got, err := csv.Read(strings.NewReader(text), "x.csv", table.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if want := strings.Count(text, "\n") - 1; got.Table.NumRows() != want {
			t.Errorf("%s: %d rows of %d", name, got.Table.NumRows(), want)
		}
	}
}

// TestTotalsBounded checks that many rows that are called totals end, and are kept where they could not be checked.
func TestTotalsBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString("k" + strings.Repeat(",n", 41) + "\n")
	row := func(label, last string) { b.WriteString(label + strings.Repeat(",0", 40) + "," + last + "\n") }
	for range 300 {
		row("x", "1")
		row("y", "1")
		row("total", "2")
	}
	for range 4000 {
		row("x", "1")
		row("total", "-9")
	}
	got, err := csv.Read(strings.NewReader(b.String()), "x.csv", table.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if n := got.Table.NumRows(); n < 8500 || n > 8600 {
		t.Errorf("%d rows", n)
	}
	if !strings.Contains(strings.Join(got.Report.Notes, "\n"), "could be checked") {
		t.Errorf("no note: %q", got.Report.Notes)
	}
}

// TestSaysTotal: the names of totals are one list, for readers and for what looks at finished tables.
func TestSaysTotal(t *testing.T) {
	for label, want := range map[string]bool{
		"Total": true, " TOTAL: ": true, "Grand Total": true, "Subtotal": true, "Insgesamt": true, "Razem": true, "Итого": true, "yhteensä": true, "合計": true, "Totalt": true, "Toplam": true,
		"Sum of all": true, "Total for all rows": true, "Grand sum": true, "Sum of the above:": true, "Summe aller": true, "All of the above": false, "Average of all": false, "Sum of N": false, "All items": false,
		"": false, "Totally": false, "North": false, "Average": false, "North Total": false, "Total Energies": false,
	} {
		if got := csv.SaysTotal(label); got != want {
			t.Errorf("%q: %v", label, got)
		}
	}
}
