package main

import (
	"context"
	databasesql "database/sql"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"catena/bench/sets"
	"catena/query/sql"
	"catena/table"
)

// generator writes random SELECT statements that SQLite reads, over two tables of its own with nulls and doubles. Each has an
// order by all its columns, so that the rows have one order.
type generator struct {
	r     *rand.Rand
	names []string // aliases in reach, the innermost last
	of    []string // their tables
	next  int
	depth int
}

// columns of the generator's tables, by kind.
var columns = map[string]map[string][]string{
	"shop": {"int": {"id", "size", "zone"}, "real": {"rent"}, "text": {"town", "kind"}, "date": {"opened"}},
	"sale": {"int": {"id", "shop_id", "pieces"}, "real": {"price"}, "text": {"product"}, "date": {"day"}},
}

func (g *generator) pick(of ...string) string { return of[g.r.IntN(len(of))] }

func (g *generator) chance(percent int) bool { return g.r.IntN(100) < percent }

// scalar is an expression of a kind: int, real, text or date.
func (g *generator) scalar(kind string) string {
	if g.depth++; g.depth > 4 || g.chance(45) {
		g.depth--
		return g.column(kind)
	}
	defer func() { g.depth-- }()
	if g.chance(12) {
		return "CASE WHEN " + g.condition() + " THEN " + g.scalar(kind) + " ELSE " + g.scalar(kind) + " END"
	}
	if g.chance(10) {
		return "COALESCE(" + g.column(kind) + ", " + g.scalar(kind) + ")"
	}
	switch kind {
	case "int":
		return g.whole()
	case "real":
		return g.pick("("+g.scalar("real")+" * 2.5)", "("+g.scalar("real")+" - "+g.scalar("int")+")", "("+g.scalar("real")+" / "+g.scalar("int")+")",
			"ABS("+g.scalar("real")+")", "CAST("+g.scalar("int")+" AS REAL)", "(julianday("+g.column("date")+") - julianday('2024-01-01'))")
	case "text":
		return g.pick("UPPER("+g.scalar("text")+")", "SUBSTR("+g.scalar("text")+", "+g.pick("1", "2", "-2")+", 2)", "("+g.scalar("text")+" || 'z')",
			"REPLACE("+g.scalar("text")+", 'a', 'e')", "strftime('"+g.pick("%Y-%m", "%Y", "%m", "%w", "%d", "%j")+"', "+g.column("date")+")", "CAST("+g.scalar("int")+" AS TEXT)",
			"TRIM("+g.scalar("text")+", 'b')", "NULLIF("+g.scalar("text")+", 'ulm')")
	}
	return "date(" + g.column("date") + ", '" + g.pick("+3 days", "-1 day", "start of month", "start of year", "weekday 0", "+4 years") + "')"
}

func (g *generator) whole() string {
	a, b := g.scalar("int"), g.scalar("int")
	return g.pick("("+a+" + "+b+")", "("+a+" - "+b+")", "("+a+" * 3)", "("+a+" / "+b+")", "("+a+" % "+b+")", "-"+g.column("int"), "ABS("+a+")", "LENGTH("+g.scalar("text")+")",
		"INSTR("+g.scalar("text")+", 'e')", "MAX("+a+", "+b+")", "CAST(strftime('%Y', "+g.column("date")+") AS INTEGER)", "IIF("+g.condition()+", 1, 0)",
		"(SELECT "+g.pick("COUNT(*)", "MAX(q.id)", "SUM(q.pieces)")+" FROM sale q WHERE q.shop_id = "+g.column("int")+")")
}

// column is a column of a table in reach, or a constant.
func (g *generator) column(kind string) string {
	if g.chance(15) {
		return map[string]string{"int": g.pick("0", "1", "2", "7", "NULL"), "real": g.pick("0.5", "2.25", "10.0"), "text": g.pick("'ulm'", "'a'", "''"), "date": g.pick("'2024-02-29'", "'2023-12-31'")}[kind]
	}
	i := len(g.names) - 1
	if g.chance(50) {
		i = g.r.IntN(len(g.names))
	}
	return g.names[i] + "." + g.pick(columns[g.of[i]][kind]...)
}

