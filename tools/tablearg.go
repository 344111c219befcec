package tools

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"catena/planner/plan"
	"catena/table"
)

// withTable gives the arguments a table that they lack and cannot do without: the newest of the chat session that has
// the columns which they name. Nothing is chosen outside of one.
func (r *Registry) withTable(ctx context.Context, e *entry, call *Call, args map[string]any) map[string]any {
	name := plan.TableArgument(e.in)
	if name == "" || args[name] != nil || call.Session == "" {
		return args
	}
	list := r.opt.Tables.List(call.Caller, call.Session)
	if len(list) == 0 {
		return args
	}
	slices.SortStableFunc(list, func(a, b Meta) int { return b.Created.Compare(a.Created) })
	newest := list[0]
	if i := slices.IndexFunc(
		list[:min(len(list), maxTablesTried)],
		func(m Meta) bool { return r.hasColumns(ctx, call, m, args) },
	); i >= 0 {
		newest = list[i]
	}
	out := maps.Clone(args)
	if out == nil {
		out = map[string]any{}
	}
	out[name], call.chosen = newest.Handle, fmt.Sprintf(
		"%s was left out, so the newest table of the chat is meant: %s.",
		name,
		newest.Name,
	)
	return out
}

// maxTablesTried is how many tables are looked into for the columns that a call names.
const maxTablesTried = 10

// hasColumns reports whether a table has all columns that arguments called ..._column name.
func (r *Registry) hasColumns(ctx context.Context, call *Call, m Meta, args map[string]any) bool {
	var t *table.Table
	for name, v := range args {
		column, is := v.(string)
		if !is || column == "" || !strings.HasSuffix(name, "_column") {
			continue
		}
		if t == nil {
			var err error
			if t, _, err = r.opt.Tables.GetListed(ctx, call.Caller, m.Handle); err != nil {
				return false
			}
		}
		if t.Index(column) < 0 && (r.opt.HasColumn == nil || !r.opt.HasColumn(t, column)) {
			return false
		}
	}
	return true
}

// tablesThere says which tables a call without one can name, "" for a tool that needs none or has one.
func (r *Registry) tablesThere(e *entry, call *Call) string {
	name := plan.TableArgument(e.in)
	if name == "" || call.Args[name] != nil || r.opt.TableNames == nil {
		return ""
	}
	names := r.opt.TableNames(call.Caller, call.Session)
	if len(names) == 0 {
		return " There are no tables here yet: load one, or give " + name + " a list of objects, or CSV text."
	}
	more := ""
	if n := len(names) - maxTablesNamed; n > 0 {
		names, more = names[:maxTablesNamed], fmt.Sprintf(" and %d more, which list_tables has", n)
	}
	return " There are these tables: " + strings.Join(names, ", ") + more + "."
}

// maxTablesNamed is how many tables a message names.
const maxTablesNamed = 10
