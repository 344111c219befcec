package persona

import (
	"fmt"
	"math"
	"time"
)

// Present answers what a store has of an owner, as a merge needs it. Each is asked at most once, for all that the graph names.
type Present struct {
	Personas func(ids []string) (map[string]bool, error)
	// Relationships are by Key.
	Relationships func(pairs [][2]string) (map[string]Relationship, error)
	Interactions  func(ids []string) (map[string]bool, error)
}

// Onto returns what a store has to write so that the graph is merged into what it has: the personas, the relationships with the figures
// that follow from their interactions (see Relationship.following), also those that only get new interactions, and the interactions
// that are not there yet. It changes nothing. Personas and relationships that are named and are nowhere give a *GraphError; other
// errors are those of the questions.
func (g Graph) Onto(p Present) (Graph, error) {
	if err := g.complete(p.Personas); err != nil {
		return Graph{}, err
	}
	pairs := map[string][2]string{}
	given := make(map[string]bool, len(g.Relationships))
	for _, r := range g.Relationships {
		given[r.Key()] = true
		pairs[r.Key()] = [2]string{r.Persona1ID, r.Persona2ID}
	}
	ids := make([]string, len(g.Interactions))
	for n, i := range g.Interactions {
		ids[n] = i.ID
		pairs[Key(i.SenderID, i.RecipientID)] = [2]string{i.SenderID, i.RecipientID}
	}
	ask := make([][2]string, 0, len(pairs))
	for _, pair := range pairs {
		ask = append(ask, pair)
	}
	old, err := p.Relationships(ask)
	if err != nil {
		return Graph{}, err
	}
	for n, i := range g.Interactions {
		key := Key(i.SenderID, i.RecipientID)
		if _, ok := old[key]; !ok && !given[key] {
			return Graph{}, &GraphError{Path: fmt.Sprintf("interactions[%d]", n),
				Reason: fmt.Sprintf("%q and %q have no relationship, neither in the file nor in the store; add it to relationships", short(i.SenderID), short(i.RecipientID))}
		}
	}
	have, err := p.Interactions(ids)
	if err != nil {
		return Graph{}, err
	}
	return g.settled(old, have), nil
}

// settled is the graph with figures that follow, without the interactions that are there.
func (g Graph) settled(old map[string]Relationship, have map[string]bool) Graph {
	listed, kept := map[string]figures{}, map[string]figures{}
	for key, r := range old {
		kept[key] = figures{count: r.Interactions, mean: r.Valence, last: r.LastInteraction}
	}
	out := Graph{Personas: g.Personas, Relationships: make([]Relationship, 0, len(g.Relationships)), Interactions: make([]Interaction, 0, len(g.Interactions))}
	touched := []string{} // relationships that may only get interactions, in the order of these
	for _, i := range g.Interactions {
		key := Key(i.SenderID, i.RecipientID)
		if _, seen := listed[key]; !seen {
			touched = append(touched, key)
		}
		listed[key] = listed[key].with(i)
		if !have[i.ID] {
			kept[key] = kept[key].with(i)
			out.Interactions = append(out.Interactions, i)
		}
	}
	given := make(map[string]bool, len(g.Relationships))
	for _, r := range g.Relationships {
		given[r.Key()] = true
		out.Relationships = append(out.Relationships, r.following(kept[r.Key()], listed[r.Key()]))
	}
	for _, key := range touched {
		if r, ok := old[key]; ok && !given[key] && kept[key].count > r.Interactions {
			r.Interactions, r.Valence, r.LastInteraction = kept[key].count, digits(kept[key].mean), kept[key].last
			out.Relationships = append(out.Relationships, r)
		}
	}
	return out
}

// figures are what follows from interactions.
type figures struct {
	count int
	mean  float64 // valence
	last  time.Time
}

// with counts an interaction. The mean is led on as Relationship.With does it, but rounded only in the end.
func (f figures) with(i Interaction) figures {
	f.count++
	f.mean += (i.Valence - f.mean) / float64(f.count)
	if i.At.After(f.last) {
		f.last = i.At
	}
	return f
}

// sameMean is how far a mean that a file gives may be from the one that follows: it was rounded after each interaction.
const sameMean = 1e-6

// following gives a relationship of a file the figures that follow from its interactions: those that the store has counted with
// the new ones, or those that the file lists, whichever are more. Only where the file speaks of more than these, it is believed: it
// need not list what was long ago. Without any interaction all that the file gives stays.
func (r Relationship) following(kept, listed figures) Relationship {
	known := kept
	if listed.count > kept.count {
		known = listed
	}
	switch {
	case known.count == 0:
		return r
	case r.Interactions > known.count:
		if known.last.After(r.LastInteraction) {
			r.LastInteraction = known.last
		}
		return r
	case r.Interactions < known.count || math.Abs(r.Valence-known.mean) > sameMean:
		r.Valence = digits(known.mean)
	}
	r.Interactions, r.LastInteraction = known.count, known.last
	return r
}

// complete checks that everybody whom the graph's relationships name is in the graph or in the store.
func (g Graph) complete(present func(ids []string) (map[string]bool, error)) error {
	people := make(map[string]bool, len(g.Personas))
	for _, p := range g.Personas {
		people[p.ID] = true
	}
	ask := []string{}
	for _, r := range g.Relationships {
		for _, id := range []string{r.Persona1ID, r.Persona2ID} {
			if !people[id] {
				ask = append(ask, id)
			}
		}
	}
	have, err := present(ask)
	if err != nil {
		return err
	}
	for i, r := range g.Relationships {
		for _, id := range []string{r.Persona1ID, r.Persona2ID} {
			if !people[id] && !have[id] {
				return &GraphError{Path: fmt.Sprintf("relationships[%d]", i),
					Reason: fmt.Sprintf("there is no persona %q, neither in the file nor in the store; add it to personas", short(id))}
			}
		}
	}
	return nil
}
