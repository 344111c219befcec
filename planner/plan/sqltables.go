package plan

import (
	"maps"
	"regexp"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
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
