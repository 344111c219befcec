package server_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"catena/internal/access"
	"catena/internal/store"
	"catena/internal/store/sqlite"
	"catena/server"
	"catena/server/mcp"
	"catena/server/servertest"
)

// A call whose process died is one that may have taken effect: who sends it again is told so, and nothing is called.
func TestKeyedCallOfDeadProcess(t *testing.T) {
	kept, err := sqlite.Open(t.Context(), ":memory:", store.Options{SweepEvery: -1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := kept.Close(); err != nil {
			t.Error(err)
		}
	})
	s, h, _ := newTest(t, func(o *server.Options) { o.Replies = kept })
	r := httptest.NewRequest(http.MethodPost, "/api/v1/tools/count", strings.NewReader(`{}`))
	r.Header.Set("Content-Type", "application/json")
	run, err := s.BeginKeyed(r.WithContext(t.Context()), access.Local("http"), "k")
	if err != nil {
		t.Fatal(err)
	}
	if goesOn, err := mcp.NewTasks(kept, true, slog.New(slog.DiscardHandler)).TakeOver(t.Context(), run); goesOn || err != nil {
		t.Fatal(goesOn, err)
	}
	if status, _, body := servertest.Ask(t, "POST", h.URL+"/api/v1/tools/count", `{}`, "Idempotency-Key", "k"); status != 409 || !strings.Contains(body, "outcome_unknown") {
		t.Errorf("%d %s", status, body)
	}
}
