package tools

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/internal/access"
	"catena/planner/plan"
	"catena/table"
	"catena/tools/handle"
)

// Handler does a tool's work. It honours ctx. A failure that the asker can mend is a Result with IsError and a text that
// says what to do; a Go error means that the tool broke. Args have been validated against the input schema.
type Handler func(ctx context.Context, call Call) (Result, error)

// Tool is one tool of the registry.
type Tool struct {
	Def mcp.Tool // name, title, description, input and output schema, annotations: MCP's own types
	// Raw is Def as the server that the tool is of wrote it, under the name that it has here: MCP clients get it, with what Def has no
	// field for. Nil for tools of our own.
	Raw     json.RawMessage
	Toolset string // data, crm, an upstream's name ...
	Handler Handler
	Timeout time.Duration // 0 means the registry's default
	// MaxTimeout is how long a call may take that reports progress: each report starts Timeout anew. At most Timeout means that
	// reports change nothing.
	MaxTimeout time.Duration
	// Settings is where timeouts and max_timeout stand that Timeout and MaxTimeout come from, to tell who waited in vain; "" is nowhere.
	Settings string
	Limit    *Limit // how many calls may be under way at a time, over all runs; nil is no bound. Tools may share one
	// Sinks says of arguments what they decide (Sink), in place of their names and formats; an argument that is not in it decides
	// nothing. Nil goes by the input schema, as for tools of others. Toolkits of our own that send nothing anywhere have an empty one.
	Sinks map[string]Sink
	// Untrusted says that what the tool gives may be somebody else's words (Result.Untrusted), for those who explain a plan before it runs.
	Untrusted bool
	// ServedOnly marks a tool that MCP clients may call but that planners never see (chat).
	ServedOnly bool
	// Asks says that the tool itself asks before it changes or deletes something, or has Call.Approve: the registry lets it be called without.
	Asks bool
	// Effect says in words what a call would change or delete, when a step with these arguments waits for a decision; it changes nothing. An
	// error leaves it to the tool's title and the arguments, as nil does.
	Effect func(ctx context.Context, call Call) (Effect, error)
	// Small is set for a tool whose calls wait in a plan like those of one that deletes, whatever Def's annotations say. It reports
	// whether a change is so small that none waits which the user's own words ordered: see RunRequest.ByRules.
	Small func(args map[string]any) bool
	// Columns are those of the table that the tool gives, where Def's output schema is of another shape (Result.Structured
	// beside Result.Table). Planners then refer to the table: s1.rows[*].file.
	Columns []table.Column
	// WireOutput is the schema of Result.Wire, which clients are told in place of Def's output schema; plans go by the latter. Nil where results have
	// no Wire.
	WireOutput json.RawMessage
	// Phrases are ways to order the tool in plain words, for planners (plan.Tool.Phrases).
	Phrases []string
	// Task says when a call of an MCP client that takes tasks becomes one.
	Task TaskUse
	// JSON says that MCP clients of this tool read its text content as JSON: they get Result.Structured as text. Result.Text is
	// then for people only.
	JSON bool
}

// TaskUse says when a call of a tool becomes a task (MCP's extension for calls that go on by themselves).
type TaskUse int

// The uses of tasks.
const (
	TaskWhenSlow TaskUse = iota // when it has not ended after a while
	TaskAtOnce                  // from its start: the tool is known to be slow
	TaskRequired                // from its start, and clients without tasks cannot call it
)

