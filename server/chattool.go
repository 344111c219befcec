package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/chat"
	"catena/tools"
)

// chatTimeout is how long the chat tool may take: a chain of tools takes longer than one.
const chatTimeout = 10 * time.Minute

const chatSchema = `{"type":"object","properties":{
"message":{"type":"string","minLength":1,"maxLength":65536,"description":"A question or a request in plain words, for example: Show me the top 5 USA clients and analyze their revenue trends"},
"session_id":{"type":"string","description":"The session_id of an earlier answer, to go on with it (\"and for Germany?\")"}},
"required":["message"],"additionalProperties":false}`

// ChatTool is the tool chat: a whole turn as one call, for MCP clients. It is never listed to a planner. Its result is the
// answer as text and the ChatResponse as structured content. The end of the call's context cancels the turn.
func ChatTool(runs Runs) tools.Tool {
	yes, no := true, false
	return tools.Tool{
		Def: mcp.Tool{
			Name: "chat", Title: "Chat with Catena",
			Description:    "Answers a plain question by planning and running a chain of tools over the tables that Catena knows. Gives the finished answer with tables; pass session_id to ask a follow-up.",
			RawInputSchema: json.RawMessage(chatSchema),
			Annotations:    mcp.ToolAnnotation{Title: "Chat with Catena", ReadOnlyHint: &no, DestructiveHint: &no, IdempotentHint: &no, OpenWorldHint: &yes},
		},
		Toolset: "core", Timeout: chatTimeout, ServedOnly: true,
		Handler: func(ctx context.Context, call tools.Call) (tools.Result, error) { return runChat(ctx, runs, call) },
	}
}

func runChat(ctx context.Context, runs Runs, call tools.Call) (tools.Result, error) {
	if call.State != "" {
		return goOnChat(ctx, runs, call)
	}
	message, _ := call.Args["message"].(string) // both were validated against the schema
	session, _ := call.Args["session_id"].(string)
	run, err := runs.Start(ctx, call.Caller, chat.Request{Message: message, SessionID: session, Locale: call.Locale})
	if err != nil {
		return refused(err)
	}
	return awaitChat(ctx, runs, call, run, 0)
}

// awaitChat waits for the end of a run whose events up to a number are known.
func awaitChat(ctx context.Context, runs Runs, call tools.Call, run string, after uint64) (tools.Result, error) {
	if call.Progress != nil {
		followed := make(chan struct{})
		follow, stop := context.WithCancel(ctx)
		go func() {
			defer close(followed)
			_ = runs.Follow(follow, call.Caller, run, after, stepProgress(float64(after), call.Progress)) // what matters comes from Wait
		}()
		defer func() { stop(); <-followed }()
	}
	resp, err := runs.Wait(ctx, call.Caller, run)
	if ctx.Err() != nil {
		late, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		return tools.Result{}, errors.Join(ctx.Err(), runs.Cancel(late, call.Caller, run))
	}
	if err != nil {
		return tools.Result{}, fmt.Errorf("run %s: %w", run, err)
	}
	if len(resp.Pending) > 0 && call.Client != nil && call.Client.Elicitation != nil {
		return askApproval(run, resp.Pending[0])
	}
	return chatResult(resp), nil
}

func chatResult(resp chat.Response) tools.Result {
	res := tools.Result{Text: resp.Response, Structured: resp}
	if resp.Outcome == chat.OutcomeError {
		res.IsError, res.Code = true, "failed"
		if resp.Error != nil {
			res.Code = resp.Error.Code
		}
	}
	return res
}

// refused makes a result of a message that was not accepted, when the asker can mend it.
func refused(err error) (tools.Result, error) {
	var p interface{ Problem() *chat.Problem }
	if !errors.As(err, &p) {
		return tools.FailedBy(err)
	}
	text := p.Problem().Detail
	if hint := p.Problem().Hint; hint != "" {
		text += " " + hint
	}
	return tools.Failed(p.Problem().Code, text), nil
}

// stepProgress reports each step that starts or ends, with numbers above n.
func stepProgress(n float64, report func(tools.Progress)) func(chat.Event) error {
	return func(e chat.Event) error {
		var head struct {
			Type     string        `json:"type"`
			Step     string        `json:"stepName"`
			Metadata chat.Metadata `json:"metadata"`
		}
		if err := json.Unmarshal(e.Data, &head); err != nil {
			return fmt.Errorf("server: event %d cannot be read: %w", e.Seq, err)
		}
		what := orElse(head.Metadata.Catena.Tool, head.Step)
		switch head.Type {
		case chat.StepStarted:
			n++
			report(tools.Progress{Done: n, Message: what + " started"})
		case chat.StepFinished:
			n++
			report(tools.Progress{Done: n, Message: what + " finished"})
		}
		return nil
	}
}
