package mcp

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"catena/chat/runs"
	"catena/internal/access"
	"catena/server"
	"catena/tools"
)

// resultTask tells a task from a result.
const resultTask mcp.ResultType = "task"

// takesTasks reports whether the client of a request takes tasks: from 2026-07-28 on each request says so itself.
func takesTasks(ctx context.Context) bool {
	if !mcpserver.IsModernRequest(ctx) {
		return false
	}
	_, ok := clientOf(ctx).Extensions[tasksExtension]
	return ok
}

// needsTasks is the error of what only a client that takes tasks may ask for.
func needsTasks(what string) *rpcError {
	return &rpcError{code: mcp.MISSING_REQUIRED_CLIENT_CAPABILITY,
		text: what + " needs a client that declares the extension " + tasksExtension + ".",
		data: map[string]any{"requiredCapabilities": map[string]any{"extensions": map[string]any{tasksExtension: map[string]any{}}}}}
}

// useOf says when calls of a tool become tasks.
func (m *Server) useOf(ctx context.Context, name string) tools.TaskUse {
	for _, t := range m.opt.Tools.List(callerOf(ctx)) {
		if t.Def.Name == name {
			return t.Task
		}
	}
	return tools.TaskWhenSlow
}

// callLasting calls a tool for a client that takes tasks. What ends soon is answered like any call, and what a tool
// asks before that is asked like any question; any other call becomes a task.
func (m *Server) callLasting(
	ctx context.Context, call tools.Call, of func() (trip, error), in mcp.MultiRoundTripParams,
) (*mcp.CallToolResult, error) {
	var err error
	if call.Answers, call.State, err = m.continued(of, in); err != nil {
		return m.failed(ctx, call.Tool, err)
	}
	l, running := m.newTask(ctx, &call)
	if use := m.useOf(ctx, call.Tool); use != tools.TaskWhenSlow {
		if !m.beginTask(ctx, l) && use == tools.TaskRequired {
			l.cancel()
			return nil, &rpcError{code: codeTooMany,
				text: fmt.Sprintf("%s runs as a task, and no more tasks can be kept now. Each goes %s after its start.",
					call.Tool, taskLife)}
		}
	}
	m.startTask(running, l, call)
	if !l.begun && !m.outlasts(ctx, l) {
		l.cancel()
		<-l.ended // soon: the chokepoint does not wait for a tool that was told to stop
		return m.answeredAtOnce(ctx, l, of)
	}
	go m.tasks.conclude(l, m.ending(ctx, l.req.Tool))
	v := view{id: l.id, req: l.req, end: taskEnd{Status: taskWorking, At: l.req.Created}}
	return &mcp.CallToolResult{Result: mcp.Result{ResultType: resultTask}, StructuredContent: v.wire(false)}, nil
}

// newTask makes what may become a task of a call, and has the call report to it. The call runs with the context: it
// does not end with the request, but with the task's time.
func (m *Server) newTask(ctx context.Context, call *tools.Call) (*task, context.Context) {
	now := time.Now().Truncate(time.Millisecond)
	l := &task{id: tools.DirectRun + rand.Text(), caller: call.Caller, ended: make(chan struct{}),
		now: taskState{At: now},
		req: taskRequest{Tool: call.Tool, Args: call.Args, Raw: lists(call), Caller: runs.StoreCaller(call.Caller),
			Client: call.Client, Created: now, Expires: now.Add(taskLife)}}
	ctx, l.cancel = context.WithDeadline(context.WithoutCancel(ctx), l.req.Expires)
	call.Run = l.id
	m.reportTo(l, call)
	return l, ctx
}

// lists are the arguments as the client wrote them, nil where no list or object is among them: else their order says
// nothing.
func lists(call *tools.Call) json.RawMessage {
	for _, v := range call.Args {
		switch v.(type) {
		case []any, map[string]any:
			return call.Raw
		}
	}
	return nil
}

