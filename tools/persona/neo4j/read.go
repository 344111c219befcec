package neo4j

import (
	"context"
	"math"
	"strconv"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"catena/tools/persona"
)

// limitOf is a limit as a query takes it.
func limitOf(limit int) int {
	if limit < 1 {
		return math.MaxInt32
	}
	return limit
}

// Version implements persona.Store. Changes that other programs make do not lead it on.
func (s *Store) Version(ctx context.Context, owner string) (version string, err error) {
	err = s.read(ctx, owner, func(t tx) error {
		version = ""
		row, err := t.one("MATCH (o:PersonaGraph {owner: $owner}) RETURN o.version AS n", nil)
		if err != nil {
			return err
		}
		if row != nil {
			n, _, err := driver.GetRecordValue[int64](row, "n")
			version = strconv.FormatInt(n, 10)
			return err
		}
		n, err := t.count("MATCH (p:PersonaAgent {owner: $owner}) RETURN count(p) AS n", nil)
		if n > 0 {
			version = "0" // adopted: nothing was written through Catena yet
		}
		return err
	})
	return version, err
}

// Persona implements persona.Store.
func (s *Store) Persona(ctx context.Context, owner, id string) (p persona.Persona, err error) {
	err = s.read(ctx, owner, func(t tx) error {
		row, err := t.one("MATCH (p:PersonaAgent {owner: $owner, persona_id: $id}) RETURN p", params{"id": id})
		if err != nil {
			return err
		}
		if row == nil {
			return &persona.NotFoundError{IDs: []string{id}}
		}
		p = personaOf(row.Values[0])
		return nil
	})
	return p, err
}

// Personas implements persona.Store.
func (s *Store) Personas(ctx context.Context, owner string, limit int) (list []persona.Persona, total int, err error) {
	err = s.read(ctx, owner, func(t tx) error {
		if total, err = t.count("MATCH (p:PersonaAgent {owner: $owner}) RETURN count(p) AS n", nil); err != nil {
			return err
		}
		list, err = t.personas(limit)
		return err
	})
	return list, total, err
}

func (t tx) personas(limit int) ([]persona.Persona, error) {
	rows, err := t.all("MATCH (p:PersonaAgent {owner: $owner}) RETURN p ORDER BY p.name, p.persona_id LIMIT $limit", params{"limit": limitOf(limit)})
	list := make([]persona.Persona, len(rows))
	for i, row := range rows {
		list[i] = personaOf(row.Values[0])
	}
	return list, err
}

// stateReturn gives a persona p with the means over its relationships.
const stateReturn = ` OPTIONAL MATCH (p)-[r:RELATIONSHIP {owner: $owner}]-(:PersonaAgent {owner: $owner})
	RETURN p, count(r) AS n, avg(coalesce(r.trust_level, 5.0)) AS trust, avg(coalesce(r.intimacy_level, 5.0)) AS intimacy,
		avg(coalesce(r.relationship_strength, 5.0)) AS strength, avg(coalesce(r.emotional_valence, 0.0)) AS valence`

// State implements persona.Store.
func (s *Store) State(ctx context.Context, owner, id string) (out persona.State, err error) {
	err = s.read(ctx, owner, func(t tx) error {
		row, err := t.one("MATCH (p:PersonaAgent {owner: $owner, persona_id: $id})"+stateReturn, params{"id": id})
		if err != nil {
			return err
		}
		if row == nil {
			return &persona.NotFoundError{IDs: []string{id}}
		}
		out = stateOf(row)
		return nil
	})
	return out, err
}

// Goals implements persona.Store.
func (s *Store) Goals(ctx context.Context, owner string, limit int) (list []persona.State, total int, err error) {
	err = s.read(ctx, owner, func(t tx) error {
		const have = "MATCH (p:PersonaAgent {owner: $owner}) WHERE size(coalesce(p.goals, [])) > 0"
		if total, err = t.count(have+" RETURN count(p) AS n", nil); err != nil {
			return err
		}
		rows, err := t.all(have+" WITH p ORDER BY p.name, p.persona_id LIMIT $limit"+stateReturn+" ORDER BY p.name, p.persona_id", params{"limit": limitOf(limit)})
		list = make([]persona.State, len(rows))
		for i, row := range rows {
			list[i] = stateOf(row)
		}
		return err
	})
	return list, total, err
}

// oneTie finds the relationship r of two personas, whatever its direction in the graph.
const oneTie = `MATCH (a:PersonaAgent {owner: $owner, persona_id: $a})-[r:RELATIONSHIP {owner: $owner}]-(b:PersonaAgent {owner: $owner, persona_id: $b})
	WHERE $a <> $b WITH a, b, r LIMIT 1 `

// tieReturn gives the relationship with its ends.
const tieReturn = `RETURN properties(r) AS r, a.persona_id AS id1, a.name AS name1, a.attachment_style AS style1,
	b.persona_id AS id2, b.name AS name2, b.attachment_style AS style2`

// Relationship implements persona.Store.
func (s *Store) Relationship(ctx context.Context, owner, a, b string) (r persona.Relationship, err error) {
	err = s.read(ctx, owner, func(t tx) error {
		r, err = t.tie(oneTie+tieReturn, a, b, nil)
		return err
	})
	return r, err
}

// tie runs a query that gives a relationship.
func (t tx) tie(query, a, b string, p params) (persona.Relationship, error) {
	if p == nil {
		p = params{}
	}
	p["a"], p["b"] = a, b
	row, err := t.one(query, p)
	if err != nil {
		return persona.Relationship{}, err
	}
	if row == nil {
		return persona.Relationship{}, &persona.NotFoundError{IDs: []string{a, b}}
	}
	return tieOf(row), nil
}

