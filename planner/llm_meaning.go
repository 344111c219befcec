package planner

import (
	"context"
	"fmt"
	"strings"

	"catena/planner/plan"
	"catena/query"
	"catena/query/semantic"
)

// maxRelated bounds the references of one table that a model is told of.
const maxRelated = 20

// meaningOf is what the request's tables mean, where that is known; nil where it is not.
func meaningOf(ctx context.Context, req plan.Request) *semantic.Model {
	of, ok := req.Values.(interface {
		Model(ctx context.Context) (*semantic.Model, error)
	})
	if !ok {
		return nil
	}
	m, err := of.Model(ctx)
	if err != nil {
		return nil // names and types are told all the same
	}
	return m
}

// meaning says in lines what a row of a table is and what it refers to, in the prompt's names: no word of a cell.
func (b *brief) meaning(m *semantic.Model, t plan.TableInfo) []string {
	if m == nil {
		return nil
	}
	e, ok := m.Entity(t.Name)
	if !ok {
		return nil
	}
	var facts []string
	if len(e.Key) > 0 {
		facts = append(facts, "key "+b.columns(e.Key))
	}
	if e.Name != "" {
		facts = append(facts, "called by "+b.names.column(e.Name))
	}
	if e.Time != "" {
		facts = append(facts, "its time is "+b.names.column(e.Time))
	}
	for _, f := range e.Fields {
		if says := howItAdds[f.Adds]; says != "" && f.Expression == "" {
			facts = append(facts, b.names.column(f.Name)+" is "+says)
		}
	}
	var out []string
	if len(facts) > 0 {
		out = append(out, "A row: "+strings.Join(facts, ", "))
	}
	for _, r := range m.Of(t.Name) {
		if len(out) > maxRelated || !r.Usable() || !strings.EqualFold(r.Left, t.Name) {
			continue
		}
		out = append(out, fmt.Sprintf("Refers: %s to %s of %s", b.columns(r.LeftColumns), b.columns(r.RightColumns),
			b.names.table(r.Right)))
	}
	return out
}

func (b *brief) columns(names []string) string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = b.names.column(name)
	}
	return strings.Join(out, " and ")
}

// howItAdds says of numbers that are not simply summed what they are.
var howItAdds = map[query.Adds]string{
	query.AddsLevel: "a level (over time take the last, do not sum)",
	query.AddsRate:  "a rate (average, do not sum)",
}