func (g *generator) condition() string {
	if g.depth++; g.depth < 4 && g.chance(35) {
		defer func() { g.depth-- }()
		return g.pick("("+g.condition()+" AND "+g.condition()+")", "("+g.condition()+" OR "+g.condition()+")", "NOT "+g.condition(), "("+g.condition()+") IS NOT TRUE")
	}
	defer func() { g.depth-- }()
	kind := g.pick("int", "int", "real", "text", "date")
	column := g.column(kind)
	for !strings.Contains(column, ".") || strings.Contains(column, "0.5") || strings.Contains(column, "2.25") || strings.Contains(column, "10.0") {
		column = g.column(kind) // not two constants of other types
	}
	other := g.scalar(kind)
	if kind == "date" {
		other = g.column(kind)
	}
	switch g.r.IntN(9) {
	case 0:
		return column + " IS " + g.pick("", "NOT ") + "NULL"
	case 1:
		return column + g.pick(" ", " NOT ") + "BETWEEN " + g.column(kind) + " AND " + other
	case 2:
		return column + g.pick(" ", " NOT ") + "IN (" + g.column(kind) + ", " + g.column(kind) + ", " + other + ")"
	case 3:
		return g.column("text") + g.pick(" ", " NOT ") + "LIKE '" + g.pick("%a%", "U%", "_l%", "b%n", "%") + "'"
	case 4:
		return g.subquery()
	case 5:
		return column + " IS " + g.pick("", "NOT ") + other
	}
	return column + g.pick(" = ", " <> ", " < ", " <= ", " > ", " >= ") + other
}

// subquery is EXISTS or IN over one of the tables, correlated as often as not.
func (g *generator) subquery() string {
	table := g.pick("shop", "sale")
	outer := g.column("int")
	g.push(table)
	defer g.pop()
	alias := g.names[len(g.names)-1]
	where := g.condition()
	if g.chance(50) {
		where += " AND " + alias + "." + g.pick(columns[table]["int"]...) + " = " + outer
	}
	if g.chance(50) {
		return g.pick("", "NOT ") + "EXISTS (SELECT 1 FROM " + table + " " + alias + " WHERE " + where + ")"
	}
	return outer + g.pick(" ", " NOT ") + "IN (SELECT " + alias + "." + g.pick(columns[table]["int"]...) + " FROM " + table + " " + alias + " WHERE " + where + ")"
}

func (g *generator) push(table string) {
	g.next++
	g.names, g.of = append(g.names, fmt.Sprintf("t%d", g.next)), append(g.of, table)
}

func (g *generator) pop() { g.names, g.of = g.names[:len(g.names)-1], g.of[:len(g.of)-1] }

// from is one to three tables, joined.
func (g *generator) from() string {
	first := g.pick("shop", "sale")
	g.push(first)
	out := first + " " + g.names[len(g.names)-1]
	for n := g.r.IntN(3); n > 0; n-- {
		before, table := g.names[len(g.names)-1], g.of[len(g.of)-1]
		other := g.pick("shop", "sale")
		g.push(other)
		alias := g.names[len(g.names)-1]
		on := before + "." + g.pick(columns[table]["int"]...) + " = " + alias + "." + g.pick(columns[other]["int"]...)
		if g.chance(25) {
			on += " AND " + g.condition()
		}
		out += g.pick(" JOIN ", " LEFT JOIN ", " JOIN ", " FULL JOIN ", " RIGHT JOIN ") + other + " " + alias + " ON " + on
	}
	return out
}

// aggregate is one over an expression, some with a filter or DISTINCT.
func (g *generator) aggregate() string {
	out := g.pick("COUNT(*)", "COUNT("+g.scalar("text")+")", "COUNT(DISTINCT "+g.scalar("int")+")", "SUM("+g.scalar("int")+")", "SUM(DISTINCT "+g.column("int")+")",
		"AVG("+g.scalar("real")+")", "MIN("+g.scalar("text")+")", "MAX("+g.scalar("date")+")", "MAX("+g.scalar("int")+")", "TOTAL("+g.scalar("real")+")")
	if g.chance(20) {
		out += " FILTER (WHERE " + g.condition() + ")"
	}
	return out
}

