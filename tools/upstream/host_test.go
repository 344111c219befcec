package upstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"catena/internal/access"
	"catena/tools"
)

// told is a registry that remembers which URIs changed.
type told struct {
	*tools.Registry
	mu   sync.Mutex
	uris []string
}

func (r *told) Updated(_, uri string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.uris = append(r.uris, uri)
}

func (r *told) has(uri string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Contains(r.uris, uri)
}

// tiny is the configuration of a test server whose lists are in a file, so that a test can change them.
func tiny(mode string, env ...string) Config {
	c := Config{Name: "tiny", Command: os.Args[0], Env: map[string]string{"CATENA_TEST_SERVER": mode}}
	for i := 0; i+1 < len(env); i += 2 {
		c.Env[env[i]] = env[i+1]
	}
	return c
}

func run(t *testing.T, reg Registry, opt Options, configs ...Config) *Servers {
	t.Helper()
	opt.Log = quiet.Log
	s, err := New(reg, opt, configs...)
	if err != nil {
		t.Fatal(err)
	}
	s.pause, s.tick = func(int) time.Duration { return time.Millisecond }, 50*time.Millisecond
	s.Start(t.Context())
	t.Cleanup(func() { _ = s.Close() })
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if err := s.Wait(ctx); err != nil {
		t.Fatal(err)
	}
	return s
}

func names(reg *tools.Registry) string {
	var out []string
	for _, t := range reg.List(access.Local("test")) {
		out = append(out, t.Def.Name)
	}
	return strings.Join(out, " ")
}

func status(t *testing.T, reg *tools.Registry, name string) tools.ServerStatus {
	t.Helper()
	for _, s := range reg.Servers() {
		if s.Name == name {
			return s
		}
	}
	t.Fatalf("nothing is known of %s", name)
	return tools.ServerStatus{}
}

const readTool = `{"name":"read","description":"Reads.","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}`

// Servers that did not change stay up, those that did are started anew, and a broken configuration changes nothing.
func TestApply(t *testing.T) {
	reg := tools.NewRegistry(tools.Options{})
	a, b, gone := tiny("plain"), tiny("plain"), tiny("plain")
	a.Name, b.Name, gone.Name = "a", "b", "gone"
	a.Allow, b.Allow, gone.Allow = []string{"pid"}, []string{"pid", "rows"}, []string{"pid"}
	s := run(t, reg, Options{}, a, b, gone)
	pid := func(server string) string {
		t.Helper()
		return do(t, reg, server+"__pid", nil).Text
	}
	beforeA, beforeB := pid("a"), pid("b")
	broken := b
	broken.Timeout = -1
	if _, err := s.Apply(a, broken); err == nil || pid("b") != beforeB || pid("gone") == "" {
		t.Errorf("a broken configuration was applied: %v", err)
	}
	b.Allow = []string{"pid"}
	fresh := tiny("plain")
	fresh.Name, fresh.Allow = "fresh", []string{"pid"}
	changed, err := s.Apply(fresh, b, a)
	if err != nil || !slices.Equal(changed, []string{"b", "fresh", "gone"}) {
		t.Fatalf("%v, %v", changed, err)
	}
	if got := pid("b"); got == beforeB { // waits for the new process
		t.Error("a server that changed was not started anew")
	}
	if pid("a") != beforeA {
		t.Error("a server that did not change was started anew")
	}
	eventually(t, "the new server is there", func() bool { return names(reg) == "a__pid b__pid fresh__pid" })
	if len(reg.Servers()) != 3 {
		t.Errorf("servers %+v", reg.Servers())
	}
	wrong := a
	wrong.Problem = "It wants a variable."
	if _, err := s.Apply(wrong); err != nil || names(reg) != "" || reg.Down()["a"] != wrong.Problem || len(reg.Servers()) != 1 {
		t.Errorf("%v: %s, %v", err, names(reg), reg.Servers())
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if _, err := s.Apply(a); err == nil {
		t.Error("servers that are closed were started")
	}
}

// A lazy server that is known is started by the first call.
func TestLazy(t *testing.T) {
	records, mark := &memory{}, filepath.Join(t.TempDir(), "started")
	c := tiny("plain", "MARK", mark)
	c.Lazy = true
	reg := tools.NewRegistry(tools.Options{})
	s := run(t, reg, Options{Records: records}, c)
	if _, err := os.Stat(mark); err != nil {
		t.Errorf("one that is not known must be started to be known: %v", err)
	}
	if err := errors.Join(s.Close(), os.Remove(mark)); err != nil {
		t.Fatal(err)
	}
	reg = tools.NewRegistry(tools.Options{})
	run(t, reg, Options{Records: records}, c)
	if got := status(t, reg, "tiny"); got.Phase != tools.PhaseIdle || got.Tools == 0 || len(reg.Down()) != 0 {
		t.Errorf("status %+v", got)
	}
	if tool, ok := reg.Lookup("tiny__tricky"); !ok || string(tool.Def.RawInputSchema) != trickySchema {
		t.Errorf("the schema that was kept: %s", tool.Def.RawInputSchema)
	}
	if _, err := os.Stat(mark); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it was started without need: %v", err)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if res := do(t, reg, "tiny__rows", nil); res.Table == nil {
				t.Errorf("the first calls: %+v", res)
			}
		})
	}
	wg.Wait()
	if got := status(t, reg, "tiny"); got.Phase != tools.PhaseReady || got.Restarts != 0 {
		t.Errorf("status %+v", got)
	}
}

