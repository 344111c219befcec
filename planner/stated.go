package planner

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"catena/planner/plan"
	"catena/planner/statement"
	"catena/query"
	"catena/query/sql"
)

// Stated returns a planner for messages that are a statement of SQL: SELECT region, COUNT(*) FROM clients GROUP BY
// region. Such a message is its own plan. It is one where it can be read as a statement over tables that there are. What
// stands in a fence of SQL, and SELECT and FROM in capitals, make one also of what cannot be read or names what there is
// not, so that a slip in a statement is told as that. All other messages are next's.
//
// It is safe for concurrent use when next is.
func Stated(next Planner) Planner { return stated{next} }

type stated struct{ next Planner }

var (
	// beginning is how statements begin.
	beginning = regexp.MustCompile(`(?i)^\s*(select|with)\s`)
	// fenced is a message that is one fence, of SQL or of nothing that is named.
	fenced = regexp.MustCompile("(?is)^\\s*```(sql|sqlite|postgres|postgresql)?[ \t]*\r?\n([^`]*)```\\s*$")
	// capitals are the words of a statement as only statements write them.
	capitals = regexp.MustCompile(`(?s)^(SELECT|WITH)\s.*\sFROM\s`)
	small    = regexp.MustCompile(`\p{Ll}`)
)

// Plan reads the message as a statement, or asks next.
func (p stated) Plan(ctx context.Context, req plan.Request) (plan.Response, error) {
	text, marked := strings.TrimSpace(req.Message), false
	if m := fenced.FindStringSubmatch(req.Message); m != nil {
		text, marked = strings.TrimSpace(m[2]), m[1] != ""
	}
	if !beginning.MatchString(text) || !isStatement(text, marked, req) {
		return p.next.Plan(ctx, req)
	}
	step, ok := plan.SQLStep(text, req.Tools)
	if !ok {
		return p.next.Plan(ctx, req)
	}
	own := plan.Plan{
		Title:      heading(text),
		Steps:      []plan.Step{step},
		Answer:     []any{plan.Ref{Step: step.ID}},
		Confidence: 0.99,
	}
	return plan.Response{Plan: own, By: "offline"}, nil
}

// isStatement reports whether a text can be read as a statement over the request's tables, or is surely meant as one. A
// text without a small letter may be English.
func isStatement(text string, marked bool, req plan.Request) bool {
	_, findings, err := sql.Parse(text, statement.Tables(req.Tables), sql.Options{Now: req.Now})
	surely := marked || capitals.MatchString(text)
	if err != nil {
		return surely && (marked || small.MatchString(text))
	}
	found := func(code string) bool {
		return slices.ContainsFunc(findings, func(f query.Finding) bool { return f.Code == code })
	}
	return surely || !found(query.UnknownTable) && !found(query.UnknownColumn)
}
