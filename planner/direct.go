package planner

import (
	"context"
	"fmt"
	"strings"

	"catena/planner/plan"
)

// Direct answers with a text of the model, without a plan and without tools: for small talk, as the last of a Fallback
// where a model is set. Its prompt has the user's messages and the tables' names. The text is text only: whoever shows it
// must not take links, images or markup out of it. Safe for concurrent use.
type Direct struct {
	Completer Completer
	MaxTokens int // 0 is 400
}

// Plan returns a Response with Direct set. An empty reply is ErrNoPlan; other errors are the Completer's.
func (d *Direct) Plan(ctx context.Context, req plan.Request) (plan.Response, error) {
	if len(req.Message) > maxMessage {
		return plan.Response{}, fmt.Errorf("%w: the message has %d bytes; %d are allowed", ErrNoPlan, len(req.Message), maxMessage)
	}
	var tables []string
	for _, t := range req.Tables {
		if plan.SafeName(t.Name) && len(tables) < maxTables {
			tables = append(tables, t.Name)
		}
	}
	system, err := render("direct.md.tpl", struct{ Tables []string }{tables})
	if err != nil {
		return plan.Response{}, err
	}
	p := Prompt{System: system, MaxTokens: d.MaxTokens, Messages: []Message{{Role: "user", Text: req.Message}}}
	if p.MaxTokens == 0 {
		p.MaxTokens = 400
	}
	done, err := d.Completer.Complete(ctx, p)
	res := plan.Response{By: "llm", Usage: calls(done.Usage)}
	if err != nil {
		return res, fmt.Errorf("asking the model for a reply: %w", err)
	}
	if res.Direct = shorten(strings.TrimSpace(strings.ToValidUTF8(done.Text, "")), maxEcho); res.Direct == "" {
		return res, fmt.Errorf("%w: the model's reply was empty", ErrNoPlan)
	}
	return res, nil
}
