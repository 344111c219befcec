package persona

import (
	"context"
	"errors"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// near does something with personas by their ids, and, where one is not there, once more with the ids of those that were meant: see
// meant. ids point to what do uses.
func (k *Toolkit) near(ctx context.Context, owner string, do func() error, ids ...*string) error {
	err := do()
	var absent *NotFoundError
	if !errors.As(err, &absent) {
		return err
	}
	list, _, listErr := k.opt.Store.Personas(ctx, owner, 0)
	if listErr != nil {
		return listErr
	}
	changed := false
	for _, id := range ids {
		fits := meant(list, *id)
		switch {
		case len(fits) > 1:
			return &NotFoundError{IDs: []string{*id}, Fits: fits}
		case len(fits) == 1 && fits[0] != *id:
			*id, changed = fits[0], true
		}
	}
	if !changed || len(ids) == 2 && *ids[0] == *ids[1] {
		return err
	}
	return do()
}

// persona, state and relationship read what is meant by ids, and set these to what they are.

func (k *Toolkit) persona(ctx context.Context, owner string, id *string) (p Persona, err error) {
	err = k.near(ctx, owner, func() error {
		p, err = k.opt.Store.Persona(ctx, owner, *id)
		return err
	}, id)
	return p, err
}

func (k *Toolkit) state(ctx context.Context, owner string, id *string) (s State, err error) {
	err = k.near(ctx, owner, func() error {
		s, err = k.opt.Store.State(ctx, owner, *id)
		return err
	}, id)
	return s, err
}

func (k *Toolkit) relationship(ctx context.Context, owner string, a, b *string) (r Relationship, err error) {
	err = k.near(ctx, owner, func() error {
		r, err = k.opt.Store.Relationship(ctx, owner, *a, *b)
		return err
	}, a, b)
	return r, err
}

// meant returns the ids of the personas that a text can mean: the one with this id, else those whose id or name it is but for case,
// accents and apostrophes.
func meant(list []Persona, given string) (ids []string) {
	want := folded(given)
	for _, p := range list {
		if p.ID == given {
			return []string{given}
		}
		if want != "" && (folded(p.ID) == want || folded(p.Name) == want) {
			ids = append(ids, p.ID)
		}
	}
	return ids
}

// folded leaves what names are compared by. Unicode's compatibility forms are taken apart, so that marks can go.
func folded(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) || strings.ContainsRune("'\u2018\u2019\u02bc\u00b4`", r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(strings.TrimSpace(s)))
}
