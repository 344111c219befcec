package chat

import (
	"cmp"
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"catena/tools"
)

// Time limits of a turn's own work; planners and tools have theirs.
const (
	saveTimeout  = 10 * time.Second // for writing a turn that is over
	writeTimeout = 20 * time.Second // for the model's closing summary, unless Options says otherwise
)

// Options are the parts of an Engine. Planner, Catalogue, Executor and Sessions are needed.
type Options struct {
	Planner   Planner
	Catalogue Catalogue
	Executor  Executor
	Sessions  Sessions
	Tables    Tables  // nil: there are no tables to ask about
	Answers   Answers // keeps large answers; nil: only who waits for one gets the whole
	// KeepFor is how long Answers keeps one, as tables are kept; 0 means 24 h.
	KeepFor time.Duration
	Writer  Writer // nil: no model is configured, and answers say that they were planned offline

	Replanner  Replanner // plans anew what failed; nil: a plan has one try
	MaxReplans int       // in one turn
	// Rescuer plans without the model what no plan of the model's brought about; nil: the failure is told.
	Rescuer Replanner
	Meter   Meter // counts what turns use of the model; nil: what planner and summary say
	Early   bool  // steps that only read may start while the plan is still being written

	// Warnings are what the owner of a turn must know of what is kept, a sentence each, beside its answer; nil:
	// nothing.
	Warnings     func(owner string) []string
	WriteTimeout time.Duration    // of the closing summary; 0 means 20 s
	Now          func() time.Time // the clock; nil means time.Now
	Log          *slog.Logger     // nil means slog.Default()
	Hooks        Hooks
}

// Hooks are told what happens; main hangs metrics on them. Nil ones are skipped. They must not block.
type Hooks struct {
	// Turn is told that a turn begins, which goes on with the context that it gives, and the other that it is over.
	Turn func(ctx context.Context, session, run string) (context.Context, func(Response))
	Step func(tools.StepEvent) // a step of a plan changed
}

// Engine does turns. It is safe for concurrent use.
type Engine struct {
	opts    Options                 // what of them is no Model never changes
	current atomic.Pointer[Options] // those of turns that begin now
	waiting heldTurns
}

// NewEngine makes an engine.
func NewEngine(opts Options) *Engine {
	opts.WriteTimeout, opts.KeepFor = cmp.Or(opts.WriteTimeout, writeTimeout), cmp.Or(opts.KeepFor, answerTTL)
	if opts.Now == nil {
		opts.Now = time.Now
	}
	if opts.Log == nil {
		opts.Log = slog.Default()
	}
	e := &Engine{opts: opts}
	e.UseModel(Model{Planner: opts.Planner, Replanner: opts.Replanner, MaxReplans: opts.MaxReplans,
		Rescuer: opts.Rescuer, Writer: opts.Writer, Meter: opts.Meter, Early: opts.Early})
	return e
}

// Model are the Options that depend on the language model.
type Model struct {
	Planner    Planner
	Replanner  Replanner
	MaxReplans int
	Rescuer    Replanner
	Writer     Writer
	Meter      Meter
	Early      bool
}

// UseModel has turns that begin from now on planned and written by other parts. Turns under way keep theirs.
func (e *Engine) UseModel(m Model) {
	next := e.opts
	next.Planner, next.Replanner = m.Planner, m.Replanner
	next.MaxReplans, next.Rescuer, next.Early = m.MaxReplans, m.Rescuer, m.Early
	next.Writer, next.Meter = m.Writer, m.Meter
	if m.Planner != nil {
		next.Planner = cleanPlanner{m.Planner}
	}
	if m.Replanner != nil {
		next.Replanner = cleanReplanner{m.Replanner}
	}
	e.current.Store(&next)
}

// Now is the engine's clock.
func (e *Engine) Now() time.Time { return e.opts.Now() }

// Catalogue is what callers may plan with.
func (e *Engine) Catalogue() Catalogue { return e.opts.Catalogue }
