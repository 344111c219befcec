package runs

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"catena/chat"
	"catena/chat/chattest"
	"catena/internal/store"
	"catena/internal/store/sqlite"
	"catena/planner/plan"
	"catena/tools"
)

// What the log says of the owners of a run decides whether it is set aside.
func TestPoisonInLog(t *testing.T) {
	began := func(step, tool string) chat.Payload {
		return chat.Payload{Type: chat.StepStarted, StepName: step, Metadata: &chat.Metadata{Catena: chat.StepMetadata{StepID: step, Tool: tool, Status: "started"}}}
	}
	ended := func(step, tool string) chat.Payload {
		return chat.Payload{Type: chat.StepFinished, StepName: step, Metadata: &chat.Metadata{Catena: chat.StepMetadata{StepID: step, Tool: tool, Status: "done"}}}
	}
	closed := func(step, tool string) chat.Payload {
		return chat.Payload{Type: chat.StepFinished, StepName: step, Metadata: &chat.Metadata{Catena: chat.StepMetadata{StepID: step, Tool: tool, Status: "cancelled", Error: stoppedText}}}
	}
	started, over := chat.Payload{Type: chat.RunStarted}, chat.Payload{Type: chat.Custom, Name: takeoverEvent, Value: takeover{Times: 1}}
	left, gaveUp := chat.Payload{Type: chat.Custom, Name: handoverEvent}, chat.Payload{Type: chat.Custom, Name: takeoverEvent, Value: takeover{Times: 1, Left: true}}
	for name, tc := range map[string]struct {
		log  []chat.Payload
		want []string
	}{
		"one death":                   {[]chat.Payload{started, began("s1", "a")}, nil},
		"the same step":               {[]chat.Payload{started, began("s1", "a"), closed("s1", "a"), over, began("s1", "a")}, []string{"s1 (a)"}},
		"another step":                {[]chat.Payload{started, began("s1", "a"), closed("s1", "a"), over, began("s1", "a"), ended("s1", "a"), began("s2", "a")}, nil},
		"another tool":                {[]chat.Payload{started, began("s1", "a"), closed("s1", "a"), over, began("s1", "b")}, nil},
		"in parallel":                 {[]chat.Payload{started, began("s1", "a"), began("s2", "b"), closed("s1", "a"), closed("s2", "b"), over, began("s2", "b"), began("s3", "c")}, []string{"s2 (b)"}},
		"three different":             {[]chat.Payload{started, began("s1", "a"), closed("s1", "a"), over, began("s2", "b"), closed("s2", "b"), over, began("s1", "a")}, nil},
		"twice, later":                {[]chat.Payload{started, began("s1", "a"), closed("s1", "a"), over, began("s2", "b"), closed("s2", "b"), over, began("s2", "b")}, []string{"s2 (b)"}},
		"nothing between":             {[]chat.Payload{started, began("s1", "a"), closed("s1", "a"), over, over, began("s1", "a")}, []string{"s1 (a)"}},
		"left in good order":          {[]chat.Payload{started, began("s1", "a"), left, closed("s1", "a"), over, began("s1", "a")}, nil},
		"left in good order later":    {[]chat.Payload{started, began("s1", "a"), closed("s1", "a"), over, began("s1", "a"), left}, nil},
		"gave up":                     {[]chat.Payload{started, began("s1", "a"), closed("s1", "a"), gaveUp, began("s1", "a")}, nil},
		"before the first event":      {[]chat.Payload{started, over, began("s1", "a")}, []string{"s1 (a)"}},
		"after its first step":        {[]chat.Payload{started, began("plan", ""), ended("plan", ""), over, began("s1", "a")}, nil},
		"died while closing":          {[]chat.Payload{started, began("s1", "a"), began("s2", "b"), closed("s1", "a"), closed("s2", "b"), over, began("s1", "a")}, []string{"s1 (a)"}},
		"not closed":                  {[]chat.Payload{started, began("s1", "a"), over, over}, nil},
		"not closed, and begun again": {[]chat.Payload{started, began("s1", "a"), over, began("s1", "a")}, []string{"s1 (a)"}},
		"gone on with":                {[]chat.Payload{started, began("s1", "a"), closed("s1", "a"), over, began("s1", "a"), {Type: chat.RunError}, started, began("s1", "a")}, nil},
		"released":                    {[]chat.Payload{{Type: chat.RunError}, started, left, over, began("s1", "a")}, nil},
		"released, and twice again":   {[]chat.Payload{{Type: chat.RunError}, started, left, over, began("s1", "a"), closed("s1", "a"), over, began("s1", "a")}, []string{"s1 (a)"}},
	} {
		t.Run(name, func(t *testing.T) {
			var k taken
			for _, p := range tc.log {
				k.read(p)
			}
			if diff := cmp.Diff(tc.want, stepNames(k.poison())); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// killer is a run that dies with its process whenever a tool is called, or a plan is asked for.
type killer struct {
	*world
	run    string
	owners int
	calls  atomic.Int32
	safe   atomic.Bool
}

func newKiller(t *testing.T) *killer {
	t.Helper()
	k := &killer{world: newWorld(t)}
	deadly := chattest.Tools(t)[0]
	deadly.Def.Name = "deadly"
	handler := deadly.Handler
	deadly.Handler = func(ctx context.Context, c tools.Call) (tools.Result, error) {
		k.calls.Add(1)
		if !k.safe.Load() {
			<-ctx.Done() // until its process is over
			return tools.Result{}, ctx.Err()
		}
		return handler(ctx, c)
	}
	if err := k.Registry.Register(deadly); err != nil {
		t.Fatal(err)
	}
	k.Planner.Answers["kill"] = plan.Response{Plan: plan.Plan{Title: "deadly", Steps: []plan.Step{chattest.Step("s1", "deadly", nil)}}, By: "offline"}
	return k
}

// process has one process work on the run until an event with a text is in its log, and ends it as if it were killed. The first one starts it.
func (k *killer) process(t *testing.T, message, until string, attached ...chat.Attachment) {
	t.Helper()
	log := &dying{Store: k.Store}
	var r *Runs
	if k.run == "" {
		r = New(k.engine(), log, Options{Log: k.opts.Log})
		run, err := r.Start(t.Context(), chattest.Ann, chat.Request{Message: message, Attachments: attached})
		if err != nil {
			t.Fatal(err)
		}
		k.run = run
	} else {
		r = New(k.engine(), nextDying{log, k.run}, Options{Log: k.opts.Log})
		if on, ended, err := r.Recover(t.Context()); on != 1 || ended != 0 || err != nil {
			t.Fatal(on, ended, err)
		}
	}
	k.owners++
	for ctx := t.Context(); ctx.Err() == nil; time.Sleep(time.Millisecond) {
		_, events, err := k.Store.Events(ctx, "ann", k.run, 0, 100)
		if err != nil {
			t.Fatal(err)
		}
		owners := strings.Split(string(bytes.Join(events, nil)), takeoverEvent)
		if len(owners) == k.owners && strings.Contains(owners[k.owners-1], until) {
			break
		}
	}
	stop(t, r, log)
}

// next is the log of the next owner of a run, which acquires it.
type next struct {
	*sqlite.Store
	run string
}

func (n next) OpenRuns(ctx context.Context, _ int) ([]string, error) {
	if _, err := n.AcquireLease(ctx, n.run); err != nil && !errors.Is(err, store.ErrLeased) { // the one store of the test may have it
		return nil, err
	}
	return []string{n.run}, nil
}

// nextDying is next for a process that dies.
type nextDying struct {
	*dying
	run string
}

func (n nextDying) OpenRuns(ctx context.Context, limit int) ([]string, error) {
	return next{n.Store, n.run}.OpenRuns(ctx, limit)
}

// A run whose last two owners died in the same step is set aside: its asker is told, in its session too, it is on the list, and it is tried again
// when it is released.
func TestPoison(t *testing.T) {
	for name, tc := range map[string]struct {
		message, until, want string
		attached             []chat.Attachment
		planning             bool
	}{
		"a step":   {message: "kill", until: `"stepName":"s1"`, want: "s1 (deadly)"},
		"planning": {message: "top", until: `"stepName":"plan"`, want: "planning", planning: true},
		"attached": {message: "top", until: `"stepName":"plan"`, want: "planning", planning: true, attached: []chat.Attachment{{Name: "a.csv", Data: []byte("a\n1\n")}}},
	} {
		t.Run(name, func(t *testing.T) {
			k := newKiller(t)
			var told atomic.Int32
			k.Planner.Block = tc.planning
			k.process(t, tc.message, tc.until, tc.attached...)
			k.process(t, tc.message, tc.until)
			calls := k.calls.Load()
			r := New(k.engine(), next{k.Store, k.run}, Options{Log: k.opts.Log, Poisoned: func() { told.Add(1) }})
			if on, ended, err := r.Recover(t.Context()); on != 0 || ended != 1 || err != nil {
				t.Fatal(on, ended, err)
			}
			resp, err := r.Wait(t.Context(), chattest.Ann, k.run)
			if err != nil || resp.Error == nil || resp.Error.Code != codePoisoned || !strings.Contains(resp.Response, tc.want) || !strings.Contains(resp.Response, "catena runs release "+k.run) {
				t.Fatalf("%v %+v %s", err, resp.Error, resp.Response)
			}
			if k.calls.Load() != calls || told.Load() != 1 {
				t.Errorf("called %d times, then %d; told %d times", calls, k.calls.Load(), told.Load())
			}
			turns, err := k.engine().Turns(t.Context(), chattest.Ann, resp.SessionID, 10)
			if err != nil || len(turns) != 1 || turns[0].Response != resp.Response {
				t.Errorf("%v, %+v", err, turns)
			}
			events, err := follow(t.Context(), r, k.run, 0)
			if err != nil || events[len(events)-1].Type != chat.RunError {
				t.Errorf("%v %v", err, types(events))
			}
			info, err := r.Get(t.Context(), chattest.Ann, k.run)
			if err != nil || info.Status != StatusPoisoned {
				t.Error(info.Status, err)
			}
			var input *chat.InputError
			if _, err := r.Resume(t.Context(), chattest.Ann, k.run); !errors.As(err, &input) || !errors.Is(err, fs.ErrExist) {
				t.Error("resumed:", err)
			}
			k.release(t, r, resp, tc.want)
		})
	}
}

// release lists the run, and has it go on.
func (k *killer) release(t *testing.T, r *Runs, was chat.Response, steps string) {
	t.Helper()
	list, err := ListSetAside(t.Context(), k.Store)
	want := []SetAside{{Run: k.run, Owner: "ann", Session: was.SessionID, Steps: []string{steps}, At: chattest.Clock}}
	if diff := cmp.Diff(want, list); err != nil || diff != "" {
		t.Fatal(err, diff)
	}
	if err := ReleaseRun(t.Context(), k.Store, "run_other", chattest.Clock); !errors.Is(err, fs.ErrNotExist) {
		t.Error("another run:", err)
	}
	if err := ReleaseRun(t.Context(), k.Store, k.run, chattest.Clock); err != nil {
		t.Fatal(err)
	}
	if list, err := ListSetAside(t.Context(), k.Store); err != nil || len(list) > 0 {
		t.Error(list, err)
	}
	if err := ReleaseRun(t.Context(), k.Store, k.run, chattest.Clock); !errors.Is(err, fs.ErrNotExist) {
		t.Error("released twice:", err)
	}
	k.safe.Store(true)
	k.Planner.Block = false
	if on, ended, err := r.Recover(t.Context()); on != 1 || ended != 0 || err != nil {
		t.Fatal(on, ended, err)
	}
	resp, err := r.Wait(t.Context(), chattest.Ann, k.run)
	if err != nil || resp.Outcome != chat.OutcomeAnswer {
		t.Fatalf("%v %s", err, resp.Response)
	}
	turns, err := k.engine().Turns(t.Context(), chattest.Ann, resp.SessionID, 10)
	if err != nil || len(turns) != 1 || turns[0].Outcome != chat.OutcomeAnswer {
		t.Errorf("%v, %+v", err, turns)
	}
}

// A run that is killed in two different steps is not set aside, nor one whose process leaves it in good order each time.
func TestNoPoison(t *testing.T) {
	k := newKiller(t)
	k.Planner.Block = true
	k.process(t, "kill", `"stepName":"plan"`)
	k.Planner.Block = false
	k.process(t, "kill", `"stepName":"s1"`)
	for range 2 {
		before := k.calls.Load()
		r := New(k.engine(), next{k.Store, k.run}, Options{Log: k.opts.Log, HandOver: true})
		if on, ended, err := r.Recover(t.Context()); on != 1 || ended != 0 || err != nil {
			t.Fatal(on, ended, err)
		}
		for ctx := t.Context(); ctx.Err() == nil && k.calls.Load() == before; time.Sleep(time.Millisecond) {
		}
		now, cancel := context.WithCancel(t.Context())
		cancel()
		if err := r.Close(now); err != nil {
			t.Fatal(err)
		}
	}
	k.safe.Store(true)
	r := New(k.engine(), next{k.Store, k.run}, Options{Log: k.opts.Log})
	if on, ended, err := r.Recover(t.Context()); on != 1 || ended != 0 || err != nil {
		t.Fatal(on, ended, err)
	}
	if resp, err := r.Wait(t.Context(), chattest.Ann, k.run); err != nil || resp.Outcome != chat.OutcomeAnswer {
		t.Errorf("%v %s", err, resp.Response)
	}
}

// unread is the log of a process that dies while it reads what is kept of a run.
type unread struct {
	next
	dies bool
}

type diedReading struct{}

func (u unread) State(ctx context.Context, run string) ([]byte, error) {
	if u.dies {
		panic(diedReading{})
	}
	return u.next.State(ctx, run)
}

func (u unread) DeleteRecord(ctx context.Context, kind, id string) error {
	if u.dies {
		return nil
	}
	return u.next.DeleteRecord(ctx, kind, id)
}

var _ Log = (*sqlite.Store)(nil)

// A run whose reading alone ends the process is set aside without being read.
func TestPoisonReading(t *testing.T) {
	k := newKiller(t)
	k.process(t, "kill", `"stepName":"s1"`)
	for range maxReadings {
		r := New(k.engine(), unread{next{k.Store, k.run}, true}, Options{Log: k.opts.Log})
		func() {
			defer func() {
				if _, ok := recover().(diedReading); !ok {
					t.Error("the process did not die")
				}
			}()
			_, _, _ = r.Recover(t.Context())
		}()
	}
	r := New(k.engine(), unread{next{k.Store, k.run}, false}, Options{Log: k.opts.Log})
	if on, ended, err := r.Recover(t.Context()); on != 0 || ended != 1 || err != nil {
		t.Fatal(on, ended, err)
	}
	resp, err := r.Wait(t.Context(), chattest.Ann, k.run)
	if err != nil || resp.Error == nil || resp.Error.Code != codePoisoned {
		t.Fatalf("%v %+v", err, resp)
	}
	k.release(t, r, resp, "reading what is kept of it")
}
