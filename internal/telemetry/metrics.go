package telemetry

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
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
	requests *prometheus.HistogramVec
	tokens   *prometheus.CounterVec
	llmCalls prometheus.Counter
	running  prometheus.Gauge
}

// NewMetrics makes an empty set with its own registry, which also has the Go runtime's and the process's figures. version
// labels catena_build_info.
func NewMetrics(version string) *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		turns:    histogram("catena_turn_seconds", "Time of a turn, from message to answer.", "outcome", "planned_by"),
		steps:    histogram("catena_step_seconds", "Time of a step of a plan.", "tool", "status"),
		calls:    histogram("catena_tool_call_seconds", "Time of a tool call, from plans and from MCP clients.", "toolset", "tool", "result"),
		denied:   counter("catena_tool_denied_total", "Tool calls that a policy refused.", "tool"),
		requests: histogram("catena_http_request_seconds", "Time of an HTTP request; streams count until they end.", "method", "route", "status"),
		tokens:   counter("catena_llm_tokens_total", "Tokens sent to and received from the model.", "kind"),
		llmCalls: prometheus.NewCounter(prometheus.CounterOpts{Name: "catena_llm_calls_total", Help: "Calls to the model."}),
		running:  prometheus.NewGauge(prometheus.GaugeOpts{Name: "catena_runs_running", Help: "Runs under way."}),
	}
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "catena_build_info", Help: "Always 1; the version is its label.", ConstLabels: prometheus.Labels{"version": version},
	})
	build.Set(1)
	m.registry.MustRegister(m.turns, m.steps, m.calls, m.denied, m.requests, m.tokens, m.llmCalls, m.running, build,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

func histogram(name, help string, labels ...string) *prometheus.HistogramVec {
	return prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets}, labels)
}

func counter(name, help string, labels ...string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
}

// Turn records a finished turn: its outcome (answer, clarify ...), who planned it, and the model's use.
func (m *Metrics) Turn(outcome, plannedBy string, llmCalls, promptTokens, completionTokens int, took time.Duration) {
	m.turns.WithLabelValues(outcome, plannedBy).Observe(took.Seconds())
	m.llmCalls.Add(float64(llmCalls))
	m.tokens.WithLabelValues("prompt").Add(float64(promptTokens))
	m.tokens.WithLabelValues("completion").Add(float64(completionTokens))
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

// Request records an HTTP request: route is the pattern, never the path.
func (m *Metrics) Request(method, route string, status int, took time.Duration) {
	m.requests.WithLabelValues(method, route, strconv.Itoa(status)).Observe(took.Seconds())
}

// Running adds to the runs under way: 1 at a start, -1 at an end.
func (m *Metrics) Running(delta int) { m.running.Add(float64(delta)) }

// Handler serves the figures in Prometheus's text format.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4, Timeout: 10 * time.Second})
}