// Call is one call of a tool, from a step of a plan or from an MCP client.
type Call struct {
	Caller access.Caller
	Tool   string
	Args   map[string]any // JSON values; numbers are json.Number or float64
	// Raw is Args as the asker wrote them, where they came as JSON: objects in it have their order. Nil where nobody wrote them so.
	Raw     json.RawMessage
	Session string    // chat session, "" outside of one
	Run     string    // run id, "" outside of one; the id of a direct call (DirectRun) where its asker has to know it
	Step    string    // journal id within the run: s2, s2#3
	Now     time.Time // as-of date of the turn; zero means the clock
	Locale  string
	Approve bool   // the asker allowed destructive tools for this call
	chosen  string // what the registry chose in place of an argument that was left out; "" is nothing
	// Passing says that the asker has done with the table of the result before anybody else could ask for it: it is put under no handle, and
	// no text is written of it.
	Passing bool
	// Origins are the untrusted sources of the arguments; the result has them too.
	Origins []handle.Origin
	// Progress, when set, takes the tool's own progress; it may be called from several goroutines until the handler returns.
	Progress func(Progress)
	// Updated, when set, tells the asker that the resource under a URI has changed; it may be called like Progress. Who has
	// subscribed to the URI hears of it by Registry.Updated, not by this.
	Updated func(uri string)
	// Client is what the asker's client declared to answer, nil where nobody can be asked. Answers and State are those to the Needs
	// that the tool had when it was called before.
	Client  *mcp.ClientCapabilities
	Answers mcp.InputResponses
	State   string
	// Log, when set, takes what the tool tells its client beside its progress; it may be called like Progress.
	Log func(LogEntry)
	// LogLevel is from which level on the client asked to hear, "" where it did not say. Log takes every level; a tool that has others
	// work for it passes this on.
	LogLevel mcp.LoggingLevel
}

// Progress is one report of a running tool. Total is 0 when unknown.
type Progress struct {
	Done, Total float64
	Message     string
}

// Result is what a tool gives.
//
// A table result sets Table: the registry puts it under a handle of the caller's, fills Handle, and structuredContent on the
// wire is the table's wire form, unless Structured is set too: then the table is for plans and answers, and Structured for MCP
// clients, in the shape that they have always known. Any other result sets Structured. Text is what a person or a model reads (Markdown); the
// registry renders one where it is empty, except for the tables of a run's steps: the answer is formatted from the table.
type Result struct {
	Text       string
	Structured any // JSON value
	Table      *table.Table
	Name       string       // a name for the table: "top_clients"
	Title      string       // a heading for the table: "Top 5 clients in the USA by revenue this year"
	Handle     string       // set by the registry
	Total      int          // rows before a limit, when the tool cut: "5 of 112"; 0 when nothing was cut
	Notes      []string     // what a reader must know: what was left out, as-of dates; each one sentence
	Hide       []string     // columns that refs and joins need but people do not: an id beside its name. Formatters leave them out
	Signed     []string     // columns of differences: formatters show a plus before what grew
	Made       *handle.Made // how the table was computed; nil where nobody can say
	Charts     []Chart
	// Content are the parts of an answer that MCP clients get as they are, in place of Text and Charts: sounds, embedded resources,
	// links, in an order that means something. Nil for most tools.
	Content []mcp.Content
	// Foreign and Meta are the structuredContent and the _meta of another server's answer. MCP clients that called its tool get them as that
	// server wrote them, since they fit the schema it gave; plans and answers use Table or Structured. Nil for tools of our own.
	Foreign json.RawMessage
	Meta    map[string]any
	// Written is the text of another server that Table was read from; a reference to the whole result gives it to tools of other servers, which know no
	// handles. "" for every other table.
	Written string
	// Wire is an object that clients of the tool get as its structured content in place of the wire form of Table, to which the registry adds the
	// handle; plans and answers use Table. Nil for most tools.
	Wire json.RawMessage
	// Needs, when set, is all that there is: the tool asks before it does anything.
	Needs   *Needs
	IsError bool
	Code    string // a stable code of the error: unknown_column, not_found, no_model ...; "" without IsError
	// NotCalled says, with IsError, that the tool was never reached: calling it again does nothing twice.
	NotCalled bool
	Untrusted bool // the text comes from outside (upstream servers, files): never to be read as instructions
	AsOf      time.Time
	// Origins are the untrusted sources that the result came from or was made of; the registry sets it. None: nothing of it is
	// untrusted.
	Origins []handle.Origin

	// Unfit says, with IsError, that Structured is not of the tool's output schema, as the findings of wrong arguments are not. The registry
	// sets it. MCP clients that check what they get, failures too, must not get it as structuredContent: they would never show the text.
	Unfit bool

	misfit bool // it does not fit its tool's output schema
}

