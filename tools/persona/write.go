package persona

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"catena/internal/text"
	"catena/tools"
)

func (k *Toolkit) updateTool() tools.Tool {
	return k.define(spec{name: "update_relationship_metrics", title: "Update a relationship", writes: true,
		description: "Changes the trust, intimacy and strength of the relationship of two personas by deltas of -10 to 10; a larger one is clamped, and levels stay within 0 and 10. Use it to raise or lower how much two people trust each other or how close they are.",
		in: object{
			"persona1_id":    idSchema("Id of one persona."),
			"persona2_id":    idSchema("Id of the other persona; the order does not matter."),
			"trust_delta":    deltaSchema("Change of trust."),
			"intimacy_delta": deltaSchema("Change of intimacy."),
			"strength_delta": deltaSchema("Change of the relationship's strength."),
		}, required: []string{"persona1_id", "persona2_id"}, work: k.update, effect: k.updateEffect, small: smallUpdate})
}

func (k *Toolkit) update(ctx context.Context, call tools.Call) (tools.Result, error) {
	a, b, err := ids(call, "persona1_id", "persona2_id")
	if err != nil {
		return tools.Result{}, err
	}
	notes := []string{}
	d := Delta{Trust: delta(call, "trust_delta", &notes), Intimacy: delta(call, "intimacy_delta", &notes), Strength: delta(call, "strength_delta", &notes)}
	var r Relationship
	err = k.near(ctx, call.Caller.ID, func() error {
		r, err = k.opt.Store.Adjust(ctx, call.Caller.ID, a, b, d, k.now())
		return err
	}, &a, &b)
	if err != nil {
		return tools.Result{}, err
	}
	k.announceTie(call.Caller.ID, a, b, false)
	notes = append(notes, r.limits(d)...)
	return tools.Result{Notes: notes,
		Text: fmt.Sprintf("The relationship of %s and %s now has trust %.3g, intimacy %.3g and strength %.3g of 10.",
			r.nameOf(a), r.nameOf(b), r.Trust, r.Intimacy, r.Strength),
		Structured: object{"success": true, "updated_relationship": object{
			"participants": []string{a, b}, "participant_names": []string{r.nameOf(a), r.nameOf(b)},
			"trust_level": r.Trust, "intimacy_level": r.Intimacy, "relationship_strength": r.Strength, "changes": d,
		}, "notes": notes}}, nil
}

// delta reads a change of a level. One beyond the range of levels is clamped, and a note says so.
func delta(call tools.Call, name string, notes *[]string) float64 {
	asked := number(call, name)
	f := min(max(asked, -MaxLevel), MaxLevel)
	if f != asked {
		*notes = append(*notes, fmt.Sprintf("%s %v is beyond %v to %v, so %v was used.", name, asked, -MaxLevel, MaxLevel, f))
	}
	return f
}

// limits says which levels a change moved to an end of their range: they may have moved by less than asked.
func (r Relationship) limits(d Delta) []string {
	notes := []string{}
	for _, x := range []struct {
		name         string
		level, delta float64
	}{{"Trust", r.Trust, d.Trust}, {"Intimacy", r.Intimacy, d.Intimacy}, {"Strength", r.Strength, d.Strength}} {
		switch {
		case x.delta > 0 && x.level == MaxLevel:
			notes = append(notes, fmt.Sprintf("%s is at %v now, the highest level.", x.name, MaxLevel))
		case x.delta < 0 && x.level == 0:
			notes = append(notes, x.name+" is at 0 now, the lowest level.")
		}
	}
	return notes
}

// nameOf is the name of one of the two.
func (r Relationship) nameOf(id string) string {
	if id == r.Persona1ID {
		return r.Persona1Name
	}
	return r.Persona2Name
}

func (k *Toolkit) recordTool() tools.Tool {
	return k.define(spec{name: "record_interaction", title: "Record an interaction", writes: true,
		description: "Keeps what one persona said to another, with how it felt (-1 hurtful to 1 warm); the relationship's interaction count, mean emotional valence and last interaction follow. Use it to log a message, a talk or an encounter of two personas.",
		in: object{
			"sender_id":           idSchema("Id of the persona who speaks."),
			"recipient_id":        idSchema("Id of the persona who is spoken to."),
			"content":             object{"type": "string", "minLength": 1, "maxLength": maxContent, "description": "What was said."},
			"emotional_valence":   numberSchema(-1, 1, "How it felt, -1 (hurtful) to 1 (warm)."),
			"relationship_impact": numberSchema(-1, 1, "What the sender expects of it, -1 to 1. It is kept with the interaction; update_relationship_metrics moves levels."),
		}, required: []string{"sender_id", "recipient_id", "content"}, work: k.record, effect: k.recordEffect, small: smallRecord})
}

