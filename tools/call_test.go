package tools_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/mark3labs/mcp-go/mcp"

	"catena/internal/access"
	"catena/planner/plan"
	"catena/table"
	"catena/tools"
	"catena/tools/handle"
)

// strict makes a read-only tool with a schema.
func strict(name, schema string, h tools.Handler) tools.Tool {
	t := quick(name, h)
	t.Def.RawInputSchema = json.RawMessage(schema)
	return t
}

const topSchema = `{"type":"object","additionalProperties":false,"required":["region"],"properties":{
	"region":{"type":"string","minLength":1},"limit":{"type":"integer","minimum":1,"maximum":100,"default":10},
	"order":{"type":"string","enum":["up","down"]},"note":{"type":["string","null"]}}}`

func TestArgumentsAreValidated(t *testing.T) {
	r := registry(t, tools.Options{}, strict("top", topSchema, echo))
	for _, tc := range []struct {
		args map[string]any
		want []plan.Code // nil: valid
	}{
		{map[string]any{"region": "USA"}, nil},
		{map[string]any{"region": "USA", "limit": json.Number("5")}, nil},
		{map[string]any{"region": "USA", "limit": nil}, nil}, // a null for an optional argument is one that is not given
		{map[string]any{}, []plan.Code{plan.MissingRequired}},
		{map[string]any{"region": nil}, []plan.Code{plan.MissingRequired}},
		{map[string]any{"region": "USA", "limit": "five"}, []plan.Code{plan.TypeMismatch}},
		{map[string]any{"region": "USA", "limit": 0}, []plan.Code{plan.OutOfRange}},
		{map[string]any{"region": "USA", "order": "sideways"}, []plan.Code{plan.Enum}},
		{map[string]any{"region": "USA", "limits": 5}, []plan.Code{plan.UnknownArgument}},
		{map[string]any{"limit": 1.5, "order": 3}, []plan.Code{plan.MissingRequired, plan.TypeMismatch, plan.TypeMismatch}},
	} {
		res, err := r.Call(t.Context(), tools.Call{Caller: ann, Tool: "top", Args: tc.args})
		if err != nil {
			t.Fatal(err)
		}
		if tc.want == nil {
			if res.IsError {
				t.Errorf("%v: %s", tc.args, res.Text)
			}
			continue
		}
		found, _ := res.Structured.(map[string]any)["findings"].(plan.Findings)
		got := map[plan.Code]int{}
		for _, f := range found {
			got[f.Code]++
		}
		want := map[plan.Code]int{}
		for _, c := range tc.want {
			want[c]++
		}
		if d := cmp.Diff(want, got); res.Code != tools.CodeInvalidArguments || d != "" || strings.Contains(res.Text, "clarify") || strings.Contains(res.Text, "top: top") { // clarify is for plans, and a name stands once
			t.Errorf("%v: %s %s\n%s", tc.args, res.Code, res.Text, d)
		}
	}
}

func TestDefaultsAreFilledInWithoutTouchingTheCallersMap(t *testing.T) {
	r := registry(t, tools.Options{}, strict("top", topSchema, echo))
	args := map[string]any{"region": "USA", "note": nil, "order": nil}
	res, err := r.Call(t.Context(), tools.Call{Caller: ann, Tool: "top", Args: args})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"region": "USA", "limit": json.Number("10"), "note": nil}
	if d := cmp.Diff(want, res.Structured); d != "" {
		t.Error(d)
	}
	if len(args) != 3 {
		t.Errorf("the caller's arguments were changed: %v", args)
	}
}

func TestRegisterRefuses(t *testing.T) {
	ok := quick("fine", echo)
	for name, bad := range map[string]func(*tools.Tool){
		"name":      func(x *tools.Tool) { x.Def.Name = "a b" },
		"long name": func(x *tools.Tool) { x.Def.Name = strings.Repeat("a", 65) },
		"toolset":   func(x *tools.Tool) { x.Toolset = "" },
		"handler":   func(x *tools.Tool) { x.Handler = nil },
		"schema":    func(x *tools.Tool) { x.Def.RawInputSchema = json.RawMessage(`{"type":"object","properties":7}`) },
		"no object": func(x *tools.Tool) { x.Def.RawInputSchema = json.RawMessage(`{"type":"string"}`) },
		"output":    func(x *tools.Tool) { x.Def.RawOutputSchema = json.RawMessage(`{"type":"nothing"}`) },
		"taken":     func(x *tools.Tool) { x.Def.Name = "fine" },
		"remote": func(x *tools.Tool) {
			x.Def.RawInputSchema = json.RawMessage(`{"type":"object","$ref":"http://127.0.0.1/x"}`)
		},
		"server": func(x *tools.Tool) { x.Def.Name = "test__read" }, // toolset test has plain tools
	} {
		r := registry(t, tools.Options{}, ok)
		x := quick("other", echo)
		bad(&x)
		if err := r.Register(quick("good", echo), x); err == nil {
			t.Errorf("%s: registered", name)
		}
		if got := len(r.List(ann)); got != 1 {
			t.Errorf("%s: %d tools after a failed registration", name, got)
		}
	}
}

