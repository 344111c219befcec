package push_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"catena/query"
	"catena/query/push"
	"catena/query/run"
	"catena/query/sql"
	"catena/table"
)

// pretended is a database that computes what it is sent by package run: the statement's text says which query it was.
type pretended struct {
	dialect sql.Dialect
	tables  run.TableMap
	asked   []string
	refuses func(text string) error
}

func (d *pretended) Dialect() sql.Dialect { return d.dialect }

func (d *pretended) Relation(name string) (sql.Relation, bool) {
	t, ok := d.tables[name]
	if !ok {
		return sql.Relation{}, false
	}
	r := sql.Relation{Path: []string{name}}
	for _, f := range query.SchemaOf(t) {
		r.Columns = append(r.Columns, sql.Stored{Field: f, Column: f.Name})
	}
	return r, true
}

// Query reads the columns of one table, which is all that the tests send.
func (d *pretended) Query(ctx context.Context, s sql.Statement) (*table.Table, []string, error) {
	d.asked = append(d.asked, fmt.Sprint(s.Text, s.Args))
	if d.refuses != nil {
		if err := d.refuses(s.Text); err != nil {
			return nil, nil, err
		}
	}
	for name, t := range d.tables {
		if !strings.Contains(s.Text, `"`+name+`"`) {
			continue
		}
		if strings.Contains(s.Text, "COUNT") {
			b := table.NewBuilder(s.Columns[0].Column)
			err := b.Append(table.IntValue(int64(t.NumRows())))
			return b.Table(), nil, err
		}
		out, err := t.Select(s.Columns.Names()...)
		return out, nil, err
	}
	return nil, nil, fmt.Errorf("no table in %s", s.Text)
}

// catalog has tables here and in databases.
type catalog struct {
	run.TableMap
	sources map[string]*pretended
}

func (c catalog) Source(name string) push.Source {
	if d, ok := c.sources[name]; ok {
		return d
	}
	return nil
}

func (c catalog) Schema(name string) (query.Schema, bool) {
	t, ok := c.TableMap[name]
	if d := c.sources[name]; d != nil {
		t, ok = d.tables[name]
	}
	if !ok {
		return nil, false
	}
	return query.SchemaOf(t), true
}

func (c catalog) Tables() []string { return nil }

func ints(t *testing.T, names []string, rows ...[]int64) *table.Table {
	t.Helper()
	var cols []table.Column
	for _, n := range names {
		cols = append(cols, table.Column{Name: n, Type: table.Int})
	}
	b := table.NewBuilder(cols...)
	for _, row := range rows {
		var values []table.Value
		for _, v := range row {
			values = append(values, table.IntValue(v))
		}
		if err := b.Append(values...); err != nil {
			t.Fatal(err)
		}
	}
	return b.Table()
}

// shops are two databases and a table that is here.
func shops(t *testing.T) (catalog, *pretended, *pretended) {
	one := &pretended{
		dialect: sql.DialectPostgreSQL,
		tables: run.TableMap{
			"shop": ints(t, []string{"id", "size", "zone"}, []int64{1, 10, 1}, []int64{2, 20, 2}, []int64{3, 30, 2}),
		},
	}
	two := &pretended{
		dialect: sql.DialectPostgreSQL,
		tables: run.TableMap{
			"sale": ints(t, []string{"shop_id", "pieces"}, []int64{1, 5}, []int64{1, 6}, []int64{3, 7}),
		},
	}
	here := run.TableMap{"zone": ints(t, []string{"zone_id", "tax"}, []int64{1, 7}, []int64{2, 9})}
	return catalog{here, map[string]*pretended{"shop": one, "sale": two}}, one, two
}

// What a database can say is sent; the rest runs here.
func TestRun(t *testing.T) {
	tests := []struct {
		text string
		want string   // rows
		sent []string // parts of what was sent, in order
	}{
		{"SELECT COUNT(*) AS n FROM shop", "[3]", []string{`SELECT COUNT(*) AS "n" FROM "shop"`}},
		{"SELECT SUM(tax) AS t FROM zone", "[16]", nil},
		{
			"SELECT UPPER('x' || size) AS u FROM shop",
			"[X10] [X20] [X30]",
			[]string{`SELECT r1."size" AS "size" FROM "shop"`},
		},
		{"SELECT size, pieces FROM shop JOIN sale ON shop_id = id ORDER BY size, pieces", "[10 5] [10 6] [30 7]",
			[]string{
				`FROM "shop"`,
				`FROM "sale" AS r1 WHERE (r1."shop_id" IN (($1)::int8, ($2)::int8, ($3)::int8))[1 2 3]`,
			}},
		{"SELECT size, tax FROM zone JOIN shop ON zone = zone_id WHERE tax > 7 ORDER BY size", "[20 9] [30 9]",
			[]string{`WHERE (r1."zone" IN (($1)::int8, ($2)::int8))[1 2]`}},
		{
			"SELECT size FROM shop WHERE id IN (SELECT shop_id FROM sale) ORDER BY size",
			"[10] [30]",
			[]string{`FROM "shop"`, `SELECT r1."shop_id" AS "shop_id" FROM "sale"`},
		},
		{
			"SELECT size FROM shop s WHERE EXISTS (SELECT 1 FROM sale x WHERE x.shop_id = s.id AND x.pieces > 6)",
			"[30]",
			[]string{`FROM "shop"`, `FROM "sale"`},
		},
		{
			"SELECT tax FROM zone UNION SELECT size FROM shop ORDER BY 1",
			"[7] [9] [10] [20] [30]",
			[]string{`SELECT r1."size" AS "size" FROM "shop"`},
		},
	}
	for _, test := range tests {
		c, one, two := shops(t)
		q, findings, err := sql.Parse(test.text, c, sql.Options{})
		if err != nil || len(findings) > 0 {
			t.Fatal(test.text, err, findings)
		}
		res, sent, err := push.Run(t.Context(), q, c)
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
			continue
		}
		var rows []string
		for i := range res.Table.NumRows() {
			rows = append(rows, fmt.Sprint(res.Table.Row(i)))
		}
		if got := strings.Join(rows, " "); got != test.want {
			t.Errorf("%s: got %s", test.text, got)
		}
		asked := slices.Concat(one.asked, two.asked)
		if len(asked) != len(test.sent) || len(sent) != len(asked) {
			t.Errorf("%s: sent %q", test.text, asked)
			continue
		}
		for i, part := range test.sent {
			if !strings.Contains(asked[i], part) {
				t.Errorf("%s: sent %q, without %s", test.text, asked[i], part)
			}
		}
	}
}

type here struct{ error }

func (here) Here() bool { return true }

// What a database could not compute runs here, over the rows of its table; what it does not answer is an error.
func TestRunAfterFaults(t *testing.T) {
	c, one, _ := shops(t)
	one.refuses = func(text string) error {
		if strings.Contains(text, "COUNT") {
			return here{fmt.Errorf("a value does not fit")}
		}
		return nil
	}
	q, _, err := sql.Parse("SELECT zone, COUNT(*) AS n FROM shop GROUP BY zone ORDER BY zone", c, sql.Options{})
	if err != nil {
		t.Fatal(err)
	}
	res, sent, err := push.Run(t.Context(), q, c)
	if err != nil || res.Table.NumRows() != 2 || len(sent) != 1 {
		t.Errorf("%v, sent %v", err, sent)
	}
	one.refuses = func(string) error { return fmt.Errorf("it is gone") }
	if _, _, err := push.Run(t.Context(), q, c); err == nil {
		t.Error("a database that does not answer gives an answer")
	}
}
