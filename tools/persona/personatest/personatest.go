// Package personatest is the suite that every persona.Store passes, whatever it is on.
//
//	func TestSuite(t *testing.T) { personatest.Run(t, newStore(t)) }
//
// Each test has owners of its own, with random names, so that a suite can run against a server that keeps what others wrote.
package personatest

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"catena/tools/persona"
)

// Run tests a store. The store must be open until it returns.
func Run(t *testing.T, s persona.Store) {
	for _, c := range []struct {
		name string
		test func(*testing.T, persona.Store)
	}{
		{"RoundTrip", roundTrip}, {"Merge", merge}, {"MergeFirst", mergeFirst}, {"MergeFigures", mergeFigures}, {"Replace", replace}, {"MergeAllOrNothing", allOrNothing}, {"Lists", lists}, {"States", states}, {"Totals", totals},
		{"Adjust", adjust}, {"Record", record}, {"NotFound", notFound}, {"OddIDs", oddIDs}, {"Owners", owners}, {"Reset", reset},
		{"Version", version}, {"Cancelled", cancelled}, {"Parallel", parallel}, {"Healthy", healthy},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, s) })
	}
}

var day = time.Date(2025, 3, 1, 12, 30, 15, 123456000, time.UTC)

// near compares numbers to eight digits after the point: stores round, and sum in different orders. Styles are only for lists.
var near = cmp.Options{cmpopts.EquateApprox(0, 1e-8), cmpopts.EquateEmpty(), cmpopts.IgnoreFields(persona.Relationship{}, "Styles")}

func owner() string { return "test-" + rand.Text() }

// someone makes a persona.
func someone(id, name, style string, goals ...string) persona.Persona {
	return persona.Persona{ID: id, Name: name, Age: 30, Role: "r", Description: "d", AttachmentStyle: style, CommunicationStyle: "c",
		Traits: persona.Traits{Openness: 0.1, Conscientiousness: 0.2, Extraversion: 0.5, Agreeableness: 0, Neuroticism: 1}, Goals: goals, Created: day, Updated: day}
}

// tied makes a relationship.
func tied(a, b string, trust, intimacy, strength float64) persona.Relationship {
	if a > b {
		a, b = b, a
	}
	return persona.Relationship{Persona1ID: a, Persona2ID: b, Type: "friendship", Levels: persona.Levels{Trust: trust, Intimacy: intimacy, Strength: strength}, Created: day}
}

func said(id, from, to, content string, valence float64, at time.Time) persona.Interaction {
	return persona.Interaction{ID: id, SenderID: from, RecipientID: to, Content: content, Valence: valence, Impact: 0.5, At: at}
}

// small is a graph of three, in the order of graph.
func small() persona.Graph {
	g := persona.Graph{
		Personas:      []persona.Persona{someone("c", "Ann", "secure", "build trust"), someone("a", "Bob", "anxious"), someone("b", "Cid", "avoidant", "x", "y")},
		Relationships: []persona.Relationship{tied("a", "b", 1, 2, 3), tied("a", "c", 4, 5, 6)},
		Interactions: []persona.Interaction{said("i3", "b", "a", "third", 1, day.Add(2*time.Hour)), said("i2", "c", "a", "second", -1, day.Add(time.Hour)),
			said("i1", "a", "b", "first \"quoted\"\nline", 0.25, day)},
	}
	g.Relationships[0].LastInteraction, g.Relationships[0].Interactions, g.Relationships[0].Valence = day.Add(2*time.Hour), 2, 0.625
	g.Relationships[1].LastInteraction, g.Relationships[1].Interactions, g.Relationships[1].Valence = day.Add(time.Hour), 1, -1
	g.Relationships[1].Trend = persona.Trend{Updates: 3, Trust: 0.5, Intimacy: -0.25}
	return g
}

