package runs

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"catena/chat"
	"catena/chat/chattest"
	"catena/internal/store/sqlite"
)

func TestSessionDeletedMeanwhile(t *testing.T) {
	w := newWorld(t)
	r := w.runs(t, Options{})
	ctx := context.Background()
	run, err := r.Start(ctx, chattest.Ann, chat.Request{Message: "waits"})
	if err != nil {
		t.Fatal(err)
	}
	info, err := r.Get(ctx, chattest.Ann, run)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.DeleteSession(ctx, chattest.Bob, info.SessionID); !errors.Is(err, fs.ErrNotExist) {
		t.Error("bob deleted ann's session:", err)
	}
	if err := r.DeleteSession(ctx, chattest.Ann, info.SessionID); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Get(ctx, chattest.Ann, run); !errors.Is(err, fs.ErrNotExist) {
		t.Error("the run outlived its session:", err)
	}
	if handles, _, err := w.Store.ListHandles(ctx, "ann", info.SessionID, 9); err != nil || len(handles) > 0 {
		t.Error("tables outlived their session:", handles, err)
	}
}

// TestTurnCannotBeKept deletes the session behind the engine's back: the answer comes, and says what it lacks.
func TestTurnCannotBeKept(t *testing.T) {
	w := newWorld(t)
	gone := &gone{Sessions: w.Store}
	w.opts.Sessions = gone
	resp := w.ask(t, "top")
	if resp.Outcome != chat.OutcomeAnswer || !slices.Contains(resp.Notes, "This turn could not be kept: a follow-up will not know of it.") {
		t.Errorf("%+v", resp)
	}
}

// gone loses each session before a turn is appended.
type gone struct{ chat.Sessions }

func (g *gone) AppendTurn(ctx context.Context, owner, session, run string, data []byte, at time.Time) error {
	if err := g.DeleteSession(ctx, owner, session); err != nil {
		return err
	}
	return g.Sessions.AppendTurn(ctx, owner, session, run, data, at)
}

// TestClientsOwn: what a surface kept of its request comes again, and belongs to what a key is good for.
func TestClientsOwn(t *testing.T) {
	w := newWorld(t)
	r := w.runs(t, Options{})
	ctx := context.Background()
	start := func(own string) (string, error) {
		return r.Start(ctx, chattest.Ann, chat.Request{Message: "top", IdempotencyKey: "own", Client: json.RawMessage(own)})
	}
	run, err := start(`{"team":"north"}`)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Wait(ctx, chattest.Ann, run); err != nil {
		t.Fatal(err)
	}
	info, err := r.Get(ctx, chattest.Ann, run)
	if err != nil || string(info.Client) != `{"team":"north"}` || !info.At.Equal(chattest.Clock) {
		t.Errorf("%v %s %v", err, info.Client, info.At)
	}
	if again, err := start(`{"team":"north"}`); err != nil || again != run {
		t.Error(again, err)
	}
	var bad *chat.InputError
	if _, err := start(`{"team":"south"}`); !errors.As(err, &bad) || bad.Code != "idempotency_key_reused" {
		t.Error("another request under the key:", err)
	}
}

func TestIdempotencyKey(t *testing.T) {
	w := newWorld(t)
	r := w.runs(t, Options{})
	ctx := context.Background()
	start := func(message, key string) (string, error) {
		return r.Start(ctx, chattest.Ann, chat.Request{Message: message, IdempotencyKey: key})
	}
	first, err := start("top", "k1")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Wait(ctx, chattest.Ann, first); err != nil {
		t.Fatal(err)
	}
	if again, err := start("top", "k1"); err != nil || again != first {
		t.Errorf("after its end: %s and %s: %v", first, again, err)
	}
	if other, err := start("top", "k2"); err != nil || other == first {
		t.Error("another key gave the same run", err)
	}
	var input *chat.InputError
	if _, err := start("count", "k1"); !errors.As(err, &input) || input.Code != "idempotency_key_reused" {
		t.Error(err)
	}
	var other *chat.InputError
	attached := chat.Request{Message: "top", IdempotencyKey: "k1", Attachments: []chat.Attachment{{Name: "a.csv", Data: []byte("a\n1\n")}}}
	if _, err := r.Start(ctx, chattest.Ann, attached); !errors.As(err, &other) || other.Code != "idempotency_key_reused" {
		t.Error("with an attachment:", err)
	}
	for _, key := range []string{"a\nb", "ä", strings.Repeat("k", 256)} {
		if _, err := start("top", key); !errors.As(err, &other) || other.Code != "bad_idempotency_key" {
			t.Errorf("key %q: %v", key, err)
		}
	}
	if bobs, err := r.Start(ctx, chattest.Bob, chat.Request{Message: "top", IdempotencyKey: "k1"}); err != nil || bobs == first {
		t.Error("bob's key is ann's:", err)
	}
}

