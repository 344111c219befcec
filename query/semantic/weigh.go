package semantic

import (
	"math"
	"strings"
)

// weigh gives the candidate its score: how well the names fit, or else how much the values say, times the share of the
// values that are the key's. It is 0 where that speaks against a reference.
func (c *candidate) weigh() {
	sampled := len(c.from.sample)
	if sampled == 0 || c.key.sampled { // nothing but names
		if c.fit >= nameRole {
			c.score = 0.8 * c.fit * c.key.keyed
		}
		return
	}
	share := float64(c.found) / float64(sampled)
	switch {
	case c.fit >= nameFits && share >= c.demanded():
		c.score = c.fit * share
	case c.fit < nameFits && share >= almostAll:
		c.score = c.evidence() * share
	}
}

// almostAll is the share of values that are the key's where names say little.
const almostAll = 0.98

// demanded is the share of values that must be the key's, by how well the names fit. Where they fit exactly, rows may
// have been left out of the key's table.
func (c *candidate) demanded() float64 {
	const most = 0.75
	if c.fit >= nameRole {
		return most
	}
	return almostAll
}

// evidence is what values alone say: the more of them, the more of the key's they are, and the less likely by chance.
func (c *candidate) evidence() float64 {
	const enough, part = 10, 0.1
	covered := float64(c.from.meta.DistinctCount) / float64(max(c.key.meta.DistinctCount, 1))
	if covered < part {
		return 0
	}
	return min(1, math.Sqrt(float64(len(c.from.sample))/enough)) * (1 - c.key.chance()) * c.key.keyed * 0.9
}

// better reports whether c is a better reading of the column than another candidate: by score, then by how much the key
// is its table's own, then by the order of the tables.
func (c *candidate) better(than *candidate) bool {
	const close = 0.02
	if d := c.score*c.key.keyed - than.score*than.key.keyed; math.Abs(d) > close {
		return d > 0
	}
	if c.key.keyed != than.key.keyed {
		return c.key.keyed > than.key.keyed
	}
	return c.score > than.score
}

// nameRoles gives relationships between the same two tables that have no role one by their columns' names.
func nameRoles(list []Relationship) {
	pairs := map[string]int{}
	key := func(r Relationship) string { return strings.ToLower(r.Left) + "\x00" + strings.ToLower(r.Right) }
	for _, r := range list {
		pairs[key(r)]++
	}
	for i, r := range list {
		if pairs[key(r)] > 1 || strings.EqualFold(r.Left, r.Right) {
			list[i].Role = roleOf(r)
		}
	}
}
