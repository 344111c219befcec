package chat

import "encoding/json"

// Event is one entry of a run's log, in AG-UI's vocabulary. Its JSON is at once what the log keeps
// and what a stream sends.
type Event struct {
	Seq  uint64          // 1, 2, 3 ... within the run, without gaps
	Data json.RawMessage // {"type": "RUN_STARTED", ...}
}

// Event types used on a run's log.
const (
	RunStarted         = "RUN_STARTED"
	RunFinished        = "RUN_FINISHED"
	RunError           = "RUN_ERROR"
	StepStarted        = "STEP_STARTED"
	StepFinished       = "STEP_FINISHED"
	ToolCallStart      = "TOOL_CALL_START"
	ToolCallArgs       = "TOOL_CALL_ARGS"
	ToolCallEnd        = "TOOL_CALL_END"
	ToolCallResult     = "TOOL_CALL_RESULT"
	TextMessageStart   = "TEXT_MESSAGE_START"
	TextMessageContent = "TEXT_MESSAGE_CONTENT"
	TextMessageEnd     = "TEXT_MESSAGE_END"
	ActivitySnapshot   = "ACTIVITY_SNAPSHOT"
	MessagesSnapshot   = "MESSAGES_SNAPSHOT" // only to clients that attach; on no log
	Custom             = "CUSTOM"
)

// Activity types of an ActivitySnapshot.
const (
	ActivityPlan  = "PLAN"
	ActivityTable = "TABLE"
	ActivityChart = "CHART"
)

// Payload is the JSON of an Event before it has a number. Which fields are set depends on Type; empty ones are left
// out.
type Payload struct {
	Type            string `json:"type"`
	Timestamp       int64  `json:"timestamp,omitempty"` // milliseconds since 1970
	ThreadID        string `json:"threadId,omitempty"`  // the session, on RUN_STARTED and RUN_FINISHED
	RunID           string `json:"runId,omitempty"`
	StepName        string `json:"stepName,omitempty"`
	MessageID       string `json:"messageId,omitempty"`
	ParentMessageID string `json:"parentMessageId,omitempty"`
	Role            string `json:"role,omitempty"`
	Delta           string `json:"delta,omitempty"`
	ToolCallID      string `json:"toolCallId,omitempty"`
	ToolCallName    string `json:"toolCallName,omitempty"`
	ActivityType    string `json:"activityType,omitempty"`
	Content         any    `json:"content,omitempty"`
	Name            string `json:"name,omitempty"` // of a CUSTOM event
	Value           any    `json:"value,omitempty"`
	Outcome         any    `json:"outcome,omitempty"` // *RunOutcome, on RUN_FINISHED
	// the Response, on RUN_FINISHED, and on RUN_ERROR where there is one
	Result   any       `json:"result,omitempty"`
	Code     string    `json:"code,omitempty"`    // on RUN_ERROR
	Message  string    `json:"message,omitempty"` // on RUN_ERROR
	Metadata *Metadata `json:"metadata,omitempty"`
}

// Metadata carries what AG-UI has no field for.
type Metadata struct {
	Catena StepMetadata `json:"catena"`
}

// StepMetadata describes a step on STEP_STARTED, STEP_FINISHED and TOOL_CALL_RESULT.
type StepMetadata struct {
	StepID       string  `json:"stepId"`
	ParentStepID string  `json:"parentStepId,omitempty"`
	Kind         string  `json:"kind"` // load, plan, llm, tool, format
	Tool         string  `json:"tool,omitempty"`
	Attempt      int     `json:"attempt,omitempty"`
	DurMS        float64 `json:"durMs,omitempty"`
	Status       string  `json:"status"`
	Rows         *int    `json:"rows,omitempty"`
	Error        string  `json:"error,omitempty"`
	Link         string  `json:"link,omitempty"`   // where the step's table is, below the server's root
	Reused       bool    `json:"reused,omitempty"` // it was called before its run was gone on with, and not again
	Detail       string  `json:"detail,omitempty"` // of a plan: who planned, of how many steps
}

// RunOutcome says how a run that did not fail ended.
type RunOutcome struct {
	Type       string      `json:"type"` // success or interrupt
	Interrupts []Interrupt `json:"interrupts,omitempty"`
}

// Interrupt is one thing that a person must decide before the run's work can be finished.
type Interrupt struct {
	ID         string  `json:"id"` // Pending.InterruptID
	Reason     string  `json:"reason"`
	Message    string  `json:"message"`
	ToolCallID string  `json:"toolCallId"`
	Metadata   Pending `json:"metadata"`
}

// Terminal reports whether an event of this type ends its run's log.
func Terminal(eventType string) bool { return eventType == RunFinished || eventType == RunError }
