package reader

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"catena/internal/text"
	"catena/planner/plan"
	"catena/planner/reader/say"
	"catena/query"
	"catena/query/semantic"
)

// by is what plans of a Reader are planned by.
const by = "offline"

// Keys of texts for people.
const (
	sayWhich   = "which"
	sayChoice  = "choice"
	sayUnread  = "unread"
	sayNearest = "nearest"
	sayLeft    = "leftout"
)

// Outcomes of a plan.Turn: a question back, and an answer.
const (
	outcomeClarify = "clarify"
	outcomeAnswer  = "answer"
)

// maxTitle bounds what is said of a query, in characters.
const maxTitle = 300

// WithRisk sets the share of wrong ones that is let pass among answers; it is DefaultRisk else.
func WithRisk(risk float64) Option { return func(r *Reader) { r.risk = risk } }

// Plan makes a plan for a message about tables, or for an order to a tool: an answer, a question back with the readings to
// choose from, or a refusal. It reads no tables where the request's Values are no Tables. Unread says that no reading was
// found of a message. The error is the context's, or the model's.
func (r *Reader) Plan(ctx context.Context, req plan.Request) (plan.Response, error) {
	if chosen, ok := chosenPlan(req); ok {
		return plan.Response{Plan: chosen, By: by}, nil
	}
	tables, ok := req.Values.(Tables)
	if !ok {
		return r.ordered(ctx, req, nil, nil, unread(req)), ctx.Err()
	}
	model, err := tables.Model(ctx)
	if err != nil {
		return plan.Response{}, err
	}
	model = only(model, req.Tables)
	list, err := r.Ranked(ctx, req, model, tables)
	if err != nil {
		return unread(req), err
	}
	m, resp := maker{req: req, model: model, scope: scopeOf(model, req.Tables)}, unread(req)
	if len(list) > 0 {
		resp.Plan = m.plan(r.Decide(req.Message, list, r.risk), list)
	}
	if len(resp.Plan.Steps) > 0 {
		resp.Notes = list[0].leftOut(req.Locale)
	}
	return r.ordered(ctx, req, m.scope, list, resp), ctx.Err()
}

// only is what a model says of the tables that a message may be about: all of them where none are given.
func only(model *semantic.Model, tables []plan.TableInfo) *semantic.Model {
	if len(tables) == 0 {
		return model
	}
	names := make(map[string]bool, len(tables))
	for _, t := range tables {
		names[t.Name] = true
	}
	return model.Within(func(table string) bool { return names[table] })
}

// leftOut says which rows a reading leaves out, as they sum up others.
func (r Reading) leftOut(locale string) []string {
	var out []string
	for _, t := range r.left {
		if note := say.Text(locale, sayLeft, t.String()); !slices.Contains(out, note) {
			out = append(out, note)
		}
	}
	return out
}

// Unread reports whether a response of Plan says that nothing was read: another planner may know better.
func (r *Reader) Unread(resp plan.Response) bool {
	return slices.ContainsFunc(say.Languages, func(l string) bool { return resp.Plan.Refuse == say.Text(l, sayUnread) })
}

// answering is what Tables may be, too, where plans of other planners can be run over them.
type answering interface {
	Tables
	// Answers runs a plan's query, as Shape does.
	Answers(ctx context.Context, q plan.Query) plan.ResultShape
}

// Agrees reports whether a plan that another planner made of a message gives what one of the likeliest readings of it
// gives, in whatever order. It is false where that cannot be found out.
func (r *Reader) Agrees(ctx context.Context, req plan.Request, other plan.Plan) bool {
	tables, ok := req.Values.(answering)
	if !ok || len(other.Steps) != 1 {
		return false
	}
	q, err := plan.ParseQuery(other.Steps[0].Args)
	if err != nil {
		return false
	}
	content := tables.Answers(ctx, q).Content
	model, err := tables.Model(ctx)
	if err != nil || content == 0 {
		return false
	}
	list, err := r.Ranked(ctx, req, only(model, req.Tables), tables)
	return err == nil && slices.ContainsFunc(list[:min(len(list), maxAgreeing)], func(rd Reading) bool {
		return rd.content == content
	})
}

// maxAgreeing is how many readings are looked at for one that another planner's plan agrees with.
const maxAgreeing = 8

