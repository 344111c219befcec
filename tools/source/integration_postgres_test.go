//go:build integration

package source_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"catena/query"
	"catena/query/sql"
	"catena/table"
	"catena/tools/source"
	"catena/tools/source/sourcetest"
)

var shop = []string{
	"CREATE ROLE reader LOGIN PASSWORD 'canary-password'", "CREATE SCHEMA other",
	"CREATE TABLE shop (id int PRIMARY KEY, town text, rent float8, paid numeric(10,2), opened date, seen timestamptz, kind char(5), open boolean)",
	"CREATE TABLE sale (id bigint PRIMARY KEY, shop_id int REFERENCES shop (id), price numeric, day date, tags text[], id2 uuid, note json)",
	"CREATE TABLE other.sale (id int)", "CREATE VIEW towns AS SELECT DISTINCT town FROM shop",
	`INSERT INTO shop VALUES (1, 'Ulm', 10.5, 1.50, '2024-02-29', '2024-02-29 23:30+01', 'a', true), (2, 'bern', 'NaN', 2.25, 'infinity', NULL, 'b', false),
		(3, NULL, 'Infinity', NULL, '0044-03-15 BC', '-infinity', NULL, NULL), (4, 'ulm', 3, 'NaN', '2024-03-01', '2024-03-01 00:00+00', 'ab', true)`,
	`INSERT INTO sale SELECT i, i % 4 + 1, i * 1.25, DATE '2024-01-01' + i::int, ARRAY['x', 'y'], NULL, '{"a": 1}' FROM generate_series(1, 500) i`,
	"GRANT USAGE ON SCHEMA public, other TO reader", "ALTER TABLE shop OWNER TO reader", "ALTER TABLE sale OWNER TO reader", "ALTER VIEW towns OWNER TO reader",
	"ALTER TABLE other.sale OWNER TO reader", "GRANT CREATE ON SCHEMA public TO reader", "GRANT CREATE, TEMPORARY ON DATABASE postgres TO reader", "CREATE SEQUENCE counter", "ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO PUBLIC", "ALTER SEQUENCE counter OWNER TO reader",
}

