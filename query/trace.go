package query

import (
	"fmt"
	"slices"
	"strings"
)

// Trace tells which rows one column of a query's result is made of, row by row. Row finds what tells the cell's row
// from others; with that Rows are the rows that the cell was computed of, and Value computes it again of those alone.
type Trace struct {
	// Table is what the rows are of, as FROM names it; "" is a subquery.
	Table string
	// Windowed says that the cell was computed over rows around its own: Rows are all of its partition then.
	Windowed bool

	column   string
	before   Query   // the rows that are folded, or shown, numbered
	plain    Query   // the same without numbers
	stages   []Stage // behind before; the first is the Group, where there is one
	carried  []Stage // the same, with the columns of keys kept
	keys     []Expr  // what found values are compared with, in before
	at       []Expr  // the same behind the fold
	value    Expr    // the column, of what the fold gives
	group    *Group  // nil where nothing is folded
	numbered bool    // the last of the keys is the number of the row
	labelled bool    // before has the tables of its rows
	unfolded bool    // nth is carried behind the keys
	whole    int     // how many of the stages must see all rows, for a window
}

// Untraceable is why the rows of a cell cannot be told.
type Untraceable struct{ Why string }

// Error is the reason.
func (e *Untraceable) Error() string { return e.Why }

func untraceable(format string, args ...any) error {
	return &Untraceable{Why: fmt.Sprintf(format, args...)}
}

// Columns of Rows beside those of the table: the number of a row in its table, from 0, and the table's name where there
// are several.
const (
	RowNumber = "row"
	TableName = "table"
)

// Columns that are kept through the stages.
const (
	ordinal = "\x00number" // of a row of the table
	place   = "\x00place"  // of a row of what is shown
)

func keyName(i int) string { return fmt.Sprintf("\x00key %d", i) }

// TraceOf prepares to trace the cells of a column. Errors are *Untraceable.
func TraceOf(q Query, c Catalog, column string) (*Trace, error) {
	q = inOne(Lower(q))
	q = split(q, c)
	schema, _ := Check(q, c)
	i := schema.Index(column)
	if i < 0 {
		return nil, untraceable("the query gives no column %q", column)
	}
	t := &Trace{column: schema[i].Name, value: Col(schema[i].Name)}
	fold, err := t.fold(q, c)
	if err != nil {
		return nil, err
	}
	if fold, err = t.back(q, fold, c); err != nil {
		return nil, err
	}
	t.number(q, fold, c)
	return t, t.carry()
}

// fold finds the last stage that makes one row of several: its place, -1 for none. What is behind it is in stages then.
func (t *Trace) fold(q Query, c Catalog) (int, error) {
	for i := len(q.Stages) - 1; i >= 0; i-- {
		switch s := q.Stages[i].(type) {
		case Group:
			t.group = &s
			return i, nil
		case Distinct:
			all, _ := Check(Query{From: q.From, Of: q.Of, Stages: q.Stages[:i]}, c)
			g := Group{}
			for _, name := range all.Names() {
				g.Keys = append(g.Keys, Named{As: name, Expr: Col(name)})
			}
			t.group, q.Stages[i] = &g, g
			return i, nil
		case Set:
			if s.Op != Union {
				return 0, untraceable(
					"rows of INTERSECT ALL and EXCEPT ALL are not traced: which of equal rows they are is not told")
			}
			return -1, nil
		}
	}
	return -1, nil
}

// back says the column in terms of what the fold gives, and finds the windows on the way. It gives the place from
// which on stages are kept apart.
func (t *Trace) back(q Query, fold int, c Catalog) (int, error) {
	window, joined := t.unfold(q.Stages, fold)
	if joined != nil && (fold >= 0 || t.Windowed) {
		if err := t.ofOneSide(q, *joined, max(fold, window), c); err != nil {
			return 0, err
		}
	}
	switch {
	case !t.Windowed && fold < 0:
		return max(lastJoin(q.Stages), lastSet(q.Stages)), nil
	case !t.Windowed:
		return fold, nil
	}
	partition := t.partition(q.Stages[window].(Window))
	if fold >= 0 {
		t.narrow(q.Stages[fold+1:window+1], partition)
		t.whole = window - fold
		return fold, nil
	}
	t.keys, t.whole = partition, 1
	return window - 1, nil
}

// unfold puts the expressions of columns in their place, from the end back to the fold, or to the window that the
// column needs: its place, -1 for none. joined is a join on the way.
func (t *Trace) unfold(stages []Stage, fold int) (window int, joined *Join) {
	for i := len(stages) - 1; i > fold; i-- {
		switch s := stages[i].(type) {
		case Project:
			t.value = replaced(t.value, s.Columns)
		case Derive:
			t.value = replaced(t.value, s.Columns)
		case Window:
			if slices.ContainsFunc(s.Columns, func(w WindowColumn) bool { return refersTo(t.value, w.As) }) {
				t.Windowed = true
				return i, joined
			}
		case Join:
			if s.Kind != Semi && s.Kind != Anti && !numbers(s.With) {
				joined = &s
			}
		case Set:
			return -1, joined
		}
	}
	return -1, joined
}

// ofOneSide asks that the column is none of a table that was joined behind the fold, whose rows would be others.
func (t *Trace) ofOneSide(q Query, j Join, fold int, c Catalog) error {
	own, _ := Check(Query{From: q.From, Of: q.Of, Stages: q.Stages[:fold+1]}, c)
	other := j.Kind == Right || j.Kind == Full
	eachColumn(t.value, func(c Column) { other = other || c.Name != nth && own.Index(c.Name) < 0 })
	if other {
		return untraceable("the column comes from a table that was joined behind a group or a window")
	}
	return nil
}

