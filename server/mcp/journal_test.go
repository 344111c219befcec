package mcp

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/server/servertest"
	"catena/tools"
)

// journal keeps what was begun and ended, by run.
type journal struct {
	mu   sync.Mutex
	runs map[string][]string
}

func (j *journal) note(run, what string) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.runs[run] = append(j.runs[run], what)
	return nil
}

func (j *journal) Begin(_ context.Context, run, _, tool, _ string, _ bool) error {
	return j.note(run, "begin "+tool)
}

func (j *journal) End(_ context.Context, run, _, status string, _ time.Duration, _ []byte) error {
	return j.note(run, "end "+status)
}

func (j *journal) Calls(context.Context, string, func(step, tool, argsHash, status string, attempts int, result []byte) error) error {
	return nil
}

// Calls that clients make are journaled, whichever way they come.
func TestDirectCallsAreJournaled(t *testing.T) {
	j := &journal{runs: map[string][]string{}}
	reg := tools.NewRegistry(tools.Options{Journal: j})
	write := tools.Tool{Def: mcp.Tool{Name: "write", RawInputSchema: []byte(`{"type":"object"}`), Annotations: mcp.ToolAnnotation{DestructiveHint: servertest.Ptr(false)}},
		Toolset: "own", Handler: func(context.Context, tools.Call) (tools.Result, error) { return tools.Result{Text: "written"}, nil }}
	if err := reg.Register(write); err != nil {
		t.Fatal(err)
	}
	s, h, _ := newTest(t, func(o *testOptions) { o.Tools = reg })
	calls := 0
	for path, body := range map[string]string{"/api/v1/tools/write": `{}`, "/execute": `{"tool_name":"write"}`} {
		if status, _, text := servertest.Ask(t, "POST", h.URL+path, body); status != 200 || !strings.Contains(text, "written") {
			t.Errorf("%s: %d %s", path, status, text)
		}
		calls++
	}
	for _, kind := range []string{"streamable", "sse", "stdio"} {
		c := connect(t, kind, s, h.URL)
		if _, err := c.Initialize(t.Context(), mcp.InitializeRequest{}); err != nil {
			t.Fatal(err)
		}
		if res := callTool(t.Context(), t, c, "write", nil); textIn(res) != "written" {
			t.Errorf("%s: %+v", kind, res)
		}
		calls++
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(j.runs) != calls {
		t.Errorf("%d of %d calls have a run of their own: %v", len(j.runs), calls, j.runs)
	}
	for run, entries := range j.runs {
		if !strings.HasPrefix(run, tools.DirectRun) || strings.Join(entries, ", ") != "begin write, end done" {
			t.Errorf("%s: %q", run, entries)
		}
	}
}
