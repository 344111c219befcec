package reader

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/planner/plan"
	"catena/query"
	"catena/table"
)

// Files that are in order change only where something else was learnt; what was learnt is written as it was read.
func TestWeightsFiles(t *testing.T) {
	for _, file := range []string{priorFile, learntFile} {
		if lines := strings.Split(strings.TrimSpace(file), "\n"); !slices.IsSorted(lines) || len(file) > 2<<20 {
			t.Errorf("not in order, or too large: %d bytes", len(file))
		}
	}
	byName, err := readWeights(strings.NewReader(learntFile))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := WriteWeights(&out, byName); err != nil {
		t.Fatal(err)
	}
	again, err := readWeights(&out)
	if err != nil {
		t.Fatal(err)
	}
	prior := weights{byName: PriorWeights()}
	for name, v := range byName {
		if got, ok := again[name]; got != v && (ok || prior.of(name) != v) {
			t.Errorf("%s: %v is written as %v", name, v, got)
		}
	}
}

func TestReadWeights(t *testing.T) {
	for _, text := range []string{"a", "a\tx", "\t1", "a\t1\na\t2"} {
		if _, err := readWeights(strings.NewReader(text)); err == nil {
			t.Errorf("%q was read", text)
		}
	}
	byName, err := readWeights(strings.NewReader("rule *\t-1\nrule y\t0.5\nskip x\t-2\n"))
	if err != nil {
		t.Fatal(err)
	}
	w := &weights{byName: byName}
	for f, want := range map[Feature]float64{{"skip x", 2}: -4, {"rule y", 1}: 0.5, {"rule no", 1}: -1, {"none", 7}: 0} {
		if got := w.score([]Feature{f}); got != want {
			t.Errorf("%v: %v, want %v", f, got, want)
		}
	}
}

func TestEchoes(t *testing.T) {
	is := func(col, value string) query.Expr {
		return query.Do("eq", query.Col(col), query.Lit(table.TextValue(value)))
	}
	show := func(cols ...string) query.Project {
		var p query.Project
		for _, c := range cols {
			p.Columns = append(p.Columns, query.Named{As: c, Expr: query.Col(c)})
		}
		return p
	}
	for name, tc := range map[string]struct {
		q    query.Query
		want bool
	}{
		"what was said":  {query.From("t").With(query.Filter{Where: query.Do("and", is("a", "x"), is("b", "y"))}, show("a")), true},
		"more":           {query.From("t").With(query.Filter{Where: is("a", "x")}, show("a", "b")), false},
		"one of several": {query.From("t").With(query.Filter{Where: query.Do("or", is("a", "x"), is("a", "y"))}, show("a")), false},
		"all":            {query.From("t").With(show("a")), false},
		"counts":         {query.From("t").With(query.Filter{Where: is("a", "x")}, query.Group{Keys: show("a").Columns}, show("a")), false},
	} {
		if got := echoes(tc.q); got != tc.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestShapeNames(t *testing.T) {
	several := plan.ResultShape{Known: true, Rows: 7, Columns: 2, Nulls: 1, First: 6}
	for _, tc := range []struct {
		shape plan.ResultShape
		list  bool
		want  string
	}{
		{plan.ResultShape{}, false, "shape:unknown"},
		{plan.ResultShape{Known: true, Columns: 2}, false, "shape:empty"},
		{plan.ResultShape{Known: true, Rows: 1, Columns: 1, Nulls: 1, NoNumber: true, First: 1}, false, "shape:nothing"},
		{plan.ResultShape{Known: true, Rows: 1, Columns: 1, First: 1}, false, "shape:cell"},
		{several, false, "shape:several shape:repeated shape:holes"},
		{plan.ResultShape{Known: true, Rows: 70, Columns: 2, First: 70}, false, "shape:many"},
		{plan.ResultShape{Known: true, Rows: 70, Columns: 2, First: 70}, true, "shape:list"},
	} {
		if got := strings.Join(shapeNames(tc.shape, tc.list, tc.list), " "); got != tc.want {
			t.Errorf("%+v: %s, want %s", tc.shape, got, tc.want)
		}
	}
	r := Reading{Features: []Feature{{"asks:count", 1}}}
	r.addShape(plan.ResultShape{Known: true, Rows: 1, Columns: 1, First: 1})
	want := []Feature{{"asks:count", 1}, {"shape:cell", 1}, {"shape:cell&asks:count", 1}}
	if d := cmp.Diff(want, r.Features); d != "" {
		t.Error(d)
	}
}

// Of readings with one result the best stays; of what is not known all do.
func TestDiffering(t *testing.T) {
	list := []Reading{{Score: 5, digest: 7}, {Score: 4}, {Score: 3, digest: 7}, {Score: 2, digest: 8}, {Score: 1}}
	var got []float64
	for _, r := range differing(list) {
		got = append(got, r.Score)
	}
	if want := []float64{5, 4, 2, 1}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestLists: rows of a table as they are, all or some, are a list; what computes, joins or takes a few is none.
func TestLists(t *testing.T) {
	of := query.From("t")
	where := query.Filter{Where: query.Do("gt", query.Col("a"), query.Lit(table.IntValue(5)))}
	show := query.Project{Columns: []query.Named{{As: "a", Expr: query.Col("a")}}}
	among := query.Filter{Where: query.In{Expr: query.Col("a"), Query: of.With(show)}}
	for name, tc := range map[string]struct {
		q    query.Query
		want bool
	}{
		"all":       {of.With(show), true},
		"some":      {of.With(where, query.Sort{}, show), true},
		"the first": {of.With(query.Take{Rows: 60}, show), false},
		"each once": {of.With(show, query.Distinct{}), false},
		"groups":    {of.With(query.Group{Keys: show.Columns}, show), false},
		"of others": {of.With(among, show), false},
		"of a list": {query.Query{Of: &of}, false},
	} {
		if got := lists(tc.q); got != tc.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
