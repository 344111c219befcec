package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/chat/runs"
	"catena/internal/access"
	"catena/tools"
)

// The extension Tasks, version 2026-07-28 (SEP-2663): a call of a tool that goes on by itself, and is asked about by
// its id.
const (
	tasksExtension = "io.modelcontextprotocol/tasks"
	// taskAfter is how long a client that takes tasks waits for a result before it gets a task.
	taskAfter = 2 * time.Second
	// taskLife is how long a task is there, from its start.
	taskLife = time.Hour
	// taskPoll is how often clients are asked to look.
	taskPoll = time.Second
	// maxTasks is how many tasks of one caller are there at a time, ended ones too. Further calls are answered when
	// they end.
	maxTasks = 100
	// maxTaskResult bounds the JSON of a result that is kept, in bytes.
	maxTaskResult = 8 << 20
	// taskLogTimeout is for one write to the store.
	taskLogTimeout = 10 * time.Second
)

// The states of a task. In the store one that waits for answers has a number behind its state: see storedStatus.
const (
	taskWorking   = "working"
	taskAsks      = "input_required"
	taskCompleted = "completed"
	taskFailed    = "failed"
	taskCancelled = "cancelled"
)

// TaskLog keeps tasks. Each is a run that is one call: *sqlite.Store and *redis.Store satisfy it, see their methods.
type TaskLog interface {
	StartCall(ctx context.Context, owner, run string, request []byte, at, expires time.Time,
		limit int) (started bool, err error)
	FinishRun(ctx context.Context, run, status string, response []byte, at time.Time) error
	ReopenRun(ctx context.Context, owner, run, status string, last uint64) error
	Run(ctx context.Context, owner, run string) (session, status string, request, response []byte, err error)
	Accepted(ctx context.Context, run string) (owner, session string, request []byte, err error)
	SaveState(ctx context.Context, run string, state []byte) error
	State(ctx context.Context, run string) (state []byte, err error)
	CancelRun(ctx context.Context, owner, run string) error
	CancelledRuns(ctx context.Context, runs []string) ([]string, error)
	Calls(ctx context.Context, run string,
		each func(step, tool, argsHash, status string, attempts int, result []byte) error) error
	ReleaseLease(ctx context.Context, run string) error
}

// Tasks are the calls that go on by themselves, as MCP's tasks. Make them with NewTasks, for one Server. They are safe
// for concurrent use.
type Tasks struct {
	log      TaskLog
	report   *slog.Logger
	handOver bool
	// changed is told of each change of a task's state, and again has the task of a process that is gone go on, if its
	// tool may be called again.
	changed func(owner, id string)
	again   func(v view) bool

	mu    sync.Mutex
	live  map[string]*task
	watch runs.CancelWatch // looks while a task is under way
	// followed are tasks that clients want to hear of, as they stood when they were looked at last.
	followed  map[string]taskEnd
	following bool // a goroutine looks at them
	closed    bool
	ending    chan struct{} // closed with the first Close
	all       sync.WaitGroup
}

// NewTasks makes tasks that a log keeps. handOver says that it outlives this process: what does not end in time when
// this one is closed is another's, or the next start's. A nil logger means slog.Default().
func NewTasks(log TaskLog, handOver bool, report *slog.Logger) *Tasks {
	if report == nil {
		report = slog.Default()
	}
	return &Tasks{log: log, report: report, handOver: handOver, changed: func(string, string) {},
		again: func(view) bool {
			return false
		}, live: map[string]*task{}, followed: map[string]taskEnd{}, ending: make(chan struct{})}
}

// task is one that is under way in this process.
type task struct {
	id     string
	caller access.Caller
	req    taskRequest
	cancel func()        // ends the call; set before anybody else knows of the task
	ended  chan struct{} // closed when the call has returned
	res    tools.Result  // read after ended
	err    error

	mu      sync.Mutex
	begun   bool // the client knows of the task
	stopped bool // the client wants no result
	left    bool // the process ends
	now     taskState
	saved   time.Time
}

// taskRequest is what was called, as the log keeps it.
type taskRequest struct {
	Tool    string                  `json:"tool"`
	Args    map[string]any          `json:"args,omitempty"`
	Raw     json.RawMessage         `json:"raw,omitempty"` // Args in the client's order, where that may matter
	Caller  *runs.StoredCaller      `json:"caller"`
	Client  *mcp.ClientCapabilities `json:"client"`
	Created time.Time               `json:"created"`
	Expires time.Time               `json:"expires"`
}

