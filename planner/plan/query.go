package plan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Query is the argument object of query_table. The offline planner writes it, tools/data runs it.
// Stages run in this order: union, join, derive, filter, group and aggregate (or order), share and rank, having, change, order,
// beside, distinct, offset and limit; plain columns that Select does not name can be filtered and sorted by and are dropped last.
type Query struct {
	Table        string      `json:"table,omitempty"` // a table's name or handle; or Data
	Data         any         `json:"data,omitempty"`  // a handle, a Ref, or an inline table
	Union        []string    `json:"union,omitempty"` // tables with the same columns, whose rows are added below
	Join         []Join      `json:"join,omitempty"`
	Derive       []Derived   `json:"derive,omitempty"`
	Filter       []Condition `json:"filter,omitempty"` // all must hold
	GroupBy      []GroupKey  `json:"group_by,omitempty"`
	Select       []Select    `json:"select,omitempty"`
	Having       []Condition `json:"having,omitempty"`
	OrderBy      []Order     `json:"order_by,omitempty"`
	Limit        int         `json:"limit,omitempty"`     // 0 is no limit
	LimitBy      []string    `json:"limit_by,omitempty"`  // the limit holds for each combination of these columns
	WithTies     bool        `json:"with_ties,omitempty"` // rows that tie with the last one within the limit stay
	Offset       int         `json:"offset,omitempty"`
	Distinct     bool        `json:"distinct,omitempty"`
	ShareOfTotal string      `json:"share_of_total,omitempty"` // adds <col>_share, in percent of the column's sum over the rows before having and limit
	RankBy       string      `json:"rank_by,omitempty"`        // adds rank, 1 for the largest, ties share a rank
	Change       *Change     `json:"change,omitempty"`
	Beside       *Beside     `json:"beside,omitempty"`
}

// Ops are the operators of a Condition. A null cell meets none of them but is_null.
var Ops = []string{"eq", "ne", "lt", "le", "gt", "ge", "between", "in", "not_in", "contains", "not_contains", "starts_with", "ends_with", "is_null", "not_null"}

// Exprs are the aggregates of a Select.
var Exprs = []string{"sum", "mean", "median", "min", "max", "count", "count_distinct", "stddev", "first", "last", "share"}

// Name is the column that the Select gives: As, else e.g. sum_revenue_usd or count, else the plain column's name.
func (s Select) Name() string {
	switch {
	case s.As != "":
		return s.As
	case s.Expr == "":
		return s.Column
	case s.Column == "" || s.Column == "*":
		return s.Expr
	}
	return s.Expr + "_" + s.Column
}

// Select is one output column: a plain column, or an aggregate. JSON: "col" or {"expr": "sum", "column": "x", "as": "y"}.
type Select struct {
	// Expr is sum mean median min max count count_distinct stddev first last, or share: what Filter keeps in percent of the
	// whole (of the rows; of the sum of Column where it is set). "" is the plain column.
	Expr   string      `json:"expr,omitempty"`
	Column string      `json:"column,omitempty"` // * is all rows of count, and of other aggregates the one measure that the table has
	Period string      `json:"period,omitempty"` // of an aggregate: dates are cut to this period first
	As     string      `json:"as,omitempty"`
	Filter []Condition `json:"filter,omitempty"` // the aggregate counts only these rows: shares and side-by-side comparisons
}

// Condition is one test on a column, or any of several. JSON: {"column", "op", "value"} or {"any": [...]}.
type Condition struct {
	Column string      `json:"column,omitempty"`
	Period string      `json:"period,omitempty"` // tests the date cut to this period: weekday in [6, 7]
	Op     string      `json:"op,omitempty"`     // one of Ops
	Value  any         `json:"value,omitempty"`  // a scalar; a list for in and between; {"expr": "mean", "column": "x"} compares with an aggregate of the whole column, with "filter" of those rows of it; {"column": "x"} with another column
	Any    []Condition `json:"any,omitempty"`
}

// GroupKey is one grouping column. JSON: "col" or {"column": "month", "period": "year"}.
type GroupKey struct {
	Column string `json:"column"`
	Period string `json:"period,omitempty"` // table.Period: year quarter month week day decade hour month_of_year weekday
	As     string `json:"as,omitempty"`     // the key's name in the result; "" keeps Column
}

// Order sorts by an output column.
type Order struct {
	Column string `json:"column"`
	Desc   bool   `json:"desc,omitempty"`
}

// Join adds another table's columns. Names that clash get the other table's name as a prefix.
type Join struct {
	Table string      `json:"table"`
	On    [][2]string `json:"on"`
	How   string      `json:"how,omitempty"` // inner (default) or left
}

// JoinLeft is a Join's How that keeps rows which nothing is joined to.
const JoinLeft = "left"

// Derived computes a column before filtering.
type Derived struct {
	As    string `json:"as"`
	Op    string `json:"op"`              // one of DerivedOps
	Left  any    `json:"left,omitempty"`  // a column's name, or a number
	Right any    `json:"right,omitempty"` // a column's name, or a number
}

