package reader

import (
	"errors"
	"reflect"
	"slices"
	"strings"

	"catena/internal/text"
	"catena/planner/reader/link"
	"catena/query"
	"catena/query/semantic"
)

// A row may refer to several rows of one table, each in a role of its own: a flight to the airport that it leaves and
// to the one that it reaches. The column that refers says which is meant.

// reference is what a column refers to, where it surely does by itself.
func (s *scope) reference(f link.FieldRef) (semantic.Relationship, bool) {
	if f.Table < 0 || f.Field < 0 {
		return semantic.Relationship{}, false
	}
	table, name := s.Entity(f.Table).Table, s.Field(f).Name
	for _, r := range s.Model.Relationships {
		own := r.Usable() && len(r.LeftColumns) == 1
		if own && r.Left == table && r.LeftColumns[0] == name {
			return r, true
		}
	}
	return semantic.Relationship{}, false
}

// inRole is a field of what a column refers to, its name where no field is said: a column that refers, field. A word of
// the rule leaves columns out that are not one of several that refer to the same table; those that refer to nothing
// stand for themselves.
func inRole(s *scope, p []meaning, k []string) (meaning, []Feature) {
	from, ok := p[0].(link.FieldRef)
	if !ok {
		return nil, nil
	}
	ref, refers := s.reference(from)
	if !refers && len(p) == 1 && len(k) == 0 {
		return column{FieldRef: from}, nil
	}
	right, ok := s.index(ref.Right)
	if !refers || !ok {
		return nil, nil
	}
	of := link.FieldRef{Table: right, Field: s.nameField(right)}
	if len(p) > 1 {
		if of, ok = p[1].(link.FieldRef); !ok || of.Table != right {
			return nil, nil
		}
	}
	if of.Field < 0 {
		return nil, nil
	}
	c := column{FieldRef: of}
	switch several := len(s.references(ref.Left, ref.Right)) > 1; {
	case !several && len(k) > 0:
		return nil, nil
	case several:
		same := func(r semantic.Relationship) bool { return reflect.DeepEqual(r, ref) }
		c.role = 1 + slices.IndexFunc(s.Model.Relationships, same)
	}
	return c, []Feature{fact("in role")}
}

// nameField is the field of a table's names, -1 where it has none.
func (s *scope) nameField(t int) int {
	e := s.Entity(t)
	return slices.IndexFunc(e.Fields, func(f semantic.Field) bool { return e.Name != "" && f.Name == e.Name })
}

// home is the table from which a column is reached: its own, or the one that refers to it in its role.
func (s *scope) home(c column) int {
	if c.role == 0 {
		return c.Table
	}
	t, _ := s.index(s.Model.Relationships[c.role-1].Left)
	return t
}

// standsFor is what the columns of a column's table are called after in queries: the table, or what refers to it.
func (s *scope) standsFor(c column) string {
	if c.role == 0 {
		return s.Entity(c.Table).Table
	}
	return s.Model.Relationships[c.role-1].LeftColumns[0]
}

// heads is what a column of another table is headed by: the table, or what refers to it without the word for a key.
func (s *scope) heads(c column) string {
	as := s.standsFor(c)
	if c.role == 0 {
		return as
	}
	words := text.Words(as)
	if last := len(words) - 1; last > 0 && words[last] == "id" {
		words = words[:last]
	}
	return strings.Join(words, "_")
}

// place joins the table of a column, and says what its columns are called after.
func (r *relation) place(c column, fan bool) (string, error) {
	as := r.s.standsFor(c)
	if c.role == 0 {
		return as, r.reach(c.Table, fan)
	}
	home := r.s.home(c)
	if home != r.base {
		return as, errUnrelated
	}
	if !r.joined[as] {
		r.join(semantic.Step{Relationship: r.s.Model.Relationships[c.role-1]}, as)
	}
	return as, nil
}

// refersTo is that a column refers to a row for which a condition holds.
func (s *scope) refersTo(f link.FieldRef, c *condition) (meaning, []Feature) {
	ref, ok := s.reference(f)
	if !ok {
		return nil, nil
	}
	right, ok := s.index(ref.Right)
	if !ok {
		return nil, nil
	}
	facts := []Feature{fact("refers far")}
	if c.of.Table == right {
		facts = []Feature{fact("refers")}
	} else if _, err := s.path(right, c.of.Table); err != nil {
		return nil, nil
	}
	set := &rows{table: right, implied: true, where: []*condition{c}}
	return &condition{op: opRefers, of: column{FieldRef: f}, set: set}, facts
}

// refers is that a column of the base, or of a table that is joined to it, refers to one of a set of rows.
func (r *relation) refers(c *condition) (query.Expr, error) {
	e, err := r.col(c.of, false)
	if err != nil {
		return nil, err
	}
	ref, ok := r.s.reference(c.of.FieldRef)
	if !ok {
		return nil, errUnrelated
	}
	inner, q, err := r.s.rowsQuery(c.set)
	if err != nil {
		return nil, err
	}
	key := inner.name(ref.Right, ref.RightColumns[0])
	return query.In{Expr: e, Query: q.With(projectOne(key))}, nil
}