// allTies finds all relationships r, each once, with a as the lesser id.
const allTies = `MATCH (x:PersonaAgent {owner: $owner})-[r:RELATIONSHIP {owner: $owner}]->(y:PersonaAgent {owner: $owner})
	WITH r, CASE WHEN x.persona_id < y.persona_id THEN x ELSE y END AS a, CASE WHEN x.persona_id < y.persona_id THEN y ELSE x END AS b `

// Relationships implements persona.Store.
func (s *Store) Relationships(ctx context.Context, owner string, limit int) (list []persona.Relationship, total int, err error) {
	err = s.read(ctx, owner, func(t tx) error {
		if total, err = t.count(allTies+"RETURN count(r) AS n", nil); err != nil {
			return err
		}
		list, err = t.ties(limit)
		return err
	})
	return list, total, err
}

func (t tx) ties(limit int) ([]persona.Relationship, error) {
	rows, err := t.all(allTies+tieReturn+" ORDER BY name1, name2, id1, id2 LIMIT $limit", params{"limit": limitOf(limit)})
	list := make([]persona.Relationship, len(rows))
	for i, row := range rows {
		list[i] = tieOf(row)
	}
	return list, err
}

// Interactions implements persona.Store.
func (s *Store) Interactions(ctx context.Context, owner string, limit int) (list []persona.Interaction, total int, err error) {
	err = s.read(ctx, owner, func(t tx) error {
		if total, err = t.count("MATCH (i:Interaction {owner: $owner}) RETURN count(i) AS n", nil); err != nil {
			return err
		}
		list, err = t.interactions(limit)
		return err
	})
	return list, total, err
}

func (t tx) interactions(limit int) ([]persona.Interaction, error) {
	rows, err := t.all(`MATCH (i:Interaction {owner: $owner}) WITH i ORDER BY i.timestamp DESC, i.interaction_id DESC LIMIT $limit
		OPTIONAL MATCH (a:PersonaAgent {owner: $owner, persona_id: i.sender_id})
		OPTIONAL MATCH (b:PersonaAgent {owner: $owner, persona_id: i.recipient_id})
		RETURN properties(i) AS i, a.name AS from, b.name AS to ORDER BY i.timestamp DESC, i.interaction_id DESC`, params{"limit": limitOf(limit)})
	list := make([]persona.Interaction, len(rows))
	for i, row := range rows {
		list[i] = interactionOf(row)
	}
	return list, err
}

// Totals implements persona.Store.
func (s *Store) Totals(ctx context.Context, owner string) (out persona.Totals, err error) {
	err = s.read(ctx, owner, func(t tx) error {
		out = persona.Totals{Personas: map[string]int{}, Ties: map[[2]string]persona.TieSum{}}
		rows, err := t.all("MATCH (p:PersonaAgent {owner: $owner}) RETURN p.attachment_style AS style, count(p) AS n", nil)
		if err != nil {
			return err
		}
		for _, row := range rows {
			v := row.AsMap()
			out.Personas[text(v["style"])] = whole(v["n"])
		}
		rows, err = t.all(allTies+`WITH r, a.attachment_style AS s1, b.attachment_style AS s2
			RETURN CASE WHEN s1 < s2 THEN s1 ELSE s2 END AS style1, CASE WHEN s1 < s2 THEN s2 ELSE s1 END AS style2, count(r) AS n,
				sum(CASE WHEN coalesce(r.trend_updates, 0) > 0 THEN 1 ELSE 0 END) AS updated, sum(coalesce(r.trust_level, 5.0)) AS trust,
				sum(coalesce(r.intimacy_level, 5.0)) AS intimacy, sum(coalesce(r.relationship_strength, 5.0)) AS strength,
				sum(coalesce(r.emotional_valence, 0.0)) AS valence, sum(coalesce(r.trend_trust, 0.0)) AS trend_trust,
				sum(coalesce(r.trend_intimacy, 0.0)) AS trend_intimacy`, nil)
		if err != nil {
			return err
		}
		for _, row := range rows {
			v := row.AsMap()
			out.Ties[[2]string{text(v["style1"]), text(v["style2"])}] = persona.TieSum{Count: whole(v["n"]), Updated: whole(v["updated"]),
				Levels:  persona.Levels{Trust: number(v["trust"], 0), Intimacy: number(v["intimacy"], 0), Strength: number(v["strength"], 0)},
				Valence: number(v["valence"], 0), TrustTrend: number(v["trend_trust"], 0), IntimacyTrend: number(v["trend_intimacy"], 0)}
		}
		out.Interactions, err = t.count("MATCH (i:Interaction {owner: $owner}) RETURN count(i) AS n", nil)
		return err
	})
	return out, err
}

// Graph implements persona.Store. It reads under the owner's lock, so that nobody writes meanwhile.
func (s *Store) Graph(ctx context.Context, owner string) (g persona.Graph, err error) {
	err = s.work(ctx, owner, true, func(t tx) error {
		if _, err := t.all("MATCH (o:PersonaGraph {owner: $owner}) SET o.owner = $owner", nil); err != nil {
			return err
		}
		if g.Personas, err = t.personas(0); err != nil {
			return err
		}
		if g.Relationships, err = t.ties(0); err != nil {
			return err
		}
		g.Interactions, err = t.interactions(0)
		return err
	})
	return g.Bare(), err
}
