package data

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"catena/internal/text"
	"catena/profiler"
	"catena/query"
	"catena/query/push"
	"catena/query/run"
	"catena/query/semantic"
	"catena/query/sql"
	"catena/table"
	"catena/tools"
	"catena/tools/data/pipeline"
)

// The members of query_table's arguments that are a query of the algebra: SQL, or the query's own JSON; and names for
// tables that it may use beside those that are listed.
const (
	querySQL     = "sql"
	queryAlgebra = "query"
	queryTables  = "tables"
)

// runSQL answers the form {sql, tables} of query_table: the statement becomes a query of the algebra, which is
// checked before it runs. It is never executed as a text anywhere.
func (k *Toolkit) runSQL(ctx context.Context, call tools.Call) (tools.Result, error) {
	statement, ok := call.Args[querySQL].(string)
	if !ok {
		return tools.Result{}, pipeline.Errorf("sql must be a text: one SELECT statement")
	}
	c, err := k.catalogOf(ctx, call, querySQL)
	if err != nil {
		return tools.Result{}, err
	}
	opt := sql.Options{Now: asOf(call, SourceTable{})}
	res, err := c.run(statement, opt, func(q query.Query, again []string) ([]string, error) {
		return slices.Concat(again, c.totalsCounted(q, statement)), nil
	})
	if err == nil && res.AsOf.IsZero() && asksPresent(statement, c) {
		res.AsOf = opt.Now
	}
	return res, err
}

// asksPresent reports whether a statement asks for the present: without one it cannot be read.
func asksPresent(statement string, c *sqlCatalog) bool {
	_, findings, err := sql.Parse(statement, c, sql.Options{})
	return err == nil && faulty(findings)
}

// runAlgebraJSON answers the form {query, tables} of query_table: a query of the algebra as its JSON, which is checked
// as one that was written in SQL is.
func (k *Toolkit) runAlgebraJSON(ctx context.Context, call tools.Call) (tools.Result, error) {
	c, err := k.catalogOf(ctx, call, queryAlgebra)
	if err != nil {
		return tools.Result{}, err
	}
	text, err := json.Marshal(call.Args[queryAlgebra])
	var q query.Query
	if err == nil {
		err = json.Unmarshal(text, &q)
	}
	if err != nil {
		return tools.Result{}, pipeline.Errorf("query is none: %s", err)
	}
	result, findings := query.Check(q, c)
	if err := cmp.Or(c.err, sqlFault(queryAlgebra, nil, findings)); err != nil {
		return tools.Result{}, err
	}
	return c.compute(q, result, findings, func(q query.Query, again []string) ([]string, error) {
		return slices.Concat(again, c.totalsCounted(q, string(text))), nil
	})
}

// catalogOf is the tables that a call may name, which says what it asks by one member and by none of the others.
func (k *Toolkit) catalogOf(ctx context.Context, call tools.Call, by string) (*sqlCatalog, error) {
	for name := range call.Args {
		if name != by && name != queryTables {
			return nil, pipeline.Errorf("%s says what %s says already: give %s with tables alone, or table with "+
				"select, filter and the like", name, by, by)
		}
	}
	named, ok := call.Args[queryTables].(map[string]any)
	if !ok && call.Args[queryTables] != nil {
		return nil, pipeline.Errorf(`tables must be names with what they stand for: {"sales": {"$ref": "s1"}}`)
	}
	return &sqlCatalog{k: k, ctx: ctx, call: call, named: named, found: map[string]*sqlTable{}}, nil
}

// understood is a statement as a query that is checked, with the columns of its result and what is doubted. adapt,
// where there is one, changes it before the check.
func understood(
	statement string, tables query.Catalog, opt sql.Options, adapt func(query.Query) query.Query,
) (q query.Query, result query.Schema, findings []query.Finding, err error) {
	q, findings, err = sql.Parse(statement, tables, opt)
	if err == nil && !faulty(findings) {
		if adapt != nil {
			q = adapt(q)
		}
		var more []query.Finding
		result, more = query.Check(q, tables)
		findings = append(findings, more...)
	}
	return q, result, findings, sqlFault(querySQL, err, findings)
}

