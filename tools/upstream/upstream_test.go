package upstream

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/mark3labs/mcp-go/mcp"

	"catena/internal/access"
	"catena/tools"
)

// start runs one server in a mode and waits for its first attempt.
func start(t *testing.T, mode string, pause time.Duration) (*tools.Registry, *Servers) {
	t.Helper()
	reg := tools.NewRegistry(tools.Options{})
	s, err := New(reg, quiet, Config{Name: "tiny", Command: os.Args[0], Env: map[string]string{"CATENA_TEST_SERVER": mode}})
	if err != nil {
		t.Fatal(err)
	}
	s.pause = func(int) time.Duration { return pause }
	s.Start(t.Context())
	t.Cleanup(func() { _ = s.Close() })
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if err := s.Wait(ctx); err != nil {
		t.Fatal(err)
	}
	return reg, s
}

var quiet = Options{Log: slog.New(slog.DiscardHandler)}

func do(t *testing.T, reg *tools.Registry, tool string, args map[string]any) tools.Result {
	t.Helper()
	res, err := reg.Call(t.Context(), tools.Call{Caller: access.Local("test"), Tool: tool, Args: args})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	return res
}

func TestReexport(t *testing.T) {
	reg, _ := start(t, "plain", time.Hour)
	var names []string
	for _, tool := range reg.List(access.Local("test")) {
		names = append(names, tool.Def.Name)
	}
	want := []string{"tiny__asked", "tiny__deep", "tiny__die", "tiny__env", "tiny__fail", "tiny__flood", "tiny__huge", "tiny__hush", "tiny__links", "tiny__meta", exportName("tiny", "odd name!"), "tiny__picture", "tiny__pid", "tiny__progress", "tiny__refuse", "tiny__restless", "tiny__rows", "tiny__slow", "tiny__text_rows", "tiny__touch", "tiny__tricky"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("tools (-want +got):\n%s", diff)
	}
	tricky, ok := reg.Lookup("tiny:tricky")
	if !ok {
		t.Fatal("the alias tiny:tricky is unknown")
	}
	if got := string(tricky.Def.RawInputSchema); got != trickySchema {
		t.Errorf("the schema changed:\n got %s\nwant %s", got, trickySchema)
	}
	if tricky.Def.Annotations.ReadOnlyHint == nil || !*tricky.Def.Annotations.ReadOnlyHint {
		t.Error("readOnlyHint was lost")
	}
	if down := reg.Down(); len(down) != 0 {
		t.Errorf("down: %v", down)
	}
}

func TestResults(t *testing.T) {
	reg, _ := start(t, "plain", time.Hour)
	res := do(t, reg, "tiny__tricky", map[string]any{"n": json.Number("9007199254740993")})
	b, _ := json.Marshal(res.Structured)
	if string(b) != `{"args":{"n":9007199254740993}}` || res.Text != "got it" || !res.Untrusted {
		t.Errorf("structured %s, text %q, untrusted %v", b, res.Text, res.Untrusted)
	}
	res = do(t, reg, "tiny__rows", nil)
	if res.Table == nil || res.Handle == "" {
		t.Fatalf("no table: %+v", res)
	}
	if diff := cmp.Diff([]string{"z", "a"}, res.Table.Names()); diff != "" {
		t.Errorf("columns (-want +got):\n%s", diff)
	}
	if got := res.Table.Value(0, 1).Text(); got != "01" {
		t.Errorf("leading zero lost: %q", got)
	}
	res = do(t, reg, "tiny__text_rows", nil)
	if res.Table == nil || res.Table.Value(0, 0).Text() != "9007199254740993" {
		t.Errorf("a list in a text gave %+v", res)
	}
	res = do(t, reg, "tiny__picture", nil)
	if len(res.Charts) != 1 || string(res.Charts[0].PNG) != "\x89PNG\r\n\x1a\n" || res.Charts[0].Media != "image/png" {
		t.Errorf("charts %+v", res.Charts)
	}
	if res = do(t, reg, "tiny__fail", nil); !res.IsError || res.Text != "no such file" {
		t.Errorf("fail gave %+v", res)
	}
	if res = do(t, reg, "tiny__refuse", nil); !res.IsError || res.Code != "upstream_refused" {
		t.Errorf("refuse gave %+v", res)
	}
}

// Who is told of calls adds to a request's _meta, and hears how it ended.
func TestRequesting(t *testing.T) {
	reg := tools.NewRegistry(tools.Options{})
	o := quiet
	var told []string
	o.Requesting = func(ctx context.Context, server, method, tool string, set func(key, value string)) (context.Context, func(string)) {
		set("traceparent", "00-1-2-01")
		return ctx, func(failed string) { told = append(told, server+" "+method+" "+tool+" "+failed) }
	}
	s, err := New(reg, o, Config{Name: "tiny", Command: os.Args[0], Env: map[string]string{"CATENA_TEST_SERVER": "plain"}})
	if err != nil {
		t.Fatal(err)
	}
	s.Start(t.Context())
	defer s.Close()
	if err := s.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	if res := do(t, reg, "tiny__meta", nil); !strings.Contains(res.Text, `"traceparent":"00-1-2-01"`) {
		t.Errorf("the request had %s", res.Text)
	}
	do(t, reg, "tiny__fail", nil)
	do(t, reg, "tiny__refuse", nil)
	if diff := cmp.Diff([]string{"tiny tools/call meta ", "tiny tools/call fail upstream_error", "tiny tools/call refuse upstream_refused"}, told); diff != "" {
		t.Error(diff)
	}
}

