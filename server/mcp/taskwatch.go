package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"time"

	"catena/tools"
)

// stopCancelled stops the tasks of this process for which somebody called cancel at another.
func (t *Tasks) stopCancelled(ctx context.Context) {
	t.mu.Lock()
	ids := slices.Collect(maps.Keys(t.live))
	t.mu.Unlock()
	list, err := t.log.CancelledRuns(ctx, ids)
	if err != nil && ctx.Err() == nil {
		t.report.WarnContext(ctx, "tasks that were cancelled elsewhere could not be looked for", "error", err.Error())
	}
	for _, id := range list {
		if l := t.running(id); l != nil {
			l.stop()
		}
	}
}

// stop has the client's wish to end a task reach its tool.
func (l *task) stop() {
	l.mu.Lock()
	l.stopped = true
	l.mu.Unlock()
	l.cancel()
}

// leave ends a task because the process does.
func (l *task) leave() {
	l.mu.Lock()
	l.left = true
	l.mu.Unlock()
	l.cancel()
}

// cancel ends a task of an owner's, wherever it is under way. One that has ended stays as it is.
func (t *Tasks) cancel(ctx context.Context, owner, id string) error {
	for range maxReopens {
		v, err := t.find(ctx, owner, id)
		if err != nil {
			return err
		}
		switch v.end.Status {
		case taskWorking:
			if l := t.running(id); l != nil {
				l.stop()
				return nil
			}
			if err = t.log.CancelRun(ctx, owner, id); errors.Is(err, fs.ErrNotExist) {
				return errNoTask
			}
			return err
		case taskAsks:
			err = t.log.ReopenRun(ctx, owner, id, v.end.storedStatus(), 0)
			if errors.Is(err, fs.ErrExist) {
				continue // an answer came
			}
			if err == nil {
				t.write(ctx, owner, id, taskEnd{Status: taskCancelled, Message: "The client cancelled it."})
			}
			return err
		default:
			return nil
		}
	}
	return fmt.Errorf("task %s is being changed by others; try again", id)
}

// maxReopens is how often a change of a waiting task is tried when others change it in the same moment.
const maxReopens = 5

// TakeOver has a task go on that its process left open, and that is this process's now, where its tool only reads or
// may be called again; any other ends, and says what is not known. It is for runs.Options.Call.
func (t *Tasks) TakeOver(ctx context.Context, id string) (goesOn bool, err error) {
	v := view{id: id}
	owner, _, request, err := t.log.Accepted(ctx, id)
	if err == nil {
		err = readKeptJSON(request, &v.req)
	}
	var now taskState
	if err == nil {
		var raw []byte
		if raw, err = t.log.State(ctx, id); err == nil && len(raw) > 0 {
			err = readKeptJSON(raw, &now)
		}
	}
	was := ""
	if err == nil {
		err = t.log.Calls(ctx, id, func(_, _, _, status string, attempts int, _ []byte) error {
			was, v.begun = status, attempts
			return nil
		})
	}
	if err != nil {
		return false, fmt.Errorf("task %s: %w", id, err)
	}
	if now.Asked != nil {
		v.end = *now.Asked
	}
	if v.deaths = now.diedDuring(was, v.begun); v.deaths >= maxTaskDeaths {
		t.report.Error("a task is not called again: two processes died during its call", "task", id, "tool", v.req.Tool)
		t.write(ctx, owner, id, poisonedTask(v.req.Tool))
		return false, nil
	}
	if t.again(v) {
		return true, nil
	}
	t.write(ctx, owner, id, interruptedTask(v.req.Tool, was))
	return false, nil
}

// maxTaskDeaths is how many owners of a task may die during its call, one after the other.
const maxTaskDeaths = 2

// diedDuring counts the owners of a task that died during its call, one after the other. status is what the journal has
// of the call, and begun how often it was begun; an owner that did not come to it says nothing.
func (s taskState) diedDuring(status string, begun int) int {
	switch {
	case status == "" || begun == s.Begun:
		return s.Deaths
	case status == string(tools.StepStarted):
		return s.Deaths + 1
	}
	return 0
}

// Close takes no more tasks and waits for those under way until ctx ends; then it ends them, or leaves them to other
// processes.
func (t *Tasks) Close(ctx context.Context) error {
	t.mu.Lock()
	if !t.closed {
		t.closed = true
		close(t.ending)
	}
	t.mu.Unlock()
	idle := make(chan struct{})
	go func() {
		t.all.Wait()
		close(idle)
	}()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
	}
	t.mu.Lock()
	rest := slices.Collect(maps.Values(t.live))
	t.mu.Unlock()
	for _, l := range rest {
		l.leave()
	}
	late := time.NewTimer(taskLogTimeout)
	defer late.Stop()
	select {
	case <-idle:
		return nil
	case <-late.C:
		return fmt.Errorf("server: %d tasks did not end when cancelled", len(rest))
	}
}

// note takes the progress of a task. It is written down once a second, for other processes to tell.
func (t *Tasks) note(l *task, p tools.Progress) {
	text := p.Message
	if text == "" && p.Total > 0 {
		text = fmt.Sprintf("%v of %v", p.Done, p.Total)
	}
	l.mu.Lock()
	l.now.Message, l.now.At = cmp.Or(text, l.now.Message), time.Now()
	now, due := l.now, l.begun && time.Since(l.saved) > time.Second
	if due {
		l.saved = now.At
	}
	l.mu.Unlock()
	if !due {
		return
	}
	t.save(l.id, now)
	t.changed(l.caller.ID, l.id)
}

// save keeps how far a task is.
func (t *Tasks) save(id string, now taskState) {
	raw, err := json.Marshal(now)
	if err == nil {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		err = t.log.SaveState(ctx, id, raw)
	}
	if err != nil {
		t.report.Debug("a task's progress could not be kept", "task", id, "error", err.Error())
	}
}
