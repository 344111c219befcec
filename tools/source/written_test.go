package source_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"catena/tools/source"
)

// What a statement has of parameters, and what it may not have, in the forms of each kind.
func TestReadWritten(t *testing.T) {
	for _, test := range []struct {
		kinds, text string
		positional  string
		want        string // the parameters; or !: a part of the error
	}{
		{"postgres mysql sqlite", "SELECT a FROM t WHERE b = :b AND c > :c OR b = :b", "", "b c"},
		{"postgres mysql sqlite", "select ':no', \":no\" from t -- :no\n where /* :no */ a = :a ; -- end", "", "a"},
		{"postgres", "SELECT a::text, b[:n] FROM t WHERE c = $tag$ :no; $tag$ AND d = E'\\':no' AND e = :e", "", "n e"},
		{"postgres", "SELECT /* a /* :no */ :no */ j ? 'k', x @> y FROM t WHERE a = $1 AND b = $2", "a b", "a b"},
		{"mysql", "SELECT 'it\\'s :no', `:no` FROM t WHERE a = ? AND b = ? # :no", "a b", "a b"},
		{"mysql", "SELECT 5--1, @@version, :x", "", "x"},
		{"sqlite", "SELECT [:no] FROM t WHERE a = ? AND b = :b", "a", "a b"},
		{"postgres mysql sqlite", "WITH x AS (SELECT 1) SELECT (insert('a', 1, 1, 'b')), \"update\" FROM x", "", ""},
		{"postgres mysql sqlite", "UPDATE t SET a = 1", "", "!begins with UPDATE"},
		{"postgres mysql sqlite", "", "", "!there is no statement"},
		{"postgres mysql sqlite", "-- nothing", "", "!there is no statement"},
		{"postgres mysql sqlite", "SELECT 1; DROP TABLE t", "", "!second statement"},
		{"postgres mysql sqlite", "SELECT 1) AS x; --", "", "!closed that is not open"},
		{"postgres mysql sqlite", "SELECT (1", "", "!not closed"},
		{"postgres mysql sqlite", "SELECT 'a", "", "!not closed"},
		{"postgres mysql sqlite", "SELECT 1 /* a", "", "!not closed"},
		{"postgres", "WITH x AS (DELETE FROM t RETURNING *) SELECT * FROM x", "", "!it has DELETE"},
		{"postgres", "WITH x AS (SELECT 1) INSERT INTO t SELECT * FROM x", "", "!it has INSERT"},
		{"postgres", "SELECT $1", "", "!placeholder $1; write a parameter as :name"},
		{"mysql sqlite", "SELECT ?", "", "!placeholder ?"},
		{"mysql sqlite", "SELECT @x", "", "!write a parameter as :name"},
		{"mysql", "SELECT @x := 1", "", "!"},
		{"mysql", "SELECT 1 /*!50000 INTO OUTFILE 'x' */", "", "!the database runs"},
		{"oracle", "SELECT 1", "", "!no kind"},
	} {
		for _, kind := range strings.Fields(test.kinds) {
			w, err := source.ReadWritten(kind, test.text, strings.Fields(test.positional))
			got := strings.Join(w.Parameters(), " ")
			want, fault := strings.CutPrefix(test.want, "!")
			if fault != (err != nil) || fault && !strings.Contains(err.Error(), want) || !fault && got != want {
				t.Errorf("%s: %s: %q %v", kind, test.text, got, err)
			}
		}
	}
	if _, err := source.ReadWritten("sqlite", "SELECT '"+strings.Repeat("x", 70_000)+"'", nil); err == nil {
		t.Error("a statement without end is taken")
	}
}

// statements runs what an operator wrote: values are bound, and nothing is written.
func (s server) statements(t *testing.T) {
	d := s.open(t, nil)
	read := func(text string) source.Written {
		t.Helper()
		w, err := source.ReadWritten(s.options.Kind, text, nil)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		return w
	}
	samples := map[string]any{"town": "a", "least": json.Number("1"), "most": json.Number("1"), "day": "2000-01-01"}
	for _, test := range []struct {
		text   string
		values map[string]any
		want   string
	}{
		{"SELECT id, town, paid FROM store WHERE town = :town", map[string]any{"town": "bern"}, "id,town,paid\n2,bern,2.25"},
		{"SELECT id FROM store WHERE town = :town", map[string]any{"town": "' OR 1 = 1 --"}, "id"},
		{"SELECT id FROM store WHERE town = :town", nil, "id"},
		{"SELECT id, paid FROM store WHERE paid >= :least AND town <> COALESCE(:town, 'x') ORDER BY paid DESC LIMIT :most",
			map[string]any{"least": json.Number("2.25"), "most": json.Number("2"), "town": nil}, "id,paid\n6,99999999.99\n8,3.33"},
		{"SELECT day, price FROM sold WHERE day = :day;", map[string]any{"day": "2024-01-05"}, "day,price\n2024-01-05,12.04"},
		{"SELECT COUNT(*) AS n, SUM(price) AS total FROM sold WHERE store_id = :most", map[string]any{"most": json.Number("2")}, ""},
	} {
		w := read(test.text)
		if _, err := d.Describe(t.Context(), w, samples); err != nil {
			t.Errorf("%s: %v", test.text, err)
		}
		out, _, err := d.Run(t.Context(), w, test.values)
		if err != nil || test.want != "" && strings.ReplaceAll(csv(t, out), `"`, "") != test.want {
			t.Errorf("%s: %v\n%s", test.text, err, csv(t, out))
		}
	}
	for text, want := range map[string]string{
		"SELECT id FROM shelf":                   "shelf",
		"SELECT ids FROM store":                  "ids",
		"SELECT id FROM store WHERE":             "syntax",
		"SELECT s.id, t.id FROM store s, sold t": "id",
		"SELECT nosuch(id) FROM store":           "nosuch",
	} {
		if _, err := d.Describe(t.Context(), read(text), nil); err == nil || !strings.Contains(strings.ToLower(err.Error()), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// FuzzReadWritten: what is read does not depend on how often, and a statement that is taken is one, with no bracket left open.
func FuzzReadWritten(f *testing.F) {
	for _, text := range []string{
		"SELECT a FROM t WHERE b = :b -- c", "SELECT '\\'', E'\\'', $a$ ; $a$, [x], `y`, \"z\" FROM t; /* a /* b */ */",
		"WITH x AS (SELECT ?) SELECT $1, @@v, a::int # c", "SELECT :a, /*!1 x */ (insert(1))",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, kind := range []string{"postgres", "mysql", "sqlite"} {
			w, err := source.ReadWritten(kind, text, []string{"p", "q"})
			if err != nil {
				continue
			}
			if again, err := source.ReadWritten(kind, "SELECT * FROM ("+text+"\n) AS t", []string{"p", "q"}); err == nil {
				if a, b := w.Parameters(), again.Parameters(); !slices.Equal(a, b) {
					t.Errorf("%s: %q has %v, and in brackets %v", kind, text, a, b)
				}
			}
			if second, err := source.ReadWritten(kind, text+"\n;SELECT 1", []string{"p", "q"}); err == nil {
				t.Errorf("%s: %q with a second statement is taken: %v", kind, text, second)
			}
			if _, err := source.ReadWritten(kind, text+"\n)", nil); err == nil {
				t.Errorf("%s: %q with a bracket that closes too much is taken", kind, text)
			}
		}
	})
}
