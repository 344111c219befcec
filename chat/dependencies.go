package chat

import (
	"context"
	"time"

	"catena/internal/access"
	"catena/planner/plan"
	"catena/tools"
)

// Planner makes plans. planner.Planner satisfies it.
type Planner interface {
	Plan(ctx context.Context, req plan.Request) (plan.Response, error)
}

// Tables knows the tables a caller can ask about. tools/data implements it.
type Tables interface {
	// Describe returns the facts that a planner may see: configured sources, and what this session uploaded. What it
	// was shown comes with the history.
	Describe(ctx context.Context, c access.Caller, session string) ([]plan.TableInfo, error)
	// Values returns the finder over the same tables.
	Values(ctx context.Context, c access.Caller, session string) plan.Values
	// Attach loads a file sent with a message as tables of the session. The locale decides what the file leaves open:
	// whether 1.000 is a thousand. A name that other content has is a *tools.NameTakenError unless the upload says what
	// to do.
	Attach(ctx context.Context, c access.Caller, u tools.Upload) (tools.Uploaded, error)
	// LoadNotes says what loading a table, by name or handle, repaired or left out, a sentence each, few; nil where
	// that is nothing.
	LoadNotes(ctx context.Context, c access.Caller, session, name string) []string
}

// Writer writes prose: one model call without tools. Nil when no model is configured.
type Writer interface {
	// Write answers prompt's question over facts. It must not be given anything that could act: its output is text
	// only.
	Write(ctx context.Context, system, prompt string) (text string, usage plan.Usage, err error)
}

// Meter counts what a turn uses of the model, whoever asks it: the planner, a tool, the summary. *planner.Budget
// satisfies it.
type Meter interface {
	// Begin makes the context of a turn's calls, and the function that says what they were so far.
	Begin(ctx context.Context, owner string) (context.Context, func() plan.Usage)
}

// Executor runs plans. *tools.Executor satisfies it.
type Executor interface {
	Run(ctx context.Context, req tools.RunRequest, emit func(tools.StepEvent)) (tools.Outcome, error)
	// Explain says what running a plan would do: nothing runs.
	Explain(ctx context.Context, c access.Caller, p plan.Plan, tables []plan.TableInfo) (plan.Explanation, error)
	// Early takes steps of a plan that is still being written.
	Early(ctx context.Context, req tools.RunRequest) *tools.Early
}

// Catalogue lists what a caller may plan with. *tools.Registry satisfies it.
type Catalogue interface {
	// Planning returns the tools that planners may use for this caller, in stable order.
	Planning(c access.Caller) []plan.Tool
	// Down names the configured servers that are not there now, with the reason, so that answers can say so.
	Down() map[string]string
	// DownFor is Down with reasons only where the caller may know them.
	DownFor(c access.Caller) map[string]string
	// Quarantined names the tools that changed since they were approved and are not offered, in stable order.
	Quarantined() []string
}

// Sessions keeps chat sessions and their turns. *sqlite.Store satisfies it. Data are JSON of this package's making.
// Errors for a session that is not there, or is another's, wrap fs.ErrNotExist.
type Sessions interface {
	CreateSession(ctx context.Context, owner, id, title string, at time.Time) error
	// AppendTurn adds a turn at the end, which is durable before the end of its run.
	AppendTurn(ctx context.Context, owner, session, run string, data []byte, at time.Time) error
	// ReplaceTurn writes a turn in place of the one that the same run left, or appends it where there is none.
	ReplaceTurn(ctx context.Context, owner, session, run string, data []byte, at time.Time) error
	// Turns returns the last n turns, oldest first.
	Turns(ctx context.Context, owner, session string, n int) ([][]byte, error)
	SetTitle(ctx context.Context, owner, session, title string) error
	DeleteSession(ctx context.Context, owner, session string) error
	// ListSessions returns the owner's sessions, the last updated first: id, title, created, updated, turns; with a
	// time those that come after the session of that time and id.
	ListSessions(ctx context.Context, owner string, before time.Time, beforeID string,
		limit int) ([]map[string]any, error)
	// Session returns one session as ListSessions has it.
	Session(ctx context.Context, owner, id string) (map[string]any, error)
}
