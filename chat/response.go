package chat

import (
	"encoding/json"
	"time"

	"catena/chat/form"
	"catena/planner/plan"
	"catena/profiler"
	"catena/tools"
)

// Request is a message and how to answer it: the body of POST /api/v1/chat. Only Message is required, and not that with
// Attachments.
type Request struct {
	Message      string       `json:"message"`
	SessionID    string       `json:"session_id,omitempty"`
	Attachments  []Attachment `json:"attachments,omitempty"`
	Mode         string       `json:"mode,omitempty"`          // run (default) or plan: plan without running
	OutputFormat string       `json:"output_format,omitempty"` // markdown (default), json, bullets, csv
	MaxRows      Count        `json:"max_rows,omitempty"`      // rows a table shows at most; 0 is the default of 50
	Approve      Approve      `json:"approve,omitempty"`       // ask (default) or auto
	Summarize    string       `json:"summarize,omitempty"`     // auto (default) or off
	Now          *time.Time   `json:"now,omitempty"`
	TimeZone     string       `json:"time_zone,omitempty"`
	Locale       string       `json:"locale,omitempty"`
	// OnConflict says what becomes of an attachment whose name another table of the session has, with other content:
	// ask (default), replace or keep_both.
	OnConflict tools.OnConflict `json:"on_conflict,omitempty"`

	// AfterRun has the turn follow that of another run of the session than the newest, or AtStart none; EditRun has it
	// stand beside the turn of a run, as its message edited or asked again. Nothing is overwritten: the session has a
	// branch more. At most one is set.
	AfterRun string `json:"after_run,omitempty"`
	EditRun  string `json:"edit_run,omitempty"`

	// Plan is run as it is, in place of one that is planned: the steps that were shown, as a person changed them. It is
	// held against the tools that the caller may use, and waits for approval, as any other.
	Plan json.RawMessage `json:"plan,omitempty"`
	// ToolsOff are tools and toolsets that the turn does without.
	ToolsOff []string `json:"tools_off,omitempty"`

	// IdempotencyKey makes Runs.Start give the run that it started before for the same caller, key and request. "" is
	// none.
	IdempotencyKey string `json:"-"`

	// Asked is what a client said of where its message belongs, where a server found SessionID and AfterRun by it:
	// whether a request is the one that had its key before is told by this in their place. "" says that they are the
	// client's own.
	Asked string `json:"-"`

	// Client is what a server wants to know again of what its client sent (RunInfo.Client); nil is nothing. It is kept
	// as it is, and belongs to what a request under an IdempotencyKey is compared by.
	Client json.RawMessage `json:"-"`

	// Form is the JSON schema that a server's client wants the answer in; nil is none. An answer that does not fit it
	// by the names of its columns is mapped by a model, where there is one (Response.Mapping). The server fills the
	// schema.
	Form json.RawMessage `json:"-"`

	// ContextUnknown says that the client showed earlier messages, and that nobody knows the session that they stand
	// in: the answer says that it goes by the message alone.
	ContextUnknown bool `json:"-"`

	// Shown says that the client showed the answer that its message comes after as it now is: a reply means what waits
	// there, and is none that was sent before.
	Shown bool `json:"-"`

	// Files are the names of the files that came with the message, as its session shows them. Check fills it where
	// there are Attachments; a run that goes on without them keeps it.
	Files []string `json:"-"`

	// RunID is set by Runs; never by a client.
	RunID string `json:"-"`
}

// Attachment is a file sent with a message. Data is base64 in JSON.
type Attachment struct {
	Name      string   `json:"name"`
	MediaType string   `json:"media_type,omitempty"`
	Data      FileData `json:"data"`
	// Unnamed says that nobody chose the name, as that of a pasted table: it is never asked about.
	Unnamed bool `json:"-"`
	// Braces says that it stood in the message as JSON: if no table, then what a call is to be given.
	Braces bool `json:"-"`
}

// Outcomes of a turn.
const (
	OutcomeAnswer   = "answer"
	OutcomeClarify  = "clarify"
	OutcomeRefuse   = "refuse"
	OutcomeApproval = "approval"
	OutcomeError    = "error"
)