// partition is what the windows go by that the column needs; nil where they differ.
func (t *Trace) partition(s Window) (out []Expr) {
	first := true
	for _, w := range s.Columns {
		switch {
		case !refersTo(t.value, w.As):
		case first:
			out, first = w.Partition, false
		case !slices.EqualFunc(out, w.Partition, sameExpr):
			return nil
		}
	}
	return out
}

// narrow keeps those keys of the group that the partition goes by; all rows count where other windows or a Take come
// between, or where it goes by anything else.
func (t *Trace) narrow(between []Stage, partition []Expr) {
	t.keys = []Expr{}
	windows := 0
	for _, st := range between {
		switch st.(type) {
		case Take:
			return
		case Window:
			windows++
		case Project, Derive:
			windows++ // a key's name may stand for something else
		}
	}
	if windows > 1 {
		return
	}
	for _, p := range partition {
		for _, k := range t.group.Keys {
			if c, is := p.(Column); is && c.Name == k.As {
				t.keys = append(t.keys, k.Expr)
			}
		}
	}
}

func lastJoin(stages []Stage) int {
	last := -1
	for i, st := range stages {
		if _, is := st.(Join); is {
			last = i
		}
	}
	return last
}

// refersTo reports whether an expression, or a subquery in it, has a column.
func refersTo(e Expr, name string) (found bool) {
	eachColumn(e, func(c Column) { found = found || strings.EqualFold(c.Name, name) })
	return found
}

// eachColumn calls f for the columns of the relation that an expression stands in, those of its subqueries too.
func eachColumn(e Expr, f func(Column)) {
	OfColumns(func(c Column, depth int) Expr {
		if c.Out == depth {
			f(c)
		}
		return c
	}).Expr(e, 0)
}

// replaced is an expression with columns in place of which their expressions stand.
func replaced(e Expr, columns []Named) Expr {
	return OfColumns(func(c Column, depth int) Expr {
		for _, n := range columns {
			if c.Out == depth && strings.EqualFold(n.As, c.Name) {
				return further(n.Expr, depth)
			}
		}
		return c
	}).Expr(e, 0)
}

// further is an expression that moves into a subquery, so many queries in.
func further(e Expr, in int) Expr {
	if in == 0 {
		return e
	}
	return OfColumns(func(c Column, depth int) Expr {
		if c.Out >= depth {
			c.Out += in
		}
		return c
	}).Expr(e, 0)
}

// number gives the rows of the table numbers, as far as no other rows are made of them before.
func (t *Trace) number(q Query, fold int, c Catalog) {
	from := fold
	if t.group == nil {
		from = fold + 1
	}
	first := 0
	for i, st := range q.Stages[:from] {
		switch st.(type) {
		case Group, Set, Distinct:
			first = i + 1
		}
	}
	start := Query{From: q.From, Of: q.Of, Stages: q.Stages[:first:first]}
	if t.Table = q.From; first > 0 {
		t.Table = ""
	}
	t.plain = start.With(q.Stages[first:from]...)
	t.before = start.With(Window{Columns: []WindowColumn{{As: ordinal, Func: "row_number"}}})
	keep := []string{ordinal}
	if sides, of := labelled(start, c); of && t.Table == "" {
		t.before, t.labelled, keep = sides, true, append(keep, origin)
	}
	t.before = t.before.With(kept(q.Stages[first:from], keep...)...)
	if t.group == nil {
		t.before = t.before.With(Window{Columns: []WindowColumn{{As: place, Func: "row_number"}}})
	}
	t.stages = q.Stages[from:]
}

// kept are stages that keep columns which projections would drop.
func kept(stages []Stage, columns ...string) []Stage {
	out := slices.Clone(stages)
	for i, st := range out {
		if s, is := st.(Project); is {
			s.Columns = slices.Clone(s.Columns)
			for _, name := range columns {
				s.Columns = append(s.Columns, Named{As: name, Expr: Col(name)})
			}
			out[i] = s
		}
	}
	return out
}

// carry keeps what tells rows apart through the stages behind.
func (t *Trace) carry() error {
	behind := t.stages
	var copies []Named
	if t.group == nil {
		t.at = append(slices.Clone(t.keys), Col(place))
		t.numbered = true
		for i, e := range t.at {
			copies = append(copies, Named{As: keyName(i), Expr: e})
		}
	} else {
		for i, k := range t.group.Keys {
			copies = append(copies, Named{As: keyName(i), Expr: Col(k.As)})
		}
		t.carried, behind = append(t.carried, *t.group), behind[1:]
	}
	keep := make([]string, len(copies))
	for i := range copies {
		keep[i] = copies[i].As
	}
	if len(copies) > 0 {
		t.carried = append(t.carried, Derive{Columns: copies})
	}
	if t.Windowed {
		t.whole += len(t.carried)
	}
	for _, st := range behind {
		t.carried = append(t.carried, kept([]Stage{st}, keep...)...)
		j, is := st.(Join)
		if !is || !numbers(j.With) {
			continue
		}
		if t.unfolded {
			return untraceable("rows that were made columns twice are not traced")
		}
		t.unfolded = true
		keep = append(keep, nth)
	}
	return nil
}

// numbers reports whether a relation is that of an Unpivot's numbers.
func numbers(q Query) bool {
	if len(q.Stages) == 0 || q.From != "" || q.Of != nil {
		return false
	}
	p, is := q.Stages[0].(Project)
	return is && len(p.Columns) == 1 && p.Columns[0].As == nth
}