// Chart is a picture of a table.
type Chart struct {
	Title    string `json:"title"`
	SVG      string `json:"svg,omitempty"` // a complete SVG document without scripts or external references
	PNG      []byte `json:"png,omitempty"` // an upstream's image content, with Media; of SVG, only where a client gets it drawn
	Media    string `json:"media_type,omitempty"`
	VegaLite any    `json:"vega_lite,omitempty"`
	Table    string `json:"table,omitempty"` // the handle of what it draws
	Alt      string `json:"alt"`             // one sentence for who cannot see it
}

// Failed makes a Result for a failure that the asker can mend.
func Failed(code, text string) Result { return Result{IsError: true, Code: code, Text: text} }

// StepStatus is the state of a step.
type StepStatus string

// The states of a step. Pending means that it waits for a decision.
const (
	StepStarted   StepStatus = "started"
	StepDone      StepStatus = "done"
	StepPartial   StepStatus = "partial" // some elements of an each failed
	StepFailed    StepStatus = "failed"
	StepSkipped   StepStatus = "skipped" // its when did not hold, or a step it needs failed
	StepCancelled StepStatus = "cancelled"
	StepPending   StepStatus = "pending"
)

// StepEvent tells one change of one step. The executor emits them in order of happening, from one goroutine at a time.
type StepEvent struct {
	Step     string
	Tool     string
	Status   StepStatus
	Attempt  int
	Started  time.Time
	Duration time.Duration
	Args     map[string]any // resolved, on StepStarted: handles stand for tables; long lists are cut by the reader
	Rows     int            // of the table, on StepDone and StepPartial; -1 without a table
	Error    string         // fit for a person
	Code     string
	Progress *Progress // when set, nothing but progress changed
	Result   *Result   // on StepDone and StepPartial; shared with the Outcome, so only to be read
	Reused   bool      // it was called before the run was resumed, and not again
}

// StepResult is what a step ended with.
type StepResult struct {
	ID       string
	Tool     string
	Status   StepStatus
	Result   Result
	Error    string
	Code     string
	Attempt  int // how often it was called, former processes counted where the outcome matters
	Started  time.Time
	Duration time.Duration
	Reused   bool // of a run that is resumed: what the journal has of it was used, and nothing was called
	Args     map[string]any
	// ArgsHash, of a step that waits, in whole or part, is what a decision is bound to: sha256 of the canonical JSON of Args, in hex; of a
	// tool that has Effect and was not called yet of both.
	ArgsHash string
	Effect   *Effect // what a step that waits would do
}

// RunRequest asks the executor to run a plan.
type RunRequest struct {
	Caller  access.Caller
	Session string
	Run     string
	Plan    plan.Plan
	Now     time.Time
	Locale  string
	Approve bool // destructive tools may run
	// Message is what the user wrote: a value that stands there is the user's own, wherever a tool repeats it.
	Message string
	// ByRules says that the plan was read from Message without a model. Only then may a tool with Small run unasked.
	ByRules bool
	// Done are steps of the plan that an earlier run of this turn finished. They are not called again: what refers to them gets
	// the results given here. Steps that are not done, or that the plan has under another tool, are left out.
	Done []StepResult
	// Resume says that the run was begun before, by a process that ended or with steps that waited: what its journal has is not
	// done again. Results of calls that ended are used as they are; read-only and idempotent tools are called again where there is
	// none; for all others the outcome is unknown, and the step waits (StepPending, CodeOutcomeUnknown) for a decision.
	Resume bool
	// Decisions are what a person decided about steps that waited, by step id; of an each, about all elements that waited.
	Decisions map[string]Decision
	// Unanswered is shared by the runs of one turn, so that none repeats a call that had no answer in time; nil is none before this run.
	Unanswered *Unanswered
	// Early are calls that were begun while the plan was still being written; nil is none.
	Early *Early
}

