package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"catena/chat"
	"catena/internal/config"
	"catena/planner"
	"catena/planner/calls"
	"catena/planner/langchain"
	"catena/planner/offline"
	"catena/planner/plan"
	"catena/planner/reader"
	"catena/server"
	"catena/tools/crm"
	"catena/tools/upstream"
)

// models are the language model and what stands before it, and the model of embeddings.
type models struct {
	*base
	*observer
	*stores
	budget   *planner.Budget
	embedder *langchain.Embedder // nil without embeddings
	asked    atomic.Pointer[asked]
	chosen   chosenModel
}

// asked are the language models that are asked. The zero value is none.
type asked struct {
	llm      config.LLM           // the settings, with what was chosen beside them
	model    *langchain.Completer // nil without a model
	ask      planner.Completer    // the way to it: budget, fallback, breaker
	breakers []guarded
	clients  []*langchain.Completer // all that there are
	names    string                 // the models that are asked, for the log and the key of the plan cache
}

// inUse are the models that are asked now.
func (m *models) inUse() *asked {
	if a := m.asked.Load(); a != nil {
		return a
	}
	return &asked{}
}

// hasModel reports whether there is a language model now.
func (m *models) hasModel() bool { return m.inUse().model != nil }

// close closes connections that are kept open for the next call.
func (a *asked) close() error {
	var errs []error
	for _, c := range a.clients {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}

// addModel makes the way to the models of the settings, and to what was chosen beside them.
func (m *models) addModel(ctx context.Context) error {
	if err := m.addEmbedder(); err != nil {
		return err
	}
	c := m.Cfg.LLM
	m.budget = &planner.Budget{Turn: c.TurnTokens, Caller: c.CallerTokens, Cache: m.Store,
		OnError: func(err error) { m.log.Warn("a caller's use of the model could not be counted", "error", err) }}
	a, err := m.reach(m.withChosen(ctx))
	if err != nil {
		return err
	}
	m.asked.Store(a)
	m.onClose(func() error { return m.inUse().close() })
	return nil
}

// reach makes the way to models: each behind its breaker, the fallback beside the first, the budget before both.
func (m *models) reach(c config.LLM) (*asked, error) {
	a := &asked{llm: c}
	if c.Provider == "" {
		return a, nil
	}
	var err error
	a.model, err = m.connect(a, "llm",
		langchain.Config{Provider: c.Provider, BaseURL: c.BaseURL, Model: c.Model, APIKey: c.APIKey.Reveal()})
	if err != nil {
		return nil, err
	}
	a.names = a.model.String()
	ask := a.breaker("model", a.model.String(), tracedModel{a.model, m.metrics, c.Provider, c.Model})
	if f := c.Fallback; f.Provider != "" {
		second, err := m.connect(a, "llm.fallback",
			langchain.Config{Provider: f.Provider, BaseURL: f.BaseURL, Model: f.Model, APIKey: f.APIKey.Reveal()})
		if err != nil {
			return nil, err
		}
		a.names += ", then " + second.String()
		ask = &planner.Hedged{First: ask, Second: a.breaker("model fallback", second.String(),
			tracedModel{second, m.metrics, f.Provider, f.Model}), After: c.HedgeAfter}
	}
	a.ask = m.budget.Limit(ask)
	return a, nil
}

func (m *models) addEmbedder() error {
	c := m.Cfg.Embeddings
	if c.Provider == "" {
		return nil
	}
	var err error
	m.embedder, err = langchain.NewEmbedder(langchain.Config{
		Provider: c.Provider, BaseURL: c.BaseURL, Model: c.Model, APIKey: c.APIKey.Reveal(), Timeout: c.Timeout,
	})
	if err != nil {
		return UsageError(err)
	}
	m.onClose(m.embedder.Close)
	return nil
}

// guarded is a model behind its breaker.
type guarded struct {
	name, model string
	breaker     *planner.Breaker
}

// breaker makes the breaker of a model, which health then looks at.
func (a *asked) breaker(name, model string, ask planner.Completer) planner.Completer {
	b := &planner.Breaker{Completer: ask}
	a.breakers = append(a.breakers, guarded{name, model, b})
	return b
}

// modelComponents say of each model whether it answers. Without one plans are made offline, so none is required.
func (m *models) modelComponents() []server.Component {
	var list []server.Component
	for _, g := range m.inUse().breakers {
		c := server.Component{Name: g.name, Status: server.Healthy, Detail: g.model}
		if failed, resting := g.breaker.Resting(); resting {
			c.Status = server.Down
			c.Detail = fmt.Sprintf("%s failed %d times in a row and is asked only now and then, until it answers; "+
				"catena doctor says why", g.model, failed)
		}
		list = append(list, c)
	}
	return list
}

// connect makes the client of one model.
func (m *models) connect(a *asked, section string, cfg langchain.Config) (*langchain.Completer, error) {
	c := a.llm
	cfg.Timeout, cfg.MaxTokens, cfg.Temperature, cfg.Log = c.Timeout, c.MaxTokens, c.Temperature, m.log
	model, err := langchain.New(cfg)
	if err != nil {
		return nil, UsageError(fmt.Errorf("%s: %w", section, err))
	}
	a.clients = append(a.clients, model)
	return model, nil
}

// unaided are the planners without a model. They are made once.
type unaided struct {
	planner   planner.Planner
	shortlist func(message string, tools []plan.Tool, n int) []plan.Tool
}

func (p *App) unaidedPlanners() unaided {
	old := offline.New()
	var all planner.Planner = old
	switch read := reader.New(reader.WithRisk(p.Cfg.Planner.Risk)); p.Cfg.Planner.Reader {
	case "new":
		all = planner.Reading(read, old)
	case "both":
		all = planner.Surer(read, old)
	}
	return unaided{planner.OwnFirst(offered{calls.ByName(all)}, crm.Toolset), old.Shortlist}
}

// plannedBy is how turns are planned and written with a model: a chain of cache, model, offline, a direct reply.
// Without a model that is offline alone.
func (p *App) plannedBy(a *asked) chat.Model {
	out := chat.Model{Planner: planner.Workable(planner.Invoked(planner.Stated(p.unaided.planner)))}
	if a.model == nil {
		return out
	}
	c := p.Cfg.Planner
	var llm planner.Planner = &planner.LLM{Completer: a.ask, Corrections: cmp.Or(c.Corrections, -1),
		Shortlist: p.unaided.shortlist}
	if c.CacheTTL > 0 {
		llm = &planner.Cached{
			Planner: llm, Cache: p.Store, Model: a.names, TTL: c.CacheTTL,
			OnError: func(err error) { p.log.Warn("the plan cache failed", "error", err) },
		}
	}
	one := p.Cfg.LLM.Timeout // of one call; a plan has the time of two, however many corrections it takes
	llm = planner.Within(llm, 2*one)
	chain := planner.Fallback(llm, p.unaided.planner, planner.Within(&planner.Direct{Completer: a.ask}, one))
	out.Planner = planner.Workable(planner.Invoked(planner.Stated(chain)))
	out.Replanner, _ = llm.(planner.Replanner)
	out.Rescuer = planner.Rescue(p.unaided.planner)
	out.MaxReplans, out.Early = c.MaxReplans, c.EarlyStart
	out.Writer, out.Meter = writer{a.ask}, p.budget
	return out
}

// current asks the models that are in use when it is called. Toolkits have it, which are made once.
type current struct{ models *models }

// Complete implements planner.Completer.
func (c current) Complete(ctx context.Context, p planner.Prompt) (planner.Completion, error) {
	ask := c.models.inUse().ask
	if ask == nil {
		return planner.Completion{}, &planner.CompletionError{Provider: "none",
			Reason: "no language model is chosen any more"}
	}
	return ask.Complete(ctx, p)
}

// textModel is the model as toolkits want it: one call without tools, text in, text out; nil without one. What it
// writes is for a program.
func (m *models) textModel() func(ctx context.Context, system, prompt string) (string, error) {
	if !m.hasModel() {
		return nil
	}
	return func(ctx context.Context, system, prompt string) (string, error) {
		text, _, err := writer{current{m}}.Write(ctx, system, prompt)
		return text, err
	}
}

// sampleModel is what MCP servers may ask now; nil without a model.
func (m *models) sampleModel() upstream.Model {
	if !m.hasModel() {
		return nil
	}
	return func(ctx context.Context, system, prompt string, maxTokens int) (string, bool, error) {
		messages := []planner.Message{{Role: "user", Text: prompt}}
		if most := m.Cfg.LLM.MaxTokens; most > 0 {
			maxTokens = min(maxTokens, most) // a server asks for less, never for more
		}
		c, err := current{m}.Complete(ctx, planner.Prompt{System: system, Messages: messages, MaxTokens: maxTokens})
		return c.Text, c.Truncated, err
	}
}

// proseModel is textModel where people read what it writes: no links, images and HTML are in it.
func (m *models) proseModel() func(ctx context.Context, system, prompt string) (string, error) {
	write := m.textModel()
	if write == nil {
		return nil
	}
	return func(ctx context.Context, system, prompt string) (string, error) {
		text, err := write(ctx, system, prompt)
		// what stands in brackets side by side are places, no link
		return chat.Plain(strings.ReplaceAll(text, "][", "] [")), err
	}
}

// writer is a model as chat.Writer wants it: one call without tools, text in, text out.
type writer struct{ model planner.Completer }

// Write implements chat.Writer.
func (w writer) Write(ctx context.Context, system, prompt string) (string, plan.Usage, error) {
	c, err := w.model.Complete(ctx, planner.Prompt{System: system,
		Messages: []planner.Message{{Role: "user", Text: prompt}}})
	return c.Text, c.Usage, err
}
