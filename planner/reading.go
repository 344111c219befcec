package planner

import (
	"context"
	"slices"

	"catena/planner/plan"
)

// TableReader is a Planner for questions about tables.
type TableReader interface {
	Planner
	// Unread reports whether a response says that nothing was read: another planner may know better.
	Unread(resp plan.Response) bool
	// Agrees reports whether a plan of another planner gives what a likely reading of the message gives.
	Agrees(ctx context.Context, req plan.Request, other plan.Plan) bool
}

// Reading returns a planner that has questions about tables read by tables, and plans all else by rest: what tables did
// not answer, and rest answers by other means than a query of tables. A question that tables was not sure of is never
// answered by a query of rest's.
//
// It is safe for concurrent use when both are.
func Reading(tables TableReader, rest Planner) Planner { return reading{tables, rest, false} }

// Surer is Reading where what rest would do comes before what tables would do with other tools, if it is as sure of it,
// and where rest may query tables, too: a question that tables is not sure of, where a query of rest's gives what one of
// its likely readings gives, or tables has no idea.
func Surer(tables TableReader, rest Planner) Planner { return reading{tables, rest, true} }

// tableTool answers questions about tables.
const tableTool = "query_table"

type reading struct {
	tables TableReader
	rest   Planner
	// all says that rest may query tables, too, where tables agrees.
	all bool
}

// Plan asks tables, then rest.
func (p reading) Plan(ctx context.Context, req plan.Request) (plan.Response, error) {
	read, err := p.tables.Plan(ctx, req)
	switch acts := len(read.Plan.Steps) > 0; {
	case err != nil, acts && (!p.all || queries(read.Plan, req)):
		return read, err
	case acts:
		return p.other(ctx, req, read)
	}
	other, err := p.rest.Plan(ctx, req)
	switch {
	case err != nil:
		return read, ctx.Err()
	case queries(other.Plan, req) && !p.mayQuery(ctx, req, read.Plan, other.Plan):
		return read, nil
	case len(other.Plan.Steps) > 0, p.tables.Unread(read), p.all && read.Plan.Clarify == "":
		if queries(other.Plan, req) {
			other.Plan.Confidence = min(other.Plan.Confidence, doubted)
		}
		return other, nil
	}
	return read, nil
}

// other is what rest would query of the tables that are here, or else the surer of what it and tables would do with
// other tools. A query of memories or personas is not as sure as tools that know the words of a message.
func (p reading) other(ctx context.Context, req plan.Request, read plan.Response) (plan.Response, error) {
	other, err := p.rest.Plan(ctx, req)
	if err != nil {
		return read, ctx.Err()
	}
	if queries(other.Plan, req) {
		return other, nil
	}
	live := slices.ContainsFunc(other.Plan.Steps, func(s plan.Step) bool { return readsLive(s, req) })
	if len(other.Plan.Steps) == 0 || live || other.Plan.Confidence < read.Plan.Confidence {
		return read, nil
	}
	return other, nil
}

// mayQuery reports whether rest's query of tables stands in for what tables was not sure of: it gives what a likely
// reading gives, or tables has no idea what is meant.
func (p reading) mayQuery(ctx context.Context, req plan.Request, read, other plan.Plan) bool {
	return p.all && (read.Confidence < noIdea || p.tables.Agrees(ctx, req, other))
}

// noIdea is how likely the first reading of tables is at least where a query of rest's that agrees with no reading is
// no answer: of 37 such answers to public questions 17 were right.
const noIdea = 0.1

// doubted is how sure an answer of rest's is at most where tables was not sure of the question: 22 of 32 such answers
// were right, of public questions that neither was developed on.
const doubted = 0.69

// queries reports whether a plan does nothing but to query tables that are here.
func queries(p plan.Plan, req plan.Request) bool {
	if len(p.Steps) == 0 {
		return false
	}
	return !slices.ContainsFunc(p.Steps, func(s plan.Step) bool { return s.Tool != tableTool || readsLive(s, req) })
}

// readsLive reports whether a step queries a table that a toolkit makes when it is asked for.
func readsLive(s plan.Step, req plan.Request) bool {
	name, named := s.Args["table"].(string)
	live := func(t plan.TableInfo) bool { return t.Live && t.Name == name }
	return s.Tool == tableTool && named && slices.ContainsFunc(req.Tables, live)
}
