package mcp

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/chat"
	"catena/tools"
)

// chatLogger is the name under which a turn logs to the client of its call.
const chatLogger = "chat"

// turnLog tells the client of a call what happens on the way of its turn that the answer may not show: a plan that was
// mended, a step that is tried again or fails, an answer that lacks something. The zero value tells nobody.
type turnLog struct {
	run  string
	tell func(tools.LogEntry) // nil: nobody listens
}

func (l turnLog) say(level mcp.LoggingLevel, message string, more map[string]any) {
	if l.tell == nil {
		return
	}
	data := map[string]any{"message": message, "run_id": l.run}
	for key, value := range more {
		data[key] = value
	}
	l.tell(tools.LogEntry{Level: level, Logger: chatLogger, Data: data})
}

// event tells of an event of the run. What tools wrote is not repeated: their results have it.
func (l turnLog) event(e *chatEvent) {
	step := e.Metadata.Catena
	about := map[string]any{"step": step.StepID, "tool": step.Tool}
	switch {
	case e.Type == chat.ActivitySnapshot && e.Activity == chat.ActivityPlan:
		if n := len(e.Content.Repairs); n > 0 {
			l.say(mcp.LoggingLevelInfo, fmt.Sprintf("The plan was repaired in %d places before it ran.", n),
				map[string]any{"repairs": e.Content.Repairs})
		}
	case step.Kind != "tool":
	case e.Type == chat.StepStarted && step.Attempt > 1:
		l.say(mcp.LoggingLevelInfo, fmt.Sprintf("Step %s (%s) is tried again, attempt %d.", step.StepID, step.Tool,
			step.Attempt), about)
	case e.Type == chat.StepFinished &&
		(step.Status == string(tools.StepFailed) || step.Status == string(tools.StepPartial)):
		l.say(mcp.LoggingLevelWarning, fmt.Sprintf("Step %s (%s) ended as %s.", step.StepID, step.Tool,
			step.Status), about)
	}
}

// end tells what the answer lacks.
func (l turnLog) end(resp chat.Response) {
	c := resp.Completeness
	about := map[string]any{"state": c.State}
	switch {
	case c.State != "complete" && c.State != "" && c.State != "truncated":
		l.say(mcp.LoggingLevelWarning, cmp.Or(c.Detail, "Something may be missing from the answer."), about)
	case c.State == "truncated" || len(c.Down) > 0:
		l.say(mcp.LoggingLevelInfo, c.Detail, about)
	}
}

// chatEvent is what of an event the tool chat reads.
type chatEvent struct {
	Type     string        `json:"type"`
	Step     string        `json:"stepName"`
	Activity string        `json:"activityType"`
	Metadata chat.Metadata `json:"metadata"`
	Content  struct {
		Repairs []repairNote `json:"repairs"`
	} `json:"-"`
}

// repairNote is a repair of a plan without the values, which may be long.
type repairNote struct {
	Path string `json:"path"`
	Code string `json:"code"`
	Why  string `json:"why"`
}

// readChatEvent reads an event. Only a plan's content is looked at.
func readChatEvent(e chat.Event) (*chatEvent, error) {
	var out chatEvent
	if err := json.Unmarshal(e.Data, &out); err != nil {
		return nil, fmt.Errorf("server: event %d cannot be read: %w", e.Seq, err)
	}
	if out.Activity != chat.ActivityPlan {
		return &out, nil
	}
	content := struct {
		Content any `json:"content"`
	}{&out.Content}
	if err := json.Unmarshal(e.Data, &content); err != nil {
		return nil, fmt.Errorf("server: the plan in event %d cannot be read: %w", e.Seq, err)
	}
	return &out, nil
}
