package run_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"catena/query"
	"catena/query/run"
	"catena/table"
)

var (
	col = query.Col
	do  = query.Do
)

func num(i int64) query.Expr  { return query.Lit(table.IntValue(i)) }
func txt(s string) query.Expr { return query.Lit(table.TextValue(s)) }

// made is a table of rows of texts, "" for null; a name may end in :type.
func made(t testing.TB, header string, rows ...string) *table.Table {
	t.Helper()
	types := map[string]table.Type{
		"int":      table.Int,
		"text":     table.Text,
		"float":    table.Float,
		"dec":      table.Decimal,
		"date":     table.Date,
		"bool":     table.Bool,
		"datetime": table.DateTime,
	}
	q := query.Query{}
	var cols []table.Column
	for _, name := range strings.Fields(header) {
		base, kind, _ := strings.Cut(name, ":")
		cols = append(cols, table.Column{Name: base, Type: table.Text})
		scale := int32(-1)
		if kind == "dec" {
			scale = 2
		}
		q = q.With(
			query.Derive{
				Columns: []query.Named{
					{As: base, Expr: query.Cast{Expr: col(base), Type: types[kind], Scale: scale, Strict: true}},
				},
			},
		)
	}
	b := table.NewBuilder(cols...)
	for _, row := range rows {
		var values []table.Value
		for _, cell := range strings.Split(row, " ") {
			if cell == "" {
				values = append(values, table.NullValue)
			} else {
				values = append(values, table.TextValue(cell))
			}
		}
		if err := b.Append(values...); err != nil {
			t.Fatal(err)
		}
	}
	q.From = "t"
	res, err := run.Run(context.Background(), q, run.TableMap{"t": b.Table()})
	if err != nil {
		t.Fatal(err)
	}
	return res.Table
}

// shown is the cells of a table, rows parted by "; ".
func shown(t *table.Table) string {
	var b strings.Builder
	for r := range t.NumRows() {
		if r > 0 {
			b.WriteString("; ")
		}
		for c, v := range t.Row(r) {
			if c > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(v.String())
		}
	}
	return b.String()
}

func tables(t testing.TB) run.TableMap {
	return run.TableMap{
		"orders": made(
			t,
			"id:int client:int amount:dec day:date kind:text",
			"1 1 10.00 2024-01-31 a",
			"2 1 5.50 2024-02-01 b",
			"3 2 7.25 2024-02-29 a",
			"4  1.00 2024-03-01 c",
			"5 9 3.00 2024-03-01 ",
		),
		"clients": made(t, "cid:int name:text", "1 Ada", "2 Bo", "3 Cy"),
	}
}

