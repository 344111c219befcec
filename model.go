package main

import (
	"context"
	"fmt"

	"catena/chat"
	"catena/planner"
	"catena/planner/langchain"
	"catena/planner/offline"
)

func (p *parts) addModel() error {
	if err := p.addEmbedder(); err != nil {
		return err
	}
	c := p.cfg.LLM
	if c.Provider == "" {
		return nil
	}
	var err error
	p.model, err = langchain.New(langchain.Config{
		Provider: c.Provider, BaseURL: c.BaseURL, Model: c.Model, APIKey: c.APIKey.Reveal(), Timeout: c.Timeout,
		MaxTokens: c.MaxTokens, Temperature: c.Temperature,
	})
	if err != nil {
		return usageError(fmt.Errorf("llm: %w", err))
	}
	p.onClose(p.model.Close)
	return nil
}

// addPlanners gives a turn its chain of planners: cache, model, offline, a direct reply. Without a model that is offline alone.
func (p *parts) addPlanners(opts *chat.Options) {
	unaided := offline.New()
	opts.Planner = unaided
	if p.model == nil {
		return
	}
	c := p.cfg.Planner
	var llm planner.Planner = &planner.LLM{Completer: p.model, Corrections: c.Corrections, Shortlist: unaided.Shortlist}
	if c.CacheTTL > 0 {
		llm = &planner.Cached{
			Planner: llm, Cache: p.store, Model: p.model.String(), TTL: c.CacheTTL,
			OnError: func(err error) { p.log.Warn("the plan cache failed", "error", err) },
		}
	}
	one := p.cfg.LLM.Timeout // of one call; a plan has the time of two, however many corrections it takes
	llm = planner.Within(llm, 2*one)
	opts.Planner = planner.Fallback(llm, unaided, planner.Within(&planner.Direct{Completer: p.model}, one))
	opts.Replanner, _ = llm.(planner.Replanner)
	opts.MaxReplans, opts.Early = c.MaxReplans, c.EarlyStart
	opts.Writer = writer{p.model}
}

// textModel is the model as toolkits want it: one call without tools, text in, text out; nil without one.
func (p *parts) textModel() func(ctx context.Context, system, prompt string) (string, error) {
	if p.model == nil {
		return nil
	}
	return func(ctx context.Context, system, prompt string) (string, error) {
		text, _, err := writer{p.model}.Write(ctx, system, prompt)
		return text, err
	}
}
