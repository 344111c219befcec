package runs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"catena/chat"
	"catena/chat/chattest"
	"catena/internal/access"
	"catena/internal/store"
	"catena/internal/store/sqlite"
	"catena/planner/plan"
	"catena/tools"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func (w *world) runs(t testing.TB, opts Options) *Runs {
	t.Helper()
	opts.Log, opts.Tables = w.opts.Log, w.Tables
	r := New(w.engine(), w.Store, opts)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		defer cancel()
		if err := r.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	return r
}

// seen is an event as a reader gets it.
type seen struct {
	Type   string
	Seq    uint64
	Tool   string          `json:"toolCallName"`
	Step   string          `json:"stepName"`
	Kind   string          `json:"activityType"`
	Thread string          `json:"threadId"`
	Run    string          `json:"runId"`
	Code   string          `json:"code"`
	Delta  string          `json:"delta"`
	Result json.RawMessage `json:"result"`
}

func follow(ctx context.Context, r *Runs, run string, after uint64) ([]seen, error) {
	var all []seen
	err := r.Follow(ctx, chattest.Ann, run, after, func(e chat.Event) error {
		s := seen{Seq: e.Seq}
		err := json.Unmarshal(e.Data, &s)
		all = append(all, s)
		return err
	})
	return all, err
}

func types(events []seen) []string {
	var out []string
	for _, e := range events {
		out = append(out, strings.TrimSuffix(e.Type+" "+e.Tool+e.Kind+e.Step, " "))
	}
	return out
}

func TestRunEvents(t *testing.T) {
	w := newWorld(t)
	r := w.runs(t, Options{})
	ctx := context.Background()
	run, err := r.Start(ctx, chattest.Ann, chat.Request{Message: "top"})
	if err != nil {
		t.Fatal(err)
	}
	events, err := follow(ctx, r, run, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"RUN_STARTED", "STEP_STARTED plan", "STEP_FINISHED plan", "ACTIVITY_SNAPSHOT PLAN",
		"STEP_STARTED s1", "TOOL_CALL_START get_top_clients", "TOOL_CALL_ARGS", "TOOL_CALL_END", "TOOL_CALL_RESULT", "STEP_FINISHED s1",
		"STEP_STARTED format", "ACTIVITY_SNAPSHOT TABLE", "STEP_FINISHED format",
		"TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END", "RUN_FINISHED",
	}
	if got := types(events); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	text := ""
	for i, e := range events {
		if e.Seq != uint64(i+1) {
			t.Errorf("event %d has the number %d", i+1, e.Seq)
		}
		if e.Type == chat.TextMessageContent {
			text += e.Delta
		}
	}
	var resp chat.Response
	if err := json.Unmarshal(events[len(events)-1].Result, &resp); err != nil {
		t.Fatal(err)
	}
	if text != resp.Response || resp.RunID != run || events[0].Run != run || events[0].Thread != resp.SessionID {
		t.Errorf("text %q, response %q", text, resp.Response)
	}
	waited, err := r.Wait(ctx, chattest.Ann, run)
	if err != nil || waited.Response != resp.Response {
		t.Error("Wait:", waited.Response, err)
	}
	info, err := r.Get(ctx, chattest.Ann, run)
	if err != nil || info.Status != chat.OutcomeAnswer || !strings.Contains(string(info.Request), `"message":"top"`) {
		t.Errorf("%+v %v", info, err)
	}
	again, err := follow(ctx, r, run, 14)
	if err != nil || len(again) != 3 || again[0].Seq != 15 {
		t.Error("after 14:", types(again), err)
	}
}

// TestReaders follows one run with many readers that come at different times and leave and come back.
func TestReaders(t *testing.T) {
	w := newWorld(t)
	r := w.runs(t, Options{})
	ctx := context.Background()
	run, err := r.Start(ctx, chattest.Ann, chat.Request{Message: "waits"})
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			var last uint64
			stop := errors.New("gone")
			err := r.Follow(ctx, chattest.Ann, run, 0, func(e chat.Event) error { last = e.Seq; return stop })
			if !errors.Is(err, stop) || last != 1 {
				t.Errorf("left after %d: %v", last, err)
			}
			rest, err := follow(ctx, r, run, last)
			if err != nil || len(rest) == 0 {
				t.Errorf("%d events after %d: %v", len(rest), last, err)
				return
			}
			for i, e := range rest {
				if e.Seq != uint64(i+2) {
					t.Errorf("a gap: event %d has the number %d", i+2, e.Seq)
				}
			}
			if end := rest[len(rest)-1]; end.Type != chat.RunError || end.Code != "cancelled" {
				t.Errorf("%+v", end)
			}
		})
	}
	time.Sleep(20 * time.Millisecond)
	for range 3 {
		if err := r.Cancel(ctx, chattest.Ann, run); err != nil {
			t.Error(err)
		}
	}
	wg.Wait()
	resp, err := r.Wait(ctx, chattest.Ann, run)
	if err != nil || resp.Error.Code != "cancelled" || len(resp.Tables) != 1 {
		t.Errorf("%+v %v", resp, err)
	}
	if err := r.Cancel(ctx, chattest.Ann, run); err != nil {
		t.Error("cancelling what is over:", err)
	}
	turns, err := w.engine().Turns(ctx, chattest.Ann, resp.SessionID, 9)
	if err != nil || len(turns) != 1 || turns[0].Outcome != chat.OutcomeError {
		t.Errorf("the cancelled turn is not in its session: %+v %v", turns, err)
	}
}

