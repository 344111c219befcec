package app

import (
	"context"
	"errors"
	"net/http"
	"time"

	"catena/chat"
	"catena/internal/telemetry"
	"catena/planner"
	"catena/tools"
)

// collectorTime is how long the end of the program waits for the collector to take what has not been sent.
const collectorTime = 3 * time.Second

// addTelemetry makes the metrics, and connects to the collector where one is set.
func (o *observer) addTelemetry(ctx context.Context) error {
	c := o.Cfg.Telemetry
	to, err := telemetry.Connect(ctx, telemetry.CollectorOptions{
		Endpoint: c.OTLPEndpoint, Authorization: c.OTLPAuthorization.Reveal(), Sample: c.Sample,
		Version: BuildVersion(), Log: o.log,
	})
	if err != nil {
		return UsageError(err)
	}
	o.metrics, err = telemetry.NewMetrics(BuildVersion(), to)
	o.onClose(func() error {
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), collectorTime)
		defer cancel()
		if err := errors.Join(o.metrics.Close(end), to.Close(end)); err != nil {
			o.log.Warn("the last spans or figures could not be sent to the collector", "error", err)
		}
		return nil
	})
	return err
}

// requested is told of each HTTP request.
func (o *observer) requested(r *http.Request) (context.Context, func(method, route string, status int)) {
	ctx, end := o.metrics.Request(r)
	return ctx, func(method, route string, status int) {
		end(method, route, status)
		o.idle.request()
	}
}

// calling is told of each call of a tool.
func (o *observer) calling(
	ctx context.Context, call tools.Call, tool tools.Tool,
) (context.Context, func(tools.Result, error)) {
	ctx, end := o.metrics.Tool(ctx, tool.Toolset, tool.Def.Name, call.Run, call.Step)
	return ctx, func(res tools.Result, err error) {
		if result := callResult(res, err); result != "ok" {
			end(result)
			return
		}
		end("")
	}
}

// turning is told of each turn.
func (p *App) turning(ctx context.Context, session, run string) (context.Context, func(chat.Response)) {
	ctx, end := p.metrics.Turn(ctx, session, run)
	return ctx, func(r chat.Response) {
		failed := ""
		if r.Outcome == "error" || r.Outcome == "cancelled" {
			failed = r.Outcome
		}
		end(r.Outcome, r.PlannedBy, failed)
		p.metrics.Answered(r.Outcome, r.PlannedBy, time.Duration(r.ProcessingTimeMS*float64(time.Millisecond)))
		p.Registry.Updated("", "run://"+r.RunID) // nobody but its owner can have subscribed
	}
}

// tracedModel is a model whose calls are counted and traced.
type tracedModel struct {
	planner.Completer
	metrics         *telemetry.Metrics
	provider, model string
}

// Complete implements planner.Completer.
func (t tracedModel) Complete(ctx context.Context, prompt planner.Prompt) (planner.Completion, error) {
	ctx, end := t.metrics.Model(ctx, t.provider, t.model)
	c, err := t.Completer.Complete(ctx, prompt)
	failed := ""
	var refused *planner.CompletionError
	switch {
	case errors.Is(err, context.Canceled):
		failed = "cancelled"
	case errors.As(err, &refused) && refused.Status != 0:
		failed = http.StatusText(refused.Status)
	case err != nil:
		failed = "error"
	}
	end(c.Model, c.Usage.PromptTokens, c.Usage.CompletionTokens, failed)
	return c, err
}