// Response is the whole answer to a message: the ChatResponse of /openapi.json.
type Response struct {
	Response string `json:"response"` // the whole answer in the asked format
	Outcome  string `json:"outcome"`
	Question string `json:"question,omitempty"`
	// replies to the question, where there are only so many: what a page has buttons for
	Choices []string `json:"choices,omitempty"`
	Reading string   `json:"reading,omitempty"` // how the message was read, in one sentence
	// other ways to read it; of a question back those to choose from
	Alternatives  []plan.Alternative `json:"alternatives,omitempty"`
	Pending       []Pending          `json:"pending"` // never null
	ToolsExecuted []string           `json:"tools_executed"`
	Intent        string             `json:"intent"`
	Title         string             `json:"title"`
	PromptType    string             `json:"prompt_type"` // general, table, tool, clarify
	Confidence    float64            `json:"confidence"`
	PlannedBy     string             `json:"planned_by"`
	SessionID     string             `json:"session_id"`
	RunID         string             `json:"run_id"`
	Steps         []StepInfo         `json:"steps"`
	Tables        []AnswerTable      `json:"tables"`
	Charts        []AnswerChart      `json:"charts"`
	Completeness  Completeness       `json:"completeness"`
	// what a reader must know: fallbacks, as-of dates, what was left out
	Notes            []string   `json:"notes,omitempty"`
	Plan             *plan.Plan `json:"plan,omitempty"`
	Error            *Problem   `json:"error,omitempty"` // with outcome error
	Usage            plan.Usage `json:"usage"`
	ProcessingTimeMS float64    `json:"processing_time_ms"`

	// Mapping says how the answer fills Request.Form, where a model mapped it; nil is by the names of its columns.
	Mapping form.Mapping `json:"mapping,omitempty"`
	// MappingFault says why a model that was asked mapped nothing; nil where none was asked, or it did.
	MappingFault *Problem `json:"mapping_fault,omitempty"`

	// Whole stands only in the short form of a large answer, which events and sessions have: it says where the whole
	// is. nil: this is all.
	Whole *Whole `json:"whole,omitempty"`

	encoded []byte    // its JSON, once nothing of it changes any more
	logged  *Response // its short form; nil where the log has it as it is
}

// Pending is a step that waits for a person: a destructive one that was not run because nobody approved it, or one that
// may have changed something and never said how it ended.
type Pending struct {
	Step string         `json:"step"`
	Tool string         `json:"tool"`
	Args map[string]any `json:"args"`
	// of what is shown: the arguments, what they would do, and how often it was called
	ArgsHash string        `json:"args_hash"`
	Reason   string        `json:"reason,omitempty"`  // approval_required, outcome_unknown or untrusted_value
	Attempt  int           `json:"attempt,omitempty"` // how often it was called
	Effect   *tools.Effect `json:"effect,omitempty"`  // what it would change or delete, in words
}

// StepInfo is one step of the answer's making.
type StepInfo struct {
	ID         string         `json:"id"`
	Tool       string         `json:"tool"`
	Status     string         `json:"status"`
	Attempt    int            `json:"attempt"`
	StartedAt  time.Time      `json:"started_at"`
	DurationMS float64        `json:"duration_ms"`
	Rows       *int           `json:"rows,omitempty"`
	Reused     bool           `json:"reused,omitempty"` // it was called before the run was gone on with, and not again
	Error      string         `json:"error,omitempty"`
	Args       map[string]any `json:"args,omitempty"`
}

// AnswerTable is a table that the answer shows: metadata, the first rows, the counts, links to the whole.
type AnswerTable struct {
	Handle    string                    `json:"handle"`
	Title     string                    `json:"title"`
	Columns   []profiler.ColumnMetadata `json:"columns"`
	Rows      json.RawMessage           `json:"rows"` // arrays in column order, raw values as on the wire
	RowCount  int                       `json:"row_count"`
	TotalRows int                       `json:"total_rows"`
	Truncated bool                      `json:"truncated"`
	Links     map[string]string         `json:"links"`    // csv, json, md: paths below the server's root
	Markdown  string                    `json:"markdown"` // the formatted table
}

// AnswerChart is a chart that the answer shows.
type AnswerChart struct {
	Title     string `json:"title"`
	SVG       string `json:"svg,omitempty"`
	PNG       []byte `json:"png,omitempty"` // an upstream's image, with MediaType
	MediaType string `json:"media_type,omitempty"`
	VegaLite  any    `json:"vega_lite,omitempty"`
	Table     string `json:"table,omitempty"`
	Alt       string `json:"alt"`
	// svg, png: paths below the server's root; the PNG is drawn when it is read
	Links map[string]string `json:"links,omitempty"`
}

// Completeness says whether anything is missing from the answer. Nothing that is missing is left unsaid.
type Completeness struct {
	State  string `json:"state"` // complete, partial, truncated, stale, not_indexed, unknown
	Detail string `json:"detail"`
	// Down are the configured servers that could not be asked, whether the answer lacks them (state partial, or
	// unknown) or not.
	Down []string `json:"down,omitempty"`
}

// RoutingResult is what POST /api/v1/plan answers: a plan, of which nothing has run.
type RoutingResult struct {
	Intent     string     `json:"intent"`
	Endpoints  []Endpoint `json:"endpoints"`
	Confidence float64    `json:"confidence"`
	PromptType string     `json:"prompt_type"`
	Plan       plan.Plan  `json:"plan"`
	// Explanation says what running the plan would do; null for a plan without steps.
	Explanation *plan.Explanation `json:"explanation,omitempty"`
	PlannedBy   string            `json:"planned_by"`
	Notes       []string          `json:"notes,omitempty"`
	Usage       plan.Usage        `json:"usage"`
}

// Endpoint is one step of a RoutingResult in the seeds' shape.
type Endpoint struct {
	Type   string         `json:"type"` // tool
	Name   string         `json:"name"`
	Params map[string]any `json:"params"`
}

// Problem is an error fit for the person who asked: a stable code, one sentence, what to do next.
type Problem struct {
	Code   string `json:"code"`
	Detail string `json:"detail"`
	Hint   string `json:"hint,omitempty"`
}
