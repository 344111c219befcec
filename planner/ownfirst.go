package planner

import (
	"context"
	"slices"
	"strings"

	"catena/planner/plan"
)

// OwnFirst returns a planner that reads a session's own uploads before the tables of others: where a message names an
// upload, or a column of one by a word that also names a table of the demo, and the plan of next's reads none of these
// uploads, next plans once more with them alone. What they answer is the answer. All else stays as next planned it.
//
// It is safe for concurrent use when next is.
func OwnFirst(next Planner) Planner { return ownFirst{next} }

type ownFirst struct{ next Planner }

// Plan asks next, and once more where it passed over an upload that the message names.
func (p ownFirst) Plan(ctx context.Context, req plan.Request) (plan.Response, error) {
	res, err := p.next.Plan(ctx, req)
	if err != nil || len(res.Plan.Steps) == 0 {
		return res, err
	}
	named := namedUploads(req)
	if len(named) == 0 || len(named) == len(req.Tables) || readsOneOf(res.Plan, named) {
		return res, err
	}
	if slices.ContainsFunc(res.Plan.Steps, func(s plan.Step) bool { return strings.Contains(req.Message, s.Tool) }) {
		return res, err // the message orders the tool itself
	}
	own := req
	own.History, own.Early, own.Tables = nil, nil, named
	own.Tools = slices.DeleteFunc(slices.Clone(req.Tools), func(t plan.Tool) bool { return t.Toolset != dataTools })
	again, err := p.next.Plan(ctx, own)
	if err != nil || !readsOneOf(again.Plan, named) {
		res.Plan = ownReading(res.Plan, named)
		return res, ctx.Err()
	}
	return again, nil
}

// ownReading is the first of the other readings of a plan that reads one of the tables, with the plan among its own
// other readings; the plan where there is none.
func ownReading(p plan.Plan, tables []plan.TableInfo) plan.Plan {
	i := slices.IndexFunc(p.Alternatives, func(a plan.Alternative) bool { return readsOneOf(a.Plan, tables) })
	if i < 0 {
		return p
	}
	own, others := p.Alternatives[i].Plan, slices.Clone(p.Alternatives)
	others[i] = plan.Alternative{Reading: p.Reading, Plan: p}
	others[i].Plan.Alternatives = nil
	own.Reading, own.Alternatives = p.Alternatives[i].Reading, others
	return own
}

// namedUploads are the uploads of the session whose names stand in the message, in the singular or plural, and those
// with a column of the name of a demo's table that stands in it: "total revenue" asks an upload with a column revenue.
func namedUploads(req plan.Request) (named []plan.TableInfo) {
	if !slices.ContainsFunc(req.Tables, isUpload) {
		return nil
	}
	message := nameKey(req.Message)
	demo := demoNames(req.Tables, message)
	for _, t := range req.Tables {
		if isUpload(t) && (stands(nameKey(t.Name), message) || hasColumn(t, demo)) {
			named = append(named, t)
		}
	}
	return named
}

// isUpload reports whether a table was uploaded to the session; what a message carries is told apart already.
func isUpload(t plan.TableInfo) bool { return t.Source == "upload" && !t.Attached }

// stands reports whether a name's words stand in those of a message.
func stands(name, message string) bool {
	return strings.TrimSpace(name) != "" && strings.Contains(message, name)
}

// demoNames are the names of the demo's tables in a message; none where it asks for the demo itself.
func demoNames(tables []plan.TableInfo, message string) (names []string) {
	if strings.Contains(message, " demo ") {
		return nil
	}
	for _, t := range tables {
		if name := nameKey(t.Name); t.Source == "demo" && stands(name, message) {
			names = append(names, name)
		}
	}
	return names
}

// hasColumn reports whether a table has a column of one of the names.
func hasColumn(t plan.TableInfo, names []string) bool {
	return len(names) > 0 && slices.ContainsFunc(t.Columns, func(c plan.ColumnInfo) bool { return slices.Contains(names, nameKey(c.Name)) })
}

// nameKey is a text's words in the singular, with spaces around them.
func nameKey(s string) string { return " " + plan.FoldKey(strings.Join(plan.NameWords(s), " ")) + " " }

// tableArguments are the arguments of steps, and the parts of their queries, that name tables.
var tableArguments = plan.WordSet("table data from union sql")

// readsOneOf reports whether a step of a plan reads one of the tables.
func readsOneOf(p plan.Plan, tables []plan.TableInfo) bool {
	return slices.ContainsFunc(p.Steps, func(s plan.Step) bool { return reads(s.Args, false, tables) })
}

// reads reports whether a part of a step's arguments names one of the tables, where texts stand for tables in it.
func reads(v any, named bool, tables []plan.TableInfo) bool {
	switch v := v.(type) {
	case string:
		return named && slices.ContainsFunc(tables, func(t plan.TableInfo) bool { return means(v, t) })
	case []any:
		return slices.ContainsFunc(v, func(e any) bool { return reads(e, named, tables) })
	case map[string]any:
		for name, e := range v {
			if reads(e, tableArguments[name], tables) {
				return true
			}
		}
	}
	return false
}

// means reports whether a text is a table's name or handle, or a statement that has the name for a table.
func means(text string, t plan.TableInfo) bool {
	if text == "" {
		return false
	}
	return text == t.Name || text == t.Handle || slices.Contains(plan.SQLTables(text), t.Name)
}
