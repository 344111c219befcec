package query

import (
	"slices"
	"strings"

	"catena/table"
)

// Row is the query that finds a row of the result, from 0. Its one row is what Rows and Value need; no row says that
// the result has none there.
func (t *Trace) Row(n int64) Query {
	q := t.before.With(t.carried...).With(Take{Rows: 1, Offset: n})
	var found []Named
	for i := range t.found() {
		found = append(found, Named{As: keyName(i), Expr: Col(keyName(i))})
	}
	if t.unfolded {
		found = append(found, Named{As: nth, Expr: Col(nth)})
	}
	if found == nil {
		found = []Named{{As: "none", Expr: Lit(table.NullValue)}}
	}
	return q.With(Project{Columns: found})
}

// found is how many keys a row is found by.
func (t *Trace) found() int {
	if t.group == nil {
		return len(t.at)
	}
	return len(t.group.Keys)
}

// chosen is that a row of before has the values that were found, where they count.
func (t *Trace) chosen(found []table.Value) []Expr {
	var all []Expr
	if t.group == nil {
		for i, e := range t.keys {
			all = append(all, is(e, found[i]))
		}
		if !t.Windowed {
			all = append(all, is(Col(place), found[len(t.at)-1]))
		}
		return all
	}
	for i, k := range t.group.Keys {
		counts := t.keys == nil || slices.ContainsFunc(t.keys, func(e Expr) bool { return sameExpr(e, k.Expr) })
		if counts {
			all = append(all, is(k.Expr, found[i]))
		}
	}
	return all
}

func sameExpr(a, b Expr) bool { return Equal(filteredBy(a), filteredBy(b)) }

func filteredBy(e Expr) Query { return Query{}.With(Project{Columns: []Named{{As: "x", Expr: e}}}) }

// is compares with a value that may be null.
func is(e Expr, v table.Value) Expr {
	if v.IsNull() {
		return Do("is_null", e)
	}
	return Do("eq", e, Lit(v))
}

// used are the aggregates that the cell is made of, where no window puts others beside them.
func (t *Trace) used(found []table.Value) (value Expr, list []Aggregate) {
	if value = t.value; t.unfolded {
		value = narrowed(value, found[len(found)-1])
	}
	for _, a := range t.group.Aggregates {
		if refersTo(value, a.As) {
			list = append(list, a)
		}
	}
	return value, list
}

// narrowed chooses the branches of an Unpivot's row.
func narrowed(e Expr, n table.Value) Expr {
	return Rewriter{Part: func(e Expr, _ int) (Expr, bool) {
		c, is := e.(Case)
		if !is {
			return nil, false
		}
		for _, b := range c.Branches {
			if when, is := b.When.(Call); is && len(when.Args) == 2 && when.Args[0] == Col(nth) {
				if l, is := when.Args[1].(Literal); is && table.Compare(l.Value, n) == 0 {
					return b.Then, true
				}
			}
		}
		return nil, false
	}}.Expr(e, 0)
}

// counted is the condition of the aggregates, where all have one.
func (t *Trace) counted(found []table.Value) []Expr {
	if t.Windowed || t.group == nil {
		return nil
	}
	_, used := t.used(found)
	var where []Expr
	for _, a := range used {
		if a.Where == nil {
			return nil
		}
		where = append(where, a.Where)
	}
	switch len(where) {
	case 0:
		return nil
	case 1:
		return where
	}
	return []Expr{Do("or", where...)}
}

// Rows are the rows that a cell was computed of: their table where they are of several (TableName), their number in it
// (RowNumber), then the columns that c knows.
func (t *Trace) Rows(found []table.Value, c Catalog) Query {
	schema, _ := Check(t.plain, c)
	columns := []Named{}
	if t.labelled {
		columns = append(columns, Named{As: unused(schema, TableName), Expr: Col(origin)})
	}
	nth := Do("sub", Col(ordinal), Lit(table.IntValue(1)))
	columns = append(columns, Named{As: unused(schema, RowNumber), Expr: nth})
	for _, name := range schema.Names() {
		if !strings.HasPrefix(name, "\x00") { // columns of whoever made the query
			columns = append(columns, Named{As: name, Expr: Col(name)})
		}
	}
	return t.filtered(t.before, found).With(Project{Columns: columns})
}

func (t *Trace) filtered(q Query, found []table.Value) Query {
	if where := Conjunction(append(t.chosen(found), t.counted(found)...)); where != nil {
		return q.With(Filter{Where: where})
	}
	return q
}

// Value computes the cell of the rows of its group, or partition, alone. It gives rows that are all the cell.
func (t *Trace) Value(found []table.Value) Query {
	stages := slices.Clone(t.carried[:t.whole])
	for _, st := range t.carried[t.whole:] {
		switch st.(type) {
		case Filter, Sort, Take: // the row is there, as it was found
		default:
			stages = append(stages, st)
		}
	}
	var same []Expr
	for i := range t.found() {
		same = append(same, is(Col(keyName(i)), found[i]))
	}
	if t.unfolded {
		same = append(same, is(Col(nth), found[len(found)-1]))
	}
	q := t.before
	if where := Conjunction(t.chosen(found)); where != nil {
		q = q.With(Filter{Where: where})
	}
	q = q.With(stages...)
	if len(same) > 0 {
		q = q.With(Filter{Where: Conjunction(same)})
	}
	return q.With(Project{Columns: []Named{{As: t.column, Expr: Col(t.column)}}})
}

// Words say what the cell is, and which rows it is of, in two sentence parts.
func (t *Trace) Words(found []table.Value, c Catalog, lang string) (expression, filter string) {
	q, value := t.plain, t.value
	if t.group != nil && !t.Windowed {
		var used []Aggregate
		if value, used = t.used(found); len(used) > 0 {
			for i, k := range t.group.Keys {
				value = replaced(value, []Named{{As: k.As, Expr: Lit(found[i])}})
			}
			q = q.With(Group{Aggregates: used})
		} else {
			value = replaced(value, t.group.Keys)
		}
	}
	if t.Windowed {
		q, value = q.With(t.stages...), Col(t.column)
	}
	expression = Words(q.With(Project{Columns: []Named{{As: t.column, Expr: value}}}), c, lang)
	rows := t.plain
	var all []Expr
	for _, e := range append(t.chosen(found), t.counted(found)...) {
		if !refersTo(e, place) {
			all = append(all, e)
		}
	}
	if len(all) > 0 {
		rows = rows.With(Filter{Where: Conjunction(all)})
	}
	return expression, Words(rows, c, lang)
}
