package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"catena/chat"
	"catena/chat/runs"
)

// A session that a request only names must be the caller's, too.
func TestNamedSession(t *testing.T) {
	_, h, _ := newTest(t)
	for _, tc := range []struct{ method, path, body string }{
		{"POST", "/api/v1/tables", `{"name":"a.csv","text":"a\n1\n","session_id":"SES"}`},
		{"POST", "/api/v1/tables?session_id=SES", `{"name":"a.csv","text":"a\n1\n"}`},
		{"GET", "/api/v1/tables?session_id=SES", ""},
		{"POST", "/api/v1/tools/count", `{"arguments":{},"session_id":"SES"}`},
		{"POST", "/execute", `{"tool_name":"count","arguments":{},"session_id":"SES"}`},
	} {
		for session, found := range map[string]bool{"ses_1": true, "ses_other": false} {
			put := strings.NewReplacer("SES", session).Replace
			req, err := http.NewRequestWithContext(t.Context(), tc.method, h.URL+put(tc.path), strings.NewReader(put(tc.body)))
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Content-Type", "application/json")
			resp, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			if got := resp.StatusCode != http.StatusNotFound; got != found {
				t.Errorf("%s %s: %d", tc.method, put(tc.path), resp.StatusCode)
			}
		}
	}
}

func TestHead(t *testing.T) {
	_, h, _ := newTest(t)
	for _, path := range []string{"/livez", "/readyz", "/", "/api/v1/sessions", "/api/v1/tools", "/openapi.json"} {
		resp, err := http.Head(h.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			t.Errorf("HEAD %s: %d", path, resp.StatusCode)
		}
	}
}

// broken is a store that cannot be written.
type broken struct{ error }

func (broken) Unavailable() string { return "is full" }

func TestStoreUnavailable(t *testing.T) {
	p := ProblemOf(broken{http.ErrHandlerTimeout})
	if p.Status != http.StatusServiceUnavailable || p.Code != "store_unavailable" || p.Detail != "The store is full." || p.Hint == "" || retryAfter(*p) == "" {
		t.Errorf("%+v", p)
	}
}

// TestAnswerUnread: a whole answer that cannot be read now is not said to be gone, nor told as the store puts it.
func TestAnswerUnread(t *testing.T) {
	p := ProblemOf(fmt.Errorf("chat: %w", &chat.UnreadError{Run: "run_1", Err: errors.New("10.0.0.7 hung up")}))
	if p.Status != http.StatusServiceUnavailable || p.Code != "answer_unread" || p.RunID != "run_1" || strings.Contains(p.Detail+p.Hint, "10.0") || retryAfter(*p) == "" {
		t.Errorf("%+v", p)
	}
	if p := ProblemOf(&chat.UnreadError{Run: "run_1", Err: context.Canceled}); p.Status != statusClientClosed {
		t.Errorf("%+v", p)
	}
}

// TestTooManyRuns: who has too many runs is told so, and what to do, apart from a server that has too many of all.
func TestTooManyRuns(t *testing.T) {
	for part, err := range map[string]error{"access.limits.runs": fmt.Errorf("chat: %w: 3", runs.ErrCallerBusy), "of all callers": fmt.Errorf("chat: %w: 64", runs.ErrBusy)} {
		p := ProblemOf(err)
		if p.Status != 429 || p.Code != "busy" || !strings.Contains(p.Detail, part) || p.Hint == "" || retryAfter(*p) == "" {
			t.Errorf("%v: %+v", err, p)
		}
	}
}

// The status of a problem follows from its code.
func TestStatusOf(t *testing.T) {
	for code, want := range map[string]int{"idempotency_key_reused": 422, "bad_idempotency_key": 400} {
		if got := statusOf(&chat.Problem{Code: code}, nil); got != want {
			t.Errorf("%s: %d", code, got)
		}
	}
}