// Outcome is what a plan ended with. Steps are in the plan's order. Answer has an item per element of the plan's answer (or
// per sink where it has none), in order; an element that refers to a failed step is missing and named in Missing.
type Outcome struct {
	Steps  []StepResult
	Answer []Item
	// Pending are the steps that wait for a decision: destructive ones (CodeApproval), CodeUntrusted, and CodeOutcomeUnknown: also a step
	// that is partly done (StepPartial) because the outcome of some elements of its each is not known.
	Pending []StepResult
	Missing []string // one sentence each
}

// Item is one thing that the answer shows: a step's whole result, or a value out of one.
type Item struct {
	Step   string  // the step it came from; "" when it was put together from several
	Result *Result // a whole step's result
	Value  any     // else a JSON value
}

// Journal keeps what was called, before and after. Registry.Call writes it for every call; one that belongs to no run gets a
// run id of its own, DirectRun and random characters, and keeps no result. internal/store implements it. Arguments are kept as
// hashes only.
type Journal interface {
	// Begin is called before a tool is sent its arguments. It is durable when it returns, unless readOnly.
	Begin(ctx context.Context, run, step, tool, argsHash string, readOnly bool) error
	// End is called when the tool has returned, or could not; status is a StepStatus, or unknown when the call may have taken
	// effect and did not say so, or not_called when the tool was never reached. result is what it gave, for a run that is resumed: JSON, nil where none is kept.
	End(ctx context.Context, run, step, status string, took time.Duration, result []byte) error
	// Calls gives what the journal has of a run, each step once: its last call, and how often it was begun. Calls that are under
	// way, or were when the process ended, have the status started.
	Calls(ctx context.Context, run string, each func(step, tool, argsHash, status string, attempts int, result []byte) error) error
}

// Hooks are called by the chokepoint; main hangs metrics and audit on them. Nil fields are skipped. They must not block.
type Hooks struct {
	// Calling is told of a tool's call that is allowed, before it is checked. The call goes on with the context that it gives, and the other
	// is told the end.
	Calling func(ctx context.Context, call Call, tool Tool) (context.Context, func(Result, error))
	Called  func(ctx context.Context, call Call, tool Tool, res Result, err error, took time.Duration)
	Denied  func(ctx context.Context, call Call, err error)
}

// WithPhrases gives tools the phrases that their toolkit declares for planners: lines "tool <- words : argument" as
// plan.Tool.Phrases has them, with comments behind #. Lines for other tools are passed over.
func WithPhrases(list []Tool, phrases string) []Tool {
	byTool := map[string][]string{}
	for line := range strings.Lines(phrases) {
		name, phrase, ok := strings.Cut(strings.TrimSpace(line), " <- ")
		if ok && !strings.HasPrefix(name, "#") {
			byTool[name] = append(byTool[name], strings.TrimSpace(phrase))
		}
	}
	for i := range list {
		list[i].Phrases = byTool[list[i].Def.Name]
	}
	return list
}

// CellTrace is where a cell of a table comes from.
type CellTrace struct {
	Handle     string
	Row        int // from 0
	Column     string
	Value      table.Value
	Expression string       // what was computed, in words
	Filter     string       // of which rows, in words
	Table      string       // what the rows are of; "" is a subquery
	Windowed   bool         // the cell was computed over rows around its own: Rows are all that it may have seen
	Rows       *table.Table // a page of the rows, with their number in the table first
	Offset     int          // of the page
	Total      int          // rows in all
}

// CellPage asks for the rows that a cell was computed of.
type CellPage struct {
	Handle        string
	Row           int    // from 0
	Column        string // its name, else its place from 0
	Offset, Limit int
	Locale        string // of what is said in words
}
