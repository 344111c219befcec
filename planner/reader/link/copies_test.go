package link

import (
	"testing"

	"catena/query/semantic"
	"catena/table"
)

// A column that refers to a row stands for what it refers to, unless another of its table does so, too.
func TestSingle(t *testing.T) {
	text := func(name string) semantic.Field { return semantic.Field{Name: name, Label: name, Type: table.Text} }
	refers := func(column string) semantic.Relationship {
		return semantic.Relationship{
			Left: "trips", LeftColumns: []string{column}, Right: "towns", RightColumns: []string{"town"},
			Cardinality: semantic.ManyToOne, Known: semantic.Declared,
		}
	}
	trips := semantic.Entity{
		Table:    "trips",
		Singular: "trip",
		Plural:   "trips",
		Fields:   []semantic.Field{text("origin"), text("target")},
	}
	towns := semantic.Entity{
		Table:    "towns",
		Singular: "town",
		Plural:   "towns",
		Key:      []string{"town"},
		Fields:   []semantic.Field{text("town")},
	}
	for want, relationships := range map[bool][]semantic.Relationship{
		true: {refers("origin")}, false: {refers("origin"), refers("target")},
	} {
		s := &Scope{Model: &semantic.Model{Entities: []semantic.Entity{towns, trips}, Relationships: relationships}}
		if got := s.names().copies.single(FieldRef{1, 0}); got != want {
			t.Errorf("with %d references: %v", len(relationships), got)
		}
		if of := s.Source(FieldRef{1, 0}); of != (FieldRef{0, 0}) {
			t.Errorf("source is %v", of)
		}
	}
}
