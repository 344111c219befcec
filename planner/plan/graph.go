package plan

import (
	"fmt"
	"slices"
	"strings"
)

// Graph says which steps of a plan need which. Numbers are indices into Plan.Steps.
type Graph struct {
	Needs [][]int // Needs[i]: the steps whose results step i refers to, ascending, without repeats
	Users [][]int // Users[i]: the steps that refer to step i's result, ascending
	index map[string]int
}

// GraphOf reads a plan's references in args, each and when. References to steps that do not exist are left out; of steps
// with the same id the first counts. Validate reports both. It costs one walk over the plan.
func GraphOf(p Plan) Graph {
	n := len(p.Steps)
	g := Graph{Needs: make([][]int, n), Users: make([][]int, n), index: make(map[string]int, n)}
	for i, s := range p.Steps {
		if _, twice := g.index[s.ID]; !twice {
			g.index[s.ID] = i
		}
	}
	user, needs := 0, make([]int, 0, n)           // of all steps, one after the other
	seen, users := make([]int, n), make([]int, n) // seen[j] == i+1: step i's need of j is noted
	note := func(r Ref) {
		if j, ok := g.index[r.Step]; ok && r.Step != Each && seen[j] != user+1 {
			seen[j] = user + 1
			users[j]++
			needs = append(needs, j)
		}
	}
	ends := make([]int, n)
	for i, s := range p.Steps {
		user = i
		s.refs(note)
		ends[i] = len(needs)
	}
	room := make([]int, len(needs))
	for j, n := range users {
		if n > 0 {
			g.Users[j], room = room[:0:n], room[n:]
		}
	}
	start := 0
	for i, end := range ends {
		if end > start {
			g.Needs[i] = needs[start:end:end]
			slices.Sort(g.Needs[i])
		}
		for _, j := range g.Needs[i] {
			g.Users[j] = append(g.Users[j], i)
		}
		start = end
	}
	return g
}

// refs calls f for each reference of the step, those to its own element included.
func (s Step) refs(f func(Ref)) {
	for _, v := range s.Args {
		walkRefs(v, f)
	}
	if s.Each != nil {
		f(*s.Each)
	}
	if s.When != nil {
		f(s.When.Ref)
		walkRefs(s.When.Value, f)
	}
}

// Index returns the place of the step with an id.
func (g Graph) Index(id string) (int, bool) {
	i, ok := g.index[id]
	return i, ok
}

// Sinks returns the steps whose results no other step uses: the answer of a plan that names none.
func (g Graph) Sinks() []int {
	var out []int
	for i, users := range g.Users {
		if len(users) == 0 {
			out = append(out, i)
		}
	}
	return out
}

// Waves sorts the steps: those of a wave need only steps of earlier waves, each as early as it can be. The error is
// Findings with a Cycle.
func (g Graph) Waves() ([][]int, error) {
	left := make([]int, len(g.Needs))
	var wave []int
	for i, needs := range g.Needs {
		if left[i] = len(needs); left[i] == 0 {
			wave = append(wave, i)
		}
	}
	var out [][]int
	done := 0
	for len(wave) > 0 {
		out = append(out, wave)
		done += len(wave)
		var next []int
		for _, i := range wave {
			for _, j := range g.Users[i] {
				if left[j]--; left[j] == 0 {
					next = append(next, j)
				}
			}
		}
		slices.Sort(next)
		wave = next
	}
	if done < len(left) {
		return nil, Findings{{Code: Cycle, Path: "/steps", Message: "steps wait for each other; a step may only use results that do not depend on it"}}
	}
	return out, nil
}

// Answers returns what the plan's answer shows: p.Answer, or a bare reference to every sink in the order of the steps.
func (p Plan) Answers() []any {
	if len(p.Answer) > 0 {
		return p.Answer
	}
	return GraphOf(p).Answers(p)
}

// Answers is Plan.Answers where the plan's graph is at hand.
func (g Graph) Answers(p Plan) []any {
	if len(p.Answer) > 0 {
		return p.Answer
	}
	var out []any
	for _, i := range g.Sinks() {
		out = append(out, Ref{Step: p.Steps[i].ID})
	}
	return out
}

// cycles finds one cycle in each strongly connected group of steps, by a depth-first search without recursion.
func (g Graph) cycles() [][]int {
	const (
		fresh = iota
		open
		closed
	)
	state := make([]int, len(g.Needs))
	next := make([]int, len(g.Needs))
	var out [][]int
	for root := range g.Needs {
		if state[root] != fresh {
			continue
		}
		path := []int{root}
		state[root] = open
		for len(path) > 0 {
			i := path[len(path)-1]
			if next[i] == len(g.Needs[i]) {
				state[i] = closed
				path = path[:len(path)-1]
				continue
			}
			j := g.Needs[i][next[i]]
			next[i]++
			switch state[j] {
			case fresh:
				state[j] = open
				path = append(path, j)
			case open:
				out = append(out, slices.Clone(path[slices.Index(path, j):]))
			}
		}
	}
	return out
}

// cycleFindings reports the cycles, each by the steps that it goes through.
func (g Graph) cycleFindings(p Plan) Findings {
	var out Findings
	for _, c := range g.cycles() {
		names := make([]string, 0, len(c)+1)
		for _, i := range c[:min(len(c), 8)] {
			names = append(names, p.Steps[i].ID)
		}
		if len(c) > 8 {
			names = append(names, "...")
		}
		names = append(names, p.Steps[c[0]].ID)
		out = append(out, Finding{Code: Cycle, Path: fmt.Sprintf("/steps/%d", c[0]), Step: p.Steps[c[0]].ID,
			Message: "steps wait for each other: " + strings.Join(names, " needs ") + "; break the circle"})
		if len(out) == maxFindings {
			break
		}
	}
	return out
}
