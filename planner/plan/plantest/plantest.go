// Package plantest makes plans with faults, by a grammar: the plan that is meant, what a model wrote instead, and what may become of
// it. It shares no code with the plan language, so that neither hides the faults of the other.
package plantest

import (
	"encoding/json"
	"math/rand/v2"
)

// Verdict says what may become of a text with a fault.
type Verdict int

// The verdicts. A text that is taken as another plan than the one that is meant is a silent change under each of them.
const (
	Meant   Verdict = iota // there is one reading: the plan that is meant
	Refused                // there is none, or there are several: the text must be refused
	Either                 // taken as the plan that is meant, or refused
)

// Tool is a tool that plans call. Output is empty where nothing is known of the result.
type Tool struct {
	Name        string
	Input       json.RawMessage
	Output      json.RawMessage
	Destructive bool
}

// Case is one text with one fault.
type Case struct {
	Family  string
	Fault   string
	Verdict Verdict
	Tools   []Tool
	Text    string          // what a model wrote
	Want    json.RawMessage // the plan that is meant: {"steps": [{"id", "tool", "args"}], "answer": [...]}
}

// fault spoils the plan of a maker. It reports whether the plan has a place for it.
type fault struct {
	family  string
	name    string
	verdict Verdict
	spoil   func(*maker) bool
}

// Families lists the families of faults, in order.
func Families() []string {
	var out []string
	for _, f := range faults() {
		if len(out) == 0 || out[len(out)-1] != f.family {
			out = append(out, f.family)
		}
	}
	return out
}

// Cases makes n texts of each fault of a family, "" for all families; the same seed gives the same texts. foreign are further tools
// that plans may call; those with schemas that the grammar does not know are left out.
func Cases(family string, seed uint64, n int, foreign []Tool) []Case {
	var known []tool
	for _, f := range foreign {
		if t, ok := read(f); ok {
			known = append(known, t)
		}
	}
	own := pool(rand.New(rand.NewPCG(seed, 0)))
	var out []Case
	for i, f := range faults() {
		if family != "" && f.family != family {
			continue
		}
		r := rand.New(rand.NewPCG(seed, uint64(i+1)))
		for range n {
			if c, ok := spoiled(r, f, own, known); ok {
				out = append(out, c)
			}
		}
	}
	return out
}

// spoiled makes plans until one has a place for the fault.
func spoiled(r *rand.Rand, f fault, own, known []tool) (Case, bool) {
	const tries = 200
	for range tries {
		m := newMaker(r, own, known)
		m.want = cloned(m.plan)
		if !f.spoil(m) {
			continue
		}
		text := m.text
		if text == "" {
			text = written(m.plan)
		}
		c := Case{Family: f.family, Fault: f.name, Verdict: f.verdict, Text: text, Want: json.RawMessage(written(m.want))}
		for _, t := range m.tools {
			c.Tools = append(c.Tools, t.tool())
		}
		return c, true
	}
	return Case{}, false
}

func written(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err) // the grammar makes JSON alone
	}
	return string(raw)
}

func cloned(m object) object {
	out := object{}
	for k, v := range m {
		out[k] = clonedValue(v)
	}
	return out
}

func clonedValue(v any) any {
	switch x := v.(type) {
	case object:
		return cloned(x)
	case []any:
		out := make([]any, len(x))
		for i, e := range x {
			out[i] = clonedValue(e)
		}
		return out
	}
	return v
}