// open is a source over a shop, as a user who owns the tables and could write.
func open(t *testing.T, p *sourcetest.Postgres, change func(o *source.Options)) *source.Database {
	t.Helper()
	o := source.Options{Name: "shop", Kind: "postgres", URL: p.As("reader", "canary-password")}
	if change != nil {
		change(&o)
	}
	d, err := source.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

func ask(t *testing.T, d *source.Database, q query.Query) (*table.Table, []string) {
	t.Helper()
	s, err := sql.Print(q, d, d.Dialect())
	if err != nil {
		t.Fatal(err)
	}
	out, notes, err := d.Query(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return out, notes
}

func TestIntegrationPostgres(t *testing.T) {
	p := sourcetest.StartPostgres(t)
	p.Do(shop...)
	suite(t, server{
		options: source.Options{Name: "shop", Kind: "postgres", URL: p.As("reader", "canary-password")}, do: p.Do, slow: "SELECT pg_sleep(20)::text",
		writes: "writes.sql", kept: "SELECT (count(*) || ' ' || sum(id))::text FROM public.store", stop: p.Stop, start: p.Start,
	})
	t.Run("schemas", func(t *testing.T) { listsTables(t, p) })
	t.Run("values", func(t *testing.T) { readsValues(t, p) })
	t.Run("errors", func(t *testing.T) { tellsErrors(t, p) })
}

func listsTables(t *testing.T, p *sourcetest.Postgres) {
	d := open(t, p, nil)
	var got []string
	for _, tab := range d.Tables() {
		got = append(got, fmt.Sprint(tab.Name, tab.Primary, tab.Foreign))
	}
	want := "other_sale[] [] public_sale[id] [{[shop_id] shop [id]}] shop[id] [] sold[id] [{[store_id] store [id]}] store[id] [] towns[] []"
	if s := strings.Join(got, " "); s != want {
		t.Errorf("got %s", s)
	}
	if list := open(t, p, func(o *source.Options) { o.Schemas, o.Tables = []string{"public"}, []string{"public.sale"} }).Tables(); len(
		list,
	) != 1 ||
		list[0].Name != "sale" {
		t.Errorf("one table of one schema: %v", list)
	}
}

// Values that no number and no date here is count as missing, and are told of.
func readsValues(t *testing.T, p *sourcetest.Postgres) {
	d := open(t, p, nil)
	out, _ := ask(t, d, query.From("shop").With(query.Sort{Keys: []query.SortKey{{Expr: query.Col("id")}}}))
	want := `id,town,rent,paid,opened,seen,kind,open
1,Ulm,10.5,1.50,2024-02-29,2024-02-29T22:30:00Z,a,true
2,bern,,2.25,,,b,false
3,,,,,,,
4,ulm,3,,2024-03-01,2024-03-01T00:00:00Z,ab,true`
	if got := csv(t, out); got != want {
		t.Errorf("got\n%s", got)
	}
	day := query.Do("ge", query.Col("opened"), query.Lit(table.DateValue(2024, 1, 1)))
	out, _ = ask(
		t,
		d,
		query.From("shop").
			With(query.Filter{Where: day}, query.Group{Aggregates: []query.Aggregate{{As: "n", Func: "count"},
				{
					As:   "rent",
					Func: "sum",
					Args: []query.Expr{query.Col("rent")},
				}, {As: "paid", Func: "sum", Args: []query.Expr{query.Col("paid")}}}}),
	)
	if got := csv(t, out); got != "n,rent,paid\n2,13.5,1.50" {
		t.Errorf("got %s", got)
	}
	towns, _ := ask(t, d, query.From("towns").With(query.Sort{Keys: []query.SortKey{{Expr: query.Col("town")}}}))
	if got := csv(t, towns); got != "\"town\"\n\"Ulm\"\n\"bern\"\n\"ulm\"\n\"\"" {
		t.Errorf("texts in the order of their bytes: %q", got)
	}
}

func tellsErrors(t *testing.T, p *sourcetest.Postgres) {
	for _, url := range []string{p.As("reader", "wrong"), "postgres://reader:canary-password@127.0.0.1:1/x", "postgres://reader:canary-password@bad host/%zz", "host=127.0.0.1 password=canary-password port=x"} {
		var e *source.Error
		_, err := source.Open(t.Context(), source.Options{Name: "shop", Kind: "postgres", URL: url})
		if url == p.As("reader", "wrong") && err == nil {
			continue // the server trusts everybody
		}
		if !errors.As(err, &e) || strings.Contains(err.Error(), "canary-password") {
			t.Errorf("%v", err)
		}
	}
	p.Do(
		"CREATE TABLE huge (n numeric, gone int)",
		"INSERT INTO huge VALUES (1e38), (9223372036854775807)",
		"ALTER TABLE huge OWNER TO reader",
	)
	d := open(t, p, nil)
	var value *source.ValueError
	all, err := sql.Print(query.From("huge"), d, d.Dialect())
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := d.Query(t.Context(), all); !errors.As(err, &value) {
		t.Errorf("10^38: %v", err)
	}
	over := query.From("shop").
		With(query.Project{Columns: []query.Named{{As: "x", Expr: query.Do("mul", query.Col("id"), query.Lit(table.IntValue(1<<62)))}}})
	s, err := sql.Print(over, d, d.Dialect())
	if err != nil {
		t.Fatal(err)
	}
	wantCode(t, source.CodeData, d, s)
	p.Do("ALTER TABLE huge DROP COLUMN gone")
	wantCode(t, source.CodeChanged, d, all)
	p.Do("DROP TABLE huge")
	wantCode(t, source.CodeChanged, d, all)
}
