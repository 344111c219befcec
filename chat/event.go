package chat

import "encoding/json"

// Event is one entry of a run's log, in AG-UI's vocabulary (contracts.md section 5). Its JSON is at once what the log keeps
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
	Custom             = "CUSTOM"
)