// unrelatedBy are rows to which nothing happened: members who borrowed no books, by the time that says when things are
// borrowed. A role says as what rows are not referred to: users who created no tickets. Rows, field or role, the other
// rows where they are named.
func unrelatedBy(s *scope, p []meaning, k []string) (meaning, []Feature) {
	set, ok := p[0].(*rows)
	of, also := p[1].(link.FieldRef)
	if !ok || !also || of.Table == set.table {
		return nil, nil
	}
	events := &rows{table: of.Table, implied: true}
	var facts []Feature
	if len(p) > 2 {
		other, ok := p[2].(*rows)
		if !ok {
			return nil, nil
		}
		events = other
		if other.table != of.Table {
			made, more := relatedRows(s, []meaning{&rows{table: of.Table, implied: true}, other}, nil)
			if events, ok = made.(*rows); !ok {
				return nil, nil
			}
			facts = more
		}
	}
	if ref, refers := s.reference(of); refers && ref.Right == s.Entity(set.table).Table {
		c := &condition{op: opReferred, of: column{FieldRef: of}, set: events}
		out := *set
		out.where = append(slices.Clone(set.where), &condition{op: opNot, parts: []*condition{c}})
		return &out, append(facts, fact("referred"))
	}
	if !link.IsTime(s.Field(of)) {
		return nil, nil
	}
	if s.statistics(of).Nulls > 0 { // what is there and has not happened yet: loans that were not returned
		pending := *events
		pending.where = append(slices.Clone(events.where), &condition{op: opNull, of: column{FieldRef: of}})
		made, more := relatedRows(s, []meaning{set, &pending}, nil)
		return made, append(append(facts, more...), fact("not yet happened"))
	}
	made, more := unrelatedRows(s, []meaning{set, events}, k)
	return made, append(append(facts, more...), fact("never happened"))
}

// inRoleOf are rows that refer to one of others in a role, tickets created by new users, or to which others refer:
// users who created urgent tickets. Of one table, who is managed by somebody refers to him. Rows, role, the others.
func inRoleOf(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	set, ok := p[0].(*rows)
	of, isRole := p[1].(link.FieldRef)
	other, also := p[2].(*rows)
	if !ok || !isRole || !also {
		return nil, nil
	}
	ref, refers := s.reference(of)
	if !refers {
		return nil, nil
	}
	c := &condition{op: opRefers, of: column{FieldRef: of}, set: other}
	right := s.Entity(other.table).Table
	switch {
	case set.table == of.Table && ref.Right == right:
	case other.table == of.Table && ref.Right == s.Entity(set.table).Table:
		c.op = opReferred
	default:
		return nil, nil
	}
	out := *set
	out.where = append(slices.Clone(set.where), c)
	facts := []Feature{fact("role of " + c.op)}
	if s.bestOfFlow(other) {
		facts = append(facts, fact("best by copies"))
	}
	return &out, facts
}

// referred is that a row of a set refers to a row of the base by a column.
func (r *relation) referred(c *condition) (query.Expr, error) {
	ref, ok := r.s.reference(c.of.FieldRef)
	if !ok || ref.Right != r.s.Entity(r.base).Table {
		return nil, errUnrelated
	}
	inner, q, err := r.s.rowsQuery(c.set)
	if err != nil {
		return nil, err
	}
	there := inner.name(ref.Left, ref.LeftColumns[0])
	return query.In{Expr: query.Col(ref.RightColumns[0]), Query: q.With(projectOne(there))}, nil
}

// eitherRole is that a row of the base refers to one of a set in any of the roles in which it may, or one of the set to
// it: a match of a player, a player with matches, at home or away. It is errUnrelated where the ways to the set are
// others.
func (r *relation) eitherRole(err error, set *rows) (query.Expr, error) {
	var several *semantic.AmbiguousError
	if !errors.As(err, &several) || set.take > 0 { // of the first rows, a role says what is meant
		return nil, errUnrelated
	}
	var ways []query.Expr
	for _, p := range several.Paths {
		if len(p) != 1 || len(p[0].LeftColumns) != 1 {
			return nil, errUnrelated
		}
		here, there := p[0].LeftColumns[0], p[0].RightColumns[0]
		if p[0].Back {
			here, there = there, here
		}
		inner, q, err := r.s.rowsQuery(set)
		if err != nil {
			return nil, err
		}
		one := projectOne(inner.name(p[0].To(), there))
		ways = append(ways, query.In{Expr: query.Col(here), Query: q.With(one)})
	}
	return query.Do(opOr, ways...), nil
}

// whoIs are the people whom who asks for, where one column holds people and their values stand in many rows.
func whoIs(s *scope, _ []meaning, _ []string) (meaning, []Feature) {
	people, tables := s.People()
	var found []column
	for ref := range people {
		if f, ok := ref.(link.FieldRef); ok && s.repeated(f) {
			found = append(found, column{FieldRef: f})
		}
	}
	if tables || len(found) != 1 {
		return nil, nil
	}
	return found, nil
}
