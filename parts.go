package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"sync/atomic"
	"time"

	"catena/chat"
	"catena/internal/access"
	"catena/internal/config"
	"catena/internal/store"
	"catena/internal/telemetry"
	"catena/planner"
	"catena/planner/langchain"
	"catena/server"
	"catena/tools"
	"catena/tools/code"
	"catena/tools/data"
	"catena/tools/persona"
	"catena/tools/upstream"
)

// closeTimeout is how long runs have to end by themselves when the program stops, and tasks half of it: with the requests' own end 20 s,
// of the 30 that commonly are left before a process is killed.
const closeTimeout = 10 * time.Second

// parts is the program, put together. Every part is made once, in the order of build, and closed in reverse by Close.
type parts struct {
	cfg      config.Config
	log      *slog.Logger
	metrics  *telemetry.Metrics
	store    store.Store   // what processes may share: sessions, runs, tables, the plan cache
	folder   *store.SQLite // what is this process's own: memories, personas; the same as store without store.url
	shared   *store.Redis  // the same as store with store.url, else nil
	tables   *tools.Tables
	registry *tools.Registry
	sources  *data.Sources
	data     *data.Toolkit
	model    *langchain.Completer // nil without a model
	ask      planner.Completer    // the way to it: budget, fallback, breaker
	breakers []guarded
	budget   *planner.Budget
	embedder *langchain.Embedder // nil without embeddings
	personas *persona.Toolkit    // nil where it is turned off
	code     *code.Toolkit       // nil where it is turned off
	keys     *access.Keys
	audit    *telemetry.Audit    // nil where none is wanted
	tokens   *access.Tokens      // nil where no identity provider is set
	roles    map[string][]string // the scopes of each role
	limiter  access.Limiter      // of requests over HTTP; nil where none is wanted. After the start the reloader's alone
	runsEach atomic.Int64        // runs that a caller may have at once; 0 is no bound
	engine   *chat.Engine
	runs     *chat.Runs
	tasks    *server.Tasks
	upstream *upstream.Servers
	reloads  *reloader                     // nil where settings are read once
	served   atomic.Pointer[server.Server] // once it is made
	idle     idleRelease
	secrets  config.Hider // hides the values of secret settings wherever texts leave
	loadErrs []error      // data files that could not be loaded; the rest were

	modelNames string // the models that are asked, for the log and the key of the plan cache
	closers    []func() error
}

// build makes all parts. On an error what was made already is closed. logs is where log lines go, stderr in every command.
func build(ctx context.Context, cfg config.Config, logs io.Writer) (p *parts, err error) {
	p = &parts{cfg: cfg}
	p.runsEach.Store(int64(cfg.Access.Limits.Runs))
	p.secrets.Set(cfg)
	defer func() {
		if err != nil {
			err = errors.Join(err, p.Close())
			p = nil
		}
	}()
	if p.log, err = telemetry.Logger(p.secrets.Writer(logs), cfg.Log.Level, cfg.Log.Format, server.RequestID); err != nil {
		return p, usageError(err)
	}
	slog.SetDefault(p.log)
	if err = p.addTelemetry(ctx); err != nil {
		return p, err
	}
	if err = p.addAudit(); err != nil {
		return p, err
	}
	if err = p.openStore(ctx); err != nil {
		return p, err
	}
	if err = p.addTools(ctx); err != nil {
		return p, err
	}
	if err = p.addModel(); err != nil {
		return p, err
	}
	if err = p.addToolkits(ctx); err != nil {
		return p, err
	}
	return p, p.addChat(ctx)
}