func TestQueries(t *testing.T) {
	orders, clients := query.From("orders"), query.From("clients")
	byID := []query.SortKey{{Expr: col("id")}}
	project := func(names ...string) query.Stage { return query.Project{Columns: named(names...)} }
	count := query.Aggregate{As: "n", Func: "count"}
	onClient := do("eq", col("client"), col("cid"))
	joined := func(kind query.JoinKind) query.Query {
		return orders.With(query.Join{Kind: kind, With: query.From("clients"), On: onClient},
			project("id"))
	}
	outerEq := do("eq", col("client"), query.Column{Name: "cid", Out: 1})
	ofClient := orders.With(query.Filter{Where: outerEq})
	kinds := func(values ...query.Expr) (list []query.Named) {
		for i, v := range values {
			list = append(list, query.Named{As: "k" + string(rune('0'+i)), Expr: v})
		}
		return list
	}
	for _, c := range []struct {
		name, want string
		q          query.Query
	}{
		{
			"pivot: a value of null, one that no row has, a condition",
			"1 10.00 null null null; 2 7.25 null null null; null null null null null; 9 null 3.00 null null",
			orders.With(query.Pivot{On: col("kind"), Values: kinds(txt("a"), null, txt("c"), txt("x")), Keys: named("client"),
				Cell: query.Aggregate{Func: "sum", Args: []query.Expr{col("amount")}, Where: do("gt", col("amount"), num(2))}}),
		},
		{
			"pivot without keys counts",
			"2 1 0 5",
			orders.With(query.Pivot{On: col("kind"), Values: kinds(txt("a"), txt("b"), txt("x")),
				Cell: query.Aggregate{Func: "count"}, Total: "all"}),
		},
		{
			"unpivot keeps the order of rows, nulls, and the exact digits",
			"4 amount 1.00; 4 client null; 5 amount 3.00; 5 client 9.00",
			orders.With(query.Filter{Where: do("ge", col("id"), num(4))},
				query.Unpivot{Keep: named("id"), As: []string{"what", "value"},
					Rows: [][]query.Expr{{txt("amount"), col("amount")}, {txt("client"), col("client")}}}),
		},
		{"filter", "1; 3",
			orders.With(query.Filter{Where: do("eq", col("kind"), txt("a"))}, project("id"))},
		{"no source", "3",
			query.Query{}.With(query.Project{Columns: []query.Named{{As: "x", Expr: do("add", num(1), num(2))}}})},
		{"overflow", "9223372036854775808",
			query.Query{}.With(query.Project{Columns: []query.Named{{As: "x", Expr: do("add", num(1<<63-1), num(1))}}})},
		{"group", "a 2 17.25; b 1 5.50; c 1 1.00; null 1 3.00",
			orders.With(query.Group{Keys: []query.Named{{As: "kind", Expr: col("kind")}},
				Aggregates: []query.Aggregate{count, {As: "s", Func: "sum", Args: []query.Expr{col("amount")}}}})},
		{"count of none", "0 null",
			orders.With(query.Filter{Where: do("gt", col("id"), num(100))}, query.Group{Aggregates: []query.Aggregate{count,
				{As: "s", Func: "sum", Args: []query.Expr{col("amount")}}}})},
		{"inner", "1; 2; 3", joined(query.Inner)},
		{"left", "1; 2; 3; 4; 5", joined(query.Left)},
		{"right", "1; 2; 3; null", joined(query.Right)},
		{"full", "1; 2; 3; 4; 5; null", joined(query.Full)},
		{"semi", "1; 2; 3", joined(query.Semi)},
		{"anti", "4; 5", joined(query.Anti)},
		{"exists", "1 Ada; 2 Bo",
			clients.With(query.Filter{Where: query.Exists{Query: ofClient}})},
		{"not exists", "3 Cy",
			clients.With(query.Filter{Where: do("not", query.Exists{Query: ofClient})})},
		{"in", "1 Ada; 2 Bo",
			clients.With(query.Filter{Where: query.In{Expr: col("cid"),
				Query: orders.With(project("client"))}})},
		{"not in with a null", "",
			clients.With(query.Filter{Where: do("not", query.In{Expr: col("cid"),
				Query: orders.With(project("client"))})})},
		{"scalar", "1 Ada 2; 2 Bo 1; 3 Cy 0",
			clients.With(query.Derive{Columns: []query.Named{{As: "n", Expr: query.Scalar{
				Query: ofClient.With(query.Group{Aggregates: []query.Aggregate{count}})}}}})},
		{"top of each", "1; 3; 4; 5",
			orders.With(query.Sort{Keys: []query.SortKey{{Expr: col("amount"), Desc: true}}},
				query.Take{Rows: 1, Per: []string{"client"}},
				query.Sort{Keys: byID}, project("id"))},
		{"nulls first", "5; 4",
			orders.With(query.Sort{Keys: []query.SortKey{{Expr: col("kind"), Desc: true, NullsFirst: true}}},
				query.Take{Rows: 2},
				project("id"))},
		{"running", "1 10.00 1; 2 15.50 2; 3 7.25 1; 4 1.00 1; 5 3.00 1",
			orders.With(query.Window{Columns: []query.WindowColumn{
				{As: "r", Func: "sum", Args: []query.Expr{col("amount")}, Partition: []query.Expr{col("client")}, Order: byID},
				{As: "k", Func: "row_number", Partition: []query.Expr{col("client")}, Order: byID}}},
				project("id", "r", "k"))},
		{"except", "3",
			clients.With(query.Project{Columns: []query.Named{{As: "c", Expr: col("cid")}}}, query.Set{Op: query.Except,
				With: orders.With(query.Project{Columns: []query.Named{{As: "c", Expr: col("client")}}})})},
		{"dates", "2024-02-29 1 29",
			orders.With(query.Filter{Where: do("eq", col("id"), num(1))}, query.Project{Columns: []query.Named{
				{As: "a", Expr: do("shift", txt("month"), num(1), col("day"))},
				{As: "b", Expr: do("part", txt("quarter"), col("day"))},
				{As: "c", Expr: do("sub", query.Lit(table.DateValue(2024, 2, 29)), col("day"))}}})},
	} {
		for _, opts := range [][]run.Option{nil, {run.Plain()}} {
			res, err := run.Run(context.Background(), c.q, tables(t), opts...)
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
				continue
			}
			if got := shown(res.Table); got != c.want {
				t.Errorf("%s (%d options): %s, want %s", c.name, len(opts), got, c.want)
			}
		}
	}
}

