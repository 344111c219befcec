package data

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"catena/profiler"
	"catena/query"
	"catena/query/push"
	"catena/query/semantic"
	"catena/table"
	"catena/tools"
	"catena/tools/data/pipeline"
	"catena/tools/data/verbs"
	"catena/tools/handle"
)

// verbTools are what analysts do with tables, each a query of the algebra that is made of the call's arguments.
func (k *Toolkit) verbTools() []tools.Tool {
	var out []tools.Tool
	for _, v := range verbs.List() {
		in := object{"properties": maps.Clone(v.Properties), "required": v.Required, "examples": []any{v.Example}}
		out = append(out, define(v.Name, v.Title, v.Description, in, tools.TableSchema(v.Columns...),
			func(ctx context.Context, call tools.Call) (tools.Result, error) { return k.verb(ctx, call, v) }))
	}
	return out
}

// verb answers a call of a verb: its query is checked, probed and run as any other.
func (k *Toolkit) verb(ctx context.Context, call tools.Call, v verbs.Verb) (tools.Result, error) {
	c := &sqlCatalog{k: k, ctx: ctx, call: call, found: map[string]*sqlTable{}}
	names := map[string]string{}
	for _, argument := range v.Tables {
		name, err := c.argument(argument)
		if err != nil {
			return tools.Result{}, err
		}
		names[argument] = name
	}
	ans, err := v.Build(ctx, call, names, verbTables{c})
	if err := cmp.Or(c.err, err); err != nil {
		return tools.Result{}, err
	}
	result, findings := query.Check(ans.Query, c)
	if err := cmp.Or(c.err, sqlFault(v.Name, nil, findings)); err != nil {
		return tools.Result{}, err
	}
	res, err := c.compute(ans.Query, result, findings, func(q query.Query, again []string) ([]string, error) {
		return slices.Concat(again, c.totalsCounted(q, "")), nil
	})
	if err != nil {
		return tools.Result{}, err
	}
	res.Table = res.Table.WithUnits(ans.Units)
	res.Name, res.Title = ans.Name, cmp.Or(ans.Title, res.Title)
	res.Notes, res.Signed = slices.Concat(ans.Notes, res.Notes), append(res.Signed, ans.Signed...)
	return res, nil
}

// argument is the name by which the queries of a call know the table of an argument.
func (c *sqlCatalog) argument(argument string) (string, error) {
	v := c.call.Args[argument]
	if name, ok := v.(string); ok && len(name) <= 64 && !handle.Is(name) {
		if c.look(name) != nil {
			return name, nil
		}
		if c.err != nil {
			return "", c.err
		}
	}
	one := c.call
	if one.Args = map[string]any{queryData: v}; argument != queryData {
		one.Raw = nil // objects of other arguments have their order from elsewhere
	}
	src, err := c.k.source(c.ctx, one)
	var fault *tools.ArgumentError
	if errors.As(err, &fault) {
		named := *fault
		named.Argument = argument
		err = &named
	}
	if err != nil {
		return "", err
	}
	name := src.Name
	if src.Source == inlineSource {
		name = argument
	}
	return c.put(name, src), nil
}

// put gives a table the first free name of its own.
func (c *sqlCatalog) put(base string, src SourceTable) string {
	name := base
	for n := 2; c.found[strings.ToLower(name)] != nil; n++ {
		name = fmt.Sprintf("%s_%d", base, n)
	}
	src.Name = name
	t := &sqlTable{SourceTable: src}
	c.found[strings.ToLower(name)] = t
	c.used = append(c.used, t)
	return name
}

// verbTables are the tables of a call to the verb that it calls.
type verbTables struct{ c *sqlCatalog }

// Columns are those of a table, with what the profiler says of them.
func (v verbTables) Columns(name string) ([]verbs.Column, error) {
	schema, ok := v.c.Schema(name)
	if !ok {
		return nil, cmp.Or(v.c.err, noSuchTable(name, v.c.Tables()))
	}
	t := v.c.look(name)
	meta := v.c.k.describe(v.c.ctx, t.SourceTable)
	units := pipeline.UnitColumns(t.Table, meta)
	levels := profiler.LevelsOf(t.Table, meta)
	out := make([]verbs.Column, len(schema))
	for i, f := range schema {
		out[i] = verbs.Column{Field: f, UnitBy: units[strings.ToLower(f.Name)]}
		if at := t.Table.Index(f.Name); at >= 0 {
			out[i].NoSum, _ = noSum(t.Table, at, meta[at])
			_, _, out[i].Level = levels.Of(at)
		}
	}
	return out, nil
}

// Run computes a query over the tables.
func (v verbTables) Run(ctx context.Context, q query.Query) (*table.Table, error) {
	out, _, err := push.Run(ctx, q, v.c)
	if err != nil {
		return nil, cmp.Or(v.c.err, pipeline.Fault(err))
	}
	return out.Table, nil
}

// AsOf is until when a table tells.
func (v verbTables) AsOf(name string) time.Time { return asOf(v.c.call, v.c.look(name).SourceTable) }

// Put makes a computed table one of the call's.
func (v verbTables) Put(name string, t *table.Table) string {
	return v.c.put(name, SourceTable{Table: t, Source: inlineSource})
}

// Keys are the columns of the one sure relationship of two tables.
func (v verbTables) Keys(ctx context.Context, left, right string) ([]verbs.Pair, error) {
	if strings.EqualFold(left, right) {
		return nil, nil
	}
	var inputs []semantic.Input
	for _, name := range []string{left, right} {
		t := v.c.look(name)
		in := t.input()
		in.Columns = v.c.k.describe(ctx, t.SourceTable)
		inputs = append(inputs, in)
	}
	m, err := semantic.Infer(ctx, inputs)
	if err != nil {
		return nil, err
	}
	m = v.c.k.opt.Sources.said(m, func(name string) bool { return v.c.look(name).Source != sourceUpload })
	var found []semantic.Relationship
	for _, r := range m.Of(left) {
		between := strings.EqualFold(r.Left, right) || strings.EqualFold(r.Right, right)
		if between && r.Usable() {
			found = append(found, r)
		}
	}
	if len(found) != 1 {
		return nil, nil
	}
	r := found[0]
	if strings.EqualFold(r.Left, right) {
		r.LeftColumns, r.RightColumns = r.RightColumns, r.LeftColumns
	}
	var out []verbs.Pair
	for i := range r.LeftColumns {
		out = append(out, verbs.Pair{Left: r.LeftColumns[i], Right: r.RightColumns[i]})
	}
	return out, nil
}
