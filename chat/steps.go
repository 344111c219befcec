package chat

import (
	"context"
	"fmt"
	"time"
	"unicode/utf8"

	"catena/planner/plan"
	"catena/tools"
)

// Bounds of what events and step lists show of arguments.
const (
	argItems    = 20
	argText     = 500 // bytes
	argDepth    = 6
	progressGap = 100 * time.Millisecond // between two progress events of one step
)

// run runs the plan and tells each change of each step. done are steps that ran already.
func (t *turn) run(ctx context.Context, p plan.Plan, done []tools.StepResult) (tools.Outcome, error) {
	told := map[string]time.Time{} // the last progress of each step
	req := t.runRequest()
	req.Plan, req.Done, req.Early = p, done, t.early
	req.Resume, req.Decisions = t.From != nil, t.kept.Decisions
	t.early = nil // of the first plan only
	return t.opts.Executor.Run(ctx, req, func(ev tools.StepEvent) {
		if t.opts.Hooks.Step != nil {
			t.opts.Hooks.Step(ev)
		}
		if t.Emit == nil {
			return
		}
		if ev.Progress != nil {
			if now := t.opts.Now(); now.Sub(told[ev.Step]) >= progressGap {
				told[ev.Step] = now
				t.send(Payload{Type: Custom, Name: "catena.progress", Value: map[string]any{
					"stepId": ev.Step, "done": ev.Progress.Done, "total": ev.Progress.Total,
					"message": plainLine(ev.Progress.Message),
				}})
			}
			return
		}
		t.sendToolStep(ev)
	})
}

// runRequest is what every call of the turn has in common.
func (t *turn) runRequest() tools.RunRequest {
	return tools.RunRequest{Caller: t.caller, Session: t.req.SessionID, Run: t.req.RunID, Now: t.ask.Now,
		Locale: t.req.Locale, Approve: t.req.Approve == "auto",
		Message: t.req.Message, ByRules: t.resp.PlannedBy == byRules, Unanswered: &t.unanswered}
}

// sendToolStep tells a change of a step in AG-UI's words: the step around the tool call around its result.
func (t *turn) sendToolStep(ev tools.StepEvent) {
	meta := StepMetadata{
		StepID: ev.Step, Kind: "tool", Tool: ev.Tool, Attempt: ev.Attempt, DurMS: millis(ev.Duration),
		Status: string(ev.Status),
		Error:  Plain(shorten(ev.Error, maxReason)),
		Reused: ev.Reused,
	}
	if ev.Status == tools.StepStarted {
		t.stepBegins(ev.Step)
		t.sendStep(StepStarted, meta)
		call := t.callID(ev.Step)
		t.send(Payload{Type: ToolCallStart, ToolCallID: call, ToolCallName: ev.Tool, ParentMessageID: t.messageID()})
		args, err := Encode(capped(ev.Args, 0))
		if err != nil {
			args = []byte("{}") // an argument that is no JSON cannot have been sent to a tool either
		}
		t.send(Payload{Type: ToolCallArgs, ToolCallID: call, Delta: tools.SeenJSON(string(args))})
		t.send(Payload{Type: ToolCallEnd, ToolCallID: call})
		return
	}
	if !t.begun[ev.Step] {
		// it was never called; AG-UI's clients take the end of a step for an error where it has no beginning
		t.sendStep(StepStarted, StepMetadata{StepID: ev.Step, Kind: "tool", Tool: ev.Tool,
			Status: string(tools.StepStarted)})
	}
	delete(t.begun, ev.Step)
	if r := ev.Result; r != nil && r.Table != nil {
		rows := ev.Rows
		meta.Rows = &rows
		if r.Handle != "" {
			meta.Link = tablePath(r.Handle)
		}
	}
	if ev.Attempt > 0 && !ev.Reused { // it was called
		t.send(Payload{
			Type: ToolCallResult, ToolCallID: t.callID(ev.Step), MessageID: t.callID(ev.Step) + "-result", Role: "tool",
			Content: callResult(ev), Metadata: &Metadata{Catena: meta},
		})
	}
	t.sendStep(StepFinished, meta)
}