func unread(req plan.Request) plan.Response {
	return plan.Response{Plan: plan.Plan{Refuse: say.Text(req.Locale, sayUnread)}, By: by}
}

// chosenPlan is the plan that a message chooses, where the last turn asked which of several is meant: by its number, or by
// its words. Where that turn answered by one reading and told others, the words of one of those choose it.
func chosenPlan(req plan.Request) (plan.Plan, bool) {
	if len(req.History) == 0 {
		return plan.Plan{}, false
	}
	last := req.History[len(req.History)-1]
	asked := last.Outcome == outcomeClarify
	if last.Plan == nil || !asked && last.Outcome != outcomeAnswer {
		return plan.Plan{}, false
	}
	said := text.Fold(strings.Trim(req.Message, " .!\t\r\n"))
	for i, a := range last.Plan.Alternatives {
		if asked && said == strconv.Itoa(i+1) || said == text.Fold(a.Reading) {
			return a.Plan, true
		}
	}
	return plan.Plan{}, false
}

// maker makes plans of readings.
type maker struct {
	req   plan.Request
	model *semantic.Model
	scope *scope
}

func (m maker) plan(d Decision, list []Reading) plan.Plan {
	first, ok := m.answer(list[0], d.Probability)
	if !ok {
		return unread(m.req).Plan
	}
	others := m.alternatives(d, list[0].Score)
	switch d.Outcome {
	case Answer:
		first.Alternatives = others
		return first
	case Clarify:
		all := append([]plan.Alternative{{Reading: first.Reading, Plan: first}}, others...)
		lines := []string{say.Text(m.req.Locale, sayWhich)}
		for i, a := range all {
			lines = append(lines, say.Text(m.req.Locale, sayChoice, strconv.Itoa(i+1), a.Reading))
		}
		return plan.Plan{Clarify: strings.Join(lines, "\n"), Alternatives: all, Confidence: d.Probability}
	}
	return plan.Plan{Refuse: m.refusal(list[0], first.Reading), Confidence: d.Probability}
}

// alternatives are the plans of the readings that come close.
func (m maker) alternatives(d Decision, best float64) []plan.Alternative {
	var out []plan.Alternative
	for _, o := range d.Others {
		if p, ok := m.answer(o, d.Probability*chanceBeside(o.Score, best)); ok {
			out = append(out, plan.Alternative{Reading: p.Reading, Plan: p})
		}
	}
	return out
}

// answer is the plan that answers by a reading.
func (m maker) answer(r Reading, probability float64) (plan.Plan, bool) {
	args, err := queryArgs(r.Query)
	if err != nil {
		return plan.Plan{}, false
	}
	step, ok := plan.QueryStep(args, m.req.Tools)
	if !ok {
		return plan.Plan{}, false
	}
	reading := m.words(r.Query)
	return plan.Plan{
		Title: reading, Reading: reading, Confidence: probability,
		Steps: []plan.Step{step}, Answer: []any{plan.Ref{Step: step.ID}},
	}, true
}

// words say a query, in the language of who asks.
func (m maker) words(q query.Query) string {
	words := text.Clip(query.Words(q, m.scope, m.req.Locale), maxTitle)
	first, n := utf8.DecodeRuneInString(words)
	return string(unicode.ToUpper(first)) + words[n:]
}

// refusal says what was not understood, and what comes nearest.
func (m maker) refusal(r Reading, nearest string) string {
	parts := []string{say.Text(m.req.Locale, say.Unsure)}
	if len(r.Skipped) > 0 {
		var words []string
		for _, w := range r.Skipped {
			if quoted := say.Text(m.req.Locale, say.Quoted, w); !slices.Contains(words, quoted) {
				words = append(words, quoted)
			}
		}
		parts[0] = say.Text(m.req.Locale, say.Skipped, strings.Join(words, ", "))
	}
	return strings.Join(append(parts, say.Text(m.req.Locale, sayNearest, nearest)), " ")
}

// queryArgs is a query as plans hold JSON.
func queryArgs(q query.Query) (map[string]any, error) {
	text, err := json.Marshal(q)
	if err != nil {
		return nil, err
	}
	in := json.NewDecoder(bytes.NewReader(text))
	in.UseNumber()
	var out map[string]any
	err = in.Decode(&out)
	return out, err
}
