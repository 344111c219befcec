package telemetry

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"
)

// CollectorOptions say where spans and figures go. The zero value goes nowhere.
type CollectorOptions struct {
	Endpoint      string  // address of an OpenTelemetry collector (OTLP over HTTP), as in http://127.0.0.1:4318; "" is none
	Authorization string  // the header of that name; "" is none
	Sample        float64 // share of traces that are kept, 0 to 1; a trace that came with a request is kept as its sender says
	Version       string  // of the program
	Log           *slog.Logger
}

// Collector sends spans and figures to where an operator looks at them. A nil *Collector sends nothing.
type Collector struct {
	tracers *sdktrace.TracerProvider
	reader  *sdkmetric.PeriodicReader
	about   *resource.Resource
}

// exportTimeout bounds one sending; what a collector has not taken by then is dropped, as nothing may wait for it.
const exportTimeout = 10 * time.Second

// Connect makes a collector's client. It does not wait for the collector: one that is away is told to the log, once a minute. Without an
// endpoint it gives nil.
func Connect(ctx context.Context, opt CollectorOptions) (*Collector, error) {
	if opt.Endpoint == "" {
		return nil, nil
	}
	headers := map[string]string{}
	if opt.Authorization != "" {
		headers["Authorization"] = opt.Authorization
	}
	fail := func(err error) (*Collector, error) { return nil, fmt.Errorf("telemetry: the collector: %w", err) }
	about, err := resource.Merge(resource.Default(), resource.NewSchemaless(semconv.ServiceName("catena"), semconv.ServiceVersion(opt.Version)))
	if err != nil {
		return fail(err)
	}
	spans, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(opt.Endpoint+"/v1/traces"), otlptracehttp.WithHeaders(headers), otlptracehttp.WithTimeout(exportTimeout))
	if err != nil {
		return fail(err)
	}
	figures, err := otlpmetrichttp.New(ctx, otlpmetrichttp.WithEndpointURL(opt.Endpoint+"/v1/metrics"), otlpmetrichttp.WithHeaders(headers), otlpmetrichttp.WithTimeout(exportTimeout))
	if err != nil {
		return fail(errors.Join(err, spans.Shutdown(ctx)))
	}
	otel.SetErrorHandler(&rarely{log: opt.Log})
	return &Collector{
		about:   about,
		tracers: sdktrace.NewTracerProvider(sdktrace.WithBatcher(spans), sdktrace.WithResource(about), sdktrace.WithSampler(sdktrace.ParentBased(sdktrace.TraceIDRatioBased(opt.Sample)))),
		reader:  sdkmetric.NewPeriodicReader(figures, sdkmetric.WithTimeout(exportTimeout)),
	}, nil
}

// Close sends what has not been sent, as long as ctx lasts. The Metrics that were made with the collector send their own at their Close.
func (c *Collector) Close(ctx context.Context) error {
	if c == nil {
		return nil
	}
	return c.tracers.Shutdown(ctx)
}

// rarely tells of failed sendings once a minute.
type rarely struct {
	log  *slog.Logger
	mu   sync.Mutex
	last time.Time
}

// Handle implements otel.ErrorHandler.
func (r *rarely) Handle(err error) {
	r.mu.Lock()
	due := time.Since(r.last) >= time.Minute
	if due {
		r.last = time.Now()
	}
	r.mu.Unlock()
	if due {
		r.log.Warn("spans or figures could not be sent to the collector; see telemetry.otlp_endpoint", "error", err.Error())
	}
}
