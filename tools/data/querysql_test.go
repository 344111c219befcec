package data_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// A statement in place of a query's JSON: over listed tables, over names that the call gives, and with what is said of it.
func TestQuerySQL(t *testing.T) {
	reg, _ := kitchen(t, nil)
	tests := []struct {
		name, args  string
		want        []string // rows, cells joined by |
		title, note string   // parts of them
	}{
		{
			name:  "a listed table",
			args:  `{"sql": "SELECT region, COUNT(*) AS n FROM clients GROUP BY region ORDER BY n DESC, region LIMIT 1"}`,
			title: "for each",
		},
		{
			name: "names that the call gives",
			args: `{"sql": "SELECT s.who, s.paid - r.back AS kept FROM s JOIN r ON r.who = s.who WHERE s.paid > 1 ORDER BY kept DESC",
				"tables": {"s": [{"who": "ann", "paid": 3}, {"who": "bob", "paid": 9}, {"who": "eve", "paid": 1}], "r": "who,back\nann,1\nbob,2\n"}}`,
			want: []string{"bob|7", "ann|2"},
		},
		{
			name: "a doubt",
			args: `{"sql": "SELECT a / b AS q FROM t", "tables": {"t": "a,b\n6,3\n1,0\n"}}`,
			want: []string{"2", ""},
			note: "divisor is zero",
		},
		{
			name: "texts that are no numbers", args: `{"sql": "SELECT SUM(CAST(a AS INTEGER)) AS s FROM t", "tables": {"t": [{"a": "6"}, {"a": "x"}]}}`,
			want: []string{"6"},
			note: "Texts that are no integer count as missing.",
		},
		{
			name: "rows that a join repeats",
			args: `{"sql": "SELECT COUNT(o.freight) AS f FROM o JOIN i ON i.of_order = o.order_id",
				"tables": {"o": "order_id,freight\n1,10\n2,5\n", "i": "item,of_order\n1,1\n2,1\n3,2\n"}}`,
			want: []string{"3"},
			note: "Rows of o count 1 time more in count, as a join gave several rows for each: take it before the join, in a subquery.",
		},
		{
			name: "a sum of names", args: `{"sql": "SELECT SUM(client_id) FROM clients"}`,
			note: "it names something",
		},
		{
			name: "a join of one name", args: `{"sql": "SELECT c.region, SUM(r.revenue_usd) FROM clients c JOIN revenue r ON r.client_id = c.client_id GROUP BY c.region LIMIT 1"}`,
			title: "of clients, with revenue where Client ID is the same",
		},
		{
			name: "the day of the turn",
			args: `{"sql": "SELECT date('now') AS today FROM t", "tables": {"t": "a\n6\n"}}`,
			want: []string{"2026-11-15"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			res := call(t, reg, "query_table", test.args)
			if res.IsError {
				t.Fatalf("%s: %s", res.Code, res.Text)
			}
			var got []string
			for _, row := range rows(res.Table) {
				got = append(got, strings.Join(row, "|"))
			}
			if test.want != nil && strings.Join(got, "\n") != strings.Join(test.want, "\n") {
				t.Errorf("got %q, want %q", got, test.want)
			}
			if !strings.Contains(res.Title, test.title) || !strings.Contains(strings.Join(res.Notes, " "), test.note) {
				t.Errorf("title %q, notes %q", res.Title, res.Notes)
			}
		})
	}
}

// What cannot run says what is wrong, where, and what to write instead.
func TestQuerySQLFaults(t *testing.T) {
	reg, _ := kitchen(t, nil)
	for args, want := range map[string]string{
		`{"sql": "SELECT nme FROM clients"}`:                                            "nme",
		`{"sql": "SELECT * FROM client"}`:                                               "clients",
		`{"sql": "DELETE FROM clients"}`:                                                "SELECT",
		`{"sql": "SELECT 1; SELECT 2"}`:                                                 "one",
		`{"sql": "SELECT * FROM clients", "limit": 3}`:                                  "limit says what sql says already",
		`{"sql": "SELECT * FROM t", "tables": "t"}`:                                     "tables must be",
		`{"sql": "SELECT * FROM t", "tables": {"t": "tbl_aaaaaaaaaaaaaaaaaaaaaaaaaa"}}`: "tables: t: there is no table",
		`{"sql": "SELECT * FROM t", "tables": {"t": "nosuch"}}`:                         "tables: t: there is no table \"nosuch\"",
		`{"sql": "SELECT * FROM t", "tables": {"t": 7}}`:                                "tables: t: ",
		`{"sql": "SELECT SUM(o.freight) AS f FROM o JOIN i ON i.of_order = o.order_id",
			"tables": {"o": "order_id,freight\n1,10\n2,5\n", "i": "item,of_order\n1,1\n2,1\n3,2\n"}}`: "rows of o count 1 time more in sum",
		`{"sql": 3}`:                            "must be a text",
		`{"sql": "SELECT load_extension('x')"}`: "LOAD_EXTENSION",
	} {
		if !json.Valid([]byte(args)) {
			t.Fatal(args)
		}
		res := call(t, reg, "query_table", args)
		if !res.IsError || !strings.Contains(res.Text, want) {
			t.Errorf("%s: error %v, %q", args, res.IsError, res.Text)
		}
	}
}

// A share stays one through a statement: 0.34 is 34 %, and what is computed from it is none unless it must be.
func TestRatiosInSQL(t *testing.T) {
	reg, _ := kitchen(t, nil)
	res := call(t, reg, "query_table", `{"sql": "SELECT gross_margin, 1 - gross_margin AS rest, gross_margin * 100 AS points, AVG(gross_margin) OVER () AS average FROM clients LIMIT 1"}`)
	want := []string{"ratio", "ratio", "", "ratio"}
	for i, c := range res.Table.Columns() {
		if c.Unit != want[i] {
			t.Errorf("%s is in %q, want %q", c.Name, c.Unit, want[i])
		}
	}
}