// What a server has beside tools is read through it, under names and URIs of ours, and changes are told to who has subscribed, also
// after the server was started anew.
func TestPromptsAndResources(t *testing.T) {
	reg := &told{Registry: tools.NewRegistry(tools.Options{})}
	run(t, reg, Options{}, tiny("plain"))
	me := access.Local("test")
	const uri = "mcp://tiny/note://one"
	read := func(uri string) string {
		t.Helper()
		out, err := reg.ReadResource(t.Context(), me, uri)
		if err != nil {
			t.Fatalf("%s: %v", uri, err)
		}
		b, _ := json.Marshal(out)
		return string(b)
	}
	if got := read(uri); got != `[{"uri":"`+uri+`","mimeType":"text/plain","text":"one"}]` {
		t.Errorf("resource: %s", got)
	}
	if got := read("mcp://tiny/note://by/seven"); !strings.Contains(got, `"uri":"mcp://tiny/note://by/seven"`) {
		t.Errorf("of a template: %s", got)
	}
	if err := reg.HasResource(t.Context(), me, "mcp://tiny/note://by/none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what the server does not have: %v", err)
	}
	if got := read("mcp://tiny/file:///not/listed"); !strings.Contains(got, `"text":"listed"`) || !strings.Contains(got, `"uri":"mcp://tiny/file:///not/listed"`) {
		t.Errorf("what is not listed: %s", got)
	}
	if _, err := reg.ReadResource(t.Context(), me, "mcp://other/file:///not/listed"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("of a server that there is not: %v", err)
	}
	if got := read("ui://tiny/tiny/view.html"); !strings.Contains(got, `"uri":"ui://tiny/tiny/view.html"`) || !strings.Contains(got, `"text":"view.html"`) {
		t.Errorf("a view: %s", got)
	}
	if all := reg.Resources(me); len(all) != 4 || all[2].Under != "mcp://tiny/" {
		t.Errorf("resources %v", all)
	}
	got, err := reg.GetPrompt(t.Context(), "tiny__greet", tools.PromptCall{Caller: me, Args: map[string]string{"who": "Ann"}})
	if err != nil {
		t.Fatal(err)
	}
	b, _ := json.Marshal(got.Messages)
	if !strings.Contains(string(b), "Hello Ann") || !strings.Contains(string(b), `"uri":"mcp://tiny/note://one"`) {
		t.Errorf("prompt: %s", b)
	}
	var arg *tools.ArgumentError
	if _, err := reg.GetPrompt(t.Context(), "tiny__greet", tools.PromptCall{Caller: me}); !errors.As(err, &arg) {
		t.Errorf("without what is required: %v", err)
	}
	for ref, prompt := range map[string]bool{"tiny__greet": true, "mcp://tiny/note://by/{n}": false} {
		got, err := reg.Complete(t.Context(), ref, prompt, tools.CompleteCall{Caller: me, Argument: "who", Value: "m"})
		if err != nil || !slices.Equal(got.Values, []string{"ann", "amy"}) || got.Total != 7 || !got.HasMore { // the server knows what fits
			t.Errorf("%s: %+v, %v", ref, got, err)
		}
	}
	if res := do(t, reg.Registry, "tiny__links", nil); fmt.Sprint(res.Content) == "[]" || !strings.Contains(fmt.Sprint(res.Content), "mcp://tiny/note://one") || strings.Contains(fmt.Sprint(res.Content), "mcp://tiny/https") {
		t.Errorf("links of a result: %v", res.Content)
	}
	if b, err := json.Marshal(do(t, reg.Registry, "tiny__links", nil).Content); err != nil || strings.Contains(string(b), `""`) || !strings.Contains(string(b), `"type":"resource_link"`) {
		t.Errorf("links of a result are %s, %v", b, err)
	}
	if err := reg.CanSubscribe(t.Context(), me, uri); err != nil {
		t.Error(err)
	}
	reg.Subscribed(uri, true)
	eventually(t, "the subscription arrives", func() bool { return do(t, reg.Registry, "tiny__touch", nil).Text == "1" && reg.has(uri) })
	do(t, reg.Registry, "tiny__die", nil)
	eventually(t, "it is subscribed to again", func() bool {
		res, err := reg.Call(t.Context(), tools.Call{Caller: me, Tool: "tiny__touch"})
		return err == nil && res.Text == "1"
	})
	reg.Subscribed(uri, false)
	eventually(t, "the end of it arrives", func() bool { return do(t, reg.Registry, "tiny__touch", nil).Text == "0" })
}

