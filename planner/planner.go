package planner

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"catena/planner/plan"
)

// Planner makes a plan for a message. Implementations are safe for concurrent use and return within the context.
type Planner interface {
	// Plan answers with a plan, a question or a refusal. An error means that this planner could not do its work (a model
	// that is down, say), never that the message cannot be answered; ErrNoPlan means that another planner may know better.
	Plan(ctx context.Context, req plan.Request) (plan.Response, error)
}

// ErrNoPlan is returned, wrapped with the reason, by a planner that found no valid plan.
var ErrNoPlan = errors.New("no valid plan")

// Completer is one call to a model without tools. planner/langchain implements it over langchaingo.
type Completer interface {
	// Complete returns the model's text. Errors are *CompletionError when the endpoint answered or could not be reached.
	Complete(ctx context.Context, p Prompt) (Completion, error)
}

// Prompt is what a Completer sends.
type Prompt struct {
	System    string
	Messages  []Message
	Schema    json.RawMessage    // when set, the answer must be JSON by this schema (structured output where the provider has it)
	ByTool    json.RawMessage    // the same, closer: each call has the arguments of its tool; nil for none
	Strict    json.RawMessage    // ByTool by the rules of OpenAI's strict mode; nil for none
	MaxTokens int                // 0 leaves it to the configuration
	OnText    func(delta string) // when set, called with each piece as it arrives, from one goroutine
}

// Message is one message of a prompt.
type Message struct {
	Role string // user or assistant
	Text string
}

// Completion is what came back.
type Completion struct {
	Text      string
	Model     string
	Truncated bool // the model stopped at its token limit
	Usage     plan.Usage
}

// CompletionError says what went wrong with a model's endpoint. It holds no secret and no body longer than 200 characters.
type CompletionError struct {
	Provider   string
	Status     int           // HTTP status; 0 when no answer came
	RetryAfter time.Duration // what a 429 or 503 asked for, if anything
	Reason     string        // a sentence of ours, fit for who asked: "the endpoint answered with HTML instead of JSON"
	// Words are the endpoint's own, one line. Anything may stand in them: they are for the log and for who runs the program, and no
	// asker sees them.
	Words string
	Err   error
}
