package tools_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"catena/planner/plan"
	"catena/tools"
)

// waiting makes a tool that takes ms milliseconds.
func waiting(order *[]string) tools.Tool {
	var mu sync.Mutex
	return quick("wait", func(_ context.Context, c tools.Call) (tools.Result, error) {
		mu.Lock()
		*order = append(*order, c.Step)
		mu.Unlock()
		time.Sleep(time.Duration(c.Int("ms", 0)) * time.Millisecond)
		return tools.Result{Text: "ok"}, nil
	})
}

// With measured latencies the steps that the rest waits for longest go first, so that one at a time is no slower and two at a time
// end with the longest chain.
func TestLongestWayFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var order []string
		r := registry(t, tools.Options{}, waiting(&order))
		for i := range 20 { // what it learns from
			if _, err := r.Call(t.Context(), tools.Call{Caller: ann, Tool: "wait", Args: map[string]any{"ms": 10 * (1 + i%5)}}); err != nil {
				t.Fatal(err)
			}
		}
		if got, ok := r.Estimate("wait", map[string]any{"ms": json.Number("400")}); !ok || math.Abs(float64(got-400*time.Millisecond)) > float64(time.Millisecond) {
			t.Errorf("estimate for 400 ms: %v, %v", got, ok)
		}
		order = nil
		p := parse(t, `{"steps":[{"id":"a","tool":"wait","args":{"ms":10}},{"id":"b","tool":"wait","args":{"ms":20}},{"id":"c","tool":"wait","args":{"ms":50}},
			{"id":"d","tool":"wait","args":{"ms":5}},{"id":"e","tool":"wait","args":{"ms":100,"x":{"$ref":"d"}}}]}`)
		start := time.Now()
		out, err := tools.NewExecutor(r, tools.ExecutorOptions{Parallel: 2}).Run(t.Context(), tools.RunRequest{Caller: ann, Run: "r", Plan: p}, nil)
		if err != nil || len(out.Missing) > 0 {
			t.Fatal(err, out.Missing)
		}
		if took := time.Since(start); took != 105*time.Millisecond {
			t.Errorf("it took %v; the longest way is 105 ms", took)
		}
	})
}

// Where nothing is known the steps with most steps behind them go first, and equals in the order of the plan.
func TestMostStepsFirst(t *testing.T) {
	var order []string
	r := registry(t, tools.Options{}, waiting(&order))
	p := parse(t, `{"steps":[{"id":"a","tool":"wait","args":{}},{"id":"b","tool":"wait","args":{}},{"id":"c","tool":"wait","args":{}},
		{"id":"d","tool":"wait","args":{"x":{"$ref":"c"}}}]}`)
	if _, err := tools.NewExecutor(r, tools.ExecutorOptions{Parallel: 1}).Run(t.Context(), tools.RunRequest{Caller: ann, Run: "r", Plan: p}, nil); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"c", "a", "b", "d"}, order); d != "" {
		t.Error(d)
	}
	if _, ok := r.Estimate("nothing", nil); ok {
		t.Error("an estimate for a tool that was never called")
	}
}

// A tool's own bound holds over all runs, and steps of other tools do not wait behind it.
func TestLimitOfATool(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var now, most atomic.Int32
		narrow := quick("narrow", func(context.Context, tools.Call) (tools.Result, error) {
			n := now.Add(1)
			for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
			}
			time.Sleep(10 * time.Millisecond)
			now.Add(-1)
			return tools.Result{Text: "ok"}, nil
		})
		narrow.Limit = tools.NewLimit(2)
		var order []string
		r := registry(t, tools.Options{}, narrow, waiting(&order))
		p := plan.Plan{Steps: []plan.Step{}}
		for i := range 6 {
			p.Steps = append(p.Steps, plan.Step{ID: fmt.Sprint("n", i), Tool: "narrow"})
		}
		p.Steps = append(p.Steps, plan.Step{ID: "w", Tool: "wait", Args: map[string]any{"ms": 5}})
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				start := time.Now()
				if _, err := tools.NewExecutor(r, tools.ExecutorOptions{Parallel: 3}).Run(t.Context(), tools.RunRequest{Caller: ann, Run: "r", Plan: p}, nil); err != nil {
					t.Error(err)
				}
				if took := time.Since(start); took > 60*time.Millisecond {
					t.Errorf("a run took %v", took)
				}
			})
		}
		wg.Wait()
		if most.Load() != 2 || len(order) != 2 {
			t.Errorf("%d at a time, the other tool ran %d times", most.Load(), len(order))
		}
	})
}