func TestRunsAreTheOwners(t *testing.T) {
	w := newWorld(t)
	r := w.runs(t, Options{})
	ctx := context.Background()
	run, err := r.Start(ctx, chattest.Ann, chat.Request{Message: "waits"})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{run, "run_none"} {
		_, errWait := r.Wait(ctx, chattest.Bob, id)
		_, errGet := r.Get(ctx, chattest.Bob, id)
		errFollow := r.Follow(ctx, chattest.Bob, id, 0, func(chat.Event) error { t.Error("bob saw an event"); return nil })
		for _, err := range []error{errWait, errGet, errFollow, r.Cancel(ctx, chattest.Bob, id)} {
			var input *chat.InputError
			if !errors.As(err, &input) || input.Code != "run_not_found" || !errors.Is(err, fs.ErrNotExist) {
				t.Error(err)
			}
		}
	}
	if err := r.Cancel(ctx, chattest.Ann, run); err != nil {
		t.Error(err)
	}
}

// TestHangingUp ends the context of Start; the run goes on.
func TestHangingUp(t *testing.T) {
	w := newWorld(t)
	r := w.runs(t, Options{})
	ctx, hangUp := context.WithCancel(context.Background())
	run, err := r.Start(ctx, chattest.Ann, chat.Request{Message: "chain"})
	hangUp()
	if err != nil {
		t.Fatal(err)
	}
	resp, err := r.Wait(context.Background(), chattest.Ann, run)
	if err != nil || resp.Outcome != chat.OutcomeAnswer {
		t.Errorf("%+v %v", resp, err)
	}
}

func TestStartRefuses(t *testing.T) {
	w := newWorld(t)
	r := w.runs(t, Options{Max: 1})
	ctx := context.Background()
	for code, req := range map[string]chat.Request{"message_empty": {}, "session_not_found": {Message: "x", SessionID: "ses_none"}} {
		_, err := r.Start(ctx, chattest.Ann, req)
		var input *chat.InputError
		if !errors.As(err, &input) || input.Code != code {
			t.Errorf("%s: %v", code, err)
		}
	}
	run, err := r.Start(ctx, chattest.Ann, chat.Request{Message: "waits"})
	if err != nil {
		t.Fatal("a refused request kept its place:", err)
	}
	if _, err := r.Start(ctx, chattest.Ann, chat.Request{Message: "top"}); !errors.Is(err, ErrBusy) {
		t.Error(err)
	}
	r.opts.Max, r.opts.PerCaller = 64, func(access.Caller) int { return 1 }
	if _, err := r.Start(ctx, chattest.Ann, chat.Request{Message: "top"}); !errors.Is(err, ErrBusy) || !strings.Contains(err.Error(), "of this caller") {
		t.Error(err)
	}
	if _, err := r.Start(ctx, access.Caller{ID: "bob"}, chat.Request{Message: "top"}); err != nil {
		t.Error("another caller:", err)
	}
	closing, cancel := context.WithTimeout(ctx, time.Millisecond)
	defer cancel()
	if err := r.Close(closing); err != nil {
		t.Error("Close:", err)
	}
	if _, err := r.Start(ctx, chattest.Ann, chat.Request{Message: "top"}); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	if resp, err := r.Wait(ctx, chattest.Ann, run); err != nil || resp.Error.Code != "cancelled" {
		t.Errorf("%+v %v", resp, err)
	}
}

func TestTimeout(t *testing.T) {
	w := newWorld(t)
	w.Planner.Block = true
	r := w.runs(t, Options{Timeout: 10 * time.Millisecond})
	run, err := r.Start(context.Background(), chattest.Ann, chat.Request{Message: "top"})
	if err != nil {
		t.Fatal(err)
	}
	if resp, err := r.Wait(context.Background(), chattest.Ann, run); err != nil || resp.Error.Code != "timeout" {
		t.Errorf("%+v %v", resp, err)
	}
}

