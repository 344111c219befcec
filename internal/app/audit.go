package app

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"time"

	"catena/internal/access"
	"catena/internal/telemetry"
	"catena/server"
	"catena/tools"
)

// observer counts, traces and records what happens.
type observer struct {
	*base
	metrics *telemetry.Metrics
	audit   *telemetry.Audit // nil where none is wanted
	idle    idleRelease
}

// addAudit makes the record of calls, where the settings want one.
func (o *observer) addAudit(context.Context) (err error) {
	if o.Cfg.Audit.To == "off" {
		return nil
	}
	path := o.Cfg.Audit.To
	if path == "log" {
		path = ""
	}
	if o.audit, err = telemetry.NewAudit(path, o.log, server.RequestID); err != nil {
		return UsageError(err)
	}
	o.onClose(o.audit.Close)
	return nil
}

// called records a call that was allowed.
func (o *observer) called(
	ctx context.Context, call tools.Call, tool tools.Tool, res tools.Result, err error, took time.Duration,
) {
	o.metrics.Call(tool.Toolset, tool.Def.Name, callResult(res, err), took)
	if o.audit == nil {
		return
	}
	o.audit.Record(ctx, "call", append(o.who(call.Caller, call), slog.Bool("allowed", true),
		slog.String("toolset", tool.Toolset),
		slog.String("result", callResult(res, err)), slog.Float64("took_ms", float64(took.Microseconds())/1000))...)
}

// callResult is the metrics' label of how a call ended.
func callResult(res tools.Result, err error) string {
	switch {
	case err != nil:
		return "error"
	case res.IsError:
		return res.Code
	}
	return "ok"
}

// denied records a call that the policy refused.
func (o *observer) denied(ctx context.Context, call tools.Call, err error) {
	o.metrics.Denied(call.Tool)
	if o.audit == nil {
		return
	}
	reason := "the policy refused it"
	if errors.Is(err, access.ErrForbidden) {
		reason = err.Error()
	}
	o.audit.Record(ctx, "call", append(o.who(call.Caller, call), slog.Bool("allowed", false),
		slog.String("reason", reason))...)
}

// refused records requests whose key or token was no good.
func (o *observer) refused(ctx context.Context, remote, reason string, times int) {
	if o.audit != nil {
		o.audit.Record(ctx, "refused", slog.Bool("allowed", false), slog.String("address", remote),
			slog.String("reason", reason), slog.Int("times", times))
	}
}

// who says who called what, and with which arguments as far as the settings show them.
func (o *observer) who(c access.Caller, call tools.Call) []slog.Attr {
	out := []slog.Attr{slog.String("caller", c.ID), slog.String("via", c.Via), slog.String("tool", call.Tool)}
	for _, x := range [][2]string{{"tenant", c.Tenant}, {"key", c.Key}, {"session", call.Session}, {"run", call.Run}, {"step", call.Step}} {
		if x[1] != "" {
			out = append(out, slog.String(x[0], x[1]))
		}
	}
	return append(out, o.arguments(call.Args))
}

// maxAudited bounds the arguments of one entry, in bytes of JSON: tables may be among them.
const maxAudited = 64 << 10

// arguments shows a call's arguments: in full, without their values, or as the hash that the journal has of them.
func (o *observer) arguments(args map[string]any) slog.Attr {
	switch o.Cfg.Audit.Arguments {
	case "full":
		if text, err := json.Marshal(args); err == nil && len(text) <= maxAudited {
			return slog.Any("arguments", json.RawMessage(text))
		}
		return slog.Any("arguments", redacted(args)) // too long, or no JSON
	case "redacted":
		return slog.Any("arguments", redacted(args))
	}
	hash, err := tools.ArgsHash(args)
	if err != nil {
		hash = "none"
	}
	return slog.String("args_hash", hash)
}

// redacted names the arguments and the kinds of their values.
func redacted(args map[string]any) map[string]string {
	out := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(args)) {
		switch args[name].(type) {
		case nil:
			out[name] = "null"
		case bool:
			out[name] = "boolean"
		case string:
			out[name] = "text"
		case json.Number, float64, int, int64:
			out[name] = "number"
		case []any:
			out[name] = "list"
		case map[string]any:
			out[name] = "object"
		default:
			out[name] = "value"
		}
	}
	return out
}
