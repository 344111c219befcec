package telemetry

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	otelprometheus "go.opentelemetry.io/otel/exporters/prometheus"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
)

// buckets are histogram bounds in seconds: from a turn's own time to a slow model.
var buckets = []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60}

// Metrics counts and times what the program does. Its methods are the hooks that main hangs into the rooms; they are safe for
// concurrent use and never block. Labels take few values each: names of tools, routes and outcomes, nothing of a request's.
type Metrics struct {
	registry *prometheus.Registry
	turns    *prometheus.HistogramVec
	steps    *prometheus.HistogramVec
	calls    *prometheus.HistogramVec
	denied   *prometheus.CounterVec
	running  prometheus.Gauge
	poisoned prometheus.Counter
	meters   *sdkmetric.MeterProvider

	// Operations are spans, and histograms under the conventions' names.
	*Operations
}

// NewMetrics makes an empty set with its own registry, which also has the Go runtime's and the process's figures. version
// labels catena_build_info. What the conventions name goes to the collector, too; nil is none.
func NewMetrics(version string, to *Collector) (*Metrics, error) {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		turns:    histogram("catena_turn_seconds", "Time of a turn, from message to answer.", "outcome", "planned_by"),
		steps:    histogram("catena_step_seconds", "Time of a step of a plan.", "tool", "status"),
		calls:    histogram("catena_tool_call_seconds", "Time of a tool call, from plans and from MCP clients.", "toolset", "tool", "result"),
		denied:   counter("catena_tool_denied_total", "Tool calls that a policy refused.", "tool"),
		running:  prometheus.NewGauge(prometheus.GaugeOpts{Name: "catena_runs_running", Help: "Runs under way."}),
		poisoned: prometheus.NewCounter(prometheus.CounterOpts{Name: "catena_runs_poisoned_total", Help: "Runs that were set aside, because two processes ended in the same step of them."}),
	}
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "catena_build_info", Help: "Always 1; the version is its label.", ConstLabels: prometheus.Labels{"version": version},
	})
	build.Set(1)
	m.registry.MustRegister(m.turns, m.steps, m.calls, m.denied, m.running, m.poisoned, build,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m, m.addOperations(to)
}

// addOperations makes what the conventions name, for Prometheus and for the collector.
func (m *Metrics) addOperations(to *Collector) error {
	pulled, err := otelprometheus.New(otelprometheus.WithRegisterer(m.registry), otelprometheus.WithoutScopeInfo(), otelprometheus.WithoutTargetInfo())
	if err != nil {
		return fmt.Errorf("telemetry: %w", err)
	}
	var tracers trace.TracerProvider = noop.NewTracerProvider()
	opts := []sdkmetric.Option{sdkmetric.WithReader(pulled)}
	if to != nil {
		tracers = to.tracers
		opts = append(opts, sdkmetric.WithReader(to.reader), sdkmetric.WithResource(to.about))
	}
	m.meters = sdkmetric.NewMeterProvider(opts...)
	m.Operations, err = newOperations(tracers, to != nil, m.meters)
	return err
}

// Close sends the last figures to the collector, as long as ctx lasts.
func (m *Metrics) Close(ctx context.Context) error { return m.meters.Shutdown(ctx) }

func histogram(name, help string, labels ...string) *prometheus.HistogramVec {
	return prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets}, labels)
}

func counter(name, help string, labels ...string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
}

// Answered records a finished turn: its outcome (answer, clarify ...) and who planned it.
func (m *Metrics) Answered(outcome, plannedBy string, took time.Duration) {
	m.turns.WithLabelValues(outcome, plannedBy).Observe(took.Seconds())
}

// Step records a finished step: status is a tools.StepStatus.
func (m *Metrics) Step(tool, status string, took time.Duration) {
	m.steps.WithLabelValues(tool, status).Observe(took.Seconds())
}

// Call records a tool call: result is ok, a stable error code, or error.
func (m *Metrics) Call(toolset, tool, result string, took time.Duration) {
	m.calls.WithLabelValues(toolset, tool, result).Observe(took.Seconds())
}

// Denied records a call that a policy refused. tool must be a known tool's name.
func (m *Metrics) Denied(tool string) { m.denied.WithLabelValues(tool).Inc() }

// Running adds to the runs under way: 1 at a start, -1 at an end.
func (m *Metrics) Running(delta int) { m.running.Add(float64(delta)) }

// Poisoned counts a run that was set aside.
func (m *Metrics) Poisoned() { m.poisoned.Inc() }

// Handler serves the figures in Prometheus's text format.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4, Timeout: 10 * time.Second})
}
