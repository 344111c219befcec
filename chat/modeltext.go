package chat

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"catena/planner/plan"
)

// A model's words reach a person as prose, which conclude checks, or in a plan: its title, question, refusal, direct reply, the texts of its
// answer and the titles of its charts. The planners of an Engine pass the latter through modelText, whoever reads them.

// Texts in place of those that had nothing left that may be shown.
const (
	emptyClarify = "What do you mean? Say it in other words, with the names of the tables and columns."
	emptyRefuse  = "This cannot be answered here."
)

type cleanPlanner struct{ Planner }

// Plan is the planner's, with the model's texts cleaned.
func (c cleanPlanner) Plan(ctx context.Context, req plan.Request) (plan.Response, error) {
	res, err := c.Planner.Plan(ctx, req)
	return modelText(res, req), err
}

type cleanReplanner struct{ Replanner }

// Replan is the replanner's, with the model's texts cleaned.
func (c cleanReplanner) Replan(ctx context.Context, req plan.Request, ran plan.Ran) (plan.Response, error) {
	res, err := c.Replanner.Replan(ctx, req, ran)
	return modelText(res, req), err
}

// modelText takes links, images, HTML and figures that stand neither in the message nor in what is known of the tables out of the
// texts of a plan. What the offline planner wrote is our own words.
func modelText(res plan.Response, req plan.Request) plan.Response {
	if res.By == "offline" {
		return res
	}
	p := &res.Plan
	known := knownFigures(*p, req)
	p.Title = checkedText(p.Title, known)
	if p.Clarify != "" {
		p.Clarify = cmp.Or(checkedText(p.Clarify, known), emptyClarify)
	}
	if p.Refuse != "" {
		p.Refuse = cmp.Or(checkedText(p.Refuse, known), emptyRefuse)
	}
	if res.Direct != "" {
		res.Direct = cmp.Or(Plain(res.Direct), emptyRefuse)
	}
	p.Answer = slices.Clone(p.Answer)
	for i, a := range p.Answer {
		p.Answer[i] = plan.Rewrite(a, plainLeaf, nil)
	}
	p.Steps = slices.Clone(p.Steps)
	for i, s := range p.Steps {
		title, ok := s.Args["title"].(string)
		if t, known := plan.FindTool(req.Tools, s.Tool); !ok || !known || t.Toolset != ownTables {
			continue // what another server is given is an argument, not a heading of ours
		}
		args := make(map[string]any, len(s.Args))
		for name, v := range s.Args {
			args[name] = v
		}
		args["title"] = Plain(title)
		p.Steps[i].Args = args
	}
	return res
}

// ownTables is the toolset whose titles are headings of the answer.
const ownTables = "data"

func plainLeaf(v any) any {
	if s, ok := v.(string); ok {
		return Plain(s)
	}
	return v
}

// checkedText is a text without markup, and without the sentences whose numbers nobody knows.
func checkedText(text string, known []number) string {
	var out []string
	for _, s := range sentences(Plain(text)) {
		unknown := slices.ContainsFunc(numbersIn(s), func(n number) bool { return !supported(n, known) })
		if !unknown {
			out = append(out, s)
		}
	}
	return strings.Join(out, " ")
}

// knownFigures are the numbers that a plan's texts may say: those of the message and the earlier ones, of the tables' facts and of the
// plan's own arguments.
func knownFigures(p plan.Plan, req plan.Request) []number {
	texts := []string{req.Message}
	for _, h := range req.History {
		texts = append(texts, h.Message)
	}
	for _, facts := range []any{req.Tables, p.Steps} {
		raw, err := json.Marshal(facts)
		if err == nil {
			texts = append(texts, strings.NewReplacer(`"`, " ", ":", " ", ",", " , ", "-", " ", "_", " ").Replace(string(raw)))
		}
	}
	return numbersIn(strings.Join(texts, "\n"))
}
