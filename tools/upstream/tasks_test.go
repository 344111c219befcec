package upstream

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"catena/internal/access"
	"catena/tools"
)

// serveTasks is a server of mcp-go whose tools have to be called as tasks. The file BEGUN with its name is there when one was begun, ENDED when one was cancelled.
func serveTasks() {
	hooks := &mcpserver.TaskHooks{}
	hooks.AddOnTaskCancelled(func(context.Context, mcpserver.TaskMetrics) { _ = os.WriteFile(os.Getenv("ENDED"), nil, 0o600) })
	s := mcpserver.NewMCPServer("tasks", "1", mcpserver.WithTaskCapabilities(true, true, true), mcpserver.WithTaskHooks(hooks))
	hooks.AddOnTaskCreated(func(_ context.Context, m mcpserver.TaskMetrics) {
		_ = os.WriteFile(os.Getenv("BEGUN")+m.ToolName, nil, 0o600)
	})
	add := func(name string, takes time.Duration, res *mcp.CallToolResult) {
		s.AddTaskTool(mcp.NewTool(name, mcp.WithTaskSupport(mcp.TaskSupportRequired), mcp.WithReadOnlyHintAnnotation(true)),
			func(context.Context, mcp.CallToolRequest) (*mcp.CreateTaskResult, error) {
				time.Sleep(takes) // the context is the request's, which is over
				return &mcp.CreateTaskResult{Content: res.Content, StructuredContent: res.StructuredContent, IsError: res.IsError}, nil
			})
	}
	add("count", 150*time.Millisecond, mcp.NewToolResultText("42 pages"))
	add("fail", 0, mcp.NewToolResultError("no such book"))
	add("hang", time.Minute, mcp.NewToolResultText("never"))
	_ = mcpserver.ServeStdio(s)
}

// A tool that has to be called as a task is called like any other here, and cancelled with its call; what is handed on says nothing of tasks.
func TestRequiredTasks(t *testing.T) {
	begun, ended := filepath.Join(t.TempDir(), "begun"), filepath.Join(t.TempDir(), "ended")
	reg := tools.NewRegistry(tools.Options{})
	run(t, reg, Options{}, tiny("tasks", "BEGUN", begun, "ENDED", ended))
	if res := do(t, reg, "tiny__count", nil); res.Text != "42 pages" {
		t.Errorf("%+v", res)
	}
	if res := do(t, reg, "tiny__fail", nil); !res.IsError || !strings.Contains(res.Text, "no such book") {
		t.Errorf("%+v", res)
	}
	tool, _ := reg.Lookup("tiny__hang")
	if strings.Contains(string(tool.Raw), "taskSupport") || tool.Def.Execution != nil {
		t.Errorf("handed on: %s", tool.Raw)
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		defer cancel()
		waitForFile(ctx, begun+"hang")
	}()
	if _, err := reg.Call(ctx, tools.Call{Caller: access.Local("test"), Tool: "tiny__hang"}); err == nil {
		t.Error("a call that was cancelled gave a result")
	}
	waiting, stop := context.WithTimeout(t.Context(), 20*time.Second)
	defer stop()
	if !waitForFile(waiting, ended) {
		t.Error("the task goes on at the server")
	}
}

func waitForFile(ctx context.Context, path string) bool {
	for ctx.Err() == nil {
		if _, err := os.Stat(path); err == nil {
			return true
		}
		time.Sleep(10 * time.Millisecond)
	}
	return false
}

// A task that works is waited for beyond the timeout, and tells progress; its question comes while its result is fetched.
func TestTaskThatAsks(t *testing.T) {
	w := newWeb(t, false)
	var polls atomic.Int32
	answers := make(chan request, 1)
	w.handle = func(rw http.ResponseWriter, _ *http.Request, m request) bool {
		switch m.Method {
		case "":
			answers <- m
			rw.WriteHeader(http.StatusAccepted)
		case "initialize":
			reply(rw, m, `{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"tasks":{"cancel":{},"requests":{"tools":{"call":{}}}}},"serverInfo":{"name":"old","version":"1"}}`)
		case "tools/list":
			reply(rw, m, `{"tools":[{"name":"do","inputSchema":{"type":"object"},"execution":{"taskSupport":"required","x":1}},{"name":"plain","inputSchema":{"type":"object"},"execution":{"taskSupport":"optional"}},`+
				`{"name":"never","inputSchema":{"type":"object"},"execution":{"taskSupport":"forbidden"}}]}`)
		case "tools/call":
			if m.Params["task"] == nil {
				return false
			}
			reply(rw, m, `{"task":{"taskId":"t1","status":"working","createdAt":"2026-01-01T00:00:00Z","ttl":1,"pollInterval":1}}`)
		case "tasks/get":
			status := "working"
			if polls.Add(1) > 4 {
				status = "input_required"
			}
			reply(rw, m, fmt.Sprintf(`{"taskId":"t1","status":%q,"statusMessage":"page %d","ttl":null,"pollInterval":1}`, status, polls.Load()))
		case "tasks/result":
			write := stream(rw)
			write(`data: {"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":{"message":"sure?","requestedSchema":{"type":"object","properties":{}}}}`)
			answer := <-answers
			write(fmt.Sprintf(`data: {"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"%v after page %d"}]}}`, m.ID, answer.Result["action"], polls.Load()))
		default:
			return false
		}
		return true
	}
	reg, _ := attach(t, Options{}, Config{URL: w.URL, Timeout: 200 * time.Millisecond, Protocol: "2025-11-25"})
	var told []string
	call := tools.Call{Caller: access.Local("test"), Tool: "web__do", Approve: true, Client: &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapability{}},
		Progress: func(p tools.Progress) { told = append(told, p.Message) }}
	res, err := reg.Call(t.Context(), call)
	if err != nil || res.Needs == nil {
		t.Fatalf("%+v, %v", res, err)
	}
	call.State, call.Answers = res.Needs.State, mcp.InputResponses{}
	for id := range res.Needs.Requests {
		call.Answers[id] = mcp.InputResponse{Elicitation: &mcp.ElicitationResult{ElicitationResponse: mcp.ElicitationResponse{Action: "accept"}}}
	}
	res, err = reg.Call(t.Context(), call)
	if err != nil || res.Text != "accept after page 5" {
		t.Errorf("%+v, %v", res, err)
	}
	if !slices.Contains(told, "page 4") {
		t.Errorf("progress: %v", told)
	}
	call.Tool, call.State, call.Answers = "web__plain", "", nil
	if res, err = reg.Call(t.Context(), call); err != nil || res.Text != "done" {
		t.Errorf("a tool that may be called as a task: %+v, %v", res, err)
	}
	if tool, _ := reg.Lookup("web__never"); !strings.Contains(string(tool.Raw), `"execution":{"taskSupport":"forbidden"}`) {
		t.Errorf("handed on: %s", tool.Raw)
	}
	if tool, _ := reg.Lookup("web__do"); !json.Valid(tool.Raw) || !strings.Contains(string(tool.Raw), `"execution":{"x":1}`) {
		t.Errorf("handed on: %s", tool.Raw)
	}
}

// What a server says of how often it is to be asked is held to bounds.
func TestTaskPause(t *testing.T) {
	for ms, want := range map[int64]time.Duration{0: taskPause, -5: taskPause, 1: minTaskPause, 2500: 2500 * time.Millisecond, 1 << 62: maxTaskPause} {
		if got := (taskState{Poll: ms}).pause(); got != want {
			t.Errorf("%d ms: %s, want %s", ms, got, want)
		}
	}
}
