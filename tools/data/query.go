package data

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"catena/planner/plan"
	"catena/table"
)

// QueryError says why a query could not run and what would be right. Unknown columns are *table.UnknownColumnError instead.
type QueryError struct {
	Reason string
}

// Error is the reason, one sentence.
func (e *QueryError) Error() string { return "query: " + e.Reason }

func queryErrorf(format string, args ...any) error {
	return &QueryError{Reason: fmt.Sprintf(format, args...)}
}

// RunQuery runs q (see plan.Query for the order of the stages). resolve finds a table by name or handle; q.Data, when set,
// must be a name or handle too, or a *table.Table. It returns the result, notes for the reader (what was left out, what could
// not be computed), and the number of rows before offset and limit. Unknown columns are *table.UnknownColumnError, operations
// that a column's type does not have *table.TypeError, other faults of the query *QueryError. The inputs are not changed.
func RunQuery(q plan.Query, resolve func(name string) (*table.Table, error)) (*table.Table, []string, int, error) {
	return runQuery(q, resolve, nil)
}

// runQuery is RunQuery where apart names, by columns of amounts in lower case, the column of each row's currency.
func runQuery(q plan.Query, resolve func(name string) (*table.Table, error), apart map[string]string) (*table.Table, []string, int, error) {
	source, err := querySource(q, resolve)
	if err != nil {
		return nil, nil, 0, err
	}
	if source, err = united(source, q.Union, resolve); err != nil {
		return nil, nil, 0, err
	}
	r := &queryRun{q: q, t: source, apart: apart}
	stages := []func() error{func() error { return r.join(resolve) }, r.derive, r.measure, r.filter, r.separate, r.shape, r.shares, r.having, r.change, r.order, r.neighbours, r.project}
	for _, stage := range stages {
		if err := stage(); err != nil {
			return nil, nil, 0, err
		}
		r.t.Keep()
	}
	total := max(r.t.NumRows(), r.total)
	if err := r.limit(); err != nil {
		return nil, nil, 0, err
	}
	return r.t, r.notes, total, nil
}

// queryRun is the state that the stages of one query hand on.
type queryRun struct {
	q     plan.Query
	t     *table.Table
	notes []string
	apart map[string]string // columns in mixed currencies or units, in lower case, and the column that names them
	units map[string]string // columns of text in several units, and the column made of those
	shown []string          // plain columns to keep at the end; nil keeps all
	total int               // rows before order left out what the limit would
	// periods are those that the columns of the result that were grouped by were cut to.
	periods map[string]table.Period
}

func (r *queryRun) note(format string, args ...any) {
	s := fmt.Sprintf(format, args...)
	if !slices.Contains(r.notes, s) {
		r.notes = append(r.notes, s)
	}
}

func querySource(q plan.Query, resolve func(string) (*table.Table, error)) (*table.Table, error) {
	switch d := q.Data.(type) {
	case nil:
		return resolve(q.Table)
	case string:
		return resolve(d)
	case *table.Table:
		return d, nil
	}
	return nil, queryErrorf("data must be a table's handle here")
}

func (r *queryRun) join(resolve func(string) (*table.Table, error)) error {
	for _, j := range r.q.Join {
		right, err := resolve(j.Table)
		if err != nil {
			return err
		}
		how := table.JoinKind(j.How)
		if how == "" {
			how = table.Inner
		}
		onRight := map[string]bool{}
		for _, pair := range j.On {
			if i := right.Index(pair[1]); i >= 0 {
				onRight[right.Column(i).Name] = true
			}
		}
		for _, name := range right.Names() { // names that clash get the table's name as a prefix
			if !onRight[name] && r.t.Index(name) >= 0 {
				if right, err = right.Rename(name, j.Table+"_"+name); err != nil {
					return err
				}
			}
		}
		if r.t, err = table.Join(r.t, right, j.On, how); err != nil {
			return err
		}
	}
	return nil
}

func (r *queryRun) filter() error {
	before := r.t
	if err := r.keep(r.q.Filter); err != nil {
		return err
	}
	for _, c := range r.q.Filter {
		if i := before.Index(c.Column); i >= 0 && (c.Op == "gt" || c.Op == "ge" || c.Op == "lt" || c.Op == "le" || c.Op == "between") {
			if m, several := mixed(before, i); several && m.scales == nil {
				r.told(before.Column(i).Name, m)
			}
		}
	}
	if r.t.NumRows() == 0 {
		r.outside(before)
	}
	return nil
}

// outside notes the range of what a condition left nothing of, so that "last quarter" of older data does not look like a quarter
// without sales.
func (r *queryRun) outside(t *table.Table) {
	for _, c := range r.q.Filter {
		i := t.Index(c.Column)
		if i < 0 || c.Period != "" || !t.Column(i).Type.Numeric() && t.Column(i).Type != table.Date && t.Column(i).Type != table.DateTime {
			continue
		}
		test, err := compileAll(t, []plan.Condition{c})
		if err != nil {
			continue
		}
		if left, err := t.Filter(test); err != nil || left.NumRows() > 0 {
			continue
		}
		ends, err := t.Group(nil, []table.Aggregate{{Func: table.Min, Column: t.Column(i).Name, As: "min"}, {Func: table.Max, Column: t.Column(i).Name, As: "max"}})
		if err != nil || ends.NumRows() == 0 || ends.Value(0, 0).IsNull() {
			continue
		}
		r.note("%s goes from %s to %s.", label(t.Column(i).Name), ends.Value(0, 0).Text(), ends.Value(0, 1).Text())
	}
}

