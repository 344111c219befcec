package planner

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"testing"
	"time"

	"catena/planner/plan"
)

type memory struct {
	mu   sync.Mutex
	vals map[string][]byte
	fail error
	ttl  time.Duration
}

func (m *memory) Get(_ context.Context, key string) ([]byte, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, ok := m.vals[key]
	return v, ok, m.fail
}

func (m *memory) Put(_ context.Context, key string, val []byte, ttl time.Duration) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.vals == nil {
		m.vals = map[string][]byte{}
	}
	m.vals[key], m.ttl = val, ttl
	return m.fail
}

func TestCached(t *testing.T) {
	inner := &fixed{res: plan.Response{By: "llm", Plan: plan.Plan{Steps: []plan.Step{{ID: "s1", Tool: "get_top_clients",
		Args: map[string]any{"region": "USA", "limit": json.Number("5")}}}}}}
	store := &memory{}
	c := &Cached{Planner: inner, Cache: store, Model: "m"}
	first, err := c.Plan(t.Context(), request("top 5 USA clients"))
	if err != nil || first.By != "llm" || store.ttl != DefaultTTL {
		t.Fatalf("%+v %v", first, err)
	}
	again, err := c.Plan(t.Context(), request("  top 5\nUSA clients "))
	if err != nil || again.By != "cache" || inner.ran != 1 || again.Plan.Steps[0].Args["limit"] != json.Number("5") {
		t.Fatalf("%+v %v, asked %d times", again, err, inner.ran)
	}
	changes := map[string]func(*plan.Request){
		"message":     func(r *plan.Request) { r.Message = "top 5 USA clients, please" },
		"owner":       func(r *plan.Request) { r.Owner = "u2" },
		"no owner":    func(r *plan.Request) { r.Owner = "" },
		"day":         func(r *plan.Request) { r.Now = r.Now.AddDate(0, 0, 1) },
		"time zone":   func(r *plan.Request) { r.TimeZone = "Asia/Tokyo" },
		"locale":      func(r *plan.Request) { r.Locale = "de" },
		"rows wanted": func(r *plan.Request) { r.MaxRows = 7 },
		"history":     func(r *plan.Request) { r.History = []plan.Turn{{Message: "clients"}} },
		"tools":       func(r *plan.Request) { r.Tools = r.Tools[:2] },
		"tool's schema": func(r *plan.Request) {
			r.Tools = append([]plan.Tool{}, r.Tools...)
			r.Tools[1].InputSchema = json.RawMessage(`{"type":"object"}`)
		},
		"tables":  func(r *plan.Request) { r.Tables = nil },
		"columns": func(r *plan.Request) { r.Tables[0].Columns[0].Type = "integer" },
		"rows":    func(r *plan.Request) { r.Tables[0].Rows++ },
	}
	for name, change := range changes {
		before := inner.ran
		req := request("top 5 USA clients")
		change(&req)
		if res, err := c.Plan(t.Context(), req); err != nil || res.By != "llm" || inner.ran != before+1 {
			t.Errorf("%s: %+v %v", name, res, err)
		}
	}
	other := &Cached{Planner: inner, Cache: store, Model: "m2"}
	if res, _ := other.Plan(t.Context(), request("top 5 USA clients")); res.By != "llm" {
		t.Error("another model's plan was used")
	}
}

func TestCachedSkips(t *testing.T) {
	store := &memory{}
	var told []error
	c := &Cached{Planner: &fixed{res: plan.Response{Plan: plan.Plan{Clarify: "Which?"}}}, Cache: store, OnError: func(err error) { told = append(told, err) }}
	if _, err := c.Plan(t.Context(), request("x")); err != nil || len(store.vals) != 0 {
		t.Error("a question was kept")
	}
	req := request("y")
	good := &fixed{res: plan.Response{By: "llm", Plan: plan.Plan{Steps: []plan.Step{{ID: "s1", Tool: "get_top_clients"}}}}}
	c.Planner = good
	for _, val := range []string{"{", `{"steps":[{"id":"s1","tool":"gone","args":{}}]}`} { // broken, and no longer valid
		store.vals = map[string][]byte{c.key(req, req.Message): []byte(val)}
		if res, err := c.Plan(t.Context(), req); err != nil || res.By != "llm" {
			t.Errorf("%s: %+v %v", val, res, err)
		}
	}
	store.fail = errors.New("disk full")
	if res, err := c.Plan(t.Context(), request("z")); err != nil || res.By != "llm" {
		t.Errorf("%+v %v", res, err)
	}
	if len(told) != 3 {
		t.Errorf("told %v", told)
	}
}