// TestReplace replaces a toolset's tools again and again while they are looked for: they are there at every moment.
func TestReplace(t *testing.T) {
	up := quick("files__read", echo)
	up.Toolset = "files"
	broken := up
	broken.Def.Name = "not a name"
	r := registry(t, tools.Options{}, quick("a", echo), up)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 200 {
			if err := r.Replace("files", broken, up); err == nil || !strings.Contains(err.Error(), "not a name") {
				t.Errorf("Replace gave %v; it should name what it left out", err)
			}
		}
	}()
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		if _, ok := r.Lookup("files:read"); !ok {
			t.Fatal("the tool was gone for a moment")
		}
	}
	if err := r.Replace("files"); err != nil || len(r.List(ann)) != 1 {
		t.Errorf("an empty list gave %v and left %d tools", err, len(r.List(ann)))
	}
}

func TestListLookupRemove(t *testing.T) {
	up := quick("files__read", echo)
	up.Toolset = "files"
	served := quick("chat", echo)
	served.ServedOnly = true
	r := registry(t, tools.Options{Policy: deny{"b"}}, quick("b", echo), quick("a", echo), up, served)
	names := func(list []tools.Tool) (out []string) {
		for _, x := range list {
			out = append(out, x.Def.Name)
		}
		return out
	}
	if d := cmp.Diff([]string{"a", "chat", "files__read"}, names(r.List(ann))); d != "" {
		t.Error(d)
	}
	var planning []string
	for _, x := range r.Planning(ann) {
		planning = append(planning, x.Name)
	}
	if d := cmp.Diff([]string{"a", "files__read"}, planning); d != "" {
		t.Error(d)
	}
	for alias, want := range map[string]string{"a": "a", "test:a": "a", "files:read": "files__read", "crm:a": "", "files:a": "", "zzz": ""} {
		got, ok := r.Lookup(alias)
		if got.Def.Name != want || ok != (want != "") {
			t.Errorf("Lookup(%q) = %q, %v", alias, got.Def.Name, ok)
		}
	}
	if _, err := r.Call(t.Context(), tools.Call{Caller: ann, Tool: "test:a"}); err != nil {
		t.Error(err)
	}
	if n := r.Remove("files"); n != 1 || len(r.List(ann)) != 2 {
		t.Errorf("removed %d, left %v", n, names(r.List(ann)))
	}
	r.SetServer(tools.ServerStatus{Name: "files", Phase: tools.PhaseResting, Detail: "it exited with status 1", Quarantined: []string{"files__write"}})
	if d := cmp.Diff(map[string]string{"files": "it exited with status 1"}, r.Down()); d != "" {
		t.Error(d)
	}
	if _, err := r.Call(t.Context(), tools.Call{Caller: ann, Tool: "files__write"}); !errors.Is(err, tools.ErrUnknownTool) || !strings.Contains(err.Error(), "catena tools review") {
		t.Errorf("a quarantined tool: %v", err)
	}
	if r.SetServer(tools.ServerStatus{Name: "files", Phase: tools.PhaseIdle}); len(r.Down()) != 0 || len(r.Servers()) != 1 {
		t.Error("still down")
	}
	if r.DropServer("files"); len(r.Servers()) != 0 {
		t.Error("still known")
	}
}

type deny []string

func (d deny) Allow(c access.Caller, what access.Target) error {
	for _, x := range d {
		if tool := what.Name; x == tool {
			return fmt.Errorf("%s is not for %s: %w", tool, c.ID, access.ErrForbidden)
		}
	}
	return access.AllowAll{}.Allow(c, what)
}

