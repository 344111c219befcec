package tools_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/internal/access"
	"catena/internal/cputime"
	"catena/planner/plan"
	"catena/tools"
)

func BenchmarkCall(b *testing.B) {
	r := registry(b, tools.Options{}, strict("top", topSchema, echo))
	args := map[string]any{"region": "USA", "limit": 5}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := r.Call(b.Context(), tools.Call{Caller: ann, Tool: "top", Args: args, Run: "r", Step: "s1"}); err != nil {
			b.Fatal(err)
		}
	}
}

func benchmarkPlan(b *testing.B, r *tools.Registry, p plan.Plan) {
	b.Helper()
	x := tools.NewExecutor(r, tools.ExecutorOptions{})
	b.ReportAllocs()
	start := cputime.Process()
	for b.Loop() {
		out, err := x.Run(b.Context(), tools.RunRequest{Caller: ann, Run: "r", Plan: p}, func(tools.StepEvent) {})
		if err != nil || len(out.Missing) > 0 {
			b.Fatal(err, out.Missing)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(p.Steps)), "us/step")
	b.ReportMetric(float64((cputime.Process()-start).Microseconds())/float64(b.N*len(p.Steps)), "cpu-us/step")
}

func BenchmarkChain3(b *testing.B) {
	benchmarkPlan(b, registry(b, tools.Options{}, peopleTool(b, 5), quick("echo", echo)), parse(b, `{"steps":[{"id":"s1","tool":"people","args":{}},
		{"id":"s2","tool":"echo","args":{"ids":{"$ref":"s1.rows[*].id"}}},{"id":"s3","tool":"echo","args":{"x":{"$ref":"s2.ids"}}}]}`))
}

// What a step costs beside its tool, with permission, validation and a journal in memory: one after the other and side by side. The
// cost of a step must not grow with the plan.
func BenchmarkSteps(b *testing.B) {
	const schema = `{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"],"additionalProperties":false}`
	for _, n := range []int{8, 64, 512} {
		chain, wide := plan.Plan{}, plan.Plan{}
		for i := range n {
			s := plan.Step{ID: fmt.Sprintf("s%d", i), Tool: "echo", Args: map[string]any{"n": i}}
			wide.Steps = append(wide.Steps, s)
			if i > 0 {
				s.Args = map[string]any{"n": plan.Ref{Step: fmt.Sprintf("s%d", i-1), Path: []plan.Seg{{Field: "n"}}}}
			}
			chain.Steps = append(chain.Steps, s)
		}
		policy := access.Policy(access.AllowAll{})
		r := registry(b, tools.Options{Policy: policy, Journal: quietJournal{}}, strict("echo", schema, echo))
		b.Run(fmt.Sprint("chain", n), func(b *testing.B) { benchmarkPlan(b, r, chain) })
		b.Run(fmt.Sprint("wide", n), func(b *testing.B) { benchmarkPlan(b, r, wide) })
	}
}

// quietJournal takes everything and keeps nothing.
type quietJournal struct{}

func (quietJournal) Begin(context.Context, string, string, string, string, bool) error { return nil }

func (quietJournal) Calls(context.Context, string, func(step, tool, argsHash, status string, attempts int, result []byte) error) error {
	return nil
}

func (quietJournal) End(context.Context, string, string, string, time.Duration, []byte) error {
	return nil
}

// A report of progress that is held back, which is what most are.
func BenchmarkProgress(b *testing.B) {
	b.ReportAllocs()
	heard := 0
	r := registry(b, tools.Options{}, quick("count", func(_ context.Context, call tools.Call) (tools.Result, error) {
		for i := range b.N {
			call.Progress(tools.Progress{Done: float64(i), Total: float64(b.N)})
		}
		return tools.Result{Text: "counted"}, nil
	}))
	if _, err := r.Call(b.Context(), tools.Call{Caller: ann, Tool: "count", Progress: func(tools.Progress) { heard++ }}); err != nil {
		b.Fatal(err)
	}
}

// A resource by the last of ten templates.
func BenchmarkReadTemplate(b *testing.B) {
	r := registry(b, tools.Options{})
	for i := range 10 {
		t := mcp.NewResourceTemplate(fmt.Sprintf("kit://list%d/{id}/{part}", i), fmt.Sprint("list", i))
		err := r.RegisterResources(tools.Resource{Toolset: "kit", Template: &t, Read: func(context.Context, tools.ResourceCall) ([]mcp.ResourceContents, error) { return nil, nil }})
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := r.ReadResource(b.Context(), ann, "kit://list9/a/b"); err != nil {
			b.Fatal(err)
		}
	}
}
