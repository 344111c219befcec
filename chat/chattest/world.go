package chattest

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/internal/access"
	"catena/internal/store"
	"catena/internal/store/sqlite"
	"catena/planner/plan"
	"catena/table"
	"catena/tools"
	"catena/tools/handle"
)

// Two callers who may do everything, the time of the tests, and the day of their data.
var (
	Ann   = access.Caller{ID: "ann", Rights: access.Local("").Rights}
	Bob   = access.Caller{ID: "bob", Rights: access.Local("").Rights}
	Clock = time.Date(2026, 12, 24, 18, 0, 0, 0, time.UTC)
	AsOf  = time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)
)

// Planner answers each message with the plan that Answers has for it, and remembers what it was asked. It is safe for
// concurrent use; its fields are set before and read after. With Err it fails, with Block it waits for the end of its
// context.
type Planner struct {
	mu      sync.Mutex
	Answers map[string]plan.Response
	Err     error
	Asked   []plan.Request
	Block   bool
}

// Plan answers with what Answers has for the message; the zero Response for others.
func (s *Planner) Plan(ctx context.Context, req plan.Request) (plan.Response, error) {
	s.mu.Lock()
	s.Asked = append(s.Asked, req)
	s.mu.Unlock()
	if s.Block {
		<-ctx.Done()
		return plan.Response{}, ctx.Err()
	}
	if s.Err != nil {
		return plan.Response{}, s.Err
	}
	return s.Answers[req.Message], nil
}

// TablesOf is a catalogue of tables without a cell.
type TablesOf []plan.TableInfo

// Describe returns t.
func (t TablesOf) Describe(context.Context, access.Caller, string) ([]plan.TableInfo, error) {
	return t, nil
}

// Values returns nil: there are no values to find.
func (TablesOf) Values(context.Context, access.Caller, string) plan.Values { return nil }

// Attach takes any file that is not empty; the name "taken" is another table's.
func (TablesOf) Attach(_ context.Context, _ access.Caller, u tools.Upload) (tools.Uploaded, error) {
	if len(u.Data) == 0 {
		return tools.Uploaded{}, &table.FormatError{Source: u.Name, Reason: "the file is empty", Hint: "add rows"}
	}
	name := strings.TrimSuffix(u.Name, filepath.Ext(u.Name))
	if name == "taken" && u.OnConflict == "" {
		return tools.Uploaded{}, &tools.NameTakenError{File: u.Name, Tables: []string{name}}
	}
	return tools.Uploaded{Tables: []string{name}, Handles: []string{name}}, nil
}

// LoadNotes says something of the table "dirty" alone.
func (TablesOf) LoadNotes(_ context.Context, _ access.Caller, _, name string) []string {
	if name != "dirty" {
		return nil
	}
	return []string{"dirty: line 3 was left out."}
}

// Writes answers with a text or an error.
type Writes struct {
	Text   string
	Err    error
	Prompt string
}

// Write remembers what it was asked and gives Text and Err.
func (w *Writes) Write(_ context.Context, system, prompt string) (string, plan.Usage, error) {
	w.Prompt = system + "\n" + prompt
	return w.Text, plan.Usage{Calls: 1, PromptTokens: 10, CompletionTokens: 5}, w.Err
}

// World is a real registry and a store in memory, with a scripted planner.
type World struct {
	Planner  *Planner
	Store    *sqlite.Store
	Tables   *handle.Tables
	Registry *tools.Registry
	Log      *slog.Logger
}