// run answers a statement. told gives the answer's notes, or an error, by which rows joins count again.
func (c *sqlCatalog) run(
	statement string, opt sql.Options, told func(q query.Query, again []string) ([]string, error),
) (tools.Result, error) {
	q, result, findings, err := understood(statement, c, opt, c.adapt)
	if err := cmp.Or(c.err, err); err != nil {
		return tools.Result{}, err
	}
	return c.compute(q, result, findings, told)
}

// compute answers a query that was checked.
func (c *sqlCatalog) compute(
	q query.Query, result query.Schema, findings []query.Finding, told func(q query.Query, again []string) ([]string, error),
) (tools.Result, error) {
	c.result = result
	again, err := c.countedAgain(q)
	if err != nil {
		return tools.Result{}, err
	}
	notes, err := told(q, again)
	if err != nil {
		return tools.Result{}, err
	}
	out, sent, err := push.Run(c.ctx, q, c)
	if err = pipeline.Fault(err); err != nil {
		return tools.Result{}, err
	}
	out.Notes = append(out.Notes, notes...)
	res := c.answer(q, out, findings, c.call.Locale)
	res.Notes = append(res.Notes, sentNotes(sent)...)
	return res, nil
}

// totalsCounted says which rows of totals a statement folds with the others. One that names the column of their
// labels has chosen among them.
func (c *sqlCatalog) totalsCounted(q query.Query, statement string) (notes []string) {
	if !q.Folds() {
		return nil
	}
	for _, t := range c.used {
		for _, total := range c.k.totals(c.ctx, t.SourceTable) {
			if !standsIn(statement, total.Column) {
				notes = append(notes, "counted too: "+total.String())
			}
		}
	}
	return notes
}

// countedAgain says which tables have rows that the groups of a query count more than once, as a join gave several
// rows for each. Sums and means of such rows are refused: they are not what anybody asks for.
func (c *sqlCatalog) countedAgain(q query.Query) (notes []string, err error) {
	for _, p := range query.Probes(q, c) {
		out, err := c.probed(p.Query)
		if err != nil {
			if c.ctx.Err() != nil {
				return nil, c.ctx.Err()
			}
			notes = append(notes, "whether the joins have rows counted more than once was not looked at: it takes too much")
			continue
		}
		for i, name := range p.Of {
			n, _ := out.Table.Value(0, i).Int()
			if n == 0 {
				continue
			}
			const told = "rows of %s count %s more in %s, as a join gave several rows for each: take it before the join, in a subquery"
			again := fmt.Sprintf(told, cmp.Or(name, "a subquery"), text.Count(int(n), "time"), p.Funcs[i])
			if p.Funcs[i] != "count" {
				return nil, pipeline.Errorf("sql: %s", again)
			}
			notes = append(notes, again)
		}
	}
	return notes, nil
}

// probed runs a probe. One that a database cannot compute wholly is not worth reading all rows for.
func (c *sqlCatalog) probed(q query.Query) (*run.Result, error) {
	if !push.Whole(q, c) {
		return nil, errors.New("the tables are elsewhere")
	}
	out, _, err := push.Run(c.ctx, q, c)
	return out, err
}

// faulty reports whether a finding is more than a doubt.
func faulty(findings []query.Finding) bool {
	return slices.ContainsFunc(findings, func(f query.Finding) bool { return !f.Doubt })
}

// maxFaults is how many findings an answer names.
const maxFaults = 5

// sqlFault is what is wrong with a statement or a query, for who wrote it; nil where nothing is.
func sqlFault(by string, err error, findings []query.Finding) error {
	if err != nil {
		return &pipeline.Error{Reason: by + ": " + err.Error()}
	}
	var told []string
	for _, f := range findings {
		if !f.Doubt && len(told) < maxFaults {
			told = append(told, f.String())
		}
	}
	if len(told) == 0 {
		return nil
	}
	return &pipeline.Error{Reason: by + ": " + strings.Join(told, ". ")}
}

// sqlCatalog is the tables that one statement may name: those under tables, then those that are listed and handles.
type sqlCatalog struct {
	k      *Toolkit
	ctx    context.Context
	call   tools.Call
	named  map[string]any
	found  map[string]*sqlTable // by name in lower case; nil where there is none
	used   []*sqlTable
	adapt  func(query.Query) query.Query // before the check; nil for nothing
	result query.Schema                  // of the statement, once it is checked
	err    error                         // the first one that is more than that there is no such table
}

