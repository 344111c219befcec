package app

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
	"catena/planner/plan"
	"catena/server"
	"catena/table"
	"catena/tools"
	"catena/tools/code"
	"catena/tools/data"
	"catena/tools/persona"
	"catena/tools/upstream"
)

// closeTimeout is how long runs have to end by themselves when the program stops, and tasks half of it: with the requests' own end 20 s,
// of the 30 that commonly are left before a process is killed.
const closeTimeout = 10 * time.Second

// App is the program, put together. Every part is made once, in the order of build, and closed in reverse by Close.
type App struct {
	Cfg      config.Config
	log      *slog.Logger
	metrics  *telemetry.Metrics
	Store    store.Store   // what processes may share: sessions, runs, tables, the plan cache
	folder   *store.SQLite // what is this process's own: memories, personas; the same as store without store.url
	shared   *store.Redis  // the same as store with store.url, else nil
	tables   *tools.Tables
	Registry *tools.Registry
	Sources  *data.Sources
	data     *data.Toolkit
	model    *langchain.Completer // nil without a model
	ask      planner.Completer    // the way to it: budget, fallback, breaker
	breakers []guarded
	budget   *planner.Budget
	embedder *langchain.Embedder // nil without embeddings
	Personas *persona.Toolkit    // nil where it is turned off
	Code     *code.Toolkit       // nil where it is turned off
	Keys     *access.Keys
	audit    *telemetry.Audit    // nil where none is wanted
	tokens   *access.Tokens      // nil where no identity provider is set
	Roles    map[string][]string // the scopes of each role
	limiter  access.Limiter      // of requests over HTTP; nil where none is wanted. After the start the reloader's alone
	runsEach atomic.Int64        // runs that a caller may have at once; 0 is no bound
	Engine   *chat.Engine
	Runs     *chat.Runs
	tasks    *server.Tasks
	Upstream *upstream.Servers
	reloads  *reloader                     // nil where settings are read once
	served   atomic.Pointer[server.Server] // once it is made
	idle     idleRelease
	Secrets  config.Hider // hides the values of secret settings wherever texts leave
	LoadErrs []error      // data files that could not be loaded; the rest were

	modelNames string // the models that are asked, for the log and the key of the plan cache
	closers    []func() error
}

// New makes all parts. On an error what was made already is closed. logs is where log lines go, stderr in every command.
func New(ctx context.Context, cfg config.Config, logs io.Writer) (p *App, err error) {
	p = &App{Cfg: cfg}
	p.runsEach.Store(int64(cfg.Access.Limits.Runs))
	p.Secrets.Set(cfg)
	plan.DrawFrom(table.DefaultMemoryBudget())
	defer func() {
		if err != nil {
			err = errors.Join(err, p.Close())
			p = nil
		}
	}()
	if p.log, err = telemetry.Logger(p.Secrets.Writer(logs), cfg.Log.Level, cfg.Log.Format, server.RequestID); err != nil {
		return p, UsageError(err)
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

func (p *App) addTools(ctx context.Context) error {
	p.tables = tools.NewTables(tools.TablesOptions{Store: p.Store, TTL: p.Cfg.Store.KeepTables, Shared: p.shared != nil || p.Cfg.Store.Dir != ":memory:", Log: p.log})
	p.onClose(func() error { p.tables.Close(); return nil })
	p.Registry = tools.NewRegistry(tools.Options{
		Policy:  access.Granted{},
		Journal: p.Store,
		Tables:  p.tables,
		Timeout: p.Cfg.Executor.Timeout,
		Render:  data.Render,
		Hide:    p.Secrets.Hide,
		Log:     p.log,
		TableNames: func(c access.Caller, session string) (names []string) {
			for _, t := range p.Sources.List(c, session) {
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

func (p *App) addChat(ctx context.Context) error {
	opts := chat.Options{
		Catalogue: p.Registry,
		Executor: tools.NewExecutor(p.Registry, tools.ExecutorOptions{
			Parallel: p.Cfg.Executor.Parallel,
			Flows:    tools.Flows{Action: tools.UntrustedAction(p.Cfg.Executor.Untrusted), Allow: p.Cfg.Executor.UntrustedAllow},
		}),
		Sessions: p.Store,
		Tables:   p.data,
		Answers:  p.Store,
		KeepFor:  p.Cfg.Store.KeepTables,
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
	p.Engine = chat.NewEngine(opts)
	later := p.shared != nil || p.Cfg.Store.Dir != ":memory:" // there is somebody to go on with what is not over at the end
	p.tasks = server.NewTasks(p.Store, later, p.log)
	runs := chat.RunsOptions{Max: p.Cfg.Listen.MaxRuns, PerCaller: p.runsOf, Log: p.log, Call: p.tasks.TakeOver, HandOver: later,
		Tables: p.tables}
	if p.shared != nil {
		runs.Places = p.shared
	}
	p.Runs = chat.NewRuns(p.Engine, p.Store, runs)
	p.onClose(func() error {
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
		defer cancel()
		return p.Runs.Close(end)
	})
	p.onClose(func() error { // before the runs: a task may wait for one
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout/2)
		defer cancel()
		return p.tasks.Close(end)
	})
	if err := p.Registry.Register(server.ChatTool(p.Runs)); err != nil {
		return err
	}
	return p.Registry.RegisterResources(server.Resources(p.tables, p.Runs)...)
}

func (p *App) addEmbedder() error {
	c := p.Cfg.Embeddings
	if c.Provider == "" {
		return nil
	}
	var err error
	p.embedder, err = langchain.NewEmbedder(langchain.Config{
		Provider: c.Provider, BaseURL: c.BaseURL, Model: c.Model, APIKey: c.APIKey.Reveal(), Timeout: c.Timeout,
	})
	if err != nil {
		return UsageError(err)
	}
	p.onClose(p.embedder.Close)
	return nil
}

// listsChanged tells the clients of the server, if there is one.
func (p *App) listsChanged(tell ...func(*server.Server)) {
	if s := p.served.Load(); s != nil {
		for _, f := range tell {
			f(s)
		}
	}
}

func (p *App) onClose(f func() error) { p.closers = append(p.closers, f) }

// Close ends all parts, the last one made first.
func (p *App) Close() error {
	var errs []error
	for i := len(p.closers) - 1; i >= 0; i-- {
		errs = append(errs, p.closers[i]())
	}
	p.closers = nil
	return errors.Join(errs...)
}
