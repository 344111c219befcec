package agui

import (
	"context"
	"log/slog"

	"catena/chat"
	"catena/chat/runs"
	"catena/internal/access"
	"catena/server"
)

// Runs starts turns, lets readers follow them, and takes decisions. *runs.Runs satisfies it.
type Runs interface {
	server.Runs
	// Approve decides about a step that waits, and has the run go on: its events continue after the number that is
	// returned. Errors for a run that stands otherwise wrap fs.ErrExist.
	Approve(ctx context.Context, c access.Caller, run string, a runs.Approval) (after uint64, err error)
}

// Sessions reads chat sessions. *chat.Engine satisfies it.
type Sessions interface {
	// Turns returns the last n turns, oldest first.
	Turns(ctx context.Context, c access.Caller, session string, n int) ([]chat.StoredTurn, error)
}

// Options are the parts that AG-UI is served with. All are required.
type Options struct {
	Runs          Runs
	Sessions      Sessions
	Conversations *server.Conversations
}

// handlers serve AG-UI over a core.
type handlers struct {
	*server.Core
	opt   Options
	log   *slog.Logger
	talks *server.Conversations
}

// Routes are the addresses of AG-UI.
func Routes(core *server.Core, opt Options) []server.Route {
	s := &handlers{Core: core, opt: opt, log: core.Logger(), talks: opt.Conversations}
	chatLimit := core.ChatLimit()
	return []server.Route{
		{Method: "POST", Path: "/agui", Needs: server.NeedsChat, Tag: "agui",
			Summary: "AG-UI's protocol over the same turn: RunAgentInput in, events out", Body: runBody(), Loose: true,
			Stream: true, Limit: chatLimit, Handle: s.postAGUI},
	}
}