func TestProgress(t *testing.T) {
	reg, _ := start(t, "plain", time.Hour)
	got := make(chan tools.Progress, 1)
	_, err := reg.Call(t.Context(), tools.Call{Caller: access.Local("test"), Tool: "tiny__progress", Progress: func(p tools.Progress) { got <- p }})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(tools.Progress{Done: 1, Total: 2, Message: "half"}, <-got); diff != "" {
		t.Error(diff)
	}
}

// A list of tools that goes round in a circle, and an answer nested without measure, end with a reason, not with the program.
func TestBombs(t *testing.T) {
	reg, _ := start(t, "circle", time.Hour)
	if down := reg.Down()["tiny"]; !strings.Contains(down, "names itself") {
		t.Errorf("down: %q", down)
	}
	reg, _ = start(t, "plain", time.Hour)
	res, err := reg.Call(t.Context(), tools.Call{Caller: access.Local("test"), Tool: "tiny__deep"})
	if err != nil || !res.IsError || !strings.Contains(res.Text, "nested deeper") {
		t.Errorf("an answer of 100,000 levels gave %.200v %v", res.Text, err)
	}
}

// floodOf is how many reports a server sends that knows no measure.
const floodOf = 2000

// A server that reports without measure is heard a few times, and its result comes.
func TestProgressFlood(t *testing.T) {
	reg, _ := start(t, "plain", time.Hour)
	var heard atomic.Int64
	res, err := reg.Call(t.Context(), tools.Call{Caller: access.Local("test"), Tool: "tiny__flood", Progress: func(tools.Progress) { heard.Add(1) }})
	if err != nil || res.Text != "done" {
		t.Fatalf("%+v, %v", res, err)
	}
	if n := heard.Load(); n < tools.ProgressRate || n > floodOf/2 {
		t.Errorf("%d of %d reports were heard", n, floodOf)
	}
}

func TestEnvironmentHasNoKeys(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "not-for-servers")
	reg, _ := start(t, "plain", time.Hour)
	b, _ := json.Marshal(do(t, reg, "tiny__env", nil).Structured)
	if strings.Contains(string(b), "not-for-servers") || !strings.Contains(string(b), "CATENA_TEST_SERVER=plain") {
		t.Errorf("environment: %s", b)
	}
}

func TestCancel(t *testing.T) {
	reg, _ := start(t, "plain", time.Hour)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := reg.Call(ctx, tools.Call{Caller: access.Local("test"), Tool: "tiny__slow"})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if ok() {
			return
		}
	}
	t.Fatalf("never: %s", what)
}

func TestBackByItself(t *testing.T) {
	for _, how := range []string{"tiny__die", "tiny__huge"} {
		t.Run(how, func(t *testing.T) {
			reg, _ := start(t, "plain", time.Millisecond)
			if res := do(t, reg, how, nil); res.Code != tools.CodeUnavailable {
				t.Errorf("the dying call gave %+v", res)
			}
			eventually(t, "the server is back", func() bool {
				res, err := reg.Call(t.Context(), tools.Call{Caller: access.Local("test"), Tool: "tiny__rows"})
				return err == nil && res.Table != nil
			})
			eventually(t, "nothing is down", func() bool { return len(reg.Down()) == 0 })
		})
	}
}

func TestDownIsSaid(t *testing.T) {
	reg, _ := start(t, "dies", time.Hour)
	if why := reg.Down()["tiny"]; why == "" {
		t.Error("a server that exits is not down")
	}
	reg = tools.NewRegistry(tools.Options{})
	s, err := New(reg, quiet, Config{Name: "gone", Command: "no-such-program-here"})
	if err != nil {
		t.Fatal(err)
	}
	s.pause = func(int) time.Duration { return time.Hour }
	s.Start(t.Context())
	defer func() { _ = s.Close() }()
	if err := s.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	if why := reg.Down()["gone"]; !strings.Contains(why, "no-such-program-here") {
		t.Errorf("reason %q", why)
	}
}

func TestStartDoesNotWait(t *testing.T) {
	reg := tools.NewRegistry(tools.Options{})
	s, err := New(reg, quiet, Config{Name: "mute", Command: os.Args[0], Env: map[string]string{"CATENA_TEST_SERVER": "mute"}})
	if err != nil {
		t.Fatal(err)
	}
	s.Start(t.Context())
	if reg.Down()["mute"] == "" {
		t.Error("a server that has not answered is not noted as down")
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func TestConfigChecks(t *testing.T) {
	for _, c := range []Config{{Name: "a b", Command: "x"}, {Name: "a__b", Command: "x"}, {Name: "ok"}, {Name: "", Command: "x"}, {Name: "ok", Command: "x", Timeout: -1}, {Name: "ok", Command: "x", Deny: []string{"["}}} {
		if _, err := New(tools.NewRegistry(tools.Options{}), Options{}, c); err == nil {
			t.Errorf("%+v was accepted", c)
		}
	}
	if _, err := New(tools.NewRegistry(tools.Options{}), Options{}, Config{Name: "a", Command: "x"}, Config{Name: "a", Command: "y"}); err == nil {
		t.Error("a name that stands twice was accepted")
	}
}

// A server that is named like a toolset of our own would answer to the names of its tools.
func TestConfigNamesOfOurs(t *testing.T) {
	reg := tools.NewRegistry(tools.Options{})
	nothing := func(context.Context, tools.Call) (tools.Result, error) { return tools.Result{}, nil }
	if err := reg.Register(tools.Tool{Def: mcp.NewToolWithRawSchema("x", "X.", json.RawMessage(`{"type":"object"}`)), Toolset: "own", Handler: nothing}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"core", "crm", "data", "metric", "own"} {
		_, err := New(reg, Options{}, Config{Name: name, Command: "x"})
		if err == nil || !strings.Contains(err.Error(), "my-"+name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
