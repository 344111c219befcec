package servertest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"catena/chat"
	"catena/chat/runs"
	"catena/internal/access"
	"catena/planner/plan"
	"catena/profiler"
	"catena/table"
	"catena/table/xlsx"
	"catena/tools"
)

// Runs answers each message by a script: "slow" waits for its cancel, "fail" ends with an error, any other is echoed.
type Runs struct {
	Mu   sync.Mutex
	N    int
	ByID map[string]*Run

	Steps bool     // answers have one step
	Notes []string // of all answers
	Gone  string   // a session that is not there any more

	Keys    []string // the Idempotency-Keys of decisions
	Deleted string   // the session that was deleted last

	readers  atomic.Int64
	Followed atomic.Int64 // calls of Follow that have returned
}

type Run struct {
	owner   string
	Req     chat.Request
	Events  []chat.Event
	Resp    chat.Response
	Done    chan struct{}
	Stopped bool
}

// NewRuns makes runs of which there are none.
func NewRuns() *Runs { return &Runs{ByID: map[string]*Run{}} }

// CallerNow gives back the caller that was stored.
func (*Runs) CallerNow(_ context.Context, s runs.StoredCaller) (access.Caller, error) {
	rights, err := access.ParseRights(s.Scopes, nil, nil)
	return access.Caller{ID: s.ID, Tenant: s.Tenant, Roles: s.Roles, Via: s.Via, Key: s.Key, Rights: rights}, err
}

func (f *Runs) Start(_ context.Context, c access.Caller, req chat.Request) (string, error) {
	if err := req.Check(); err != nil {
		return "", err
	}
	f.Mu.Lock()
	defer f.Mu.Unlock()
	if f.Gone != "" && req.SessionID == f.Gone {
		return "", &chat.InputError{Code: "session_not_found", Detail: "There is no such session.", Err: fs.ErrNotExist}
	}
	f.N++
	id := fmt.Sprintf("run_%d", f.N)
	if req.SessionID == "" {
		req.SessionID = fmt.Sprintf("ses_%d", f.N)
	}
	r := &Run{owner: c.ID, Req: req, Done: make(chan struct{})}
	f.ByID[id] = r
	r.Resp = chat.Response{Response: "You said: " + req.Message, Outcome: chat.OutcomeAnswer, SessionID: req.SessionID,
		RunID: id, Pending: []chat.Pending{}, Notes: f.Notes}
	if req.Message == "destroy" && req.Approve != "auto" {
		r.Resp.Outcome, r.Resp.Pending = chat.OutcomeApproval,
			[]chat.Pending{{Step: "s1", Tool: "wipe", Args: map[string]any{"what": "all"}, ArgsHash: "shown",
				Reason: tools.CodeApproval}}
	}
	if req.Message == "chart" {
		r.Resp.Charts = []chat.AnswerChart{{Title: "Bars", SVG: BarsSVG()},
			{PNG: []byte("\x89PNG"), MediaType: "image/png"}}
	}
	if req.Message == "table" {
		r.Resp.Tables = []chat.AnswerTable{{Title: "One", Columns: []profiler.ColumnMetadata{{OriginalName: "a"}},
			Rows: json.RawMessage(`[[7]]`), RowCount: 1, TotalRows: 1}}
	}
	if req.Message == "fail" {
		r.Resp = chat.Response{Outcome: chat.OutcomeError, RunID: id,
			Error: &chat.Problem{Code: "planner_down", Detail: "The planner is down."}}
	}
	step := ""
	if f.Steps {
		r.Resp.Steps = []chat.StepInfo{{ID: "s1", Tool: "count", Status: "done", Rows: Ptr(5), DurationMS: 1.5}}
		step = `,"metadata":{"catena":{"stepId":"s1","kind":"tool","tool":"count","status":"done","rows":5,"durMs":1.5}}`
	}
	for i, data := range []string{`{"type":"RUN_STARTED"}`, `{"type":"STEP_STARTED","stepName":"s1"}`, `{"type":"STEP_FINISHED","stepName":"s1"` + step + `}`, `{"type":"TEXT_MESSAGE_CONTENT","delta":"You said: "}`, `{"type":"RUN_FINISHED"}`} {
		r.Events = append(r.Events, chat.Event{Seq: uint64(i + 1), Data: json.RawMessage(data)})
	}
	if req.Message != "slow" {
		close(r.Done)
	}
	return id, nil
}

func (*Runs) Started(context.Context, access.Caller, chat.Request) (string, error) {
	return "", nil
}

