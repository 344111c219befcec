package tools

import (
	"encoding/json"
	"fmt"
	"math"
	"time"
)

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

// Learnt gives what is known of how long calls take, as JSON, for a later process to Learn: sums and counts by tool and by the names of numeric
// arguments, no argument itself. changed is false when nothing was learnt since the last time; data is nil then.
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

// Learn takes over what a former process Learnt, beside what this one knows already, which wins. An error means that nothing was taken over.
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
