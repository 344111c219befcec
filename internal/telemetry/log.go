// Package telemetry is logs, metrics and traces: a slog logger that adds request ids, Prometheus counters and histograms, and
// OpenTelemetry's spans, behind methods of plain types, so that no other package needs to know Prometheus or OpenTelemetry.
package telemetry

import (
	"context"
	"fmt"
	"io"
	"log/slog"
)

// Logger makes a logger that writes to w. level is debug, info, warn or error; format is text or json. Records that are logged
// with a context carry what requestID says of it as request_id; it says "" for a context outside of a request, and nil means that
// there are none.
func Logger(w io.Writer, level, format string, requestID func(context.Context) string) (*slog.Logger, error) {
	var l slog.Level
	if err := l.UnmarshalText([]byte(level)); err != nil {
		return nil, fmt.Errorf("telemetry: the log level %q is none of debug, info, warn, error", level)
	}
	options := &slog.HandlerOptions{Level: l}
	var handler slog.Handler
	switch format {
	case "text":
		handler = slog.NewTextHandler(w, options)
	case "json":
		handler = slog.NewJSONHandler(w, options)
	default:
		return nil, fmt.Errorf("telemetry: the log format %q is neither text nor json", format)
	}
	if requestID != nil {
		handler = withID{handler, requestID}
	}
	return slog.New(handler), nil
}

// withID adds the request's id to records.
type withID struct {
	slog.Handler
	of func(context.Context) string
}

// Handle implements slog.Handler.
func (h withID) Handle(ctx context.Context, r slog.Record) error {
	if id := h.of(ctx); id != "" {
		r.AddAttrs(slog.String("request_id", id))
	}
	return h.Handler.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (h withID) WithAttrs(attrs []slog.Attr) slog.Handler {
	return withID{h.Handler.WithAttrs(attrs), h.of}
}

// WithGroup implements slog.Handler.
func (h withID) WithGroup(name string) slog.Handler { return withID{h.Handler.WithGroup(name), h.of} }
