package tools_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"catena/tools"
)

// journal keeps entries in memory.
type journal struct {
	mu      sync.Mutex
	entries []string
	fail    error
	calls   map[string]*journaled // by run and step
}

type journaled struct {
	step, tool, hash, status string
	attempts                 int
	result                   []byte
}

func (j *journal) Begin(_ context.Context, run, step, tool, hash string, readOnly bool) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.entries = append(j.entries, fmt.Sprintf("begin %s %s %s %d %v", run, step, tool, len(hash), readOnly))
	if j.calls == nil {
		j.calls = map[string]*journaled{}
	}
	c := &journaled{step: step, tool: tool, hash: hash, status: "started", attempts: 1}
	if was := j.calls[run+" "+step]; was != nil {
		c.attempts = was.attempts + 1
	}
	j.calls[run+" "+step] = c
	return j.fail
}

func (j *journal) Calls(_ context.Context, run string, each func(step, tool, argsHash, status string, attempts int, result []byte) error) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	for key, c := range j.calls {
		if strings.HasPrefix(key, run+" ") {
			if err := each(c.step, c.tool, c.hash, c.status, c.attempts, c.result); err != nil {
				return err
			}
		}
	}
	return nil
}

func (j *journal) End(ctx context.Context, run, step, status string, _ time.Duration, result []byte) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.entries = append(j.entries, fmt.Sprintf("end %s %s %s", run, step, status))
	c := j.calls[run+" "+step]
	c.status, c.result = status, result
	return ctx.Err()
}

func TestJournal(t *testing.T) {
	j := &journal{}
	var calls []string
	r := registry(t, tools.Options{Journal: j, Hooks: tools.Hooks{Called: func(_ context.Context, c tools.Call, _ tools.Tool, res tools.Result, err error, _ time.Duration) {
		calls = append(calls, fmt.Sprint(c.Tool, " ", res.IsError, " ", err != nil))
	}}}, quick("echo", echo), quick("bad", func(context.Context, tools.Call) (tools.Result, error) { return tools.Failed("x", "no"), nil }))
	for _, c := range []tools.Call{{Tool: "echo", Run: "r1", Step: "s1"}, {Tool: "bad", Run: "r1", Step: "s2#3"}, {Tool: "echo"}} {
		c.Caller = ann
		if _, err := r.Call(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := r.Call(t.Context(), tools.Call{Caller: ann, Tool: "echo", Run: "call_named"}); err != nil {
		t.Fatal(err)
	}
	if c := j.calls["call_named s1"]; c == nil || c.result != nil {
		t.Errorf("a direct call with an id: %+v", c)
	}
	direct := regexp.MustCompile("call_[0-9a-z]{9}[A-Z2-7]{26}")
	for i, e := range j.entries {
		j.entries[i] = direct.ReplaceAllString(e, "call_x")
	}
	want := []string{"begin r1 s1 echo 64 true", "end r1 s1 done", "begin r1 s2#3 bad 64 true", "end r1 s2#3 failed",
		"begin call_x s1 echo 64 true", "end call_x s1 done", "begin call_named s1 echo 64 true", "end call_named s1 done"}
	if d := cmp.Diff(want, j.entries); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"echo false false", "bad true false", "echo false false", "echo false false"}, calls); d != "" {
		t.Error(d)
	}
	j.fail = errors.New("disk full")
	ran := false
	r = registry(t, tools.Options{Journal: j}, quick("echo", func(context.Context, tools.Call) (tools.Result, error) { ran = true; return tools.Result{}, nil }))
	if _, err := r.Call(t.Context(), tools.Call{Caller: ann, Tool: "echo", Run: "r2", Step: "s1"}); err == nil || ran {
		t.Errorf("a call that could not be journaled ran: %v", err)
	}
}

// Each call outside of a run has an entry of its own.
func TestJournalDirectCalls(t *testing.T) {
	j := &journal{}
	r := registry(t, tools.Options{Journal: j}, quick("echo", echo))
	runs := map[string]bool{}
	for range 3 {
		if _, err := r.Call(t.Context(), tools.Call{Caller: ann, Tool: "echo"}); err != nil {
			t.Fatal(err)
		}
	}
	for _, e := range j.entries {
		runs[strings.Fields(e)[1]] = true
	}
	if len(j.entries) != 6 || len(runs) != 3 {
		t.Errorf("%q", j.entries)
	}
	j.fail = errors.New("disk full")
	if _, err := r.Call(t.Context(), tools.Call{Caller: ann, Tool: "echo"}); err == nil {
		t.Error("a call that could not be journaled ran")
	}
}
