package openai

import (
	"context"
	"log/slog"
	"time"

	"catena/chat"
	"catena/chat/runs"
	"catena/internal/access"
	"catena/planner/plan"
	"catena/server"
)

// Runs starts turns and lets readers follow them, and knows what was answered. *runs.Runs satisfies it.
type Runs interface {
	server.Runs
	// Whole puts the whole of a large response into what Get gave, which has its short form.
	Whole(ctx context.Context, c access.Caller, info runs.Info) (runs.Info, error)
	// DeleteSession stops the session's runs and deletes it with all that belongs to it, its tables too.
	DeleteSession(ctx context.Context, c access.Caller, session string) error
}

// Planner asks a model apart from any turn. *chat.Engine satisfies it.
type Planner interface {
	// Aside answers what a chat program asks of a conversation on its own account: a model call without tools. It wraps
	// chat.ErrNoModel where there is no model.
	Aside(ctx context.Context, c access.Caller, prompt string) (string, plan.Usage, error)
}

// Sessions reads chat sessions. *chat.Engine satisfies it.
type Sessions interface {
	// Turns returns the last n turns, oldest first.
	Turns(ctx context.Context, c access.Caller, session string, n int) ([]chat.StoredTurn, error)
}

// Options are the parts that OpenAI's protocols are served with. All but Mapped and Steps are required.
type Options struct {
	Runs          Runs
	Planner       Planner
	Sessions      Sessions
	Conversations *server.Conversations
	// Mapped says whether a model maps answers into schemas that they do not fit by the names of their columns
	// (chat.Request.Form). Nil is never.
	Mapped func() bool
	// Steps says what clients see of an answer's steps: StepsReasoning, StepsDetails or StepsOff. "" is StepsReasoning.
	Steps string
}

// handlers serve OpenAI's protocols over a core.
type handlers struct {
	*server.Core
	opt     Options
	log     *slog.Logger
	talks   *server.Conversations
	started time.Time
}

// Routes are the addresses of chat completions, responses and models.
func Routes(core *server.Core, opt Options) []server.Route {
	if opt.Steps == "" {
		opt.Steps = StepsReasoning
	}
	s := &handlers{Core: core, opt: opt, log: core.Logger(), talks: opt.Conversations, started: time.Now()}
	chatLimit := core.ChatLimit()
	return []server.Route{
		{Method: "POST", Path: "/v1/chat/completions", Needs: server.NeedsChat, Tag: "openai",
			Summary: "OpenAI's chat protocol over the same turn", Body: completionBody(), Loose: true, Stream: true,
			Limit: chatLimit, Handle: s.postCompletions},
		{Method: "POST", Path: "/v1/responses", Needs: server.NeedsChat, Tag: "openai",
			Summary: "The same in the form of Open Responses", Body: responseBody(), Loose: true, Stream: true,
			Limit: chatLimit, Handle: s.postResponses},
		{Method: "GET", Path: "/v1/responses/{id}", Needs: server.NeedsChat, Tag: "openai", Summary: "A response again",
			Handle: s.getResponse},
		{Method: "DELETE", Path: "/v1/responses/{id}", Needs: server.NeedsEdit, Tag: "openai",
			Summary: "Delete a response with its conversation, where it is all there is in that",
			Handle:  s.deleteResponse},
		{Method: "GET", Path: "/v1/responses/{id}/input_items", Needs: server.NeedsChat, Tag: "openai",
			Summary: "What a response answers", Handle: s.getResponseInput},
		{Method: "GET", Path: "/v1/models", Needs: server.NeedsChat, Tag: "openai",
			Summary: "OpenAI's list of models: one, named catena", Handle: s.getModels},
		{Method: "GET", Path: "/v1/models/{id}", Needs: server.NeedsChat, Tag: "openai",
			Summary: "OpenAI's description of a model", Handle: s.getModel},
	}
}
