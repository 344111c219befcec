package reader

import (
	"catena/planner/plan"
	"catena/planner/reader/link"
	"catena/query"
	"catena/query/semantic"
	"catena/table"
)

// scope is what a message may speak of: the tables and what they mean. It is made for one message.
type scope struct {
	link.Scope
	tables []plan.TableInfo // those of model.Entities, in their order
	paths  map[[2]int]pathFound
	left   []plan.TotalRows // rows that the query being made leaves out, as they sum up others
	// earlier is the answer before, which the message may speak of or change; nil where there is none.
	earlier *answer
}

// pathFound is what Model.Path said.
type pathFound struct {
	path semantic.Path
	err  error
}

// path joins one table to another; see semantic.Model.Path.
func (s *scope) path(from, to int) (semantic.Path, error) {
	key := [2]int{from, to}
	got, ok := s.paths[key]
	if !ok {
		got.path, got.err = s.Model.Path(s.Entity(from).Table, s.Entity(to).Table)
		s.paths[key] = got
	}
	return got.path, got.err
}

// Schema implements query.Catalog.
func (s *scope) Schema(name string) (query.Schema, bool) {
	e, ok := s.Model.Entity(name)
	if !ok {
		return nil, false
	}
	out := make(query.Schema, 0, len(e.Fields))
	for _, f := range e.Fields {
		if f.Expression == "" {
			out = append(out, query.Field{Column: table.Column{Name: f.Name, Type: f.Type, Unit: f.Unit}, Adds: f.Adds})
		}
	}
	return out, true
}

// Tables implements query.Catalog.
func (s *scope) Tables() []string {
	out := make([]string, len(s.Model.Entities))
	for i := range s.Model.Entities {
		out[i] = s.Model.Entities[i].Table
	}
	return out
}
