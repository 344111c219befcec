package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"catena/planner/plan"
	"catena/table"
	"catena/table/load"
	"catena/tools/handle"
)

// withLists makes a list of one of a text, where a list is declared whose elements may be such texts: older clients give one name where
// names are asked for. A text that looks like a list of its own has more than one reading, and stays.
func (e *entry) withLists(ctx context.Context, args map[string]any) map[string]any {
	out := args
	for name, v := range args {
		s, _ := v.(string)
		prop := e.in.Properties[name]
		one := s != "" && !strings.ContainsAny(s, "[],;\n")
		if !one || prop == nil || plan.Check(ctx, prop, v) == nil {
			continue
		}
		if list := []any{s}; plan.Check(ctx, prop, list) == nil {
			out = maps.Clone(out)
			out[name] = list
		}
	}
	return out
}

// Source is a table that an argument gave.
type Source struct {
	Table *table.Table
	Meta  handle.Meta // of a handle; otherwise only Name may be set
}

// TableArg reads an argument that holds a table in any form: a handle, a wire object, a list of objects, CSV or JSON text.
// The error is *ArgumentError, or a store's; FailedBy makes a Result of the former.
func TableArg(ctx context.Context, tables *handle.Tables, call Call, name string) (Source, error) {
	v, ok := call.Args[name]
	if !ok || v == nil {
		return Source{}, &ArgumentError{Argument: name, Code: CodeInvalidArguments, Reason: "it is missing; give a table's handle, a list of objects, or CSV text"}
	}
	if s, ok := v.(string); ok && strings.HasPrefix(s, handle.Prefix) && !strings.ContainsAny(s, ",\n") {
		return byHandle(ctx, tables, call, name, s)
	}
	if m, ok := v.(map[string]any); ok {
		// A wire object that names its table and holds only a part of it stands for the whole.
		if h, _ := m["handle"].(string); handle.Is(h) && (m["rows"] == nil || m["truncated"] == true) {
			return byHandle(ctx, tables, call, name, h)
		}
	}
	tab, err := load.Any(call.ordered(name, v), table.Limits{})
	if err != nil {
		var format *table.FormatError
		if !errors.As(err, &format) {
			return Source{}, &ArgumentError{Argument: name, Code: CodeBadTable, Reason: err.Error(), Err: err}
		}
		reason := format.Reason
		if format.Hint != "" {
			reason += "; " + format.Hint
		}
		return Source{}, &ArgumentError{Argument: name, Code: CodeBadTable, Reason: reason, Err: err}
	}
	return Source{Table: tab}, nil
}

// ordered is a list or an object that an argument holds as its asker wrote it, so that columns keep their order, which maps have not.
func (c Call) ordered(name string, v any) any {
	switch v.(type) {
	case []any, map[string]any:
	default:
		return v
	}
	var sent map[string]json.RawMessage
	if json.Unmarshal(c.Raw, &sent) != nil || sent[name] == nil {
		return v
	}
	return sent[name]
}

func byHandle(ctx context.Context, tables *handle.Tables, call Call, name, handle string) (Source, error) {
	tab, meta, err := tables.Get(ctx, call.Caller, handle)
	if err == nil {
		return Source{Table: tab, Meta: meta}, nil
	}
	if failed, other := FailedBy(err); other == nil {
		return Source{}, &ArgumentError{Argument: name, Code: failed.Code, Reason: failed.Text, Err: err}
	}
	return Source{}, err
}

// Text returns a text argument, "" when it is not there.
func (c Call) Text(name string) string {
	s, _ := c.Args[name].(string)
	return s
}

// Flag returns a boolean argument, false when it is not there.
func (c Call) Flag(name string) bool {
	b, _ := c.Args[name].(bool)
	return b
}

// Int returns a whole-number argument, otherwise when it is not there or no whole number.
func (c Call) Int(name string, otherwise int) int {
	var f float64
	switch x := c.Args[name].(type) {
	case float64:
		f = x
	case int:
		return x
	case int64:
		f = float64(x)
	case json.Number:
		n, err := x.Float64()
		if err != nil {
			return otherwise
		}
		f = n
	default:
		return otherwise
	}
	if f != math.Trunc(f) || math.Abs(f) > 1<<31 {
		return otherwise
	}
	return int(f)
}

// Texts returns a list of texts; numbers in it are given as they are written, anything else is left out.
func (c Call) Texts(name string) []string {
	list, _ := c.Args[name].([]any)
	if s, ok := c.Args[name].([]string); ok {
		return s
	}
	out := make([]string, 0, len(list))
	for _, v := range list {
		switch x := v.(type) {
		case string:
			out = append(out, x)
		case json.Number:
			out = append(out, x.String())
		case float64, int, int64:
			if b, err := json.Marshal(x); err == nil {
				out = append(out, string(b))
			}
		}
	}
	return out
}

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
	slices.SortStableFunc(list, func(a, b handle.Meta) int { return b.Created.Compare(a.Created) })
	newest := list[0]
	if i := slices.IndexFunc(
		list[:min(len(list), maxTablesTried)],
		func(m handle.Meta) bool { return r.hasColumns(ctx, call, m, args) },
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
func (r *Registry) hasColumns(ctx context.Context, call *Call, m handle.Meta, args map[string]any) bool {
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
