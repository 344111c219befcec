package query

import (
	"slices"

	"catena/table"
)

// Query is a relation: a source, and the stages that its rows go through, in their order. Columns of a relation have
// distinct names. The zero Query is one row without columns, as SELECT 1 needs it.
type Query struct {
	// From is the table's name or handle, as the Catalog knows it; "" with no Of is one row without columns.
	From string `json:"from,omitempty"`
	// Of is a query in place of a table. From is "" then.
	Of *Query `json:"of,omitempty"`
	// Stages are applied from the first to the last.
	Stages []Stage `json:"stages,omitempty"`
}

// From starts a query over a table.
func From(table string) Query { return Query{From: table} }

// With is q with further stages. q is not changed.
func (q Query) With(stages ...Stage) Query {
	q.Stages = append(q.Stages[:len(q.Stages):len(q.Stages)], stages...)
	return q
}

// Folds reports whether several rows become one value somewhere: by a group, or a window. Queries inside expressions
// are not looked at.
func (q Query) Folds() bool {
	if q.Of != nil && q.Of.Folds() {
		return true
	}
	return slices.ContainsFunc(q.Stages, func(st Stage) bool {
		switch s := st.(type) {
		case Group, Window, Pivot:
			return true
		case Join:
			return s.With.Folds()
		case Set:
			return s.With.Folds()
		}
		return false
	})
}

// Stage is one step of a pipeline: Filter, Derive, Project, Group, Pivot, Unpivot, Window, Join,
// Set, Distinct, Sort or Take.
type Stage interface{ stage() }

// Filter keeps the rows for which the condition is true; rows for which it is null go.
type Filter struct {
	Where Expr `json:"filter"`
}

// Derive adds columns, or replaces those of the same name in their place. Its expressions see the columns before it.
type Derive struct {
	Columns []Named `json:"derive"`
}

// Project makes the given columns the only ones, in their order.
type Project struct {
	Columns []Named `json:"project"`
}

// Group makes one row of each combination of the keys, in order of first appearance: the keys' columns, then the
// aggregates'. Without keys there is exactly one row, also of no rows. Nulls of a key are one group.
type Group struct {
	Keys       []Named     `json:"group"`
	Aggregates []Aggregate `json:"aggregates,omitempty"`
}

// Pivot makes one row of each combination of the keys, as Group does: the keys' columns, then one column for each of
// the values, with the aggregate of the rows in which On is that value. Rows of other values count in the keys alone.
type Pivot struct {
	On     Expr      `json:"pivot"`
	Values []Named   `json:"values"` // literals, one of null too, with the names of their columns
	Keys   []Named   `json:"keys,omitempty"`
	Cell   Aggregate `json:"cell"`            // its As is not used
	Total  string    `json:"total,omitempty"` // a last column, with the aggregate of all rows; "" is none
}

// Unpivot makes several rows of each row, in the order of Rows: the columns of Keep, then one column for each of As,
// with the values that stand in that place of the row's list.
type Unpivot struct {
	Rows [][]Expr `json:"unpivot"` // each as long as As; what stands in one place is of one type
	As   []string `json:"as"`
	Keep []Named  `json:"keep,omitempty"`
}

// Window adds columns that are computed over rows around each row. The rows keep their order.
type Window struct {
	Columns []WindowColumn `json:"window"`
}

// Join puts the columns of another relation beside those here. Names of both must be distinct (see Project); Semi and
// Anti give the left columns alone.
type Join struct {
	Kind JoinKind `json:"join"`
	With Query    `json:"with"`
	On   Expr     `json:"on,omitempty"` // nil joins each row with each
}

// Set puts the rows of another relation to those here, by the columns' places. Names are those here.
type Set struct {
	Op   SetOp `json:"set"`
	All  bool  `json:"all,omitempty"` // keeps rows that are equal
	With Query `json:"with"`
}

// Distinct keeps the first of the rows that are equal in all columns; nulls equal each other.
type Distinct struct{}

// Sort orders the rows. Equal ones keep their order.
type Sort struct {
	Keys []SortKey `json:"sort"`
}

// Take keeps some of the rows in their order.
type Take struct {
	Rows   int64     `json:"take"`             // how many; negative is all
	Offset int64     `json:"offset,omitempty"` // how many are left out before
	Per    []string  `json:"per,omitempty"`    // so many for each combination of these columns
	Ties   []SortKey `json:"ties,omitempty"`   // rows that are equal to the last one by these keys stay too; nil is none
}

func (Filter) stage()   {}
func (Derive) stage()   {}
func (Project) stage()  {}
func (Group) stage()    {}
func (Pivot) stage()    {}
func (Unpivot) stage()  {}
func (Window) stage()   {}
func (Join) stage()     {}
func (Set) stage()      {}
func (Distinct) stage() {}
func (Sort) stage()     {}
func (Take) stage()     {}

// Named is an expression with the name of its column.
type Named struct {
	As   string `json:"as"`
	Expr Expr   `json:"expr"`
}

// JoinKind says which rows a join gives.
type JoinKind string

// The joins. Cross is Inner without a condition.
const (
	Inner JoinKind = "inner"
	Left  JoinKind = "left"
	Right JoinKind = "right"
	Full  JoinKind = "full"
	Semi  JoinKind = "semi" // left rows that have a match, once
	Anti  JoinKind = "anti" // left rows that have none
)

// SetOp is what Set does.
type SetOp string

// The operations of sets.
const (
	Union     SetOp = "union"
	Intersect SetOp = "intersect"
	Except    SetOp = "except"
)

// SortKey is one key of an order.
type SortKey struct {
	Expr       Expr `json:"expr"`
	Desc       bool `json:"desc,omitempty"`
	NullsFirst bool `json:"nulls_first,omitempty"`
}

// Aggregate is one value of a group of rows.
type Aggregate struct {
	As       string    `json:"as"`
	Func     string    `json:"func"`               // of Aggregates()
	Args     []Expr    `json:"args,omitempty"`     // none is the rows themselves, for count
	Distinct bool      `json:"distinct,omitempty"` // equal values count once
	Where    Expr      `json:"where,omitempty"`    // only rows for which it is true; nil is all
	Order    []SortKey `json:"order,omitempty"`    // for first, last and list
}

// WindowColumn is one value for each row, computed over the rows of its partition.
type WindowColumn struct {
	As        string    `json:"as"`
	Func      string    `json:"func"` // of Aggregates() or Windows()
	Args      []Expr    `json:"args,omitempty"`
	Where     Expr      `json:"where,omitempty"`
	Partition []Expr    `json:"partition,omitempty"`
	Order     []SortKey `json:"order,omitempty"`
	Frame     Frame     `json:"frame,omitzero"`
}

// Frame is which rows of the partition count. The zero Frame is that of SQL: with an order from the partition's first
// row to the current one and those that are equal to it, else the whole partition.
type Frame struct {
	Unit  FrameUnit `json:"unit"`
	Start Bound     `json:"start"` // of a frame with a Unit, as End
	End   Bound     `json:"end"`
}

// FrameUnit says what bounds of a frame count.
type FrameUnit string

// The units of frames. The zero one is the default frame.
const (
	Rows   FrameUnit = "rows"
	Range  FrameUnit = "range"  // values of the one key of the order
	Groups FrameUnit = "groups" // groups of rows that are equal by the order
)

// Bound is where a frame begins or ends.
type Bound struct {
	Unbounded bool `json:"unbounded,omitempty"`
	// Offset counts from the current row (group, value): negative is before it. Null is the current row.
	Offset table.Value
}
