package query_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"catena/query"
	"catena/table"
)

// written are queries with what spoken does not have.
var written = append([]query.Query{
	query.From("orders").
		With(query.Window{Columns: []query.WindowColumn{{As: "w", Func: "sum", Args: []query.Expr{col("paid")},
			Frame: query.Frame{
				Unit:  query.Rows,
				Start: query.Bound{Offset: table.IntValue(-2)},
				End:   query.Bound{Unbounded: true},
			}}}}),
	query.From("orders").
		With(query.Project{Columns: []query.Named{{As: "a", Expr: query.Cast{Expr: col("note"), Type: table.Decimal, Scale: 2, Strict: true}},
			{As: "n", Expr: query.Lit(table.NullValue)}, {As: "t", Expr: query.Lit(table.DateValue(2026, 2, 28))}}}),
	query.From("orders").
		With(query.Take{Rows: 3, Per: []string{"client"}, Ties: []query.SortKey{{Expr: col("paid"), Desc: true, NullsFirst: true}}}),
}, spoken...)

func TestJSONRoundTrip(t *testing.T) {
	for _, q := range written {
		data, err := json.Marshal(q)
		if err != nil {
			t.Fatal(err)
		}
		var back query.Query
		if err := json.Unmarshal(data, &back); err != nil {
			t.Errorf("%s: %v", data, err)
			continue
		}
		if again, _ := json.Marshal(back); string(again) != string(data) {
			t.Errorf("got  %s\nwant %s", again, data)
		}
		if q.Stages != nil && !reflect.DeepEqual(q, back) && !strings.Contains(string(data), "aggregates") {
			t.Errorf("%s: read as %#v", data, back)
		}
	}
}

func TestJSONFaults(t *testing.T) {
	for text, want := range map[string]string{
		`{"form": "orders"}`:                                        `no member "form"`,
		`{"stages": [{"filter": {"column": "x"}}]}`:                 `one of these members`,
		`{"stages": [{"filtre": 1}]}`:                               `one of these members`,
		`{"stages": [{"take": 1.5}]}`:                               `1.5 is not`,
		`{"stages": [{"filter": {"lit": "x", "type": "integer"}}]}`: `stages: [0]: filter`,
		`{"stages": [{"filter": {"lit": "3", "type": "bigint"}}]}`:  `no type "bigint"`,
		`{"stages": {"filter": 1}}`:                                 `a list is needed`,
		`[]`:                                                        `an object is needed`,
		`{"of": ` + strings.Repeat(`{"of": `, 5000) + `{}` + strings.Repeat(`}`, 5001): `inside each other`,
	} {
		var q query.Query
		if err := json.Unmarshal([]byte(text), &q); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.80s: got %v, want %s", text, err, want)
		}
	}
}

func TestEqual(t *testing.T) {
	a, b, c := do("gt", col("paid"), number(3)), do("is_null", col("day")), col("open")
	project := func(e query.Expr) query.Query {
		return query.From("orders").With(query.Project{Columns: []query.Named{{As: "x", Expr: e}}})
	}
	tests := []struct {
		name string
		a, b query.Query
		want bool
	}{
		{
			"two filters",
			filtered(do("and", a, b)),
			query.From("orders").With(query.Filter{Where: b}, query.Filter{Where: a}),
			true,
		},
		{"lists of lists", filtered(do("and", a, do("and", b, c))), filtered(do("and", do("and", c, a), b)), true},
		{"other way round", filtered(a), filtered(do("lt", number(3), col("paid"))), true},
		{"not", filtered(do("not", a)), filtered(do("le", col("paid"), number(3))), true},
		{"not not", filtered(do("not", do("not", b))), filtered(b), true},
		{
			"between",
			filtered(do("between", col("paid"), number(1), number(3))),
			filtered(do("and", do("ge", col("paid"), number(1)), do("le", col("paid"), number(3)))),
			true,
		},
		{
			"query of a query",
			query.Query{Of: &query.Query{From: "orders"}, Stages: []query.Stage{query.Filter{Where: a}}},
			filtered(a),
			true,
		},
		{"all rows", filtered(a).With(query.Take{Rows: -1}), filtered(a), true},
		{
			"a filter behind a take",
			query.From("orders").With(query.Take{Rows: 1}, query.Filter{Where: a}),
			filtered(a).With(query.Take{Rows: 1}),
			false,
		},
		{"or is not and", filtered(do("and", a, b)), filtered(do("or", a, b)), false},
		{
			"sub has an order",
			project(do("sub", number(1), col("paid"))),
			project(do("sub", col("paid"), number(1))),
			false,
		},
		{
			"a pivot is a group",
			query.From("orders").With(sideBySide),
			query.From("orders").With(query.Lower(query.From("orders").With(sideBySide)).Stages...),
			true,
		},
		{"types of literals", project(query.Lit(table.IntValue(1))), project(query.Lit(table.FloatValue(1))), false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := query.Equal(test.a, test.b); got != test.want {
				x, _ := json.Marshal(query.Normal(test.a))
				y, _ := json.Marshal(query.Normal(test.b))
				t.Errorf("got %v\n%s\n%s", got, x, y)
			}
		})
	}
	for _, q := range written {
		if n := query.Normal(q); !query.Equal(n, q) {
			t.Errorf("the normal form of %v has another one", q)
		}
	}
}

// What is read as a query can be checked, said and written again, whatever it is.
func FuzzJSON(f *testing.F) {
	for _, q := range written {
		data, err := json.Marshal(q)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<14 {
			return
		}
		var q query.Query
		if json.Unmarshal(data, &q) != nil {
			return
		}
		query.Check(q, shop)
		if s := query.Words(q, shop, "de"); len(s) > 1<<20 {
			t.Errorf("%d bytes of words for %d", len(s), len(data))
		}
		out, err := json.Marshal(query.Normal(q))
		if err != nil {
			t.Fatal(err)
		}
		var back query.Query
		if err := json.Unmarshal(out, &back); err != nil {
			t.Errorf("%s: %v", out, err)
		}
	})
}