// DerivedOps are the operations of a Derived: arithmetic, percent being left in percent of right; more, less and same, which
// are true or false; number and year, which read the first number and the year in the text of left, a time such as 1:02.5
// being its seconds; and row, the place of the row in the table, from 1.
var DerivedOps = []string{"add", "sub", "mul", "div", "abs_diff", "percent", "more", "less", "same", "number", "year", "row"}

// Beside keeps the rows that stand Offset rows behind (before, where it is negative) each row that meets Filter, in the order
// of the result.
type Beside struct {
	Filter []Condition `json:"filter"`
	Offset int         `json:"offset"`
}

// Change compares the last row with the first along Order, per combination of By: columns By..., <order>_first, <order>_last,
// <column>_first, <column>_last, change, change_percent. With Every each row is compared with the one before it: columns By..., Order,
// Column, change, change_percent, of which the last two are null in the first row.
type Change struct {
	Column string   `json:"column"`
	Order  string   `json:"order"`
	By     []string `json:"by,omitempty"`
	Every  bool     `json:"every,omitempty"`
}

// ParseQuery reads the arguments of query_table. Unknown keys, operators and aggregates are errors that name the known
// ones. Refs must have been resolved before.
func ParseQuery(args map[string]any) (Query, error) {
	raw, err := json.Marshal(args)
	if err != nil {
		return Query{}, fmt.Errorf("query: %w", err)
	}
	var q Query
	if err := decodeStrict(raw, &q); err != nil {
		return Query{}, fmt.Errorf("query: %w", err)
	}
	return q, q.check()
}

// Args is the query as arguments of query_table. Refs in Data stay Refs.
func (q Query) Args() map[string]any {
	data := q.Data
	q.Data = nil
	raw, err := json.Marshal(q)
	args := map[string]any{}
	if err == nil {
		dec := json.NewDecoder(bytes.NewReader(raw))
		dec.UseNumber()
		err = dec.Decode(&args)
	}
	if err != nil { // only a caller's value that JSON cannot hold, such as a NaN
		return map[string]any{"table": q.Table}
	}
	if data != nil {
		args["data"] = data
	}
	return args
}

func (q Query) check() error {
	if (q.Table == "") == (q.Data == nil) {
		return fmt.Errorf("query: give either table or data")
	}
	if q.Limit < 0 || q.Offset < 0 {
		return fmt.Errorf("query: limit and offset are not negative")
	}
	for _, s := range q.Select {
		if s.Expr != "" && !slices.Contains(Exprs, s.Expr) {
			return fmt.Errorf("query: there is no aggregate %q; the aggregates are %s", s.Expr, strings.Join(Exprs, ", "))
		}
		if err := checkConditions(s.Filter); err != nil {
			return err
		}
	}
	list := append(slices.Clone(q.Filter), q.Having...)
	if q.Beside != nil {
		list = append(list, q.Beside.Filter...)
	}
	return checkConditions(list)
}

func checkConditions(list []Condition) error {
	for _, c := range list {
		if len(c.Any) > 0 {
			if err := checkConditions(c.Any); err != nil {
				return err
			}
			continue
		}
		if c.Column == "" || !slices.Contains(Ops, c.Op) {
			return fmt.Errorf("query: a condition has a column and an op of %s, not %q", strings.Join(Ops, ", "), c.Op)
		}
	}
	return nil
}

// UnmarshalJSON reads "col" or {"expr", "column", "as", "filter"}.
func (s *Select) UnmarshalJSON(data []byte) error {
	type plain Select
	return textOr(data, func(col string) { *s = Select{Column: col} }, (*plain)(s))
}

// MarshalJSON writes a plain column as its name.
func (s Select) MarshalJSON() ([]byte, error) {
	type plain Select
	if s.Expr == "" && s.As == "" && len(s.Filter) == 0 {
		return json.Marshal(s.Column)
	}
	return json.Marshal(plain(s))
}

// UnmarshalJSON reads "col" or {"column", "period"}.
func (k *GroupKey) UnmarshalJSON(data []byte) error {
	type plain GroupKey
	return textOr(data, func(col string) { *k = GroupKey{Column: col} }, (*plain)(k))
}

// MarshalJSON writes a key without a period as its name.
func (k GroupKey) MarshalJSON() ([]byte, error) {
	type plain GroupKey
	if k.Period == "" && k.As == "" {
		return json.Marshal(k.Column)
	}
	return json.Marshal(plain(k))
}

// UnmarshalJSON reads {"column", "desc"}, "col", or "-col" for descending.
func (o *Order) UnmarshalJSON(data []byte) error {
	type plain Order
	return textOr(data, func(col string) {
		name, desc := strings.CutPrefix(col, "-")
		*o = Order{Column: name, Desc: desc}
	}, (*plain)(o))
}

// textOr reads a JSON string with text, anything else strictly into v.
func textOr(data []byte, text func(string), v any) error {
	var s string
	if json.Unmarshal(data, &s) == nil {
		text(s)
		return nil
	}
	return decodeStrict(data, v)
}

func decodeStrict(data []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	dec.DisallowUnknownFields()
	return dec.Decode(v)
}