// New makes a World with Tools. It is closed when the test ends.
func New(t testing.TB) *World {
	t.Helper()
	s, err := sqlite.Open(context.Background(), ":memory:", store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
	kept := handle.New(handle.Options{Store: s, Log: quiet})
	t.Cleanup(func() {
		kept.Close()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	reg := tools.NewRegistry(tools.Options{Tables: kept, Journal: s, Log: quiet})
	if err := reg.Register(Tools(t)...); err != nil {
		t.Fatal(err)
	}
	return &World{Planner: &Planner{Answers: Answers()}, Store: s, Tables: kept, Registry: reg, Log: quiet}
}

// Described are the tables that planners are told of.
func Described() TablesOf {
	return TablesOf{{Name: "clients", Rows: 112, Source: "demo", AsOf: AsOf, Columns: []plan.ColumnInfo{{Name: "client", Type: "text"}}}}
}

// TopClients is a small result: money, rates, counts, an id beside its name.
func TopClients(t testing.TB) *table.Table {
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

// Tools are tools whose results are known: tables, texts, failures, waits, deletions, and those of another server.
func Tools(t testing.TB) []tools.Tool {
	top := TopClients(t)
	yes, no := true, false
	tool := func(name string, readOnly, destructive bool, h tools.Handler) tools.Tool {
		def := mcp.NewToolWithRawSchema(name, "A tool of the tests.", json.RawMessage(`{"type":"object","properties":{"limit":{"type":"integer"},"data":{},"values":{}}}`))
		def.Annotations = mcp.ToolAnnotation{ReadOnlyHint: &readOnly, DestructiveHint: &destructive, IdempotentHint: &no, OpenWorldHint: &yes}
		toolset, _, server := strings.Cut(name, "__")
		if !server {
			toolset = "test"
		}
		return tools.Tool{Def: def, Toolset: toolset, Handler: h}
	}
	return []tools.Tool{
		tool("get_top_clients", true, false, func(context.Context, tools.Call) (tools.Result, error) {
			return tools.Result{
				Table: top, Name: "top_clients", Title: "Top 3 clients by revenue", Total: 112, AsOf: AsOf,
				Hide: []string{"client_id"}, Notes: []string{"One client was left out: it has no revenue."},
			}, nil
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
		tool("written", true, false, func(context.Context, tools.Call) (tools.Result, error) {
			return tools.Result{Table: top, Text: "- written by the tool", Charts: []tools.Chart{{Title: "A chart", Alt: "Bars."}}}, nil
		}),
		tool("draw", true, false, func(context.Context, tools.Call) (tools.Result, error) {
			return tools.Result{Text: "Bars.", Structured: map[string]any{"alt": "Bars."}, Charts: []tools.Chart{{Title: "A chart", Alt: "Bars."}}}, nil
		}),
		tool("quoting", true, false, func(context.Context, tools.Call) (tools.Result, error) {
			return tools.Result{Text: "It is in **turn.go:12** [here](http://evil.example) <img src=x>:\n\n```go\nfunc Map[K](x K) <-chan int\n```\nThat is all.", Untrusted: true,
				Structured: map[string]any{"answer": "It is", "citations": []any{map[string]any{"path": "turn.go"}}}}, nil
		}),
		tool("recall", true, false, func(context.Context, tools.Call) (tools.Result, error) {
			words := table.NewBuilder(table.Column{Name: "memory_id", Type: table.Text}, table.Column{Name: "content", Type: table.Text})
			if err := words.Append(table.TextValue("mem_1"), table.TextValue("Globex <b>likes</b> [calls](http://evil.example) "+strings.Repeat("very ", 80)+"much")); err != nil {
				return tools.Result{}, err
			}
			return tools.Result{Table: words.Table(), Text: "One memory speaks of it.", Title: "Memories", Total: 3, Untrusted: true,
				Structured: map[string]any{"results": []any{map[string]any{"memory_id": "mem_1"}}}}, nil
		}),
		tool("recall_none", true, false, func(context.Context, tools.Call) (tools.Result, error) {
			none := table.NewBuilder(table.Column{Name: "content", Type: table.Text}).Table()
			return tools.Result{Table: none, Text: "Nothing is remembered yet.", Untrusted: true, Structured: map[string]any{"results": []any{}}}, nil
		}),
		tool("keep", false, false, func(context.Context, tools.Call) (tools.Result, error) {
			return tools.Result{Text: "I will remember that.", Structured: map[string]any{"memory_id": "mem_1", "success": true}}, nil
		}),
		tool("far__outside", true, false, func(context.Context, tools.Call) (tools.Result, error) {
			return tools.Result{Text: "See ![x](http://evil.example/p.png)\u202e\x1b[2J and\n```\n[this](http://evil.example).", Untrusted: true}, nil
		}),
		tool("far__upstream", true, false, func(_ context.Context, c tools.Call) (tools.Result, error) {
			text, _ := c.Args["data"].(string)
			value, _ := c.Args["value"].(string)
			var v any
			if err := json.Unmarshal([]byte(cmp.Or(value, text)), &v); err != nil {
				v = nil
			}
			res := tools.Result{Text: text, Structured: v, Name: "found_things", Untrusted: true}
			if value != "" {
				res.Foreign = json.RawMessage(value)
			}
			return res, nil
		}),
	}
}

// Step is a step of a plan.
func Step(id, tool string, args map[string]any) plan.Step {
	if args == nil {
		args = map[string]any{}
	}
	return plan.Step{ID: id, Tool: tool, Args: args}
}

// Ref is a parsed reference. It panics where s is none.
func Ref(s string) plan.Ref {
	r, err := plan.ParseRef(s)
	if err != nil {
		panic(err)
	}
	return r
}

// Answers are the plans of the messages that the tests send.
func Answers() map[string]plan.Response {
	by := func(p plan.Plan) plan.Response { return plan.Response{Plan: p, By: "offline"} }
	return map[string]plan.Response{
		"top": by(plan.Plan{Title: "top clients", Confidence: .9, Steps: []plan.Step{Step("s1", "get_top_clients", map[string]any{"limit": 3})}}),
		"chain": by(plan.Plan{Title: "top clients and ids", Steps: []plan.Step{
			Step("s1", "get_top_clients", nil), Step("s2", "get_ids", map[string]any{"values": Ref("s1.rows[*].client_id")}), Step("s3", "get_top_clients", map[string]any{"data": Ref("s1")}),
		}, Answer: []any{Ref("s1"), Ref("s3")}}),
		"count":   by(plan.Plan{Title: "number of rows", Steps: []plan.Step{Step("s1", "get_ids", nil)}, Answer: []any{Ref("s1.count")}}),
		"partial": by(plan.Plan{Steps: []plan.Step{Step("s1", "get_top_clients", nil), Step("s2", "break", nil)}}),
		"fails":   by(plan.Plan{Steps: []plan.Step{Step("s1", "break", nil)}}),
		"panics":  by(plan.Plan{Steps: []plan.Step{Step("s1", "panic", nil)}}),
		"waits":   by(plan.Plan{Steps: []plan.Step{Step("s0", "get_top_clients", nil), Step("s1", "wait", nil)}}),
		"delete":  by(plan.Plan{Steps: []plan.Step{Step("s1", "delete_all", nil)}}),
		"outside": by(plan.Plan{Steps: []plan.Step{Step("s1", "far__outside", nil)}}),
		"quoting": by(plan.Plan{Steps: []plan.Step{Step("s1", "quoting", nil)}}),
		"recall":  by(plan.Plan{Steps: []plan.Step{Step("s1", "recall", nil)}}),
		"none":    by(plan.Plan{Steps: []plan.Step{Step("s1", "recall_none", nil)}}),
		"keep":    by(plan.Plan{Steps: []plan.Step{Step("s1", "keep", nil)}}),
		"written": by(plan.Plan{Steps: []plan.Step{Step("s1", "written", nil)}}),
		"draw":    by(plan.Plan{Steps: []plan.Step{Step("s1", "draw", nil)}}),
		"which?":  by(plan.Plan{Clarify: "Which year?"}),
		"weather": by(plan.Plan{Refuse: "There is no column about weather."}),
		"hello":   {Direct: "Hello! See [here](http://x.example) ![](http://x.example/i.png)", By: "llm"},
		"empty":   {},
	}
}
