package pipeline

import (
	"strings"

	"catena/query"
	"catena/table"
)

// Made is how the rows of a result came about: one query of the algebra over the tables that were named. The zero Made
// is of a result that was computed by more than the algebra, as where texts were read as numbers.
type Made struct {
	Query query.Query
	// Of are the tables by the names that the query has for them, each as the plan names it; "" is the one that it
	// asks.
	Of map[string]string
}

// source gives a table that the plan names a name in Made. Tables of one name that may differ get several.
func (p *pipeline) source(asked, name string) query.Query {
	if p.of == nil {
		p.of = map[string]string{}
	}
	as := FreeName(name, func(n string) bool {
		for taken, of := range p.of {
			if strings.EqualFold(taken, n) && of != asked {
				return true
			}
		}
		return false
	})
	p.of[as] = asked
	return query.From(as)
}

// united is a table with the rows of others below, by the columns' names.
func (p *pipeline) united(q query.Query, columns []string, others []string) query.Query {
	for _, name := range others {
		with := p.source(name, name).With(query.Project{Columns: named(columns)})
		q = q.With(query.Set{Op: query.Union, All: true, With: with})
	}
	return q
}

// overSources is a query over the pipeline's tables as one over those that the plan names; false where one of them came
// about otherwise.
func (p *pipeline) overSources(q query.Query) (query.Query, bool) {
	known := true
	var r query.Rewriter
	r.Inner = func(q query.Query, depth int) (query.Query, bool) {
		if q.From == "" {
			return q, false
		}
		made, is := p.made[q.From]
		known = known && is
		return made.With(r.Query(query.Query{Stages: q.Stages}, depth).Stages...), true
	}
	return r.Query(q, 0), known
}

// became begins anew with a table that a query over the sources gives.
func (p *pipeline) became(t *table.Table, q query.Query, known bool) {
	if p.rebase(t); known {
		p.made[p.base] = q
	}
}
