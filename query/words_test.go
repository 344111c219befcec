package query_test

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"catena/query"
	"catena/table"
)

var update = flag.Bool("update", false, "write the golden files anew")

func sum(as, of string) query.Aggregate {
	return query.Aggregate{As: as, Func: "sum", Args: []query.Expr{col(of)}}
}

func descending(name string) query.Sort {
	return query.Sort{Keys: []query.SortKey{{Expr: col(name), Desc: true}}}
}

// spoken are queries whose words are in testdata/words.txt.
var spoken = []query.Query{
	{},
	query.From("orders"),
	filtered(do("and", do("gt", col("paid"), number(3)), do("not", do("like", col("note"), text("%late%"))))),
	filtered(
		do("or", do("and", col("open"), do("is_null", col("day"))), do("in", col("note"), text("a"), text("b"))),
	),
	filtered(do("lt", col("day"), query.Lit(table.DateValue(2026, 1, 31)))),
	filtered(
		do(
			"not",
			query.In{
				Expr: col("client"),
				Query: query.From("clients").
					With(query.Project{Columns: []query.Named{{As: "key", Expr: col("key")}}}),
			},
		),
	),
	filtered(
		do(
			"not",
			query.Exists{
				Query: query.From("clients").
					With(query.Filter{Where: do("eq", col("key"), query.Column{Name: "client", Out: 1})}),
			},
		),
	),
	query.From("orders").
		With(query.Group{Keys: []query.Named{{As: "client", Expr: col("client")}}, Aggregates: []query.Aggregate{sum("t", "paid")}},
			query.Filter{Where: do("gt", col("t"), number(100))}, descending("t"), query.Take{Rows: 5}),
	query.From("orders").
		With(query.Filter{Where: col("open")}, query.Group{Aggregates: []query.Aggregate{{As: "n", Func: "count"}, {As: "c", Func: "count", Distinct: true, Args: []query.Expr{col("client")}}}}),
	query.From("orders").
		With(query.Group{Keys: []query.Named{{As: "m", Expr: do("trunc", text("month"), col("day"))}}, Aggregates: []query.Aggregate{sum("t", "paid"),
			{
				As:    "big",
				Func:  "count",
				Where: do("ge", col("paid"), number(1000)),
			}}}, query.Sort{Keys: []query.SortKey{{Expr: col("m")}}}),
	query.From("orders").
		With(query.Group{Keys: []query.Named{{As: "client", Expr: col("client")}}, Aggregates: []query.Aggregate{sum("t", "paid"), {As: "n", Func: "count"}}},
			query.Project{
				Columns: []query.Named{
					{As: "client", Expr: col("client")},
					{As: "each", Expr: do("div", col("t"), col("n"))},
				},
			}),
	query.From("orders").
		With(query.Join{Kind: query.Left, With: query.From("clients"), On: do("eq", col("client"), col("key"))},
			query.Project{
				Columns: []query.Named{
					{As: "name", Expr: col("name")},
					{As: "net", Expr: do("mul", do("sub", col("paid"), number(1)), number(2))},
				},
			}),
	query.From("clients").
		With(query.Join{Kind: query.Anti, With: query.From("orders").With(query.Filter{Where: col("open")}), On: do("eq", col("client"), col("key"))}, query.Take{Rows: 3, Offset: 10}),
	query.From("orders").
		With(query.Window{Columns: []query.WindowColumn{{As: "r", Func: "rank", Partition: []query.Expr{col("client")}, Order: []query.SortKey{{Expr: col("paid"), Desc: true}}}}},
			query.Filter{Where: do("le", col("r"), number(3))}),
	query.From("orders").
		With(query.Derive{Columns: []query.Named{{As: "due", Expr: do("shift", text("day"), number(30), col("day"))}}}, query.Distinct{}),
	query.From("orders").
		With(query.Derive{Columns: []query.Named{{As: "size", Expr: query.Case{Branches: []query.Branch{{When: do("gt", col("paid"), number(10)), Then: text("big")}}, Else: text("small")}}}}),
	{
		Of:     &query.Query{From: "orders", Stages: []query.Stage{query.Take{Rows: 1}}},
		Stages: []query.Stage{query.Set{Op: query.Except, With: query.From("orders")}},
	},
	filtered(
		do(
			"eq",
			col("paid"),
			query.Scalar{
				Query: query.From("orders").
					With(query.Group{Aggregates: []query.Aggregate{{As: "m", Func: "max", Args: []query.Expr{col("paid")}}}}),
			},
		),
	),
	query.From("orders").
		With(query.Group{Aggregates: []query.Aggregate{{As: "m", Func: "max", Args: []query.Expr{col("day")}}, {As: "d", Func: "list", Distinct: true, Args: []query.Expr{col("note")}}}}),
	query.From("orders").With(sideBySide, descending("yes")),
	query.From("orders").With(oneBelowAnother),
	query.From("orders").With(query.Pivot{
		On: col("note"), Values: []query.Named{{As: "a", Expr: text("a")}}, Cell: query.Aggregate{Func: "count"}, Total: "all",
	}),
}