// filled returns an owner who has the small graph.
func filled(t *testing.T, s persona.Store) string {
	t.Helper()
	o := owner()
	must(t, s.Replace(t.Context(), o, small()))
	return o
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func same(t *testing.T, what string, want, got any) {
	t.Helper()
	if d := cmp.Diff(want, got, near); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}

// graph is all that the owner has, with the relationships in the order of their keys.
func graph(t *testing.T, s persona.Store, o string) persona.Graph {
	t.Helper()
	g, err := s.Graph(t.Context(), o)
	must(t, err)
	slices.SortFunc(g.Relationships, byKey)
	return g
}

func byKey(a, b persona.Relationship) int { return strings.Compare(a.Key(), b.Key()) }

func roundTrip(t *testing.T, s persona.Store) {
	same(t, "graph", small(), graph(t, s, filled(t, s)))
}

func merge(t *testing.T, s persona.Store) {
	o := filled(t, s)
	more := persona.Graph{
		Personas:      []persona.Persona{someone("d", "Dan", "secure"), someone("a", "Zoe", "secure")},
		Relationships: []persona.Relationship{tied("d", "c", 7, 8, 9), tied("b", "a", 10, 10, 10)},
		Interactions:  []persona.Interaction{said("i1", "a", "b", "changed", 0, day), said("i0", "b", "a", "older", 0, day.Add(-time.Hour))},
	}
	must(t, s.Merge(t.Context(), o, more))
	must(t, s.Merge(t.Context(), o, more)) // again changes nothing
	want := small()
	want.Personas = []persona.Persona{want.Personas[0], want.Personas[2], more.Personas[0], more.Personas[1]}
	want.Relationships = []persona.Relationship{tied("c", "d", 7, 8, 9), want.Relationships[1], tied("a", "b", 10, 10, 10)}
	ab := &want.Relationships[2]
	ab.Interactions, ab.Valence, ab.LastInteraction = 3, 1.25/3, day.Add(2*time.Hour)
	want.Interactions = append(want.Interactions, more.Interactions[1])
	slices.SortFunc(want.Relationships, byKey)
	same(t, "graph", want, graph(t, s, o))
	list, _, err := s.Interactions(t.Context(), o, 1)
	must(t, err)
	if list[0].To != "Zoe" {
		t.Errorf("the new name is not seen: %+v", list[0])
	}
}

func allOrNothing(t *testing.T, s persona.Store) {
	o := filled(t, s)
	for _, g := range []persona.Graph{
		{Personas: []persona.Persona{someone("n", "New", "secure")}, Relationships: []persona.Relationship{tied("n", "nobody", 1, 1, 1)}},
		{Personas: []persona.Persona{someone("n", "New", "secure")}, Interactions: []persona.Interaction{said("n", "b", "c", "no relationship", 0, day)}},
	} {
		var bad *persona.GraphError
		if err := s.Merge(t.Context(), o, g); !errors.As(err, &bad) || bad.Path != "relationships[0]" && bad.Path != "interactions[0]" {
			t.Errorf("%v", err)
		}
	}
	same(t, "graph", small(), graph(t, s, o))
}

func lists(t *testing.T, s persona.Store) {
	o := filled(t, s)
	people, total, err := s.Personas(t.Context(), o, 2)
	must(t, err)
	if len(people) != 2 || total != 3 || people[0].Name != "Ann" || people[1].Name != "Bob" {
		t.Errorf("personas: %d of %d: %v", len(people), total, people)
	}
	ties, total, err := s.Relationships(t.Context(), o, 1)
	must(t, err)
	if len(ties) != 1 || total != 2 || ties[0].Persona1Name != "Bob" || ties[0].Persona2Name != "Ann" ||
		ties[0].Styles != [2]string{"anxious", "secure"} {
		t.Errorf("relationships: %d of %d: %+v", len(ties), total, ties)
	}
	list, total, err := s.Interactions(t.Context(), o, 2)
	must(t, err)
	if len(list) != 2 || total != 3 || list[0].ID != "i3" || list[0].From != "Cid" || list[0].To != "Bob" || list[1].ID != "i2" {
		t.Errorf("interactions: %d of %d: %+v", len(list), total, list)
	}
	p, err := s.Persona(t.Context(), o, "b")
	must(t, err)
	same(t, "persona", small().Personas[2], p)
}

func states(t *testing.T, s persona.Store) {
	o := filled(t, s)
	got, err := s.State(t.Context(), o, "a")
	must(t, err)
	same(t, "state", persona.State{Persona: small().Personas[1], Relationships: 2, Levels: persona.Levels{Trust: 2.5, Intimacy: 3.5, Strength: 4.5}, Valence: -0.1875}, got)
	must(t, s.Merge(t.Context(), o, persona.Graph{Personas: []persona.Persona{someone("z", "Zed", "secure", "g")}}))
	goals, total, err := s.Goals(t.Context(), o, 2)
	must(t, err)
	if len(goals) != 2 || total != 3 || goals[0].Persona.ID != "c" || goals[0].Trust != 4 || goals[1].Persona.ID != "b" {
		t.Errorf("goals: %d of %d: %+v", len(goals), total, goals)
	}
	alone, err := s.State(t.Context(), o, "z")
	must(t, err)
	same(t, "alone", persona.State{Persona: someone("z", "Zed", "secure", "g")}, alone)
}

func totals(t *testing.T, s persona.Store) {
	o := filled(t, s)
	want := persona.Totals{Personas: map[string]int{"secure": 1, "anxious": 1, "avoidant": 1}, Interactions: 3, Ties: map[[2]string]persona.TieSum{
		{"anxious", "avoidant"}: {Count: 1, Levels: persona.Levels{Trust: 1, Intimacy: 2, Strength: 3}, Valence: 0.625},
		{"anxious", "secure"}:   {Count: 1, Updated: 1, Levels: persona.Levels{Trust: 4, Intimacy: 5, Strength: 6}, Valence: -1, TrustTrend: 0.5, IntimacyTrend: -0.25},
	}}
	check := func(what string) {
		t.Helper()
		got, err := s.Totals(t.Context(), o)
		must(t, err)
		same(t, what, want, got)
	}
	check("totals")
	_, err := s.Adjust(t.Context(), o, "b", "a", persona.Delta{Trust: 2}, day)
	must(t, err)
	_, err = s.Record(t.Context(), o, said("i4", "a", "b", "x", 0.625, day))
	must(t, err)
	want.Interactions = 4
	want.Ties[[2]string{"anxious", "avoidant"}] = persona.TieSum{Count: 1, Updated: 1, Levels: persona.Levels{Trust: 3, Intimacy: 2, Strength: 3}, Valence: 0.625, TrustTrend: 0.4}
	check("after an update")
	must(t, s.Merge(t.Context(), o, persona.Graph{Personas: []persona.Persona{someone("a", "Bob", "secure")}}))
	want.Personas = map[string]int{"secure": 2, "avoidant": 1}
	want.Ties = map[[2]string]persona.TieSum{{"avoidant", "secure"}: want.Ties[[2]string{"anxious", "avoidant"}], {"secure", "secure"}: want.Ties[[2]string{"anxious", "secure"}]}
	check("after a new style")
}

func adjust(t *testing.T, s persona.Store) {
	o := filled(t, s)
	want := small().Relationships[0]
	for i, d := range []persona.Delta{{Trust: 0.1, Intimacy: 0.2, Strength: 0.3}, {Trust: 10, Intimacy: -10}, {}, {Trust: -0.3, Strength: 6.7}} {
		at := day.Add(time.Duration(i) * time.Minute)
		want = want.Apply(d, at)
		a, b := "a", "b"
		if i%2 == 1 {
			a, b = b, a
		}
		got, err := s.Adjust(t.Context(), o, a, b, d, at)
		must(t, err)
		read, err := s.Relationship(t.Context(), o, b, a)
		must(t, err)
		want.Persona1Name, want.Persona2Name = "Bob", "Cid"
		same(t, fmt.Sprintf("returned %d", i), want, got)
		same(t, fmt.Sprintf("read %d", i), want, read)
	}
	if want.Trust != 9.7 || want.Intimacy != 0 || want.Strength != 10 {
		t.Errorf("levels: %+v", want.Levels)
	}
}

func record(t *testing.T, s persona.Store) {
	o := filled(t, s)
	i := said("new", "b", "a", "'; DROP TABLE x; -- \u00fc \U0001f600", 0.1, day.Add(5*time.Hour))
	got, err := s.Record(t.Context(), o, i)
	must(t, err)
	want := small().Relationships[0].With(i)
	want.Persona1Name, want.Persona2Name = "Bob", "Cid"
	same(t, "relationship", want, got)
	if got.Interactions != 3 || math.Abs(got.Valence-0.45) > 1e-8 {
		t.Errorf("count %d, valence %v", got.Interactions, got.Valence)
	}
	list, total, err := s.Interactions(t.Context(), o, 1)
	must(t, err)
	i.From, i.To = "Cid", "Bob"
	same(t, "interaction", []persona.Interaction{i}, list)
	if total != 4 {
		t.Errorf("total %d", total)
	}
	before := graph(t, s, o)
	if _, err := s.Record(t.Context(), o, i); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a taken id: %v", err)
	}
	same(t, "after a taken id", before, graph(t, s, o))
}

