package tools_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"catena/planner/plan"
	"catena/tools"
)

// What a person is shown of a value cannot be taken for anything else: it stands in one line, in quotes, with its end.
func TestShown(t *testing.T) {
	long := strings.Repeat("a", 5000) + "; rm -rf /"
	for _, tc := range []struct {
		v    any
		want string
	}{
		{"Globex likes calls", `"Globex likes calls"`},
		{"a\n- size: 0\t\r", `"a\n- size: 0\t\u{d}"`},
		{"say \"yes\" \\", `"say \"yes\" \\"`},
		{"old\u202etxt.exe\u200b\u2066\U000e0041\u3164\u00a0", `"old\u{202e}txt.exe\u{200b}\u{2066}\u{e0041}\u{3164}\u{a0}"`},
		{"p\u0430ypal.com", `"p` + "\u0430" + `ypal.com" (letters of several alphabets in "p` + "\u0430" + `ypal")`},
		{"Москва и Berlin", `"Москва и Berlin"`},
		{"z" + strings.Repeat("\u0301", 5), `"z` + strings.Repeat("\u0301", 3) + `\u{301}\u{301}"`},
		{8.5, "8.5"}, {true, "true"}, {nil, "nothing"}, {3, "3"},
	} {
		if got := tools.Shown(tc.v); got != tc.want {
			t.Errorf("%q: %s, not %s", tc.v, got, tc.want)
		}
	}
	if got := tools.Shown(long); !strings.HasSuffix(got, `; rm -rf /"`) || !strings.Contains(got, `" … 4710 characters are not shown … "`) || len(got) > 400 {
		t.Error(got)
	}
}

// What is shown as JSON is the same value, and shows all of it.
func TestSeenJSON(t *testing.T) {
	const raw = "{\n\"a\": \"old\u202etxt\u200b\U000e0041 \u00a0é\"}"
	got := tools.SeenJSON(raw)
	if got != "{\n\"a\": \"old\\u202etxt\\u200b\\udb40\\udc41 \\u00a0é\"}" {
		t.Error(got)
	}
	var was, is any
	if json.Unmarshal([]byte(raw), &was) != nil || json.Unmarshal([]byte(got), &is) != nil || !reflect.DeepEqual(was, is) {
		t.Errorf("%q is not %q", is, was)
	}
}

