package statement

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"catena/planner/plan"
	"catena/query"
	"catena/query/sql"
)

// The arguments of a step with a statement.
const (
	sqlArgument    = "sql"
	tablesArgument = "tables"
)

// Check says what is wrong with the statements of a plan, with the nearest names: what its tool would say when it runs.
// tool is the tool that takes statements; tables are those that are listed; now is the present. What an earlier step
// gives is known where that is a statement, too; over tables of which nothing is known only the grammar is checked.
// Paths are as plan.Validate has them. nil says that nothing is wrong.
func Check(p plan.Plan, tool string, tables Tables, now time.Time) plan.Findings {
	var found plan.Findings
	each(p, tool, tables, func(i int, c *catalog, text string) query.Schema {
		schema, findings := c.check(text, now)
		for _, f := range findings {
			f.Path, f.Step = path(i), p.Steps[i].ID
			found = append(found, f)
		}
		if len(findings) > 0 {
			return nil
		}
		return schema
	})
	return found
}

func path(step int) string { return fmt.Sprintf("/steps/%d/args/%s", step, sqlArgument) }

// each calls do for the statements of a plan, in the order in which they can run, with what each may ask. do gives the
// columns of its result, nil where they are not known.
func each(p plan.Plan, tool string, tables Tables, do func(i int, c *catalog, text string) query.Schema) {
	known := map[string]query.Schema{}
	for _, i := range order(p) {
		s := p.Steps[i]
		text, ok := s.Args[sqlArgument].(string)
		if s.Tool != tool || !ok {
			continue
		}
		schema := do(i, &catalog{listed: tables, steps: known, named: namedTables(s)}, text)
		if schema != nil && s.Each == nil {
			known[s.ID] = schema
		}
	}
}

// order is that in which steps can run; of steps that wait for each other, that of the plan.
func order(p plan.Plan) []int {
	waves, err := plan.GraphOf(p).Waves()
	if err == nil {
		return slices.Concat(waves...)
	}
	out := make([]int, len(p.Steps))
	for i := range out {
		out[i] = i
	}
	return out
}

// namedTables are the tables that a step gives names to, in lower case: a reference, or a table's own name.
func namedTables(s plan.Step) map[string]any {
	given, _ := s.Args[tablesArgument].(map[string]any)
	out := make(map[string]any, len(given))
	for name, v := range given {
		out[strings.ToLower(name)] = v
	}
	return out
}

// catalog is what one statement may ask.
type catalog struct {
	listed  Tables
	steps   map[string]query.Schema
	named   map[string]any
	unknown bool // a table was asked of which nothing is known
}

// Schema is the columns of a table that the statement names.
func (c *catalog) Schema(name string) (query.Schema, bool) {
	v, given := c.named[strings.ToLower(name)]
	switch v := v.(type) {
	case plan.Ref:
		if s, ok := c.steps[v.Step]; ok && len(v.Path) == 0 {
			return s, true
		}
		c.unknown = true
		return nil, false
	case string:
		name = v
	case nil:
	default: // data in place of a name
		c.unknown = true
		return nil, false
	}
	s, ok := c.listed.Schema(name)
	if !ok && (given || strings.HasPrefix(name, handlePrefix)) {
		c.unknown = true // whether there is such a handle is for the tool to say
	}
	return s, ok
}

// Tables are the names of all tables, those of the statement's own first.
func (c *catalog) Tables() []string {
	return append(slices.Sorted(maps.Keys(c.named)), c.listed.Tables()...)
}

// handlePrefix begins the handles of tables.
const handlePrefix = "tbl_"

// codes are the findings of queries as those of plans.
var codes = map[string]plan.Code{
	query.UnknownTable: plan.UnknownOutputField, query.UnknownColumn: plan.UnknownOutputField,
	query.UnknownFunction: plan.Syntax, sql.Unsupported: plan.Syntax,
}

func (c *catalog) check(text string, now time.Time) (query.Schema, plan.Findings) {
	q, findings, err := sql.Parse(text, c, sql.Options{Now: now})
	if err != nil {
		return nil, plan.Findings{{Code: plan.Syntax, Message: "the statement cannot be read: " + err.Error()}}
	}
	if c.unknown {
		return nil, nil
	}
	var schema query.Schema
	if !slices.ContainsFunc(findings, wrong) {
		var more []query.Finding
		schema, more = query.Check(q, c)
		findings = append(findings, more...)
	}
	var out plan.Findings
	for _, f := range findings {
		if !wrong(f) {
			continue
		}
		code, ok := codes[f.Code]
		if !ok {
			code = plan.TypeMismatch
		}
		out = append(out, plan.Finding{Code: code, Message: f.String()})
	}
	return schema, out
}

func wrong(f query.Finding) bool { return !f.Doubt }
