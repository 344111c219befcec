package server

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"

	"catena/server/servertest"
)

// A client's id is taken when it is fit for headers and logs, and the log's handler finds it in the context.
func TestRequestID(t *testing.T) {
	var log bytes.Buffer
	_, h, _ := newTest(t, func(o *Options) { o.Logger = slog.New(adder{slog.NewTextHandler(&log, nil)}) })
	for id, taken := range map[string]bool{"abc-1": true, strings.Repeat("x", 128): true, "": false, strings.Repeat("x", 129): false, "a b": false, "ä": false} {
		_, header, body := servertest.Ask(t, "GET", h.URL+"/nothing", "", "X-Request-Id", id)
		got := header.Get("X-Request-Id")
		if (got == id) != taken || got == "" || !strings.Contains(body, `"request_id":"`+got+`"`) {
			t.Errorf("%q gave %q: %s", id, got, body)
		}
	}
	servertest.Ask(t, "POST", h.URL+"/api/v1/tools/secretive", "{}", "X-Request-Id", "findme")
	h.Close()
	if !strings.Contains(log.String(), `msg="a request failed" route=/api/v1/tools/:name error="secretive: password is hunter2" id=findme`) {
		t.Error(log.String())
	}
	if id := RequestID(t.Context()); id != "" {
		t.Errorf("outside of a request: %q", id)
	}
	if plainID("a\nb") || plainID("\x7f") {
		t.Error("control characters pass")
	}
}

// adder is a log handler that adds the request's id.
type adder struct{ slog.Handler }

func (a adder) Handle(ctx context.Context, r slog.Record) error {
	r.AddAttrs(slog.String("id", RequestID(ctx)))
	return a.Handler.Handle(ctx, r)
}
