package tools_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/mark3labs/mcp-go/mcp"

	"catena/internal/access"
	"catena/table"
	"catena/table/load"
	"catena/tools"
)

// audited collects what the hooks are told.
type audited struct{ called, denied []string }

func (a *audited) hooks() tools.Hooks {
	return tools.Hooks{
		Called: func(_ context.Context, call tools.Call, tool tools.Tool, _ tools.Result, err error, _ time.Duration) {
			a.called = append(a.called, fmt.Sprintf("%s %s/%s %v", call.Caller.ID, tool.Toolset, call.Tool, err == nil))
		},
		Denied: func(_ context.Context, call tools.Call, _ error) {
			a.denied = append(a.denied, call.Caller.ID+" "+call.Tool)
		},
	}
}

func say(_ context.Context, c tools.PromptCall) (*mcp.GetPromptResult, error) {
	switch c.Args["name"] {
	case "panic":
		panic("correct horse")
	case "error":
		return nil, errors.New("broken")
	}
	return mcp.NewGetPromptResult(c.Caller.ID+" greets "+c.Args["name"], nil), nil
}

func TestPrompts(t *testing.T) {
	var log audited
	r := registry(t, tools.Options{Policy: deny{"secret"}, Hooks: log.hooks(), Log: quietLog()})
	greet := mcp.NewPrompt("greet", mcp.WithArgument("name", mcp.RequiredArgument()), mcp.WithArgument("tone"))
	err := r.RegisterPrompts(tools.Prompt{Toolset: "demo", Def: mcp.NewPrompt("secret"), Get: say}, tools.Prompt{Toolset: "demo", Def: greet, Get: say},
		tools.Prompt{Toolset: "demo", Def: mcp.NewPrompt("bye"), Get: say})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range r.Prompts(ann) {
		names = append(names, p.Def.Name)
	}
	if diff := cmp.Diff([]string{"bye", "greet"}, names); diff != "" {
		t.Error(diff)
	}
	got, err := r.GetPrompt(t.Context(), "greet", tools.PromptCall{Caller: ann, Args: map[string]string{"name": "Ada"}})
	if err != nil || got.Description != "ann greets Ada" {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := r.GetPrompt(t.Context(), "secret", tools.PromptCall{Caller: ann}); !errors.Is(err, access.ErrForbidden) {
		t.Error(err)
	}
	if _, err := r.GetPrompt(t.Context(), "nothing", tools.PromptCall{Caller: ann}); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	var broken *tools.PanicError
	if _, err := r.GetPrompt(t.Context(), "greet", tools.PromptCall{Caller: ann, Args: map[string]string{"name": "panic"}}); !errors.As(err, &broken) {
		t.Error(err)
	}
	if got, err := r.GetPrompt(t.Context(), "greet", tools.PromptCall{Caller: ann, Args: map[string]string{"name": "error"}}); err == nil || got != nil {
		t.Errorf("%v, %v", got, err)
	}
	want := audited{called: []string{"ann demo/greet true", "ann demo/greet false", "ann demo/greet false"}, denied: []string{"ann secret"}}
	if diff := cmp.Diff(want, log, cmp.AllowUnexported(audited{})); diff != "" {
		t.Error(diff)
	}
	if r.Remove("demo"); len(r.Prompts(ann)) > 0 {
		t.Error("prompts outlive their toolset")
	}
}

func TestPromptArguments(t *testing.T) {
	r := registry(t, tools.Options{})
	greet := mcp.NewPrompt("greet", mcp.WithArgument("name", mcp.RequiredArgument()), mcp.WithArgument("tone"))
	if err := r.RegisterPrompts(tools.Prompt{Toolset: "demo", Def: greet, Get: say}); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		args           map[string]string
		argument, code string
	}{
		{nil, "name", tools.CodeInvalidArguments},
		{map[string]string{"name": " \t"}, "name", tools.CodeInvalidArguments},
		{map[string]string{"name": "Ada", "colour": "red", "shape": "round"}, "colour", tools.CodeInvalidArguments},
		{map[string]string{"name": "a\x00b"}, "name", tools.CodeBadValue},
		{map[string]string{"name": "a\xff"}, "name", tools.CodeBadValue},
		{map[string]string{"name": "Ada", "tone": strings.Repeat("x", 64<<10+1)}, "tone", tools.CodeTooLarge},
	} {
		var bad *tools.ArgumentError
		if _, err := r.GetPrompt(t.Context(), "greet", tools.PromptCall{Caller: ann, Args: tc.args}); !errors.As(err, &bad) || bad.Argument != tc.argument || bad.Code != tc.code {
			t.Errorf("%.40v: %v", tc.args, err)
		}
	}
	for _, args := range []map[string]string{{"name": "Ada"}, {"name": strings.Repeat("x", 64<<10), "tone": ""}} {
		if _, err := r.GetPrompt(t.Context(), "greet", tools.PromptCall{Caller: ann, Args: args}); err != nil {
			t.Errorf("%.40v: %v", args, err)
		}
	}
}

