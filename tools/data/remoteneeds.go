package data

import (
	"encoding/json"
	"strings"
	"time"

	"catena/planner/plan"
	"catena/query"
	"catena/table"
)

// needed are stages that leave of a database's table what a query's JSON looks at: the columns that it names, and the
// rows for which its conditions on numbers and days hold. The query has the same conditions again.
func needed(t SourceTable, q plan.Query, args map[string]any) []query.Stage {
	if t.Remote == nil {
		return nil
	}
	var out []query.Stage
	words := map[string]bool{}
	objects := gather(args, words)
	if !objects { // a value that is computed of the whole column needs it whole
		for _, c := range q.Filter {
			if e := t.Remote.condition(c); e != nil {
				out = append(out, query.Filter{Where: e})
			}
		}
	}
	if len(q.Select) == 0 && len(q.GroupBy) == 0 {
		return out
	}
	var columns []query.Named
	for _, c := range t.Remote.Relation.Columns {
		if words[strings.ToLower(c.Name)] {
			columns = append(columns, query.Named{As: c.Name, Expr: query.Col(c.Name)})
		}
	}
	if len(columns) > 0 && len(columns) < len(t.Remote.Relation.Columns) {
		out = append(out, query.Project{Columns: columns})
	}
	return out
}

// gather collects the texts of a query's JSON in lower case, and reports whether a condition's value is an object.
func gather(v any, words map[string]bool) (objects bool) {
	switch x := v.(type) {
	case string:
		words[strings.ToLower(x)] = true
	case []any:
		for _, e := range x {
			objects = gather(e, words) || objects
		}
	case map[string]any:
		for key, e := range x {
			_, computed := e.(map[string]any)
			objects = objects || key == "value" && computed
			objects = gather(e, words) || objects
		}
	}
	return objects
}

// comparedBy are the operations of conditions that databases have, too.
var comparedBy = map[string]bool{"eq": true, "lt": true, "le": true, "gt": true, "ge": true}

// condition is a condition on a column of numbers or days; nil for all others.
func (r *Remote) condition(c plan.Condition) query.Expr {
	if c.Period != "" || len(c.Any) > 0 || !comparedBy[c.Op] {
		return nil
	}
	for _, col := range r.Relation.Columns {
		if !strings.EqualFold(col.Name, c.Column) {
			continue
		}
		if v, ok := valueBeside(c.Value, col.Type); ok {
			return query.Do(c.Op, query.Col(col.Name), query.Lit(v))
		}
	}
	return nil
}

// valueBeside is a condition's value as a constant beside a column of a type.
func valueBeside(v any, t table.Type) (table.Value, bool) {
	switch x := v.(type) {
	case json.Number:
		n, err := table.ParseDecimal(x.String())
		return n, err == nil && t.Numeric()
	case float64:
		return table.FloatValue(x), t.Numeric()
	case string:
		day, err := time.Parse(time.DateOnly, x)
		return table.DateValue(day.Date()), err == nil && t == table.Date
	}
	return table.NullValue, false
}
