package mcp

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"catena/chat"
	"catena/internal/access"
	"catena/server/servertest"
	"catena/tools"
)

// An answer's tables are linked where an MCP client can read them; over stdio nothing names a path of HTTP.
func TestChatLinksItsTables(t *testing.T) {
	links := map[string]string{"csv": "/api/v1/tables/tbl_1.csv"}
	resp := chat.Response{Outcome: chat.OutcomeAnswer, Response: "50 of 5,000 rows.", Tables: []chat.AnswerTable{
		{Handle: "tbl_1", Title: "Sales", RowCount: 50, TotalRows: 5000, Truncated: true, Links: links}, {Title: "kept nowhere"}}}
	for via, paths := range map[string]bool{"stdio": false, "mcp": true} {
		out, err := callResult(linkedResult(tools.Call{Caller: access.Caller{ID: "x", Via: via}}, resp), false)
		if err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal(out)
		if err != nil {
			t.Fatal(err)
		}
		if text := string(b); strings.Contains(text, "/api/v1/") != paths || len(out.Content) != 2 || !strings.Contains(text, `"uri":"table://tbl_1"`) || !strings.Contains(text, "50 of 5,000 rows.") {
			t.Errorf("over %s: %s", via, text)
		}
	}
	if links["resource"] != "" || resp.Tables[0].Links["csv"] == "" {
		t.Error("the answer of others was changed")
	}
	if res := linkedResult(tools.Call{}, chat.Response{Response: "No table."}); res.Content != nil {
		t.Errorf("content %v", res.Content)
	}
}

// One caller's listening requests are bounded; each that ends makes room.
func TestListenersOfACaller(t *testing.T) {
	var l listeners
	first, end := context.WithCancel(t.Context())
	if !l.begin(first, &httpStream{}, "ann") {
		t.Fatal("the first was refused")
	}
	for range maxListeners - 1 {
		l.begin(t.Context(), &httpStream{}, "ann")
	}
	if l.begin(t.Context(), &httpStream{}, "ann") || !l.begin(t.Context(), &httpStream{}, "bob") || !l.begin(t.Context(), &pipe{}, "ann") {
		t.Error("the bound is not that of one caller's streams")
	}
	end()
	servertest.Eventually(t, "room", func() bool { return l.begin(t.Context(), &httpStream{}, "ann") })
}

// Streams that a GET opens count too, whichever transport they are of, and make room when they end.
func TestStreamsOfACaller(t *testing.T) {
	s, h, _ := newTest(t)
	full, end := context.WithCancel(t.Context())
	var who string
	get := func(ctx context.Context) int {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, h.URL+"/sse", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Accept", "text/event-stream")
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { resp.Body.Close() })
		return resp.StatusCode
	}
	if code := get(t.Context()); code != http.StatusOK {
		t.Fatalf("the first: %d", code)
	}
	s.mcp.listeners.mu.Lock()
	for who = range s.mcp.listeners.open {
	}
	s.mcp.listeners.mu.Unlock()
	for s.mcp.listeners.add(full, who) {
	}
	if code := get(t.Context()); code != http.StatusTooManyRequests {
		t.Errorf("one too many: %d", code)
	}
	end()
	servertest.Eventually(t, "room", func() bool { return get(t.Context()) == http.StatusOK })
}
