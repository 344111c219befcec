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
		if tx.Empty() {
			if err := putGraph(ctx, tx, Bundle()); err != nil {
				return err
			}
		}
		return putOnto(ctx, tx, g)
	})
}

func (e *embedded) Replace(ctx context.Context, owner string, g Graph) error {
	return e.change(ctx, owner, func(tx DocsTx) error {
		if err := tx.Clear(); err != nil {
			return err
		}
		return putOnto(ctx, tx, g)
	})
}

// often is how many writes go between two looks at the context.
const often = 512

// putGraph writes a graph without names, whose interactions are not there yet.
func putGraph(ctx context.Context, tx DocsTx, g Graph) error {
	err := each(ctx, g.Personas, func(p Persona) error { return put(tx, kindPersona, p.ID, p) })
	if err == nil {
		err = each(ctx, g.Relationships, func(r Relationship) error { return put(tx, kindRelationship, r.Key(), r) })
	}
	if err == nil {
		err = each(ctx, g.Interactions, func(i Interaction) error { return add(tx, i) })
	}
	return err
}

// putOnto merges a graph into what is there.
func putOnto(ctx context.Context, tx DocsTx, g Graph) error {
	g, err := g.Bare().Onto(Present{
		Personas: func(ids []string) (map[string]bool, error) {
			have := map[string]bool{}
			return have, each(ctx, ids, func(id string) error {
				return get(tx, kindPersona, id, func([]byte) error { have[id] = true; return nil })
			})
		},
		Relationships: func(pairs [][2]string) (map[string]Relationship, error) {
			have := map[string]Relationship{}
			return have, each(ctx, pairs, func(p [2]string) error {
				return get(tx, kindRelationship, Key(p[0], p[1]), func(body []byte) error {
					var r Relationship
					err := json.Unmarshal(body, &r)
					have[r.Key()] = r
					return err
				})
			})
		},
		Interactions: func(ids []string) (map[string]bool, error) {
			have := map[string]bool{}
			return have, each(ctx, ids, func(id string) (err error) {
				have[id], err = tx.Has(id)
				return err
			})
		},
	})
	if err != nil {
		return err
	}
	return putGraph(ctx, tx, g)
}

// get gives a document to f, if there is one.
func get(tx DocsTx, kind, id string, f func(body []byte) error) error {
	body, err := tx.Get(kind, id)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	return f(body)
}

// each goes through a list until the context ends.
func each[T any](ctx context.Context, list []T, f func(T) error) error {
	for i, x := range list {
		if i%often == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := f(x); err != nil {
			return err
		}
	}
	return nil
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
