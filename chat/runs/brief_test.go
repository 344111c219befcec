package runs

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/chat"
	"catena/chat/chattest"
	"catena/internal/store"
	"catena/internal/store/sqlite"
	"catena/planner/plan"
	"catena/table"
	"catena/tools"
	"catena/tools/handle"
)

// briefLog is what the events of an answer of any size take at most, as docs/store.md says.
const briefLog = 1 << 20

// What the log has of a large answer, and what it says when the whole is there no more.
const (
	keptRows = 50
	goneText = "The whole of this answer is kept no longer; ask again for it."
)

// largeStore is what a large answer is kept in.
type largeStore interface {
	chat.Sessions
	Log
	chat.Answers
}

// large gives the world a store and a tool that returns a table of some rows, with a text of some length in each, and makes runs.
func (w *world) large(t testing.TB, st largeStore, rows, length int) *Runs {
	t.Helper()
	b := table.NewBuilder(table.Column{Name: "order_id", Type: table.Int}, table.Column{Name: "client", Type: table.Text}, table.Column{Name: "revenue_usd", Type: table.Decimal, Scale: 2})
	for i := range rows {
		revenue, err := table.ParseDecimal(fmt.Sprintf("%d.25", 1000+i))
		if err == nil {
			err = b.Append(table.IntValue(int64(i+1)), table.TextValue(fmt.Sprintf("client %d%s", i+1, strings.Repeat("\"x\\", length/3))), revenue)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	tab, yes := b.Table(), true
	def := mcp.NewToolWithRawSchema("many", "Gives many rows.", json.RawMessage(`{"type":"object"}`))
	def.Annotations = mcp.ToolAnnotation{ReadOnlyHint: &yes}
	err := w.Registry.Register(tools.Tool{Def: def, Toolset: "test", Handler: func(context.Context, tools.Call) (tools.Result, error) {
		return tools.Result{Table: tab, Name: "orders", Title: "Orders"}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	w.Planner.Answers["many"] = plan.Response{By: "offline", Plan: plan.Plan{Title: "orders", Steps: []plan.Step{chattest.Step("s1", "many", nil)}}}
	w.opts.Sessions, w.opts.Answers = st, st
	r := New(w.engine(), st, Options{Log: w.opts.Log})
	t.Cleanup(func() {
		if err := r.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return r
}

// logOf are the bytes of a run's events from a number on.
func logOf(t testing.TB, r *Runs, run string, after uint64) (events []string, size int) {
	t.Helper()
	err := r.Follow(t.Context(), chattest.Ann, run, after, func(e chat.Event) error {
		events = append(events, fmt.Sprintf("%d %s", e.Seq, e.Data))
		size += len(e.Data)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return events, size
}

func rowsOf(t testing.TB, at chat.AnswerTable) int {
	t.Helper()
	var rows []json.RawMessage
	if err := json.Unmarshal(at.Rows, &rows); err != nil {
		t.Fatal(err)
	}
	return len(rows)
}

// testLargeAnswer asks for 10,000 rows: who waits gets them, in this process and in another, and the log, the session and the run have the first ones.
func testLargeAnswer(t *testing.T, st largeStore) {
	w := newWorld(t)
	r := w.large(t, st, 10_000, 0)
	ctx := t.Context()
	req := chat.Request{Message: "many", MaxRows: 10_000, IdempotencyKey: "k"}
	run, err := r.Start(ctx, chattest.Ann, req)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := r.Wait(ctx, chattest.Ann, run)
	if err != nil || len(resp.Tables) != 1 {
		t.Fatal(err, resp.Outcome)
	}
	last := "client 10000"
	if at := resp.Tables[0]; rowsOf(t, at) != 10_000 || at.Truncated || !strings.Contains(resp.Response, last) || resp.Whole != nil || resp.Completeness.State != "complete" {
		t.Errorf("who waited got %d rows, %+v", rowsOf(t, at), resp.Completeness)
	}

	events, size := logOf(t, r, run, 0)
	if size > 96<<10 {
		t.Errorf("the events take %d bytes", size)
	}
	for after := range events {
		if rest, _ := logOf(t, New(w.engine(), st, Options{Log: w.opts.Log}), run, uint64(after)); !slices.Equal(rest, events[after:]) {
			t.Fatalf("resumed after %d the events differ", after)
		}
	}
	var short chat.Response
	info, err := r.Get(ctx, chattest.Ann, run)
	if err != nil || len(info.Response) > 48<<10 || json.Unmarshal(info.Response, &short) != nil {
		t.Fatal(err, len(info.Response))
	}
	at := short.Tables[0]
	if rowsOf(t, at) != keptRows || at.RowCount != keptRows || at.TotalRows != 10_000 || !at.Truncated || at.Links["csv"] == "" {
		t.Errorf("the log has %d rows: %+v", rowsOf(t, at), at)
	}
	until := "GET /api/v1/runs/" + run + ", until 25 December 2026 18:00 UTC."
	if short.Completeness.State != "truncated" || !strings.Contains(short.Completeness.Detail, "the first 50 of 10,000 rows (Orders)") ||
		!strings.Contains(short.Response, until) || strings.Contains(short.Response, last) || short.Whole == nil {
		t.Errorf("%+v %+v\n%s", short.Completeness, short.Whole, short.Response[len(short.Response)-300:])
	}

	other := New(w.engine(), st, Options{Log: w.opts.Log})
	again, err := other.Start(ctx, chattest.Ann, req)
	if err != nil || again != run {
		t.Fatal(again, err)
	}
	first, err := resp.JSON()
	if err != nil {
		t.Fatal(err)
	}
	stored, err := other.Wait(ctx, chattest.Ann, again)
	if err != nil {
		t.Fatal(err)
	}
	if second, err := stored.JSON(); err != nil || string(second) != string(first) {
		t.Errorf("the stored reply is another: %d and %d bytes, %v", len(second), len(first), err)
	}
	if info, err = other.Whole(ctx, chattest.Ann, info); err != nil || string(info.Response) != string(first) {
		t.Errorf("the run has %d bytes, %v", len(info.Response), err)
	}
	if got, err := w.engine().WholeResponse(ctx, chattest.Bob, short); err != nil || rowsOf(t, got.Tables[0]) != keptRows {
		t.Error("bob read ann's answer")
	}
	wantLargeTurn(t, w, st, resp, short)
}

// wantLargeTurn checks what the session has of a large answer, before and after the whole of it is gone.
func wantLargeTurn(t *testing.T, w *world, st largeStore, resp, short chat.Response) {
	t.Helper()
	ctx := t.Context()
	raw, err := st.Turns(ctx, chattest.Ann.ID, resp.SessionID, 1)
	if err != nil || len(raw) != 1 || len(raw[0]) > 16<<10 {
		t.Fatal(err, len(raw), len(raw[0]))
	}
	e := w.engine()
	turns, err := e.Turns(ctx, chattest.Ann, resp.SessionID, 9)
	if err != nil || turns[0].Response != short.Response || slices.Contains(turns[0].Notes, goneText) {
		t.Fatal(err, turns[0].Notes)
	}
	if whole, err := e.WholeTurns(ctx, chattest.Ann, turns); err != nil || whole[0].Response != resp.Response || whole[0].Whole != nil {
		t.Fatal("the export is not whole:", err)
	}
	w.opts.Now = func() time.Time { return chattest.Clock.Add(25 * time.Hour) }
	w.opts.Answers = nothing{}
	e = w.engine()
	if turns, err = e.Turns(ctx, chattest.Ann, resp.SessionID, 9); err != nil || !slices.Contains(turns[0].Notes, goneText) {
		t.Error("the session does not say that the rest is gone:", err, turns[0].Notes)
	}
	if turns, err = e.WholeTurns(ctx, chattest.Ann, turns); err != nil || turns[0].Response != short.Response || strings.Count(strings.Join(turns[0].Notes, ""), goneText) != 1 {
		t.Errorf("%q", turns[0].Notes)
	}
	if !strings.Contains(chat.ExportMarkdown(chat.SessionInfo{}, turns), goneText) {
		t.Error("the export does not say that the rest is gone")
	}
	late, err := New(e, st, Options{Log: w.opts.Log}).Wait(ctx, chattest.Ann, resp.RunID)
	if err != nil || rowsOf(t, late.Tables[0]) != keptRows || !slices.Contains(late.Notes, goneText) || !strings.Contains(late.Completeness.Detail, goneText) {
		t.Errorf("%v %q %+v", err, late.Notes, late.Completeness)
	}
}

// nothing keeps nothing.
type nothing struct{}

func (nothing) PutHandle(context.Context, string, string, string, string, []byte, []byte, time.Time) error {
	return fs.ErrPermission
}
func (nothing) GetHandle(context.Context, string, string) ([]byte, []byte, error) {
	return nil, nil, fs.ErrNotExist
}

func newStore(t testing.TB) *sqlite.Store {
	t.Helper()
	st, err := sqlite.Open(t.Context(), ":memory:", store.Options{Now: func() time.Time { return chattest.Clock }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	})
	return st
}

func TestLargeAnswer(t *testing.T) { testLargeAnswer(t, newStore(t)) }

func TestMegabytes(t *testing.T) { testMegabytes(t, newStore(t)) }

// TestLargeAnswerFormats asks for more than the log has room for, by many rows, wide cells or both, in each format.
func TestLargeAnswerFormats(t *testing.T) {
	for _, format := range []string{"", "json", "bullets", "csv"} {
		for _, size := range []struct{ rows, length int }{{10_000, 0}, {200, 3000}, {3, 210_000}} {
			t.Run(fmt.Sprintf("%s/%dx%d", format, size.rows, size.length), func(t *testing.T) {
				w, st := newWorld(t), newStore(t)
				r := w.large(t, st, size.rows, size.length)
				run, err := r.Start(t.Context(), chattest.Ann, chat.Request{Message: "many", MaxRows: 10_000, OutputFormat: format})
				if err != nil {
					t.Fatal(err)
				}
				resp, err := r.Wait(t.Context(), chattest.Ann, run)
				if err != nil || rowsOf(t, resp.Tables[0]) != size.rows || !strings.Contains(resp.Response, fmt.Sprintf("client %d", size.rows)) {
					t.Fatal(err, "the whole is not whole")
				}
				if _, n := logOf(t, r, run, 0); n > briefLog {
					t.Errorf("the events take %d bytes", n)
				}
				short := resp.ForLog()
				if short.Tables[0].RowCount >= size.rows || short.Whole.Handle == "" || format == "json" && !json.Valid([]byte(short.Response)) {
					t.Errorf("%d rows, %+v", short.Tables[0].RowCount, short.Whole)
				}
				if data, err := short.JSON(); err != nil || len(data) > briefLog/2 {
					t.Errorf("the run takes %d bytes, %v", len(data), err)
				}
			})
		}
	}
}

// TestLargeAnswerNotKept has a store that is full: who waits gets the whole, and the log says that there is no more.
func TestLargeAnswerNotKept(t *testing.T) {
	w := newWorld(t)
	st := newStore(t)
	r := w.large(t, st, 10_000, 0)
	w.opts.Answers = nothing{}
	r.engine = w.engine()
	run, err := r.Start(t.Context(), chattest.Ann, chat.Request{Message: "many", MaxRows: 10_000})
	if err != nil {
		t.Fatal(err)
	}
	resp, err := r.Wait(t.Context(), chattest.Ann, run)
	if err != nil || rowsOf(t, resp.Tables[0]) != 10_000 || !strings.Contains(resp.ForLog().Completeness.Detail, "could not be kept; ask again") {
		t.Errorf("%v %+v", err, resp.ForLog().Completeness)
	}
}

// TestLargeAnswerDeleted deletes the session: the whole answer goes with it, and no list of tables has it before.
func TestLargeAnswerDeleted(t *testing.T) {
	w, st := newWorld(t), newStore(t)
	r := w.large(t, st, 10_000, 0)
	run, err := r.Start(t.Context(), chattest.Ann, chat.Request{Message: "many", MaxRows: 10_000})
	if err != nil {
		t.Fatal(err)
	}
	resp, err := r.Wait(t.Context(), chattest.Ann, run)
	if err != nil {
		t.Fatal(err)
	}
	kept := handle.New(handle.Options{Store: st, Log: w.opts.Log})
	defer kept.Close()
	for _, meta := range kept.List(chattest.Ann, resp.SessionID) {
		if !handle.Is(meta.Handle) {
			t.Error("a list of tables has", meta.Handle)
		}
	}
	if err := r.DeleteSession(t.Context(), chattest.Ann, resp.SessionID); err != nil {
		t.Fatal(err)
	}
	if got, err := w.engine().WholeResponse(t.Context(), chattest.Ann, resp.ForLog()); err != nil || rowsOf(t, got.Tables[0]) != keptRows {
		t.Error("the answer outlived its session")
	}
}