// A list that changes without end is asked for now and then.
func TestListsThatChange(t *testing.T) {
	reg := tools.NewRegistry(tools.Options{})
	run(t, reg, Options{}, tiny("plain"))
	if res := do(t, reg, "tiny__restless", nil); res.Text != "done" {
		t.Fatalf("%+v", res)
	}
	eventually(t, "the new list is there", func() bool { return strings.Contains(names(reg), "tiny__late") })
	if res := do(t, reg, "tiny__asked", nil); res.Text != "2" && res.Text != "3" {
		t.Errorf("asked for its tools %s times", res.Text)
	}
}

// Names that others have too are told.
func TestShadows(t *testing.T) {
	reg := tools.NewRegistry(tools.Options{})
	own := tools.Tool{Toolset: "own", Handler: func(context.Context, tools.Call) (tools.Result, error) { return tools.Result{}, nil }}
	own.Def.Name, own.Def.RawInputSchema = "rows", json.RawMessage(`{"type":"object"}`)
	if err := reg.Register(own); err != nil {
		t.Fatal(err)
	}
	a, b := tiny("plain"), tiny("plain")
	a.Allow, b.Name, b.Allow = []string{"rows", "fail"}, "also", []string{"fail"}
	run(t, reg, Options{}, a, b)
	notes := slices.Concat(status(t, reg, "tiny").Notes, status(t, reg, "also").Notes)
	if all := strings.Join(notes, " "); !strings.Contains(all, "Its rows has the name of a tool of own; here it is tiny__rows.") || !strings.Contains(all, "Its fail has the name of a tool of the server") {
		t.Errorf("notes: %v", notes)
	}
}

// A server that answers nothing any more, not even a ping, is given up; one that is at work is not.
func TestMuteServer(t *testing.T) {
	srv := &server{}
	for _, c := range []struct {
		calls, silent int
		pings, gone   bool
	}{{0, 0, true, true}, {0, 0, false, false}, {0, 1, false, true}, {1, 0, true, false}, {1, 3, false, true}} {
		srv.calls, srv.silent = c.calls, c.silent
		if got := srv.hopeless(c.pings); got != c.gone {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

func TestPace(t *testing.T) {
	var p pace
	now := time.Unix(0, 0)
	at := func(worked bool, lived time.Duration) int {
		now = now.Add(time.Second)
		return p.ended(worked, now.Add(-lived), now)
	}
	got := []int{at(true, 0), at(false, 0), at(false, 0), at(true, 0), at(false, 2*time.Minute)}
	if diff := cmp.Diff([]int{0, 1, 2, 0, 0}, got); diff != "" {
		t.Error(diff)
	}
	for range 10 {
		at(true, 0)
	}
	if n := at(true, 0); n < 3 {
		t.Errorf("a server that dies of every call counts %d failures", n)
	}
	if now = now.Add(2 * time.Minute); at(true, 0) != 0 {
		t.Error("what is long ago still counts")
	}
	for attempt := range 10 {
		least, most := 250*time.Millisecond, 2*time.Minute
		if d := backoff(attempt); d < least || d > most || attempt >= restAfter && d < time.Minute {
			t.Errorf("%d: %v", attempt, d)
		}
	}
}
