package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"

	"catena/chat"
	"catena/internal/access"
	"catena/internal/store"
	"catena/internal/store/sqlite"
	"catena/planner"
	"catena/planner/calls"
	"catena/planner/offline"
	"catena/planner/reader"
	"catena/table"
	"catena/tools"
	"catena/tools/crm"
	"catena/tools/data"
	"catena/tools/handle"
)

// outcome is what becomes of a slip.
type outcome string

const (
	right      outcome = "right"
	mended     outcome = "mended"
	corrected  outcome = "corrected"
	readerOnly outcome = "reader"
	refused    outcome = "refused"
	wrong      outcome = "silent wrong"
	raw        outcome = "raw error"
)

// result is what a question came to.
type result struct {
	outcome
	said string // what the asker reads
}

// bench is who asks.
var bench = access.Local("bench")

// world is the demo behind the program's planners.
type world struct {
	db     *sqlite.Store
	tables *handle.Tables
	model  *model
	engine *chat.Engine
	want   map[string][]string // rows of the right plan, by question
}

func newWorld(ctx context.Context) (*world, error) {
	db, err := sqlite.Open(ctx, ":memory:", store.Options{})
	if err != nil {
		return nil, err
	}
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	tables := handle.New(handle.Options{Store: db, Log: log})
	w := &world{db: db, tables: tables, model: &model{}, want: map[string][]string{}}
	sources, err := demo(ctx, w.tables)
	if err != nil {
		return nil, err
	}
	kit := data.New(data.Options{Sources: sources, Tables: w.tables})
	reg := tools.NewRegistry(tools.Options{Tables: w.tables, Journal: db, Log: log, Render: data.Render})
	if err := reg.Register(append(kit.Tools(), crm.Tools()...)...); err != nil {
		return nil, err
	}
	old := offline.New()
	unaided := calls.ByName(planner.Surer(reader.New(), old))
	llm := &planner.LLM{Completer: w.model, Shortlist: old.Shortlist}
	chain := planner.Workable(planner.Invoked(planner.Stated(planner.Fallback(llm, unaided))))
	w.engine = chat.NewEngine(chat.Options{Planner: chain, Replanner: llm, MaxReplans: 1,
		Rescuer: planner.Rescue(unaided), Catalogue: reg,
		Executor: tools.NewExecutor(reg, tools.ExecutorOptions{}), Sessions: db, Tables: kit, Log: log})
	return w, nil
}

func (w *world) close() {
	w.tables.Close()
	w.db.Close()
}

// demo are the demo's tables.
func demo(ctx context.Context, tables *handle.Tables) (*data.Sources, error) {
	sources := data.NewSources(tables, table.Limits{})
	asOf, err := crm.AsOf()
	if err != nil {
		return nil, err
	}
	all, err := crm.Tables(ctx)
	for _, t := range all {
		sources.Add(data.SourceTable{Name: t.Name, Table: t.Table, Source: "demo", AsOf: asOf, Trusted: true})
	}
	return sources, err
}

// model is a scripted model: it gives a slip, and the right plan once a correction names the word that is wrong.
type model struct {
	slip, plan string
	token      string // "" is corrected by whatever is said
	calls      int
}

// Complete implements planner.Completer.
func (m *model) Complete(_ context.Context, p planner.Prompt) (planner.Completion, error) {
	m.calls++
	last := p.Messages[len(p.Messages)-1].Text
	told := m.calls > 1 && strings.HasPrefix(last, "That plan cannot run.")
	if told && strings.Contains(strings.ToLower(last), strings.ToLower(m.token)) {
		return planner.Completion{Text: m.plan}, nil
	}
	return planner.Completion{Text: m.slip}, nil
}

// try asks a question of which the model's answer is a slip.
func (w *world) try(ctx context.Context, b base, slip, token string) (result, error) {
	want, ok := w.want[b.question]
	if !ok {
		resp, err := w.ask(ctx, b, b.plan(""), "")
		if err != nil {
			return result{}, err
		}
		want = rowsOf(resp)
		if len(want) == 0 || w.model.calls != 1 || resp.PlannedBy != "llm" {
			return result{}, fmt.Errorf("the right plan gives %d rows: %s", len(want), resp.Response)
		}
		w.want[b.question] = want
	}
	resp, err := w.ask(ctx, b, slip, token)
	if err != nil {
		return result{}, err
	}
	return result{w.judge(resp, want), resp.Response}, nil
}

func (w *world) ask(ctx context.Context, b base, slip, token string) (chat.Response, error) {
	*w.model = model{slip: slip, plan: b.plan(""), token: token}
	return w.engine.Turn(ctx, bench, chat.Request{Message: b.question}, nil)
}

func (w *world) judge(resp chat.Response, want []string) outcome {
	if slices.Equal(rowsOf(resp), want) {
		switch {
		case resp.PlannedBy != "llm":
			return readerOnly
		case w.model.calls > 1:
			return corrected
		case resp.Plan != nil && len(resp.Plan.Repairs) > 0:
			return mended
		}
		return right
	}
	failed := func(s chat.StepInfo) bool { return s.Status == "failed" }
	if resp.Outcome == chat.OutcomeError || slices.ContainsFunc(resp.Steps, failed) {
		return raw
	}
	if resp.Outcome != chat.OutcomeAnswer {
		return refused
	}
	return wrong
}

// rowsOf are the rows of an answer's last table, in one order, whatever order its columns and rows have.
func rowsOf(resp chat.Response) []string {
	if len(resp.Tables) == 0 {
		return nil
	}
	var rows [][]any
	if json.Unmarshal(resp.Tables[len(resp.Tables)-1].Rows, &rows) != nil {
		return nil
	}
	out := make([]string, len(rows))
	for i, row := range rows {
		cells := make([]string, len(row))
		for k, c := range row {
			cells[k] = fmt.Sprint(c)
		}
		slices.Sort(cells)
		out[i] = strings.Join(cells, "|")
	}
	slices.Sort(out)
	return out
}
