package query_test

import (
	"strings"
	"testing"

	"catena/query"
	"catena/table"
)

// catalog is what the tests ask about: two tables of a shop.
type catalog map[string]query.Schema

func (c catalog) Schema(name string) (query.Schema, bool) { s, ok := c[name]; return s, ok }

func (c catalog) Tables() []string {
	var names []string
	for name := range c {
		names = append(names, name)
	}
	return names
}

func column(name string, t table.Type, unit string, adds query.Adds) query.Field {
	return query.Field{Column: table.Column{Name: name, Type: t, Unit: unit}, Adds: adds}
}

var shop = catalog{
	"orders": {
		column("id", table.Int, "", query.AddsIdentifier), column("client", table.Int, "", query.AddsIdentifier),
		column("paid", table.Decimal, "USD", query.AddsFlow), column("tax", table.Decimal, "EUR", query.AddsFlow),
		column(
			"rate",
			table.Float,
			"%",
			query.AddsRate,
		), column("day", table.Date, "", ""), column("Note", table.Text, "", ""),
		column("note", table.Text, "", ""), column("open", table.Bool, "", ""),
	},
	"clients": {column("key", table.Int, "", query.AddsIdentifier), column("name", table.Text, "", "")},
}

var (
	col = query.Col
	do  = query.Do
)

func text(s string) query.Expr  { return query.Lit(table.TextValue(s)) }
func number(i int64) query.Expr { return query.Lit(table.IntValue(i)) }

// total is a group of all rows with one sum.
func total(e query.Expr) query.Query {
	return query.From("orders").
		With(query.Group{Aggregates: []query.Aggregate{{As: "t", Func: "sum", Args: []query.Expr{e}}}})
}

func filtered(e query.Expr) query.Query { return query.From("orders").With(query.Filter{Where: e}) }

func TestCheck(t *testing.T) {
	tests := []struct {
		name  string
		query query.Query
		want  []string // code, a space, the path of each finding
	}{
		{"sound", filtered(do("gt", col("paid"), number(3))), nil},
		{"table", query.From("order"), []string{"unknown_table from"}},
		{"column", filtered(do("gt", col("payd"), number(3))), []string{"unknown_column stages[0].where.args[0]"}},
		{
			"two cases",
			filtered(do("eq", col("NOTE"), text("x"))),
			[]string{"ambiguous_column stages[0].where.args[0]"},
		},
		{"text and number", filtered(do("eq", col("note"), number(3))), []string{"type_mismatch stages[0].where"}},
		{"units", filtered(do("lt", col("paid"), col("tax"))), []string{"type_mismatch stages[0].where"}},
		{
			"sum of units",
			total(do("add", col("paid"), col("tax"))),
			[]string{"type_mismatch stages[0].aggregates[0].args[0]"},
		},
		{"rate", total(col("rate")), []string{"not_additive stages[0].aggregates[0]"}},
		{"identifier", total(col("id")), []string{"not_additive stages[0].aggregates[0]"}},
		{"text", total(col("note")), []string{"type_mismatch stages[0].aggregates[0]"}},
		{"no condition", filtered(col("paid")), []string{"type_mismatch stages[0].where"}},
		{"function", filtered(do("bigger", col("paid"))), []string{"unknown_function stages[0].where"}},
		{"arguments", filtered(do("eq", col("paid"))), []string{"arguments stages[0].where"}},
		{
			"unit",
			filtered(do("eq", do("trunc", text("moon"), col("day")), col("day"))),
			[]string{"arguments stages[0].where.args[0].args[0]"},
		},
		{
			"divisor",
			filtered(do("gt", do("div", col("paid"), col("rate")), number(1))),
			[]string{"may_be_zero stages[0].where.args[0].args[1]"},
		},
		{
			"divisor told",
			filtered(do("gt", do("div", col("paid"), do("nullif", col("rate"), number(0))), number(1))),
			nil,
		},
		{
			"twice",
			query.From("orders").
				With(query.Project{Columns: []query.Named{{As: "a", Expr: col("id")}, {As: "a", Expr: col("day")}}}),
			[]string{"duplicate_column stages[0].columns[1]"},
		},
		{
			"join of one name",
			query.From("orders").With(query.Join{Kind: query.Inner, With: query.From("orders")}),
			slicesOf("duplicate_column stages[0].with", len(shop["orders"])),
		},
		{
			"join",
			query.From("orders").
				With(query.Join{Kind: query.Inner, With: query.From("clients"), On: do("eq", col("client"), col("key"))}, query.Project{Columns: []query.Named{{As: "n", Expr: col("name")}}}),
			nil,
		},
		{
			"semi",
			query.From("orders").
				With(query.Join{Kind: query.Semi, With: query.From("clients"), On: do("eq", col("client"), col("key"))}, query.Project{Columns: []query.Named{{As: "n", Expr: col("name")}}}),
			[]string{"unknown_column stages[1].columns[0]"},
		},
		{
			"set",
			query.From("orders").With(query.Set{Op: query.Union, With: query.From("clients")}),
			[]string{"shape stages[0].with"},
		},
		{
			"outer",
			filtered(
				query.Exists{
					Query: query.From("clients").
						With(query.Filter{Where: do("eq", col("key"), query.Column{Name: "client", Out: 1})}),
				},
			),
			nil,
		},
		{
			"too far out",
			filtered(
				query.Exists{
					Query: query.From("clients").
						With(query.Filter{Where: do("eq", col("key"), query.Column{Name: "client", Out: 2})}),
				},
			),
			[]string{"unknown_column stages[0].where.exists.stages[0].where.args[1]"},
		},
		{
			"two columns as a value",
			filtered(do("eq", col("client"), query.Scalar{Query: query.From("clients")})),
			[]string{"shape stages[0].where.args[1].scalar"},
		},
		{
			"frame",
			query.From("orders").
				With(query.Window{Columns: []query.WindowColumn{{As: "w", Func: "sum", Args: []query.Expr{col("paid")}, Frame: query.Frame{Unit: query.Groups}}}}),
			[]string{"shape stages[0].columns[0].frame"},
		},
		{
			"offset",
			query.From("orders").With(query.Take{Rows: 1, Offset: -1, Per: []string{"no"}}),
			[]string{"arguments stages[0].offset", "unknown_column stages[0].per[0]"},
		},
		{
			"two faults",
			filtered(do("and", col("paid"), do("eq", col("x"), col("y")))),
			[]string{
				"unknown_column stages[0].where.args[1].args[0]",
				"unknown_column stages[0].where.args[1].args[1]",
				"type_mismatch stages[0].where.args[0]",
			},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, findings := query.Check(test.query, shop)
			var got []string
			for _, f := range findings {
				got = append(got, f.Code+" "+f.Path)
			}
			if strings.Join(got, "\n") != strings.Join(test.want, "\n") {
				t.Errorf("got %q\nwant %q\n%v", got, test.want, findings)
			}
		})
	}
}

