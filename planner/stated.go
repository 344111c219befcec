package planner

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"catena/planner/plan"
	"catena/query"
	"catena/query/sql"
	"catena/table"
)

// Stated returns a planner for messages that are a statement of SQL: SELECT region, COUNT(*) FROM clients GROUP BY
// region. Such a message is its own plan. It is one where it can be read as a statement over tables that there are;
// words in capitals (SELECT) make one also of what names a column that there is not, so that a slip in a statement is
// told as that. All other messages are next's.
//
// It is safe for concurrent use when next is.
func Stated(next Planner) Planner { return stated{next} }

type stated struct{ next Planner }

// beginning is how statements begin.
var beginning = regexp.MustCompile(`(?i)^\s*(select|with)\s`)

// Plan reads the message as a statement, or asks next.
func (p stated) Plan(ctx context.Context, req plan.Request) (plan.Response, error) {
	if !beginning.MatchString(req.Message) || !isStatement(req) {
		return p.next.Plan(ctx, req)
	}
	step, ok := plan.SQLStep(strings.TrimSpace(req.Message), req.Tools)
	if !ok {
		return p.next.Plan(ctx, req)
	}
	own := plan.Plan{
		Title:      heading(req.Message),
		Steps:      []plan.Step{step},
		Answer:     []any{plan.Ref{Step: step.ID}},
		Confidence: 0.99,
	}
	return plan.Response{Plan: own, By: "offline"}, nil
}

// isStatement reports whether the message can be read as a statement over the request's tables.
func isStatement(req plan.Request) bool {
	_, findings, err := sql.Parse(req.Message, tablesOf(req.Tables), sql.Options{Now: req.Now})
	if err != nil {
		return false
	}
	found := func(code string) bool {
		return slices.ContainsFunc(findings, func(f query.Finding) bool { return f.Code == code })
	}
	written := strings.TrimSpace(req.Message)
	capitals := strings.HasPrefix(written, "SELECT") || strings.HasPrefix(written, "WITH")
	return !found(query.UnknownTable) && (capitals || !found(query.UnknownColumn))
}

// tablesOf is the catalog of what a planner is told of tables.
type tablesOf []plan.TableInfo

// Schema is the columns of a table, by its name or handle.
func (t tablesOf) Schema(name string) (query.Schema, bool) {
	for _, info := range t {
		if !strings.EqualFold(info.Name, name) && info.Handle != name {
			continue
		}
		s := make(query.Schema, len(info.Columns))
		for i, c := range info.Columns {
			t, _ := table.ParseType(c.Type)
			s[i].Column = table.Column{Name: c.Name, Type: t, Unit: c.Unit}
		}
		return s, true
	}
	return nil, false
}

// Tables are the names of all tables.
func (t tablesOf) Tables() []string {
	names := make([]string, len(t))
	for i, info := range t {
		names[i] = info.Name
	}
	return names
}
