package chat

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"catena/chat/chattest"
	"catena/internal/access"
	"catena/internal/store"
	"catena/internal/store/sqlite"
	"catena/planner/plan"
	"catena/tools"
)

func TestAnswerLooks(t *testing.T) {
	w := newWorld(t)
	resp := w.ask(t, "top")
	const want = `**Top 3 clients by revenue** (showing 3 of 112)

|#|Client|Revenue (USD)|Contracts|
|-:|-|-:|-:|
|1|Northwind Freight|$4,120,339.10|12|
|2|Abbott & Lane|$3,902,004.75|7|
|3|secret cell text|$1,204,551.25|3|
||**Total**|**$9,226,895.10**|**22**|

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
	if !w.Planner.Asked[0].Now.Equal(chattest.AsOf) {
		t.Error("planned for", w.Planner.Asked[0].Now)
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
		{"outside", OutcomeAnswer, "far__outside", "tool", "complete", "From `far__outside`, unchecked:\n\n```text\nSee ![x](http://evil.example/p.png)[2J and\n'''\n[this](http://evil.example).\n```"},
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
			if !strings.Contains(resp.Response, test.text) || strings.Contains(resp.Response, "goroutine") {
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

// TestChartLinks names the pictures that can be read of a chart, and no other.
func TestChartLinks(t *testing.T) {
	const base = "/api/v1/runs/run_1/charts/2"
	for name, c := range map[string]struct {
		chart tools.Chart
		want  map[string]string
	}{
		"drawn":         {tools.Chart{SVG: "<svg/>"}, map[string]string{"svg": base + ".svg", "png": base + ".png"}},
		"another's":     {tools.Chart{PNG: []byte("x"), Media: "image/png"}, map[string]string{"png": base + ".png"}},
		"another kind":  {tools.Chart{PNG: []byte("x"), Media: "image/jpeg"}, nil},
		"without image": {tools.Chart{Alt: "Bars."}, nil},
	} {
		if diff := cmp.Diff(c.want, chartLinks("run_1", 2, c.chart)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestOnceOnly checks that what a tool gives in two forms is shown in one.
func TestOnceOnly(t *testing.T) {
	w := newWorld(t)
	w.opts.Tables = nil
	for message, want := range map[string]string{"written": "- written by the tool\n\n**A chart** (chart): Bars.", "draw": "**A chart** (chart): Bars."} {
		if got := w.ask(t, message); got.Response != want || len(got.Charts) != 1 {
			t.Errorf("%s: %q", message, got.Response)
		}
	}
}

func TestApprove(t *testing.T) {
	w := newWorld(t)
	resp, err := w.engine().Turn(context.Background(), chattest.Ann, Request{Message: "delete", Approve: "auto"}, nil)
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
		resp, err := w.engine().Turn(context.Background(), chattest.Ann, Request{Message: "top", OutputFormat: format}, nil)
		if err != nil || !strings.Contains(resp.Response, want) {
			t.Errorf("%s: %v\n%s", format, err, resp.Response)
		}
	}
	resp, err := w.engine().Turn(context.Background(), chattest.Ann, Request{Message: "top", OutputFormat: "json", MaxRows: 2}, nil)
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
	resp, err := w.engine().Turn(context.Background(), chattest.Ann, Request{Message: "chain", Mode: "plan"}, nil)
	if err != nil || len(resp.ToolsExecuted) != 0 || len(resp.Plan.Steps) != 3 || !strings.Contains(resp.Response, "2. `s2` get_ids") {
		t.Errorf("%+v %v", resp, err)
	}
	routing, err := w.engine().Plan(context.Background(), chattest.Ann, Request{Message: "chain"})
	if err != nil || routing.Intent != "tool_chain" || len(routing.Endpoints) != 3 || routing.Endpoints[1].Name != "get_ids" {
		t.Errorf("%+v %v", routing, err)
	}
	if list, err := w.Store.ListSessions(context.Background(), "ann", time.Time{}, "", 9); err != nil || len(list) != 1 {
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
		{"bad_branch", Request{Message: "x", AfterRun: "a", EditRun: "b"}},
		{"attachments_too_large", Request{Message: "x", Attachments: []Attachment{{Name: "a", Data: make([]byte, MaxAttachments+1)}}}},
		{"session_not_found", Request{Message: "x", SessionID: "ses_unknown"}}, {"bad_session_id", Request{Message: "x", SessionID: strings.Repeat("s", 257)}},
		{"bad_session_id", Request{Message: "x", SessionID: "a\nb"}}, {"bad_session_id", Request{Message: "x", SessionID: "a\u202eb"}}, {"bad_session_id", Request{Message: "x", SessionID: "a\xff"}},
	}
	for _, test := range tests {
		events := 0
		_, err := w.engine().Turn(context.Background(), chattest.Ann, test.req, func(Payload) { events++ })
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
	second, err := w.engine().Turn(context.Background(), chattest.Ann, Request{Message: "top", SessionID: first.SessionID}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.engine().Turn(context.Background(), chattest.Ann, Request{Message: "count", SessionID: second.SessionID}, nil); err != nil {
		t.Fatal(err)
	}
	asked := w.Planner.Asked[2]
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
	top := chattest.TopClients(t)
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
	if _, err := w.engine().Turn(context.Background(), chattest.Bob, Request{Message: "top", SessionID: first.SessionID}, nil); !errors.Is(err, fs.ErrNotExist) {
		t.Error("bob used ann's session:", err)
	}
	if _, err := w.engine().Turns(context.Background(), chattest.Bob, first.SessionID, 9); !errors.Is(err, fs.ErrNotExist) {
		t.Error("bob read ann's session:", err)
	}
	turns, err := w.engine().Turns(context.Background(), chattest.Ann, first.SessionID, 9)
	if err != nil || len(turns) != 1 || turns[0].Message != "top" || turns[0].Response != first.Response || turns[0].RunID != first.RunID {
		t.Errorf("%+v %v", turns, err)
	}
}

func TestNow(t *testing.T) {
	own := chattest.Clock.AddDate(-1, 0, 0)
	for name, test := range map[string]struct {
		tables chattest.TablesOf
		now    *time.Time
		want   time.Time
	}{
		"demo":           {chattest.TablesOf{{Name: "a", AsOf: chattest.AsOf.AddDate(0, -1, 0)}, {Name: "b", AsOf: chattest.AsOf}}, nil, chattest.AsOf},
		"mixed":          {chattest.TablesOf{{Name: "a", AsOf: chattest.AsOf}, {Name: "b"}}, nil, chattest.Clock},
		"a result":       {chattest.TablesOf{{Name: "a", AsOf: chattest.AsOf}, {Name: "b", Source: "result"}}, nil, chattest.AsOf},
		"asked for":      {chattest.TablesOf{{Name: "a", AsOf: chattest.AsOf}}, &own, own},
		"without tables": {nil, nil, chattest.Clock},
	} {
		w := newWorld(t)
		w.opts.Tables = test.tables
		if _, err := w.engine().Turn(context.Background(), chattest.Ann, Request{Message: "top", Now: test.now}, nil); err != nil {
			t.Fatal(err)
		}
		if got := w.Planner.Asked[0].Now; !got.Equal(test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

func TestAttachments(t *testing.T) {
	w := newWorld(t)
	w.opts.Tables = chattest.TablesOf{{Name: "clients", Rows: 112}, {Name: "good", Handle: "good", Rows: 1, Source: "upload"}}
	good, bad := Attachment{Name: "good.csv", Data: []byte("a\n1\n")}, Attachment{Name: "bad.csv"}
	resp, err := w.engine().Turn(context.Background(), chattest.Ann, Request{Message: "top", Attachments: []Attachment{good}}, nil)
	if err != nil || resp.Outcome != OutcomeAnswer || !strings.Contains(resp.Response, "good.csv was loaded as good.") {
		t.Errorf("%v %+v", err, resp)
	}
	if tables := w.Planner.Asked[0].Tables; tables[0].Attached || !tables[1].Attached {
		t.Errorf("the planner was told that %+v came with the message", tables)
	}
	resp, err = w.engine().Turn(context.Background(), chattest.Ann, Request{Message: "top", Attachments: []Attachment{good, bad}}, nil)
	if err != nil || resp.Outcome != OutcomeRefuse || resp.Completeness.State != "partial" || !strings.Contains(resp.Response, "bad.csv was not loaded: the file is empty. Add rows.") {
		t.Errorf("%v %+v", err, resp)
	}
	if n := strings.Count(resp.Response, "bad.csv was not loaded"); n != 1 {
		t.Errorf("the reason is said %d times: %s", n, resp.Response)
	}
	if len(w.Planner.Asked) != 1 {
		t.Error("a message whose file cannot be read was planned")
	}
}

// What loading changed is told with the file that came, or where a table is used for the first time, and not again.
func TestLoadingIsTold(t *testing.T) {
	const note = "dirty: line 3 was left out."
	attached := []Attachment{{Name: "dirty.csv", Data: []byte("a\n1\n")}}
	w := newWorld(t)
	w.Planner.Answers["use"] = plan.Response{Plan: plan.Plan{Steps: []plan.Step{chattest.Step("s1", "get_ids", map[string]any{"data": "dirty"})}}, By: "offline"}
	w.Planner.Answers["join"] = plan.Response{Plan: plan.Plan{Steps: []plan.Step{chattest.Step("s1", "get_ids", map[string]any{"values": []any{map[string]any{"table": "dirty"}}})}}, By: "offline"}
	for _, c := range []struct {
		message string
		with    []Attachment
		told    int
	}{{"use", nil, 1}, {"join", nil, 1}, {"top", attached, 1}, {"use", attached, 1}, {"top", nil, 0}} {
		resp, err := w.engine().Turn(t.Context(), chattest.Ann, Request{Message: c.message, Attachments: c.with}, nil)
		if n := strings.Count(resp.Response, note); err != nil || n != c.told {
			t.Errorf("%s tells it %d times: %v %s", c.message, n, err, resp.Response)
		}
		resp, err = w.engine().Turn(t.Context(), chattest.Ann, Request{Message: "use", SessionID: resp.SessionID}, nil)
		if again := strings.Contains(resp.Response, note); err != nil || again == (c.told > 0) {
			t.Errorf("after %s: %v %s", c.message, err, resp.Response)
		}
	}
}

func TestDownServersAreSaid(t *testing.T) {
	w := newWorld(t)
	w.Registry.SetServer(tools.ServerStatus{Name: "files", Phase: tools.PhaseRestarting, Detail: "it did not start"})
	if c := w.ask(t, "top").Completeness; !strings.Contains(c.Detail, "The server files is down (it did not start)") {
		t.Errorf("%+v", c)
	}
	if c := w.ask(t, "weather").Completeness; c.State != "unknown" {
		t.Errorf("%+v", c)
	}
}

// Tools that wait for review are missing as those of a server are that is down.
func TestQuarantinedToolsAreSaid(t *testing.T) {
	w := newWorld(t)
	held := []string{"files__f", "files__e", "files__d", "files__c", "files__b", "files__a"}
	w.Registry.SetServer(tools.ServerStatus{Name: "files", Phase: tools.PhaseReady, Quarantined: held})
	for message, state := range map[string]string{"top": "complete", "weather": "unknown"} {
		if c := w.ask(t, message).Completeness; c.State != state || !strings.Contains(c.Detail, "files__a, files__b, files__c, files__d, files__e and 1 more could not be used: quarantined") {
			t.Errorf("%s: %+v", message, c)
		}
	}
}

func TestPlannerFails(t *testing.T) {
	w := newWorld(t)
	w.Planner.Err = errors.New("the model is down")
	resp := w.ask(t, "top")
	if resp.Outcome != OutcomeError || resp.Error.Code != "planning_failed" || !strings.Contains(resp.Response, "the model is down") {
		t.Errorf("%+v", resp)
	}
}

func ExampleEngine_Plan() {
	reg := tools.NewRegistry(tools.Options{})
	s, err := sqlite.Open(context.Background(), ":memory:", store.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	e := NewEngine(Options{
		Planner:   &chattest.Planner{Answers: map[string]plan.Response{"top clients": {Plan: plan.Plan{Steps: []plan.Step{{ID: "s1", Tool: "get_top_clients"}}}, By: "offline"}}},
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
