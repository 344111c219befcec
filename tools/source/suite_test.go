package source_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"catena/query"
	"catena/query/push"
	"catena/query/run"
	"catena/query/sql"
	"catena/table"
	tablecsv "catena/table/csv"
	"catena/tools/source"
)

var update = flag.Bool("update", false, "write testdata/questions.txt anew")

// server is a database of one kind that the suite runs against.
type server struct {
	options source.Options
	do      func(statements ...string) // as somebody who may do everything
	slow    string                     // a statement that takes minutes
	writes  string                     // the file of statements that are refused
	kept    string                     // a statement whose one value tells whether something was written
	stop    func()
	start   func()
}

// suite is what all kinds of databases do alike.
func suite(t *testing.T, s server) {
	s.do(suiteTables()...)
	t.Run("tables", s.lists)
	t.Run("questions", s.answers)
	t.Run("statements", s.statements)
	t.Run("read only", s.onlyReads)
	t.Run("limits", s.limits)
	t.Run("changes", s.changes)
	if s.stop != nil { // a file has no server
		t.Run("lost", s.loses)
	}
}

// suiteTables are two tables with keys, nulls, texts that differ in case, marks and blanks, and decimals.
func suiteTables() []string {
	sales := make([]string, 500)
	for i := range sales {
		day := time.Date(2024, 1, 1+i, 0, 0, 0, 0, time.UTC).Format("2006-01-02")
		sales[i] = fmt.Sprintf("(%d, %d, %d.%02d, '%s')", i+1, i%4+1, i*3, i%100, day)
	}
	sales[7] = "(8, NULL, NULL, NULL)"
	return []string{
		"CREATE TABLE store (id INTEGER PRIMARY KEY, town VARCHAR(40), rent DOUBLE PRECISION, paid DECIMAL(10,2), opened DATE)",
		"CREATE TABLE sold (id INTEGER PRIMARY KEY, store_id INTEGER, price DECIMAL(10,2), day DATE, FOREIGN KEY (store_id) REFERENCES store (id))",
		"INSERT INTO store VALUES (1, 'Ulm', 10.5, 1.50, '2024-02-29'), (2, 'bern', -2.25, 2.25, NULL), (3, NULL, NULL, NULL, '1999-12-31')," +
			" (4, 'ulm', 3, 0.10, '2024-03-01'), (5, 'Ülm', 1e10, -7.35, '2023-01-01'), (6, 'ulm ', 0.1, 99999999.99, '2024-12-30')," +
			" (7, 'a_b%c', 0, 0, '2024-01-01'), (8, '', 2.5, 3.33, '2020-02-29')",
		"INSERT INTO sold VALUES " + strings.Join(sales, ", "),
	}
}

