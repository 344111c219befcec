package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"catena/server/servertest"
)

// A task is told of, and cancelled, at any replica, by who began it and nobody else.
func TestTasks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "catena.db")
	one, other := newReplica(t, path), newReplica(t, path)
	made := one.call(t, "holds").Result
	if made.ResultType != "task" || made.Status != taskWorking || made.TTL != taskLife.Milliseconds() || made.Result != nil {
		t.Fatalf("%+v", made)
	}
	if got := other.await(t, made.TaskID, taskWorking); got.Result.ResultType != "complete" || got.status != 200 {
		t.Errorf("%+v", got)
	}
	for _, method := range []string{"tasks/get", "tasks/update", "tasks/cancel"} {
		for _, id := range []string{made.TaskID, "call_NOBODYS", "run_1"} {
			bad := other.request(t, "bob", method, map[string]any{"taskId": id, "inputResponses": map[string]any{}})
			if bad.Error == nil || *bad.Error != (taskError{Code: mcp.INVALID_PARAMS, Message: errNoTask.text}) || bad.status != 400 {
				t.Errorf("%s of %s: %+v", method, id, bad)
			}
		}
	}
	for range 2 {
		if ack := other.request(t, "ann", "tasks/cancel", map[string]any{"taskId": made.TaskID}); ack.Error != nil || ack.Result.ResultType != "complete" || ack.Result.TaskID != "" {
			t.Errorf("%+v", ack)
		}
	}
	servertest.Within(t, one.freed)
	one.await(t, made.TaskID, taskCancelled)
	other.await(t, made.TaskID, taskCancelled)
	if ack := one.request(t, "ann", "tasks/cancel", map[string]any{"taskId": made.TaskID}); ack.Error != nil {
		t.Errorf("%+v", ack)
	}
	var calls []string
	err := one.store.Calls(t.Context(), made.TaskID, func(_, tool, _, status string, _ int, _ []byte) error {
		calls = append(calls, tool+" "+status)
		return nil
	})
	if err != nil || fmt.Sprint(calls) != "[holds unknown]" { // it may have done something
		t.Errorf("%q, %v", calls, err)
	}
}

// A task is for the keys of its owner that may call its tool: no other one reads, answers or ends it, and one
// that may change nothing ends and answers none but its own.
func TestTasksHoldRights(t *testing.T) {
	r := newReplica(t, filepath.Join(t.TempDir(), "catena.db"))
	tasks := map[string]string{"holds": r.call(t, "holds").Result.TaskID, "slow": r.call(t, "slow").Result.TaskID}
	for _, c := range []struct {
		tool, scopes string
		reads        bool
	}{
		{"slow", "metrics", false}, {"slow", "chat", false}, {"slow", "tools:other", false}, {"slow", "read:demo", true},
		{"slow", "tools:demo,read-only", true},
		{"holds", "read:demo", false}, {"holds", "tools:demo,read-only", false},
	} {
		params := map[string]any{"taskId": tasks[c.tool], "inputResponses": map[string]any{}}
		for method, want := range map[string]bool{"tasks/get": c.reads, "tasks/update": false, "tasks/cancel": false} {
			got := r.request(t, "ann:"+c.scopes, method, params)
			if ok := got.Error == nil; ok != want || !ok && got.Error.Code != codeForbidden {
				t.Errorf("%s of %s with %s: %+v", method, c.tool, c.scopes, got)
			}
		}
	}
	for _, id := range tasks {
		r.await(t, id, taskWorking)
		if got := r.request(t, "ann:tools:demo", "tasks/cancel", map[string]any{"taskId": id}); got.Error != nil {
			t.Errorf("a key that may call it: %+v", got)
		}
		r.await(t, id, taskCancelled)
	}
}

