package langchain

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/tmc/langchaingo/llms"

	"catena/planner"
	"catena/planner/plan"
)

// Completer asks one model. It is safe for concurrent use.
type Completer struct {
	cfg    Config
	model  llms.Model
	client *client
}

var _ planner.Completer = (*Completer)(nil)

// String names the model and its host, never the key.
func (c *Completer) String() string { return c.cfg.String() }

// Close closes connections that are kept open for the next call.
func (c *Completer) Close() error {
	c.client.http.CloseIdleConnections()
	return nil
}

// Complete sends the prompt and returns the model's text. Every error is a *planner.CompletionError; it wraps the context's
// error when the time was over. An empty answer is an error, one that reached its token limit is not: see Truncated. With
// OnText the answer is streamed; a stream that was cut is an error, after what arrived has been passed on.
func (c *Completer) Complete(ctx context.Context, p planner.Prompt) (planner.Completion, error) {
	ctx, cancel := context.WithTimeout(ctx, c.cfg.Timeout)
	defer cancel()
	call := &call{schema: p.Schema, byTool: p.ByTool, strict: p.Strict, strictFirst: isOpenAI(c.cfg.BaseURL)}
	opts := []llms.CallOption{llms.WithMaxTokens(c.cfg.MaxTokens), llms.WithTemperature(c.cfg.Temperature), llms.WithModel(c.cfg.Model)}
	if p.MaxTokens > 0 {
		opts = append(opts, llms.WithMaxTokens(p.MaxTokens))
	}
	if p.OnText != nil {
		opts = append(opts, llms.WithStreamingFunc(func(_ context.Context, chunk []byte) error {
			if len(chunk) > 0 {
				p.OnText(string(chunk))
			}
			return nil
		}))
	}
	res, err := c.model.GenerateContent(with(ctx, call), messages(p), opts...)
	got := call.result()
	out := planner.Completion{Model: got.model, Truncated: got.truncated,
		Usage: plan.Usage{Calls: 1, PromptTokens: got.prompt, CompletionTokens: got.completion}}
	if err = c.failure(ctx, call, err); err != nil {
		return out, err
	}
	for _, choice := range res.Choices {
		out.Text += choice.Content
	}
	out.Text = withoutThoughts(out.Text)
	if strings.TrimSpace(out.Text) == "" {
		reason := "the model's answer was empty"
		if out.Truncated {
			reason = "the model reached its token limit before it answered"
		}
		return out, &planner.CompletionError{Provider: c.cfg.Provider, Reason: reason}
	}
	return out, nil
}

// failure prefers what the client knows to what langchaingo made of it.
func (c *Completer) failure(ctx context.Context, call *call, err error) error {
	if failed := call.failure(); failed != nil {
		return failed
	}
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return c.client.timedOut(ctx.Err())
	}
	var ce *planner.CompletionError
	if errors.As(err, &ce) {
		return ce
	}
	words := c.client.clean(err.Error())
	return &planner.CompletionError{Provider: c.cfg.Provider, Reason: "the endpoint's answer could not be read", Words: words, Err: errors.New(words)}
}

// messages puts the prompt into langchaingo's form: one part per message, since of more only the first may be sent.
func messages(p planner.Prompt) []llms.MessageContent {
	var out []llms.MessageContent
	if p.System != "" {
		out = append(out, llms.TextParts(llms.ChatMessageTypeSystem, p.System))
	}
	for _, m := range p.Messages {
		role := llms.ChatMessageTypeHuman
		if m.Role == "assistant" {
			role = llms.ChatMessageTypeAI
		}
		out = append(out, llms.TextParts(role, m.Text))
	}
	return out
}

// withoutThoughts drops the <think>...</think> that some models write before their answer.
func withoutThoughts(s string) string {
	rest, ok := strings.CutPrefix(strings.TrimSpace(s), "<think>")
	if !ok {
		return s
	}
	if _, answer, ok := strings.Cut(rest, "</think>"); ok {
		return strings.TrimSpace(answer)
	}
	return ""
}

// schemaText asks for JSON where the endpoint has no field for it.
func schemaText(schema []byte) string {
	return fmt.Sprintf("\n\nAnswer with one JSON value by this JSON Schema and nothing else:\n%s", schema)
}
