package statement

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"catena/planner/plan"
	"catena/query"
	"catena/query/sql"
	"catena/table"
)

// The arguments of a step with a statement.
const (
	sqlArgument    = "sql"
	tablesArgument = "tables"
)

// World is what a plan's statements stand in. The zero value has no tool, so that nothing is looked at.
type World struct {
	Tool   string      // the tool that takes statements
	Tools  []plan.Tool // what other steps may call: what they promise to give
	Tables Tables      // those that are listed
	Done   Tables      // results of steps that ran before, by the steps' ids
	Values plan.Values // where the tables have a text; nil for nowhere
	Now    time.Time   // the present, for CURRENT_DATE and the like
}

// Check says what is wrong with the statements of a plan, with the nearest names: what the tool would say when it runs.
// What an earlier step gives is known where that is a statement, too; over tables of which nothing is known only the
// grammar is checked. Of queries in the tool's JSON the columns are looked up. Paths are as plan.Validate has them. nil
// says that nothing is wrong.
func (w World) Check(p plan.Plan) plan.Findings {
	var found plan.Findings
	add := func(i int, path string, findings plan.Findings) {
		for _, f := range findings {
			f.Path, f.Step = fmt.Sprintf("/steps/%d/args%s", i, path)+f.Path, p.Steps[i].ID
			found = append(found, f)
		}
	}
	w.each(p, func(i int, c *catalog) query.Schema {
		text, ok := p.Steps[i].Args[sqlArgument].(string)
		if !ok {
			add(i, "", checkGrammar(p.Steps[i].Args, w.Tables))
			return nil
		}
		schema, findings := c.check(text, w.Now)
		findings = append(findings, c.impossible(text)...)
		add(i, "/"+sqlArgument, findings)
		if len(findings) > 0 {
			return nil
		}
		return schema
	})
	return found
}

// each calls do for the steps that ask tables, in the order in which they can run, with what each may ask. do gives the
// columns of its result, nil where they are not known.
func (w World) each(p plan.Plan, do func(i int, c *catalog) query.Schema) {
	known := map[string]query.Schema{}
	ids := map[string]bool{}
	told := map[string]query.Schema{}
	for _, s := range p.Steps {
		ids[s.ID] = true
		if t, ok := plan.FindTool(w.Tools, s.Tool); ok && s.Tool != w.Tool {
			told[s.ID] = promised(t)
		}
	}
	for _, done := range w.Done {
		known[done.Name] = schemaOf(done)
	}
	for _, i := range order(p) {
		s := p.Steps[i]
		if s.Tool != w.Tool {
			continue
		}
		schema := do(i, &catalog{listed: w.Tables, steps: known, named: namedTables(s), ids: ids, told: told})
		if schema != nil && s.Each == nil {
			known[s.ID] = schema
		}
	}
}

// promised are the columns that a tool's schema promises of its table. There may be more.
func promised(t plan.Tool) query.Schema {
	var s struct {
		Properties struct {
			Rows struct {
				Items struct {
					Properties map[string]json.RawMessage `json:"properties"`
				} `json:"items"`
			} `json:"rows"`
		} `json:"properties"`
	}
	if json.Unmarshal(t.OutputSchema, &s) != nil {
		return nil
	}
	var out query.Schema
	for _, name := range slices.Sorted(maps.Keys(s.Properties.Rows.Items.Properties)) {
		out = append(out, query.Field{Column: table.Column{Name: name}})
	}
	return out
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
	ids     map[string]bool         // of all steps
	told    map[string]query.Schema // what other steps promise to give, by id, at least
	lenient bool                    // what is told counts, too
	unknown bool                    // a table was asked of which nothing is known
}

// Schema is the columns of a table that the statement names.
func (c *catalog) Schema(name string) (query.Schema, bool) {
	v, given := c.named[strings.ToLower(name)]
	switch v := v.(type) {
	case plan.Ref:
		if s, ok := c.steps[v.Step]; ok && len(v.Path) == 0 {
			return s, true
		}
		if s, ok := c.told[v.Step]; ok && c.lenient && len(v.Path) == 0 {
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
