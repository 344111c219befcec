package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"catena/chat"
	"catena/chat/runs"
	"catena/internal/access"
	"catena/internal/store"
	"catena/internal/store/sqlite"
	"catena/planner/plan"
	"catena/server"
	"catena/table"
	"catena/tools"
	"catena/tools/crm"
	"catena/tools/data"
	"catena/tools/handle"
)

// house is Catena's parts with clocks at the store and at the tools.
type house struct {
	store  *timedStore
	engine *chat.Engine
	runs   *runs.Runs
	url    string
	client *http.Client
	tools  atomic.Int64 // ns in handlers since reset
	ends   []func()
}

// instant is a planner that answers at once with one plan.
type instant struct{ plan plan.Plan }

// Plan implements chat.Planner.
func (i instant) Plan(context.Context, plan.Request) (plan.Response, error) {
	return plan.Response{Plan: i.plan, By: "offline"}, nil
}

const threeSteps = `{"title":"top clients and their revenue trend","confidence":0.9,"steps":[
{"id":"s1","tool":"get_top_clients","args":{"region":"USA","limit":5}},
{"id":"s2","tool":"get_client_revenue","args":{"client_ids":{"$ref":"s1.rows[*].client_id"}}},
{"id":"s3","tool":"analyze_trend","args":{"data":{"$ref":"s2"},"value_column":"revenue_usd","group_column":"client"}}],
"answer":[{"$ref":"s1"},{"$ref":"s3"}]}`

func newHouse(ctx context.Context, path string) (*house, error) {
	db, err := sqlite.Open(ctx, path, store.Options{})
	if err != nil {
		return nil, err
	}
	h := &house{store: &timedStore{Store: db}, client: &http.Client{}}
	h.ends = append(h.ends, func() { _ = db.Close() })
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	tables := handle.New(handle.Options{Store: h.store, Log: log})
	h.ends = append(h.ends, tables.Close)
	reg := tools.NewRegistry(tools.Options{Policy: access.AllowAll{}, Journal: h.store, Tables: tables, Log: log, Hooks: tools.Hooks{
		Called: func(_ context.Context, _ tools.Call, _ tools.Tool, _ tools.Result, _ error, took time.Duration) {
			h.tools.Add(int64(took))
		},
	}})
	kit := data.New(data.Options{Sources: data.NewSources(tables, table.Limits{}), Tables: tables})
	if err := reg.Register(append(kit.Tools(), crm.Tools()...)...); err != nil {
		return nil, err
	}
	p, err := plan.Parse(threeSteps, plan.Limits{})
	if err != nil {
		return nil, err
	}
	h.engine = chat.NewEngine(chat.Options{
		Planner: instant{p}, Catalogue: reg, Executor: tools.NewExecutor(reg, tools.ExecutorOptions{}), Sessions: h.store, Tables: kit, Log: log,
	})
	h.runs = runs.New(h.engine, h.store, runs.Options{Log: log})
	h.ends = append(h.ends, func() {
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		_ = h.runs.Close(end)
	})
	return h, h.serve(ctx, reg, tables, kit, log)
}

func (h *house) serve(ctx context.Context, reg *tools.Registry, tables *handle.Tables, kit *data.Toolkit, log *slog.Logger) error {
	core, err := server.NewCore(server.Options{
		Runs: h.runs, Planner: h.engine, Tools: reg, Sessions: h.engine, Data: kit, Tables: tables, Logger: log,
	})
	if err != nil {
		return err
	}
	s, err := server.New(core, server.Table{})
	if err != nil {
		return err
	}
	l, err := listen(ctx)
	if err != nil {
		return err
	}
	h.url = "http://" + l.Addr().String()
	serving, stop := context.WithCancel(ctx)
	done := make(chan error, 1)
	go func() { done <- s.Serve(serving, l) }()
	h.ends = append(h.ends, func() { h.client.CloseIdleConnections(); stop(); <-done })
	return nil
}

func (h *house) close() {
	for i := len(h.ends) - 1; i >= 0; i-- {
		h.ends[i]()
	}
}

func (h *house) reset() {
	h.tools.Store(0)
	h.store.waited.Store(0)
}

// split divides a turn's time and checks that it was a real one.
func (h *house) split(total time.Duration, resp chat.Response, err error) (sample, error) {
	if err != nil {
		return sample{}, err
	}
	if resp.Outcome != chat.OutcomeAnswer || len(resp.Steps) != 3 || len(resp.Tables) != 2 {
		return sample{}, errors.New(fmt.Sprint("the turn gave no answer: ", resp.Outcome, " ", resp.Response))
	}
	return sample{total: total, tools: time.Duration(h.tools.Load()), durable: time.Duration(h.store.waited.Load())}, nil
}

// timedStore adds up how long a turn waits for the store. Batches of events are written beside the turn and do not count,
// but for the last one, which EndRun writes.
type timedStore struct {
	*sqlite.Store
	waited atomic.Int64
}

func (s *timedStore) since(start time.Time) { s.waited.Add(int64(time.Since(start))) }

func (s *timedStore) CreateSession(ctx context.Context, owner, id, title string, at time.Time) error {
	defer s.since(time.Now())
	return s.Store.CreateSession(ctx, owner, id, title, at)
}

func (s *timedStore) AppendTurn(ctx context.Context, owner, session, run string, data []byte, at time.Time) error {
	defer s.since(time.Now())
	return s.Store.AppendTurn(ctx, owner, session, run, data, at)
}

func (s *timedStore) SetTitle(ctx context.Context, owner, session, title string) error {
	defer s.since(time.Now())
	return s.Store.SetTitle(ctx, owner, session, title)
}

func (s *timedStore) StartFirstRun(
	ctx context.Context, owner, run, session, title, digest string, request, state []byte, at time.Time,
) error {
	defer s.since(time.Now())
	return s.Store.StartFirstRun(ctx, owner, run, session, title, digest, request, state, at)
}

func (s *timedStore) StartRun(ctx context.Context, owner, run, session string, request, state []byte, at time.Time) error {
	defer s.since(time.Now())
	return s.Store.StartRun(ctx, owner, run, session, request, state, at)
}

func (s *timedStore) EndRun(
	ctx context.Context, run string, first uint64, events [][]byte, status string, response []byte, at time.Time,
) error {
	defer s.since(time.Now())
	return s.Store.EndRun(ctx, run, first, events, status, response, at)
}

func (s *timedStore) Begin(ctx context.Context, run, step, tool, argsHash string, readOnly bool) error {
	defer s.since(time.Now())
	return s.Store.Begin(ctx, run, step, tool, argsHash, readOnly)
}

func (s *timedStore) End(ctx context.Context, run, step, status string, took time.Duration, result []byte) error {
	defer s.since(time.Now())
	return s.Store.End(ctx, run, step, status, took, result)
}
