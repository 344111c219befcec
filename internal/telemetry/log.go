// Package telemetry is logs and metrics: a slog logger that knows request ids, and Prometheus counters and histograms behind
// methods of plain types, so that no other package needs to know Prometheus.
package telemetry

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"log/slog"
)

// Logger makes a logger that writes to w. level is debug, info, warn or error; format is text or json. Records that are logged
// with a context carry its request id as request_id.
func Logger(w io.Writer, level, format string) (*slog.Logger, error) {
	var l slog.Level
	if err := l.UnmarshalText([]byte(level)); err != nil {
		return nil, fmt.Errorf("telemetry: the log level %q is none of debug, info, warn, error", level)
	}
	options := &slog.HandlerOptions{Level: l}
	switch format {
	case "text":
		return slog.New(withID{slog.NewTextHandler(w, options)}), nil
	case "json":
		return slog.New(withID{slog.NewJSONHandler(w, options)}), nil
	}
	return nil, fmt.Errorf("telemetry: the log format %q is neither text nor json", format)
}

// maxID bounds a request id that a client sends, in bytes.
const maxID = 128

type idKey struct{}

// WithRequestID returns a context that carries a request's id and the id itself: the client's, when it is 1 to 128 characters
// of printable ASCII without blanks, else a new one of 130 random bits.
func WithRequestID(ctx context.Context, fromClient string) (context.Context, string) {
	id := fromClient
	if !plain(id) {
		id = rand.Text()
	}
	return context.WithValue(ctx, idKey{}, id), id
}

// RequestID returns the request's id, "" outside of a request.
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(idKey{}).(string)
	return id
}

// plain keeps line breaks and the like out of logs and headers.
func plain(id string) bool {
	for i := range len(id) {
		if id[i] <= ' ' || id[i] > '~' {
			return false
		}
	}
	return id != "" && len(id) <= maxID
}

// withID adds the request's id to records.
type withID struct{ slog.Handler }

// Handle implements slog.Handler.
func (h withID) Handle(ctx context.Context, r slog.Record) error {
	if id := RequestID(ctx); id != "" {
		r.AddAttrs(slog.String("request_id", id))
	}
	return h.Handler.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (h withID) WithAttrs(attrs []slog.Attr) slog.Handler { return withID{h.Handler.WithAttrs(attrs)} }

// WithGroup implements slog.Handler.
func (h withID) WithGroup(name string) slog.Handler { return withID{h.Handler.WithGroup(name)} }
