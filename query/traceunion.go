package query

import (
	"slices"
	"strconv"

	"catena/table"
)

// Sides are the two relations whose rows a query gives one after the other, by UNION ALL. A cell of such a query is one
// of Left or of Right, as Row and Before say.
type Sides struct {
	Left, Right Query

	all Query // the rows with their number among those of both
}

// SidesOf splits a query at its last UNION ALL; false where there is none, or where rows behind it become others.
func SidesOf(q Query, c Catalog) (Sides, bool) {
	q = inOne(Lower(q))
	at := lastSet(q.Stages)
	if at < 0 {
		return Sides{}, false
	}
	set := q.Stages[at].(Set)
	behind := q.Stages[at+1:]
	if set.Op != Union || !set.All || !plainStages(behind) {
		return Sides{}, false
	}
	left := Query{From: q.From, Of: q.Of, Stages: q.Stages[:at:at]}
	own, _ := Check(left, c)
	other, _ := Check(set.With, c)
	if len(own) != len(other) {
		return Sides{}, false
	}
	renamed := make([]Named, len(own))
	for i := range own {
		renamed[i] = Named{As: own[i].Name, Expr: Col(other[i].Name)}
	}
	var shaping []Stage // what says the columns, of the rows that are there
	for _, st := range behind {
		switch st.(type) {
		case Project, Derive:
			shaping = append(shaping, st)
		}
	}
	number := Window{Columns: []WindowColumn{{As: ordinal, Func: "row_number"}}}
	return Sides{
		Left:  left.With(shaping...),
		Right: set.With.With(Project{Columns: renamed}).With(shaping...),
		all:   left.With(set, number).With(kept(behind, ordinal)...),
	}, true
}

// Row is the query whose one number says which of the rows of both sides a row of the result is, from 0.
func (s Sides) Row(n int64) Query {
	nth := Do("sub", Col(ordinal), Lit(table.IntValue(1)))
	return s.all.With(Take{Rows: 1, Offset: n}, Project{Columns: []Named{{As: "row", Expr: nth}}})
}

// Before is the query whose one number says how many rows the left side has.
func (s Sides) Before() Query {
	return s.Left.With(Group{Aggregates: []Aggregate{{As: "rows", Func: "count"}}})
}

// inOne is a query whose inner queries in place of a table are stages before its own.
func inOne(q Query) Query {
	for q.Of != nil {
		q = Query{From: q.Of.From, Of: q.Of.Of, Stages: slices.Concat(q.Of.Stages, q.Stages)}
	}
	return q
}

func lastSet(stages []Stage) int {
	last := -1
	for i, st := range stages {
		if _, is := st.(Set); is {
			last = i
		}
	}
	return last
}

// plainStages reports whether each row behind some stages is one row before them.
func plainStages(stages []Stage) bool {
	return !slices.ContainsFunc(stages, func(st Stage) bool {
		switch st.(type) {
		case Filter, Project, Derive, Sort, Take:
			return false
		}
		return true
	})
}

// split has the rows of sets that count once become such that count as often as they are there, and are then made
// distinct: those of a union are there on both sides; those of INTERSECT and EXCEPT are rows of the first side that the
// other side has, or has not.
func split(q Query, c Catalog) Query {
	out := Query{From: q.From, Of: q.Of}
	for _, st := range q.Stages {
		s, is := st.(Set)
		switch {
		case !is || s.All:
			out = out.With(st)
		case s.Op == Union:
			s.All = true
			out = out.With(s, Distinct{})
		default:
			out = out.With(Filter{Where: amid(out, s, c)}, Distinct{})
		}
	}
	return out
}

// amid is that a row is, or is not, among those of the other side of a set.
func amid(q Query, s Set, c Catalog) Expr {
	own, _ := Check(q, c)
	other, _ := Check(s.With, c)
	var all []Expr
	for i := range min(len(own), len(other)) {
		all = append(all, Do("same", Column{Name: own[i].Name, Out: 1}, Col(other[i].Name)))
	}
	there := Exists{Query: s.With.With(Filter{Where: Conjunction(all)})}
	if s.Op == Except {
		return Do("not", there)
	}
	return there
}

// origin is a column with the name of the table that a row is of.
const origin = "\x00table"

// labelled is a relation made of whole tables by UNION ALL, with the columns ordinal and origin behind its own; false
// for others.
func labelled(q Query, c Catalog) (Query, bool) {
	q = inOne(q)
	at := lastSet(q.Stages)
	behind := q.Stages[at+1:]
	if !plainStages(behind) {
		return q, false
	}
	var out Query
	if at < 0 {
		if q.From == "" {
			return q, false
		}
		out = From(q.From).With(Window{Columns: []WindowColumn{{As: ordinal, Func: "row_number"}}},
			Derive{Columns: []Named{{As: origin, Expr: Lit(table.TextValue(q.From))}}})
	} else {
		set := q.Stages[at].(Set)
		left, ok := labelled(Query{From: q.From, Stages: q.Stages[:at:at]}, c)
		right, also := labelled(set.With, c)
		if union := set.Op == Union && set.All; !ok || !also || !union {
			return q, false
		}
		set.With = right
		out = left.With(set)
	}
	out = out.With(kept(behind, ordinal, origin)...)
	schema, _ := Check(q, c)
	columns := make([]Named, 0, len(schema)+2)
	for _, name := range append(schema.Names(), ordinal, origin) {
		columns = append(columns, Named{As: name, Expr: Col(name)})
	}
	return out.With(Project{Columns: columns}), true
}

// unused is a name that a schema leaves free.
func unused(s Schema, name string) string {
	for n, try := 2, name; ; n++ {
		if s.Index(try) < 0 {
			return try
		}
		try = name + "_" + strconv.Itoa(n)
	}
}
