package link

import (
	"time"

	"catena/query/semantic"
)

// Scope is what a message may speak of: what the tables mean, and when it is asked. It is made for one message, and is
// not safe for concurrent use.
type Scope struct {
	Model *semantic.Model
	Now   time.Time // what yesterday and last year count from; zero where nobody knows
	// DecimalComma says that numbers in the tables have decimal commas.
	DecimalComma bool
	links        *nameIndex
}

// names are those of the model.
func (s *Scope) names() *nameIndex {
	if s.links == nil {
		s.links = indexOf(s.Model)
	}
	return s.links
}

// Entity is a table of the model, by its index.
func (s *Scope) Entity(table int) *semantic.Entity { return &s.Model.Entities[table] }

// Field is a column of the model.
func (s *Scope) Field(f FieldRef) *semantic.Field {
	return &s.Model.Entities[f.Table].Fields[f.Field]
}

// Column is a column by the names of its table and its own, in any case of letters; false where there is none.
func (s *Scope) Column(table, column string) (FieldRef, bool) {
	f, ok := s.names().columns[nameOfColumn(table, column)]
	return f, ok
}

// Units are the columns that are measured in each unit; columns of dates and times are there under a unit of their own.
func (s *Scope) Units() map[string][]FieldRef { return s.names().units }

// Tallied reports whether a column says how many things a row stands for, by its name.
func (s *Scope) Tallied(f FieldRef) bool { return s.names().tally(f) }

// ColumnIn is the column of a table that stands for the same as another; the column itself where the table has none.
func (s *Scope) ColumnIn(table int, f FieldRef) FieldRef { return s.names().copies.at(table, f) }

// Source is the column that one is a copy of, or refers to; the column itself where it does neither.
func (s *Scope) Source(f FieldRef) FieldRef { return s.names().copies.source(f) }

// SameValues reports whether two columns that stand for the same have the same values, too: one refers to the other, or
// both to a third.
func (s *Scope) SameValues(a, b FieldRef) bool { return s.names().copies.refers(a, b) }
