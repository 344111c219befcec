package telemetry

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/propagation"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"
	"go.opentelemetry.io/otel/trace"
)

// scope is the name under which spans and figures are made.
const scope = "catena"

// Operations are requests, turns, calls of tools and of models as OpenTelemetry's conventions name them: a span of each where a
// collector is set, and histograms. Names and attributes are those of the semantic conventions 1.41.0 for HTTP, GenAI and MCP. No message,
// argument, result, or secret is in them. Methods are safe for concurrent use and never block.
type Operations struct {
	tracer trace.Tracer
	traced bool // spans go somewhere
	carry  propagation.TextMapPropagator

	server   metric.Float64Histogram // http.server.request.duration
	answered metric.Float64Histogram // mcp.server.operation.duration
	asked    metric.Float64Histogram // mcp.client.operation.duration
	model    metric.Float64Histogram // gen_ai.client.operation.duration
	tokens   metric.Int64Histogram   // gen_ai.client.token.usage

	models named // what endpoints call the models that answered
}

// bounds of histograms: seconds, and tokens as the convention for them says.
var (
	seconds = metric.WithExplicitBucketBoundaries(buckets...)
	counts  = metric.WithExplicitBucketBoundaries(1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864)
)

func newOperations(tracers trace.TracerProvider, traced bool, meters metric.MeterProvider) (*Operations, error) {
	o := &Operations{tracer: tracers.Tracer(scope), traced: traced, carry: propagation.TraceContext{}}
	m := meters.Meter(scope)
	var errs [5]error
	o.server, errs[0] = m.Float64Histogram("http.server.request.duration", metric.WithUnit("s"), metric.WithDescription("Duration of HTTP server requests."), seconds)
	o.answered, errs[1] = m.Float64Histogram("mcp.server.operation.duration", metric.WithUnit("s"), metric.WithDescription("Duration of MCP requests that were answered."), seconds)
	o.asked, errs[2] = m.Float64Histogram("mcp.client.operation.duration", metric.WithUnit("s"), metric.WithDescription("Duration of MCP requests to upstream servers."), seconds)
	o.model, errs[3] = m.Float64Histogram("gen_ai.client.operation.duration", metric.WithUnit("s"), metric.WithDescription("Duration of calls to language models."), seconds)
	o.tokens, errs[4] = m.Int64Histogram("gen_ai.client.token.usage", metric.WithUnit("{token}"), metric.WithDescription("Tokens sent to and received from language models."), counts)
	if err := errors.Join(errs[:]...); err != nil {
		return nil, fmt.Errorf("telemetry: %w", err)
	}
	return o, nil
}

// Request begins the span of an HTTP request, as part of the trace that its headers name. The function that it gives ends it: with the
// method and the pattern of its route ("none" where none fits), and the status.
func (o *Operations) Request(r *http.Request) (context.Context, func(method, route string, status int)) {
	start := time.Now()
	ctx := o.carry.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
	ctx, span := o.tracer.Start(ctx, "HTTP", trace.WithSpanKind(trace.SpanKindServer), trace.WithTimestamp(start))
	return ctx, func(method, route string, status int) {
		if method == "OTHER" {
			method = "_OTHER" // the convention's word
		}
		attrs := []attribute.KeyValue{semconv.HTTPRequestMethodKey.String(method), semconv.HTTPRoute(route), semconv.HTTPResponseStatusCode(status)}
		if status >= 500 {
			attrs = append(attrs, semconv.ErrorTypeKey.String(fmt.Sprint(status)))
			span.SetStatus(codes.Error, "")
		}
		span.SetName(method + " " + route)
		span.SetAttributes(attrs...)
		span.End()
		o.server.Record(ctx, time.Since(start).Seconds(), metric.WithAttributes(attrs...))
	}
}

// Turn begins the span of a turn. What ends it is told its outcome, who planned it, and what failed, "" for nothing.
func (o *Operations) Turn(ctx context.Context, session, run string) (context.Context, func(outcome, plannedBy, failed string)) {
	if !o.traced {
		return ctx, func(string, string, string) {}
	}
	ctx, span := o.tracer.Start(ctx, "invoke_workflow turn", trace.WithAttributes(
		semconv.GenAIOperationNameInvokeWorkflow, semconv.GenAIWorkflowName("turn"), semconv.GenAIConversationID(session), attribute.String("catena.run.id", run)))
	return ctx, func(outcome, plannedBy, failed string) {
		span.SetAttributes(attribute.String("catena.outcome", outcome), attribute.String("catena.planned_by", plannedBy))
		end(span, failed)
	}
}

// Tool begins the span of a call of a tool. What ends it is told a code of what failed, "" for nothing.
func (o *Operations) Tool(ctx context.Context, toolset, tool, run, step string) (context.Context, func(failed string)) {
	if !o.traced {
		return ctx, func(string) {}
	}
	ctx, span := o.tracer.Start(ctx, "execute_tool "+tool, trace.WithAttributes(
		semconv.GenAIOperationNameExecuteTool, semconv.GenAIToolName(tool), semconv.GenAIToolType("function"),
		attribute.String("catena.toolset", toolset), attribute.String("catena.run.id", run), attribute.String("catena.step.id", step)))
	return ctx, func(failed string) { end(span, failed) }
}