// A hundred requests with one key at once make one run; the others are told so.
func TestIdempotencyKeyAtOnce(t *testing.T) {
	w := newWorld(t)
	r := w.runs(t, Options{})
	var started, told atomic.Int32
	var run atomic.Value
	var all sync.WaitGroup
	for range 100 {
		all.Go(func() {
			id, err := r.Start(context.Background(), chattest.Ann, chat.Request{Message: "waits", IdempotencyKey: "k"})
			var input *chat.InputError
			switch {
			case err == nil:
				started.Add(1)
				run.Store(id)
			case errors.As(err, &input) && input.Code == "idempotency_key_in_flight" && errors.Is(err, fs.ErrExist):
				told.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	all.Wait()
	if started.Load() != 1 || told.Load() != 99 {
		t.Errorf("%d started, %d were told", started.Load(), told.Load())
	}
	if err := r.Cancel(context.Background(), chattest.Ann, run.Load().(string)); err != nil {
		t.Error(err)
	}
}

// former is a log with runs that another process left behind.
type former struct {
	*sqlite.Store
	open []string
}

func (f former) OpenRuns(context.Context, int) ([]string, error) { return f.open, nil }

func TestRecover(t *testing.T) {
	w := newWorld(t)
	ctx := context.Background()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, run := range []string{"run_cut", "run_write", "run_ended"} {
		must(w.Store.StartRun(ctx, "ann", run, "ses_1", []byte("{}"), nil, chattest.Clock))
		must(w.Store.AppendEvents(ctx, run, 1, [][]byte{[]byte(`{"type":"RUN_STARTED"}`)}))
	}
	must(w.Store.Begin(ctx, "run_write", "s1", "delete_all", "h", false))
	must(w.Store.AppendEvents(ctx, "run_ended", 2, [][]byte{[]byte(`{"type":"RUN_FINISHED","result":{"outcome":"answer","response":"42"}}`)}))
	r := New(w.engine(), former{w.Store, []string{"run_cut", "run_write", "run_ended"}}, Options{})
	if on, ended, err := r.Recover(ctx); on != 0 || ended != 3 || err != nil {
		t.Fatal(on, ended, err)
	}
	for run, want := range map[string]string{
		"run_cut":   "error The program stopped while this was running.",
		"run_write": "error The program stopped while this was running. Whether delete_all took effect is not known.",
		"run_ended": "answer 42",
	} {
		resp, err := r.Wait(ctx, chattest.Ann, run)
		if got := resp.Outcome + " " + resp.Response; err != nil || got != want {
			t.Errorf("%s: %q, %v", run, got, err)
		}
		events, err := follow(ctx, r, run, 0)
		if err != nil || len(events) != 2 || !chat.Terminal(events[1].Type) {
			t.Errorf("%s: %v %v", run, types(events), err)
		}
	}
}

// TestRecoverCalls leaves what is no turn to who knows of it.
func TestRecoverCalls(t *testing.T) {
	w := newWorld(t)
	if _, err := w.Store.StartCall(t.Context(), "ann", "call_1", []byte("{}"), chattest.Clock, chattest.Clock.Add(time.Hour), 1); err != nil {
		t.Fatal(err)
	}
	var told string
	r := New(w.engine(), former{w.Store, []string{"call_1"}}, Options{Call: func(_ context.Context, run string) (bool, error) {
		told = run
		return true, nil
	}})
	if on, ended, err := r.Recover(t.Context()); on != 1 || ended != 0 || err != nil || told != "call_1" {
		t.Error(on, ended, err, told)
	}
	if _, err := r.Get(t.Context(), chattest.Ann, "call_1"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("as a turn: %v", err)
	}
}

// TestLongLog follows a log of more events than one read takes.
func TestLongLog(t *testing.T) {
	w := newWorld(t)
	ctx := context.Background()
	const n = 3*eventsRead + 7
	events := make([][]byte, n)
	for i := range events {
		events[i] = []byte(`{"type":"CUSTOM"}`)
	}
	if err := errors.Join(w.Store.StartRun(ctx, "ann", "run_long", "", nil, nil, chattest.Clock), w.Store.AppendEvents(ctx, "run_long", 1, events), w.Store.FinishRun(ctx, "run_long", chat.OutcomeAnswer, []byte("{}"), chattest.Clock)); err != nil {
		t.Fatal(err)
	}
	for _, after := range []uint64{0, 7, n - 1, n, n + 5} {
		got, err := follow(ctx, w.runs(t, Options{}), "run_long", after)
		if want := max(0, n-int(after)); err != nil || len(got) != want {
			t.Errorf("after %d: %d events, want %d, %v", after, len(got), want, err)
		}
	}
}

// failing is a log that cannot be written for a while: its events, or the ends of runs.
type failing struct {
	*sqlite.Store
	events, ends atomic.Bool
	of           *Runs
}

// whenRead waits until somebody reads a run that is under way: who came later would not be told that it broke, as it may
// be gone on with.
func (f *failing) whenRead(run string) {
	f.of.mu.Lock()
	l := f.of.live[run]
	f.of.mu.Unlock()
	<-l.read
}

var errFull = errors.New("the disk is full")

func (f *failing) AppendEvents(ctx context.Context, run string, first uint64, events [][]byte) error {
	if f.events.Load() {
		f.whenRead(run)
		return errFull
	}
	return f.Store.AppendEvents(ctx, run, first, events)
}

func (f *failing) EndRun(ctx context.Context, run string, first uint64, events [][]byte, status string, response []byte, at time.Time) error {
	if f.ends.Load() {
		f.whenRead(run)
		return errFull
	}
	return f.Store.EndRun(ctx, run, first, events, status, response, at)
}

// TestLogFails has a run stop whose events cannot be kept, and go on when they can be again.
func TestLogFails(t *testing.T) {
	w := newWorld(t)
	log := &failing{Store: w.Store}
	log.events.Store(true)
	r := New(w.engine(), log, Options{Log: w.opts.Log})
	log.of = r
	ctx := t.Context()
	run, err := r.Start(ctx, chattest.Ann, chat.Request{Message: "waits"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := follow(ctx, r, run, 0); err == nil || !strings.Contains(err.Error(), "the disk is full") {
		t.Error("the reader was not told:", err)
	}
	idle(r)
	if _, status, _, _, err := w.Store.Run(ctx, "ann", run); err != nil || status != "running" {
		t.Errorf("a run without its log is over: %s, %v", status, err)
	}
	log.events.Store(false)
	if on, ended, err := r.Recover(ctx); on != 1 || ended != 0 || err != nil {
		t.Fatalf("%d go on, %d ended, %v", on, ended, err)
	}
	if err := r.Cancel(ctx, chattest.Ann, run); err != nil {
		t.Error(err)
	}
	if resp, err := r.Wait(ctx, chattest.Ann, run); err != nil || resp.Outcome != chat.OutcomeError {
		t.Errorf("%+v %v", resp, err)
	}
	if events, err := follow(ctx, r, run, 0); err != nil || len(events) == 0 || !chat.Terminal(events[len(events)-1].Type) {
		t.Errorf("%v %v", types(events), err)
	}
	if err := r.Close(ctx); err != nil {
		t.Error(err)
	}
}

// TestEndFails has a run whose end cannot be recorded tell nobody of it, and end when it can be.
func TestEndFails(t *testing.T) {
	w := newWorld(t)
	log := &failing{Store: w.Store}
	log.ends.Store(true)
	r := New(w.engine(), log, Options{Log: w.opts.Log})
	log.of = r
	ctx := t.Context()
	run, err := r.Start(ctx, chattest.Ann, chat.Request{Message: "top"})
	if err != nil {
		t.Fatal(err)
	}
	told, err := follow(ctx, r, run, 0)
	if err == nil || !strings.Contains(err.Error(), "the disk is full") {
		t.Error("the reader was not told:", err)
	}
	if slices.ContainsFunc(types(told), chat.Terminal) {
		t.Errorf("an end was told that is not recorded: %v", types(told))
	}
	idle(r)
	log.ends.Store(false)
	if on, ended, err := r.Recover(ctx); on != 1 || ended != 0 || err != nil {
		t.Fatalf("%d go on, %d ended, %v", on, ended, err)
	}
	if resp, err := r.Wait(ctx, chattest.Ann, run); err != nil || resp.Outcome != chat.OutcomeAnswer {
		t.Errorf("%+v %v", resp, err)
	}
	turns, err := w.opts.Sessions.Turns(ctx, "ann", sessionOf(t, w, run), 9)
	if err != nil || len(turns) != 1 {
		t.Errorf("%d turns in the session, %v", len(turns), err)
	}
	if err := r.Close(ctx); err != nil {
		t.Error(err)
	}
}

// sessionOf is the session of a run of ann's.
func sessionOf(t *testing.T, w *world, run string) string {
	t.Helper()
	session, _, _, _, err := w.Store.Run(t.Context(), "ann", run)
	if err != nil {
		t.Fatal(err)
	}
	return session
}

// idle returns when no run is under way.
func idle(r *Runs) { r.all.Wait() }

// beaten is the log of a process that asks for a run's start just when another process has started it.
type beaten struct {
	*sqlite.Store
	asked, other chan struct{}
}

func (b *beaten) wait() {
	close(b.asked)
	<-b.other
}

func (b *beaten) StartKeyedRun(ctx context.Context, owner, run, session, digest string, request, state []byte, at time.Time) error {
	b.wait()
	return b.Store.StartKeyedRun(ctx, owner, run, session, digest, request, state, at)
}

func (b *beaten) StartFirstRun(
	ctx context.Context,
	owner, run, session, title, digest string,
	request, state []byte,
	at time.Time,
) error {
	b.wait()
	return b.Store.StartFirstRun(ctx, owner, run, session, title, digest, request, state, at)
}

// TestKeyStartedElsewhere reads the answer to a key that another process has given while this one was about to take the message too.
func TestKeyStartedElsewhere(t *testing.T) {
	w := newWorld(t)
	log := &beaten{Store: w.Store, asked: make(chan struct{}), other: make(chan struct{})}
	r, other := New(w.engine(), log, Options{Log: w.opts.Log}), w.runs(t, Options{})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	req := chat.Request{Message: "count", IdempotencyKey: "k"}
	late := make(chan error, 1)
	go func() {
		_, err := r.Start(ctx, chattest.Ann, req)
		late <- err
	}()
	<-log.asked
	run, err := other.Start(ctx, chattest.Ann, req)
	if err != nil {
		t.Fatal(err)
	}
	told, err := other.Wait(ctx, chattest.Ann, run)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := r.Start(ctx, chattest.Ann, req); err != nil || again != run {
		t.Fatal(again, err)
	}
	waits := make(chan error, 2)
	go func() {
		resp, err := r.Wait(ctx, chattest.Ann, run)
		if err == nil && resp.Response != told.Response {
			err = errors.New(resp.Response)
		}
		waits <- err
	}()
	go func() {
		_, err := follow(ctx, r, run, 0)
		waits <- err
	}()
	time.Sleep(20 * time.Millisecond) // they wait for the run that this process has admitted
	close(log.other)
	if err := <-late; !errors.Is(err, fs.ErrExist) {
		t.Error("started twice:", err)
	}
	for range 2 {
		if err := <-waits; err != nil {
			t.Error(err)
		}
	}
	if err := r.Close(ctx); err != nil {
		t.Error(err)
	}
}
