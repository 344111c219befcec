package plan

import (
	"maps"
	"regexp"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"catena/planner/loosejson"
)

// The arguments of a tool that asks tables in SQL: the statement, or the query that it would mean; and names for tables
// that either may use.
const (
	sqlArgument    = "sql"
	queryArgument  = "query"
	tablesArgument = "tables"
)

// sqlSource finds the names of tables in a statement: behind FROM, JOIN and the commas of a list of tables.
var sqlSource = regexp.MustCompile("(?i)(?:\\bfrom|\\bjoin|,)\\s+[\"`\\[]?([A-Za-z_][A-Za-z0-9_]*)")

// SQLTables are the names in a statement that may be tables, in their order. Some may be columns: the statement is not
// parsed.
func SQLTables(statement string) (names []string) {
	for _, found := range sqlSource.FindAllStringSubmatch(statement, -1) {
		if !slices.Contains(names, found[1]) {
			names = append(names, found[1])
		}
	}
	return names
}

// takesSQL reports whether a tool takes a statement and names for its tables.
func takesSQL(in *jsonschema.Schema) bool { return hasArguments(in, sqlArgument, tablesArgument) }

// hasArguments reports whether a tool has arguments of these names.
func hasArguments(in *jsonschema.Schema, names ...string) bool {
	for _, name := range names {
		if found, _ := property(in, name); len(found) != 1 {
			return false
		}
	}
	return true
}

// SQLStep is the step that has a statement run, by the tool that takes one; false where there is none.
func SQLStep(statement string, tools []Tool) (Step, bool) {
	return stepWith(sqlArgument, statement, tools)
}

// QueryStep is the same for a query of the algebra, as its JSON.
func QueryStep(query map[string]any, tools []Tool) (Step, bool) {
	return stepWith(queryArgument, query, tools)
}

func stepWith(argument string, value any, tools []Tool) (Step, bool) {
	for _, t := range tools {
		if in := shared.schemas.get(
			t.InputSchema,
		).Schema; in != nil &&
			hasArguments(in, sqlArgument, tablesArgument, argument) {
			return Step{ID: "s1", Tool: t.Name, Args: map[string]any{argument: value}}, true
		}
	}
	return Step{}, false
}

// tablesOfSQL gives a statement that names an earlier step as a table the reference that it means. Nothing else in
// the text is a reference: without the entry the step would neither wait for the other nor find its table.
func (r *repairing) tablesOfSQL(s *Step, in *schema, base string) {
	statement, ok := s.Args[sqlArgument].(string)
	if !ok || !takesSQL(in) {
		return
	}
	tables, ok := s.Args[tablesArgument].(map[string]any)
	if !ok && s.Args[tablesArgument] != nil {
		return
	}
	tables = maps.Clone(tables)
	for _, id := range SQLTables(statement) {
		if _, given := tables[id]; given || !r.givesTable(id) {
			continue
		}
		if tables == nil {
			tables = map[string]any{}
		}
		tables[id] = Ref{Step: id}
		r.path = base + "/" + tablesArgument + "/" + id
		r.note(MissingRequired, nil, tables[id], "the statement asks the table of an earlier step")
	}
	if tables != nil {
		s.Args[tablesArgument] = tables
	}
}

// givesTable reports whether an earlier step of that id may give a table.
func (r *repairing) givesTable(id string) bool {
	place, known := r.place[id]
	if !known || place >= r.at {
		return false
	}
	out := r.output(id)
	return out == nil || isTable(out)
}

// TableArgument is the one argument of a tool that it needs and that takes a table, "" where there is none or more than
// one.
func TableArgument(in *jsonschema.Schema) string {
	only := ""
	if in == nil {
		return only
	}
	for _, name := range fieldNames(in) {
		found, _ := property(in, name)
		if len(found) != 1 || !required(in, name) || format(found[0]) != TableRef {
			continue
		}
		if only != "" {
			return ""
		}
		only = name
	}
	return only
}

// tableBefore gives a step that needs a table, and names none, the one of an earlier step: the only one that no other
// step takes, else the only one. Where two can be meant the argument stays missing, and the validator says so.
func (r *repairing) tableBefore(s *Step, in *schema, base string) {
	name := TableArgument(in)
	if _, given := s.Args[name]; name == "" || given || s.Each != nil {
		return
	}
	taken := map[string]bool{}
	for _, other := range r.plan.Steps {
		other.refs(func(ref Ref) { taken[ref.Step] = true })
	}
	var all, free []string
	for _, before := range r.plan.Steps[:r.at] {
		out := r.output(before.ID)
		if before.ID == "" || out == nil || !isTable(out) {
			continue
		}
		if all = append(all, before.ID); !taken[before.ID] {
			free = append(free, before.ID)
		}
	}
	if len(free) != 1 {
		free = all
	}
	if len(free) != 1 {
		return
	}
	ref := Ref{Step: free[0]}
	r.path = base + "/" + loosejson.Escape(name)
	r.note(MissingRequired, nil, ref, "the only table of an earlier step that it can be")
	if s.Args == nil {
		s.Args = map[string]any{}
	}
	s.Args[name] = ref
}
