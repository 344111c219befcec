package formatter

import (
	"context"
	"fmt"
	"slices"

	"catena/profiler"
	"catena/profiler/anomaly"
	"catena/table"
)

// Anomaly is a cell that stands out in a column of the view.
type Anomaly struct {
	Row    int    // from 0, in the order of the view; rows from NumRows on were cut off by the limit
	Column int    // in the view
	Label  string // what the row is called: its first text cell; may be ""
	anomaly.Outlier

	value table.Value
}

// UnusualRow is a row of the view whose numbers, taken together, are unlike those of the other rows of the table.
type UnusualRow struct {
	Row     int     // from 0, in the view
	Label   string  // what the row is called: its first text cell; may be ""
	Apart   float64 // how many times as far from similar rows as usual
	Columns []int   // what makes it so, the most first: columns of the view
	Why     string  // a sentence for people
}

// anomalies looks for cells that stand out in the whole column, those of rows that are not shown included. order is
// that of all rows.
func (v *View) anomalies(t *table.Table, cols, order []int) []Anomaly {
	at := make(map[int]int, len(order))
	for i, r := range order {
		at[r] = i
	}
	var out []Anomaly
	for i, c := range cols {
		if v.Columns[i].Metadata.Role != profiler.RoleMeasure {
			continue
		}
		for _, o := range anomaly.Outliers(t, c) {
			if row, ok := at[o.Row]; ok {
				out = append(out, Anomaly{Row: row, Column: i, Label: v.rowLabel(t, o.Row, cols), Outlier: o,
					value: t.Value(o.Row, c)})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Anomaly) int { return a.Row - b.Row })
	return out
}

// maxUnusual is how many rows that are unlike the others are told.
const maxUnusual = 5

// unusualRows looks for rows of the whole table whose measures, two at least, are unlike those of the others together,
// and keeps those that are shown. A row that one number alone makes unusual, and that is among the anomalies already,
// is left out.
func (v *View) unusualRows(t *table.Table, cols, order []int) ([]UnusualRow, error) {
	var measures []int
	for i, c := range cols {
		if v.Columns[i].Metadata.Role == profiler.RoleMeasure && t.Column(c).Type.Numeric() && !v.Columns[i].derived {
			measures = append(measures, c)
		}
	}
	if len(measures) < 2 {
		return nil, nil
	}
	found, err := anomaly.UnusualRows(context.Background(), t, anomaly.RowOptions{Columns: measures, Limit: maxUnusual})
	if err != nil {
		return nil, fmt.Errorf("looking for unusual rows: %w", err)
	}
	var out []UnusualRow
	for _, u := range found {
		row := slices.Index(order, u.Row)
		if row < 0 || len(u.Columns) == 1 && slices.ContainsFunc(v.Anomalies, func(a Anomaly) bool { return a.Row == row && cols[a.Column] == u.Columns[0].Column }) {
			continue
		}
		r := UnusualRow{Row: row, Label: v.rowLabel(t, u.Row, cols), Apart: u.Apart, Why: u.Why}
		for _, c := range u.Columns {
			r.Columns = append(r.Columns, slices.Index(cols, c.Column))
		}
		out = append(out, r)
	}
	return out, nil
}

// rowLabel is the first text cell of a row of t, "" when it has none; cols are the view's columns in t.
func (v *View) rowLabel(t *table.Table, row int, cols []int) string {
	for i, col := range v.Columns {
		if !col.Right && col.Metadata.Role != profiler.RoleTime && !t.IsNull(row, cols[i]) {
			value := t.Value(row, cols[i])
			return string(v.looks[i].append(nil, &value))
		}
	}
	return ""
}
