package upstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/tools"
)

// From 2025-11-25 on a tool may say that it is called as a task: the server answers a call with the task's id at once,
// is asked how it stands, and gives the result when it is over. To who calls the tool here it is a call like any other.

// Methods of tasks.
const (
	methodTaskGet    = "tasks/get"
	methodTaskResult = "tasks/result"
	methodTaskCancel = "tasks/cancel"
)

// The times of a task. A server says how often it wants to be asked; what it says is held to these.
const (
	minTaskPause = 100 * time.Millisecond
	maxTaskPause = 5 * time.Second // a server that says that it works is heard before any timeout ends
	taskPause    = time.Second     // where it says nothing
	taskKept     = time.Hour       // how long the server is asked to keep a task that nobody fetches
	maxTaskID    = 1024            // bytes
)

// tasksOffer is what a server says of tasks. It takes calls of tools as such where Requests.Tools.Call is there.
type tasksOffer struct {
	Cancel   *struct{}
	Requests struct{ Tools struct{ Call *struct{} } }
}

// asTask reports whether a tool has to be called as a task.
func (c *conn) asTask(t remoteTool) bool {
	offered := !c.proto.modern && c.offers.Tasks != nil && c.offers.Tasks.Requests.Tools.Call != nil
	return offered && t.Execution != nil && t.Execution.TaskSupport == mcp.TaskSupportRequired
}

// taskState is how a task stands.
type taskState struct {
	ID      string `json:"taskId"`
	Status  string `json:"status"`
	Message string `json:"statusMessage"`
	Poll    int64  `json:"pollInterval"` // ms
}

// pause is how long to wait before the server is asked again.
func (t taskState) pause() time.Duration {
	if t.Poll <= 0 {
		return taskPause
	}
	return min(max(time.Duration(min(t.Poll, maxTaskPause.Milliseconds()))*time.Millisecond,
		minTaskPause), maxTaskPause)
}

// made makes a call of a tool, as a task where w says so, and gives its result. p takes the questions to a person
// meanwhile, under the request whose stream they come on; nil answers none.
func (c *conn) made(ctx context.Context, w wanted, params map[string]any, p *parkedCall) (json.RawMessage, error) {
	if !w.task {
		return c.asking(ctx, w.method, params, p)
	}
	params["task"] = map[string]any{"ttl": taskKept.Milliseconds()}
	raw, err := c.createTask(ctx, w.method, params, p)
	if err != nil {
		return nil, err
	}
	task := taskIn(raw)
	if task.ID == "" {
		return raw, nil // it made no task of it; who reads the result finds what else is wrong
	}
	if len(task.ID) > maxTaskID {
		return nil, fmt.Errorf("the id of its task has %d bytes, at most %d are taken", len(task.ID), maxTaskID)
	}
	raw, err = c.awaitTask(ctx, task, w.alive, p)
	if ctx.Err() != nil {
		go c.cancelTask(ctx, task.ID) // it ends with noticeTime, or the connection
	}
	return raw, err
}

// taskIn is the task that an answer tells of; its ID is "" where it tells of none.
func taskIn(raw json.RawMessage) taskState {
	var created struct {
		Task taskState `json:"task"`
	}
	_ = json.Unmarshal(raw, &created) // what cannot be read tells of none
	return created.Task
}

// createTask makes the request that begins a task. The task's id is needed to cancel it, so that the answer is waited
// for a little when ctx ends.
func (c *conn) createTask(
	ctx context.Context, method string, params map[string]any, p *parkedCall,
) (json.RawMessage, error) {
	life, end := context.WithCancel(context.WithoutCancel(ctx))
	created := make(chan outcome, 1)
	go func() {
		raw, err := c.asking(life, method, params, p)
		created <- outcome{raw, err}
	}()
	select {
	case a := <-created:
		end()
		return a.result, a.err
	case <-ctx.Done():
	}
	go func() {
		defer end()
		late := time.NewTimer(noticeTime)
		defer late.Stop()
		select {
		case a := <-created:
			if task := taskIn(a.result); task.ID != "" {
				c.cancelTask(ctx, task.ID)
			}
		case <-late.C:
		}
	}()
	return nil, ctx.Err()
}

// awaitTask asks how a task stands until it is over, or has a question, and gives its result.
func (c *conn) awaitTask(
	ctx context.Context, task taskState, alive func(message string), p *parkedCall,
) (json.RawMessage, error) {
	id := map[string]any{"taskId": task.ID}
	for task.Status == "working" {
		wait := time.NewTimer(task.pause())
		select {
		case <-wait.C:
		case <-ctx.Done():
			wait.Stop()
			return nil, ctx.Err()
		case <-c.gone:
			wait.Stop()
			return nil, c.exitError()
		}
		raw, err := c.request(ctx, methodTaskGet, id)
		if err == nil {
			task, err = stateOf(raw, task.ID)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", methodTaskGet, err)
		}
		if task.Status == "working" && alive != nil {
			alive(task.Message)
		}
	}
	if task.Status == "cancelled" {
		return nil, &protocolError{code: codeInternal, message: "its task was cancelled: " + task.Message}
	}
	return c.asking(ctx, methodTaskResult, id, p) // a question comes while it is waited for
}

// stateOf is how a task stands by an answer. One that is about another task says nothing of this one.
func stateOf(raw json.RawMessage, id string) (taskState, error) {
	task := taskState{}
	if err := json.Unmarshal(raw, &task); err != nil {
		return task, err
	}
	if task.ID != "" && task.ID != id {
		return task, fmt.Errorf("it answers for the task %q instead of %q", cut(task.ID, 60), cut(id, 60))
	}
	task.ID = id
	return task, nil
}

// cancelTask tells the server that nobody waits for a task any more.
func (c *conn) cancelTask(ctx context.Context, id string) {
	if c.offers.Tasks.Cancel == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), noticeTime)
	defer cancel()
	var refused *protocolError
	if _, err := c.request(ctx, methodTaskCancel, map[string]any{"taskId": id}); err != nil &&
		!errors.As(err, &refused) {
		c.log.Debug("a task of an upstream server was not cancelled", "error", err.Error())
	}
}

// asking makes a request during which questions to a person may come.
func (c *conn) asking(
	ctx context.Context, method string, params map[string]any, p *parkedCall,
) (json.RawMessage, error) {
	m := outgoing{id: c.ids.Add(1), method: method, params: params}
	if p != nil {
		c.mu.Lock()
		c.calls[m.id] = p
		c.mu.Unlock()
		defer func() {
			c.mu.Lock()
			delete(c.calls, m.id)
			c.mu.Unlock()
		}()
	}
	return c.exchange(ctx, m)
}

// taskReports tells progress of a call that is a task: each time that the server says that it works, unless it reports
// progress of its own.
func taskReports(call *tools.Call) (alive func(message string)) {
	report := call.Progress
	if report == nil {
		return nil
	}
	var own atomic.Bool
	call.Progress = func(p tools.Progress) {
		own.Store(true)
		report(p)
	}
	polls := 0
	return func(message string) {
		if polls++; !own.Load() {
			report(tools.Progress{Done: float64(polls), Message: cut(message, 500)})
		}
	}
}
