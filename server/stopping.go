package server

import (
	"context"
	"errors"
	"net/http"
)

// errStopping is the cause by which the contexts of requests end when the server stops.
var errStopping = errors.New("server: it stops")

// stopping reports whether a request's context ended because the server stops, not because its client went away.
func stopping(ctx context.Context) bool { return errors.Is(context.Cause(ctx), errStopping) }

// retryAfter is after how many seconds a request that was refused may do better, "" where waiting is no help.
func retryAfter(p Problem) string {
	switch {
	case p.Status == http.StatusTooManyRequests || p.Code == "busy":
		return "1"
	case p.Status == http.StatusServiceUnavailable:
		return "5"
	}
	return ""
}

// closing is the problem of a request that the end of the process cuts off: run is the one that it waits for and that
// goes on, "" where there is none.
func closing(run string) *Problem {
	if run == "" {
		return NewProblem(http.StatusServiceUnavailable, "closing", "The server is about to end.",
			"Try again when it is back.")
	}
	p := NewProblem(http.StatusServiceUnavailable, "closing",
		"The server stops before the answer is there. The message is kept: its run goes on when the server is back, "+
			"or at another replica.",
		"Do not send it again but with its Idempotency-Key, if it had one: GET /api/v1/runs/"+run+
			" has the answer then, and /api/v1/runs/"+run+"/events what happens till then.")
	p.RunID = run
	return p
}
