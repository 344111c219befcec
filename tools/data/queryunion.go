package data

import (
	"strings"

	"catena/table"
)

// maxUnion bounds how many tables one query puts below each other.
const maxUnion = 64

// united puts the rows of further tables below those of t. They must have the same columns, in any order.
func united(t *table.Table, names []string, resolve func(string) (*table.Table, error)) (*table.Table, error) {
	if len(names) == 0 {
		return t, nil
	}
	if len(names) > maxUnion {
		return nil, queryErrorf("union takes at most %d tables", maxUnion)
	}
	all := []*table.Table{t}
	for _, name := range names {
		other, err := resolve(name)
		if err != nil {
			return nil, err
		}
		if missing := lacking(t, other) + lacking(other, t); missing != "" {
			return nil, queryErrorf("%s cannot be added: only one of the tables has %s", name, missing)
		}
		all = append(all, other)
	}
	return table.Concat(all...)
}

// lacking names the columns of a that b does not have.
func lacking(a, b *table.Table) string {
	var out []string
	for _, name := range a.Names() {
		if b.Index(name) < 0 {
			out = append(out, name)
		}
	}
	return strings.Join(out, ", ")
}
