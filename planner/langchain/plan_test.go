package langchain

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"catena/planner"
	"catena/planner/plan"
)

// offline stands for the planner after the model's.
type offline struct{}

func (offline) Plan(context.Context, plan.Request) (plan.Response, error) {
	return plan.Response{By: "offline", Plan: plan.Plan{Refuse: "Ask about clients."}}, nil
}

// says is a whole answer with a text, in either format.
func (w aWire) says(text string) reply {
	quoted, _ := json.Marshal(text)
	return jsonReply(strings.Replace(w.answer, `"{\"steps\":[]}"`, string(quoted), 1))
}

// TestPlanOverTheWire: a message becomes a plan through a real exchange, and with each fault a visible fallback.
func TestPlanOverTheWire(t *testing.T) {
	good := `{"steps":[{"id":"s1","tool":"get_top_clients","args":{"limit":5}}]}`
	unknown := `{"steps":[{"id":"s1","tool":"get_weather","args":{}}]}`
	req := plan.Request{Message: "top 5 clients", Now: time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC),
		Tools:  []plan.Tool{{Name: "get_top_clients", InputSchema: json.RawMessage(`{"type":"object","properties":{"limit":{"type":"integer"}}}`)}},
		Tables: []plan.TableInfo{{Name: "clients", Columns: []plan.ColumnInfo{{Name: "name", Type: "text", Min: "CELL a", Max: "CELL z", Values: []string{"CELL"}}}}}}
	both(t, func(t *testing.T, w aWire) {
		tests := map[string]struct {
			replies []reply
			by      string
			note    string
			calls   int
		}{
			"plan":            {[]reply{w.says(good)}, "llm", "", 1},
			"429 then plan":   {[]reply{status(429, "", w.tooMany), w.says(good)}, "llm", "", 2},
			"corrected":       {[]reply{w.says(unknown), w.says(good)}, "llm", "", 2},
			"429":             {[]reply{status(429, "", w.tooMany)}, "offline", "(429 Too Many Requests); planned offline.", 3},
			"HTML":            {[]reply{status(200, "Content-Type: text/html", "<html>")}, "offline", "HTML", 1},
			"half an answer":  {[]reply{jsonReply(w.answer[:50])}, "offline", "not whole JSON", 1},
			"half a plan":     {[]reply{w.says(good[:30])}, "offline", "(truncated)", 3},
			"another tongue":  {[]reply{w.says("Ich weiß es nicht.")}, "offline", "(no_plan)", 3},
			"unknown tool":    {[]reply{w.says(unknown)}, "offline", "(unknown_tool)", 3},
			"slow":            {[]reply{func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }}, "offline", "in time", 1},
			"500 as problem":  {[]reply{status(500, "Content-Type: application/problem+json", `{"detail":"boom"}`)}, "offline", "(500 Internal Server Error)", 3},
			"no such address": {[]reply{status(404, "", "")}, "offline", "(404 Not Found)", 1},
		}
		for name, tt := range tests {
			t.Run(name, func(t *testing.T) {
				e := serve(t, tt.replies...)
				c := connect(t, w, e.URL, func(c *Config) {
					if name == "slow" {
						c.Timeout = 30 * time.Millisecond
					}
				})
				res, err := planner.Fallback(&planner.LLM{Completer: c}, offline{}).Plan(t.Context(), req)
				if err != nil {
					t.Fatal(err)
				}
				if notes := strings.Join(res.Notes, "|"); res.By != tt.by || !strings.Contains(notes, tt.note) || (tt.note == "") != (notes == "") {
					t.Errorf("by %s, notes %q", res.By, notes)
				}
				if e.calls() != tt.calls {
					t.Errorf("%d calls, want %d", e.calls(), tt.calls)
				}
				for _, b := range e.bodies {
					if text := fmt.Sprint(b); strings.Contains(text, "CELL") || !strings.Contains(text, "top 5 clients") {
						t.Errorf("sent %s", text)
					}
				}
			})
		}
	})
}
