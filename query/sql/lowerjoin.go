package sql

import (
	"strings"

	"catena/query"
)

// flatten takes inner joins apart: their sides go to units, their conditions to on.
func (b *fromBuilder) flatten(src source, units []source, on *[]query.Expr) []source {
	j, is := src.(*joinNode)
	if !is || kinds[j.kind] != query.Inner {
		return append(units, src)
	}
	units = b.flatten(j.left, units, on)
	units = b.flatten(j.right, units, on)
	*on = append(append(*on, b.usings[j]...), b.conditions(j.on, b.scope)...)
	return units
}

// joined joins units by what compares their columns, and filters by the rest.
func (b *fromBuilder) joined(sources []source, on []query.Expr) query.Query {
	units := make([]unit, len(sources))
	bits := map[string]uint64{}
	for i, src := range sources {
		units[i] = unit{query: b.source(src), bit: 1 << i}
		for _, name := range b.columns(src) {
			bits[name] = units[i].bit
		}
	}
	conditions := make([]condition, len(on))
	for i, e := range on {
		conditions[i] = conditionOf(e, bits)
	}
	out, have := units[0].query, units[0].bit
	for rest := units[1:]; len(rest) > 0; {
		i := nextUnit(rest, have, conditions)
		next := rest[i]
		rest = append(rest[:i:i], rest[i+1:]...)
		out = out.With(query.Join{Kind: query.Inner, With: next.query, On: takeConditions(conditions, have, next.bit)})
		have |= next.bit
	}
	var left []query.Expr
	for _, c := range conditions {
		if !c.used {
			left = append(left, c.expr)
		}
	}
	return b.filtered(out, left)
}

// condition is a condition and the units that it reads.
type condition struct {
	expr  query.Expr
	units uint64
	equal bool // an equality, which a join can look up
	fixed bool // it has a subquery and stays behind the joins
	used  bool
}

func conditionOf(e query.Expr, bits map[string]uint64) condition {
	c := condition{expr: e}
	columns, subquery := reads(e)
	c.fixed = subquery
	for _, name := range columns {
		c.units |= bits[name]
	}
	call, is := e.(query.Call)
	c.equal = is && call.Func == "eq"
	return c
}

// joins tells whether the condition ties the unit to those that are joined.
func (c *condition) joins(have, next uint64) bool {
	if c.used || c.fixed {
		return false
	}
	return c.units&have != 0 && c.units&next != 0 && c.units&^(have|next) == 0
}

// nextUnit is the first unit that an equality ties to those that are joined, else the first.
func nextUnit(rest []unit, have uint64, conditions []condition) int {
	for i, u := range rest {
		for j := range conditions {
			if conditions[j].equal && conditions[j].joins(have, u.bit) {
				return i
			}
		}
	}
	return 0
}

func takeConditions(conditions []condition, have, next uint64) query.Expr {
	var on []query.Expr
	for i := range conditions {
		if conditions[i].joins(have, next) {
			conditions[i].used = true
			on = append(on, conditions[i].expr)
		}
	}
	return all(on)
}

// columns are the distinct names of the columns of a source.
func (b *fromBuilder) columns(src source) []string {
	if j, is := src.(*joinNode); is {
		return append(b.columns(j.left), b.columns(j.right)...)
	}
	var names []string
	for _, c := range b.leaves[src].relation.columns {
		names = append(names, c.as)
	}
	return names
}

// kinds of joins that keep rows without a match.
var kinds = map[string]query.JoinKind{"INNER": query.Inner, "CROSS": query.Inner, "LEFT": query.Left,
	"RIGHT": query.Right, "FULL": query.Full}

// source lowers one unit: a leaf, or a join that is not taken apart.
func (b *fromBuilder) source(src source) query.Query {
	j, is := src.(*joinNode)
	if !is {
		return b.leaves[src].query
	}
	left, right := b.side(j.left), b.side(j.right)
	on := append(b.usings[j], b.conditions(j.on, b.scope)...)
	if len(on) == 0 && kinds[j.kind] != query.Inner {
		b.find(query.Arguments, j.start(), "write ON and the columns that match", "a %s JOIN needs a condition", j.kind)
	}
	return left.With(query.Join{Kind: kinds[j.kind], With: right, On: all(on)})
}

// side lowers one side of a join that is not taken apart.
func (b *fromBuilder) side(src source) query.Query {
	var on []query.Expr
	units := b.flatten(src, nil, &on)
	return b.joined(units, on)
}

// merge goes through the joins from the inside, so that a USING sees what those inside it have merged.
func (b *fromBuilder) merge(src source) {
	j, is := src.(*joinNode)
	if !is {
		return
	}
	b.merge(j.left)
	b.merge(j.right)
	b.usings[j] = b.using(j)
}

// using compares the columns that USING names, or that NATURAL finds, and hides one of each pair.
func (b *fromBuilder) using(j *joinNode) []query.Expr {
	left, right := b.relationsOf(j.left), b.relationsOf(j.right)
	names := j.using
	if j.natural {
		names = shared(left, right)
	}
	if len(names) > 0 && j.kind == "FULL" {
		b.find(Unsupported, j.start(), "write ON, and COALESCE in the list", "a FULL JOIN with USING is not read here")
	}
	var on []query.Expr
	for _, name := range names {
		x, y := pick(left, name), pick(right, name)
		if x == nil || y == nil {
			b.find(query.UnknownColumn, j.start(), "write ON", "not both sides have a column %q", short(name))
			continue
		}
		on = append(on, b.compare("eq", query.Col(x.as), query.Col(y.as), b.scope, j.start()))
		hidden := y
		if j.kind == "RIGHT" {
			hidden = x // the left one is null where nothing matches
		}
		hidden.merged = true
	}
	return on
}

func (b *fromBuilder) relationsOf(src source) []*relation {
	if j, is := src.(*joinNode); is {
		return append(b.relationsOf(j.left), b.relationsOf(j.right)...)
	}
	return []*relation{b.leaves[src].relation}
}

// pick is the column that a plain name means among relations.
func pick(relations []*relation, name string) *column {
	for _, r := range relations {
		for i := range r.columns {
			if c := &r.columns[i]; !c.merged && strings.EqualFold(c.name, name) {
				return c
			}
		}
	}
	return nil
}

func shared(left, right []*relation) []string {
	var names []string
	for _, r := range left {
		for _, c := range r.columns {
			if !c.merged && pick(right, c.name) != nil {
				names = append(names, c.name)
			}
		}
	}
	return names
}
