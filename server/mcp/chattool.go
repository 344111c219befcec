package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/chat"
	"catena/chat/runs"
	"catena/internal/access"
	"catena/server"
	"catena/tools"
)

// chatTimeout is how long the chat tool may take: a chain of tools takes longer than one.
const chatTimeout = 10 * time.Minute

const chatSchema = `{"type":"object","properties":{
"message":{"type":"string","minLength":1,"maxLength":65536,"description":"A question or a request in plain words, for example: Show me the top 5 USA clients and analyze their revenue trends"},
"session_id":{"type":"string","maxLength":256,"description":"The session_id of an earlier answer, to go on with it (\"and for Germany?\"); or a name of your own, which begins a session the first time"},
"approve":{"type":"string","enum":["ask","auto"],"default":"ask","description":"ask: steps that change or delete things wait, and the person is asked where the client can ask; auto: they run, for a person who has agreed to them."}},
"required":["message"],"additionalProperties":false}`

// ChatToolName is the name of ChatTool.
const ChatToolName = "chat"

// ChatTool is the tool chat: a whole turn as one call, for MCP clients. It is never listed to a planner. Its result is
// the answer as text and the ChatResponse as structured content. The end of the call's context cancels the turn.
func ChatTool(runs Runs) tools.Tool {
	yes, no := true, false
	return tools.Tool{
		Def: mcp.Tool{
			Name: ChatToolName, Title: "Chat with Catena",
			Description: "Answers a plain question by planning and running a chain of tools over the tables that " +
				"Catena knows. Gives the finished answer with tables; pass session_id to ask a follow-up.",
			RawInputSchema: json.RawMessage(chatSchema), RawOutputSchema: json.RawMessage(chatOutput),
			Annotations: mcp.ToolAnnotation{Title: "Chat with Catena", ReadOnlyHint: &no, DestructiveHint: &yes,
				IdempotentHint: &no, OpenWorldHint: &yes},
		},
		Toolset: "core", Timeout: chatTimeout, ServedOnly: true, Asks: true,
		Handler: func(ctx context.Context, call tools.Call) (tools.Result, error) { return runChat(ctx, runs, call) },
	}
}

func runChat(ctx context.Context, runs Runs, call tools.Call) (tools.Result, error) {
	if call.State != "" {
		return goOnChat(ctx, runs, call)
	}
	message, _ := call.Args["message"].(string) // both were validated against the schema
	session, _ := call.Args["session_id"].(string)
	approve, _ := call.Args["approve"].(string)
	if approve == "auto" && !call.Approve {
		return tools.Failed(tools.CodeApproval,
			"What changes or deletes things runs only when it is approved; nothing was done."), nil
	}
	req := chat.Request{Message: message, SessionID: session, Locale: call.Locale, Approve: chat.Approve(approve)}
	var run string
	var after uint64
	var err error
	if call.Approve || call.Client != nil { // a reply of who may approve
		run, after, err = server.StartOrDecide(ctx, runs, call.Caller, req)
	} else {
		run, err = runs.Start(ctx, call.Caller, req)
	}
	if err != nil {
		return refused(err)
	}
	return awaitChat(ctx, runs, call, run, after)
}

// lastEvents is how long the events of a run that has ended are waited for, so that its client hears all of them before
// the answer.
const lastEvents = time.Second

// awaitChat waits for the end of a run whose events up to a number are known.
func awaitChat(ctx context.Context, runs Runs, call tools.Call, run string, after uint64) (tools.Result, error) {
	log := turnLog{run, call.Log}
	followed := follow(ctx, runs, call, run, after, log)
	resp, err := runs.Wait(ctx, call.Caller, run)
	followed(ctx.Err() == nil && err == nil)
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
	log.end(resp)
	res := linkedResult(call, resp)
	if len(resp.Pending) > 0 && call.Client != nil {
		res.Text += "\n\n" + unasked(resp.Pending[0])
		res.Content = linked(res.Text, resp)
	}
	return res, nil
}