// reportTo has a call's reports go to its client until that knows of a task. The protocol has none for tasks but their
// state.
func (m *Server) reportTo(l *task, call *tools.Call) {
	progress, log := call.Progress, call.Log
	call.Progress = func(p tools.Progress) {
		if progress != nil && !l.isBegun() {
			progress(p)
		}
		m.tasks.note(l, p)
	}
	call.Log = func(e tools.LogEntry) {
		if log != nil && !l.isBegun() {
			log(e)
		}
	}
}

func (l *task) isBegun() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.begun
}

// startTask calls the tool, in a goroutine that ends with the call.
func (m *Server) startTask(ctx context.Context, l *task, call tools.Call) {
	go func() {
		defer close(l.ended)
		l.res, l.err = m.opt.Tools.Call(ctx, call)
	}()
}

// outlasts reports whether a call became a task: it did not end soon, and there is room for one.
func (m *Server) outlasts(ctx context.Context, l *task) bool {
	soon := time.NewTimer(taskAfter)
	defer soon.Stop()
	select {
	case <-l.ended:
		return false
	case <-ctx.Done():
		return false
	case <-soon.C:
	}
	if m.beginTask(ctx, l) {
		return true
	}
	select {
	case <-l.ended:
	case <-ctx.Done():
	}
	return false
}

// beginTask makes a task of a call, if it can be one.
func (m *Server) beginTask(ctx context.Context, l *task) bool {
	ok, err := m.tasks.begin(ctx, l)
	if err != nil {
		m.log.WarnContext(ctx, "a call could not become a task", "tool", l.req.Tool, "error", err.Error())
	}
	return ok
}

// answeredAtOnce is the answer to a call that ended before it became a task.
func (m *Server) answeredAtOnce(ctx context.Context, l *task, of func() (trip, error)) (*mcp.CallToolResult, error) {
	switch {
	case l.err != nil:
		return m.failed(ctx, l.req.Tool, l.err)
	case l.res.Needs != nil:
		ask, err := m.outgoing(of, l.res.Needs)
		if err != nil {
			return m.failed(ctx, l.req.Tool, err)
		}
		return &mcp.CallToolResult{Result: mcp.Result{ResultType: mcp.ResultTypeInputRequired},
			MultiRoundTripResult: *ask}, nil
	}
	return m.result(callerOf(ctx), l.req.Tool, l.res)
}

// ending makes the end of a task of what its call gave: what the call would have been answered with.
func (m *Server) ending(ctx context.Context, tool string) func(tools.Result, error) taskEnd {
	return func(res tools.Result, err error) taskEnd {
		var out *mcp.CallToolResult
		if err != nil {
			out, err = m.failed(ctx, tool, err)
		} else {
			out, err = m.result(callerOf(ctx), tool, res)
		}
		var raw []byte
		if err == nil {
			out.ResultType = mcp.ResultTypeComplete
			raw, err = json.Marshal(out)
		}
		if err == nil && len(raw) > maxTaskResult {
			err = &rpcError{code: mcp.INTERNAL_ERROR,
				text: fmt.Sprintf("The result of %s is larger than the %d MiB that a task keeps. Ask for less.", tool,
					maxTaskResult>>20)}
		}
		if err == nil {
			return taskEnd{Status: taskCompleted, Result: raw}
		}
		wrong := m.refusal(ctx, "a task failed", tool, err)
		return taskEnd{Status: taskFailed, Message: wrong.text, Error: &taskError{wrong.code, wrong.text, wrong.data}}
	}
}

