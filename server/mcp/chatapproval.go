package mcp

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/chat"
	"catena/chat/runs"
	"catena/tools"
)

// approvalID is the id of the question about a step that waits.
const approvalID = "approval"

// waitingStep is the state of a chat call that asked: which step of which run was shown, with which arguments.
type waitingStep struct {
	Run  string       `json:"run"`
	Step chat.Pending `json:"step"`
}

// askApproval asks the client's person about a step of a plan that waits. The step is not approved by the message: its
// author agreed to a question, not to what a plan made of it.
func askApproval(run string, p chat.Pending) (tools.Result, error) {
	state, err := json.Marshal(waitingStep{run, p})
	if err != nil {
		return tools.Result{}, fmt.Errorf("run %s: %w", run, err)
	}
	choices, meaning := []string{string(tools.ChooseRun), string(tools.ChooseSkip)}, "run it, or skip it"
	if p.Reason == tools.CodeOutcomeUnknown {
		choices, meaning = append(choices, string(tools.ChooseDone)), "run it, skip it, or done: it took effect before"
	}
	question := mcp.NewElicitationInputRequest(mcp.ElicitationParams{
		Message: "A step of the plan waits. " + p.Asked(),
		RequestedSchema: map[string]any{"type": "object", "required": []string{"decision"},
			"properties": map[string]any{
				"decision": map[string]any{"type": "string", "title": "Decision", "description": meaning,
					"enum": choices}}},
	})
	return tools.Result{Needs: &tools.Needs{Requests: mcp.InputRequests{approvalID: question},
		State: string(state)}}, nil
}

// goOnChat takes what the person decided, and has the run go on. Who declines skips the step; who answers nothing
// leaves it waiting.
func goOnChat(ctx context.Context, going Runs, call tools.Call) (tools.Result, error) {
	var was waitingStep
	if err := json.Unmarshal([]byte(call.State), &was); err != nil {
		return tools.Result{}, fmt.Errorf("the state of a chat: %w", err)
	}
	answer := tools.Elicited(call.Answers, approvalID)
	if answer == nil {
		return askApproval(was.Run, was.Step)
	}
	decision := string(tools.ChooseSkip)
	switch answer.Action {
	case mcp.ElicitationResponseActionCancel:
		resp, err := going.Wait(ctx, call.Caller, was.Run)
		return linkedResult(call, resp), err
	case mcp.ElicitationResponseActionAccept:
		fields, _ := answer.Content.(map[string]any)
		var ok bool
		if decision, ok = fields["decision"].(string); !ok {
			return askApproval(was.Run, was.Step)
		}
	}
	after, err := going.Approve(ctx, call.Caller, was.Run,
		runs.Approval{Step: was.Step.Step, ArgsHash: was.Step.ArgsHash, Decision: decision})
	if err != nil {
		return refused(err)
	}
	return awaitChat(ctx, going, call, was.Run, after)
}
