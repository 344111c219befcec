package run_test

import (
	"errors"
	"strings"
	"testing"

	"catena/query"
	"catena/query/run"
	"catena/table"
)

// Texts that grow beyond what they are made of are refused by the limit's name before they are made.
func TestLongTexts(t *testing.T) {
	b := table.NewBuilder(table.Column{Name: "s", Type: table.Text})
	for range 200 {
		if err := b.Append(table.TextValue(strings.Repeat("a", 400_000))); err != nil {
			t.Fatal(err)
		}
	}
	long := b.Table()
	text := func(s string) query.Expr { return query.Lit(table.TextValue(s)) }
	number := func(n int64) query.Expr { return query.Lit(table.IntValue(n)) }
	s := query.Col("s")
	found := strings.Repeat("$0", 8000)
	for name, test := range map[string]struct {
		expr query.Expr
		want string // the limit
	}{
		"one repeated":      {query.Do("repeat", text("ab"), number(1<<40)), "cell"},
		"one filled":        {query.Do("lpad", text("ab"), number(1<<62), text("xy")), "cell"},
		"one replaced":      {query.Do("replace", s, text("a"), text(strings.Repeat("b", 1000))), "cell"},
		"found text often":  {query.Do("regexp_replace", s, text(".*"), text(found)), "cell"},
		"joined":            {query.Do("join_text", query.Do("repeat", text("a"), number(1<<19)), query.Do("repeat", text("b"), number(1<<19+1))), "cell"},
		"many repeated":     {query.Do("repeat", s, number(2)), "memory"},
		"many joined":       {query.Do("concat", s, s), "memory"},
		"many filled":       {query.Do("rpad", s, number(600_000), text("x")), "memory"},
		"many replaced":     {query.Do("replace", s, text("a"), text("bb")), "memory"},
		"found text in all": {query.Do("regexp_replace", s, text("^"), text(strings.Repeat("b", 400_000))), "memory"},
	} {
		t.Run(name, func(t *testing.T) {
			q := query.From("t").With(query.Project{Columns: []query.Named{{As: "x", Expr: test.expr}}})
			_, err := run.Run(t.Context(), q, run.TableMap{"t": long})
			var limit *table.LimitError
			if !errors.As(err, &limit) || limit.What != test.want {
				t.Errorf("got %v, want the limit of %s", err, test.want)
			}
		})
	}
}