// updateTask takes answers to what a task of the caller's asks, and has it go on when it has all of them.
func (m *Server) updateTask(ctx context.Context, id string, answers mcp.InputResponses) error {
	caller := callerOf(ctx)
	for range maxReopens {
		v, err := m.tasks.find(ctx, caller.ID, id)
		if err != nil {
			return err
		}
		if !v.end.take(answers) {
			return nil // nothing that it asks
		}
		err = m.tasks.log.ReopenRun(ctx, caller.ID, id, v.end.storedStatus(), 0)
		if err == nil {
			m.goOnTask(ctx, v)
		}
		if !errors.Is(err, fs.ErrExist) { // somebody else had an answer in the same moment
			return err
		}
	}
	return fmt.Errorf("task %s is being changed by others; try again", id)
}

// goOnTask has a task go on that is this process's now: it waits for the rest of its answers, or its tool is called
// again with them.
func (m *Server) goOnTask(ctx context.Context, v view) {
	caller := callerOf(ctx)
	if len(v.end.Asks) > 0 {
		v.end.Parked++
		m.tasks.write(ctx, caller.ID, v.id, v.end)
		return
	}
	if m.callTask(ctx, caller, v) {
		m.tasks.changed(caller.ID, v.id)
		return
	}
	m.tasks.write(ctx, caller.ID, v.id, interruptedTask(v.req.Tool, ""))
}

// callTask calls the tool of a task that is this process's now, with the answers that the task has. It reports false
// where the program ends.
func (m *Server) callTask(ctx context.Context, caller access.Caller, v view) bool {
	l := &task{id: v.id, caller: caller, req: v.req, begun: true, ended: make(chan struct{}),
		now: taskState{At: time.Now(), Begun: v.begun, Deaths: v.deaths}}
	if v.end.Round > 0 {
		l.now.Asked = &v.end
	}
	ctx, l.cancel = context.WithDeadline(context.WithoutCancel(ctx), v.req.Expires)
	if !m.tasks.admit(l) {
		l.cancel()
		return false
	}
	m.tasks.save(v.id, l.now)
	call := tools.Call{Caller: caller, Tool: v.req.Tool, Args: v.req.Args, Raw: v.req.Raw, Run: v.id, Approve: true,
		Client: clientOf(ctx), Answers: v.end.Answers, State: v.end.State}
	m.reportTo(l, &call)
	m.startTask(ctx, l, call)
	go m.tasks.conclude(l, m.ending(ctx, v.req.Tool))
	return true
}

// callAgain has a task go on whose process is gone, if its tool only reads or may be called again.
func (m *Server) callAgain(v view) bool {
	if v.req.Caller == nil || !time.Now().Before(v.req.Expires) {
		return false
	}
	caller, err := m.opt.CallerNow(context.Background(), *v.req.Caller)
	if err != nil {
		m.log.Warn("a task cannot be gone on with", "task", v.id, "error", err.Error())
		return false
	}
	for _, t := range m.opt.Tools.List(caller) {
		a := t.Def.Annotations
		if t.Def.Name == v.req.Tool && (hinted(a.ReadOnlyHint) || hinted(a.IdempotentHint)) {
			m.log.Warn("a task whose process is gone goes on here", "task", v.id, "attempt", v.begun+1)
			ctx := server.WithCaller(context.Background(), caller)
			ctx = mcpserver.WithRequestProtocolInfo(ctx,
				&mcpserver.RequestProtocolInfo{Modern: true, ProtocolVersion: mcp.ProtocolVersion20260728,
					ClientCapabilities: v.req.Client})
			return m.callTask(ctx, caller, v)
		}
	}
	return false
}

// take takes the answers to questions that are open, and reports whether there were any.
func (e *taskEnd) take(answers mcp.InputResponses) bool {
	taken := false
	for key, answer := range answers {
		if _, open := e.Asks[key]; !open {
			continue
		}
		if e.Answers == nil {
			e.Answers = mcp.InputResponses{}
		}
		e.Answers[key[len(askKey(e.Round, "")):]] = answer
		delete(e.Asks, key)
		taken = true
	}
	return taken
}

// hinted reports whether a tool's annotation is there and true.
func hinted(hint *bool) bool { return hint != nil && *hint }
