package planner

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"catena/planner/plan"
)

// OwnFirst returns a planner that reads a session's own uploads before the tables of others. In a session with an
// upload the demo, its tables and the toolset of its tools, has no part in a plan unless the message asks for it,
// or goes on from an answer of it: where the uploads have no answer and the demo has, the demo is asked for back.
// Where a message names an upload, or a column of one by a word that also names a table of the demo, and the plan
// of next's reads none of these uploads, next plans once more with them alone. What they answer is the answer. All
// else stays as next planned it.
//
// It is safe for concurrent use when next is.
func OwnFirst(next Planner, demoToolset string) Planner { return ownFirst{next, demoToolset} }

type ownFirst struct {
	next Planner
	demo string // the toolset of the demo's tools
}

// Plan asks next: about the uploads, and about all there is where there are none or the demo is meant.
func (p ownFirst) Plan(ctx context.Context, req plan.Request) (plan.Response, error) {
	if demo, ok := p.chosen(req); ok {
		return plan.Response{Plan: demo, By: "offline"}, nil
	}
	req.Message = withoutEndings(req.Message, req.Tables)
	if !slices.ContainsFunc(req.Tables, isUpload) || !p.hasDemo(req) || p.meansDemo(req) {
		return p.named(ctx, req)
	}
	own := p.withoutDemo(req)
	res, err := p.named(ctx, own)
	if err != nil || len(res.Plan.Steps) > 0 || len(res.Plan.Alternatives) > 0 {
		return res, err
	}
	all, err := p.next.Plan(ctx, req)
	if err != nil || !p.readsDemo(all.Plan, req) {
		return res, ctx.Err()
	}
	res.Plan = askForDemo(req.Message, res.Plan, all.Plan)
	return res, nil
}

// named asks next, and once more where it passed over an upload that the message names.
func (p ownFirst) named(ctx context.Context, req plan.Request) (plan.Response, error) {
	res, err := p.next.Plan(ctx, req)
	if err != nil || len(res.Plan.Steps) == 0 {
		return res, err
	}
	named := namedUploads(req)
	if len(named) == 0 || len(named) == len(req.Tables) || readsOneOf(res.Plan, named) {
		return res, err
	}
	if ordersTool(req.Message, res.Plan) {
		return res, err
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

// ordersTool reports whether a message orders a tool of a plan itself.
func ordersTool(message string, p plan.Plan) bool {
	return slices.ContainsFunc(p.Steps, func(s plan.Step) bool { return strings.Contains(message, s.Tool) })
}

// hasDemo reports whether there is anything of the demo.
func (p ownFirst) hasDemo(req plan.Request) bool {
	return slices.ContainsFunc(req.Tables, isDemo) || slices.ContainsFunc(req.Tools, p.isTool)
}

func isDemo(t plan.TableInfo) bool { return t.Source == demoSource }

func (p ownFirst) isTool(t plan.Tool) bool { return t.Toolset == p.demo }

// demoSource is where the demo's tables come from, and the word by which people ask for them.
const demoSource = "demo"

// meansDemo reports whether a message asks for the demo: by that word, by the name of one of its tools, or after an
// answer of it, or a question back about it.
func (p ownFirst) meansDemo(req plan.Request) bool {
	if stands(nameKey(demoSource), nameKey(req.Message)) {
		return true
	}
	said := func(t plan.Tool) bool { return p.isTool(t) && strings.Contains(req.Message, t.Name) }
	if slices.ContainsFunc(req.Tools, said) {
		return true
	}
	if len(req.History) == 0 {
		return false
	}
	last := req.History[len(req.History)-1].Plan
	return last != nil && (p.readsDemo(*last, req) ||
		slices.ContainsFunc(last.Alternatives, func(a plan.Alternative) bool { return p.readsDemo(a.Plan, req) }))
}

// withoutDemo is a request without the demo's tables and tools. Nothing starts early: the plan may become a question.
func (p ownFirst) withoutDemo(req plan.Request) plan.Request {
	req.Tables = slices.DeleteFunc(slices.Clone(req.Tables), isDemo)
	req.Tools = slices.DeleteFunc(slices.Clone(req.Tools), p.isTool)
	req.Early = nil
	return req
}

// readsDemo reports whether a step of a plan reads a table of the demo or calls a tool of it.
func (p ownFirst) readsDemo(made plan.Plan, req plan.Request) bool {
	calls := func(s plan.Step) bool {
		return slices.ContainsFunc(req.Tools, func(t plan.Tool) bool { return p.isTool(t) && t.Name == s.Tool })
	}
	if slices.ContainsFunc(made.Steps, calls) {
		return true
	}
	tables := slices.DeleteFunc(slices.Clone(req.Tables), func(t plan.TableInfo) bool { return !isDemo(t) })
	return readsOneOf(made, tables)
}

// askForDemo is the question whether the demo is meant, after the refusal or the question of a plan for the uploads.
func askForDemo(message string, own, demo plan.Plan) plan.Plan {
	const question = "The demo's data, which nobody uploaded, have an answer. Are they meant?"
	reading := "the demo's data: " + cmp.Or(demo.Reading, heading(message))
	demo.Alternatives = nil
	return plan.Plan{
		Clarify:      own.Refuse + own.Clarify + "\n" + question + "\n1. " + reading,
		Alternatives: []plan.Alternative{{Reading: reading, Plan: demo}},
		Confidence:   0.5,
	}
}

// chosen is the plan over the demo that a message chooses after askForDemo asked: by its number, or by its words.
func (p ownFirst) chosen(req plan.Request) (plan.Plan, bool) {
	if len(req.History) == 0 {
		return plan.Plan{}, false
	}
	last, said := req.History[len(req.History)-1], plan.FoldKey(req.Message)
	if last.Plan == nil || last.Plan.Clarify == "" || len(last.Plan.Alternatives) != 1 {
		return plan.Plan{}, false
	}
	demo := last.Plan.Alternatives[0]
	chooses := said == "1" || said == plan.FoldKey(demo.Reading)
	return demo.Plan, chooses && p.readsDemo(demo.Plan, req)
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
		if isUpload(t) && !t.Attached && (stands(nameKey(t.Name), message) || hasColumn(t, demo)) {
			named = append(named, t)
		}
	}
	return named
}

// isUpload reports whether a table was uploaded to the session, before the message or with it.
func isUpload(t plan.TableInfo) bool { return t.Source == "upload" }

// stands reports whether a name's words stand in those of a message.
func stands(name, message string) bool {
	return strings.TrimSpace(name) != "" && strings.Contains(message, name)
}

// demoNames are the names of the demo's tables in a message; none where it asks for the demo itself.
func demoNames(tables []plan.TableInfo, message string) (names []string) {
	if stands(nameKey(demoSource), message) {
		return nil
	}
	for _, t := range tables {
		if name := nameKey(t.Name); isDemo(t) && stands(name, message) {
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
