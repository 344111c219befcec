package planner

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"catena/planner/plan"
	"catena/planner/statement"
)

// LLM asks a model for a plan: one call with the message, the tools and the facts about tables, and at most Corrections
// more in which the model gets back what is wrong with its plan. Of tables a prompt holds names, types, units, counts, and
// ranges of numbers and dates. No text of a cell enters it, save the values of columns whose source its owner trusts.
//
// Completer must be set; the other zero values mean the defaults. An LLM must not be copied after its first use. It is safe
// for concurrent use.
type LLM struct {
	Completer   Completer
	Limits      plan.Limits
	MaxTokens   int // of a completion; 0 leaves it to the Completer
	Corrections int // calls after the first; 0 is DefaultCorrections, less than 0 none
	MaxTools    int // tools in a prompt; 0 is DefaultMaxTools
	// Shortlist chooses the n tools that fit a message best, when there are more than MaxTools; tools that the last plan of
	// the session called are in the prompt whatever it says. nil takes the first n.
	Shortlist func(message string, tools []plan.Tool, n int) []plan.Tool

	checker plan.Checker
}

// The defaults of LLM.
const (
	DefaultCorrections = 2
	DefaultMaxTools    = 32
)

// maxEcho bounds how much of a model's failed answer it gets back, in bytes.
const maxEcho = 8 << 10

// maxSaid bounds a model's question, refusal or title, in bytes.
const maxSaid = 2000

// Plan asks the model. An error that wraps ErrNoPlan means that no answer was a valid plan; it also wraps the last
// plan.Findings. Other errors are the Completer's or the context's. The response beside an error has the usage.
//
// With req.Early the plan is streamed, and steps that need nothing of others start while the rest is still being written.
func (l *LLM) Plan(ctx context.Context, req plan.Request) (plan.Response, error) {
	b, err := newBrief(ctx, req, l.list(req, lastCalled(req.History)))
	if err != nil {
		return plan.Response{}, err
	}
	return l.ask(ctx, b, nil)
}

// ask sends a brief and reads the answer: at most one request for more tools, then at most Corrections. bound, where it is not
// nil, puts the plan together with what ran before and says what of it is not allowed.
func (l *LLM) ask(ctx context.Context, b *brief, bound func(plan.Plan) (plan.Plan, plan.Findings)) (plan.Response, error) {
	prompt, err := b.prompt()
	if err != nil {
		return plan.Response{}, err
	}
	prompt.MaxTokens = l.MaxTokens
	res := plan.Response{By: "llm"}
	for round := 0; ; round++ {
		prompt.OnText = l.watch(ctx, b, round)
		done, err := l.Completer.Complete(ctx, prompt)
		res.Usage = res.Usage.Add(calls(done.Usage))
		if err != nil {
			b.drop()
			return res, fmt.Errorf("asking the model for a plan: %w", err)
		}
		if b.Hidden > 0 {
			if more, ok := l.more(done.Text, b); ok {
				prompt.Messages = append(prompt.Messages, Message{Role: "assistant", Text: echo(done.Text)}, more)
				b.addSchemas(&prompt)
				round--
				continue
			}
		}
		p, findings := l.read(ctx, done, b, bound)
		if len(findings) == 0 {
			res.Plan, res.Findings = p, nil
			return res, nil
		}
		b.drop()
		res.Findings = findings
		if round >= l.corrections() {
			return res, fmt.Errorf("%w: the model's last answer: %w", ErrNoPlan, findings)
		}
		again, err := render("again.md.tpl", b.again(findings))
		if err != nil {
			return res, err
		}
		prompt.Messages = append(prompt.Messages, Message{Role: "assistant", Text: echo(done.Text)}, Message{Role: "user", Text: again})
	}
}

func (l *LLM) corrections() int {
	switch {
	case l.Corrections < 0:
		return 0
	case l.Corrections == 0:
		return DefaultCorrections
	}
	return l.Corrections
}

func (l *LLM) maxTools() int {
	if l.MaxTools <= 0 {
		return DefaultMaxTools
	}
	return l.MaxTools
}

func (l *LLM) choose(message string, tools []plan.Tool, n int) []plan.Tool {
	if l.Shortlist != nil {
		return l.Shortlist(message, tools, n)
	}
	return tools[:min(n, len(tools))]
}

// lastCalled names the tools of the last turn's plan: "and in March?" is answered by the same ones.
func lastCalled(history []plan.Turn) map[string]bool {
	names := map[string]bool{}
	if len(history) > 0 && history[len(history)-1].Plan != nil {
		for _, s := range history[len(history)-1].Plan.Steps {
			names[s.Tool] = true
		}
	}
	return names
}

// read makes a valid plan of a completion, or says what is wrong.
func (l *LLM) read(ctx context.Context, done Completion, b *brief, bound func(plan.Plan) (plan.Plan, plan.Findings)) (plan.Plan, plan.Findings) {
	p, err := plan.Parse(done.Text, l.Limits)
	if err != nil {
		var f plan.Findings
		if !errors.As(err, &f) {
			f = plan.Findings{{Code: plan.Syntax, Message: err.Error()}}
		}
		if done.Truncated {
			f = plan.Findings{{Code: plan.Truncated, Message: "the answer reached the token limit; write a shorter plan"}}
		}
		return plan.Plan{}, f
	}
	if len(p.Steps) == 0 && len(p.Answer) > 0 { // nothing would stand behind what it says
		return plan.Plan{}, plan.Findings{{Code: plan.NoPlan, Path: "/answer", Message: "an answer without steps says nothing about data; give steps, clarify or refuse"}}
	}
	p = b.names.restore(p)
	p, _ = l.checker.Mend(p, b.req.Tools)
	p.Title, p.Clarify, p.Refuse = said(p.Title), said(p.Clarify), said(p.Refuse)
	if bound != nil && len(p.Steps) > 0 {
		var findings plan.Findings
		if p, findings = bound(p); len(findings) > 0 {
			return plan.Plan{}, findings
		}
	}
	return l.check(ctx, p, b)
}

// check mends and checks a plan's statements, and the plan as a whole.
func (l *LLM) check(ctx context.Context, p plan.Plan, b *brief) (plan.Plan, plan.Findings) {
	req := b.req
	w := statement.World{
		Tool: tableTool, Tools: req.Tools, Tables: req.Tables, Done: b.done, Values: req.Values, Now: req.Now,
	}
	for _, t := range req.History {
		w.Tables = append(slices.Clip(w.Tables), t.Tables...)
	}
	p, done := w.Mend(ctx, p)
	if len(done) > 0 {
		p.Repairs = append(slices.Clone(p.Repairs), done...)
	}
	found := l.checker.Validate(p, req.Tools, req.Tables, l.Limits.WithContext(ctx), req.Message)
	if len(found) == 0 {
		found = w.Check(p)
	}
	return p, found
}

// said cleans a sentence of the model: one paragraph without control characters, of maxSaid bytes at most.
func said(s string) string {
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
	return shorten(s, maxSaid)
}

// shorten cuts a text to n bytes at most without splitting a character.
func shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}

// echo is a failed answer as the model gets it back. An empty one would not be taken by every endpoint.
func echo(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if strings.TrimSpace(s) == "" {
		return "(nothing)"
	}
	return shorten(s, maxEcho)
}

// calls counts a completion as one call where the Completer did not count.
func calls(u plan.Usage) plan.Usage {
	if u.Calls == 0 {
		u.Calls = 1
	}
	return u
}
