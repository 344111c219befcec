package reader

import (
	"slices"

	"catena/planner/reader/link"
)

// mostPlaces bounds which of the best ones a message can mean.
const mostPlaces = 1000

// nthOf is a superlative that means another than the first: the second highest. Superlative, ordinal.
func nthOf(_ *scope, p []meaning, _ []string) (meaning, []Feature) {
	n, ok := p[1].(link.NumberRef)
	if !ok || !n.Ordinal || placeOf(p[0]) > 0 {
		return nil, nil
	}
	i, whole := n.Value.Int()
	if !whole || i < 2 || i > mostPlaces {
		return nil, nil
	}
	switch x := p[0].(type) {
	case word:
		x.nth = i
		return x, nil
	case scaled:
		x.nth = i
		return x, nil
	}
	return nil, nil
}

// placeOf is which of the best ones is meant, where it is another than the first; 0 otherwise.
func placeOf(m meaning) int64 {
	after := func(skip int64) int64 {
		if skip == 0 {
			return 0
		}
		return skip + 1
	}
	switch x := m.(type) {
	case word:
		return x.nth
	case scaled:
		return x.nth
	case *rows:
		return after(x.skip)
	case *answer:
		if x.of != nil && x.skip == 0 {
			return after(x.of.skip)
		}
		return after(x.skip)
	}
	return 0
}

// forgetsPlace reports whether a superlative that means another than the first becomes something that does not say so.
func forgetsPlace(parts []meaning, made meaning) bool {
	said := slices.ContainsFunc(parts, func(p meaning) bool {
		switch p.(type) {
		case word, scaled:
			return placeOf(p) > 0
		}
		return false
	})
	return said && placeOf(made) == 0
}