// breaking is an executor that panics.
type breaking struct{ chat.Executor }

func TestPanic(t *testing.T) {
	w := newWorld(t)
	w.opts.Executor = breaking{}
	r := w.runs(t, Options{})
	run, err := r.Start(context.Background(), chattest.Ann, chat.Request{Message: "top"})
	if err != nil {
		t.Fatal(err)
	}
	events, err := follow(context.Background(), r, run, 0)
	if end := events[len(events)-1]; err != nil || end.Type != chat.RunError || end.Code != "internal" {
		t.Errorf("%v %v", types(events), err)
	}
	if resp, err := r.Wait(context.Background(), chattest.Ann, run); err != nil || resp.Outcome != chat.OutcomeError {
		t.Errorf("%+v %v", resp, err)
	}
}

// TestManyRuns starts runs from many goroutines, follows and cancels some.
func TestManyRuns(t *testing.T) {
	w := newWorld(t)
	w.Planner.Asked = nil
	w.opts.Planner = &silent{w.Planner.Answers}
	r := w.runs(t, Options{Max: 1000})
	ctx := context.Background()
	var wg sync.WaitGroup
	for i := range 40 {
		wg.Go(func() {
			message := []string{"top", "chain", "waits"}[i%3]
			run, err := r.Start(ctx, chattest.Ann, chat.Request{Message: message})
			if err != nil {
				t.Error(err)
				return
			}
			if message == "waits" {
				if err := r.Cancel(ctx, chattest.Ann, run); err != nil {
					t.Error(err)
				}
			}
			events, err := follow(ctx, r, run, 0)
			if err != nil || len(events) == 0 || !chat.Terminal(events[len(events)-1].Type) {
				t.Error(types(events), err)
			}
			ends := 0
			for j, e := range events {
				if e.Seq != uint64(j+1) {
					t.Error("a gap")
				}
				if chat.Terminal(e.Type) {
					ends++
				}
			}
			if ends != 1 {
				t.Error(ends, "terminal events")
			}
		})
	}
	wg.Wait()
}

func ExampleRuns() {
	ctx := context.Background()
	s, err := sqlite.Open(ctx, ":memory:", store.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	reg := tools.NewRegistry(tools.Options{})
	planner := &silent{map[string]plan.Response{"sales?": {Plan: plan.Plan{Clarify: "Of which year?"}, By: "offline"}}}
	engine := chat.NewEngine(chat.Options{Planner: planner, Catalogue: reg, Executor: tools.NewExecutor(reg, tools.ExecutorOptions{}), Sessions: s})
	runs := New(engine, s, Options{})
	defer runs.Close(ctx)

	me := access.Local("cli")
	run, err := runs.Start(ctx, me, chat.Request{Message: "sales?"})
	if err != nil {
		fmt.Println(err)
		return
	}
	err = runs.Follow(ctx, me, run, 0, func(e chat.Event) error {
		var p chat.Payload
		err := json.Unmarshal(e.Data, &p)
		fmt.Println(strings.TrimSpace(fmt.Sprint(e.Seq, " ", p.Type, " ", p.Delta)))
		return err
	})
	fmt.Println(err)
	// Output:
	// 1 RUN_STARTED
	// 2 STEP_STARTED
	// 3 STEP_FINISHED
	// 4 TEXT_MESSAGE_START
	// 5 TEXT_MESSAGE_CONTENT Of which year?
	// 6 TEXT_MESSAGE_END
	// 7 RUN_FINISHED
	// <nil>
}

// BenchmarkRun is a turn with all its durable writes, in a file.
func BenchmarkRun(b *testing.B) {
	w := newWorld(b)
	ctx := context.Background()
	s, err := sqlite.Open(ctx, filepath.Join(b.TempDir(), "s.db"), store.Options{})
	if err != nil {
		b.Fatal(err)
	}
	w.opts.Planner, w.opts.Sessions = &silent{w.Planner.Answers}, s
	r := New(w.engine(), s, Options{Log: w.opts.Log})
	b.ReportAllocs()
	for b.Loop() {
		run, err := r.Start(ctx, chattest.Ann, chat.Request{Message: "chain"})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := r.Wait(ctx, chattest.Ann, run); err != nil {
			b.Fatal(err)
		}
	}
	if err := errors.Join(r.Close(ctx), s.Close()); err != nil {
		b.Fatal(err)
	}
}