// stepBegins notes that the beginning of a step was told.
func (t *turn) stepBegins(step string) {
	if t.begun == nil {
		t.begun = map[string]bool{}
	}
	t.begun[step] = true
}

func (t *turn) callID(step string) string { return t.req.RunID + "-" + step }

// messageID names the answer. One whose text a former process began is another message.
func (t *turn) messageID() string {
	id := t.req.RunID + "-answer"
	if t.Resumed != nil && t.Resumed.Texts > 0 {
		id += fmt.Sprintf("-%d", t.Resumed.Texts+1)
	}
	return id
}

// send emits one event.
func (t *turn) send(p Payload) {
	if t.Emit == nil {
		return
	}
	p.Timestamp = t.opts.Now().UnixMilli()
	t.Emit(p)
}

func (t *turn) sendStep(eventType string, meta StepMetadata) {
	if t.Emit == nil {
		return
	}
	t.send(Payload{Type: eventType, StepName: meta.StepID, Metadata: &Metadata{Catena: meta}})
}

// sendText tells the whole answer at once: it is whole before any of it is told, and readers take ten events of text a
// second at most.
func (t *turn) sendText() {
	said := t.logged().Response
	if t.Emit == nil || said == "" {
		return
	}
	t.send(Payload{Type: TextMessageStart, MessageID: t.messageID(), Role: "assistant"})
	t.send(Payload{Type: TextMessageContent, MessageID: t.messageID(), Delta: said})
	t.send(Payload{Type: TextMessageEnd, MessageID: t.messageID()})
}

// sendEnd emits the terminal event.
func (t *turn) sendEnd() {
	resp := t.logged()
	if data, err := Encode(resp); err == nil { // else the log of events says so
		resp.encoded = data
	}
	if t.short == nil {
		t.resp.encoded = resp.encoded
	} else {
		t.resp.logged = &resp
	}
	if t.Emit == nil {
		return
	}
	if resp.Outcome == OutcomeError {
		t.send(Payload{Type: RunError, RunID: t.req.RunID, Code: resp.Error.Code, Message: resp.Error.Detail,
			Result: &resp})
		return
	}
	end := &RunOutcome{Type: "success"}
	if resp.Outcome == OutcomeApproval {
		end.Type = "interrupt"
		for _, p := range resp.Pending {
			reason := "approval"
			if p.Reason == tools.CodeOutcomeUnknown {
				reason = p.Reason
			}
			end.Interrupts = append(end.Interrupts, Interrupt{
				ID: p.InterruptID(), Reason: reason, Message: p.Asked(),
				ToolCallID: t.callID(p.Step), Metadata: p,
			})
		}
	}
	t.send(Payload{Type: RunFinished, ThreadID: t.req.SessionID, RunID: t.req.RunID, Outcome: end, Result: &resp})
}

// capped copies a JSON value with long lists and texts cut, so that an event stays small.
func capped(v any, depth int) any {
	if depth > argDepth {
		return "…"
	}
	switch x := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(x))
		for k, e := range x {
			out[k] = capped(e, depth+1)
		}
		return out
	case []any:
		n := min(len(x), argItems)
		out := make([]any, n, n+1)
		for i := range n {
			out[i] = capped(x[i], depth+1)
		}
		if n < len(x) {
			out = append(out, fmt.Sprintf("… and %d more", len(x)-n))
		}
		return out
	case string:
		if len(x) > argText {
			cut := argText
			for !utf8.RuneStart(x[cut]) {
				cut--
			}
			return x[:cut] + "…"
		}
	}
	return v
}

// cappedArgs is capped for an argument object, nil for none.
func cappedArgs(args map[string]any) map[string]any {
	if len(args) == 0 {
		return nil
	}
	out, _ := capped(args, 0).(map[string]any)
	return out
}
