package persona

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"catena/internal/access"
	"catena/table"
	"catena/tools"
)

var (
	personaColumns = []table.Column{
		textColumn("persona_id"), textColumn("name"), {Name: "age", Type: table.Int}, textColumn("role"), textColumn("attachment_style"),
		floatColumn("openness"), floatColumn("conscientiousness"), floatColumn("extraversion"), floatColumn("agreeableness"), floatColumn("neuroticism"),
		textColumn("goals"), textColumn("description"),
	}
	relationshipColumns = []table.Column{
		textColumn("relationship"), textColumn("persona1"), textColumn("persona2"), textColumn("relationship_type"),
		floatColumn("trust_level"), floatColumn("intimacy_level"), floatColumn("relationship_strength"), floatColumn("emotional_valence"),
		{Name: "interaction_count", Type: table.Int}, {Name: "last_interaction", Type: table.DateTime},
		textColumn("persona1_id"), textColumn("persona2_id"),
	}
	interactionColumns = []table.Column{
		textColumn("relationship"), textColumn("sender"), textColumn("recipient"), textColumn("content"),
		floatColumn("emotional_valence"), floatColumn("relationship_impact"), {Name: "happened_at", Type: table.DateTime},
		textColumn("sender_id"), textColumn("recipient_id"), textColumn("interaction_id"),
	}
)

func textColumn(name string) table.Column  { return table.Column{Name: name, Type: table.Text} }
func floatColumn(name string) table.Column { return table.Column{Name: name, Type: table.Float} }

// relationshipTypes are the types that questions may name: those of the bundled data and of the tools' descriptions. Others can be
// stored too.
var relationshipTypes = []string{"romantic", "friendship", "professional", "family"}

// Live returns the live tables personas, relationships and interactions. The latter two share the column relationship.
func (k *Toolkit) Live() []tools.Live {
	version := func(ctx context.Context, c access.Caller) (string, error) { return k.version(ctx, c.ID) }
	return []tools.Live{
		{Toolset: Toolset, Name: "personas", Title: "Personas", Columns: personaColumns, Version: version, Values: map[string][]string{"attachment_style": Styles}, Open: k.openPersonas},
		{Toolset: Toolset, Name: "relationships", Title: "Relationships", Columns: relationshipColumns, Version: version, Values: map[string][]string{"relationship_type": relationshipTypes}, Open: k.openRelationships},
		{Toolset: Toolset, Name: "interactions", Title: "Interactions", Columns: interactionColumns, Version: version, Open: k.openInteractions},
	}
}

// A version is asked for in every turn of every chat, so that a store which is away must not hold them up: it has versionTime to answer,
// and after it did not, it is not asked again for versionRest.
const (
	versionTime = 2 * time.Second
	versionRest = 5 * time.Second
)

// outage remembers that the store was away.
type outage struct {
	mu    sync.Mutex
	until time.Time
	err   error
}

func (k *Toolkit) version(ctx context.Context, owner string) (string, error) {
	k.away.mu.Lock()
	until, err := k.away.until, k.away.err
	k.away.mu.Unlock()
	if k.opt.Now().Before(until) {
		return "", err
	}
	limited, cancel := context.WithTimeout(ctx, versionTime)
	defer cancel()
	v, err := k.opt.Store.Version(limited, owner)
	if err == nil || ctx.Err() != nil {
		return v, err
	}
	if limited.Err() != nil {
		err = fmt.Errorf("%w: it did not answer within %v", ErrUnavailable, versionTime)
	}
	if errors.Is(err, ErrUnavailable) {
		k.away.mu.Lock()
		k.away.until, k.away.err = k.opt.Now().Add(versionRest), err
		k.away.mu.Unlock()
	}
	return "", err
}

// build makes a table of a list, row by row.
func build[T any](ctx context.Context, cols []table.Column, list []T, row func(T) []table.Value) (*table.Table, error) {
	b := table.NewBuilder(cols...)
	for i, x := range list {
		if i%often == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err := b.Append(row(x)...); err != nil {
			return nil, err
		}
	}
	return b.Table(), nil
}

func (k *Toolkit) openPersonas(ctx context.Context, c access.Caller) (tools.Result, error) {
	list, _, err := k.opt.Store.Personas(ctx, c.ID, 0)
	if err != nil {
		return tools.Result{}, err
	}
	t, err := build(ctx, personaColumns, list, func(p Persona) []table.Value {
		age := table.NullValue
		if p.Age > 0 {
			age = table.IntValue(int64(p.Age))
		}
		return []table.Value{table.TextValue(p.ID), table.TextValue(p.Name), age, optional(p.Role), table.TextValue(p.AttachmentStyle),
			table.FloatValue(p.Traits.Openness), table.FloatValue(p.Traits.Conscientiousness), table.FloatValue(p.Traits.Extraversion),
			table.FloatValue(p.Traits.Agreeableness), table.FloatValue(p.Traits.Neuroticism), optional(strings.Join(p.Goals, "; ")), optional(p.Description)}
	})
	return tools.Result{Table: t, Name: "personas", Title: "Personas", Hide: []string{"persona_id"}, Untrusted: true}, err
}

func (k *Toolkit) openRelationships(ctx context.Context, c access.Caller) (tools.Result, error) {
	list, _, err := k.opt.Store.Relationships(ctx, c.ID, 0)
	if err != nil {
		return tools.Result{}, err
	}
	t, err := build(ctx, relationshipColumns, list, func(r Relationship) []table.Value {
		return []table.Value{table.TextValue(r.Key()), table.TextValue(r.Persona1Name), table.TextValue(r.Persona2Name), optional(r.Type),
			table.FloatValue(r.Trust), table.FloatValue(r.Intimacy), table.FloatValue(r.Strength), table.FloatValue(r.Valence),
			table.IntValue(int64(r.Interactions)), moment(r.LastInteraction), table.TextValue(r.Persona1ID), table.TextValue(r.Persona2ID)}
	})
	return tools.Result{Table: t, Name: "relationships", Title: "Relationships", Hide: []string{"relationship", "persona1_id", "persona2_id"}, Untrusted: true}, err
}

func (k *Toolkit) openInteractions(ctx context.Context, c access.Caller) (tools.Result, error) {
	list, _, err := k.opt.Store.Interactions(ctx, c.ID, 0)
	if err != nil {
		return tools.Result{}, err
	}
	t, err := build(ctx, interactionColumns, list, func(i Interaction) []table.Value {
		return []table.Value{table.TextValue(Key(i.SenderID, i.RecipientID)), table.TextValue(i.From), table.TextValue(i.To), table.TextValue(i.Content),
			table.FloatValue(i.Valence), table.FloatValue(i.Impact), moment(i.At), table.TextValue(i.SenderID), table.TextValue(i.RecipientID), table.TextValue(i.ID)}
	})
	return tools.Result{Table: t, Name: "interactions", Title: "Interactions", Hide: []string{"relationship", "sender_id", "recipient_id", "interaction_id"}, Untrusted: true}, err
}

// optional is a text, or nothing where there is none.
func optional(s string) table.Value {
	if s == "" {
		return table.NullValue
	}
	return table.TextValue(s)
}

func moment(t time.Time) table.Value {
	if t.IsZero() {
		return table.NullValue
	}
	return table.DateTimeValue(t)
}