// What a call gives is in its task as it would be in its answer.
func TestTaskResults(t *testing.T) {
	r := newReplica(t, filepath.Join(t.TempDir(), "catena.db"))
	got := r.await(t, r.call(t, "people").Result.TaskID, taskCompleted).Result
	if text := string(got.Result); !strings.Contains(text, "| name | age |") || !strings.Contains(text, `"handle":"tbl_`) || !strings.Contains(text, `"resultType":"complete"`) {
		t.Error(text)
	}
	got = r.await(t, r.call(t, "must").Result.TaskID, taskCompleted).Result
	if text := string(got.Result); !strings.Contains(text, `"isError":true`) || !strings.Contains(text, "It failed.") {
		t.Error(text)
	}
	got = r.await(t, r.call(t, "breaks").Result.TaskID, taskFailed).Result
	if got.Error == nil || got.Error.Code != mcp.MISSING_REQUIRED_CLIENT_CAPABILITY || got.Result != nil || got.Message == "" {
		t.Errorf("%+v", got)
	}
	if got := r.call(t, "quick").Result; got.ResultType != "complete" || !strings.Contains(string(got.Content), "at once") {
		t.Errorf("%+v", got)
	}
	slow := r.call(t, "slow").Result
	if slow.ResultType != "task" {
		t.Fatalf("%+v", slow)
	}
	r.request(t, "ann", "tasks/cancel", map[string]any{"taskId": slow.TaskID})
	r.await(t, slow.TaskID, taskCancelled)
}

// A task that asks gets its answers one by one, at any replica, and no key of a question comes again.
func TestTaskQuestions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "catena.db")
	one, other := newReplica(t, path), newReplica(t, path)
	id := one.call(t, "asks").Result.TaskID
	update := func(r *replica, key string) {
		t.Helper()
		ack := r.request(t, "ann", "tasks/update", map[string]any{"taskId": id, "inputResponses": map[string]any{
			key: map[string]any{"action": "accept", "content": map[string]any{"text": "<" + key + ">"}}}})
		if ack.Error != nil || ack.Result.ResultType != "complete" || ack.Result.TaskID != "" {
			t.Errorf("%+v", ack)
		}
	}
	asked := func(r *replica, want ...string) {
		t.Helper()
		got := r.await(t, id, taskAsks).Result.InputRequests
		for _, key := range want {
			if !strings.Contains(string(got[key]), `"elicitation/create"`) {
				t.Errorf("%s is not asked: %v", key, got)
			}
		}
		if len(got) != len(want) {
			t.Errorf("%v, want %q", got, want)
		}
	}
	asked(one, "1-one", "1-two")
	update(other, "1-two")
	asked(one, "1-one")
	update(one, "1-two") // it has its answer
	update(one, "unknown")
	asked(other, "1-one")
	update(one, "1-one")
	asked(other, "2-one")
	update(other, "2-one")
	if got := string(one.await(t, id, taskCompleted).Result.Result); !strings.Contains(got, `\u003c1-one\u003e \u003c1-two\u003e \u003c2-one\u003e`) {
		t.Error(got)
	}
	update(one, "2-one") // nothing is asked any more
	parked := one.call(t, "asks").Result.TaskID
	one.await(t, parked, taskAsks)
	other.request(t, "ann", "tasks/cancel", map[string]any{"taskId": parked})
	one.await(t, parked, taskCancelled)
}