func (g *generator) window() string {
	over := "ORDER BY " + g.scalar(g.pick("int", "text", "date")) + g.pick("", " DESC")
	for _, alias := range g.names {
		over += ", " + alias + ".id" // so that no two rows are equal
	}
	if g.chance(60) {
		over = "PARTITION BY " + g.column(g.pick("int", "text")) + " " + over
	}
	frame := g.pick("", "", " ROWS BETWEEN 2 PRECEDING AND 1 FOLLOWING", " ROWS UNBOUNDED PRECEDING", " ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING")
	return g.pick("ROW_NUMBER()", "LAG("+g.column("int")+")", "LEAD("+g.column("text")+", 2, 'none')", "SUM("+g.column("int")+")", "COUNT(*)", "MIN("+g.column("real")+")",
		"FIRST_VALUE("+g.column("int")+")", "AVG("+g.column("int")+")", "RANK()", "NTILE(3)") + " OVER (" + over + frame + ")"
}

// statement is a whole SELECT.
func (g *generator) statement() string {
	names, of := g.names, g.of
	defer func() { g.names, g.of = names, of }()
	from := g.from()
	grouped, windowed := g.chance(45), g.chance(15)
	var list, keys []string
	for n := 1 + g.r.IntN(2); n > 0; n-- {
		keys = append(keys, g.scalar(g.pick("int", "text", "date", "int", "real")))
	}
	list = append(list, keys...)
	switch {
	case grouped:
		for n := 1 + g.r.IntN(3); n > 0; n-- {
			list = append(list, g.aggregate())
		}
		if g.chance(15) {
			list, keys = list[len(keys):], nil
		}
	case windowed:
		list = append(list, g.window())
	}
	out := "SELECT " + g.pick("", "", "", "DISTINCT ")
	for i, e := range list {
		out += fmt.Sprintf("%s%s AS c%d", []string{"", ", "}[min(i, 1)], e, i)
	}
	out += " FROM " + from
	if g.chance(60) {
		out += " WHERE " + g.condition()
	}
	if grouped && len(keys) > 0 {
		places := make([]string, len(keys))
		for i := range keys {
			places[i] = fmt.Sprint(i + 1)
		}
		out += " GROUP BY " + strings.Join(places, ", ")
		if g.chance(25) {
			out += " HAVING " + g.aggregate() + " IS NOT NULL"
		}
	}
	return g.wrapped(out, len(list))
}

// wrapped puts a statement into a UNION, a WITH or neither, and orders it by all its columns.
func (g *generator) wrapped(out string, n int) string {
	switch g.r.IntN(8) {
	case 0:
		out = "WITH w AS (" + out + ") SELECT a.* FROM w a WHERE a.c0 IS NOT NULL"
	case 1:
		out = out + " " + g.pick("UNION", "UNION ALL", "EXCEPT", "INTERSECT") + " " + out
	case 2:
		out = "SELECT c0, COUNT(*) AS c1 FROM (" + out + ") GROUP BY c0"
		n = 2
	}
	for i := range n {
		out += fmt.Sprintf("%s%d%s", []string{" ORDER BY ", ", "}[min(i, 1)], i+1, g.pick("", " DESC", " NULLS LAST", " DESC NULLS FIRST"))
	}
	if g.chance(30) {
		out += fmt.Sprintf(" LIMIT %d OFFSET %d", 1+g.r.IntN(9), g.r.IntN(3))
	}
	return out
}

