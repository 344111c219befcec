package persona

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"time"
)

// change runs a change of the owner's documents.
func (e *embedded) change(ctx context.Context, owner string, f func(tx DocsTx) error) error {
	return Unavailable(e.docs.GraphChange(ctx, owner, f))
}

// relate reads a relationship to change it. An owner who has nothing yet gets the bundle first.
func relate(tx DocsTx, a, b string) (r Relationship, err error) {
	if tx.Empty() {
		if _, ok := bundled().ties[Key(a, b)]; !ok {
			return r, noRelationship(a, b)
		}
		if err := putGraph(context.Background(), tx, Bundle()); err != nil {
			return r, err
		}
	}
	body, err := tx.Get(kindRelationship, Key(a, b))
	if errors.Is(err, fs.ErrNotExist) {
		return r, noRelationship(a, b)
	} else if err != nil {
		return r, err
	}
	return r, json.Unmarshal(body, &r)
}

// named gives a relationship its names.
func named(tx DocsTx, r Relationship) (Relationship, error) {
	for _, x := range []struct {
		id   string
		name *string
	}{{r.Persona1ID, &r.Persona1Name}, {r.Persona2ID, &r.Persona2Name}} {
		body, err := tx.Get(kindPersona, x.id)
		if err != nil {
			return r, err
		}
		var p Persona
		if err := json.Unmarshal(body, &p); err != nil {
			return r, err
		}
		*x.name = p.Name
	}
	return r, nil
}

func (e *embedded) Adjust(ctx context.Context, owner, a, b string, d Delta, at time.Time) (r Relationship, err error) {
	err = e.change(ctx, owner, func(tx DocsTx) error {
		if r, err = relate(tx, a, b); err != nil {
			return err
		}
		r = r.Apply(d, at)
		if err := put(tx, kindRelationship, r.Key(), r); err != nil {
			return err
		}
		r, err = named(tx, r)
		return err
	})
	return r, err
}

func (e *embedded) Record(ctx context.Context, owner string, i Interaction) (r Relationship, err error) {
	i.From, i.To = "", ""
	err = e.change(ctx, owner, func(tx DocsTx) error {
		if r, err = relate(tx, i.SenderID, i.RecipientID); err != nil {
			return err
		}
		r = r.With(i)
		if err := add(tx, i); err != nil {
			return err
		}
		if err := put(tx, kindRelationship, r.Key(), r); err != nil {
			return err
		}
		r, err = named(tx, r)
		return err
	})
	return r, err
}

func (e *embedded) Reset(ctx context.Context, owner string) error {
	return e.change(ctx, owner, func(tx DocsTx) error { return tx.Clear() })
}

func (e *embedded) Merge(ctx context.Context, owner string, g Graph) error {
	return e.change(ctx, owner, func(tx DocsTx) error {
		if err := complete(tx, g); err != nil {
			return err
		}
		return putGraph(ctx, tx, g.Bare())
	})
}

// often is how many writes go between two looks at the context.
const often = 512

// putGraph writes a graph without names.
func putGraph(ctx context.Context, tx DocsTx, g Graph) error {
	for i, p := range g.Personas {
		if err := step(ctx, i, put(tx, kindPersona, p.ID, p)); err != nil {
			return err
		}
	}
	for i, r := range g.Relationships {
		if err := step(ctx, i, put(tx, kindRelationship, r.Key(), r)); err != nil {
			return err
		}
	}
	for i, x := range g.Interactions {
		has, err := tx.Has(x.ID)
		if err == nil && !has {
			err = add(tx, x)
		}
		if err := step(ctx, i, err); err != nil {
			return err
		}
	}
	return nil
}

// complete checks that nobody is missing, before anything is written.
func complete(tx DocsTx, g Graph) error {
	has := func(kind, id string, into map[string]bool) error {
		if into[id] {
			return nil
		}
		_, err := tx.Get(kind, id)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		into[id] = err == nil
		return err
	}
	return g.Complete(func(ids []string) (map[string]bool, error) {
		have := map[string]bool{}
		for _, id := range ids {
			if err := has(kindPersona, id, have); err != nil {
				return nil, err
			}
		}
		return have, nil
	}, func(pairs [][2]string) (map[string]bool, error) {
		have := map[string]bool{}
		for _, p := range pairs {
			if err := has(kindRelationship, Key(p[0], p[1]), have); err != nil {
				return nil, err
			}
		}
		return have, nil
	})
}

func step(ctx context.Context, i int, err error) error {
	if err == nil && i%often == 0 {
		return ctx.Err()
	}
	return err
}

func put(tx DocsTx, kind, id string, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return tx.Put(kind, id, body)
}

func add(tx DocsTx, i Interaction) error {
	body, err := json.Marshal(i)
	if err != nil {
		return err
	}
	return tx.Add(i.ID, i.At.UnixMicro(), body)
}
