package neo4j

import (
	"cmp"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"catena/tools/persona"
)

// Values come from a graph that other programs may write to, so that what is missing or of another type is read as unknown.

func text(v any) string { s, _ := v.(string); return s }

func whole(v any) int {
	switch x := v.(type) {
	case int64:
		return int(x)
	case float64:
		return int(x)
	}
	return 0
}

func number(v any, otherwise float64) float64 {
	switch x := v.(type) {
	case float64:
		return x
	case int64:
		return float64(x)
	}
	return otherwise
}

func moment(v any) time.Time {
	switch x := v.(type) {
	case time.Time:
		return x.UTC()
	case driver.LocalDateTime:
		return x.Time().UTC()
	}
	return time.Time{}
}

// given is a time as a parameter; none is null.
func given(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UTC()
}

// middle is a level that nobody has set.
const middle = persona.MaxLevel / 2

// styleOf is an attachment style; clients of such graphs take one that is missing for secure.
func styleOf(v any) string { return cmp.Or(text(v), "secure") }

func personaOf(v any) persona.Persona {
	node, _ := v.(driver.Node)
	m := node.Props
	d := persona.DefaultTraits()
	p := persona.Persona{ID: text(m["persona_id"]), Name: text(m["name"]), Age: whole(m["age"]), Role: text(m["role"]), Description: text(m["description"]),
		AttachmentStyle: styleOf(m["attachment_style"]), CommunicationStyle: text(m["communication_style"]),
		Traits: persona.Traits{Openness: number(m["openness"], d.Openness), Conscientiousness: number(m["conscientiousness"], d.Conscientiousness),
			Extraversion: number(m["extraversion"], d.Extraversion), Agreeableness: number(m["agreeableness"], d.Agreeableness),
			Neuroticism: number(m["neuroticism"], d.Neuroticism)},
		Created: moment(m["created_at"]), Updated: moment(m["updated_at"])}
	goals, _ := m["goals"].([]any)
	for _, g := range goals {
		p.Goals = append(p.Goals, text(g))
	}
	return p
}

func propsOfPersona(owner string, p persona.Persona) params {
	goals := make([]any, len(p.Goals))
	for i, g := range p.Goals {
		goals[i] = g
	}
	return params{"owner": owner, "persona_id": p.ID, "name": p.Name, "age": p.Age, "role": p.Role, "description": p.Description,
		"attachment_style": p.AttachmentStyle, "communication_style": p.CommunicationStyle, "goals": goals,
		"openness": p.Traits.Openness, "conscientiousness": p.Traits.Conscientiousness, "extraversion": p.Traits.Extraversion,
		"agreeableness": p.Traits.Agreeableness, "neuroticism": p.Traits.Neuroticism, "created_at": given(p.Created), "updated_at": given(p.Updated)}
}

// tieOf reads what tieReturn gives.
func tieOf(row *driver.Record) persona.Relationship {
	v := row.AsMap()
	m, _ := v["r"].(map[string]any)
	r := persona.Relationship{Persona1ID: text(v["id1"]), Persona1Name: text(v["name1"]), Persona2ID: text(v["id2"]), Persona2Name: text(v["name2"]),
		Type: text(m["relationship_type"]),
		Levels: persona.Levels{Trust: number(m["trust_level"], middle), Intimacy: number(m["intimacy_level"], middle),
			Strength: number(m["relationship_strength"], middle)},
		Valence: number(m["emotional_valence"], 0), Interactions: whole(m["interaction_count"]), LastInteraction: moment(m["last_interaction"]),
		Trend:   persona.Trend{Updates: whole(m["trend_updates"]), Trust: number(m["trend_trust"], 0), Intimacy: number(m["trend_intimacy"], 0)},
		Created: moment(m["created_at"]), Updated: moment(m["updated_at"]),
		Styles: [2]string{styleOf(v["style1"]), styleOf(v["style2"])}}
	if r.Persona1ID > r.Persona2ID {
		r.Styles[0], r.Styles[1] = r.Styles[1], r.Styles[0]
		r.Persona1ID, r.Persona1Name, r.Persona2ID, r.Persona2Name = r.Persona2ID, r.Persona2Name, r.Persona1ID, r.Persona1Name
	}
	return r
}

func propsOfTie(owner string, r persona.Relationship) params {
	return params{"owner": owner, "relationship_type": r.Type, "trust_level": r.Trust, "intimacy_level": r.Intimacy, "relationship_strength": r.Strength,
		"emotional_valence": r.Valence, "interaction_count": r.Interactions, "last_interaction": given(r.LastInteraction),
		"trend_updates": r.Trend.Updates, "trend_trust": r.Trend.Trust, "trend_intimacy": r.Trend.Intimacy,
		"created_at": given(r.Created), "updated_at": given(r.Updated)}
}

func interactionOf(row *driver.Record) persona.Interaction {
	v := row.AsMap()
	m, _ := v["i"].(map[string]any)
	return persona.Interaction{ID: text(m["interaction_id"]), SenderID: text(m["sender_id"]), RecipientID: text(m["recipient_id"]),
		From: text(v["from"]), To: text(v["to"]), Content: text(m["content"]), Valence: number(m["emotional_valence"], 0),
		Impact: number(m["relationship_impact"], 0), At: moment(m["timestamp"])}
}

func propsOfInteraction(owner string, i persona.Interaction) params {
	return params{"owner": owner, "interaction_id": i.ID, "sender_id": i.SenderID, "recipient_id": i.RecipientID, "content": i.Content,
		"emotional_valence": i.Valence, "relationship_impact": i.Impact, "timestamp": given(i.At)}
}

func stateOf(row *driver.Record) persona.State {
	v := row.AsMap()
	return persona.State{Persona: personaOf(v["p"]), Relationships: whole(v["n"]), Valence: number(v["valence"], 0),
		Levels: levelsOf(v, whole(v["n"]))}
}

// levelsOf are the means of stateReturn; without a relationship there are none.
func levelsOf(v map[string]any, n int) persona.Levels {
	if n == 0 {
		return persona.Levels{}
	}
	return persona.Levels{Trust: number(v["trust"], 0), Intimacy: number(v["intimacy"], 0), Strength: number(v["strength"], 0)}
}