func (r *queryRun) having() error {
	return r.keep(r.q.Having)
}

func (r *queryRun) keep(list []plan.Condition) error {
	if len(list) == 0 {
		return nil
	}
	test, err := compileAll(r.t, list)
	if err != nil {
		return err
	}
	r.t, err = r.t.Filter(test)
	return err
}

// order sorts. A key that names no column of the result but an aggregate's source column finds that aggregate.
func (r *queryRun) order() error {
	keys := make([]table.SortKey, 0, len(r.q.OrderBy))
	for _, o := range r.q.OrderBy {
		name := o.Column
		if r.t.Index(name) < 0 {
			for _, s := range r.q.Select {
				if s.Expr != "" && strings.EqualFold(s.Column, name) {
					name = s.Name()
					break
				}
			}
		}
		keys = append(keys, table.SortKey{Column: name, Desc: o.Desc})
	}
	if len(keys) == 0 {
		return nil
	}
	return r.sort(keys)
}

// sort orders the rows; text that holds nothing but numbers is ordered by their values, and text that names periods by time.
func (r *queryRun) sort(keys []table.SortKey) error {
	by := r.t
	for i, key := range keys {
		c := by.Index(key.Column)
		if c < 0 || by.Column(c).Type != table.Text {
			continue
		}
		if values, ok := periodsOf(by, c); ok {
			keys[i].Column = key.Column + " in time"
			var err error
			if by, err = by.WithColumn(table.Column{Name: keys[i].Column}, values); err != nil {
				return err
			}
		} else if values, bad, ok := numbersOf(by, c); ok && bad == 0 {
			if m, several := mixed(by, c); several {
				r.told(by.Column(c).Name, m)
				values = m.numbers
			}
			keys[i].Column = key.Column + " as number"
			var err error
			if by, err = by.WithColumn(table.Column{Name: keys[i].Column}, values); err != nil {
				return err
			}
		}
	}
	rows := by.NumRows()
	if plain := !r.q.Distinct && !r.q.WithTies && r.q.Beside == nil && len(r.q.LimitBy) == 0; plain && r.q.Limit > 0 && r.q.Limit < rows-min(rows, r.q.Offset) {
		r.total, rows = rows, r.q.Offset+r.q.Limit // those beyond the limit need no order
	}
	sorted, err := by.Top(rows, keys...)
	if err != nil || by == r.t {
		r.t = sorted
		return err
	}
	r.t, err = sorted.Select(r.t.Names()...)
	return err
}

// project drops what Select does not name, and repeated rows where asked. Rows are repeated when what is shown repeats.
func (r *queryRun) project() error {
	if r.shown != nil && len(r.q.LimitBy) == 0 && !r.q.WithTies {
		var err error
		if r.t, err = r.t.Select(r.shown...); err != nil {
			return err
		}
		r.shown = nil
	}
	if !r.q.Distinct {
		return nil
	}
	var err error
	r.t, err = r.t.Distinct()
	return err
}

// limit cuts: over all rows, or within each combination of LimitBy.
func (r *queryRun) limit() error {
	if r.q.Offset > 0 || r.q.Limit > 0 {
		groups, err := r.limitGroups()
		if err != nil {
			return err
		}
		var rows []int
		for _, g := range groups {
			rows = append(rows, r.cut(g)...)
		}
		slices.Sort(rows)
		if len(rows) < r.t.NumRows() {
			if r.t, err = r.t.Take(rows); err != nil {
				return err
			}
		}
	}
	if r.shown == nil {
		return nil
	}
	var err error
	r.t, err = r.t.Select(r.shown...)
	return err
}

// cut gives the rows of one group within offset and limit, and those that tie with the last where asked.
func (r *queryRun) cut(rows []int) []int {
	rows = rows[min(r.q.Offset, len(rows)):]
	if r.q.Limit == 0 || len(rows) <= r.q.Limit {
		return rows
	}
	end := r.q.Limit
	if r.q.WithTies {
		for end < len(rows) && r.ties(rows[end-1], rows[end]) {
			end++
		}
	}
	return rows[:end]
}

func (r *queryRun) ties(a, b int) bool {
	for _, o := range r.q.OrderBy {
		i := r.t.Index(o.Column)
		if i < 0 || !table.Equal(r.t.Value(a, i), r.t.Value(b, i)) {
			return false
		}
	}
	return len(r.q.OrderBy) > 0
}

func (r *queryRun) limitGroups() ([][]int, error) {
	cols := make([]int, len(r.q.LimitBy))
	for i, name := range r.q.LimitBy {
		c, err := r.t.Lookup(name)
		if err != nil {
			return nil, err
		}
		cols[i] = c
	}
	return r.t.GroupRows(cols...)
}

// QuerySchema is the input schema of query_table.
func QuerySchema() json.RawMessage { return slices.Clone(querySchema) }