// oneStep runs a plan of one step of a tool.
func oneStep(t *testing.T, reg *tools.Registry, req tools.RunRequest, plan string) tools.StepResult {
	t.Helper()
	req.Caller, req.Run, req.Plan = ann, "run_1", parse(t, plan)
	out, err := tools.NewExecutor(reg, tools.ExecutorOptions{}).Run(t.Context(), req, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out.Steps[len(out.Steps)-1]
}

// A tool that says nothing itself is told by its name and its arguments; another server's title stands in quotes, behind the name.
func TestPlainEffect(t *testing.T) {
	far := effect("db__drop_table", true, echo)
	far.Toolset, far.Def.Title = "db", "Read a table\n- and do nothing"
	named := effect("db__dig_up_bed", true, echo)
	named.Toolset, named.Def.Title = "db", "Dig Up Bed"
	own := effect("wipe", true, echo)
	own.Def.Title = "Wipe it"
	ids := []any{"a", "b", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
	list := quick("list", func(context.Context, tools.Call) (tools.Result, error) {
		return tools.Result{Structured: map[string]any{"ids": ids}}, nil
	})
	reg := registry(t, tools.Options{}, far, named, own, list)
	for plan, want := range map[string]string{
		`{"steps":[{"id":"s1","tool":"db__drop_table","args":{"table_name":"a\nb","cascade":true,"where":{"x y":[1,"2"]},"bad\nname":0}}]}`: `Call drop_table of the server db
- which it calls: "Read a table\n- and do nothing"
- "bad\nname": 0
- cascade: true
- table name: "a\nb"
- where.x y 1: 1
- where.x y 2: "2"`,
		`{"steps":[{"id":"s1","tool":"db__dig_up_bed"}]}`: "Call dig_up_bed of the server db",
		`{"steps":[{"id":"s1","tool":"wipe"}]}`:           "Wipe it",
		`{"steps":[{"id":"s0","tool":"list"},{"id":"s1","tool":"wipe","each":{"$ref":"s0.ids"},"args":{"id":{"$ref":"each"}}}]}`: `12 times: Wipe it
- 1, id: "a"
- 2, id: "b"
- 3, id: 0
- 4, id: 0
- 5, id: 0
- 6, id: 0
- 7, id: 0
- 8, id: 0
- 9, id: 0
- 10, id: 0
- …: 2 more of them are not shown`,
	} {
		s := oneStep(t, reg, tools.RunRequest{}, plan)
		if got := s.Effect.String(); got != want || s.Status != tools.StepPending {
			t.Errorf("%s\n%s\n%s", plan, got, s.Status)
		}
	}
	many := `{"steps":[{"id":"s1","tool":"wipe","args":{"list":[` + strings.Repeat("1,", 99) + `"the end"]}}]}`
	got := oneStep(t, reg, tools.RunRequest{}, many).Effect
	if len(got.Lines) != 31 || got.Lines[24].Value != "70 more lines are not shown" || got.Lines[30].Value != `"the end"` {
		t.Errorf("%s", got)
	}
}

// A decision holds for what was shown: where the call would do something else by now, it waits again.
func TestDecisionHoldsForEffect(t *testing.T) {
	level, calls := 7, 0
	raise := effect("raise", true, func(context.Context, tools.Call) (tools.Result, error) {
		calls++
		return tools.Result{Structured: map[string]any{"level": level}}, nil
	})
	var broken error
	raise.Effect = func(context.Context, tools.Call) (tools.Effect, error) {
		return tools.Effect{What: "Raise the level", Lines: []tools.EffectLine{tools.Change("level", level, level+1)}}, broken
	}
	reg := registry(t, tools.Options{}, raise)
	const plan = `{"steps":[{"id":"s1","tool":"raise","args":{"by":1}}]}`
	first := oneStep(t, reg, tools.RunRequest{}, plan)
	if got := first.Effect.String(); got != "Raise the level\n- level: 7 → 8" || len(first.ArgsHash) != 64 {
		t.Fatal(got)
	}
	decided := func(s tools.StepResult) tools.RunRequest {
		return tools.RunRequest{Decisions: map[string]tools.Decision{"s1": {ArgsHash: s.ArgsHash, Choice: tools.ChooseRun}}}
	}
	level = 9
	again := oneStep(t, reg, decided(first), plan)
	if again.Status != tools.StepPending || again.ArgsHash == first.ArgsHash || again.Effect.Lines[0].Before != "9" || calls != 0 {
		t.Errorf("%+v", again)
	}
	if s := oneStep(t, reg, decided(again), plan); s.Status != tools.StepDone || calls != 1 {
		t.Errorf("%+v", s)
	}
	broken = errors.New("the store is away")
	if s := oneStep(t, reg, tools.RunRequest{}, plan); !strings.HasSuffix(s.Effect.String(), "by: 1\n- what is there now: could not be read") {
		t.Error(s.Effect)
	}
}

// A tool whose changes wait in plans runs unasked only where the message itself, read without a model, orders a small one.
func TestSmallChanges(t *testing.T) {
	raise := effect("raise", false, echo)
	raise.Small = func(args map[string]any) bool { return args["big"] == nil }
	raise.Def.RawInputSchema = []byte(`{"type":"object","properties":{"who":{"type":"string"},"by":{"type":"number","default":0},"big":{}}}`)
	list := quick("list", func(context.Context, tools.Call) (tools.Result, error) {
		return tools.Result{Structured: map[string]any{"ids": []any{"lila", "lila"}}}, nil
	})
	reg := registry(t, tools.Options{}, raise, list)
	rules := tools.RunRequest{Message: "Raise Lila's level by 1.5, please.", ByRules: true}
	model, auto := rules, rules
	model.ByRules, auto.ByRules, auto.Approve = false, false, true
	words := map[string]string{ // which words ordered it: as they stand in the message, none for what is a default
		`{"who":"lila","by":1.5}`:  `order it (by "1.5", who "Lila").`,
		`{"who":"Lila","by":-1.5}`: `order it (by "1.5", who "Lila").`,
		`{"who":"Lila","by":0}`:    `order it (who "Lila").`,
	}
	for _, tc := range []struct {
		req  tools.RunRequest
		args string
		want tools.StepStatus
	}{
		{rules, `{"who":"lila","by":1.5}`, tools.StepDone}, {rules, `{"who":"Lila","by":-1.5}`, tools.StepDone}, {rules, `{"who":"Lila","by":0}`, tools.StepDone},
		{rules, `{"who":"lila","by":1}`, tools.StepPending}, {rules, `{"who":"lil","by":1.5}`, tools.StepPending}, {rules, `{"who":"don","by":1.5}`, tools.StepPending},
		{rules, `{"who":"lila","by":1.5,"big":true}`, tools.StepPending}, {model, `{"who":"lila","by":1.5}`, tools.StepPending}, {auto, `{"who":"don","by":9}`, tools.StepDone},
	} {
		s := oneStep(t, reg, tc.req, `{"steps":[{"id":"s1","tool":"raise","args":`+tc.args+`}]}`)
		if s.Status != tc.want {
			t.Errorf("%s: %s", tc.args, s.Status)
		}
		told := strings.Join(s.Result.Notes, " ")
		if want := tc.want == tools.StepDone && !tc.req.Approve; strings.HasPrefix(told, "Changed without asking: ") != want || want && !strings.HasSuffix(told, words[tc.args]) {
			t.Errorf("%s: %q", tc.args, told)
		}
	}
	if s := oneStep(t, reg, rules, `{"steps":[{"id":"s0","tool":"list"},{"id":"s1","tool":"raise","each":{"$ref":"s0.ids"},"args":{"who":{"$ref":"each"}}}]}`); s.Status != tools.StepPending || len(s.Effect.Lines) != 2 {
		t.Errorf("%+v", s)
	}
	if res, err := reg.Call(t.Context(), tools.Call{Caller: ann, Tool: "raise", Args: map[string]any{"who": "don"}}); err != nil || res.IsError {
		t.Error(err, res.Text)
	}
}

// TestNothingToAsk: nobody is asked about a call that its tool says changes nothing, unless it deletes; the answer says so.
func TestNothingToAsk(t *testing.T) {
	for _, tc := range []struct {
		destructive bool
		by          int
		want        tools.StepStatus
	}{{false, 0, tools.StepDone}, {false, 3, tools.StepPending}, {true, 0, tools.StepPending}} {
		set := effect("set", tc.destructive, echo)
		set.Small = func(map[string]any) bool { return false }
		set.Effect = func(_ context.Context, c tools.Call) (tools.Effect, error) {
			return tools.Effect{What: "Set", Nothing: fmt.Sprint(c.Args["by"]) == "0"}, nil
		}
		s := oneStep(t, registry(t, tools.Options{}, set), tools.RunRequest{}, fmt.Sprintf(`{"steps":[{"id":"s1","tool":"set","args":{"by":%d}}]}`, tc.by))
		told := strings.Join(s.Result.Notes, " ")
		if s.Status != tc.want || strings.Contains(told, "changed nothing") != (tc.want == tools.StepDone) {
			t.Errorf("%+v: %s %q", tc, s.Status, told)
		}
	}
}

// TestExplainedWaits: an explanation says which steps will wait for approval, in the words that will ask for it.
func TestExplainedWaits(t *testing.T) {
	raise := effect("raise", false, echo)
	raise.Small = func(map[string]any) bool { return true }
	reg := registry(t, tools.Options{}, raise, effect("drop", true, echo), quick("list", echo))
	p := parse(t, `{"steps":[{"id":"s0","tool":"list"},{"id":"s1","tool":"raise","args":{"who":"Lila"}},{"id":"s2","tool":"drop","args":{"who":{"$ref":"s0.id"}}}]}`)
	e, err := tools.NewExecutor(reg, tools.ExecutorOptions{}).Explain(t.Context(), ann, p, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct{ waits, effect string }{
		{"", ""}, {plan.WaitsUnlessOrdered, "raise\n- who: \"Lila\""}, {plan.WaitsAlways, "drop\n- who: taken from s0.id"},
	} {
		if s := e.Steps[i]; s.Waits != want.waits || s.Effect != want.effect {
			t.Errorf("%s: %q %q", s.ID, s.Waits, s.Effect)
		}
	}
	waiting := oneStep(t, reg, tools.RunRequest{}, `{"steps":[{"id":"s1","tool":"raise","args":{"who":"Lila"}}]}`)
	if len(e.Destructive) != 2 || waiting.Effect.String() != e.Steps[1].Effect {
		t.Errorf("%v, asked as %q", e.Destructive, waiting.Effect.String())
	}
	var b strings.Builder
	if _, err := e.WriteTo(&b); err != nil || !strings.Contains(b.String(), "s2  drop (") || !strings.Contains(b.String(), "waits for approval\n      drop\n      - who: taken from s0.id\n") {
		t.Error(err, b.String())
	}
}
