package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math"
	"os"
	"time"

	"catena/bench/sets"
	"catena/planner/plan"
	"catena/tools"
	"catena/tools/upstream"
)

// shortPath is the length of a critical path, in ms, below which the excess is counted in ms instead of as a ratio.
const shortPath = 50

// dagServer is the name of the server in the registry.
const dagServer = "dag"

// dagStand connects a registry to an MCP server in a process of its own. journal may be nil.
func dagStand(ctx context.Context, env map[string]string, opt tools.ExecutorOptions, journal tools.Journal) (stand, func(), error) {
	reg := tools.NewRegistry(tools.Options{Journal: journal, Log: slog.New(slog.DiscardHandler)})
	self, err := os.Executable()
	if err != nil {
		return stand{}, nil, err
	}
	servers, err := upstream.New(reg, upstream.Options{Log: slog.New(slog.DiscardHandler)}, upstream.Config{Name: dagServer, Command: self, Env: env, Timeout: callTimeout})
	if err != nil {
		return stand{}, nil, err
	}
	servers.Start(ctx)
	closeAll := func() { _ = servers.Close() }
	if err := servers.Wait(ctx); err != nil {
		closeAll()
		return stand{}, nil, err
	}
	if why := reg.Down()[dagServer]; why != "" {
		closeAll()
		return stand{}, nil, fmt.Errorf("the server is down: %s", why)
	}
	return stand{reg, tools.NewExecutor(reg, opt)}, closeAll, nil
}

// exported is the name of a server's tool in the registry.
func exported(tool string) string { return dagServer + "__" + tool }

// dags measures how long plans take whose steps wait a given time, with every ready step at once and with eight at a time. The
// least of some runs counts: the machine may have other work.
func dags(ctx context.Context, o *sets.Options, f *figures) error {
	rows, err := sets.Lines[row](o.Path("nestful", "SPLIT", "scheduler_dags.jsonl"), o.Limit)
	if err != nil {
		return err
	}
	free, bareFree, err := timed(ctx, o, rows, 1<<16, func(r row) float64 { return r.PathMS })
	if err != nil {
		return err
	}
	eight, bareEight, err := timed(ctx, o, rows, 8, func(r row) float64 { return r.Bound8MS })
	if err != nil {
		return err
	}
	ours, bare := spansOf(rows, free, eight), spansOf(rows, bareFree, bareEight)
	f.MakespanRatio, f.MakespanShort, f.Bound8Ratio = ours.ratio(), ours.short.get(), ours.bound8()
	fmt.Printf("makespan       %.3f of the critical path (%d DAGs of %d ms and more); %+.2f ms below (%d DAGs, mean)\n", f.MakespanRatio, ours.long.n, shortPath, f.MakespanShort, ours.short.n)
	fmt.Printf("eight at once  %.3f of the lower bound (%d DAGs)\n", f.Bound8Ratio, ours.bound.n)
	fmt.Printf("without Catena, by mcp-go's client in the same run: %.3f; %+.2f ms; eight at once %.3f\n", bare.ratio(), bare.short.get(), bare.bound8())
	return nil
}

// spans are how much longer DAGs take than they must.
type spans struct{ long, short, bound mean }

func spansOf(rows []row, free, eight []float64) spans {
	var s spans
	for i, r := range rows {
		if r.PathMS >= shortPath {
			s.long.add(math.Log(free[i] / r.PathMS))
		} else {
			s.short.add(free[i] - r.PathMS)
		}
		s.bound.add(math.Log(eight[i] / r.Bound8MS))
	}
	return s
}

func (s spans) ratio() float64  { return math.Exp(s.long.get()) }
func (s spans) bound8() float64 { return math.Exp(s.bound.get()) }

// mean is a mean that grows.
type mean struct {
	sum float64
	n   int
}

func (m *mean) add(v float64) { m.sum, m.n = m.sum+v, m.n+1 }

func (m *mean) get() float64 {
	if m.n == 0 {
		return 0
	}
	return m.sum / float64(m.n)
}

// timed runs each DAG with a bound on what is under way, and gives the milliseconds of its fastest run; bare is the same without
// Catena, each run beside one of ours.
func timed(ctx context.Context, o *sets.Options, rows []row, parallel int, bound func(row) float64) (best, bare []float64, err error) {
	s, end, err := dagStand(ctx, map[string]string{serverEnv: *serverKind}, tools.ExecutorOptions{Parallel: parallel}, nil)
	if err != nil {
		return nil, nil, err
	}
	defer end()
	c, err := newControl(ctx, parallel)
	if err != nil {
		return nil, nil, fmt.Errorf("the client without Catena: %w", err)
	}
	defer func() { _ = c.client.Close() }() // its server ends with its input
	best, bare = make([]float64, len(rows)), make([]float64, len(rows))
	for round := range *repeat {
		for i, r := range rows {
			p, err := readPlan(r, s.reg.Planning(caller), exported)
			if err != nil {
				return nil, nil, fmt.Errorf("%s: %w", r.ID, err)
			}
			took, err := timeOne(ctx, s, r, p)
			if err != nil {
				return nil, nil, fmt.Errorf("%s: %w", r.ID, err)
			}
			alone, err := c.time(ctx, p)
			if err != nil {
				return nil, nil, fmt.Errorf("%s without Catena: %w", r.ID, err)
			}
			if round == 0 || took < best[i] {
				best[i] = took
			}
			if round == 0 || alone < bare[i] {
				bare[i] = alone
			}
		}
	}
	for i, r := range rows {
		o.Missf("%d at once: %s %-8s %3d steps %7.1f ms for %6.1f: %.3f, %+.1f ms; without Catena %.1f", parallel, r.ID, r.Shape, len(r.Steps), best[i], bound(r), best[i]/bound(r), best[i]-bound(r), bare[i])
	}
	return best, bare, nil
}

// timeOne runs a DAG, checks all its results, and gives the milliseconds.
func timeOne(ctx context.Context, s stand, r row, p plan.Plan) (float64, error) {
	start := time.Now()
	out, err := s.run(ctx, p)
	took := time.Since(start)
	if err == nil {
		err = sameValues(r, out)
	}
	return float64(took.Microseconds()) / 1000, err
}

// sameValues compares the results of all steps with what the row expects of the sinks.
func sameValues(r row, out tools.Outcome) error {
	var want map[string]json.Number
	if err := json.Unmarshal(r.Expected, &want); err != nil {
		return err
	}
	for _, step := range out.Steps {
		v, ok := want[step.ID]
		if !ok {
			continue
		}
		m, _ := step.Result.Structured.(map[string]any)
		if fmt.Sprint(m["value"]) != v.String() {
			return fmt.Errorf("%s gave %v instead of %s", step.ID, m["value"], v)
		}
	}
	return nil
}
