package persona

import (
	"context"
	"errors"
	"fmt"
	"math"

	"catena/tools"
)

// smallDelta is how far a level may move, of its range of 10, without a question, where the user's own words say so: that many words move it
// back.
const smallDelta = 2.0

// smallUpdate reports whether each level moves by smallDelta at most.
func smallUpdate(args map[string]any) bool {
	for _, name := range []string{"trust_delta", "intimacy_delta", "strength_delta"} {
		if math.Abs(numberIn(args, name)) > smallDelta {
			return false
		}
	}
	return true
}

// smallRecord holds of each interaction: it adds one, and replaces nothing but a mean over all.
func smallRecord(map[string]any) bool { return true }

// updateEffect says which levels of whom would become what.
func (k *Toolkit) updateEffect(ctx context.Context, call tools.Call) (tools.Effect, error) {
	effect := tools.Effect{What: "Change the relationship of two personas"}
	r, ok, err := k.affected(ctx, call, &effect, "persona1_id", "persona2_id")
	if !ok {
		return effect, err
	}
	notes := []string{}
	d := Delta{Trust: delta(call, "trust_delta", &notes), Intimacy: delta(call, "intimacy_delta", &notes), Strength: delta(call, "strength_delta", &notes)}
	then := r.Apply(d, k.now())
	effect.Nothing = true
	for _, x := range []struct {
		name         string
		delta        float64
		before, then float64
	}{{"trust", d.Trust, r.Trust, then.Trust}, {"intimacy", d.Intimacy, r.Intimacy, then.Intimacy}, {"strength", d.Strength, r.Strength, then.Strength}} {
		if x.delta != 0 {
			effect.Lines = append(effect.Lines, tools.Change(x.name, x.before, x.then))
		}
		effect.Nothing = effect.Nothing && x.before == x.then
	}
	return effect, nil
}

// recordEffect says what would be kept, and what it would move.
func (k *Toolkit) recordEffect(ctx context.Context, call tools.Call) (tools.Effect, error) {
	effect := tools.Effect{What: "Record an interaction of two personas"}
	r, ok, err := k.affected(ctx, call, &effect, "sender_id", "recipient_id")
	if !ok {
		return effect, err
	}
	i := Interaction{Valence: number(call, "emotional_valence"), At: k.now()}
	then := r.With(i)
	effect.Lines = append(effect.Lines, tools.Line("what is said", call.Text("content")), tools.Line("emotional valence", i.Valence),
		tools.Change("interactions", r.Interactions, then.Interactions), tools.Change("mean emotional valence", r.Valence, then.Valence))
	return effect, nil
}

// affected reads the relationship that a call is about and names its two in the effect. ok is false where there is none, which the effect
// says, or where it cannot be read.
func (k *Toolkit) affected(ctx context.Context, call tools.Call, effect *tools.Effect, first, second string) (r Relationship, ok bool, err error) {
	a, b := call.Text(first), call.Text(second)
	r, err = k.relationship(ctx, call.Caller.ID, &a, &b)
	var missing *NotFoundError
	if errors.As(err, &missing) {
		effect.Lines = append(effect.Lines, tools.Line("of", a), tools.Line("and", b), tools.Line("not there", missing.Error()))
		return r, false, nil
	}
	if err != nil {
		return r, false, fmt.Errorf("what a persona tool would change: %w", err)
	}
	effect.Lines = append(effect.Lines, tools.Line("of", r.nameOf(a)), tools.Line("and", r.nameOf(b)))
	return r, true, nil
}
