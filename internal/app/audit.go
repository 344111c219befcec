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

// addAudit makes the record of calls, where the settings want one.
func (p *App) addAudit() (err error) {
	if p.Cfg.Audit.To == "off" {
		return nil
	}
	path := p.Cfg.Audit.To
	if path == "log" {
		path = ""
	}
	if p.audit, err = telemetry.NewAudit(path, p.log, server.RequestID); err != nil {
		return UsageError(err)
	}
	p.onClose(p.audit.Close)
	return nil
}

// called records a call that was allowed.
func (p *App) called(ctx context.Context, call tools.Call, tool tools.Tool, res tools.Result, err error, took time.Duration) {
	p.metrics.Call(tool.Toolset, tool.Def.Name, callResult(res, err), took)
	if p.audit == nil {
		return
	}
	p.audit.Record(ctx, "call", append(p.who(call.Caller, call), slog.Bool("allowed", true), slog.String("toolset", tool.Toolset),
		slog.String("result", callResult(res, err)), slog.Float64("took_ms", float64(took.Microseconds())/1000))...)
}

// denied records a call that the policy refused.
func (p *App) denied(ctx context.Context, call tools.Call, err error) {
	p.metrics.Denied(call.Tool)
	if p.audit == nil {
		return
	}
	reason := "the policy refused it"
	if errors.Is(err, access.ErrForbidden) {
		reason = err.Error()
	}
	p.audit.Record(ctx, "call", append(p.who(call.Caller, call), slog.Bool("allowed", false), slog.String("reason", reason))...)
}

// refused records requests whose key or token was no good.
func (p *App) refused(ctx context.Context, remote, reason string, times int) {
	if p.audit != nil {
		p.audit.Record(ctx, "refused", slog.Bool("allowed", false), slog.String("address", remote), slog.String("reason", reason), slog.Int("times", times))
	}
}

// who says who called what, and with which arguments as far as the settings show them.
func (p *App) who(c access.Caller, call tools.Call) []slog.Attr {
	out := []slog.Attr{slog.String("caller", c.ID), slog.String("via", c.Via), slog.String("tool", call.Tool)}
	for _, x := range [][2]string{{"tenant", c.Tenant}, {"key", c.Key}, {"session", call.Session}, {"run", call.Run}, {"step", call.Step}} {
		if x[1] != "" {
			out = append(out, slog.String(x[0], x[1]))
		}
	}
	return append(out, p.arguments(call.Args))
}

// maxAudited bounds the arguments of one entry, in bytes of JSON: tables may be among them.
const maxAudited = 64 << 10

// arguments shows a call's arguments: in full, without their values, or as the hash that the journal has of them.
func (p *App) arguments(args map[string]any) slog.Attr {
	switch p.Cfg.Audit.Arguments {
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
