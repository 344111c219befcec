package reader

import (
	"catena/planner/reader/link"
	"catena/table"
)

// meaning is what a part of a message stands for: a reference of package link, or what the grammar's actions make of
// such.
type meaning interface{}

// word is a word of the lexicon as the grammar's actions see it.
type word struct {
	cat, sense string
	nth        int64 // of a superlative: 2 where the second one is meant; 0 is the first
}

// anyTable is the table of what fits all: a count of rows, a period whose column is not said.
const anyTable = -1

// column is a field, or a cut of it: the month of a date.
type column struct {
	link.FieldRef
	grain string // "" is the field itself
	// op puts the field together with another of its row: the difference of two prices. "" is the field itself.
	op    string
	other link.FieldRef
	// role is the place, from 1, of the relationship that leads to the field's table, where several do; 0 is the only
	// way.
	role int
}

// condition is what rows must be. What it is made of is never changed.
type condition struct {
	op     string // eq ne gt ge lt le, among, between, during, null, related; and, or, not over parts
	of     column // with anyTable for a period whose column is not said
	values []string
	copies []link.ValueIn // the same values in columns that stand for the same
	low    link.NumberRef
	high   link.NumberRef
	period *link.PeriodRef
	parts  []*condition
	set    *rows   // of related
	than   *answer // in place of low: one value
	field  *column // in place of low: a column of the same row
	step   int64   // of next: how far away
	// compare is how the number of rows of counted compares with low, and how a text holds another: a holds sense.
	compare string
}

// tables adds the tables whose rows the condition is about.
func (c *condition) tables(add func(table int)) {
	switch c.op {
	case opRelated, opCounted, opLinked, opReferred, opAnd, opOr, opNot:
	default:
		add(c.of.Table)
	}
	if c.set != nil && c.op != opRefers {
		add(c.set.table)
	}
	for _, p := range c.parts {
		p.tables(add)
	}
}

// table is the first table that the condition is about, anyTable where it is about none.
func (c *condition) table() int {
	found := anyTable
	c.tables(func(t int) {
		if found == anyTable {
			found = t
		}
	})
	return found
}

// The operators of conditions that the grammar's actions make.
const (
	opAmong    = "among"
	opBetween  = "between"
	opDuring   = "during"
	opHolds    = "holds" // a text that holds the one value within
	opNull     = "null"
	opRelated  = "related"
	opAnd      = "and"
	opOr       = "or"
	opNot      = "not"
	opNext     = "next"     // a row that stands beside one for which parts hold
	opCounted  = "counted"  // so many rows of set belong to it
	opLinked   = "linked"   // a row of the table of the column refers to it, and to one of set
	opAlike    = "alike"    // the same value as rows of set have
	opRefers   = "refers"   // the column refers to one of set
	opReferred = "referred" // the column of one of set refers to it
)

// rows is a set of rows of one table.
type rows struct {
	table   int
	implied bool // no word names it: its conditions do
	before  bool // they are those of the answer before
	where   []*condition
	order   []ordering
	take    int64 // 0 is all
	skip    int64 // of those that are taken, how many come before and are not meant
	ties    bool  // rows equal to the last one stay
	show    []column
	// called is the column that the rows were named by: players, of a table that has a column of them.
	called *column
}

// What is made of the numbers of groups, in their order.
const (
	windowRunning = "running" // all that came before, added up
	windowChange  = "change"  // the difference to the one before
	windowRate    = "rate"    // that in percent of the one before
	windowRank    = "rank"    // its place among them, equals in one
)

// all reports whether the rows are those of the whole table.
func (r *rows) all() bool { return len(r.where) == 0 && r.take == 0 }

// ordering is one key of an order: by a column, or by a measure of groups.
type ordering struct {
	by      column
	measure *measure
	desc    bool
}

// measure is a number over rows.
type measure struct {
	agg      string
	of       column // anyTable: the rows themselves
	counted  int    // of a count: the table whose rows are counted; anyTable is those of the answer
	distinct bool
	where    *condition
	with     *link.FieldRef // the second number of a correlation
	// over and op put two measures together: sub, div; share is a part of the whole.
	op    string
	left  *measure
	right *measure
}

// plain reports whether the measure is one aggregate of all rows.
func (m *measure) plain() bool { return m.op == "" && m.where == nil }

// sums reports whether the measure of a whole is the sum of those of its parts.
func (m *measure) sums() bool { return m.agg == aggCount || m.agg == aggSum }

// tables adds the tables that the measure needs.
func (m *measure) tables(add func(table int)) {
	if m.op != "" {
		m.left.tables(add)
		m.right.tables(add)
		return
	}
	add(m.of.Table)
	add(m.counted)
}

// answer is a whole question.
type answer struct {
	of       *rows // nil where only measures say what it is about
	show     []column
	groups   []column
	measures []*measure
	having   []having
	order    []ordering
	take     int64
	skip     int64
	ties     bool
	distinct bool
	exists   bool // whether there are any
	shares   bool // each group's measure as a share of that of all groups
	context  bool // the rows' codes, and what was compared, are shown beside their names
	// per are columns for each of whose values the first rows are meant.
	per []column
	// both are two answers of one value, put together by an operator, in place of all else.
	both *pair
	// window is what is made of the groups' numbers, in their order; "" leaves them.
	window string
	fold   string // an aggregate of the measures of all groups; "" leaves them
}

// pair is two answers of one value each, and what is computed of them.
type pair struct {
	op          string
	left, right *answer
}

// having is a condition on a measure of a group.
type having struct {
	of *measure
	op string
	to table.Value
}