// sqlTable is a table with what its columns mean.
type sqlTable struct {
	SourceTable
	schema query.Schema
}

// Schema is the columns of a table, with their units and how they add up.
func (c *sqlCatalog) Schema(name string) (query.Schema, bool) {
	t := c.look(name)
	if t == nil {
		return nil, false
	}
	if t.schema == nil {
		t.schema = schemaOf(t.Table, c.k.describe(c.ctx, t.SourceTable))
		if t.Remote != nil {
			t.schema = remoteSchema(t.SourceTable, t.schema)
		}
	}
	return t.schema, true
}

// Table is the table of a name.
func (c *sqlCatalog) Table(_ context.Context, name string) (*table.Table, error) {
	if t := c.look(name); t != nil {
		return t.Table, nil
	}
	return nil, noSuchTable(name, c.Tables())
}

// Tables are the names that FROM may have.
func (c *sqlCatalog) Tables() []string {
	names := slices.Sorted(maps.Keys(c.named))
	return append(names, namesOf(c.k.list(c.call.Caller, c.call.Session))...)
}

// look finds a table, once. Case does not count.
func (c *sqlCatalog) look(name string) *sqlTable {
	key := strings.ToLower(name)
	if t, ok := c.found[key]; ok {
		return t
	}
	src, err := c.open(name)
	var missing *tools.ArgumentError
	if err != nil {
		if !errors.As(err, &missing) && c.err == nil {
			c.err = err
		}
		c.found[key] = nil
		return nil
	}
	t := &sqlTable{SourceTable: src}
	c.found[key] = t
	c.used = append(c.used, t)
	return t
}

func (c *sqlCatalog) open(name string) (SourceTable, error) {
	for given, v := range c.named {
		if !strings.EqualFold(given, name) {
			continue
		}
		one := c.call
		one.Args, one.Raw = map[string]any{queryData: v}, nil
		src, err := c.k.source(c.ctx, one)
		var wrong *tools.ArgumentError
		if errors.As(err, &wrong) { // the name is there: what it stands for is not
			err = pipeline.Errorf("tables: %s: %s", given, wrong.Reason)
		}
		return src, err
	}
	t, err := c.k.lookUp(c.ctx, c.call.Caller, c.call.Session, name)
	t.Table = t.Table.In(c.ctx)
	return t, err
}

// schemaOf is a table's columns with what the profiler says of them.
func schemaOf(t *table.Table, meta []profiler.ColumnMetadata) query.Schema {
	s := query.SchemaOf(t)
	for i := range s {
		m := meta[i]
		if s[i].Unit == "" {
			s[i].Unit = m.Units
			if ratio, percents := pipeline.Percentages(m); ratio && percents {
				s[i].Unit = query.UnitRatio
			}
		}
		s[i].Title, s[i].Adds = m.CleanedName, semantic.AddsOf(m, s[i].Type)
	}
	return s
}

// answer is the result with what the reader must know: how the statement was read, what is doubtful, what the tables
// say.
func (c *sqlCatalog) answer(q query.Query, out *run.Result, findings []query.Finding, locale string) tools.Result {
	units := map[string]string{}
	for _, f := range c.result {
		units[f.Name] = f.Unit
	}
	shown := out.Table.WithUnits(units)
	res := tools.Result{Table: shown, Name: "query", Title: text.Capital(query.Words(q, c, locale)), Made: c.made(q)}
	doubts := out.Notes
	for _, f := range findings {
		if f.Doubt {
			doubts = append(doubts, f.Text)
		}
	}
	for _, d := range doubts {
		res.Notes = append(res.Notes, text.Capital(strings.TrimSuffix(d, "."))+".")
	}
	for i, t := range c.used {
		if i == 0 {
			res.Name, res.AsOf = t.Name, t.AsOf
		}
		res.Untrusted = res.Untrusted || t.outside()
		res.Signed = stillThere(res.Signed, t.Signed, shown)
		if t.key != "" {
			res.Notes = append(res.Notes, t.Notes...) // what a live table says of itself holds for this answer
		}
		res.Notes = append(res.Notes, sourceNotes(t.SourceTable)...)
	}
	res.Notes = unique(res.Notes)
	return res
}

// unique leaves out what is there already.
func unique(notes []string) []string {
	var out []string
	for _, n := range notes {
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}