// What cannot be registered leaves nothing behind.
func TestOffersAreChecked(t *testing.T) {
	r := registry(t, tools.Options{})
	read := func(context.Context, tools.ResourceCall) ([]mcp.ResourceContents, error) { return nil, nil }
	version := func(context.Context, access.Caller) (string, error) { return "1", nil }
	open := func(context.Context, access.Caller) (tools.Result, error) { return tools.Result{}, nil }
	cols := []table.Column{{Name: "a"}}
	good := tools.Prompt{Toolset: "demo", Def: mcp.NewPrompt("good"), Get: say}
	here := mcp.NewResource("x://here", "here")
	one := mcp.NewResourceTemplate("x://{id}", "one")
	for i, err := range []error{
		r.RegisterPrompts(good, tools.Prompt{Toolset: "demo", Def: mcp.NewPrompt("good"), Get: say}),
		r.RegisterPrompts(good, tools.Prompt{Def: mcp.NewPrompt("a"), Get: say}),
		r.RegisterPrompts(good, tools.Prompt{Toolset: "demo", Def: mcp.NewPrompt("a b"), Get: say}),
		r.RegisterPrompts(good, tools.Prompt{Toolset: "demo", Def: mcp.NewPrompt("a")}),
		r.RegisterResources(tools.Resource{Toolset: "demo", Def: &here, Read: read}, tools.Resource{Toolset: "other", Def: &here, Read: read}),
		r.RegisterResources(tools.Resource{Toolset: "demo", Template: &one, Read: read}, tools.Resource{Toolset: "demo", Template: &one, Read: read}),
		r.RegisterResources(tools.Resource{Toolset: "demo", Def: &here, Template: &one, Read: read}),
		r.RegisterResources(tools.Resource{Toolset: "demo", Def: &here}),
		r.RegisterLive(tools.Live{Toolset: "demo", Name: "a", Columns: cols, Version: version, Open: open}, tools.Live{Toolset: "demo", Name: "a", Columns: cols, Version: version, Open: open}),
		r.RegisterLive(tools.Live{Toolset: "demo", Name: "a b", Columns: cols, Version: version, Open: open}),
		r.RegisterLive(tools.Live{Toolset: "demo", Name: "a", Version: version, Open: open}),
		r.RegisterLive(tools.Live{Toolset: "demo", Name: "a", Columns: cols, Open: open}),
		r.RegisterLive(tools.Live{Toolset: "demo", Name: "a", Columns: cols, Version: version}),
	} {
		if err == nil {
			t.Errorf("%d was registered", i)
		}
	}
	if n := len(r.Prompts(ann)) + len(r.Resources(ann)) + len(r.Live(ann)); n != 0 {
		t.Errorf("%d offers were left behind", n)
	}
}

