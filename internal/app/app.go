package app

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"time"

	"catena/chat"
	"catena/chat/runs"
	"catena/internal/config"
	"catena/internal/telemetry"
	"catena/planner/plan"
	"catena/server"
	"catena/server/mcp"
	"catena/table"
	"catena/tools"
)

// closeTimeout is how long runs have to end by themselves when the program stops, and tasks half of it: with the
// requests' own end 20 s, of the 30 that commonly are left before a process is killed.
const closeTimeout = 10 * time.Second

// App is the program, put together: its parts in the order in which they are made. Each part sees those before it and
// nothing that comes later.
type App struct {
	*base
	*observer
	*front
	*stores
	*gate
	*models
	*toolkits
	Engine  *chat.Engine
	Runs    *runs.Runs
	tasks   *mcp.Tasks
	unaided unaided
	reloads *reloader // nil where settings are read once
}

// newApp has the parts of the program, none of which is made yet. The log says nothing.
func newApp(cfg config.Config) *App {
	p := &App{base: &base{Cfg: cfg, log: slog.New(slog.DiscardHandler)}, front: &front{}}
	p.observer = &observer{base: p.base}
	p.stores = &stores{base: p.base}
	p.gate = &gate{base: p.base, front: p.front, stores: p.stores}
	p.models = &models{base: p.base, observer: p.observer, stores: p.stores}
	p.toolkits = &toolkits{base: p.base, observer: p.observer, front: p.front, stores: p.stores, gate: p.gate,
		models: p.models}
	return p
}

// New makes all parts. On an error what was made already is closed. logs is where log lines go, stderr in every
// command.
func New(ctx context.Context, cfg config.Config, logs io.Writer) (p *App, err error) {
	p = newApp(cfg)
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
	for _, add := range []func(context.Context) error{
		p.addTelemetry, p.addAudit, p.openStore, p.addKeys, p.addModel, p.addRegistry, p.addToolkits, p.addChat,
	} {
		if err = add(ctx); err != nil {
			return p, err
		}
	}
	return p, nil
}

func (p *App) addChat(ctx context.Context) error {
	opts := chat.Options{
		Catalogue: p.Registry,
		Executor: tools.NewExecutor(p.Registry, tools.ExecutorOptions{
			Parallel: p.Cfg.Executor.Parallel,
			Flows: tools.Flows{Action: tools.UntrustedAction(p.Cfg.Executor.Untrusted),
				Allow: p.Cfg.Executor.UntrustedAllow},
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
		},
	}
	p.unaided = p.unaidedPlanners()
	p.Engine = chat.NewEngine(opts)
	p.Engine.UseModel(p.plannedBy(p.inUse()))
	// there is somebody to go on with what is not over at the end
	later := p.shared != nil || p.Cfg.Store.Dir != ":memory:"
	p.tasks = mcp.NewTasks(p.Store, later, p.log)
	of := runs.Options{Max: p.Cfg.Listen.MaxRuns, PerCaller: p.runsOf, Log: p.log, Call: p.tasks.TakeOver,
		HandOver: later,
		Tables:   p.tables, Present: p.Keys.Present, Running: p.metrics.Running, Poisoned: p.metrics.Poisoned}
	if p.shared != nil {
		of.Places = p.shared
	}
	p.Runs = runs.New(p.Engine, p.Store, of)
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
	if err := p.Registry.Register(mcp.ChatTool(p.Runs)); err != nil {
		return err
	}
	return p.Registry.RegisterResources(mcp.Resources(p.tables, p.Runs)...)
}
