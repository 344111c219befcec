package chat

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/internal/access"
	"catena/internal/store"
	"catena/planner/plan"
	"catena/table"
	"catena/tools"
)

var (
	ann   = access.Caller{ID: "ann"}
	bob   = access.Caller{ID: "bob"}
	clock = time.Date(2026, 12, 24, 18, 0, 0, 0, time.UTC)
	asOf  = time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)
)

// scripted answers each message with the plan it was given, and remembers what it was asked.
type scripted struct {
	mu      sync.Mutex
	answers map[string]plan.Response
	err     error
	asked   []plan.Request
	block   bool
}

func (s *scripted) Plan(ctx context.Context, req plan.Request) (plan.Response, error) {
	s.mu.Lock()
	s.asked = append(s.asked, req)
	s.mu.Unlock()
	if s.block {
		<-ctx.Done()
		return plan.Response{}, ctx.Err()
	}
	if s.err != nil {
		return plan.Response{}, s.err
	}
	return s.answers[req.Message], nil
}

// tablesOf is a catalogue of tables without a cell.
type tablesOf []plan.TableInfo

func (t tablesOf) Describe(context.Context, access.Caller, string) ([]plan.TableInfo, error) {
	return t, nil
}
func (tablesOf) Values(context.Context, access.Caller, string) plan.Values { return nil }
func (tablesOf) Attach(_ context.Context, _ access.Caller, _, name, _ string, data []byte) ([]string, error) {
	if len(data) == 0 {
		return nil, &table.FormatError{Source: name, Reason: "the file is empty"}
	}
	return []string{strings.TrimSuffix(name, filepath.Ext(name))}, nil
}

// writes answers with a text or an error.
type writes struct {
	text   string
	err    error
	prompt string
}

func (w *writes) Write(_ context.Context, system, prompt string) (string, plan.Usage, error) {
	w.prompt = system + "\n" + prompt
	return w.text, plan.Usage{Calls: 1, PromptTokens: 10, CompletionTokens: 5}, w.err
}

// world is an engine over a real registry, executor and store, with a scripted planner.
type world struct {
	planner *scripted
	store   *store.SQLite
	reg     *tools.Registry
	opts    Options
}

