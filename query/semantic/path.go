package semantic

import (
	"errors"
	"fmt"
	"strings"
)

// Step is one join of a path: by a relationship, from its left table to its right one or back.
type Step struct {
	Relationship
	// Back is from right to left: one row may become several.
	Back bool
}

// Path joins one table to another.
type Path []Step

// From is the table that a step starts at, To the one that it joins.
func (s Step) From() string {
	if s.Back {
		return s.Right
	}
	return s.Left
}

// To is the table that a step joins.
func (s Step) To() string {
	if s.Back {
		return s.Left
	}
	return s.Right
}

// Fans reports whether rows of the first table may come several times.
func (p Path) Fans() bool {
	for _, s := range p {
		if s.Back && s.Cardinality != OneToOne {
			return true
		}
	}
	return false
}

// String says the joins of a path in their order.
func (p Path) String() string {
	parts := make([]string, len(p))
	for i, s := range p {
		parts[i] = s.String()
	}
	return strings.Join(parts, ", ")
}

// ErrNoPath is that of Model.Path where no sure relationships lead from one table to the other. Test with errors.Is.
var ErrNoPath = errors.New("no sure relationship")

// AmbiguousError says that several paths of one length lead from a table to another, which mean different things.
type AmbiguousError struct {
	From, To string
	// Paths are some of them, maxPaths at most.
	Paths []Path
}

// Error names the paths.
func (e *AmbiguousError) Error() string {
	ways := make([]string, len(e.Paths))
	for i, p := range e.Paths {
		ways[i] = p.String()
	}
	return fmt.Sprintf("%s and %s can be joined in several ways: by %s", e.From, e.To, strings.Join(ways, "; or by "))
}

// maxPaths is how many of the ways are named.
const maxPaths = 8

// Path is the shortest one from a table to another by usable relationships, empty for the same table. Several of one
// length are an *AmbiguousError, none is ErrNoPath. Unsure relationships and those of many to many are never gone by.
func (m *Model) Path(from, to string) (Path, error) {
	if strings.EqualFold(from, to) {
		return nil, nil
	}
	edges := m.edges()
	start, end := strings.ToLower(from), strings.ToLower(to)
	far := distances(edges, start)
	if _, ok := far[end]; !ok {
		return nil, fmt.Errorf("%s and %s: %w", from, to, ErrNoPath)
	}
	found := shortest(edges, far, end, nil)
	if len(found) > 1 {
		return nil, &AmbiguousError{From: from, To: to, Paths: found}
	}
	return found[0], nil
}

// edges are the steps that start at each table.
func (m *Model) edges() map[string][]Step {
	out := map[string][]Step{}
	for _, r := range m.Relationships {
		left, right := strings.ToLower(r.Left), strings.ToLower(r.Right)
		if left == right || !r.Usable() {
			continue
		}
		out[left] = append(out[left], Step{Relationship: r})
		out[right] = append(out[right], Step{Relationship: r, Back: true})
	}
	return out
}

// distances are the numbers of joins to each table that can be reached.
func distances(edges map[string][]Step, start string) map[string]int {
	far := map[string]int{start: 0}
	for queue := []string{start}; len(queue) > 0; queue = queue[1:] {
		for _, s := range edges[queue[0]] {
			next := strings.ToLower(s.To())
			if _, seen := far[next]; !seen {
				far[next] = far[queue[0]] + 1
				queue = append(queue, next)
			}
		}
	}
	return far
}

// shortest are the shortest paths to a table, back from its end; behind is what follows.
func shortest(edges map[string][]Step, far map[string]int, end string, behind Path) []Path {
	if far[end] == 0 {
		return []Path{behind}
	}
	var out []Path
	for _, s := range edges[end] {
		before := strings.ToLower(s.To())
		if d, ok := far[before]; !ok || d != far[end]-1 {
			continue
		}
		s.Back = !s.Back
		out = append(out, shortest(edges, far, before, append(Path{s}, behind...))...)
		if len(out) >= maxPaths {
			return out[:maxPaths]
		}
	}
	return out
}