// taskState is what is told of a task while it is under way, as the log keeps it.
type taskState struct {
	Message string    `json:"message,omitempty"`
	At      time.Time `json:"at"`
	// how it stood when it was gone on with; nil for one that has asked nothing
	Asked *taskEnd `json:"asked,omitempty"`

	Begun  int `json:"begun,omitempty"`  // how often its tool had been called when its owner took it over
	Deaths int `json:"deaths,omitempty"` // how many owners before died during the call, one after the other
}

// taskEnd is how a task ended, or what it asks, as the log keeps it.
type taskEnd struct {
	Status  string          `json:"status"`
	Message string          `json:"message,omitempty"`
	At      time.Time       `json:"at"`
	Result  json.RawMessage `json:"result,omitempty"` // a CallToolResult, of one that is completed
	Error   *taskError      `json:"error,omitempty"`  // of one that failed

	Round   int                        `json:"round,omitempty"`   // how often the tool asked
	Parked  int                        `json:"parked,omitempty"`  // how often the task was written down to wait
	Asks    map[string]json.RawMessage `json:"asks,omitempty"`    // what has no answer yet, by askKey
	Answers mcp.InputResponses         `json:"answers,omitempty"` // by the tool's own ids
	State   string                     `json:"state,omitempty"`   // the tool's
}

// taskError is an error of JSON-RPC.
type taskError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

// storedStatus is the state of an end in the log. Each time that a task waits it is another, so that of several who
// have answers one goes on with what it has read.
func (e *taskEnd) storedStatus() string {
	if e.Status == taskAsks {
		return fmt.Sprintf("%s:%d", taskAsks, e.Parked)
	}
	return e.Status
}

// errNoTask is for a task that is not there, or is another's.
var errNoTask = &rpcError{code: mcp.INVALID_PARAMS, text: "There is no such task, or it has expired."}

// view is a task as it stands: its request, and its end, whose state is taskWorking while there is none.
type view struct {
	id  string
	req taskRequest
	end taskEnd

	begun, deaths int // of one that is taken over: see taskState
}

// find reads a task of an owner's.
func (t *Tasks) find(ctx context.Context, owner, id string) (view, error) {
	v := view{id: id}
	if !strings.HasPrefix(id, tools.DirectRun) {
		return v, errNoTask
	}
	_, status, request, response, err := t.log.Run(ctx, owner, id)
	if errors.Is(err, fs.ErrNotExist) {
		return v, errNoTask
	}
	if err == nil {
		err = readKeptJSON(request, &v.req)
	}
	if err == nil && len(response) > 0 {
		err = readKeptJSON(response, &v.end)
	}
	if err != nil {
		return v, fmt.Errorf("task %s could not be read: %w", id, err)
	}
	if !time.Now().Before(v.req.Expires) {
		return v, errNoTask
	}
	if len(response) > 0 && status == v.end.storedStatus() {
		return v, nil
	}
	now := taskState{At: v.req.Created}
	if l := t.running(id); l != nil {
		now = l.state()
	} else if raw, err := t.log.State(ctx, id); err == nil && len(raw) > 0 {
		_ = json.Unmarshal(raw, &now) // it only says how far the task is
	}
	v.end = taskEnd{Status: taskWorking, Message: now.Message, At: now.At}
	return v, nil
}

// readKeptJSON reads what the log has. Numbers stay as they were written.
func readKeptJSON(raw []byte, v any) error {
	dec := json.NewDecoder(strings.NewReader(string(raw)))
	dec.UseNumber()
	return dec.Decode(v)
}

func (t *Tasks) running(id string) *task {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.live[id]
}

func (l *task) state() taskState {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.now
}

// wire is a task as clients read it, with what belongs to its state when detailed.
func (v view) wire(detailed bool) map[string]any {
	out := map[string]any{"taskId": v.id, "status": v.end.Status,
		"createdAt":     v.req.Created.UTC().Format(time.RFC3339Nano),
		"lastUpdatedAt": v.end.At.UTC().Format(time.RFC3339Nano),
		"ttlMs":         v.req.Expires.Sub(v.req.Created).Milliseconds(), "pollIntervalMs": taskPoll.Milliseconds()}
	if v.end.Message != "" {
		out["statusMessage"] = v.end.Message
	}
	if !detailed {
		return out
	}
	switch v.end.Status {
	case taskAsks:
		out["inputRequests"] = v.end.Asks
	case taskCompleted:
		out["result"] = v.end.Result
	case taskFailed:
		out["error"] = v.end.Error
	}
	return out
}

