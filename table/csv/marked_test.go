package csv_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/table"
	"catena/table/csv"
	"catena/table/load"
	"catena/table/loadtest"
	"catena/table/tabletest"
)

// read is what a table and its report say, in short.
type marked struct {
	names, kinds string
	rows         []string
	dropped      []string
	more         int
}

func markedOf(n table.Named) marked {
	m := marked{names: strings.Join(n.Table.Names(), ","), kinds: loadtest.Kinds(n.Table), rows: tabletest.Rows(n.Table), more: len(n.Report.More)}
	for _, d := range n.Report.Dropped {
		m.dropped = append(m.dropped, d.Why)
	}
	return m
}

func TestMarkdownTables(t *testing.T) {
	for name, tt := range map[string]struct {
		text string
		want marked
	}{
		"an answer of ours": {`**Top 5 clients** (showing 3 of 112)

| # | Client | Revenue YTD (USD) | Share of USA |
|--:|:--|--:|--:|
| 1 | Northwind \| Freight | $4,120,339.10 | 9.8% |
| 2 | Abbott &amp; Lane | −$3,902,004.75 | +9.3% |
| … | | | |
| 3 | snake_case \*x\* | | 1.0% |
| | **Total** (margin: mean) | **$16,408,211.60** | **39.1%** |

- One month was left out.
`, marked{"#,Client,Revenue YTD (USD),Share of USA", "#:integer Client:text Revenue YTD (USD):decimal2[USD] Share of USA:decimal1[%]",
			[]string{"1|Northwind | Freight|4120339.10|9.8", "2|Abbott & Lane|-3902004.75|9.3", "3|snake_case *x*|null|1.0"}, []string{csv.DropEllipsis, "it sums the rows above up"}, 0}},
		"markup":     {"a | b\n--|--\n**x** y | `1|2`\n[l](http://h/p) | ~~*z*~~<br>w\n", marked{"a,b,column_3", "a:text b:text column_3:text", []string{"x y|`1|2`", "l|z w|null"}, nil, 0}},
		"no pipes":   {"|name|n|\n|-|-|\n|a|1|\n|b|2|\n\ntext", marked{"name,n", "name:text n:integer", []string{"a|1", "b|2"}, nil, 0}},
		"two tables": {"see:\n|a|\n|-|\n|1|\n\nand\n|b|\n|-|\n|2|", marked{"a", "a:integer", []string{"1"}, nil, 1}},
		"exact sums": {"|a|n|\n|-|-|\n|x|1|\n|y|2|\n|total|3|", marked{"a,n", "a:text n:integer", []string{"x|1", "y|2"}, []string{csv.DropTotal}, 0}},
		"in a fence": {"Here is it:\n```csv\na,b\n1,2\n```\nthanks", marked{"a,b", "a:integer b:integer", []string{"1|2"}, nil, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := load.ReadText(tt.text, "text", table.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if m := markedOf(got); cmp.Diff(tt.want, m, cmp.AllowUnexported(marked{})) != "" {
				t.Error(cmp.Diff(tt.want, m, cmp.AllowUnexported(marked{})))
			}
		})
	}
}

func TestHTMLTables(t *testing.T) {
	for name, tt := range map[string]struct {
		text string
		want marked
	}{
		"thead and tfoot": {`<p>see</p><TABLE class=x><caption>Sales</caption><thead><tr><th>Shop<th>Net &amp; gross<tbody><tr><td>North<td>$1,000.50<tr><td>South</td><td>$2.00</td></tr><tfoot><tr><td>Total<td>$1,002.50</table>`,
			marked{"Shop,Net & gross", "Shop:text Net & gross:decimal2[USD]", []string{"North|1000.50", "South|2.00"}, []string{csv.DropFooter}, 0}},
		"spans": {`<table><tr><th rowspan=2>Shop</th><th colspan=2>2024</th></tr><tr><th>Q1</th><th>Q2</th></tr><tr><td rowspan="2">North</td><td>1</td><td>2</td></tr><tr><td colspan=2>3</td></tr></table>`,
			marked{"Shop,2024 Q1,2024 Q2", "Shop:text 2024 Q1:integer 2024 Q2:integer", []string{"North|1|2", "North|3|3"}, nil, 0}},
		"marks of footnotes and powers": {`<table><tr><th>m<sup>2</sup></th><th>b</th></tr><tr><td>10<sup>3</sup></td><td>5,000<sup><a href=x>1</a></sup></td></tr><tr><td>1<sub>2<td>7</table>`,
			marked{"m²,b", "m²:text b:text", []string{"10³|5,000¹", "1₂|7"}, nil, 0}},
		"no header": {`<table><tr><td>name</td><td>n</td></tr><tr><td>a</td><td>1</td></tr><tr><td>b</td><td>2</td></tr></table>`,
			marked{"name,n", "name:text n:integer", []string{"a|1", "b|2"}, nil, 0}},
		"nested": {`<table><tr><td>menu<script>var t="<td>"</script></td></tr><tr><td><table><tr><th>a<th>b<tr><td>1<br>x<td>2</table></table>`,
			marked{"a,b", "a:text b:integer", []string{"1 x|2"}, nil, 0}},
		"several":     {`<table><tr><th>a<tr><td>1</table><table><tr><th>b<tr><td>2</table>`, marked{"a", "a:integer", []string{"1"}, nil, 1}},
		"entities":    {`<table><tr><th>a<th>b<tr><td>&amp;lt;b&amp;gt;<td>AT&amp;copy</table>`, marked{"a,b", "a:text b:text", []string{"&lt;b&gt;|AT&copy"}, nil, 0}},
		"outer first": {`<table><tr><th>a<th>b<tr><td>1<td><table><tr><th>c<th>d<tr><td>5<td>6</table>2<tr><td>3<td>4</table>`, marked{"a,b", "a:integer b:integer", []string{"1|2", "3|4"}, nil, 1}},
		"cut off":     {`<table><tr><th>a<th>b<tr><td>1<td>2`, marked{"a,b", "a:integer b:integer", []string{"1|2"}, nil, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := load.ReadText(tt.text, "text", table.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if m := markedOf(got); cmp.Diff(tt.want, m, cmp.AllowUnexported(marked{})) != "" {
				t.Error(cmp.Diff(tt.want, m, cmp.AllowUnexported(marked{})))
			}
		})
	}
}

func TestHTMLNotes(t *testing.T) {
	for text, want := range map[string][]string{
		"<title>t</title>\n<table><tr><th>a<tr><td>1</table>\n":     nil,
		"<p>Sales:</p><table><tr><th>a<tr><td>1</table>":            {"the text around the table was left out"},
		"<table><tr><th>a<tr><td>1</table><p>Source: own count</p>": {"the text around the table was left out"},
	} {
		got, err := load.ReadText(text, "text", table.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got.Report.Notes); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}
