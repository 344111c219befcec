package neo4j

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"catena/tools/persona"
)

// lockTie takes the lock of a relationship, also against writers that are not Catena, and reads it.
const lockTie = oneTie + "SET r.owner = $owner WITH a, b, r " + tieReturn

// setTie writes a relationship that lockTie gave.
const setTie = oneTie + "SET r += $props RETURN r"

// lead changes one relationship by a rule of the domain.
func (t tx) lead(a, b string, rule func(persona.Relationship) persona.Relationship) (persona.Relationship, error) {
	r, err := t.tie(lockTie, a, b, nil)
	if err != nil {
		return r, err
	}
	r = rule(r)
	_, err = t.all(setTie, params{"a": a, "b": b, "props": propsOfTie(t.owner, r)})
	return r, err
}

// Adjust implements persona.Store.
func (s *Store) Adjust(ctx context.Context, owner, a, b string, d persona.Delta, at time.Time) (r persona.Relationship, err error) {
	err = s.write(ctx, owner, func(t tx) error {
		r, err = t.lead(a, b, func(r persona.Relationship) persona.Relationship { return r.Apply(d, at) })
		return err
	})
	return r, err
}

// Record implements persona.Store.
func (s *Store) Record(ctx context.Context, owner string, i persona.Interaction) (r persona.Relationship, err error) {
	err = s.write(ctx, owner, func(t tx) error {
		r, err = t.lead(i.SenderID, i.RecipientID, func(r persona.Relationship) persona.Relationship { return r.With(i) })
		if err != nil {
			return err
		}
		have, err := t.haveInteractions([]string{i.ID})
		if err != nil {
			return err
		}
		if have[i.ID] {
			return fmt.Errorf("interaction %q: %w", i.ID, fs.ErrExist)
		}
		return t.addInteractions([]persona.Interaction{i})
	})
	return r, err
}

// batch is how many rows go with one statement.
const batch = 2000

// inBatches runs a statement over rows.
func (t tx) inBatches(query string, rows []any) error {
	for part := range slices.Chunk(rows, batch) {
		if _, err := t.all(query, params{"rows": part}); err != nil {
			return err
		}
	}
	return nil
}

// have asks which of some ids are there: the query gives them as id.
func (t tx) have(query string, ids []any) (map[string]bool, error) {
	out := map[string]bool{}
	for part := range slices.Chunk(ids, batch) {
		rows, err := t.all(query, params{"rows": part})
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			out[text(row.Values[0])] = true
		}
	}
	return out, nil
}

func (t tx) havePersonas(ids []string) (map[string]bool, error) {
	return t.have("UNWIND $rows AS id MATCH (p:PersonaAgent {owner: $owner, persona_id: id}) RETURN p.persona_id AS id", anys(ids))
}

func (t tx) haveInteractions(ids []string) (map[string]bool, error) {
	return t.have("UNWIND $rows AS id MATCH (i:Interaction {owner: $owner, interaction_id: id}) RETURN i.interaction_id AS id", anys(ids))
}

func (t tx) haveTies(pairs [][2]string) (map[string]persona.Relationship, error) {
	out := map[string]persona.Relationship{}
	for part := range slices.Chunk(pairs, batch) {
		rows := make([]any, len(part))
		for i, p := range part {
			rows[i] = params{"a": p[0], "b": p[1]}
		}
		found, err := t.all(`UNWIND $rows AS row MATCH (a:PersonaAgent {owner: $owner, persona_id: row.a})-[r:RELATIONSHIP {owner: $owner}]-(b:PersonaAgent {owner: $owner, persona_id: row.b})
			`+tieReturn, params{"rows": rows})
		if err != nil {
			return nil, err
		}
		for _, row := range found {
			r := tieOf(row)
			out[r.Key()] = r
		}
	}
	return out, nil
}

func anys(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}

// addInteractions writes interactions that are not there.
func (t tx) addInteractions(list []persona.Interaction) error {
	rows := make([]any, len(list))
	for n, i := range list {
		rows[n] = propsOfInteraction(t.owner, i)
	}
	return t.inBatches(`UNWIND $rows AS row
		MATCH (a:PersonaAgent {owner: $owner, persona_id: row.sender_id}), (b:PersonaAgent {owner: $owner, persona_id: row.recipient_id})
		CREATE (i:Interaction) SET i = row
		CREATE (a)-[:SENT {owner: $owner}]->(i)-[:RECEIVED_BY {owner: $owner}]->(b)`, rows)
}

// Merge implements persona.Store.
func (s *Store) Merge(ctx context.Context, owner string, g persona.Graph) error {
	return s.write(ctx, owner, func(t tx) error { return t.merge(g) })
}

// Replace implements persona.Store.
func (s *Store) Replace(ctx context.Context, owner string, g persona.Graph) error {
	return s.write(ctx, owner, func(t tx) error {
		if err := t.clear(); err != nil {
			return err
		}
		return t.merge(g)
	})
}

func (t tx) merge(g persona.Graph) error {
	g, err := g.Onto(persona.Present{Personas: t.havePersonas, Relationships: t.haveTies, Interactions: t.haveInteractions})
	if err != nil {
		return err
	}
	people := make([]any, len(g.Personas))
	for i, p := range g.Personas {
		people[i] = propsOfPersona(t.owner, p)
	}
	if err := t.inBatches("UNWIND $rows AS row MERGE (p:PersonaAgent {owner: $owner, persona_id: row.persona_id}) SET p = row", people); err != nil {
		return err
	}
	ties := make([]any, len(g.Relationships))
	for i, r := range g.Relationships {
		ties[i] = params{"a": r.Persona1ID, "b": r.Persona2ID, "props": propsOfTie(t.owner, r)}
	}
	err = t.inBatches(`UNWIND $rows AS row
		MATCH (a:PersonaAgent {owner: $owner, persona_id: row.a}), (b:PersonaAgent {owner: $owner, persona_id: row.b})
		MERGE (a)-[r:RELATIONSHIP {owner: $owner}]-(b) SET r = row.props`, ties)
	if err != nil {
		return err
	}
	return t.addInteractions(g.Interactions)
}

// clear removes what the owner has.
func (t tx) clear() error {
	for _, query := range []string{"MATCH (i:Interaction {owner: $owner}) DETACH DELETE i", "MATCH (p:PersonaAgent {owner: $owner}) DETACH DELETE p"} {
		if _, err := t.all(query, nil); err != nil {
			return err
		}
	}
	return nil
}

// Reset implements persona.Store.
func (s *Store) Reset(ctx context.Context, owner string) error {
	return s.Replace(ctx, owner, persona.Bundle())
}