func TestRefusals(t *testing.T) {
	var denied int
	r := registry(t, tools.Options{Policy: deny{"secret"}, Hooks: tools.Hooks{Denied: func(context.Context, tools.Call, error) { denied++ }}},
		quick("secret", echo), quick("search_repo", echo))
	if _, err := r.Call(t.Context(), tools.Call{Caller: ann, Tool: "secret"}); !errors.Is(err, access.ErrForbidden) || denied != 1 {
		t.Errorf("forbidden: %v, %d", err, denied)
	}
	if _, err := r.Call(t.Context(), tools.Call{Tool: "search_repo"}); !errors.Is(err, access.ErrForbidden) {
		t.Errorf("nobody: %v", err)
	}
	_, err := r.Call(t.Context(), tools.Call{Caller: ann, Tool: "serch_repo"})
	var unknown *tools.UnknownToolError
	if !errors.Is(err, tools.ErrUnknownTool) || !errors.As(err, &unknown) || len(unknown.Nearest) != 1 {
		t.Errorf("unknown: %v", err)
	}
	if _, err := r.Call(t.Context(), tools.Call{Caller: ann, Tool: "secrets"}); strings.Contains(err.Error(), `mean secret`) {
		t.Errorf("a forbidden tool is named: %v", err)
	}
}

func TestTimeoutAndPanic(t *testing.T) {
	slow := quick("slow", func(ctx context.Context, _ tools.Call) (tools.Result, error) {
		<-ctx.Done()
		return tools.Result{}, ctx.Err()
	})
	slow.Timeout = 10 * time.Millisecond
	broken := quick("broken", func(context.Context, tools.Call) (tools.Result, error) { panic("password=hunter2") })
	var log strings.Builder
	r := registry(t, tools.Options{Log: textLog(&log)}, slow, broken)
	res, err := r.Call(t.Context(), tools.Call{Caller: ann, Tool: "slow"})
	if err != nil || res.Code != tools.CodeTimeout {
		t.Errorf("timeout: %+v, %v", res, err)
	}
	_, err = r.Call(t.Context(), tools.Call{Caller: ann, Tool: "broken"})
	var p *tools.PanicError
	if !errors.As(err, &p) || strings.Contains(err.Error(), "hunter2") || !strings.Contains(log.String(), p.ID) || !strings.Contains(log.String(), "call_test.go") {
		t.Errorf("panic: %v\n%s", err, log.String())
	}
}

