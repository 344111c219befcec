package server

import (
	"context"
	"io"

	"catena/chat"
	"catena/chat/runs"
	"catena/internal/access"
	"catena/planner/plan"
	"catena/tools"
)

// allRuns is what the addresses of chats, runs and sessions need beside. *runs.Runs satisfies it.
type allRuns interface {
	Runs
	// Running gives the runs of a session of the caller's that have not ended, oldest first.
	Running(ctx context.Context, c access.Caller, session string) ([]runs.Running, error)
	// Whole puts the whole of a large response into what Get gave, which has its short form.
	Whole(ctx context.Context, c access.Caller, info runs.Info) (runs.Info, error)
	// Approve decides about a step that waits, and has the run go on: its events continue after the number that is
	// returned. Errors for a run that stands otherwise wrap fs.ErrExist.
	Approve(ctx context.Context, c access.Caller, run string, a runs.Approval) (after uint64, err error)
	// Resume has a run go on that ended with its process, as Approve does.
	Resume(ctx context.Context, c access.Caller, run string) (after uint64, err error)
	// DeleteSession stops the session's runs and deletes it with all that belongs to it, its tables too.
	DeleteSession(ctx context.Context, c access.Caller, session string) error
}

// Planner plans a message without running anything, and opens sessions. *chat.Engine satisfies it.
type Planner interface {
	Plan(ctx context.Context, c access.Caller, req chat.Request) (chat.RoutingResult, error)
	// Explain says what running a valid plan would do.
	Explain(ctx context.Context, c access.Caller, message string, p plan.Plan) (plan.Explanation, error)
	// NewSession makes a session of the caller's, for what belongs to one before its first message.
	NewSession(ctx context.Context, c access.Caller, title string) (string, error)
	// OpenSession makes the session of a name that the client chose, where the caller has none of that name.
	OpenSession(ctx context.Context, c access.Caller, id, title string) error
}

// Tools is the registry of tools. *tools.Registry satisfies it.
type Tools interface {
	// List returns the tools that the caller may call, in stable order.
	List(c access.Caller) []tools.Tool
	// Find returns a tool that the caller may call, by its name or by toolset:tool.
	Find(c access.Caller, name string) (tools.Tool, bool)
	// Planning returns the tools that plans of the caller may use.
	Planning(c access.Caller) []plan.Tool
	// Call is the one way to call a tool.
	Call(ctx context.Context, call tools.Call) (tools.Result, error)
	// Refused is the error of using something that is there and not the caller's to use; nil for all else.
	Refused(ctx context.Context, kind tools.Asked, call tools.Call) error
	// Servers gives the configured servers, by name.
	Servers() []tools.ServerStatus
	// DownFor names the servers that are not there now, with the reason where the caller may know it; ServersFor is
	// Servers in that way.
	DownFor(c access.Caller) map[string]string
	ServersFor(c access.Caller) []tools.ServerStatus
	// SwitchedOff are tools that the caller could call if an administrator had not switched them off for everybody.
	SwitchedOff(c access.Caller) []tools.Tool
}

// Sessions reads chat sessions and names them. *chat.Engine satisfies it. Errors for a session that is not there, or is
// another's, wrap fs.ErrNotExist.
type Sessions interface {
	// ListSessions lists a caller's sessions from a cursor on, those that a query finds.
	ListSessions(ctx context.Context, c access.Caller, query, cursor string, limit int) (chat.SessionPage, error)
	Session(ctx context.Context, c access.Caller, id string) (chat.SessionInfo, error)
	// Turns returns the last n turns, oldest first.
	Turns(ctx context.Context, c access.Caller, session string, n int) ([]chat.StoredTurn, error)
	// WholeTurns puts the whole texts of large answers in place of the short ones that a session has.
	WholeTurns(ctx context.Context, c access.Caller, turns []chat.StoredTurn) ([]chat.StoredTurn, error)
	RenameSession(ctx context.Context, c access.Caller, id, title string) error
}

// Data knows the tables a caller can ask about and takes uploads. tools/data implements it.
type Data interface {
	Describe(ctx context.Context, c access.Caller, session string) ([]plan.TableInfo, error)
	Attach(ctx context.Context, c access.Caller, u tools.Upload) (tools.Uploaded, error)
	// LoadNotes says what loading a table, by name or handle, repaired or left out, a sentence each, few; nil where
	// that is nothing.
	LoadNotes(ctx context.Context, c access.Caller, session, name string) []string
	// TraceCell tells which rows a cell of a table of the caller's was computed of.
	TraceCell(ctx context.Context, c access.Caller, p tools.CellPage) (tools.CellTrace, error)
	// WriteXLSX writes the whole of a result's table as a workbook that looks as answers do.
	WriteXLSX(ctx context.Context, w io.Writer, res tools.Result) error
}

// Component is one part of the service in /health and /readyz.
type Component struct {
	Name     string `json:"name"`
	Status   string `json:"status"`           // healthy, degraded, down
	Detail   string `json:"detail,omitempty"` // why, and what to do
	Required bool   `json:"required"`         // while a required component is down, /readyz fails
}
