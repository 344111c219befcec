package tools

import (
	"encoding/json"
	"fmt"
	"math"
	"sync"
	"time"
)

// latencies learn how long the calls of each tool take, from the calls themselves: the executor starts first what the rest of
// a plan waits for longest, and people are told how long a plan will take. It is safe for concurrent use.
type latencies struct {
	mu    sync.RWMutex
	tools map[string]*latency
	noted int // calls so far
	told  int // of them, when Learnt was asked last
}

const (
	// forgetting is the weight that what was learnt keeps with each further call: about the last hundred calls count.
	forgetting = 0.99
	// leastCalls is how many calls a tool needs before one of its arguments is believed to decide.
	leastCalls = 8
	// explained is the least part of the variance (r squared) that an argument must explain to be believed.
	explained = 0.8
	// maxArguments bounds the numeric arguments that are looked at.
	maxArguments = 8
	// maxLatencies bounds the tools that are remembered.
	maxLatencies = 10_000
)

// latency is what is known of one tool: weighted sums over its calls.
type latency struct {
	weight, sum, squares float64 // of the milliseconds
	calls                int
	by                   map[string]*line
}

// line is a weighted linear regression of milliseconds on a numeric argument: a page of 100 rows takes longer than one of 10.
type line struct{ weight, x, y, xx, xy, yy float64 }

func (l *line) add(x, y float64) {
	l.weight, l.x, l.y = l.weight*forgetting+1, l.x*forgetting+x, l.y*forgetting+y
	l.xx, l.xy, l.yy = l.xx*forgetting+x*x, l.xy*forgetting+x*y, l.yy*forgetting+y*y
}

// fit gives the line's slope and intercept, and r squared; 0 where all x or all y are one.
func (l *line) fit() (slope, intercept, r2 float64) {
	xx, yy := l.xx-l.x*l.x/l.weight, l.yy-l.y*l.y/l.weight
	xy := l.xy - l.x*l.y/l.weight
	if xx <= 1e-9*l.xx || yy <= 1e-9*l.yy {
		return 0, 0, 0
	}
	slope = xy / xx
	return slope, (l.y - slope*l.x) / l.weight, xy * xy / (xx * yy)
}

// note learns from a call that gave a result.
func (l *latencies) note(tool string, args map[string]any, took time.Duration) {
	ms := float64(took) / float64(time.Millisecond)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.noted++
	t := l.tools[tool]
	if t == nil {
		if len(l.tools) >= maxLatencies {
			clear(l.tools) // it is learnt again
		}
		if l.tools == nil {
			l.tools = map[string]*latency{}
		}
		t = &latency{by: map[string]*line{}}
		l.tools[tool] = t
	}
	t.weight, t.sum, t.squares = t.weight*forgetting+1, t.sum*forgetting+ms, t.squares*forgetting+ms*ms
	t.calls++
	for name, v := range args {
		x, ok := plainNumber(v)
		if !ok {
			continue
		}
		if t.by[name] == nil {
			if len(t.by) >= maxArguments {
				continue
			}
			t.by[name] = &line{}
		}
		t.by[name].add(x, ms)
	}
}

// estimate says how many milliseconds a call should take, and whether anything is known of the tool.
func (l *latencies) estimate(tool string, args map[string]any) (ms float64, known bool) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	t := l.tools[tool]
	if t == nil {
		return 0, false
	}
	ms = t.sum / t.weight
	if t.calls < leastCalls {
		return ms, true
	}
	best := explained
	for name, by := range t.by {
		x, ok := plainNumber(args[name])
		if !ok {
			continue
		}
		if slope, from, r2 := by.fit(); r2 > best {
			best, ms = r2, math.Max(0, from+slope*x)
		}
	}
	return ms, true
}

func plainNumber(v any) (float64, bool) {
	var f float64
	switch x := v.(type) {
	case float64:
		f = x
	case int:
		f = float64(x)
	case int64:
		f = float64(x)
	case json.Number:
		var err error
		if f, err = x.Float64(); err != nil {
			return 0, false
		}
	default:
		return 0, false
	}
	return f, !math.IsNaN(f) && math.Abs(f) < 1e15
}

// Estimate says how long a call of a tool should take, by the calls that were made here or that were learnt (Learn); arguments that are
// references count as unknown. It is false for a tool that was not called yet.
func (r *Registry) Estimate(tool string, args map[string]any) (time.Duration, bool) {
	if e, ok := r.snap.Load().find(tool); ok {
		tool = e.Def.Name
	}
	ms, known := r.latencies.estimate(tool, args)
	return time.Duration(ms * float64(time.Millisecond)), known
}

// keptLatency is a latency as Learnt writes it.
type keptLatency struct {
	Weight  float64            `json:"w"`
	Sum     float64            `json:"s"`
	Squares float64            `json:"q"`
	Calls   int                `json:"n"`
	By      map[string]keptFit `json:"by,omitempty"`
}

// keptFit is a line as Learnt writes it: weight, x, y, xx, xy, yy.
type keptFit [6]float64

// Learnt gives what is known of how long calls take, as JSON, for a later process to Learn: sums and counts by tool and
// by the names of numeric arguments, no argument itself. changed is false when nothing was learnt since the last time;
// data is nil then.
func (r *Registry) Learnt() (data []byte, changed bool, err error) {
	l := &r.latencies
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.told == l.noted {
		return nil, false, nil
	}
	out := make(map[string]keptLatency, len(l.tools))
	for name, t := range l.tools {
		k := keptLatency{Weight: t.weight, Sum: t.sum, Squares: t.squares, Calls: t.calls, By: make(map[string]keptFit, len(t.by))}
		for arg, f := range t.by {
			k.By[arg] = keptFit{f.weight, f.x, f.y, f.xx, f.xy, f.yy}
		}
		out[name] = k
	}
	if data, err = json.Marshal(out); err != nil {
		return nil, true, fmt.Errorf("what is known of latencies has no JSON: %w", err)
	}
	l.told = l.noted
	return data, true, nil
}

// Learn takes over what a former process Learnt, beside what this one knows already, which wins. An error means that
// nothing was taken over.
func (r *Registry) Learn(data []byte) error {
	var in map[string]keptLatency
	if err := json.Unmarshal(data, &in); err != nil {
		return fmt.Errorf("what was learnt of latencies could not be read: %w", err)
	}
	l := &r.latencies
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.tools == nil {
		l.tools = map[string]*latency{}
	}
	for name, k := range in {
		if l.tools[name] != nil || len(l.tools) >= maxLatencies || !sane(k.Weight, k.Sum, k.Squares) || k.Weight == 0 || k.Calls < 1 {
			continue
		}
		t := &latency{weight: k.Weight, sum: k.Sum, squares: k.Squares, calls: k.Calls, by: map[string]*line{}}
		for arg, f := range k.By {
			if len(t.by) < maxArguments && sane(f[0], f[3], f[5]) && f[0] > 0 {
				t.by[arg] = &line{f[0], f[1], f[2], f[3], f[4], f[5]}
			}
		}
		l.tools[name] = t
	}
	return nil
}

// sane reports whether sums of what cannot be negative are such.
func sane(sums ...float64) bool {
	for _, s := range sums {
		if math.IsNaN(s) || math.IsInf(s, 0) || s < 0 {
			return false
		}
	}
	return true
}

// LearntTTL is how long what was learnt is worth keeping without a call.
const LearntTTL = 90 * 24 * time.Hour
