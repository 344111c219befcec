package chat

import (
	"context"
	"maps"
	"slices"

	"catena/planner/plan"
)

// tellLoading notes what loading repaired or left out of tables, unless an earlier turn has told it.
func (t *turn) tellLoading(ctx context.Context, tables []string) {
	if t.opts.Tables == nil {
		return
	}
	for _, name := range tables {
		for _, n := range t.opts.Tables.LoadNotes(ctx, t.caller, t.req.SessionID, name) {
			if !slices.Contains(t.told, n) {
				t.note(n)
			}
		}
	}
}

// tablesIn names the tables that a plan reads, in the order of its steps. What describes a table tells its loading by
// itself.
func tablesIn(p plan.Plan) []string {
	var names []string
	for _, s := range p.Steps {
		if s.Tool != "describe_table" {
			names = addTables(names, s.Args)
		}
	}
	return names
}

// addTables adds the names of tables in arguments, those of joins and of statements included.
func addTables(names []string, args any) []string {
	switch v := args.(type) {
	case []any:
		for _, e := range v {
			names = addTables(names, e)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			switch value, text := v[key].(string); {
			case !text:
				names = addTables(names, v[key])
			case key == "sql":
				names = addNames(names, plan.SQLTables(value)...)
			case key == "table", key == "data", key == "from":
				names = addNames(names, value)
			}
		}
	}
	return names
}

func addNames(names []string, more ...string) []string {
	for _, name := range more {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