func notFound(t *testing.T, s persona.Store) {
	o := filled(t, s)
	_, err := s.Persona(t.Context(), o, "nobody")
	absent(t, "persona", err)
	_, err = s.State(t.Context(), o, "nobody")
	absent(t, "state", err)
	for _, pair := range [][2]string{{"b", "c"}, {"a", "nobody"}, {"nobody", "none"}, {"a", "a"}, {"a|b", ""}} {
		_, err = s.Relationship(t.Context(), o, pair[0], pair[1])
		absent(t, "relationship", err)
		_, err = s.Adjust(t.Context(), o, pair[0], pair[1], persona.Delta{Trust: 1}, day)
		absent(t, "adjust", err)
		_, err = s.Record(t.Context(), o, said("x", pair[0], pair[1], "x", 0, day))
		absent(t, "record", err)
	}
	same(t, "graph", small(), graph(t, s, o))
}

func absent(t *testing.T, what string, err error) {
	t.Helper()
	var missing *persona.NotFoundError
	if !errors.As(err, &missing) || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s: %v", what, err)
	}
}

func oddIDs(t *testing.T, s persona.Store) {
	o := owner() + `"'}) DETACH DELETE n //`
	odd := []string{"a b", "a/b", `'"`, "`", "$x", "{}", "\u65e5\u672c", "%", "|", "a|b", "a%7Cb", "\n", "\\", "' OR 1=1 --", "'}) DETACH DELETE (p) //"}
	var g persona.Graph
	for _, id := range odd {
		g.Personas = append(g.Personas, someone(id, id, "secure"))
	}
	for i := range odd {
		for j := range i {
			g.Relationships = append(g.Relationships, tied(odd[i], odd[j], float64(i%10), float64(j%10), 0))
		}
	}
	must(t, s.Merge(t.Context(), o, g))
	for i := range odd {
		p, err := s.Persona(t.Context(), o, odd[i])
		must(t, err)
		same(t, "persona", g.Personas[i], p)
		for j := range i {
			r, err := s.Adjust(t.Context(), o, odd[i], odd[j], persona.Delta{Strength: 1}, day)
			must(t, err)
			if r.Trust != float64(i%10) || r.Intimacy != float64(j%10) || r.Strength != 1 {
				t.Errorf("%q, %q: %+v", odd[i], odd[j], r)
			}
		}
	}
}

