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
	// Describe returns the facts that a planner may see: configured sources, and what this session uploaded. What it was shown comes with the history.
	Describe(ctx context.Context, c access.Caller, session string) ([]plan.TableInfo, error)
	// Values returns the finder over the same tables.
	Values(ctx context.Context, c access.Caller, session string) plan.Values
	// Attach loads a file sent with a message as tables of the session. The locale decides what the file leaves open: whether 1.000 is a thousand.
	// A name that other content has is a *tools.NameTakenError unless the upload says what to do.
	Attach(ctx context.Context, c access.Caller, u tools.Upload) (tools.Uploaded, error)
	// LoadNotes says what loading a table, by name or handle, repaired or left out, a sentence each, few; nil where that is nothing.
	LoadNotes(ctx context.Context, c access.Caller, session, name string) []string
}

// Writer writes prose: one model call without tools. Nil when no model is configured.
type Writer interface {
	// Write answers prompt's question over facts. It must not be given anything that could act: its output is text only.
	Write(ctx context.Context, system, prompt string) (text string, usage plan.Usage, err error)
}

// Meter counts what a turn uses of the model, whoever asks it: the planner, a tool, the summary. *planner.Budget satisfies it.
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

// Sessions keeps chat sessions and their turns. *store.SQLite satisfies it. Data are JSON of this package's making. Errors
// for a session that is not there, or is another's, wrap fs.ErrNotExist.
type Sessions interface {
	CreateSession(ctx context.Context, owner, id, title string, at time.Time) error
	// AppendTurn adds a turn at the end and makes it durable before it returns.
	AppendTurn(ctx context.Context, owner, session, run string, data []byte, at time.Time) error
	// ReplaceTurn writes a turn in place of the one that the same run left, or appends it where there is none.
	ReplaceTurn(ctx context.Context, owner, session, run string, data []byte, at time.Time) error
	// Turns returns the last n turns, oldest first.
	Turns(ctx context.Context, owner, session string, n int) ([][]byte, error)
	SetTitle(ctx context.Context, owner, session, title string) error
	DeleteSession(ctx context.Context, owner, session string) error
	// ListSessions returns the owner's sessions, the last updated first: id, title, created, updated, turns; with a time those that come
	// after the session of that time and id.
	ListSessions(ctx context.Context, owner string, before time.Time, beforeID string, limit int) ([]map[string]any, error)
	// Session returns one session as ListSessions has it.
	Session(ctx context.Context, owner, id string) (map[string]any, error)
}

// RunLog keeps runs and their events. *store.SQLite satisfies it. Errors for a run that is not there, or is another's, wrap
// fs.ErrNotExist.
type RunLog interface {
	// StartRun makes an accepted message durable, with the state that the run begins in, as SaveState has it, in one commit; nil is none.
	StartRun(ctx context.Context, owner, run, session string, request, state []byte, at time.Time) error
	// StartKeyedRun is StartRun for a run whose id an IdempotencyKey decides. An id that is taken, or was until its session was deleted, gives fs.ErrExist.
	StartKeyedRun(ctx context.Context, owner, run, session, digest string, request, state []byte, at time.Time) error
	// GoneRun returns the digest of such a run, for a day after it was deleted with its session.
	GoneRun(ctx context.Context, run string) (digest string, err error)
	// AppendEvents appends events with the sequence numbers first, first+1 ...; a gap or an overlap is an error. Once another process has
	// taken the run over the error has a method Lost() bool that gives true.
	AppendEvents(ctx context.Context, run string, first uint64, events [][]byte) error
	// Events returns the events after a sequence number, in order, at most limit.
	Events(ctx context.Context, owner, run string, after uint64, limit int) (seqs []uint64, events [][]byte, err error)
	// FinishRun records the end: status is an Outcome* and response the Response's JSON.
	FinishRun(ctx context.Context, run, status string, response []byte, at time.Time) error
	// Run returns what is known of a run: status "running" until it finished.
	Run(ctx context.Context, owner, run string) (session, status string, request, response []byte, err error)
	// RunningIn lists the runs of a session of the owner's that have not ended, oldest first, at most limit.
	RunningIn(ctx context.Context, owner, session string, limit int) (runs []string, err error)
	// Accepted returns what StartRun was given, whoever owns the run.
	Accepted(ctx context.Context, run string) (owner, session string, request []byte, err error)
	// CancelRun asks whoever runs an open run of the owner's to cancel it, be it another process; a finished run stays as it is.
	CancelRun(ctx context.Context, owner, run string) error
	// CancelledRuns returns those of the runs that CancelRun was called for.
	CancelledRuns(ctx context.Context, runs []string) ([]string, error)
	// SaveState keeps where a run stands: on disk before whatever is written after it and awaited.
	SaveState(ctx context.Context, run string, state []byte) error
	// State returns what SaveState kept, nil for nothing.
	State(ctx context.Context, run string) ([]byte, error)
	// ReopenRun makes a run that ended with a status and a last event "running" again. It fails with fs.ErrExist where it stands otherwise.
	ReopenRun(ctx context.Context, owner, run, status string, last uint64) error
	// Calls gives what the journal has of a run's calls.
	Calls(ctx context.Context, run string, each func(step, tool, argsHash, status string, attempts int, result []byte) error) error
	// OpenRuns takes over runs that never finished and whose process is gone, at most limit.
	OpenRuns(ctx context.Context, limit int) (runs []string, err error)
	// ReleaseLease gives a run that this process took over to whoever comes first, and forgets one that was taken from it.
	ReleaseLease(ctx context.Context, run string) error
	// LastEvent returns the end of a run's log whoever owns it: 0 and nil for an empty one.
	LastEvent(ctx context.Context, run string) (seq uint64, data []byte, err error)
	// Unfinished lists the tools of a run that were called, may have changed something, and never reported back.
	Unfinished(ctx context.Context, run string) (tools []string, err error)
	// PutRecord keeps a small thing that lasts, in place of an earlier one with its kind and id, durably.
	PutRecord(ctx context.Context, kind, id string, data []byte) error
	// DeleteRecord removes a record, durably; one that is not there gives fs.ErrNotExist.
	DeleteRecord(ctx context.Context, kind, id string) error
	// Records gives the records of a kind, by id. An error of each ends it and is returned.
	Records(ctx context.Context, kind string, each func(id string, data []byte) error) error
}