func newWorld(t testing.TB) *world {
	t.Helper()
	s, err := store.Open(context.Background(), ":memory:", store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
	kept := tools.NewTables(tools.TablesOptions{Store: s, Log: quiet})
	t.Cleanup(func() {
		kept.Close()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	reg := tools.NewRegistry(tools.Options{Tables: kept, Journal: s, Log: quiet})
	if err := reg.Register(testTools(t)...); err != nil {
		t.Fatal(err)
	}
	w := &world{planner: &scripted{answers: answers()}, store: s, reg: reg}
	w.opts = Options{
		Planner: w.planner, Catalogue: reg, Executor: tools.NewExecutor(reg, tools.ExecutorOptions{}), Sessions: s,
		Tables: tablesOf{{Name: "clients", Rows: 112, Source: "demo", AsOf: asOf, Columns: []plan.ColumnInfo{{Name: "client", Type: "text"}}}},
		Now:    func() time.Time { return clock }, Log: quiet,
	}
	return w
}

func (w *world) engine() *Engine { return NewEngine(w.opts) }

// topClients is a small result: money, rates, counts, an id beside its name.
func topClients(t testing.TB) *table.Table {
	t.Helper()
	b := table.NewBuilder(
		table.Column{Name: "client_id", Type: table.Text}, table.Column{Name: "client", Type: table.Text},
		table.Column{Name: "revenue_usd", Type: table.Decimal, Scale: 2}, table.Column{Name: "contracts", Type: table.Int},
	)
	for _, row := range []struct {
		id, name, revenue string
		contracts         int64
	}{{"007", "Northwind Freight", "4120339.10", 12}, {"012", "Abbott & Lane", "3902004.75", 7}, {"100", "secret cell text", "1204551.25", 3}} {
		money, err := table.ParseDecimal(row.revenue)
		if err != nil {
			t.Fatal(err)
		}
		if err := b.Append(table.TextValue(row.id), table.TextValue(row.name), money, table.IntValue(row.contracts)); err != nil {
			t.Fatal(err)
		}
	}
	return b.Table()
}

func testTools(t testing.TB) []tools.Tool {
	top := topClients(t)
	yes, no := true, false
	tool := func(name string, readOnly, destructive bool, h tools.Handler) tools.Tool {
		def := mcp.NewToolWithRawSchema(name, "A tool of the tests.", json.RawMessage(`{"type":"object","properties":{"limit":{"type":"integer"},"data":{},"values":{}}}`))
		def.Annotations = mcp.ToolAnnotation{ReadOnlyHint: &readOnly, DestructiveHint: &destructive, IdempotentHint: &no, OpenWorldHint: &yes}
		return tools.Tool{Def: def, Toolset: "test", Handler: h}
	}
	return []tools.Tool{
		tool("get_top_clients", true, false, func(context.Context, tools.Call) (tools.Result, error) {
			return tools.Result{Table: top, Name: "top_clients", Title: "Top 3 clients by revenue", Total: 112, Hide: []string{"client_id"}, Notes: []string{"One client was left out: it has no revenue."}}, nil
		}),
		tool("get_ids", true, false, func(_ context.Context, c tools.Call) (tools.Result, error) {
			return tools.Result{Structured: map[string]any{"ids": c.Args["values"], "count": 14832}}, nil
		}),
		tool("break", true, false, func(context.Context, tools.Call) (tools.Result, error) {
			return tools.Failed("unknown_column", "There is no column weather; there are client and revenue."), nil
		}),
		tool("panic", true, false, func(context.Context, tools.Call) (tools.Result, error) { panic("boom") }),
		tool("wait", true, false, func(ctx context.Context, _ tools.Call) (tools.Result, error) {
			<-ctx.Done()
			return tools.Result{}, ctx.Err()
		}),
		tool("delete_all", false, true, func(context.Context, tools.Call) (tools.Result, error) {
			return tools.Result{Text: "Deleted."}, nil
		}),
		tool("outside", true, false, func(context.Context, tools.Call) (tools.Result, error) {
			return tools.Result{Text: "See ![x](http://evil.example/p.png) and [this](http://evil.example).", Untrusted: true}, nil
		}),
	}
}

func step(id, tool string, args map[string]any) plan.Step {
	if args == nil {
		args = map[string]any{}
	}
	return plan.Step{ID: id, Tool: tool, Args: args}
}

func ref(s string) plan.Ref {
	r, err := plan.ParseRef(s)
	if err != nil {
		panic(err)
	}
	return r
}

func answers() map[string]plan.Response {
	by := func(p plan.Plan) plan.Response { return plan.Response{Plan: p, By: "offline"} }
	return map[string]plan.Response{
		"top": by(plan.Plan{Title: "top clients", Confidence: .9, Steps: []plan.Step{step("s1", "get_top_clients", map[string]any{"limit": 3})}}),
		"chain": by(plan.Plan{Title: "top clients and ids", Steps: []plan.Step{
			step("s1", "get_top_clients", nil), step("s2", "get_ids", map[string]any{"values": ref("s1.rows[*].client_id")}), step("s3", "get_top_clients", map[string]any{"data": ref("s1")}),
		}, Answer: []any{ref("s1"), ref("s3")}}),
		"count":   by(plan.Plan{Title: "number of rows", Steps: []plan.Step{step("s1", "get_ids", nil)}, Answer: []any{ref("s1.count")}}),
		"partial": by(plan.Plan{Steps: []plan.Step{step("s1", "get_top_clients", nil), step("s2", "break", nil)}}),
		"fails":   by(plan.Plan{Steps: []plan.Step{step("s1", "break", nil)}}),
		"panics":  by(plan.Plan{Steps: []plan.Step{step("s1", "panic", nil)}}),
		"waits":   by(plan.Plan{Steps: []plan.Step{step("s0", "get_top_clients", nil), step("s1", "wait", nil)}}),
		"delete":  by(plan.Plan{Steps: []plan.Step{step("s1", "delete_all", nil)}}),
		"outside": by(plan.Plan{Steps: []plan.Step{step("s1", "outside", nil)}}),
		"which?":  by(plan.Plan{Clarify: "Which year?"}),
		"weather": by(plan.Plan{Refuse: "There is no column about weather."}),
		"hello":   {Direct: "Hello! See [here](http://x.example) ![](http://x.example/i.png)", By: "llm"},
		"empty":   {},
	}
}

func (w *world) ask(t testing.TB, message string) Response {
	t.Helper()
	resp, err := w.engine().Turn(context.Background(), ann, Request{Message: message}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return resp
}

func TestAnswerLooks(t *testing.T) {
	w := newWorld(t)
	resp := w.ask(t, "top")
	const want = `**Top 3 clients by revenue** (showing 3 of 112)

| # | Client | Revenue (USD) | Contracts |
|--:|:--|--:|--:|
| 1 | Northwind Freight | $4,120,339.10 | 12 |
| 2 | Abbott & Lane | $3,902,004.75 | 7 |
| 3 | secret cell text | $1,204,551.25 | 3 |
| | **Total** | **$9,226,895.10** | **22** |

- One client was left out: it has no revenue.

- Demo data as of 30 November 2026; "this year" and the like count from there.`
	if resp.Response != want {
		t.Errorf("got:\n%s\nwant:\n%s", resp.Response, want)
	}
	at := resp.Tables[0]
	if at.RowCount != 3 || at.TotalRows != 112 || at.Truncated || len(at.Columns) != 3 || !strings.HasPrefix(at.Links["csv"], "/api/v1/tables/tbl_") {
		t.Errorf("table: %+v", at)
	}
	if string(at.Rows) != `[["Northwind Freight","4120339.10",12],["Abbott \u0026 Lane","3902004.75",7],["secret cell text","1204551.25",3]]` {
		t.Errorf("rows: %s", at.Rows)
	}
	if resp.Intent != "get_top_clients" || resp.PromptType != "table" || resp.PlannedBy != "offline" || resp.Title != "top clients" || !slices.Contains(resp.Notes, offlineNote) {
		t.Errorf("%+v", resp)
	}
	if resp.Completeness.State != "complete" || resp.Completeness.Detail != "The 3 rows asked for, of 112 (Top 3 clients by revenue)." {
		t.Errorf("%+v", resp.Completeness)
	}
	if !w.planner.asked[0].Now.Equal(asOf) {
		t.Error("planned for", w.planner.asked[0].Now)
	}
}

func TestOutcomes(t *testing.T) {
	tests := []struct {
		message, outcome, intent, promptType, state, text string
	}{
		{"chain", OutcomeAnswer, "tool_chain", "table", "complete", "showing 3 of 112"},
		{"count", OutcomeAnswer, "get_ids", "tool", "complete", "**Number of rows**: 14,832"},
		{"partial", OutcomeAnswer, "tool_chain", "table", "partial", "There is no column weather"},
		{"fails", OutcomeError, "break", "tool", "partial", "There is no column weather"},
		{"panics", OutcomeError, "panic", "tool", "partial", "panic"},
		{"delete", OutcomeApproval, "delete_all", "tool", "partial", "changes or deletes data and was not run"},
		{"outside", OutcomeAnswer, "outside", "tool", "complete", "See x and this."},
		{"which?", OutcomeClarify, "clarify", "clarify", "complete", "Which year?"},
		{"weather", OutcomeRefuse, "direct", "general", "complete", "There is no column about weather."},
		{"hello", OutcomeAnswer, "direct", "general", "complete", "Hello! See here"},
		{"empty", OutcomeRefuse, "direct", "general", "complete", "Tables here: clients (112 rows)."},
	}
	for _, test := range tests {
		t.Run(test.message, func(t *testing.T) {
			resp := newWorld(t).ask(t, test.message)
			got := []string{resp.Outcome, resp.Intent, resp.PromptType, resp.Completeness.State}
			if want := []string{test.outcome, test.intent, test.promptType, test.state}; !slices.Equal(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
			if !strings.Contains(resp.Response, test.text) || strings.Contains(resp.Response, "http") || strings.Contains(resp.Response, "goroutine") {
				t.Errorf("got %q, want %q in it", resp.Response, test.text)
			}
			if test.outcome != OutcomeAnswer && strings.Count(resp.Response, "\n") > 0 && test.message != "empty" {
				t.Errorf("it says things twice: %q", resp.Response)
			}
			if (resp.Outcome == OutcomeError) != (resp.Error != nil) || (resp.Outcome == OutcomeApproval) != (len(resp.Pending) > 0) || (resp.Outcome == OutcomeClarify) != (resp.Question != "") {
				t.Errorf("%+v", resp)
			}
		})
	}
}

func TestApprove(t *testing.T) {
	w := newWorld(t)
	resp, err := w.engine().Turn(context.Background(), ann, Request{Message: "delete", Approve: "auto"}, nil)
	if err != nil || resp.Response != "Deleted." || resp.Outcome != OutcomeAnswer {
		t.Errorf("%+v %v", resp, err)
	}
	if p := w.ask(t, "delete").Pending[0]; p.Tool != "delete_all" || p.Step != "s1" || len(p.ArgsHash) != 64 {
		t.Errorf("%+v", p)
	}
}

func TestFormats(t *testing.T) {
	w := newWorld(t)
	for format, want := range map[string]string{"bullets": "- #1 **Northwind Freight**: Revenue (USD) $4,120,339.10", "csv": "rank,client,revenue_usd,contracts\n1,Northwind Freight,4120339.10,12\n"} {
		resp, err := w.engine().Turn(context.Background(), ann, Request{Message: "top", OutputFormat: format}, nil)
		if err != nil || !strings.Contains(resp.Response, want) {
			t.Errorf("%s: %v\n%s", format, err, resp.Response)
		}
	}
	resp, err := w.engine().Turn(context.Background(), ann, Request{Message: "top", OutputFormat: "json", MaxRows: 2}, nil)
	var out struct {
		Tables []struct {
			RowCount int `json:"row_count"`
		}
	}
	if err != nil || json.Unmarshal([]byte(resp.Response), &out) != nil || out.Tables[0].RowCount != 2 {
		t.Errorf("%v\n%s", err, resp.Response)
	}
	if resp.Completeness.State != "truncated" || resp.Completeness.Detail != "2 of 3 rows are shown (Top 3 clients by revenue); the links have all." {
		t.Errorf("%+v", resp.Completeness)
	}
}

func TestPlanOnly(t *testing.T) {
	w := newWorld(t)
	resp, err := w.engine().Turn(context.Background(), ann, Request{Message: "chain", Mode: "plan"}, nil)
	if err != nil || len(resp.ToolsExecuted) != 0 || len(resp.Plan.Steps) != 3 || !strings.Contains(resp.Response, "2. `s2` get_ids") {
		t.Errorf("%+v %v", resp, err)
	}
	routing, err := w.engine().Plan(context.Background(), ann, Request{Message: "chain"})
	if err != nil || routing.Intent != "tool_chain" || len(routing.Endpoints) != 3 || routing.Endpoints[1].Name != "get_ids" {
		t.Errorf("%+v %v", routing, err)
	}
	if list, err := w.store.ListSessions(context.Background(), "ann", 9); err != nil || len(list) != 1 {
		t.Error("planning made a session:", list, err)
	}
}

func TestInput(t *testing.T) {
	w := newWorld(t)
	tests := []struct {
		code string
		req  Request
	}{
		{"message_empty", Request{}}, {"message_empty", Request{Message: " \n\t\r"}},
		{"message_too_large", Request{Message: strings.Repeat("x", MaxMessage+1)}},
		{"message_not_utf8", Request{Message: "a\xffb"}},
		{"message_control_character", Request{Message: "a\x00b"}}, {"message_control_character", Request{Message: "a\u009bb"}},
		{"bad_mode", Request{Message: "x", Mode: "walk"}}, {"bad_output_format", Request{Message: "x", OutputFormat: "pdf"}},
		{"bad_approve", Request{Message: "x", Approve: "yes"}}, {"bad_max_rows", Request{Message: "x", MaxRows: -1}},
		{"bad_time_zone", Request{Message: "x", TimeZone: "Mars/Base"}}, {"bad_locale", Request{Message: "x", Locale: "12"}},
		{"bad_attachment", Request{Message: "x", Attachments: []Attachment{{}}}},
		{"attachments_too_large", Request{Message: "x", Attachments: []Attachment{{Name: "a", Data: make([]byte, MaxAttachments+1)}}}},
		{"session_not_found", Request{Message: "x", SessionID: "ses_unknown"}}, {"session_not_found", Request{Message: "x", SessionID: strings.Repeat("s", 500)}},
	}
	for _, test := range tests {
		events := 0
		_, err := w.engine().Turn(context.Background(), ann, test.req, func(Payload) { events++ })
		var input *InputError
		if !errors.As(err, &input) || input.Code != test.code || input.Detail == "" || input.Hint == "" || events > 0 {
			t.Errorf("%s: %v, %d events", test.code, err, events)
		}
	}
	if _, err := w.engine().Turn(context.Background(), access.Caller{}, Request{Message: "x"}, nil); !errors.Is(err, access.ErrForbidden) {
		t.Error("nobody's turn:", err)
	}
	if resp := w.ask(t, "  top\u2009\U0001F642"); resp.Outcome == "" {
		t.Error("odd but valid text was refused")
	}
}

// TestHistoryHasNoCells looks at all that a planner is handed on a follow-up: nothing of it may come out of a cell.
func TestHistoryHasNoCells(t *testing.T) {
	w := newWorld(t)
	first := w.ask(t, "chain")
	second, err := w.engine().Turn(context.Background(), ann, Request{Message: "top", SessionID: first.SessionID}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.engine().Turn(context.Background(), ann, Request{Message: "count", SessionID: second.SessionID}, nil); err != nil {
		t.Fatal(err)
	}
	asked := w.planner.asked[2]
	if len(asked.History) != 2 || asked.History[0].Message != "chain" || len(asked.History[0].Plan.Steps) != 3 || asked.History[1].Outcome != OutcomeAnswer {
		t.Fatalf("%+v", asked.History)
	}
	shown := asked.History[1].Tables[0]
	if shown.Handle != second.Tables[0].Handle || len(shown.Columns) != 4 || shown.Columns[2].Label != "Revenue" {
		t.Errorf("%+v", shown)
	}
	asked.Tools, asked.Values = nil, nil
	data, err := json.Marshal(asked)
	if err != nil {
		t.Fatal(err)
	}
	top := topClients(t)
	for r := range top.NumRows() {
		for c := range top.NumCols() - 1 {
			if cell := top.Value(r, c).Text(); strings.Contains(string(data), cell) {
				t.Errorf("the planner was handed the cell %q", cell)
			}
		}
	}
}

func TestSessionsAreTheOwners(t *testing.T) {
	w := newWorld(t)
	first := w.ask(t, "top")
	if _, err := w.engine().Turn(context.Background(), bob, Request{Message: "top", SessionID: first.SessionID}, nil); !errors.Is(err, fs.ErrNotExist) {
		t.Error("bob used ann's session:", err)
	}
	if _, err := w.engine().Turns(context.Background(), bob, first.SessionID, 9); !errors.Is(err, fs.ErrNotExist) {
		t.Error("bob read ann's session:", err)
	}
	turns, err := w.engine().Turns(context.Background(), ann, first.SessionID, 9)
	if err != nil || len(turns) != 1 || turns[0].Message != "top" || turns[0].Response != first.Response || turns[0].RunID != first.RunID {
		t.Errorf("%+v %v", turns, err)
	}
}

func TestNow(t *testing.T) {
	own := clock.AddDate(-1, 0, 0)
	for name, test := range map[string]struct {
		tables tablesOf
		now    *time.Time
		want   time.Time
	}{
		"demo":           {tablesOf{{Name: "a", AsOf: asOf.AddDate(0, -1, 0)}, {Name: "b", AsOf: asOf}}, nil, asOf},
		"mixed":          {tablesOf{{Name: "a", AsOf: asOf}, {Name: "b"}}, nil, clock},
		"a result":       {tablesOf{{Name: "a", AsOf: asOf}, {Name: "b", Source: "result"}}, nil, asOf},
		"asked for":      {tablesOf{{Name: "a", AsOf: asOf}}, &own, own},
		"without tables": {nil, nil, clock},
	} {
		w := newWorld(t)
		w.opts.Tables = test.tables
		if _, err := w.engine().Turn(context.Background(), ann, Request{Message: "top", Now: test.now}, nil); err != nil {
			t.Fatal(err)
		}
		if got := w.planner.asked[0].Now; !got.Equal(test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

func TestAttachments(t *testing.T) {
	w := newWorld(t)
	resp, err := w.engine().Turn(context.Background(), ann, Request{Message: "top", Attachments: []Attachment{{Name: "good.csv", Data: []byte("a\n1\n")}, {Name: "bad.csv"}}}, nil)
	if err != nil || resp.Completeness.State != "partial" || !strings.Contains(resp.Response, "bad.csv was not loaded: the file is empty.") || !strings.Contains(resp.Response, "good.csv was loaded as good.") {
		t.Errorf("%v %+v", err, resp)
	}
}

func TestDownServersAreSaid(t *testing.T) {
	w := newWorld(t)
	w.reg.SetDown("files", "it did not start")
	if c := w.ask(t, "top").Completeness; !strings.Contains(c.Detail, "The server files is down (it did not start)") {
		t.Errorf("%+v", c)
	}
	if c := w.ask(t, "weather").Completeness; c.State != "unknown" {
		t.Errorf("%+v", c)
	}
}

func TestPlannerFails(t *testing.T) {
	w := newWorld(t)
	w.planner.err = errors.New("the model is down")
	resp := w.ask(t, "top")
	if resp.Outcome != OutcomeError || resp.Error.Code != "planning_failed" || !strings.Contains(resp.Response, "the model is down") {
		t.Errorf("%+v", resp)
	}
}

func ExampleEngine_Plan() {
	reg := tools.NewRegistry(tools.Options{})
	s, err := store.Open(context.Background(), ":memory:", store.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	e := NewEngine(Options{
		Planner:   &scripted{answers: map[string]plan.Response{"top clients": {Plan: plan.Plan{Steps: []plan.Step{{ID: "s1", Tool: "get_top_clients"}}}, By: "offline"}}},
		Catalogue: reg, Executor: tools.NewExecutor(reg, tools.ExecutorOptions{}), Sessions: s,
	})
	r, err := e.Plan(context.Background(), access.Local("cli"), Request{Message: "top clients"})
	fmt.Println(r.Intent, r.Endpoints[0].Name, r.PlannedBy, err)
	_, err = e.Plan(context.Background(), access.Local("cli"), Request{Message: " "})
	fmt.Println(err)
	// Output:
	// get_top_clients get_top_clients offline <nil>
	// The message is empty.
}
