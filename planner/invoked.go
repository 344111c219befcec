package planner

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"catena/planner/plan"
)

// Invoked returns a planner for messages that write calls out: get_top_clients {"region": "USA", "limit": 3}. A message of such
// calls alone is its own plan, which next is not asked for. What of it cannot be used is asked back. Beside other words next plans,
// and a plan of its that does not make each call with all its arguments becomes a question: nothing runs with fewer restrictions
// than were written. All other messages are next's, without the tools that they rule out by naming the server of
// another of the same name.
//
// It is safe for concurrent use when next is.
func Invoked(next Planner) Planner { return invoked{next} }

type invoked struct{ next Planner }

// Plan reads the calls of the message, then asks next if there are other words.
func (p invoked) Plan(ctx context.Context, req plan.Request) (plan.Response, error) {
	found := plan.FindInvocations(req.Message, req.Tools)
	if len(found.RuledOut) > 0 {
		req.Tools = slices.DeleteFunc(
			slices.Clone(req.Tools),
			func(t plan.Tool) bool { return slices.Contains(found.RuledOut, t.Name) },
		)
	}
	if len(found.Calls) == 0 {
		return p.next.Plan(ctx, req)
	}
	if own, ok := found.Plan(heading(req.Message), req.Message, req.Tools, req.Tables); ok {
		return plan.Response{Plan: own, By: "offline"}, nil
	}
	req.Early = nil // nothing starts before the whole plan was compared
	res, err := p.next.Plan(ctx, req)
	if err != nil || res.Direct != "" || len(res.Plan.Steps) == 0 && res.By != "offline" {
		return res, err
	}
	if c, missing := found.Left(res.Plan); missing {
		res.Plan = plan.Plan{Clarify: leftOut(c, found.Rest), Confidence: 0.5}
	}
	return res, nil
}

// leftOut asks about the words beside a call.
func leftOut(c plan.Invocation, rest []string) string {
	const most = 200
	words := strconv.Quote(strings.Join(rest, " … "))
	if r := []rune(words); len(r) > most {
		words = string(r[:most]) + `…"`
	}
	return "What does " + words + " mean for " + c.Tool + "? Nothing was run. Say it as an argument of the call, or send the call alone."
}

// heading is a message as a title.
func heading(message string) string {
	const most = 80
	s := strings.Join(strings.Fields(message), " ")
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}
