package server

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/chat"
	"catena/internal/access"
	"catena/planner/plan"
	"catena/profiler"
	"catena/table"
	"catena/tools"
)

// The real parts satisfy the interfaces.
var (
	_ Runs     = (*chat.Runs)(nil)
	_ Planner  = (*chat.Engine)(nil)
	_ Sessions = (*chat.Engine)(nil)
	_ Tools    = (*tools.Registry)(nil)
)

// fakeRuns answers each message by a script: "slow" waits for its cancel, "fail" ends with an error, any other is echoed.
type fakeRuns struct {
	mu   sync.Mutex
	n    int
	runs map[string]*fakeRun

	steps bool   // answers have one step
	gone  string // a session that is not there any more

	keys    []string // the Idempotency-Keys of decisions
	deleted string   // the session that was deleted last

	readers  atomic.Int64
	followed atomic.Int64 // calls of Follow that have returned
}

type fakeRun struct {
	owner   string
	req     chat.Request
	events  []chat.Event
	resp    chat.Response
	done    chan struct{}
	stopped bool
}

func (f *fakeRuns) Start(_ context.Context, c access.Caller, req chat.Request) (string, error) {
	if err := req.Check(); err != nil {
		return "", err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.gone != "" && req.SessionID == f.gone {
		return "", &chat.InputError{Code: "session_not_found", Detail: "There is no such session.", Err: fs.ErrNotExist}
	}
	f.n++
	id := fmt.Sprintf("run_%d", f.n)
	if req.SessionID == "" {
		req.SessionID = fmt.Sprintf("ses_%d", f.n)
	}
	r := &fakeRun{owner: c.ID, req: req, done: make(chan struct{})}
	f.runs[id] = r
	r.resp = chat.Response{Response: "You said: " + req.Message, Outcome: chat.OutcomeAnswer, SessionID: req.SessionID, RunID: id, Pending: []chat.Pending{}}
	if req.Message == "destroy" && req.Approve != "auto" {
		r.resp.Outcome, r.resp.Pending = chat.OutcomeApproval, []chat.Pending{{Step: "s1", Tool: "wipe", Args: map[string]any{"what": "all"}, ArgsHash: "shown", Reason: tools.CodeApproval}}
	}
	if req.Message == "chart" {
		r.resp.Charts = []chat.AnswerChart{{Title: "Bars", SVG: barsSVG()}, {PNG: []byte("\x89PNG"), MediaType: mediaPNG}}
	}
	if req.Message == "table" {
		r.resp.Tables = []chat.AnswerTable{{Title: "One", Columns: []profiler.ColumnMetadata{{OriginalName: "a"}}, Rows: json.RawMessage(`[[7]]`), RowCount: 1, TotalRows: 1}}
	}
	if req.Message == "fail" {
		r.resp = chat.Response{Outcome: chat.OutcomeError, RunID: id, Error: &chat.Problem{Code: "planner_down", Detail: "The planner is down."}}
	}
	step := ""
	if f.steps {
		r.resp.Steps = []chat.StepInfo{{ID: "s1", Tool: "count", Status: "done", Rows: ptr(5), DurationMS: 1.5}}
		step = `,"metadata":{"catena":{"stepId":"s1","kind":"tool","tool":"count","status":"done","rows":5,"durMs":1.5}}`
	}
	for i, data := range []string{`{"type":"RUN_STARTED"}`, `{"type":"STEP_STARTED","stepName":"s1"}`, `{"type":"STEP_FINISHED","stepName":"s1"` + step + `}`, `{"type":"TEXT_MESSAGE_CONTENT","delta":"You said: "}`, `{"type":"RUN_FINISHED"}`} {
		r.events = append(r.events, chat.Event{Seq: uint64(i + 1), Data: json.RawMessage(data)})
	}
	if req.Message != "slow" {
		close(r.done)
	}
	return id, nil
}

func (*fakeRuns) Started(context.Context, access.Caller, chat.Request) (string, error) {
	return "", nil
}

// Reply knows the replies yes and no to the steps of "destroy".
func (f *fakeRuns) Reply(ctx context.Context, c access.Caller, req chat.Request) (string, uint64, error) {
	choice := map[string]string{"yes": "run", "no": "skip"}[req.Message]
	f.mu.Lock()
	var waiting *fakeRun
	for _, r := range f.runs {
		if r.owner == c.ID && req.SessionID != "" && r.req.SessionID == req.SessionID && r.resp.Outcome == chat.OutcomeApproval {
			waiting = r
		}
	}
	f.mu.Unlock()
	if choice == "" || waiting == nil {
		return "", 0, nil
	}
	p := waiting.resp.Pending[0]
	after, err := f.Approve(ctx, c, waiting.resp.RunID, chat.Approval{Step: p.Step, ArgsHash: p.ArgsHash, Decision: choice})
	return waiting.resp.RunID, after, err
}

func (f *fakeRuns) get(c access.Caller, id string) (*fakeRun, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r := f.runs[id]; r != nil && r.owner == c.ID {
		return r, nil
	}
	return nil, fs.ErrNotExist
}

func (f *fakeRuns) Follow(ctx context.Context, c access.Caller, id string, after uint64, emit func(chat.Event) error) error {
	f.readers.Add(1)
	defer f.readers.Add(-1)
	defer f.followed.Add(1)
	r, err := f.get(c, id)
	if err != nil {
		return err
	}
	for _, e := range r.events {
		if e.Seq == uint64(len(r.events)) {
			select {
			case <-r.done:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		if e.Seq > after {
			if err := emit(e); err != nil {
				return err
			}
		}
	}
	return nil
}

func (f *fakeRuns) Wait(ctx context.Context, c access.Caller, id string) (chat.Response, error) {
	f.readers.Add(1)
	defer f.readers.Add(-1)
	r, err := f.get(c, id)
	if err != nil {
		return chat.Response{}, err
	}
	select {
	case <-r.done:
		return r.resp, nil
	case <-ctx.Done():
		return chat.Response{}, ctx.Err()
	}
}

func (f *fakeRuns) Cancel(_ context.Context, c access.Caller, id string) error {
	r, err := f.get(c, id)
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if !r.stopped && r.req.Message == "slow" {
		r.stopped = true
		close(r.done)
	}
	return nil
}

func (f *fakeRuns) Approve(_ context.Context, c access.Caller, id string, a chat.Approval) (uint64, error) {
	r, err := f.get(c, id)
	if err == nil && a.Step != "s1" {
		err = &chat.InputError{Code: "step_not_waiting", Detail: "This step does not wait.", Err: fs.ErrExist}
	}
	if err == nil {
		f.keys = append(f.keys, a.IdempotencyKey)
	}
	if err == nil && a.ArgsHash != "shown" {
		err = &chat.InputError{Code: "args_changed", Detail: "The step waits with other arguments.", Err: fs.ErrExist}
	}
	if err == nil && len(r.resp.Pending) > 0 {
		r.resp.Response, r.resp.Outcome, r.resp.Pending = a.Step+" decided: "+a.Decision, chat.OutcomeAnswer, nil
	}
	return 3, err
}

func (f *fakeRuns) Resume(_ context.Context, c access.Caller, id string) (uint64, error) {
	_, err := f.get(c, id)
	return 0, err
}

func (f *fakeRuns) DeleteSession(_ context.Context, _ access.Caller, session string) error {
	f.mu.Lock()
	f.deleted = session
	f.mu.Unlock()
	return fakeParts{}.RenameSession(context.Background(), access.Caller{}, session, "")
}

func (f *fakeRuns) started(id string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.runs[id] != nil
}

// reading is how many follow a run, or wait for one.
func (f *fakeRuns) reading() int { return int(f.readers.Load()) }

func (f *fakeRuns) stopped(id string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.runs[id] != nil && f.runs[id].stopped
}

// fakeParts are the other parts.
type fakeParts struct{}

func (f *fakeRuns) Get(_ context.Context, c access.Caller, id string) (chat.RunInfo, error) {
	r, err := f.get(c, id)
	if err != nil {
		return chat.RunInfo{}, err
	}
	info := chat.RunInfo{RunID: id, SessionID: r.req.SessionID, Status: runRunning, Request: []byte(`{"message":"x"}`), Client: r.req.Client, At: time.Unix(1_700_000_000, 0)}
	select {
	case <-r.done:
		info.Status = r.resp.Outcome
		info.Response, _ = json.Marshal(r.resp)
	default:
	}
	return info, nil
}

func (f *fakeRuns) Whole(_ context.Context, _ access.Caller, info chat.RunInfo) (chat.RunInfo, error) {
	return info, nil
}

func (fakeParts) WholeTurns(_ context.Context, _ access.Caller, turns []chat.StoredTurn) ([]chat.StoredTurn, error) {
	return turns, nil
}

func (fakeParts) OpenSession(_ context.Context, _ access.Caller, id, _ string) error {
	if id != "ses_1" && strings.HasPrefix(id, chat.SessionPrefix) {
		return &chat.InputError{Code: "session_not_found", Detail: "There is no such session.", Err: fs.ErrNotExist}
	}
	return chat.CheckSession(id)
}

func (fakeParts) NewSession(context.Context, access.Caller, string) (string, error) {
	return "ses_new", nil
}

func (fakeParts) Aside(context.Context, access.Caller, string) (string, plan.Usage, error) {
	return "", plan.Usage{}, chat.ErrNoModel
}

func (fakeParts) Explain(_ context.Context, _ access.Caller, _ string, p plan.Plan) (plan.Explanation, error) {
	return plan.Explain(p, nil, nil)
}

func (fakeParts) Plan(_ context.Context, _ access.Caller, req chat.Request) (chat.RoutingResult, error) {
	if err := req.Check(); err != nil {
		return chat.RoutingResult{}, err
	}
	return chat.RoutingResult{Intent: "count", Endpoints: []chat.Endpoint{{Type: "tool", Name: "count"}}}, nil
}

func (fakeParts) Turns(_ context.Context, _ access.Caller, session string, _ int) ([]chat.StoredTurn, error) {
	if session != "ses_1" {
		return nil, fs.ErrNotExist
	}
	return []chat.StoredTurn{{RunID: "run_1", Message: "x", Response: "You said: x"}}, nil
}

func (fakeParts) Session(_ context.Context, _ access.Caller, id string) (chat.SessionInfo, error) {
	if id != "ses_1" {
		return chat.SessionInfo{}, fs.ErrNotExist
	}
	return chat.SessionInfo{ID: id, Title: "about x"}, nil
}

func (f fakeParts) RenameSession(ctx context.Context, c access.Caller, id, _ string) error {
	_, err := f.Session(ctx, c, id)
	return err
}

func (fakeParts) ListSessions(_ context.Context, _ access.Caller, query, cursor string, _ int) (chat.SessionPage, error) {
	return chat.SessionPage{Sessions: []chat.SessionInfo{{ID: "ses_1", Title: query + cursor}}, Next: "more"}, nil
}

func (fakeParts) Describe(context.Context, access.Caller, string) ([]plan.TableInfo, error) {
	return []plan.TableInfo{{Name: "clients", Rows: 2}, {Name: "sales", Rows: 1}}, nil
}
func (fakeParts) WriteXLSX(w io.Writer, res tools.Result) error {
	return res.Table.WriteSheet(w, res.Name)
}

func (fakeParts) Attach(_ context.Context, _ access.Caller, u tools.Upload) (tools.Uploaded, error) {
	switch {
	case strings.Contains(string(u.Data), "\x00"):
		return tools.Uploaded{}, &chat.InputError{Code: "bad_file", Detail: u.Name + " is no table."}
	case u.Name == "taken.csv" && u.OnConflict == "":
		return tools.Uploaded{}, &tools.NameTakenError{File: u.Name, Tables: []string{"taken"}}
	}
	name := strings.TrimSuffix(u.Name, ".csv")
	return tools.Uploaded{Tables: []string{name}, Infos: []plan.TableInfo{{Name: name, Rows: 1}}}, nil
}

func (fakeParts) LoadNotes(_ context.Context, _ access.Caller, _, name string) []string {
	if name != "sales" {
		return nil
	}
	return []string{"sales: line 3 was left out."}
}

func ptr[T any](v T) *T { return &v }

// newTest makes a server over a real registry with a few small tools, and the fakes.
func newTest(t testing.TB, change ...func(*Options)) (*Server, *httptest.Server, *fakeRuns) {
	t.Helper()
	runs := &fakeRuns{runs: map[string]*fakeRun{}}
	reg := tools.NewRegistry(tools.Options{Policy: access.Granted{}, Log: slog.New(slog.DiscardHandler)})
	def := func(name, schema string) mcp.Tool {
		return mcp.Tool{Name: name, Description: name, RawInputSchema: json.RawMessage(schema), Annotations: mcp.ToolAnnotation{ReadOnlyHint: ptr(true)}}
	}
	people, err := table.FromText("name,age\nAda,36\nGrace,85\n", table.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	list := []tools.Tool{
		ChatTool(runs),
		{Def: def("count", `{"type":"object","properties":{"n":{"type":"integer","default":3}},"additionalProperties":false,"allOf":[{"minProperties":0}]}`), Toolset: "crm",
			Handler: func(_ context.Context, call tools.Call) (tools.Result, error) {
				if call.Progress != nil {
					for i := range 3 {
						call.Progress(tools.Progress{Done: float64(i + 1), Total: 3})
					}
				}
				return tools.Result{Text: "counted", Structured: map[string]any{"n": call.Args["n"]}}, nil
			}},
		{Def: def("people", `{"type":"object"}`), Toolset: "data",
			Handler: func(context.Context, tools.Call) (tools.Result, error) {
				return tools.Result{Table: people, Text: "| name | age |", Notes: []string{"Made up."}, Charts: []tools.Chart{{SVG: "<svg/>"}}}, nil
			}},
		{Def: def("broken", `{"type":"object"}`), Toolset: "data",
			Handler: func(context.Context, tools.Call) (tools.Result, error) { panic("correct horse") }},
		{Def: def("secretive", `{"type":"object"}`), Toolset: "data",
			Handler: func(context.Context, tools.Call) (tools.Result, error) {
				return tools.Result{}, fmt.Errorf("password is hunter2")
			}},
		{Def: def("wait", `{"type":"object"}`), Toolset: "data",
			Handler: func(ctx context.Context, _ tools.Call) (tools.Result, error) {
				<-ctx.Done()
				waited <- struct{}{}
				return tools.Result{}, ctx.Err()
			}},
	}
	if err := reg.Register(list...); err != nil {
		t.Fatal(err)
	}
	if err := reg.RegisterResources(Resources(reg.Tables(), runs)...); err != nil {
		t.Fatal(err)
	}
	parts := fakeParts{}
	opt := Options{Version: "test", Runs: runs, Planner: parts, Tools: reg, Sessions: parts, Data: parts, Tables: reg.Tables(),
		Logger: slog.New(slog.DiscardHandler), Heartbeat: 30 * time.Millisecond}
	for _, c := range change {
		c(&opt)
	}
	s, err := New(opt)
	if err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(s.Handler())
	t.Cleanup(func() { s.stop(); s.mcp.close(); h.CloseClientConnections(); h.Close() })
	return s, h, runs
}

// waited takes a token each time the tool "wait" was told to stop.
var waited = make(chan struct{}, 16)

func (*fakeRuns) Running(context.Context, access.Caller, string) ([]chat.Running, error) {
	return []chat.Running{}, nil
}