// sideBySide and oneBelowAnother are a pivot and its opposite.
var (
	sideBySide = query.Pivot{
		On:     col("open"),
		Values: []query.Named{{As: "yes", Expr: query.Lit(table.BoolValue(true))}, {As: "no", Expr: query.Lit(table.BoolValue(false))}},
		Keys:   []query.Named{{As: "client", Expr: col("client")}},
		Cell:   query.Aggregate{Func: "sum", Args: []query.Expr{col("paid")}, Where: do("gt", col("paid"), number(1))},
	}
	oneBelowAnother = query.Unpivot{
		Keep: []query.Named{{As: "id", Expr: col("id")}},
		As:   []string{"what", "amount"},
		Rows: [][]query.Expr{{text("paid"), col("paid")}, {text("rate"), col("rate")}},
	}
)

func TestWords(t *testing.T) {
	var b strings.Builder
	for i, q := range spoken {
		if i > 0 {
			b.WriteByte('\n')
		}
		for _, lang := range query.Languages {
			b.WriteString(lang + ": " + query.Words(q, shop, lang) + "\n")
		}
	}
	path := filepath.Join("testdata", "words.txt")
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("run with -update and read the difference; got\n%s", b.String())
	}
}

// Every function, aggregate and window has words in every language, and so has every type.
func TestWordsAreWhole(t *testing.T) {
	unsaid := regexp.MustCompile(`[a-z_]+\(|\{\w+\}`)
	args := []query.Expr{col("paid"), number(2), number(3)}
	say := func(name string, q query.Query) {
		for _, lang := range query.Languages {
			if s := query.Words(q, shop, lang); strings.Contains(s, name+"(") || unsaid.MatchString(s) {
				t.Errorf("%s in %s: %s", name, lang, s)
			}
		}
	}
	for _, name := range query.Functions() {
		given := args
		if name == "trunc" || name == "part" || name == "diff" || name == "shift" {
			given = []query.Expr{text("month"), col("day"), col("day")}
		}
		say(
			name,
			query.From("orders").
				With(query.Project{Columns: []query.Named{{As: "x", Expr: query.Call{Func: name, Args: given}}}}),
		)
	}
	for _, name := range append(query.Aggregates(), query.Windows()...) {
		say(
			name,
			query.From("orders").With(query.Window{Columns: []query.WindowColumn{{As: "x", Func: name, Args: args}}}),
		)
	}
	for typ := table.Null; typ <= table.JSON; typ++ {
		say(
			typ.String(),
			query.From("orders").
				With(query.Project{Columns: []query.Named{{As: "x", Expr: query.Cast{Expr: col("note"), Type: typ}}}}),
		)
	}
}

// Words of columns that are made of columns stay short.
func TestWordsAreBounded(t *testing.T) {
	q := query.From("orders")
	for range 60 {
		q = q.With(query.Derive{Columns: []query.Named{{As: "paid", Expr: do("add", col("paid"), col("paid"))}}})
	}
	if s := query.Words(q.With(query.Filter{Where: do("gt", col("paid"), number(1))}), shop, "en"); len(s) > 20_000 {
		t.Errorf("%d bytes", len(s))
	}
}
