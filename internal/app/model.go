package app

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"catena/chat"
	"catena/planner"
	"catena/planner/calls"
	"catena/planner/langchain"
	"catena/planner/offline"
	"catena/planner/plan"
	"catena/planner/reader"
	"catena/server"
	"catena/tools/upstream"
)

// models are the language model and what stands before it, and the model of embeddings.
type models struct {
	*base
	*observer
	*stores
	model    *langchain.Completer // nil without a model
	ask      planner.Completer    // the way to it: budget, fallback, breaker
	breakers []guarded
	budget   *planner.Budget
	embedder *langchain.Embedder // nil without embeddings
	names    string              // the models that are asked, for the log and the key of the plan cache
}

// addModel makes the way to the models: each behind its breaker, the fallback beside the first, the budget before both.
func (m *models) addModel(context.Context) error {
	if err := m.addEmbedder(); err != nil {
		return err
	}
	c := m.Cfg.LLM
	if c.Provider == "" {
		return nil
	}
	var err error
	if m.model, err = m.connect("llm", langchain.Config{Provider: c.Provider, BaseURL: c.BaseURL, Model: c.Model, APIKey: c.APIKey.Reveal()}); err != nil {
		return err
	}
	m.names = m.model.String()
	ask := m.breaker("model", m.model.String(), tracedModel{m.model, m.metrics, c.Provider, c.Model})
	if f := c.Fallback; f.Provider != "" {
		second, err := m.connect("llm.fallback",
			langchain.Config{Provider: f.Provider, BaseURL: f.BaseURL, Model: f.Model, APIKey: f.APIKey.Reveal()})
		if err != nil {
			return err
		}
		m.names += ", then " + second.String()
		ask = &planner.Hedged{First: ask, Second: m.breaker("model fallback", second.String(),
			tracedModel{second, m.metrics, f.Provider, f.Model}), After: c.HedgeAfter}
	}
	m.budget = &planner.Budget{Turn: c.TurnTokens, Caller: c.CallerTokens, Cache: m.Store,
		OnError: func(err error) { m.log.Warn("a caller's use of the model could not be counted", "error", err) }}
	m.ask = m.budget.Limit(ask)
	return nil
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
func (m *models) breaker(name, model string, ask planner.Completer) planner.Completer {
	b := &planner.Breaker{Completer: ask}
	m.breakers = append(m.breakers, guarded{name, model, b})
	return b
}

// modelComponents say of each model whether it answers. Without one plans are made offline, so none is required.
func (m *models) modelComponents() []server.Component {
	var list []server.Component
	for _, g := range m.breakers {
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
func (m *models) connect(section string, cfg langchain.Config) (*langchain.Completer, error) {
	c := m.Cfg.LLM
	cfg.Timeout, cfg.MaxTokens, cfg.Temperature, cfg.Log = c.Timeout, c.MaxTokens, c.Temperature, m.log
	model, err := langchain.New(cfg)
	if err != nil {
		return nil, UsageError(fmt.Errorf("%s: %w", section, err))
	}
	m.onClose(model.Close)
	return model, nil
}

// addPlanners gives a turn its chain of planners: cache, model, offline, a direct reply. Without a model that is
// offline alone.
func (p *App) addPlanners(opts *chat.Options) {
	old := offline.New()
	var unaided planner.Planner = old
	switch read := reader.New(reader.WithRisk(p.Cfg.Planner.Risk)); p.Cfg.Planner.Reader {
	case "new":
		unaided = planner.Reading(read, old)
	case "both":
		unaided = planner.Surer(read, old)
	}
	unaided = calls.ByName(unaided)
	opts.Planner = planner.Workable(planner.Invoked(planner.Stated(unaided)))
	if p.model == nil {
		return
	}
	c := p.Cfg.Planner
	var llm planner.Planner = &planner.LLM{Completer: p.ask, Corrections: cmp.Or(c.Corrections, -1),
		Shortlist: old.Shortlist}
	if c.CacheTTL > 0 {
		llm = &planner.Cached{
			Planner: llm, Cache: p.Store, Model: p.names, TTL: c.CacheTTL,
			OnError: func(err error) { p.log.Warn("the plan cache failed", "error", err) },
		}
	}
	one := p.Cfg.LLM.Timeout // of one call; a plan has the time of two, however many corrections it takes
	llm = planner.Within(llm, 2*one)
	chain := planner.Fallback(llm, unaided, planner.Within(&planner.Direct{Completer: p.ask}, one))
	opts.Planner = planner.Workable(planner.Invoked(planner.Stated(chain)))
	opts.Replanner, _ = llm.(planner.Replanner)
	opts.Rescuer = planner.Rescue(unaided)
	opts.MaxReplans, opts.Early = c.MaxReplans, c.EarlyStart
	opts.Writer, opts.Meter = writer{p.ask}, p.budget
}

// textModel is the model as toolkits want it: one call without tools, text in, text out; nil without one. What it
// writes is for a program.
func (m *models) textModel() func(ctx context.Context, system, prompt string) (string, error) {
	if m.model == nil {
		return nil
	}
	return func(ctx context.Context, system, prompt string) (string, error) {
		text, _, err := writer{m.ask}.Write(ctx, system, prompt)
		return text, err
	}
}

// sampleModel is what MCP servers may ask; nil without a model.
func (m *models) sampleModel() upstream.Model {
	if m.model == nil {
		return nil
	}
	return func(ctx context.Context, system, prompt string, maxTokens int) (string, bool, error) {
		messages := []planner.Message{{Role: "user", Text: prompt}}
		if most := m.Cfg.LLM.MaxTokens; most > 0 {
			maxTokens = min(maxTokens, most) // a server asks for less, never for more
		}
		c, err := m.ask.Complete(ctx, planner.Prompt{System: system, Messages: messages, MaxTokens: maxTokens})
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