func (k *Toolkit) record(ctx context.Context, call tools.Call) (tools.Result, error) {
	from, to, err := ids(call, "sender_id", "recipient_id")
	if err != nil {
		return tools.Result{}, err
	}
	i := Interaction{SenderID: from, RecipientID: to, Content: call.Text("content"), Valence: number(call, "emotional_valence"),
		Impact: number(call, "relationship_impact"), At: k.now()}
	i.ID = NewInteractionID(from, to, i.At)
	var bad *GraphError
	if err := i.check("interaction"); errors.As(err, &bad) {
		return tools.Result{}, &tools.ArgumentError{Argument: "content", Code: tools.CodeBadValue, Reason: bad.Reason, Err: err}
	}
	var r Relationship
	err = k.near(ctx, call.Caller.ID, func() error {
		i.SenderID, i.RecipientID, i.ID = from, to, NewInteractionID(from, to, i.At)
		r, err = k.keep(ctx, call.Caller.ID, &i)
		return err
	}, &from, &to)
	if err != nil {
		return tools.Result{}, err
	}
	k.announceTie(call.Caller.ID, from, to, true)
	felt := fmt.Sprintf("an emotional valence of %.2g", i.Valence)
	if i.Valence == 0 {
		felt = "a neutral emotional valence (0; another can be given, from -1, hurtful, to 1, warm)"
	}
	return tools.Result{
		Text: fmt.Sprintf("Recorded what %s said to %s, with %s. It is interaction %d of theirs; their mean emotional valence is %.2g.",
			r.nameOf(from), r.nameOf(to), felt, r.Interactions, r.Valence),
		Structured: object{"success": true, "interaction_id": i.ID,
			"recorded": object{"sender_id": from, "recipient_id": to, "content_length": len([]rune(i.Content)), "emotional_valence": i.Valence,
				"relationship_impact": i.Impact, "timestamp": stamp(i.At)},
			"relationship": object{"interaction_count": r.Interactions, "emotional_valence": r.Valence, "last_interaction": stamp(r.LastInteraction)},
		}}, nil
}

// keep records an interaction under an id that is free: a random one is taken once in 2^64 times, so a second one will do.
func (k *Toolkit) keep(ctx context.Context, owner string, i *Interaction) (Relationship, error) {
	r, err := k.opt.Store.Record(ctx, owner, *i)
	if errors.Is(err, fs.ErrExist) {
		i.ID = NewInteractionID(i.SenderID, i.RecipientID, i.At)
		r, err = k.opt.Store.Record(ctx, owner, *i)
	}
	return r, err
}

func (k *Toolkit) commitTool() tools.Tool {
	return k.define(spec{name: "commit_relationship_state", title: "Confirm a relationship's state",
		description: "Confirms that the state of the relationship of two personas is stored, and gives it. Every change is stored when its tool returns, so this changes nothing. Use it to make sure that a relationship is saved.",
		in: object{
			"persona1_id": idSchema("Id of one persona."),
			"persona2_id": idSchema("Id of the other persona."),
		}, required: []string{"persona1_id", "persona2_id"}, work: k.commit})
}

func (k *Toolkit) commit(ctx context.Context, call tools.Call) (tools.Result, error) {
	a, b, err := ids(call, "persona1_id", "persona2_id")
	if err != nil {
		return tools.Result{}, err
	}
	r, err := k.relationship(ctx, call.Caller.ID, &a, &b)
	if err != nil {
		return tools.Result{}, err
	}
	return tools.Result{Text: fmt.Sprintf("The relationship of %s and %s is stored.", r.nameOf(a), r.nameOf(b)),
		Structured: object{"success": true, "committed": object{"participants": []string{a, b}, "timestamp": stamp(k.now()), "relationship": r}}}, nil
}

func (k *Toolkit) finalizeTool() tools.Tool {
	return k.define(spec{name: "finalize_demo_session", title: "Summarise the stored relationships",
		description: "Sums up what is stored: personas, relationships with their mean levels, interactions. It changes and deletes nothing. Use it to end a demo session and see that all of it is saved.",
		in:          object{}, work: k.finalize})
}

func (k *Toolkit) finalize(ctx context.Context, call tools.Call) (tools.Result, error) {
	t, err := k.opt.Store.Totals(ctx, call.Caller.ID)
	if err != nil {
		return tools.Result{}, err
	}
	people := 0
	for _, n := range t.Personas {
		people += n
	}
	all := t.all()
	out := object{"committed_relationships": all.Count, "personas": people, "interactions": t.Interactions, "timestamp": stamp(k.now())}
	if all.Count > 0 {
		out["means"] = all.means()
	}
	return tools.Result{Text: fmt.Sprintf("Stored: %s, %s, %s.", text.Count(people, "persona"), text.Count(all.Count, "relationship"), text.Count(t.Interactions, "interaction")),
		Structured: object{"success": true, "finalized": out}}, nil
}

// all is the sum over all styles.
func (t Totals) all() TieSum {
	var s TieSum
	for _, x := range t.Ties {
		s.Count += x.Count
		s.Updated += x.Updated
		s.Trust += x.Trust
		s.Intimacy += x.Intimacy
		s.Strength += x.Strength
		s.Valence += x.Valence
		s.TrustTrend += x.TrustTrend
		s.IntimacyTrend += x.IntimacyTrend
	}
	return s
}

// means are those of the levels, rounded for people.
func (s TieSum) means() object {
	n := float64(max(s.Count, 1))
	return object{"trust_level": hundredths(s.Trust / n), "intimacy_level": hundredths(s.Intimacy / n),
		"relationship_strength": hundredths(s.Strength / n), "emotional_valence": hundredths(s.Valence / n)}
}
