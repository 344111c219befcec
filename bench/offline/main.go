// Command offline measures how well the offline planner chooses tools and fills their arguments: one call and several, of one tool
// and several, and none where no tool fits. The rule of matching is the set's.
//
//	go -C bench run ./offline -data DIR [-split dev] [-n N] [-reader new] [-v] [-json]
//
// DIR holds bfcl. No model is asked; the planner is the one that the program falls back to.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"slices"
	"strings"
	"time"

	"catena/bench/sets"
	"catena/planner/offline"
	"catena/planner/plan"
	"catena/planner/reader"
)

// asOf is the day on which the messages are read; the set names none.
var asOf = time.Date(2024, 1, 15, 12, 0, 0, 0, time.UTC)

// figures are what the last line reports; the names are fixed. The mean is that of the four after it, in percent.
type figures struct {
	Mean             float64 `json:"mean_ast"`
	Simple           float64 `json:"simple"`
	Multiple         float64 `json:"multiple"`
	Parallel         float64 `json:"parallel"`
	ParallelMultiple float64 `json:"parallel_multiple"`
	Irrelevance      float64 `json:"irrelevance"`
	LiveSimple       float64 `json:"live_simple"`
	LiveMultiple     float64 `json:"live_multiple"`
	LiveIrrelevance  float64 `json:"live_irrelevance"`
	P99              float64 `json:"p99_ms"`
}

// row is a line of the set.
type row struct {
	ID       string   `json:"id"`
	Question string   `json:"question"`
	Tools    []tool   `json:"tools"`
	Answers  []answer `json:"answers"`
}

type tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"inputSchema"`
}

type answer struct {
	Tool string           `json:"tool"`
	Args map[string][]any `json:"args"`
}

// schema is the part of a tool's schema that the rule of matching reads.
type schema struct {
	Type       any               `json:"type"`
	Items      *schema           `json:"items"`
	Properties map[string]schema `json:"properties"`
	Required   []string          `json:"required"`
}

// call is a step of a plan, its arguments as JSON has them.
type call struct {
	tool string
	args map[string]any
}

func main() {
	o := sets.Flags("offline", "bfcl")
	which := flag.String("reader", "old", "which planner: old, or new for planner/reader")
	o.Parse()
	f, err := measure(o, *which)
	o.End(f, err)
}

// planner is what is measured.
type planner interface {
	Plan(ctx context.Context, req plan.Request) (plan.Response, error)
}

func measure(o *sets.Options, which string) (figures, error) {
	var f figures
	var took []time.Duration
	var planner planner = offline.New()
	if which == "new" {
		planner = reader.New()
	}
	for _, part := range []struct {
		name string
		to   *float64
	}{
		{"simple_python", &f.Simple}, {"multiple", &f.Multiple}, {"parallel", &f.Parallel}, {"parallel_multiple", &f.ParallelMultiple}, {"irrelevance", &f.Irrelevance},
		{"live_simple", &f.LiveSimple}, {"live_multiple", &f.LiveMultiple}, {"live_parallel", nil}, {"live_parallel_multiple", nil}, {"live_irrelevance", &f.LiveIrrelevance},
	} {
		rows, err := readRows(o, part.name)
		if err != nil {
			return f, err
		}
		right := 0
		for _, r := range rows {
			start := time.Now()
			p, err := planner.Plan(context.Background(), r.request())
			took = append(took, time.Since(start))
			if err != nil {
				return f, err
			}
			why := match(r, calls(p.Plan))
			if why == "" {
				right++
				continue
			}
			o.Missf("MISS %s: %s\n   %s\n   got %s\n   refuse %q clarify %q", r.ID, r.Question, why, told(calls(p.Plan)), p.Plan.Refuse, p.Plan.Clarify)
		}
		share := 100 * float64(right) / float64(max(1, len(rows)))
		fmt.Printf("%-24s %4d / %4d  %5.1f %%\n", part.name, right, len(rows), share)
		if part.to != nil {
			*part.to = share
		}
	}
	f.Mean = (f.Simple + f.Multiple + f.Parallel + f.ParallelMultiple) / 4
	slices.Sort(took)
	if len(took) > 0 {
		f.P99 = float64(took[len(took)*99/100].Microseconds()) / 1000
	}
	fmt.Printf("mean of simple, multiple, parallel, parallel_multiple %.1f %%; a plan takes %.2f ms (p99)\n", f.Mean, f.P99)
	return f, nil
}

// readRows reads a part of the set, its numbers as they are written.
func readRows(o *sets.Options, name string) ([]row, error) {
	lines, err := sets.Lines[json.RawMessage](o.Path("bfcl", "SPLIT", name+".jsonl"), o.Limit)
	if err != nil {
		return nil, err
	}
	rows := make([]row, len(lines))
	for i, line := range lines {
		in := json.NewDecoder(bytes.NewReader(line))
		in.UseNumber()
		if err := in.Decode(&rows[i]); err != nil {
			return nil, fmt.Errorf("%s, record %d: %w", name, i+1, err)
		}
	}
	return rows, nil
}

func (r row) request() plan.Request {
	req := plan.Request{Message: r.Question, Now: asOf}
	for _, t := range r.Tools {
		req.Tools = append(req.Tools, plan.Tool{Name: t.Name, Description: t.Description, InputSchema: t.InputSchema})
	}
	return req
}

func (r row) schema(name string) (s schema) {
	for _, t := range r.Tools {
		if t.Name == name {
			_ = json.Unmarshal(t.InputSchema, &s)
		}
	}
	return s
}

// calls are the steps of a plan.
func calls(p plan.Plan) []call {
	var out []call
	for _, s := range p.Steps {
		c := call{tool: s.Tool, args: map[string]any{}}
		if raw, err := json.Marshal(s.Args); err == nil {
			in := json.NewDecoder(bytes.NewReader(raw))
			in.UseNumber()
			_ = in.Decode(&c.args)
		}
		out = append(out, c)
	}
	return out
}

func told(list []call) string {
	var parts []string
	for _, c := range list {
		parts = append(parts, c.tool+jsonOf(c.args))
	}
	return strings.Join(parts, " ")
}
