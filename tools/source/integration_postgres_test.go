//go:build integration

package source_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

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
	"ALTER TABLE other.sale OWNER TO reader", "GRANT CREATE ON SCHEMA public TO reader", "GRANT CREATE, TEMPORARY ON DATABASE postgres TO reader", "CREATE SEQUENCE counter", "ALTER SEQUENCE counter OWNER TO reader",
}

// open is a source over a shop, as a user who owns the tables and could write.
func open(t *testing.T, p *sourcetest.Postgres, change func(o *source.Options)) *source.Database {
	t.Helper()
	o := source.Options{Name: "shop", URL: p.As("reader", "canary-password")}
	if change != nil {
		change(&o)
	}
	d, err := source.OpenPostgres(t.Context(), o)
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

func csv(t *testing.T, tab *table.Table) string {
	t.Helper()
	var b strings.Builder
	if err := tab.WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(b.String())
}

func TestIntegrationPostgres(t *testing.T) {
	p := sourcetest.StartPostgres(t)
	p.Do(shop...)
	t.Run("tables", func(t *testing.T) { listsTables(t, p) })
	t.Run("values", func(t *testing.T) { readsValues(t, p) })
	t.Run("read only", func(t *testing.T) { onlyReads(t, p) })
	t.Run("limits", func(t *testing.T) { keepsLimits(t, p) })
	t.Run("errors", func(t *testing.T) { tellsErrors(t, p) })
	t.Run("lost", func(t *testing.T) { loses(t, p) })
}

func listsTables(t *testing.T, p *sourcetest.Postgres) {
	d := open(t, p, nil)
	var got []string
	for _, tab := range d.Tables() {
		got = append(got, fmt.Sprint(tab.Name, tab.Primary, tab.Foreign))
	}
	want := "other_sale[] [] public_sale[id] [{[shop_id] shop [id]}] shop[id] [] towns[] []"
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

func onlyReads(t *testing.T, p *sourcetest.Postgres) {
	data, err := os.ReadFile("testdata/writes.sql")
	if err != nil {
		t.Fatal(err)
	}
	d := open(t, p, nil)
	statements := strings.Split(strings.TrimSpace(string(data)), "\n")
	if len(statements) < 60 {
		t.Errorf("%d statements", len(statements))
	}
	for _, text := range statements {
		columns := query.Schema{{Column: table.Column{Name: "x", Type: table.Text}}}
		_, _, err := d.Query(t.Context(), sql.Statement{Text: text, Columns: columns})
		if err == nil {
			t.Errorf("not refused: %s", text)
		}
	}
	var shops, sales int
	if err := p.DB.QueryRow("SELECT (SELECT count(*) FROM shop), (SELECT count(*) FROM sale)").Scan(&shops, &sales); err != nil ||
		shops != 4 ||
		sales != 500 {
		t.Errorf("%d shops, %d sales: %v", shops, sales, err)
	}
}

func keepsLimits(t *testing.T, p *sourcetest.Postgres) {
	var over *table.LimitError
	all, err := sql.Print(query.From("public_sale"), open(t, p, nil), sql.DialectPostgreSQL)
	if err != nil {
		t.Fatal(err)
	}
	for _, lim := range []source.Limits{{Rows: 100}, {Bytes: 4000}} {
		d := open(t, p, func(o *source.Options) { o.Limits = lim })
		if _, _, err := d.Query(t.Context(), all); !errors.As(err, &over) {
			t.Errorf("%+v: %v", lim, err)
		}
	}
	d := open(t, p, func(o *source.Options) { o.Timeout = 50 * time.Millisecond })
	slow := sql.Statement{
		Text:    "SELECT pg_sleep(5)::text",
		Columns: query.Schema{{Column: table.Column{Name: "x", Type: table.Text}}},
	}
	wantCode(t, source.CodeTimeout, d, slow)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, _, err := open(t, p, nil).Query(ctx, slow); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a call that ends: %v", err)
	}
}

func wantCode(t *testing.T, code string, d *source.Database, s sql.Statement) {
	t.Helper()
	var e *source.Error
	if _, _, err := d.Query(t.Context(), s); !errors.As(err, &e) || e.Code != code {
		t.Errorf("%s: want %s, got %v", s.Text, code, err)
	}
}

func tellsErrors(t *testing.T, p *sourcetest.Postgres) {
	for _, url := range []string{p.As("reader", "wrong"), "postgres://reader:canary-password@127.0.0.1:1/x", "postgres://reader:canary-password@bad host/%zz", "host=127.0.0.1 password=canary-password port=x"} {
		var e *source.Error
		_, err := source.OpenPostgres(t.Context(), source.Options{Name: "shop", URL: url})
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

// A server that dies in the middle is told of, and found again when it is back.
func loses(t *testing.T, p *sourcetest.Postgres) {
	d := open(t, p, nil)
	shops, err := sql.Print(query.From("shop"), d, d.Dialect())
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		_, _, err := d.Query(
			context.Background(),
			sql.Statement{
				Text:    "SELECT pg_sleep(20)::text",
				Columns: query.Schema{{Column: table.Column{Name: "x", Type: table.Text}}},
			},
		)
		done <- err
	}()
	time.Sleep(200 * time.Millisecond)
	p.Stop()
	var e *source.Error
	if err := <-done; !errors.As(err, &e) || e.Code != source.CodeUnavailable {
		t.Errorf("%v", err)
	}
	wantCode(t, source.CodeUnavailable, d, shops)
	p.Start()
	if out, _, err := d.Query(t.Context(), shops); err != nil || out.NumRows() != 4 {
		t.Errorf("after it is back: %v", err)
	}
}