func TestResultTextAndOutputSchema(t *testing.T) {
	typed := quick("typed", func(context.Context, tools.Call) (tools.Result, error) {
		return tools.Result{Structured: struct {
			N int `json:"n"`
		}{7}}, nil
	})
	typed.Def.RawOutputSchema = json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`)
	var log strings.Builder
	wrong := quick("wrong", echo)
	wrong.Def.RawOutputSchema = typed.Def.RawOutputSchema
	r := registry(t, tools.Options{Log: textLog(&log), Render: func(res tools.Result) string {
		if res.Table != nil {
			return "rendered"
		}
		return ""
	}}, typed, wrong, peopleTool(t, 2))
	res, err := r.Call(t.Context(), tools.Call{Caller: ann, Tool: "typed"})
	if d := cmp.Diff(map[string]any{"n": json.Number("7")}, res.Structured); err != nil || d != "" || res.Text != `{"n":7}` {
		t.Errorf("%v %q %s", err, res.Text, d)
	}
	if _, err := r.Call(t.Context(), tools.Call{Caller: ann, Tool: "wrong"}); err != nil || !strings.Contains(log.String(), "output schema") {
		t.Errorf("%v %s", err, log.String())
	}
	direct, err := r.Call(t.Context(), tools.Call{Caller: ann, Tool: "people"})
	if err != nil || direct.Text != "rendered" || !handle.Is(direct.Handle) {
		t.Errorf("%v %+v", err, direct)
	}
	named, err := r.Call(t.Context(), tools.Call{Caller: ann, Tool: "people", Run: tools.DirectRun + "x"})
	if err != nil || named.Text != "rendered" {
		t.Errorf("a direct call with an id: %v %+v", err, named)
	}
	step, err := r.Call(t.Context(), tools.Call{Caller: ann, Tool: "people", Run: "r", Step: "s1"})
	if err != nil || step.Text != "" {
		t.Errorf("a step's table was rendered: %v %q", err, step.Text)
	}
	passing, err := r.Call(t.Context(), tools.Call{Caller: ann, Tool: "people", Passing: true})
	if err != nil || passing.Table.NumRows() != 2 || passing.Handle != "" || passing.Text != "" {
		t.Errorf("a table that its asker has done with is kept: %v %+v", err, passing)
	}
}

func TestResources(t *testing.T) {
	template := mcp.NewResourceTemplate("table://{handle}", "table")
	r := registry(t, tools.Options{Policy: deny{"secrets"}})
	read := func(_ context.Context, c tools.ResourceCall) ([]mcp.ResourceContents, error) {
		return []mcp.ResourceContents{mcp.TextResourceContents{URI: c.URI, Text: c.Vars["handle"]}}, nil
	}
	err := r.RegisterResources(tools.Resource{Toolset: "data", Template: &template, Read: read},
		tools.Resource{Toolset: "data", Def: &mcp.Resource{URI: "x://secrets", Name: "secrets"}, Read: read})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(r.Resources(ann)); n != 1 {
		t.Errorf("%d resources are listed", n)
	}
	got, err := r.ReadResource(t.Context(), ann, "table://tbl_x")
	if err != nil || got[0].(mcp.TextResourceContents).Text != "tbl_x" {
		t.Errorf("%v %v", got, err)
	}
	if _, err := r.ReadResource(t.Context(), ann, "x://secrets"); !errors.Is(err, access.ErrForbidden) {
		t.Error(err)
	}
	if _, err := r.ReadResource(t.Context(), ann, "file:///etc/passwd"); err == nil {
		t.Error("read a URI that nothing serves")
	}
	if err := r.RegisterResources(tools.Resource{Toolset: "data", Read: read}); err == nil {
		t.Error("registered a resource without a URI")
	}
	if r.Remove("data"); len(r.Resources(ann)) != 0 {
		t.Error("resources outlive their toolset")
	}
}

func TestFailedBy(t *testing.T) {
	for _, tc := range []struct {
		err  error
		code string
	}{
		{&table.UnknownColumnError{Name: "x", Have: []string{"a"}}, tools.CodeUnknownColumn},
		{fmt.Errorf("in s2: %w", &table.TypeError{Column: "a", Reason: "sum needs numbers"}), tools.CodeBadValue},
		{&table.FormatError{Reason: "it is empty"}, tools.CodeBadTable},
		{&tools.ArgumentError{Argument: "region", Code: "unknown_region", Reason: "no"}, "unknown_region"},
	} {
		res, err := tools.FailedBy(tc.err)
		if err != nil || res.Code != tc.code || res.Text == "" {
			t.Errorf("%v: %+v, %v", tc.err, res, err)
		}
	}
	if _, err := tools.FailedBy(errors.New("broken")); err == nil {
		t.Error("a broken tool is no result")
	}
}

func TestArgsHash(t *testing.T) {
	hash := func(args map[string]any) string {
		h, err := tools.ArgsHash(args)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	same := hash(map[string]any{"a": 5, "b": []any{"x", nil}})
	for _, args := range []map[string]any{
		{"b": []any{"x", nil}, "a": 5.0}, {"a": json.Number("5"), "b": []any{"x", nil}}, {"a": json.Number("5.0"), "b": []any{"x", nil}}, {"a": json.Number("5e0"), "b": []any{"x", nil}},
	} {
		if hash(args) != same {
			t.Errorf("%v has another hash", args)
		}
	}
	for _, args := range []map[string]any{{"a": "5", "b": []any{"x", nil}}, {"a": 5, "b": []any{nil, "x"}}, {"a": json.Number("5.0000000000000000001"), "b": []any{"x", nil}}, {"a": 5}} {
		if hash(args) == same {
			t.Errorf("%v has the same hash", args)
		}
	}
	if hash(nil) != hash(map[string]any{}) {
		t.Error("no arguments are not the same as an empty object")
	}
	if _, err := tools.ArgsHash(map[string]any{"f": func() {}}); err == nil {
		t.Error("hashed what has no JSON")
	}
}

// Each call has the rights that its caller has by then, a step of work under way too: none where the key is gone.
func TestCallsHavePresentRights(t *testing.T) {
	scopes, gone, away := []string{"tools:*"}, false, error(nil)
	r := registry(t, tools.Options{Policy: access.Granted{}, Present: func(_ context.Context, c access.Caller) (access.Caller, error) {
		if gone {
			return access.Caller{}, &access.CredentialError{Reason: "The key is unknown, or was revoked."}
		}
		rights, err := access.ParseRights(scopes, nil, nil)
		c.Rights = rights
		return c, errors.Join(err, away)
	}}, strict("top", topSchema, echo))
	call := func() error {
		_, err := r.Call(t.Context(), tools.Call{Caller: access.Caller{ID: "ann", Key: "k", Rights: access.Local("").Rights}, Tool: "top", Args: map[string]any{"region": "USA"}})
		return err
	}
	if err := call(); err != nil {
		t.Error(err)
	}
	if scopes = []string{"chat"}; !errors.Is(call(), access.ErrForbidden) {
		t.Error("the key has lost the scope:", call())
	}
	if gone = true; !errors.Is(call(), access.ErrForbidden) || !strings.Contains(call().Error(), "was revoked") {
		t.Error("the key is gone:", call())
	}
	gone, scopes, away = false, []string{"tools:*"}, errors.New("the store is away")
	if err := call(); !errors.Is(err, away) || errors.Is(err, access.ErrForbidden) {
		t.Error("the store is away:", err)
	}
}