func (p *parts) addTools(ctx context.Context) error {
	p.tables = tools.NewTables(tools.TablesOptions{Store: p.store, TTL: p.cfg.Store.KeepTables, Shared: p.shared != nil || p.cfg.Store.Dir != ":memory:", Log: p.log})
	p.onClose(func() error { p.tables.Close(); return nil })
	p.registry = tools.NewRegistry(tools.Options{
		Policy:  access.Granted{},
		Journal: p.store,
		Tables:  p.tables,
		Timeout: p.cfg.Executor.Timeout,
		Render:  data.Render,
		Hide:    p.secrets.Hide,
		Log:     p.log,
		TableNames: func(c access.Caller, session string) (names []string) {
			for _, t := range p.sources.List(c, session) {
				names = append(names, t.Name)
			}
			return names
		},
		Hooks: tools.Hooks{
			Calling: p.calling,
			Called:  p.called,
			Denied:  p.denied,
		},
	})
	p.keepLatencies(ctx)
	return nil
}

// callResult is the metrics' label of how a call ended.
func callResult(res tools.Result, err error) string {
	switch {
	case err != nil:
		return "error"
	case res.IsError:
		return res.Code
	}
	return "ok"
}

func (p *parts) addChat(ctx context.Context) error {
	opts := chat.Options{
		Catalogue: p.registry,
		Executor: tools.NewExecutor(p.registry, tools.ExecutorOptions{
			Parallel: p.cfg.Executor.Parallel,
			Flows:    tools.Flows{Action: tools.UntrustedAction(p.cfg.Executor.Untrusted), Allow: p.cfg.Executor.UntrustedAllow},
		}),
		Sessions: p.store,
		Tables:   p.data,
		Answers:  p.store,
		KeepFor:  p.cfg.Store.KeepTables,
		Warnings: p.quotaWarnings,
		Log:      p.log,
		Hooks: chat.Hooks{
			Turn: p.turning,
			Step: func(ev tools.StepEvent) {
				if ev.Progress == nil && ev.Status != tools.StepStarted {
					p.metrics.Step(ev.Tool, string(ev.Status), ev.Duration)
				}
			},
			Running:  p.metrics.Running,
			Poisoned: p.metrics.Poisoned,
		},
	}
	p.addPlanners(&opts)
	p.engine = chat.NewEngine(opts)
	later := p.shared != nil || p.cfg.Store.Dir != ":memory:" // there is somebody to go on with what is not over at the end
	p.tasks = server.NewTasks(p.store, later, p.log)
	runs := chat.RunsOptions{Max: p.cfg.Listen.MaxRuns, PerCaller: p.runsOf, Log: p.log, Call: p.tasks.TakeOver, HandOver: later,
		Tables: p.tables}
	if p.shared != nil {
		runs.Places = p.shared
	}
	p.runs = chat.NewRuns(p.engine, p.store, runs)
	p.onClose(func() error {
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
		defer cancel()
		return p.runs.Close(end)
	})
	p.onClose(func() error { // before the runs: a task may wait for one
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout/2)
		defer cancel()
		return p.tasks.Close(end)
	})
	if err := p.registry.Register(server.ChatTool(p.runs)); err != nil {
		return err
	}
	return p.registry.RegisterResources(server.Resources(p.tables, p.runs)...)
}

func (p *parts) addEmbedder() error {
	c := p.cfg.Embeddings
	if c.Provider == "" {
		return nil
	}
	var err error
	p.embedder, err = langchain.NewEmbedder(langchain.Config{
		Provider: c.Provider, BaseURL: c.BaseURL, Model: c.Model, APIKey: c.APIKey.Reveal(), Timeout: c.Timeout,
	})
	if err != nil {
		return usageError(err)
	}
	p.onClose(p.embedder.Close)
	return nil
}

// listsChanged tells the clients of the server, if there is one.
func (p *parts) listsChanged(tell ...func(*server.Server)) {
	if s := p.served.Load(); s != nil {
		for _, f := range tell {
			f(s)
		}
	}
}

func (p *parts) onClose(f func() error) { p.closers = append(p.closers, f) }

// Close ends all parts, the last one made first.
func (p *parts) Close() error {
	var errs []error
	for i := len(p.closers) - 1; i >= 0; i-- {
		errs = append(errs, p.closers[i]())
	}
	p.closers = nil
	return errors.Join(errs...)
}
