package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"catena/internal/access"
	"catena/planner"
	"catena/planner/plan"
	"catena/table"
	"catena/tools"
	"catena/tools/data"
	"catena/tools/handle"
)

var caller = access.Local("bench")

// stand is the product's path over the tables of one question.
type stand struct {
	kit  *data.Toolkit
	reg  *tools.Registry
	exec *tools.Executor
}

// newStand loads one file and registers the data tools over it.
func newStand(ctx context.Context, path string) (*stand, error) {
	kept := handle.New(handle.Options{})
	sources := data.NewSources(kept, table.Limits{})
	if errs := sources.Load(ctx, path); len(errs) > 0 {
		return nil, errs[0]
	}
	kit := data.New(data.Options{Sources: sources, Tables: kept})
	reg := tools.NewRegistry(tools.Options{Tables: kept})
	if err := reg.Register(kit.Tools()...); err != nil {
		return nil, err
	}
	return &stand{kit: kit, reg: reg, exec: tools.NewExecutor(reg, tools.ExecutorOptions{})}, nil
}

// askTables asks questions about tables; a follow-up gets the questions before it and their plans.
func askTables(ctx context.Context, p planner.Planner, dir string, list []question) ([]prediction, error) {
	stands := map[string]*stand{}
	out := make([]prediction, len(list))
	for i, q := range list {
		s := stands[q.File]
		if s == nil {
			var err error
			if s, err = newStand(ctx, filepath.Join(dir, q.File)); err != nil {
				out[i] = prediction{Outcome: "error", Note: err.Error()}
				continue
			}
			stands[q.File] = s
		}
		req, err := s.request(ctx, q.Question)
		if err != nil {
			return nil, err
		}
		for _, earlier := range before(list, q) {
			turn := req
			turn.Message = earlier.Question
			resp, err := p.Plan(ctx, turn)
			if err != nil {
				return nil, err
			}
			req.History = append(req.History, plan.Turn{Message: earlier.Question, Plan: &resp.Plan, Outcome: outcomeOf(resp.Plan)})
		}
		if out[i], err = s.answer(ctx, p, req); err != nil {
			return nil, fmt.Errorf("%s: %w", q.ID, err)
		}
	}
	return out, nil
}

// before gives the questions that a follow-up comes after, oldest first.
func before(list []question, q question) []question {
	var out []question
	for id := q.After; id != ""; {
		i := slices.IndexFunc(list, func(o question) bool { return o.ID == id })
		if i < 0 || len(out) > 20 {
			break
		}
		out = append(out, list[i])
		id = list[i].After
	}
	slices.Reverse(out)
	return out
}

func (s *stand) request(ctx context.Context, message string) (plan.Request, error) {
	infos, err := s.kit.Describe(ctx, caller, "bench")
	if err != nil {
		return plan.Request{}, err
	}
	return plan.Request{Message: message, Now: asOf, Tools: s.reg.Planning(caller), Tables: infos, Values: s.kit.Values(ctx, caller, "bench")}, nil
}

func outcomeOf(p plan.Plan) string {
	switch {
	case p.Clarify != "":
		return "clarify"
	case len(p.Steps) == 0:
		return "refuse"
	}
	return "answer"
}

// answer plans and runs.
func (s *stand) answer(ctx context.Context, p planner.Planner, req plan.Request) (prediction, error) {
	resp, err := p.Plan(ctx, req)
	if err != nil {
		return prediction{}, err
	}
	note, _ := json.Marshal(resp.Plan)
	got := prediction{Outcome: outcomeOf(resp.Plan), Note: string(note)}
	if got.Outcome != "answer" {
		return got, nil
	}
	done, err := s.exec.Run(ctx, tools.RunRequest{Caller: caller, Session: "bench", Plan: resp.Plan, Now: asOf}, nil)
	if err != nil {
		got.Outcome, got.Note = "error", got.Note+" "+err.Error()
		return got, nil //nolint:nilerr // a run that failed is a wrong answer, and is counted
	}
	got.read(done)
	return got, nil
}

// read takes the answer out of an outcome: the last table, or tables of one row, or values, side by side.
func (p *prediction) read(done tools.Outcome) {
	if len(done.Pending) > 0 {
		p.Outcome = "approval"
	}
	for _, s := range done.Steps {
		if s.Error != "" && s.Status == tools.StepFailed {
			p.Note += " " + s.ID + ": " + s.Error
		}
		if s.Code == tools.CodeAmbiguous {
			p.Outcome = "clarify" // as a turn of chat has it
			return
		}
	}
	var values, single []any
	tables := 0
	for _, item := range done.Answer {
		switch {
		case item.Result != nil && item.Result.Table != nil:
			p.Columns, p.Rows = tableRows(item.Result.Table)
			if tables++; len(p.Rows) == 1 && len(single) >= tables-1 {
				single = append(single, p.Rows[0]...)
			} else {
				single = nil
			}
		case item.Result != nil:
			values = append(values, scalars(item.Result.Structured)...)
		default:
			values = append(values, scalars(item.Value)...)
		}
	}
	if tables > 1 && len(single) >= tables {
		p.Rows = [][]any{single}
	}
	if p.Rows == nil && values != nil {
		p.Rows = [][]any{values}
	}
}

// scalars gives the plain values of a JSON value, in order.
func scalars(v any) []any {
	switch x := v.(type) {
	case map[string]any:
		var out []any
		for _, k := range slices.Sorted(maps.Keys(x)) {
			out = append(out, scalars(x[k])...)
		}
		return out
	case []any:
		var out []any
		for _, e := range x {
			out = append(out, scalars(e)...)
		}
		return out
	}
	return []any{v}
}

// tableRows gives the cells of a table as JSON values.
func tableRows(t *table.Table) ([]string, [][]any) {
	rows := [][]any{}
	for r := range t.NumRows() {
		var row []any
		for _, v := range t.Row(r) {
			if v.IsNull() {
				row = append(row, nil)
			} else if f, ok := v.Float(); ok && v.Type().Numeric() {
				row = append(row, f)
			} else {
				row = append(row, v.Text())
			}
		}
		rows = append(rows, row)
	}
	return t.Names(), rows
}
