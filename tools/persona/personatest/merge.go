package personatest

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"catena/tools/persona"
)

// mergeFirst merges as the first write, and after a reset: what the owner began with stays.
func mergeFirst(t *testing.T, s persona.Store) {
	o := owner()
	for _, what := range []string{"first", "after a reset"} {
		want := graph(t, s, o)
		add := small()
		if len(want.Personas) > 0 {
			add.Relationships = append(add.Relationships, tied("a", "lila", 1, 1, 1))
		}
		must(t, s.Merge(t.Context(), o, add))
		want.Personas = append(want.Personas, add.Personas...)
		want.Relationships = append(want.Relationships, add.Relationships...)
		want.Interactions = append(want.Interactions, add.Interactions...)
		slices.SortFunc(want.Personas, func(a, b persona.Persona) int { return strings.Compare(a.Name, b.Name) })
		slices.SortFunc(want.Relationships, byKey)
		slices.SortFunc(want.Interactions, func(a, b persona.Interaction) int { return cmp.Or(b.At.Compare(a.At), cmp.Compare(b.ID, a.ID)) })
		same(t, what, want, graph(t, s, o))
		must(t, s.Reset(t.Context(), o))
	}
}

// mergeFigures merges relationships and interactions in parts: count, mean and last follow.
func mergeFigures(t *testing.T, s persona.Store) {
	o := owner()
	pair := persona.Graph{Personas: []persona.Persona{someone("a", "Bob", "secure"), someone("b", "Cid", "secure")}, Relationships: []persona.Relationship{tied("a", "b", 1, 1, 1)}}
	must(t, s.Replace(t.Context(), o, pair))
	is := func(what string, count int, mean float64, last time.Time) {
		t.Helper()
		r, err := s.Relationship(t.Context(), o, "a", "b")
		must(t, err)
		got := []any{r.Interactions, r.Valence, r.LastInteraction.UTC()}
		same(t, what, []any{count, mean, last}, got)
	}
	one, two, three := said("i1", "a", "b", "x", 1, day), said("i2", "b", "a", "x", 0.5, day.Add(time.Hour)), said("i3", "b", "a", "x", 0, day.Add(-time.Hour))
	step := func(what string, g persona.Graph, count int, mean float64, last time.Time) {
		t.Helper()
		for range 2 { // again changes nothing
			must(t, s.Merge(t.Context(), o, g))
			is(what, count, mean, last)
		}
	}
	step("interactions alone", persona.Graph{Interactions: []persona.Interaction{one, two}}, 2, 0.75, two.At)
	step("with a relationship that says nothing", persona.Graph{Relationships: pair.Relationships, Interactions: []persona.Interaction{three}}, 3, 0.5, two.At)
	wrong := tied("a", "b", 1, 1, 1)
	wrong.Interactions, wrong.Valence, wrong.LastInteraction = 3, -1, day.Add(-24*time.Hour)
	step("with wrong figures", persona.Graph{Relationships: []persona.Relationship{wrong}}, 3, 0.5, two.At)
	_, err := s.Record(t.Context(), o, said("i4", "a", "b", "x", 0.5, day.Add(2*time.Hour)))
	must(t, err)
	is("recorded", 4, 0.5, day.Add(2*time.Hour))
	wrong.Interactions, wrong.Valence = 10, -0.5
	step("with more than is listed", persona.Graph{Relationships: []persona.Relationship{wrong}}, 10, -0.5, day.Add(2*time.Hour))
}

// replace puts a graph in place of another, or leaves it when that cannot be.
func replace(t *testing.T, s persona.Store) {
	o := filled(t, s)
	next := persona.Graph{Personas: []persona.Persona{someone("n", "New", "secure"), someone("a", "Bob", "secure")}}
	must(t, s.Replace(t.Context(), o, next))
	slices.Reverse(next.Personas)
	same(t, "graph", next, graph(t, s, o))
	var bad *persona.GraphError
	if err := s.Replace(t.Context(), o, persona.Graph{Personas: next.Personas[1:], Relationships: []persona.Relationship{tied("a", "n", 1, 1, 1)}}); !errors.As(err, &bad) {
		t.Errorf("a relationship with somebody who goes: %v", err)
	}
	same(t, "after a failure", next, graph(t, s, o))
}
