package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

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

// plans are what the instant planner answers, by message.
var plans = map[string]string{
	"turn": `{"title":"top clients and their revenue trend","confidence":0.9,"steps":[
{"id":"s1","tool":"get_top_clients","args":{"region":"USA","limit":5}},
{"id":"s2","tool":"get_client_revenue","args":{"client_ids":{"$ref":"s1.rows[*].client_id"}}},
{"id":"s3","tool":"analyze_trend","args":{"data":{"$ref":"s2"},"value_column":"revenue_usd","group_column":"client"}}],
"answer":[{"$ref":"s1"},{"$ref":"s3"}]}`,
	"chain": `{"title":"chain","steps":[{"id":"s1","tool":"nap","args":{"after":0}},{"id":"s2","tool":"nap","args":{"after":{"$ref":"s1.n"}}},
{"id":"s3","tool":"nap","args":{"after":{"$ref":"s2.n"}}},{"id":"s4","tool":"nap","args":{"after":{"$ref":"s3.n"}}},
{"id":"s5","tool":"nap","args":{"after":{"$ref":"s4.n"}}}]}`,
	"tick": `{"title":"tick","steps":[{"id":"s1","tool":"tick","args":{"after":0}}]}`,
	"idle": `{"title":"idle","steps":[{"id":"s1","tool":"idle","args":{"after":0}}]}`,
}

// instant is a planner that answers at once.
type instant map[string]plan.Plan

// Plan implements chat.Planner.
func (i instant) Plan(_ context.Context, req plan.Request) (plan.Response, error) {
	return plan.Response{Plan: i[req.Message], By: "llm"}, nil
}

// house is Catena's parts in this process, with clocks at the store and at the tools. The store is SQLite in a file, as in production.
type house struct {
	url    string
	clock  *clock
	length time.Duration // of tick
	rested chan struct{} // closed: idle is over
	ends   []func() error
}

func newHouse(ctx context.Context, path string, length time.Duration) (*house, error) {
	db, err := sqlite.Open(ctx, path, store.Options{})
	if err != nil {
		return nil, err
	}
	h := &house{clock: &clock{}, length: length, rested: make(chan struct{})}
	h.ends = append(h.ends, db.Close)
	kept := &timedStore{Store: db, clock: h.clock}
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	tables := handle.New(handle.Options{Store: kept, Log: log})
	h.ends = append(h.ends, func() error { tables.Close(); return nil })
	reg := tools.NewRegistry(tools.Options{Policy: access.AllowAll{}, Journal: kept, Tables: tables, Log: log, Timeout: time.Hour, Hooks: tools.Hooks{
		Called: func(_ context.Context, call tools.Call, _ tools.Tool, _ tools.Result, _ error, took time.Duration) {
			h.clock.add(call.Run, took)
		},
	}})
	kit := data.New(data.Options{Sources: data.NewSources(tables, table.Limits{}), Tables: tables})
	list := append(kit.Tools(), crm.Tools()...)
	for name, handler := range map[string]tools.Handler{"nap": nap, "tick": h.tick, "idle": h.idle} {
		list = append(list, tools.Tool{Def: definition(name), Toolset: "load", Handler: handler})
	}
	if err := reg.Register(list...); err != nil {
		return nil, err
	}
	planner := instant{}
	for message, text := range plans {
		if planner[message], err = plan.Parse(text, plan.Limits{}); err != nil {
			return nil, err
		}
	}
	engine := chat.NewEngine(chat.Options{Planner: planner, Catalogue: reg, Executor: tools.NewExecutor(reg, tools.ExecutorOptions{}), Sessions: kept, Tables: kit, Log: log})
	keeper := runs.New(engine, kept, runs.Options{Log: log, Max: 20_000, Timeout: time.Hour})
	h.ends = append(h.ends, func() error {
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		return keeper.Close(end)
	})
	core, err := server.NewCore(server.Options{
		Runs: keeper, Planner: engine, Tools: reg, Sessions: engine, Data: kit, Tables: tables, Logger: log,
	})
	if err != nil {
		return nil, err
	}
	s, err := server.New(core, server.Table{})
	if err != nil {
		return nil, err
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	h.url = "http://" + l.Addr().String()
	serving, stop := context.WithCancel(ctx)
	done := make(chan error, 1)
	go func() { done <- s.Serve(serving, l) }()
	h.ends = append(h.ends, func() error { stop(); return <-done })
	return h, nil
}

func (h *house) close() error {
	var errs []error
	for i := len(h.ends) - 1; i >= 0; i-- {
		errs = append(errs, h.ends[i]())
	}
	return errors.Join(errs...)
}

func definition(name string) mcp.Tool {
	def := mcp.NewToolWithRawSchema(name, "Waits.", json.RawMessage(`{"type":"object","properties":{"after":{"type":"integer"}}}`))
	def.RawOutputSchema = json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`)
	yes := true
	def.Annotations = mcp.ToolAnnotation{ReadOnlyHint: &yes}
	return def
}

var napped = tools.Result{Structured: map[string]any{"n": 1}}

// napTime is what a step of a chain waits.
const napTime = 100 * time.Millisecond

func nap(ctx context.Context, _ tools.Call) (tools.Result, error) { return napped, sleep(ctx, napTime) }

// idle waits until all streams that get events have ended, so that the others are open all the while.
func (h *house) idle(ctx context.Context, _ tools.Call) (tools.Result, error) {
	select {
	case <-h.rested:
		return napped, nil
	case <-ctx.Done():
		return tools.Result{}, ctx.Err()
	}
}

// tick tells its progress ten times a second.
func (h *house) tick(ctx context.Context, call tools.Call) (tools.Result, error) {
	n := int(h.length / (100 * time.Millisecond))
	for i := range n {
		if err := sleep(ctx, 100*time.Millisecond); err != nil {
			return tools.Result{}, err
		}
		call.Progress(tools.Progress{Done: float64(i), Total: float64(n)})
	}
	return napped, nil
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// clock adds up what runs wait for, by the ids of runs and sessions.
type clock struct{ waits, tools sync.Map }

func (c *clock) add(run string, took time.Duration) { addTo(&c.tools, run, took) }

func addTo(m *sync.Map, id string, took time.Duration) {
	was, _ := m.Load(id)
	sum, _ := was.(time.Duration)
	m.Store(id, sum+took) // one goroutine of a run at a time waits
}

func takeFrom(m *sync.Map, id string) time.Duration {
	v, _ := m.LoadAndDelete(id)
	d, _ := v.(time.Duration)
	return d
}