func slicesOf(s string, n int) []string {
	return strings.Split(strings.Repeat(s+"\n", n-1)+s, "\n")
}

// What is checked is what is said: the types and units of columns that a query gives.
func TestSchema(t *testing.T) {
	tests := []struct {
		expr query.Expr
		want string
	}{
		{do("add", col("paid"), number(1)), "decimal USD "},
		{do("mul", col("paid"), number(2)), "decimal USD "},
		{do("div", col("paid"), col("paid")), "float  rate"},
		{do("div", col("paid"), number(2)), "float USD rate"},
		{do("sub", col("day"), col("day")), "integer  "},
		{do("add", col("day"), number(3)), "date  "},
		{do("trunc", text("month"), col("day")), "date  "},
		{do("part", text("year"), col("day")), "integer calendar year time"},
		{do("part", text("isoweekday"), col("day")), "integer weekday time"},
		{do("sub", do("part", text("month"), col("day")), number(1)), "integer  "},
		{do("coalesce", col("paid"), number(0)), "decimal USD "},
		{
			query.Case{
				Branches: []query.Branch{{When: col("open"), Then: number(1)}},
				Else:     query.Lit(table.FloatValue(2)),
			},
			"float  ",
		},
		{query.Cast{Expr: col("note"), Type: table.Int}, "integer  "},
		{query.Scalar{Query: total(col("paid"))}, "decimal USD flow"},
	}
	for _, test := range tests {
		f, findings := query.TypeOf(test.expr, shop, shop["orders"])
		for _, found := range findings {
			if !found.Doubt {
				t.Errorf("%v: %s", test.expr, found)
			}
		}
		if got := f.Type.String() + " " + f.Unit + " " + string(f.Adds); got != test.want {
			t.Errorf("%v: got %q, want %q", test.expr, got, test.want)
		}
	}
}

// A query that is too deep or too large is refused in bounded time and memory.
func TestCheckIsBounded(t *testing.T) {
	e := col("open")
	for range 5_000 {
		e = do("not", e)
	}
	wide := make([]query.Expr, 50_000)
	for i := range wide {
		wide[i] = col("open")
	}
	for _, deep := range []query.Expr{e, do("and", wide...)} {
		_, findings := query.Check(filtered(deep), shop)
		if len(findings) != 1 || findings[0].Code != query.TooLarge {
			t.Errorf("got %v", findings)
		}
	}
}
