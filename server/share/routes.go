package share

import (
	"context"
	"net/http"
	"time"

	"catena/chat"
	"catena/chat/runs"
	"catena/internal/access"
	"catena/server"
	"catena/tools"
	"catena/tools/handle"
)

// Sessions reads chat sessions. *chat.Engine satisfies it. Errors for a session that is not there, or is another's,
// wrap fs.ErrNotExist.
type Sessions interface {
	Session(ctx context.Context, c access.Caller, id string) (chat.SessionInfo, error)
	// Turns returns the last n turns, oldest first.
	Turns(ctx context.Context, c access.Caller, session string, n int) ([]chat.StoredTurn, error)
	// WholeTurns puts the whole texts of large answers in place of the short ones that a session has.
	WholeTurns(ctx context.Context, c access.Caller, turns []chat.StoredTurn) ([]chat.StoredTurn, error)
}

// Runs reads what runs answered. *runs.Runs satisfies it.
type Runs interface {
	Get(ctx context.Context, c access.Caller, id string) (runs.Info, error)
	Whole(ctx context.Context, c access.Caller, info runs.Info) (runs.Info, error)
}

// Store keeps links and copies. A store.Store satisfies it.
type Store interface {
	// PutHandle keeps a content of an owner's session until a time; it goes with the session.
	PutHandle(ctx context.Context, owner, handle, session, run string, meta, content []byte, expires time.Time) error
	// GetHandle returns what PutHandle was given, to its owner only. What is there no more gives an error that wraps
	// fs.ErrNotExist.
	GetHandle(ctx context.Context, owner, handle string) (meta, content []byte, err error)
	// DeleteHandles removes contents; what is not there, or is another's, is no error.
	DeleteHandles(ctx context.Context, owner string, handles ...string) error
	// ListHandles returns the newest contents of an owner's session, at most limit.
	ListHandles(ctx context.Context, owner, session string, limit int) (handles []string, metas [][]byte, err error)
	// AddRecord keeps a small thing that lasts, unless most others of its kind have data that counted reports true of.
	// Counting and writing are one step.
	AddRecord(ctx context.Context, kind, id string, data []byte, most int, counted func(data []byte) bool) (bool, error)
	// DeleteRecord, Record and Records are about such things. Errors for one that is not there wrap fs.ErrNotExist.
	DeleteRecord(ctx context.Context, kind, id string) error
	Record(ctx context.Context, kind, id string) ([]byte, error)
	Records(ctx context.Context, kind string, each func(id string, data []byte) error) error
}

// Options are the parts that chats are handed on with. All but Now are required.
type Options struct {
	Runs     Runs
	Sessions Sessions
	Store    Store
	Tables   *handle.Tables
	Now      func() time.Time // nil is time.Now
}

type handlers struct {
	*server.Core
	opt Options
	// readTable is Core.ReadTable.
	readTable func(ctx context.Context, res tools.Result, rows int, read func()) error
}

// mostDays is how long a link may last.
const mostDays = 90

// daysField is what a request may say of how long a link lasts.
var daysField = chat.Field{Name: "days", Least: 0, Most: mostDays}

// Routes are the addresses of reports and links. Without a key only this machine is served at all, so that no link of a
// chat that nobody had to identify for leads out of it.
func Routes(core *server.Core, opt Options) []server.Route {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	s := &handlers{core, opt, core.ReadTable}
	return []server.Route{
		{Method: "GET", Path: "/api/v1/sessions/{id}/report", Needs: server.NeedsChat, Tag: "sessions",
			Summary: "The chat as one HTML document, with its charts and up to 1,000 rows of each table",
			Handle:  s.getReport},
		{Method: "POST", Path: "/api/v1/sessions/{id}/shares", Needs: server.NeedsEdit, Tag: "sessions",
			Summary: "Make a link to a copy of the chat that anyone can read for so many days, 7 unless said otherwise",
			Body:    server.Body{Name: "ShareRequest", Of: shareRequest{}, Fields: []chat.Field{daysField}},
			Status:  []int{http.StatusCreated}, Handle: s.postShare},
		{Method: "GET", Path: "/api/v1/shares", Needs: server.NeedsChat, Tag: "sessions",
			Summary: "The caller's links to copies of chats, the newest first", Handle: s.getShares},
		{Method: "DELETE", Path: "/api/v1/shares/{id}", Needs: server.NeedsEdit, Tag: "sessions",
			Summary: "Revoke a link; its copy is deleted", Status: []int{http.StatusNoContent}, Handle: s.deleteShare},
		{Method: "GET", Path: "/share/{token}", Needs: server.NeedsNothing, Tag: "sessions",
			Summary: "The copy of a chat that a link leads to, as HTML", Handle: s.getShared},
	}
}