// generated compares random statements with SQLite.
func generated(ctx context.Context, o *sets.Options, there *elsewhere, n int, seed uint64) error {
	f := &there.r.Generated
	d, err := made(ctx, rand.New(rand.NewPCG(seed, 1)))
	if err != nil {
		return err
	}
	defer d.close()
	if err := there.add(ctx, d); err != nil {
		return err
	}
	for i := range n {
		g := &generator{r: rand.New(rand.NewPCG(seed, uint64(i)+2))}
		text := g.statement()
		want, err := d.query(ctx, text)
		if err != nil {
			o.Missf("SQLite does not read %s: %v", text, err)
			continue
		}
		d.statement(ctx, o, f, record{ID: fmt.Sprint("generated ", i), Rows: want, exact: true}, text, sql.DialectSQLite)
	}
	return nil
}

// made fills the generator's tables, here and in SQLite.
func made(ctx context.Context, r *rand.Rand) (*database, error) {
	db, err := databasesql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	d := &database{tables: tables{}, sqlite: db}
	text := func(of ...string) func(int) table.Value {
		return func(int) table.Value { return table.TextValue(of[r.IntN(len(of))]) }
	}
	whole := func(most int) func(int) table.Value {
		return func(int) table.Value { return table.IntValue(int64(r.IntN(most) - most/4)) }
	}
	id := func(i int) table.Value { return table.IntValue(int64(i)) }
	quarters := func(int) table.Value { return table.FloatValue(float64(r.IntN(400)-50) / 4) }
	day := func(int) table.Value { return table.DateOfDays(19600 + int64(r.IntN(500))) }
	return d, fill(ctx, d, r, map[string][]madeColumn{
		"shop": {{"id", table.Int, "INTEGER", id}, {"size", table.Int, "INTEGER", whole(40)}, {"zone", table.Int, "INTEGER", whole(5)}, {"rent", table.Float, "REAL", quarters},
			{"town", table.Text, "TEXT", text("ulm", "Bonn", "bern", "Ulm", "", "aalen")}, {"kind", table.Text, "TEXT", text("a", "b", "ab")}, {"opened", table.Date, "DATE", day}},
		"sale": {{"id", table.Int, "INTEGER", id}, {"shop_id", table.Int, "INTEGER", whole(30)}, {"pieces", table.Int, "INTEGER", whole(9)}, {"price", table.Float, "REAL", quarters},
			{"product", table.Text, "TEXT", text("tea", "Tea", "nut", "beer", "b")}, {"day", table.Date, "DATE", day}},
	})
}

// madeColumn is one column of a table that is made.
type madeColumn struct {
	name string
	typ  table.Type
	sql  string
	make func(i int) table.Value
}

func fill(ctx context.Context, d *database, r *rand.Rand, all map[string][]madeColumn) error {
	for _, name := range []string{"shop", "sale"} {
		var cols []table.Column
		var declared, marks []string
		for _, c := range all[name] {
			cols = append(cols, table.Column{Name: c.name, Type: c.typ})
			declared, marks = append(declared, c.name+" "+c.sql), append(marks, "?")
		}
		if _, err := d.sqlite.ExecContext(ctx, "CREATE TABLE "+name+" ("+strings.Join(declared, ", ")+")"); err != nil {
			return err
		}
		b := table.NewBuilder(cols...)
		for i := range map[string]int{"shop": 24, "sale": 60}[name] {
			row, args := make([]table.Value, len(cols)), make([]any, len(cols))
			for j, c := range all[name] {
				if row[j] = c.make(i); j > 0 && r.IntN(9) == 0 {
					row[j] = table.Value{}
				}
				args[j] = argument(row[j])
			}
			if err := b.Append(row...); err != nil {
				return err
			}
			if _, err := d.sqlite.ExecContext(ctx, "INSERT INTO "+name+" VALUES ("+strings.Join(marks, ", ")+")", args...); err != nil {
				return err
			}
		}
		d.tables[name] = b.Table()
	}
	return nil
}

// argument is a value as SQLite's driver takes it.
func argument(v table.Value) any {
	switch {
	case v.IsNull():
		return nil
	case v.Type() == table.Int:
		n, _ := v.Int()
		return n
	case v.Type() == table.Float:
		f, _ := v.Float()
		return f
	case v.Type() == table.Date:
		t, _ := v.Time()
		return t.Format(time.DateOnly)
	}
	return v.Text()
}