// A URI of its own goes before a template that matches it too, whichever came first.
func TestOwnURIGoesFirst(t *testing.T) {
	r := registry(t, tools.Options{})
	reader := func(text string) func(context.Context, tools.ResourceCall) ([]mcp.ResourceContents, error) {
		return func(_ context.Context, c tools.ResourceCall) ([]mcp.ResourceContents, error) {
			return []mcp.ResourceContents{mcp.TextResourceContents{URI: c.URI, Text: text + c.Vars["id"]}}, nil
		}
	}
	one, all := mcp.NewResourceTemplate("x://{id}", "one"), mcp.NewResource("x://all", "all")
	if err := r.RegisterResources(tools.Resource{Toolset: "demo", Template: &one, Read: reader("one ")}, tools.Resource{Toolset: "demo", Def: &all, Read: reader("all")}); err != nil {
		t.Fatal(err)
	}
	for uri, want := range map[string]string{"x://all": "all", "x://7": "one 7", "x://a%2Fb": "one a/b"} {
		got, err := r.ReadResource(t.Context(), ann, uri)
		if err != nil {
			t.Fatal(err)
		}
		if text, _ := got[0].(mcp.TextResourceContents); text.Text != want {
			t.Errorf("%s: %q", uri, text.Text)
		}
	}
	var bad *tools.ArgumentError
	if _, err := r.ReadResource(t.Context(), ann, "x://"+strings.Repeat("a", 4096)); !errors.As(err, &bad) || bad.Code != tools.CodeTooLarge {
		t.Error(err)
	}
	if _, err := r.ReadResource(t.Context(), ann, "y://all"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if list := r.Resources(ann); !list[0].Serves("x://9") || list[0].Serves("y://9") || !list[1].Serves("x://all") || list[1].Serves("x://9") {
		t.Error("Serves does not say what is served")
	}
}

// What takes too long, or is hung up on, ends in time, and what it makes afterwards is not used.
func TestReadersEndInTime(t *testing.T) {
	r := registry(t, tools.Options{})
	slow := mcp.NewResource("x://slow", "slow")
	release := make(chan struct{})
	defer close(release)
	read := func(context.Context, tools.ResourceCall) ([]mcp.ResourceContents, error) { <-release; return nil, nil }
	if err := r.RegisterResources(tools.Resource{Toolset: "demo", Def: &slow, Read: read, Timeout: 10 * time.Millisecond}); err != nil {
		t.Fatal(err)
	}
	if _, err := r.ReadResource(t.Context(), ann, "x://slow"); !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "slow") {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.ReadResource(ctx, ann, "x://slow"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestLive(t *testing.T) {
	var log audited
	r := registry(t, tools.Options{Policy: deny{"secret"}, Hooks: log.hooks(), Log: quietLog()})
	rows, err := load.Text("name\nAda\n", table.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	live := func(name string, open func() (tools.Result, error)) tools.Live {
		return tools.Live{Toolset: "demo", Name: name, Columns: rows.Columns(),
			Version: func(context.Context, access.Caller) (string, error) { return "1", nil },
			Open:    func(context.Context, access.Caller) (tools.Result, error) { return open() }}
	}
	err = r.RegisterLive(live("people", func() (tools.Result, error) { return tools.Result{Table: rows, Title: "People"}, nil }),
		live("nothing", func() (tools.Result, error) { return tools.Result{}, nil }),
		live("broken", func() (tools.Result, error) { panic("correct horse") }),
		live("secret", func() (tools.Result, error) { return tools.Result{Table: rows}, nil }))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(r.Live(ann)); n != 3 {
		t.Errorf("%d live tables are listed", n)
	}
	if res, err := r.OpenLive(t.Context(), ann, "people"); err != nil || res.Table != rows || res.Title != "People" {
		t.Errorf("%+v, %v", res, err)
	}
	for name, want := range map[string]error{"secret": access.ErrForbidden, "lost": fs.ErrNotExist, "nothing": nil, "broken": nil} {
		res, err := r.OpenLive(t.Context(), ann, name)
		if err == nil || res.Table != nil || want != nil && !errors.Is(err, want) {
			t.Errorf("%s: %+v, %v", name, res, err)
		}
	}
	if len(log.called) != 3 || len(log.denied) != 1 {
		t.Errorf("audited %+v", log)
	}
	if r.Remove("demo"); len(r.Live(ann)) > 0 {
		t.Error("live tables outlive their toolset")
	}
}

func TestUpdated(t *testing.T) {
	r := registry(t, tools.Options{})
	r.Updated("ann", "x://nobody/listens")
	var got []string
	for i := range 2 {
		r.OnUpdated(func(owner, uri string) { got = append(got, fmt.Sprint(i, " ", owner, " ", uri)) })
	}
	r.Updated("ann", "x://1")
	r.Updated("", "x://2")
	if diff := cmp.Diff([]string{"0 ann x://1", "1 ann x://1", "0  x://2", "1  x://2"}, got); diff != "" {
		t.Error(diff)
	}
}

// Reports of a call, through the chokepoint: all before it returns, none after.
func TestReportsEndWithTheCall(t *testing.T) {
	left := make(chan struct{})
	r := registry(t, tools.Options{}, quick("report", func(_ context.Context, call tools.Call) (tools.Result, error) {
		for i := range 100 {
			call.Progress(tools.Progress{Done: float64(i)})
		}
		call.Updated("x://1")
		go func() { defer close(left); time.Sleep(5 * time.Millisecond); call.Progress(tools.Progress{Done: 1000}) }()
		return tools.Result{Text: "done"}, nil
	}))
	var got []string
	_, err := r.Call(t.Context(), tools.Call{Caller: ann, Tool: "report", Updated: func(uri string) { got = append(got, uri) },
		Progress: func(p tools.Progress) { got = append(got, fmt.Sprint(p.Done)) }})
	<-left
	if n := len(got); err != nil || n != tools.ProgressRate+2 || got[n-1] != "x://1" || got[n-2] != "99" {
		t.Errorf("%v, %v", got, err)
	}
}

// TestHasResource asks a resource whether it has a URI, without making what is dear, and through the gate.
func TestHasResource(t *testing.T) {
	var a audited
	r := tools.NewRegistry(tools.Options{Hooks: a.hooks()})
	tmpl := mcp.NewResourceTemplate("x://{id}", "x")
	err := r.RegisterResources(tools.Resource{
		Toolset: "x", Template: &tmpl,
		Read: func(context.Context, tools.ResourceCall) ([]mcp.ResourceContents, error) {
			t.Error("it was read")
			return nil, nil
		},
		Known: func(_ context.Context, c tools.ResourceCall) error {
			if c.Caller.ID != "ann" || c.Vars["id"] != "1" {
				return fs.ErrNotExist
			}
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	ann, bob := access.Caller{ID: "ann"}, access.Caller{ID: "bob"}
	if err := r.HasResource(t.Context(), ann, "x://1"); err != nil {
		t.Error(err)
	}
	for _, err := range []error{r.HasResource(t.Context(), bob, "x://1"), r.HasResource(t.Context(), ann, "x://2"), r.HasResource(t.Context(), ann, "y://1")} {
		if !errors.Is(err, fs.ErrNotExist) {
			t.Error(err)
		}
	}
	if err := r.HasResource(t.Context(), access.Caller{}, "x://1"); !errors.Is(err, access.ErrForbidden) || len(a.denied) != 1 {
		t.Errorf("nobody: %v, denied %v", err, a.denied)
	}
}
