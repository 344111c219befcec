package tools

import (
	"fmt"
	"maps"
	"strings"

	"catena/planner/plan"
)

// withTable gives the arguments a table that they lack and cannot do without: the newest of the chat session. Nothing is chosen outside of one.
func (r *Registry) withTable(e *entry, call *Call, args map[string]any) map[string]any {
	name := plan.TableArgument(e.in)
	if name == "" || args[name] != nil || call.Session == "" {
		return args
	}
	list := r.opt.Tables.List(call.Caller, call.Session)
	if len(list) == 0 {
		return args
	}
	newest := list[0]
	for _, m := range list[1:] {
		if m.Created.After(newest.Created) {
			newest = m
		}
	}
	out := maps.Clone(args)
	if out == nil {
		out = map[string]any{}
	}
	out[name], call.chosen = newest.Handle, fmt.Sprintf("%s was left out, so the newest table of the chat is meant: %s.", name, newest.Name)
	return out
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