// Reply knows the replies yes and no to the steps of "destroy".
func (f *Runs) Reply(ctx context.Context, c access.Caller, req chat.Request) (string, uint64, error) {
	choice := map[string]string{"yes": "run", "no": "skip"}[req.Message]
	f.Mu.Lock()
	var waiting *Run
	for _, r := range f.ByID {
		if r.owner == c.ID && req.SessionID != "" && r.Req.SessionID == req.SessionID &&
			r.Resp.Outcome == chat.OutcomeApproval {
			waiting = r
		}
	}
	f.Mu.Unlock()
	if choice == "" || waiting == nil {
		return "", 0, nil
	}
	p := waiting.Resp.Pending[0]
	after, err := f.Approve(ctx, c, waiting.Resp.RunID,
		runs.Approval{Step: p.Step, ArgsHash: p.ArgsHash, Decision: choice})
	return waiting.Resp.RunID, after, err
}

func (f *Runs) get(c access.Caller, id string) (*Run, error) {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	if r := f.ByID[id]; r != nil && r.owner == c.ID {
		return r, nil
	}
	return nil, fs.ErrNotExist
}

func (f *Runs) Follow(
	ctx context.Context, c access.Caller, id string, after uint64, emit func(chat.Event) error,
) error {
	f.readers.Add(1)
	defer f.readers.Add(-1)
	defer f.Followed.Add(1)
	r, err := f.get(c, id)
	if err != nil {
		return err
	}
	for _, e := range r.Events {
		if e.Seq == uint64(len(r.Events)) {
			select {
			case <-r.Done:
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

func (f *Runs) Wait(ctx context.Context, c access.Caller, id string) (chat.Response, error) {
	f.readers.Add(1)
	defer f.readers.Add(-1)
	r, err := f.get(c, id)
	if err != nil {
		return chat.Response{}, err
	}
	select {
	case <-r.Done:
		return r.Resp, nil
	case <-ctx.Done():
		return chat.Response{}, ctx.Err()
	}
}

func (f *Runs) Cancel(_ context.Context, c access.Caller, id string) error {
	r, err := f.get(c, id)
	if err != nil {
		return err
	}
	f.Mu.Lock()
	defer f.Mu.Unlock()
	if !r.Stopped && r.Req.Message == "slow" {
		r.Stopped = true
		close(r.Done)
	}
	return nil
}

func (f *Runs) Approve(_ context.Context, c access.Caller, id string, a runs.Approval) (uint64, error) {
	r, err := f.get(c, id)
	if err == nil && a.Step != "s1" {
		err = &chat.InputError{Code: "step_not_waiting", Detail: "This step does not wait.", Err: fs.ErrExist}
	}
	if err == nil {
		f.Keys = append(f.Keys, a.IdempotencyKey)
	}
	if err == nil && a.ArgsHash != "shown" {
		err = &chat.InputError{Code: "args_changed", Detail: "The step waits with other arguments.", Err: fs.ErrExist}
	}
	if err == nil && len(r.Resp.Pending) > 0 {
		r.Resp.Response, r.Resp.Outcome, r.Resp.Pending = a.Step+" decided: "+a.Decision, chat.OutcomeAnswer, nil
	}
	return 3, err
}

func (f *Runs) Resume(_ context.Context, c access.Caller, id string) (uint64, error) {
	_, err := f.get(c, id)
	return 0, err
}

func (f *Runs) DeleteSession(_ context.Context, _ access.Caller, session string) error {
	f.Mu.Lock()
	f.Deleted = session
	f.Mu.Unlock()
	return Parts{}.RenameSession(context.Background(), access.Caller{}, session, "")
}

func (f *Runs) HasStarted(id string) bool {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	return f.ByID[id] != nil
}

// Reading is how many follow a run, or wait for one.
func (f *Runs) Reading() int { return int(f.readers.Load()) }

func (f *Runs) HasStopped(id string) bool {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	return f.ByID[id] != nil && f.ByID[id].Stopped
}

// Parts are the other parts.
type Parts struct{}

func (f *Runs) Get(_ context.Context, c access.Caller, id string) (runs.Info, error) {
	r, err := f.get(c, id)
	if err != nil {
		return runs.Info{}, err
	}
	info := runs.Info{RunID: id, SessionID: r.Req.SessionID, Status: "running", Request: []byte(`{"message":"x"}`),
		Client: r.Req.Client, At: time.Unix(1_700_000_000, 0)}
	select {
	case <-r.Done:
		info.Status = r.Resp.Outcome
		info.Response, _ = json.Marshal(r.Resp)
	default:
	}
	return info, nil
}

func (f *Runs) Whole(_ context.Context, _ access.Caller, info runs.Info) (runs.Info, error) {
	return info, nil
}

func (Parts) WholeTurns(_ context.Context, _ access.Caller, turns []chat.StoredTurn) ([]chat.StoredTurn, error) {
	return turns, nil
}

func (Parts) OpenSession(_ context.Context, _ access.Caller, id, _ string) error {
	if id != "ses_1" && strings.HasPrefix(id, chat.SessionPrefix) {
		return &chat.InputError{Code: "session_not_found", Detail: "There is no such session.", Err: fs.ErrNotExist}
	}
	return chat.CheckSession(id)
}

func (Parts) NewSession(context.Context, access.Caller, string) (string, error) {
	return "ses_new", nil
}

func (Parts) Aside(context.Context, access.Caller, string) (string, plan.Usage, error) {
	return "", plan.Usage{}, chat.ErrNoModel
}

func (Parts) Explain(_ context.Context, _ access.Caller, _ string, p plan.Plan) (plan.Explanation, error) {
	return plan.Explain(p, nil, nil)
}

func (Parts) Plan(_ context.Context, _ access.Caller, req chat.Request) (chat.RoutingResult, error) {
	if err := req.Check(); err != nil {
		return chat.RoutingResult{}, err
	}
	return chat.RoutingResult{Intent: "count", Endpoints: []chat.Endpoint{{Type: "tool", Name: "count"}}}, nil
}

func (Parts) Turns(_ context.Context, _ access.Caller, session string, _ int) ([]chat.StoredTurn, error) {
	if session != "ses_1" {
		return nil, fs.ErrNotExist
	}
	return []chat.StoredTurn{{RunID: "run_1", Message: "x", Response: "You said: x"}}, nil
}

func (Parts) Session(_ context.Context, _ access.Caller, id string) (chat.SessionInfo, error) {
	if id != "ses_1" {
		return chat.SessionInfo{}, fs.ErrNotExist
	}
	return chat.SessionInfo{ID: id, Title: "about x"}, nil
}

func (f Parts) RenameSession(ctx context.Context, c access.Caller, id, _ string) error {
	_, err := f.Session(ctx, c, id)
	return err
}

func (Parts) ListSessions(_ context.Context, _ access.Caller, query, cursor string, _ int) (chat.SessionPage, error) {
	return chat.SessionPage{Sessions: []chat.SessionInfo{{ID: "ses_1", Title: query + cursor}}, Next: "more"}, nil
}

func (Parts) Describe(context.Context, access.Caller, string) ([]plan.TableInfo, error) {
	return []plan.TableInfo{{Name: "clients", Rows: 2}, {Name: "sales", Rows: 1}}, nil
}
func (Parts) WriteXLSX(ctx context.Context, w io.Writer, res tools.Result) error {
	return xlsx.Write(ctx, w, xlsx.Sheet{Name: res.Name, Table: res.Table})
}

func (Parts) Attach(_ context.Context, _ access.Caller, u tools.Upload) (tools.Uploaded, error) {
	switch {
	case strings.Contains(string(u.Data), "\x00"):
		return tools.Uploaded{}, &chat.InputError{Code: "bad_file", Detail: u.Name + " is no table."}
	case u.Name == "taken.csv" && u.OnConflict == "":
		return tools.Uploaded{}, &tools.NameTakenError{File: u.Name, Tables: []string{"taken"}}
	}
	name := strings.TrimSuffix(u.Name, ".csv")
	return tools.Uploaded{Tables: []string{name}, Infos: []plan.TableInfo{{Name: name, Rows: 1}}}, nil
}

func (Parts) TraceCell(_ context.Context, _ access.Caller, p tools.CellPage) (tools.CellTrace, error) {
	if p.Column != "revenue" {
		fault := &tools.ArgumentError{Argument: "cell", Code: tools.CodeUnknownColumn, Reason: "there is no column"}
		return tools.CellTrace{}, fault
	}
	rows := table.NewBuilder(table.Column{Name: "row", Type: table.Int}).Table()
	return tools.CellTrace{Handle: p.Handle, Column: p.Column, Value: table.IntValue(3), Rows: rows, Total: 2}, nil
}

func (Parts) LoadNotes(_ context.Context, _ access.Caller, _, name string) []string {
	if name != "sales" {
		return nil
	}
	return []string{"sales: line 3 was left out."}
}

func Ptr[T any](v T) *T { return &v }

// Waited takes a token each time the tool "wait" was told to stop.
var Waited = make(chan struct{}, 16)

// waiting counts how often it has begun.
var waiting atomic.Int64

// Waits gives a function that returns once what waits for its end, as the tool "wait", has begun once more.
func Waits(t *testing.T) (begun func()) {
	t.Helper()
	before := waiting.Load()
	return func() { Eventually(t, "the call that waits", func() bool { return waiting.Load() > before }) }
}

// Wait waits until it is told to stop, as the tool "wait" does.
func Wait(ctx context.Context) error {
	waiting.Add(1)
	<-ctx.Done()
	Waited <- struct{}{}
	return ctx.Err()
}

func (*Runs) Running(context.Context, access.Caller, string) ([]runs.Running, error) {
	return []runs.Running{}, nil
}

func (f *Runs) Count() int {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	return f.N
}

func (f *Runs) Cancelled(run string) bool {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	return f.ByID[run].Stopped
}