// Only who declares the extension has tasks; earlier protocols do not know them.
func TestTasksDeclared(t *testing.T) {
	r := newReplica(t, filepath.Join(t.TempDir(), "catena.db"))
	plain := meta("streamable")
	for _, method := range []string{"tasks/get", "tasks/update", "tasks/cancel", "tools/call"} {
		params := map[string]any{"taskId": "call_X", "name": "must", "_meta": plain}
		if method == "tools/call" {
			delete(params, "taskId")
		}
		bad := r.request(t, "ann", method, params)
		if bad.Error == nil || bad.Error.Code != mcp.MISSING_REQUIRED_CLIENT_CAPABILITY || !strings.Contains(fmt.Sprint(bad.Error.Data), tasksExtension) || bad.status != 400 {
			t.Errorf("%s: %+v", method, bad)
		}
	}
	if got := r.request(t, "ann", "tools/call", map[string]any{"name": "people", "_meta": plain}).Result; got.ResultType != "complete" || got.TaskID != "" {
		t.Errorf("%+v", got)
	}
	id := r.call(t, "people").Result.TaskID
	for _, h := range [][]string{{"Mcp-Name", "another"}, {"Mcp-Name", ""}, {"Mcp-Method", "tasks/cancel"}} {
		if bad := r.request(t, "ann", "tasks/get", map[string]any{"taskId": id}, h...); bad.Error == nil || bad.Error.Code != mcp.HEADER_MISMATCH || bad.status != 400 {
			t.Errorf("%q: %+v", h, bad)
		}
	}
	for _, params := range []map[string]any{{"taskId": ""}, {"taskId": id, "inputResponses": []any{}}, {"taskId": id, "inputResponses": map[string]any{"a": nil}}} {
		if bad := r.request(t, "ann", "tasks/update", params); bad.Error == nil || bad.Error.Code != mcp.INVALID_PARAMS {
			t.Errorf("%v: %+v", params, bad)
		}
	}
	_, _, text := servertest.Ask(t, "POST", r.url+"/mcp", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`, "Accept", "application/json, text/event-stream")
	if strings.Contains(text, "/tasks") || !strings.Contains(text, appsExtension) {
		t.Errorf("initialize: %s", text)
	}
	for _, way := range []string{"streamable before 2026", "stdio before 2026", "stdio"} {
		t.Run(way, func(t *testing.T) {
			c, _ := join(t, way, r.testServer, r.url)
			want := mcp.METHOD_NOT_FOUND
			if modern(way) {
				want = mcp.MISSING_REQUIRED_CLIENT_CAPABILITY
			}
			if bad := refusedWith(t, c, "tasks/get", map[string]any{"taskId": id, "_meta": meta(way)}); bad == nil || bad.Code != want {
				t.Errorf("%+v", bad)
			}
			if modern(way) {
				res, err := c.GetTransport().SendRequest(t.Context(), transport.JSONRPCRequest{JSONRPC: "2.0", ID: mcp.NewRequestId("t"), Method: "tools/call", Params: map[string]any{"name": "people", "_meta": taskMeta()}})
				if err != nil || !strings.Contains(string(res.Result), `"resultType":"task"`) {
					t.Errorf("%+v, %v", res, err)
				}
			}
		})
	}
}

// A caller has so many tasks and no more; further calls are answered when they end. A task is gone at its end.
func TestTaskLimits(t *testing.T) {
	r := newReplica(t, filepath.Join(t.TempDir(), "catena.db"))
	now := time.Now()
	request, err := json.Marshal(taskRequest{Tool: "people", Created: now.Add(-2 * time.Hour), Expires: now.Add(-time.Hour)})
	if err != nil {
		t.Fatal(err)
	}
	for i := range maxTasks {
		if ok, err := r.store.StartCall(t.Context(), "ann", fmt.Sprint("call_", i), request, now, now.Add(time.Hour), maxTasks); !ok || err != nil {
			t.Fatal(i, ok, err)
		}
	}
	if got := r.call(t, "people"); got.Result.ResultType != "complete" || got.Result.TaskID != "" {
		t.Errorf("%+v", got)
	}
	if got := r.call(t, "must"); got.Error == nil || got.Error.Code != codeTooMany {
		t.Errorf("%+v", got)
	}
	if got := r.request(t, "ann", "tasks/get", map[string]any{"taskId": "call_1"}); got.Error == nil || got.Error.Message != errNoTask.text {
		t.Errorf("%+v", got)
	}
}

// A task whose process is gone ends where it is taken over, and says what is not known.
func TestTaskTakenOver(t *testing.T) {
	path := filepath.Join(t.TempDir(), "catena.db")
	one, other := newReplica(t, path), newReplica(t, path)
	id := one.call(t, "holds").Result.TaskID
	one.await(t, id, taskWorking)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := one.mcp.tasks.Close(ended); err != nil { // it hands over
		t.Fatal(err)
	}
	open, err := other.store.OpenRuns(t.Context(), 10)
	if err != nil || len(open) != 1 || open[0] != id {
		t.Fatalf("%q, %v", open, err)
	}
	if on, err := other.mcp.tasks.TakeOver(t.Context(), id); on || err != nil {
		t.Fatal(on, err)
	}
	if got := other.await(t, id, taskFailed).Result; got.Error == nil || got.Error.Code != mcp.INTERNAL_ERROR || !strings.Contains(got.Message, "holds took effect is not known") {
		t.Errorf("%+v", got)
	}
	if got := one.call(t, "people"); got.Result.ResultType != "complete" {
		t.Errorf("a server that ends has begun a task: %+v", got)
	}
}

// A task that only reads goes on where it is taken over, with the answers that it had.
func TestTaskGoesOn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "catena.db")
	one, other := newReplica(t, path), newReplica(t, path)
	id := one.call(t, "recalls").Result.TaskID
	one.await(t, id, taskAsks)
	one.request(t, "ann", "tasks/update", map[string]any{"taskId": id, "inputResponses": map[string]any{
		"1-x": map[string]any{"action": "accept", "content": map[string]any{"text": "kept"}}}})
	servertest.Within(t, one.begun)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := one.mcp.tasks.Close(ended); err != nil {
		t.Fatal(err)
	}
	open, err := other.store.OpenRuns(t.Context(), 10)
	if err != nil || len(open) != 1 {
		t.Fatalf("%q, %v", open, err)
	}
	other.answers.Store(true)
	if on, err := other.mcp.tasks.TakeOver(t.Context(), id); !on || err != nil {
		t.Fatal(on, err)
	}
	if got := string(other.await(t, id, taskCompleted).Result.Result); !strings.Contains(got, "kept") {
		t.Error(got)
	}
}

// The owners of a task that died during its call are counted, one after the other.
func TestTaskDeaths(t *testing.T) {
	for name, tc := range map[string]struct {
		was    taskState
		status string
		begun  int
		want   int
	}{
		"not called":              {taskState{Deaths: 1}, "", 0, 1},
		"died":                    {taskState{}, "started", 1, 1},
		"died again":              {taskState{Begun: 1, Deaths: 1}, "started", 2, 2},
		"did not come to it":      {taskState{Begun: 2, Deaths: 1}, "started", 2, 1},
		"left in good order":      {taskState{Begun: 1, Deaths: 1}, "cancelled", 2, 0},
		"died after a good order": {taskState{Begun: 2}, "started", 3, 1},
	} {
		if got := tc.was.diedDuring(tc.status, tc.begun); got != tc.want {
			t.Errorf("%s: %d, want %d", name, got, tc.want)
		}
	}
}

// Who listens hears how a task stands, from now on, also of one at another replica, and of nobody else's.
func TestTaskNotifications(t *testing.T) {
	path := filepath.Join(t.TempDir(), "catena.db")
	one, other := newReplica(t, path), newReplica(t, path)
	id := one.call(t, "holds").Result.TaskID
	foreign := one.request(t, "bob", "tools/call", map[string]any{"name": "people"}).Result.TaskID
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": "l", "method": "subscriptions/listen", "params": map[string]any{
		"_meta": taskMeta(), "notifications": map[string]any{"taskIds": []string{id, foreign}}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []*replica{one, other} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, r.url+"/mcp", strings.NewReader(string(body)))
		if err != nil {
			t.Fatal(err)
		}
		for k, v := range map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "subscriptions/listen", "X-Caller": "ann"} {
			req.Header.Set(k, v)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = resp.Body.Close() }()
		lines := bufio.NewScanner(resp.Body)
		next := func(part string) string {
			t.Helper()
			for lines.Scan() {
				if text := lines.Text(); strings.HasPrefix(text, "data: ") && strings.Contains(text, part) {
					return text
				}
			}
			t.Fatalf("the stream ended before %s: %v", part, lines.Err())
			return ""
		}
		if ack := next("acknowledged"); !strings.Contains(ack, `"taskIds":["`+id+`"]`) || strings.Contains(ack, "resourceSubscriptions") {
			t.Error(ack)
		}
		if first := next(methodTask); !strings.Contains(first, id) || !strings.Contains(first, `/subscriptionId":"l"`) {
			t.Error(first)
		}
		defer func() {
			if last := next(`"status":"cancelled"`); !strings.Contains(last, id) {
				t.Error(last)
			}
		}()
	}
	one.request(t, "ann", "tasks/cancel", map[string]any{"taskId": id})
	bad := one.request(t, "ann", "subscriptions/listen", map[string]any{"_meta": meta("streamable"), "notifications": map[string]any{"taskIds": []string{id}}})
	if bad.Error == nil || bad.Error.Code != mcp.MISSING_REQUIRED_CLIENT_CAPABILITY {
		t.Errorf("%+v", bad)
	}
}