// begin makes a task durable. It reports false where the caller has as many as may be, or the program ends.
func (t *Tasks) begin(ctx context.Context, l *task) (bool, error) {
	raw, err := json.Marshal(l.req)
	if err != nil {
		return false, fmt.Errorf("task %s: %w", l.id, err)
	}
	if !t.admit(l) {
		return false, nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), taskLogTimeout)
	defer cancel()
	ok, err := t.log.StartCall(ctx, l.caller.ID, l.id, raw, l.req.Created, l.req.Expires, maxTasks)
	if err != nil || !ok {
		t.release(l)
		return false, err
	}
	l.mu.Lock()
	l.begun = true
	l.mu.Unlock()
	return true, nil
}

// admit has a task count as under way.
func (t *Tasks) admit(l *task) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return false
	}
	t.live[l.id] = l
	t.all.Add(1)
	t.watch.Start(t.stopCancelled)
	return true
}

func (t *Tasks) release(l *task) {
	t.mu.Lock()
	delete(t.live, l.id)
	if len(t.live) == 0 {
		t.watch.Stop()
	}
	t.mu.Unlock()
	t.all.Done()
}

// conclude waits for the end of a call and writes down what became of it.
func (t *Tasks) conclude(l *task, result func(tools.Result, error) taskEnd) {
	defer t.release(l)
	defer l.cancel()
	<-l.ended
	l.mu.Lock()
	stopped, left := l.stopped, l.left
	l.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), taskLogTimeout)
	defer cancel()
	if l.res.Needs != nil && !stopped { // it may have been cancelled elsewhere, which would be forgotten while it waits
		marked, err := t.log.CancelledRuns(ctx, []string{l.id})
		stopped = err == nil && len(marked) > 0
	}
	failed := l.err != nil || l.res.IsError || l.res.Needs != nil
	if unfinished := left && failed && !stopped; unfinished && t.handOver {
		if err := t.log.ReleaseLease(ctx, l.id); err != nil {
			t.report.Warn("a task could not be left to another process", "task", l.id, "error", err.Error())
		}
		return
	}
	end := taskEnd{Status: taskCancelled, Message: "The client cancelled it."}
	switch {
	case stopped && failed:
	case left && l.err != nil:
		end = interruptedTask(l.req.Tool, "")
	case l.res.Needs != nil && l.err == nil:
		end = l.ask()
	default:
		end = result(l.res, l.err)
	}
	t.write(ctx, l.caller.ID, l.id, end)
}

// write records the end of a task, or that it waits.
func (t *Tasks) write(ctx context.Context, owner, id string, end taskEnd) {
	end.At = time.Now()
	raw, err := json.Marshal(end)
	if err == nil {
		err = t.log.FinishRun(ctx, id, end.storedStatus(), raw, end.At)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // it may have expired
		t.report.Error("a task's end could not be recorded", "task", id, "error", err.Error())
	}
	t.changed(owner, id)
}

// ask is the end of a call that has questions.
func (l *task) ask() taskEnd {
	end := taskEnd{Status: taskAsks, Round: 1, Parked: 1, Asks: map[string]json.RawMessage{}, State: l.res.Needs.State}
	if was := l.state().Asked; was != nil {
		end.Round, end.Parked = was.Round+1, was.Parked+1
	}
	for id, q := range l.res.Needs.Requests {
		raw, err := json.Marshal(q)
		if err != nil {
			return taskEnd{Status: taskFailed, Error: &taskError{Code: mcp.INTERNAL_ERROR,
				Message: fmt.Sprintf("A question of %s cannot be written.", l.req.Tool)}}
		}
		end.Asks[askKey(end.Round, id)] = raw
	}
	return end
}

// askKey names a question over the whole life of a task: tools use an id again.
func askKey(round int, id string) string { return fmt.Sprintf("%d-%s", round, id) }

// poisonedTask is the end of a task whose tool ends each process that calls it.
func poisonedTask(tool string) taskEnd {
	text := fmt.Sprintf("The server ended twice while it called %s, so it is not called a third time. Call it with "+
		"less, or ask whoever runs the server to look into it.", tool)
	return taskEnd{Status: taskFailed, Message: text, Error: &taskError{Code: mcp.INTERNAL_ERROR, Message: text}}
}

// interruptedTask is the end of a task whose process ended. status is what the journal has of its call, "" where it was
// not called.
func interruptedTask(tool, status string) taskEnd {
	text := "The server stopped while this was running."
	switch status {
	case "", "not_called":
		text += " Call again."
	case string(tools.StepDone), string(tools.StepFailed), string(tools.StepPartial):
		text += fmt.Sprintf(" %s had ended, and what it gave is lost.", tool)
	default:
		text += fmt.Sprintf(" Whether %s took effect is not known: check that first, then call again.", tool)
	}
	return taskEnd{Status: taskFailed, Message: text, Error: &taskError{Code: mcp.INTERNAL_ERROR, Message: text}}
}
