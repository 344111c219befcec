package pipeline

import (
	"fmt"
	"slices"
	"strings"

	"catena/planner/plan"
	"catena/query"
	"catena/table"
)

// joins are the kinds that the JSON has.
var joins = map[string]query.JoinKind{"": query.Inner, "inner": query.Inner, "left": query.Left}

// join puts the columns of further tables beside those that there are.
func (p *pipeline) join(resolve Resolver) error {
	if len(p.q.Join) == 0 {
		return nil
	}
	p.origins = map[string][]int{}
	if err := p.then("table", p.numbered(p.q.Table, p.schema.Names())); err != nil {
		return err
	}
	for i, j := range p.q.Join {
		right, err := resolve(j.Table)
		if err != nil {
			return err
		}
		if err := p.joinOne(fmt.Sprintf("join[%d]", i), j, right); err != nil {
			return err
		}
	}
	return nil
}

// rowOf is the column that has the number of the row of a joined table.
func rowOf(joined int) string { return fmt.Sprint(hidden, "row of ", joined) }

// numbered gives the rows of a table numbers, by which it is seen whether a join repeats them, and says whose columns
// are its.
func (p *pipeline) numbered(name string, columns []string) query.Stage {
	at := len(p.joined)
	p.joined = append(p.joined, name)
	for _, c := range columns {
		p.origins[strings.ToLower(c)] = []int{at}
	}
	return windows(query.WindowColumn{As: rowOf(at), Func: "row_number"})
}

func (p *pipeline) joinOne(path string, j plan.Join, right *table.Table) error {
	kind, ok := joins[j.How]
	if !ok {
		return Errorf("%s: there is no join %q; the joins are inner and left", path, j.How)
	}
	if len(j.On) == 0 {
		const told = "%s: a join needs at least one pair of columns in on: [[a column here, a column of %s]]"
		return Errorf(told, path, j.Table)
	}
	var on []query.Expr
	var columns []query.Named
	keys := map[string]bool{}
	for k, pair := range j.On {
		l, err := p.field(pair[0])
		if err != nil {
			return err
		}
		c, err := right.Lookup(pair[1])
		if err != nil {
			return err
		}
		r := right.Column(c)
		if !joinable(l.Type, r.Type) {
			why := fmt.Sprintf("cannot be joined to %q (%s)", r.Name, r.Type)
			return &table.TypeError{Column: l.Name, Type: l.Type, Reason: why}
		}
		as := fmt.Sprint(hidden, path, " key ", k)
		columns, keys[r.Name] = append(columns, query.Named{As: as, Expr: query.Col(r.Name)}), true
		on = append(on, query.Do("eq", query.Col(l.Name), query.Col(as)))
	}
	var names []string
	for _, name := range right.Names() { // names that clash get the table's name as a prefix
		if keys[name] {
			continue
		}
		as := name
		if p.schema.Index(as) >= 0 {
			taken := func(n string) bool { return p.schema.Index(n) >= 0 || right.Index(n) >= 0 }
			as = FreeName(j.Table+"_"+name, taken)
		}
		names, columns = append(names, as), append(columns, query.Named{As: as, Expr: query.Col(name)})
	}
	number := p.numbered(j.Table, names)
	columns = append(columns, query.Named{As: rowOf(len(p.joined) - 1), Expr: query.Col(rowOf(len(p.joined) - 1))})
	name := p.add(right)
	p.made[name] = p.source(j.Table, j.Table)
	with := query.From(name).With(number, query.Project{Columns: columns})
	return p.then(path, query.Join{Kind: kind, With: with, On: query.Conjunction(on)})
}

func joinable(a, b table.Type) bool {
	return a == b || a == table.Null || b == table.Null || a.Numeric() && b.Numeric() || a.Temporal() && b.Temporal()
}

// originsOf says that a derived column is of the tables that its operands are of.
func (p *pipeline) originsOf(d plan.Derived) {
	if p.origins == nil {
		return
	}
	var of []int
	for _, side := range []any{d.Left, d.Right} {
		name, _ := side.(string)
		of = append(of, p.origins[strings.ToLower(name)]...)
	}
	slices.Sort(of)
	p.origins[strings.ToLower(d.As)] = slices.Compact(of)
}

// repeated are the aggregates that change where a value counts twice.
var repeated = []string{"sum", "mean", "median", "stddev", "count"}

// onceEach has aggregates of a joined table's column look at each of its rows once in a group, where the joins gave
// several rows for it: the amount of an order counts once, however many items it has.
func (g *grouping) onceEach() error {
	for _, s := range g.q.Select {
		of := g.origins[strings.ToLower(s.Column)]
		if len(of) == 0 || len(of) == len(g.joined) {
			continue // no table's, or all of them: their rows together are what was joined
		}
		names := []string{s.Name()}
		if s.Expr == "share" {
			names = []string{partOf(s), wholeOf(s)}
		}
		for i := range g.Aggregates {
			a := &g.Aggregates[i]
			if !slices.Contains(names, a.As) || !slices.Contains(repeated, a.Func) || a.Distinct {
				continue
			}
			if err := g.once(a, of); err != nil {
				return err
			}
		}
	}
	return nil
}

// once adds to an aggregate that only the first row of each combination of rows of tables counts.
func (g *grouping) once(a *query.Aggregate, of []int) error {
	var within []query.Expr
	for _, k := range g.Keys {
		within = append(within, k.Expr)
	}
	if a.Where != nil {
		within = append(within, a.Where)
	}
	for _, table := range of {
		within = append(within, query.Col(rowOf(table)))
	}
	as := hidden + "time " + a.As
	if err := g.then("join", windows(query.WindowColumn{As: as, Func: "row_number", Partition: within})); err != nil {
		return err
	}
	first := query.Do("eq", query.Col(as), whole(1))
	counts := query.Do("not", first)
	if a.Where != nil {
		counts, first = query.Do("and", a.Where, counts), query.Do("and", a.Where, first)
	}
	again, err := g.any(counts)
	if err != nil || !again {
		return err
	}
	a.Where = first
	g.note("The join gives several rows for some of %s; each of those counts once.", g.joined[of[0]])
	return nil
}
