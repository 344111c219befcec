package query

import (
	"fmt"
	"maps"
	"slices"

	"catena/table"
)

// A join gives a row of one side for each match of the other, so a sum over a column of the first counts its rows
// several times: the amount of an order once for each of its items. Whether that happened is seen from the rows
// alone: within a group a row of a table counts once, or more often. Probes ask that of a query's groups.

// Probe is a query that counts what another query counts more than once.
type Probe struct {
	// Query gives one row, with an integer for each of Of: how often rows count again. Null is never.
	Query Query
	// Of are the relations whose rows are counted, as FROM names them; "" is a subquery.
	Of []string
	// Funcs are the aggregates that count them, in the order of Of.
	Funcs []string
}

// repeated are the aggregates that change where a value counts twice.
var repeated = map[string]bool{
	"sum": true, "mean": true, "weighted_mean": true, "count": true, "median": true, "quantile": true,
	"mode": true, "list": true,
	"stddev": true, "stddev_pop": true, "variance": true, "variance_pop": true, "corr": true, "slope": true,
	"intercept": true,
}

// Probes are the questions whether groups of a query count rows of a joined table more than once. A query that has no
// groups over joins has none. Queries inside expressions are not asked about.
func Probes(q Query, c Catalog) []Probe {
	q = Lower(q)
	for q.Of != nil {
		q = Query{From: q.Of.From, Of: q.Of.Of, Stages: slices.Concat(q.Of.Stages, q.Stages)}
	}
	var out []Probe
	p := &prober{catalog: c}
	p.begin(Query{From: q.From})
	for i, st := range q.Stages {
		switch s := st.(type) {
		case Join:
			out = append(out, Probes(s.With, c)...)
			p.join(s)
		case Set:
			out = append(out, Probes(s.With, c)...)
			p.begin(q.upTo(i))
		case Distinct:
			p.begin(q.upTo(i))
		case Group:
			if probe, asks := p.group(s); asks {
				out = append(out, probe)
			}
			p.begin(q.upTo(i))
		default:
			p.stage(st)
		}
	}
	return out
}

// upTo is the query with the stages up to one of them.
func (q Query) upTo(i int) Query {
	q.Stages = slices.Clip(q.Stages[:i+1])
	return q
}

// prober rewrites the stages before a group so that each row keeps the numbers of the rows that it was made of.
type prober struct {
	catalog Catalog
	q       Query
	names   []string         // of the relations that were joined, by number
	origins map[string][]int // the relations that a column's values are of
}

// rowOf is the column that has the number of the row of a relation.
func rowOf(relation int) string { return fmt.Sprintf("\x00row %d", relation) }

// numbered gives the rows of a relation numbers, and says which columns are of it.
func (p *prober) numbered(q Query, name string) Query {
	at := len(p.names)
	p.names = append(p.names, name)
	schema, _ := Check(q, p.catalog)
	for _, f := range schema {
		p.origins[f.Name] = []int{at}
	}
	return q.With(Window{Columns: []WindowColumn{{As: rowOf(at), Func: "row_number"}}})
}

// begin starts with a relation whose rows are none of those that were joined before.
func (p *prober) begin(q Query) {
	p.q, p.names, p.origins = q, nil, map[string][]int{}
}

// stage goes on through a stage that gives and takes no rows of other relations.
func (p *prober) stage(st Stage) {
	switch s := st.(type) {
	case Project:
		st = Project{Columns: append(p.named(s.Columns, map[string][]int{}), p.passed()...)}
	case Derive:
		st = Derive{Columns: p.named(s.Columns, p.origins)}
	}
	p.q = p.q.With(st)
}

// join keeps the numbers of both sides. What only tests for a match multiplies nothing.
func (p *prober) join(s Join) {
	if s.Kind != Semi && s.Kind != Anti {
		if len(p.names) == 0 {
			p.q = p.numbered(p.q, p.q.From)
		}
		s.With = p.numbered(s.With, s.With.From)
	}
	p.q = p.q.With(s)
}

// named tells of which relations the new columns are, in origins that replace or go on with those before.
func (p *prober) named(columns []Named, origins map[string][]int) []Named {
	found := make([][]int, len(columns))
	for i, c := range columns {
		found[i] = p.of(c.Expr)
	}
	for i, c := range columns {
		origins[c.As] = found[i]
	}
	p.origins = origins
	return slices.Clone(columns)
}

// passed are the columns of numbers, for a stage that would drop them.
func (p *prober) passed() []Named {
	out := make([]Named, len(p.names))
	for i := range out {
		out[i] = Named{As: rowOf(i), Expr: Col(rowOf(i))}
	}
	return out
}

// of are the relations whose columns an expression has, in order.
func (p *prober) of(e Expr) []int {
	seen := map[int]bool{}
	visit(e, func(c Column) {
		for _, r := range p.origins[c.Name] {
			seen[r] = seen[r] || c.Out == 0
		}
	})
	maps.DeleteFunc(seen, func(_ int, here bool) bool { return !here })
	return slices.Sorted(maps.Keys(seen))
}

// visit calls f for each column of an expression, those of subqueries left out.
func visit(e Expr, f func(Column)) {
	r := OfColumns(func(c Column, _ int) Expr { f(c); return c })
	r.Inner = func(q Query, _ int) (Query, bool) { return q, true }
	r.Expr(e, 0)
}

// group asks, for each set of relations that a value is of, how many rows of the groups there are beyond the
// different ones.
func (p *prober) group(s Group) (Probe, bool) {
	if len(p.names) < 2 {
		return Probe{}, false
	}
	var probe Probe
	ask := Group{Keys: s.Keys}
	var all []Aggregate
	for _, a := range s.Aggregates {
		of := p.measured(a)
		if len(of) == 0 || len(of) == len(p.names) {
			continue // no relation, or all of them: their rows together are what was joined
		}
		i := len(probe.Of)
		key := p.key(of)
		rows, different, again := fmt.Sprintf("\x00n %d", i), fmt.Sprintf("\x00d %d", i), fmt.Sprintf("again_%d", i+1)
		ask.Aggregates = append(ask.Aggregates, Aggregate{As: rows, Func: "count", Args: key, Where: a.Where},
			Aggregate{As: different, Func: "count", Args: key, Distinct: true, Where: a.Where})
		all = append(all, Aggregate{As: again, Func: "sum", Args: []Expr{Do("sub", Col(rows), Col(different))}})
		probe.Of, probe.Funcs = append(probe.Of, p.names[of[0]]), append(probe.Funcs, a.Func)
	}
	probe.Query = p.q.With(ask, Group{Aggregates: all})
	return probe, len(all) > 0
}

// measured are the relations of an aggregate that rows which count twice would change.
func (p *prober) measured(a Aggregate) []int {
	if !repeated[a.Func] || a.Distinct {
		return nil
	}
	seen := map[int]bool{}
	for _, arg := range a.Args {
		for _, r := range p.of(arg) {
			seen[r] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// key is one value for each combination of rows of relations.
func (p *prober) key(of []int) []Expr {
	key := Col(rowOf(of[0]))
	for _, r := range of[1:] {
		key = Do("join_text", key, Lit(table.TextValue(" ")), Col(rowOf(r)))
	}
	return []Expr{key}
}
