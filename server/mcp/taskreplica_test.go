package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/internal/access"
	"catena/internal/store"
	"catena/internal/store/sqlite"
	"catena/server/servertest"
	"catena/table"
	"catena/table/load"
	"catena/tools"
)

// replica is one of several servers on one store.
type replica struct {
	*testServer
	url   string
	store *sqlite.Store
	freed chan struct{} // takes a token when the tool holds was told to stop
	begun chan struct{} // takes one when the tool recalls has its answer

	answers atomic.Bool // whether recalls ends
}

// newReplica makes a server with tasks. Who calls is in the header X-Caller, with the scopes of another key of theirs
// where they follow a colon: "ann:chat,read-only".
func newReplica(t *testing.T, path string) *replica {
	t.Helper()
	quiet := slog.New(slog.DiscardHandler)
	st, err := sqlite.Open(t.Context(), path, store.Options{SweepEvery: -1})
	if err != nil {
		t.Fatal(err)
	}
	r := &replica{store: st, freed: make(chan struct{}, 10), begun: make(chan struct{}, 10)}
	reg := tools.NewRegistry(tools.Options{Policy: access.Granted{}, Journal: st, Log: quiet})
	tasks := NewTasks(st, true, quiet)
	t.Cleanup(func() {
		ended, cancel := context.WithCancel(context.Background())
		cancel()
		if err := errors.Join(tasks.Close(ended), st.Close()); err != nil {
			t.Error(err)
		}
	})
	people, err := load.Text("name,age\nAda,36\nGrace,85\n", table.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	tool := func(name string, use tools.TaskUse, h tools.Handler) tools.Tool {
		return tools.Tool{Def: raw(name), Toolset: "demo", Task: use, Handler: h}
	}
	holds := func(ctx context.Context, call tools.Call) (tools.Result, error) {
		call.Progress(tools.Progress{Done: 1, Total: 2, Message: "half way"})
		<-ctx.Done()
		r.freed <- struct{}{}
		return tools.Result{}, ctx.Err()
	}
	changes := tool("holds", tools.TaskAtOnce, holds)
	changes.Def.Annotations.ReadOnlyHint = servertest.Ptr(false)
	err = reg.Register(
		changes,
		tool("slow", tools.TaskWhenSlow, holds),
		tool("quick", tools.TaskWhenSlow, func(context.Context, tools.Call) (tools.Result, error) { return tools.Result{Text: "at once"}, nil }),
		tool("people", tools.TaskAtOnce, func(context.Context, tools.Call) (tools.Result, error) {
			return tools.Result{Table: people, Text: "| name | age |"}, nil
		}),
		tool("must", tools.TaskRequired, func(context.Context, tools.Call) (tools.Result, error) { return tools.Failed("no", "It failed."), nil }),
		tool("breaks", tools.TaskAtOnce, func(context.Context, tools.Call) (tools.Result, error) {
			return tools.Result{Needs: &tools.Needs{Requests: mcp.InputRequests{"x": mcp.NewRootsInputRequest()}}}, nil
		}),
		tool("asks", tools.TaskAtOnce, asksTwice),
		tool("recalls", tools.TaskAtOnce, func(ctx context.Context, call tools.Call) (tools.Result, error) {
			got := tools.Elicited(call.Answers, "x")
			if got == nil {
				return tools.Result{Needs: &tools.Needs{Requests: mcp.InputRequests{"x": question("What?")}}}, nil
			}
			r.begun <- struct{}{}
			if !r.answers.Load() {
				<-ctx.Done()
				return tools.Result{}, ctx.Err()
			}
			return tools.Result{Text: fmt.Sprint(got.Content)}, nil
		}),
	)
	if err != nil {
		t.Fatal(err)
	}
	var h *httptest.Server
	r.testServer, h, _ = newTest(t, func(o *testOptions) {
		o.Tools, o.Tables, o.Tasks = reg, reg.Tables(), tasks
		o.Caller = func(req *http.Request) (access.Caller, error) {
			c := access.Local("http")
			id, scopes, other := strings.Cut(cmp.Or(req.Header.Get("X-Caller"), "ann"), ":")
			c.ID = id
			if !other {
				return c, nil
			}
			rights, err := access.ParseRights(strings.Split(scopes, ","), nil, nil)
			c.Key, c.Rights = scopes, rights
			return c, err
		}
	})
	r.url = h.URL
	return r
}

// asksTwice asks two questions at once, and then, under one of their ids, a third.
func asksTwice(_ context.Context, call tools.Call) (tools.Result, error) {
	said := func(id string) string {
		if got := tools.Elicited(call.Answers, id); got != nil {
			fields, _ := got.Content.(map[string]any)
			return fmt.Sprint(fields["text"])
		}
		return ""
	}
	switch one, two := said("one"), said("two"); {
	case call.State != "":
		return tools.Result{Text: call.State + " " + one}, nil
	case one != "" && two != "":
		return tools.Result{Needs: &tools.Needs{Requests: mcp.InputRequests{"one": question("Three?")}, State: one + " " + two}}, nil
	}
	return tools.Result{Needs: &tools.Needs{Requests: mcp.InputRequests{"one": question("One?"), "two": question("Two?")}}}, nil
}

// taskMeta is what a client that takes tasks, and answers questions, says of itself.
func taskMeta() map[string]any {
	return map[string]any{mcp.MetaKeyProtocolVersion: "2026-07-28", mcp.MetaKeyClientCapabilities: map[string]any{
		"elicitation": map[string]any{}, "extensions": map[string]any{tasksExtension: map[string]any{}}}}
}

// answer is what comes back of a request.
type answer struct {
	status int
	Result struct {
		ResultType    string                     `json:"resultType"`
		TaskID        string                     `json:"taskId"`
		Status        string                     `json:"status"`
		Message       string                     `json:"statusMessage"`
		TTL           int64                      `json:"ttlMs"`
		Result        json.RawMessage            `json:"result"`
		Error         *taskError                 `json:"error"`
		InputRequests map[string]json.RawMessage `json:"inputRequests"`
		Content       json.RawMessage            `json:"content"`
	} `json:"result"`
	Error *taskError `json:"error"`
}

// request sends a request of the newest protocol, about a task or a tool.
func (r *replica) request(t *testing.T, caller, method string, params map[string]any, headers ...string) (a answer) {
	t.Helper()
	name, _ := params["taskId"].(string)
	if name == "" {
		name, _ = params["name"].(string)
	}
	if params["_meta"] == nil {
		params["_meta"] = taskMeta()
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		t.Fatal(err)
	}
	headers = append([]string{"Accept", "application/json, text/event-stream", "Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", method, "Mcp-Name", name, "X-Caller", caller}, headers...)
	status, _, text := servertest.Ask(t, "POST", r.url+"/mcp", string(body), headers...)
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		t.Fatalf("%s: %v in %s", method, err, text)
	}
	a.status = status
	return a
}

func (r *replica) call(t *testing.T, tool string) answer {
	t.Helper()
	return r.request(t, "ann", "tools/call", map[string]any{"name": tool, "arguments": map[string]any{}})
}

// await asks for a task until it stands as wanted.
func (r *replica) await(t *testing.T, id, status string) answer {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		a := r.request(t, "ann", "tasks/get", map[string]any{"taskId": id})
		if a.Result.Status == status {
			return a
		}
		if a.Error != nil || time.Now().After(deadline) {
			t.Fatalf("%s: %+v, want %s", id, a, status)
		}
	}
}