// Model begins the span of a call to a model. What ends it is told the model that answered, the tokens, and what failed.
func (o *Operations) Model(ctx context.Context, provider, model string) (context.Context, func(answered string, prompt, completion int, failed string)) {
	start := time.Now()
	attrs := []attribute.KeyValue{semconv.GenAIOperationNameChat, semconv.GenAIProviderNameKey.String(provider), semconv.GenAIRequestModel(model)}
	ctx, span := o.tracer.Start(ctx, "chat "+model, trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(attrs...))
	return ctx, func(answered string, prompt, completion int, failed string) {
		if answered != "" {
			attrs = append(attrs, semconv.GenAIResponseModel(o.models.label(answered)))
		}
		span.SetAttributes(semconv.GenAIUsageInputTokens(prompt), semconv.GenAIUsageOutputTokens(completion))
		if answered != "" {
			span.SetAttributes(semconv.GenAIResponseModel(answered))
		}
		end(span, failed)
		if failed == "" {
			o.tokens.Record(ctx, int64(prompt), metric.WithAttributes(append(attrs, semconv.GenAITokenTypeInput)...))
			o.tokens.Record(ctx, int64(completion), metric.WithAttributes(append(attrs, semconv.GenAITokenTypeOutput)...))
		} else {
			attrs = append(attrs, semconv.ErrorTypeKey.String(failed))
		}
		o.model.Record(ctx, time.Since(start).Seconds(), metric.WithAttributes(attrs...))
	}
}

// Message begins the span of an MCP request that this server answers, as part of the trace that its _meta names; meta gives the fields of
// that. target is a tool's or a prompt's name, "" for other methods.
func (o *Operations) Message(ctx context.Context, method, target string, meta func(string) string) (context.Context, func(failed string)) {
	if c := (fields{get: meta}); c.Get("traceparent") != "" {
		ctx = o.carry.Extract(ctx, c)
	}
	return o.message(ctx, o.answered, trace.SpanKindServer, method, target)
}

// Upstream begins the span of an MCP request to a server. set is given the fields of _meta that carry the trace.
func (o *Operations) Upstream(ctx context.Context, server, method, target string, set func(key, value string)) (context.Context, func(failed string)) {
	ctx, done := o.message(ctx, o.asked, trace.SpanKindClient, method, target, attribute.String("catena.server", server))
	o.carry.Inject(ctx, fields{set: set})
	return ctx, done
}

func (o *Operations) message(ctx context.Context, h metric.Float64Histogram, kind trace.SpanKind, method, target string, more ...attribute.KeyValue) (context.Context, func(failed string)) {
	start := time.Now()
	attrs := append([]attribute.KeyValue{semconv.McpMethodNameKey.String(method)}, more...)
	switch {
	case target == "":
	case strings.HasPrefix(method, "prompts/"):
		attrs = append(attrs, semconv.GenAIPromptName(target))
	default:
		attrs = append(attrs, semconv.GenAIToolName(target))
	}
	ctx, span := o.tracer.Start(ctx, strings.TrimSpace(method+" "+target), trace.WithSpanKind(kind), trace.WithAttributes(attrs...))
	return ctx, func(failed string) {
		end(span, failed)
		if failed != "" {
			attrs = append(attrs, semconv.ErrorTypeKey.String(failed))
		}
		h.Record(ctx, time.Since(start).Seconds(), metric.WithAttributes(attrs...))
	}
}

// Bounds of a label whose values another program makes up.
const (
	maxNames = 32
	maxName  = 100 // bytes
)

// named bounds such a label: the first values stand for themselves, all others are "other". The zero value has none.
type named struct {
	mu   sync.Mutex
	seen map[string]bool
}

func (n *named) label(value string) string {
	n.mu.Lock()
	defer n.mu.Unlock()
	switch {
	case n.seen[value]:
		return value
	case len(value) > maxName, len(n.seen) >= maxNames:
		return "other"
	case n.seen == nil:
		n.seen = map[string]bool{}
	}
	n.seen[value] = true
	return value
}

// end ends a span, as failed where failed says why.
func end(span trace.Span, failed string) {
	if failed != "" {
		span.SetAttributes(semconv.ErrorTypeKey.String(failed))
		span.SetStatus(codes.Error, "")
	}
	span.End()
}

// fields is _meta as a carrier of a trace (SEP-414).
type fields struct {
	get func(string) string
	set func(key, value string)
}

// Get implements propagation.TextMapCarrier.
func (f fields) Get(key string) string {
	if f.get == nil {
		return ""
	}
	return f.get(key)
}

// Set implements propagation.TextMapCarrier.
func (f fields) Set(key, value string) { f.set(key, value) }

// Keys implements propagation.TextMapCarrier; the trace context asks for its fields by name.
func (f fields) Keys() []string { return nil }