func owners(t *testing.T, s persona.Store) {
	o, other := filled(t, s), owner()
	must(t, s.Merge(t.Context(), other, persona.Graph{Personas: []persona.Persona{someone("z", "Zed", "secure")}}))
	_, err := s.Persona(t.Context(), other, "a")
	absent(t, "persona", err)
	_, err = s.Adjust(t.Context(), other, "a", "b", persona.Delta{Trust: 1}, day)
	absent(t, "adjust", err)
	_, err = s.Record(t.Context(), other, said("x", "a", "b", "x", 0, day))
	absent(t, "record", err)
	var bad *persona.GraphError
	if err := s.Merge(t.Context(), other, persona.Graph{Relationships: []persona.Relationship{tied("a", "z", 1, 1, 1)}}); !errors.As(err, &bad) {
		t.Errorf("a relationship with another's persona: %v", err)
	}
	must(t, s.Reset(t.Context(), other))
	same(t, "graph", small(), graph(t, s, o))
}

func reset(t *testing.T, s persona.Store) {
	o := filled(t, s)
	for range 2 {
		must(t, s.Reset(t.Context(), o))
		g := graph(t, s, o)
		want := persona.Bundle()
		slices.SortFunc(want.Personas, func(a, b persona.Persona) int { return strings.Compare(a.Name, b.Name) })
		slices.SortFunc(want.Interactions, func(a, b persona.Interaction) int { return b.At.Compare(a.At) })
		same(t, "graph", want, g)
		r, err := s.Adjust(t.Context(), o, "lila", "don", persona.Delta{Trust: 1}, day)
		must(t, err)
		if r.Trust != 8.5 {
			t.Errorf("trust %v", r.Trust)
		}
	}
}

func version(t *testing.T, s persona.Store) {
	o := filled(t, s)
	seen := map[string]bool{}
	look := func(what string) {
		t.Helper()
		v, err := s.Version(t.Context(), o)
		must(t, err)
		again, err := s.Version(t.Context(), o)
		must(t, err)
		if v == "" || seen[v] || v != again {
			t.Errorf("%s: version %q, then %q", what, v, again)
		}
		seen[v] = true
	}
	look("filled")
	_, err := s.Adjust(t.Context(), o, "a", "b", persona.Delta{}, day)
	must(t, err)
	look("adjusted")
	_, err = s.Record(t.Context(), o, said("v", "a", "b", "x", 0, day))
	must(t, err)
	look("recorded")
	must(t, s.Reset(t.Context(), o))
	look("reset")
	must(t, s.Merge(t.Context(), o, small()))
	look("merged")
}

func cancelled(t *testing.T, s persona.Store) {
	o := filled(t, s)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for what, err := range map[string]error{
		"merge": s.Merge(ctx, o, persona.Graph{Personas: []persona.Persona{someone("n", "New", "secure")}}),
		"reset": s.Reset(ctx, o),
		"adjust": func() error {
			_, err := s.Adjust(ctx, o, "a", "b", persona.Delta{Trust: 1}, day)
			return err
		}(),
	} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", what, err)
		}
	}
	same(t, "graph", small(), graph(t, s, o))
}

func healthy(t *testing.T, s persona.Store) {
	must(t, s.Healthy(t.Context()))
	if s.Kind() == "" {
		t.Error("a store has a kind")
	}
}