func (s server) open(t *testing.T, change func(o *source.Options)) *source.Database {
	t.Helper()
	o := s.options
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

func (s server) lists(t *testing.T) {
	only := func(o *source.Options) { o.Tables = []string{"store", "sold"} }
	var got []string
	for _, tab := range s.open(t, only).Tables() {
		var types []string
		for _, f := range tab.Columns() {
			types = append(types, f.Name+" "+f.Type.String())
		}
		n, about, err := tab.Rows(t.Context())
		got = append(got, fmt.Sprint(tab.Name, types, tab.Primary, tab.Foreign, n, about, err))
	}
	want := "sold[id integer store_id integer price decimal day date] [id] [{[store_id] store [id]}] 500 false <nil>\n" +
		"store[id integer town text rent float paid decimal opened date] [id] [] 8 false <nil>"
	if strings.Join(got, "\n") != want {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}

// there is a catalog of one database.
type there struct{ *source.Database }

func (c there) Schema(name string) (query.Schema, bool) {
	for _, t := range c.Database.Tables() {
		if t.Name == name {
			return t.Columns(), true
		}
	}
	return nil, false
}

func (c there) Tables() (names []string) {
	for _, t := range c.Database.Tables() {
		names = append(names, t.Name)
	}
	return names
}

func (c there) Table(context.Context, string) (*table.Table, error) {
	return nil, errors.New("all tables are in the database")
}

func (c there) Source(string) push.Source { return c.Database }

// The same question gives the same table, whatever the source: those of testdata/questions.sql are in questions.txt,
// computed where the tables are, and here.
func (s server) answers(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "questions.sql"))
	if err != nil {
		t.Fatal(err)
	}
	d := s.open(t, func(o *source.Options) { o.Tables = []string{"store", "sold"} })
	here := run.TableMap{}
	for _, tab := range d.Tables() {
		if here[tab.Name], _, err = tab.Read(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	var b strings.Builder
	whole, all := 0, 0
	for _, text := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		q, findings, err := sql.Parse(text, there{d}, sql.Options{Dialect: sql.DialectPostgreSQL})
		if err != nil || len(findings) > 0 {
			t.Fatalf("%s: %v %v", text, err, findings)
		}
		if all++; push.Whole(q, there{d}) {
			whole++
		} else {
			_, err := sql.Print(q, d, d.Dialect())
			t.Logf("in parts: %s: %v", text, err)
		}
		got, _, err := push.Run(t.Context(), q, there{d})
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		local, err := run.Run(t.Context(), q, here)
		if err != nil {
			t.Fatal(err)
		}
		if a, b := csv(t, got.Table), csv(t, local.Table); a != b {
			t.Errorf("%s: there\n%s\nhere\n%s", text, a, b)
		}
		fmt.Fprintf(&b, "%s\n%s\n\n", text, csv(t, got.Table))
	}
	t.Logf("%d of %d computed wholly there", whole, all)
	path := filepath.Join("testdata", "questions.txt")
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(path); err != nil || string(want) != b.String() {
		t.Errorf("not the answers of testdata/questions.txt (%v):\n%s", err, b.String())
	}
}

// text is a statement of one text column.
func statement(text string) sql.Statement {
	return sql.Statement{Text: text, Columns: query.Schema{{Column: table.Column{Name: "x", Type: table.Text}}}}
}

func (s server) onlyReads(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", s.writes))
	if err != nil {
		t.Fatal(err)
	}
	d := s.open(t, nil)
	before, _, err := d.Query(t.Context(), statement(s.kept))
	if err != nil {
		t.Fatal(err)
	}
	statements := strings.Split(strings.TrimSpace(string(data)), "\n")
	if len(statements) < 60 {
		t.Errorf("%d statements", len(statements))
	}
	for _, text := range statements {
		if out, _, err := d.Query(t.Context(), statement(text)); err == nil {
			t.Errorf("not refused: %s\n%s", text, csv(t, out))
		}
	}
	after, _, err := s.open(t, nil).Query(t.Context(), statement(s.kept))
	if err != nil || csv(t, after) != csv(t, before) {
		t.Errorf("%v, was %s, is %s", err, csv(t, before), csv(t, after))
	}
}

func (s server) limits(t *testing.T) {
	var over *table.LimitError
	for _, lim := range []source.Limits{{Rows: 100}, {Bytes: 4000}} {
		d := s.open(t, func(o *source.Options) { o.Limits = lim })
		all, err := sql.Print(query.From("sold"), d, d.Dialect())
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := d.Query(t.Context(), all); !errors.As(err, &over) {
			t.Errorf("%+v: %v", lim, err)
		}
	}
	d := s.open(t, nil)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, _, err := d.Query(ctx, statement(s.slow)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a call that ends: %v", err)
	}
	// Long enough to open the database on a slow machine, far from what the statement takes.
	wantCode(t, source.CodeTimeout, s.open(t, func(o *source.Options) { o.Timeout = 5 * time.Second }), statement(s.slow))
}

// A table that is changed or gone is told of.
func (s server) changes(t *testing.T) {
	s.do("CREATE TABLE passing (id INTEGER, gone INTEGER)", "INSERT INTO passing VALUES (1, 2)")
	d := s.open(t, nil)
	all, err := sql.Print(query.From("passing"), d, d.Dialect())
	if err != nil {
		t.Fatal(err)
	}
	s.do("ALTER TABLE passing DROP COLUMN gone")
	wantCode(t, source.CodeChanged, d, all)
	s.do("DROP TABLE passing")
	wantCode(t, source.CodeChanged, d, all)
}

// A server that dies in the middle is told of, and found again when it is back.
func (s server) loses(t *testing.T) {
	d := s.open(t, nil)
	all, err := sql.Print(query.From("store"), d, d.Dialect())
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		_, _, err := d.Query(context.Background(), statement(s.slow))
		done <- err
	}()
	time.Sleep(200 * time.Millisecond)
	s.stop()
	var e *source.Error
	if err := <-done; !errors.As(err, &e) || e.Code != source.CodeUnavailable {
		t.Errorf("%v", err)
	}
	wantCode(t, source.CodeUnavailable, d, all)
	s.start()
	if out, _, err := d.Query(t.Context(), all); err != nil || out.NumRows() != 8 {
		t.Errorf("after it is back: %v", err)
	}
}

func wantCode(t *testing.T, code string, d *source.Database, s sql.Statement) {
	t.Helper()
	_, _, err := d.Query(t.Context(), s)
	wantError(t, code, err)
}

func wantError(t *testing.T, code string, err error) {
	t.Helper()
	var e *source.Error
	if !errors.As(err, &e) || e.Code != code {
		t.Errorf("want %s, got %v", code, err)
	}
}

func csv(t *testing.T, tab *table.Table) string {
	t.Helper()
	var b strings.Builder
	if err := tablecsv.Write(t.Context(), &b, tab); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(b.String())
}