func TestUnknownColumn(t *testing.T) {
	_, err := run.Run(
		context.Background(),
		query.From("orders").With(query.Filter{Where: do("gt", col("amont"), num(1))}),
		tables(t),
	)
	var unknown *table.UnknownColumnError
	var placed *run.Error
	if !errors.As(err, &unknown) || !errors.As(err, &placed) || placed.Path != "stages[0].where" {
		t.Fatalf("%v", err)
	}
}

// What 64 bits do not hold is computed in more digits and is not missing; a figure that cannot be exact says so.
func TestNothingInexactWithoutANote(t *testing.T) {
	const least, odd = "-9223372036854775808", "9007199254740993"
	in := run.TableMap{"t": made(t, "least:int odd:int one:int", least+" "+odd+" -1")}
	half := query.Lit(table.DecimalValue(0, 20, 1)) // 2.0
	float := func(e query.Expr) query.Expr { return query.Cast{Expr: e, Type: table.Float, Scale: -1} }
	for name, c := range map[string]struct {
		expr query.Expr
		want string
		note bool
	}{
		"the quotient of 2^63":         {do("idiv", col("least"), col("one")), "9223372036854775808", false},
		"by zero":                      {do("idiv", col("least"), do("add", col("one"), num(1))), "null", false},
		"the absolute of -2^63":        {do("abs", col("least")), "9223372036854775808", false},
		"rounded beyond 64 bits":       {do("round", col("least"), num(-1)), "-9223372036854775810", false},
		"a quotient with half a unit":  {do("div", do("mul", col("odd"), num(2)), half), "9007199254740992", true},
		"a quotient of whole numbers":  {do("div", col("odd"), num(1)), "9007199254740992", true},
		"a number made a double":       {float(col("odd")), "9007199254740992", true},
		"a sum with a double":          {do("add", col("odd"), float(num(0))), "9007199254740992", true},
		"a quotient that doubles hold": {do("div", col("one"), num(4)), "-0.25", false},
		"a small number as a double":   {float(num(12)), "12", false},
	} {
		q := query.From("t").With(query.Project{Columns: []query.Named{{As: "x", Expr: c.expr}}})
		res, err := run.Run(t.Context(), q, in)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		note := strings.Contains(strings.Join(res.Notes, "\n"), "last digits may be rounded")
		if got := shown(res.Table); got != c.want || note != c.note {
			t.Errorf("%s: %s %q, want %s", name, got, res.Notes, c.want)
		}
	}
}