// follow tells the client of a call of a run's events. The function that it returns ends that: at once, or after the
// last event.
func follow(ctx context.Context, runs Runs, call tools.Call, run string, after uint64, log turnLog) func(toLast bool) {
	if call.Progress == nil && call.Log == nil {
		return func(bool) {}
	}
	followed := make(chan struct{})
	ctx, stop := context.WithCancel(ctx)
	step := stepProgress(float64(after), call.Progress)
	go func() {
		defer close(followed)
		_ = runs.Follow(ctx, call.Caller, run, after, func(e chat.Event) error { // what matters comes from Wait
			read, err := readChatEvent(e)
			if err == nil {
				step(read)
				log.event(read)
			}
			return err
		})
	}()
	return func(toLast bool) {
		if toLast {
			late := time.NewTimer(lastEvents)
			defer late.Stop()
			select {
			case <-followed:
			case <-late.C:
			}
		}
		stop()
		<-followed
	}
}

// unasked says what a client can do that has nobody to ask.
func unasked(p chat.Pending) string {
	text := "This client cannot ask its person (it has no elicitation). "
	if p.Reason == tools.CodeApproval {
		return text +
			"Once the person has agreed, send the same message again with session_id and \"approve\": \"auto\", or " +
			"call " + p.Tool + " with these arguments."
	}
	return text + "Once the person has looked at it, call " + p.Tool + " with these arguments, or leave it."
}

// chatResult is the answer as the tool gives it. Its lists are never null, and the text says what it lacks, for clients
// that read nothing else.
func chatResult(resp chat.Response) tools.Result {
	resp.Pending, resp.ToolsExecuted, resp.Steps = orNone(resp.Pending), orNone(resp.ToolsExecuted), orNone(resp.Steps)
	resp.Tables, resp.Charts = orNone(resp.Tables), orNone(resp.Charts)
	res := tools.Result{Text: resp.Response, Structured: resp}
	if lacks := unsaid(resp); lacks != "" {
		res.Text = strings.TrimRight(res.Text, "\n") + "\n\n" + lacks
	}
	if resp.Outcome == chat.OutcomeError {
		res.IsError, res.Code = true, "failed"
		if resp.Error != nil {
			res.Code = resp.Error.Code
		}
	}
	return res
}

func orNone[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// unsaid is what the text of an answer does not say of servers that are down, "" for nothing.
func unsaid(resp chat.Response) string {
	var names []string
	for _, name := range resp.Completeness.Down {
		if !strings.Contains(resp.Response, "The server "+name+" is down") {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "Servers that are down, so that their tools could not be used: " + strings.Join(names, ", ") + "."
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
	return tools.Failed(p.Problem().Code, overMCP(text)), nil
}

// routes are those that a text may send its reader to, by what MCP has in their place.
var routes = strings.NewReplacer("GET /api/v1/tools lists the tools", "tools/list has the tools",
	"; GET /api/v1/sessions lists yours", "",
	"of GET /api/v1/sessions/{id}", "of an answer in the session", "GET /api/v1/runs/", "the resource run://")

// overMCP is a text for a client that has no routes.
func overMCP(text string) string { return routes.Replace(text) }

// stepProgress reports each step that starts or ends, with numbers above n. Without report nobody is told.
func stepProgress(n float64, report func(tools.Progress)) func(*chatEvent) {
	return func(e *chatEvent) {
		if report == nil || e.Type != chat.StepStarted && e.Type != chat.StepFinished {
			return
		}
		n++
		what := cmp.Or(e.Metadata.Catena.Tool, e.Step) + " finished"
		if e.Type == chat.StepStarted {
			what = cmp.Or(e.Metadata.Catena.Tool, e.Step) + " started"
		}
		report(tools.Progress{Done: n, Message: what})
	}
}

// Runs starts turns, lets readers follow them, and takes decisions. *runs.Runs satisfies it.
type Runs interface {
	server.Runs
	// Approve decides about a step that waits, and has the run go on: its events continue after the number that is
	// returned. Errors for a run that stands otherwise wrap fs.ErrExist.
	Approve(ctx context.Context, c access.Caller, run string, a runs.Approval) (after uint64, err error)
}
