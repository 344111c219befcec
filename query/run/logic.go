package run

import (
	"errors"
	"slices"

	"catena/query"
	"catena/table"
)

func init() {
	register(map[string]function{
		"and":      {1, -1, buildLogic(allOf)},
		"or":       {1, -1, buildLogic(disjunction)},
		"not":      {1, 1, buildNot},
		"is_null":  {1, 1, buildIsNull},
		"coalesce": {1, -1, buildCoalesce},
		"least":    {1, -1, buildExtreme(relation{less: true})},
		"greatest": {1, -1, buildExtreme(relation{greater: true})},
	})
}

// negated is true where a condition is false.
func negated(a *node) *node {
	return apply(of(table.Bool), lift1(boolLane, boolLane, func(b bool) (bool, bool) { return !b, true }), a)
}

func buildNot(c *compiler, args []*node) (*node, error) {
	a, err := c.truth(args[0])
	if err != nil || a.typ == table.Null {
		return typedNull(of(table.Bool)), err
	}
	return negated(a), nil
}

// truth makes a condition of a node; a number is true where it is not zero.
func (c *compiler) truth(n *node) (*node, error) {
	switch {
	case n.typ == table.Bool || n.typ == table.Null:
		return n, nil
	case n.typ.Numeric():
		return c.compare(relations["ne"], n, constant(table.IntValue(0)))
	}
	return nil, faultf("a condition is needed, and this is %s; compare it with something", n.typ)
}

func buildLogic(combine func([]*node) *node) builder {
	return func(c *compiler, args []*node) (*node, error) {
		for i := range args {
			var err error
			if args[i], err = c.truth(args[i]); err != nil {
				return nil, err
			}
		}
		return combine(args), nil
	}
}

// allOf is true where all are, false where one is false, else null.
func allOf(parts []*node) *node { return logical(parts, false) }

// disjunction is true where one is, false where all are false, else null.
func disjunction(parts []*node) *node { return logical(parts, true) }

// logical is the value decisive where a part has it, else null where a part is null. Parts that cannot decide any
// more row of a block are not evaluated.
func logical(parts []*node, decisive bool) *node {
	return &node{shape: of(table.Bool), column: -1, eval: func(b *block) (vec, error) {
		out := vec{shape: of(table.Bool), bools: make([]bool, b.n)}
		for i := range out.bools {
			out.bools[i] = !decisive
		}
		open := b.n // rows that are not decided
		for _, p := range parts {
			if open == 0 {
				break
			}
			v, err := p.eval(b)
			if err != nil {
				return vec{}, err
			}
			open -= out.decide(&v, decisive, b.n)
		}
		return out, nil
	}}
}

// decide takes in one part of a logical node and says how many rows it decided.
func (v *vec) decide(part *vec, decisive bool, n int) int {
	step, decided := part.step(), 0
	if v.nulls == nil && part.nulls == nil && part.typ == table.Bool {
		for i := range v.bools[:n] {
			if part.bools[i*step] == decisive && v.bools[i] != decisive {
				v.bools[i] = decisive
				decided++
			}
		}
		return decided
	}
	for i := range n {
		if v.bools[i] == decisive && (v.nulls == nil || !v.nulls[i]) {
			continue
		}
		switch {
		case part.isNull(i):
			v.setNull(i, n)
		case part.bools[i*step] == decisive:
			v.bools[i] = decisive
			decided++
			if v.nulls != nil {
				v.nulls[i] = false
			}
		}
	}
	return decided
}

func buildIsNull(_ *compiler, args []*node) (*node, error) {
	a := args[0]
	return &node{shape: of(table.Bool), column: -1, eval: func(b *block) (vec, error) {
		v, err := a.eval(b)
		if err != nil {
			return vec{}, err
		}
		out := vec{shape: of(table.Bool), one: v.one}
		n := b.n
		if v.one {
			n = 1
		}
		out.bools = make([]bool, n)
		for i := range n {
			out.bools[i] = v.isNull(i)
		}
		return out, nil
	}}, nil
}

// unify casts nodes to the narrowest type that holds them all.
func (c *compiler) unify(nodes []*node) (shape, error) {
	s := shape{}
	for _, n := range nodes {
		var ok bool
		if s, ok = wider2(s, n.shape); !ok {
			return s, faultf("%s and %s have no type in common; cast one of them", s.typ, n.typ)
		}
	}
	for i, n := range nodes {
		var err error
		if nodes[i], err = c.cast(n, s.typ, s.scale, false); err != nil {
			return s, err
		}
	}
	return s, nil
}

// wider2 is the shape that holds the values of two.
func wider2(a, b shape) (shape, bool) {
	isNumber := func(t table.Type) bool { return t.Numeric() || t == table.Bool }
	switch {
	case a.typ == table.Null:
		return b, true
	case b.typ == table.Null:
		return a, true
	case a.typ == b.typ:
		a.scale = max(a.scale, b.scale)
		if a.zone != b.zone {
			a.zone = "UTC"
		}
		return a, true
	case isNumber(a.typ) && isNumber(b.typ):
		return widerNumber(a, b), true
	case a.typ.Temporal() && b.typ.Temporal():
		return shape{typ: table.DateTime, zone: a.zone + b.zone}, true
	}
	return of(table.Text), isText(a.typ) && isText(b.typ)
}

// numberRank orders numbers by what they hold: each holds those before it.
var numberRank = map[table.Type]int{table.Bool: 0, table.Int: 1, table.Decimal: 2, table.Float: 3}

func widerNumber(a, b shape) shape {
	if numberRank[a.typ] < numberRank[b.typ] {
		a, b = b, a
	}
	if a.typ == table.Decimal {
		a.scale = max(a.scale, b.scale)
	}
	return a
}

func buildCoalesce(c *compiler, args []*node) (*node, error) {
	s, err := c.unify(args)
	if err != nil {
		return nil, err
	}
	conditions := make([]*node, len(args)-1)
	for i := range conditions {
		isNull, _ := buildIsNull(c, args[i:i+1])
		conditions[i] = negated(isNull)
	}
	return choose(s, conditions, args), nil
}

func buildExtreme(rel relation) builder {
	return func(c *compiler, args []*node) (*node, error) {
		s, err := c.unify(args)
		if err != nil || s.typ == table.Null {
			return typedNull(s), err
		}
		sign := compareFunc(s, s)
		return &node{shape: s, column: -1, eval: func(b *block) (vec, error) {
			out := vec{shape: s, nulls: slices.Repeat([]bool{true}, b.n)}
			out.grow(b.n)
			for _, a := range args {
				v, err := a.eval(b)
				if err != nil {
					return vec{}, err
				}
				out.improve(&v, b.n, func(i, j int) bool { return rel.accepts(sign(&v, i, &out, j)) })
			}
			return out, nil
		}}, nil
	}
}

// improve takes those of n values that are not null and better than what is there.
func (v *vec) improve(by *vec, n int, better func(i, j int) bool) {
	step := by.step()
	for i := range n {
		if !by.isNull(i) && (v.nulls[i] || better(i*step, i)) {
			v.move(i, by, i*step)
		}
	}
}

// move sets a value to one of another vector of the same type.
func (v *vec) move(i int, from *vec, j int) {
	if v.nulls != nil {
		v.nulls[i] = false
	}
	moveLane(v.bools, from.bools, i, j)
	moveLane(v.ints, from.ints, i, j)
	moveLane(v.floats, from.floats, i, j)
	moveLane(v.decs, from.decs, i, j)
	moveLane(v.texts, from.texts, i, j)
}

func moveLane[T any](to, from []T, i, j int) {
	if len(to) > 0 && len(from) > 0 {
		to[i] = from[j]
	}
}

func (c *compiler) caseOf(x query.Case) (*node, error) {
	conditions, values := make([]*node, len(x.Branches)), make([]*node, len(x.Branches), len(x.Branches)+1)
	for i, b := range x.Branches {
		n, err := c.expr(b.When)
		if err != nil {
			return nil, err
		}
		if conditions[i], err = c.truth(n); err != nil {
			return nil, err
		}
		if values[i], err = c.expr(b.Then); err != nil {
			return nil, err
		}
	}
	last := constant(table.NullValue)
	if x.Else != nil {
		var err error
		if last, err = c.expr(x.Else); err != nil {
			return nil, err
		}
	}
	values = append(values, last)
	s, err := c.unify(values)
	if err != nil {
		return nil, err
	}
	return choose(s, conditions, values), nil
}

// choose is the value whose condition is the first that is true, else the last value. All values are of the shape.
// Only those that a row of the block needs are evaluated, and where one fails, only for the rows that need it.
func choose(s shape, conditions, values []*node) *node {
	return &node{shape: s, column: -1, eval: func(b *block) (vec, error) {
		out := vec{shape: s, nulls: make([]bool, b.n)}
		out.grow(b.n)
		open := make([]int, b.n)
		for i := range open {
			open[i] = i
		}
		for k, value := range values {
			chosen := open
			if k < len(conditions) && len(open) > 0 {
				v, err := conditions[k].eval(b)
				if err != nil {
					return vec{}, err
				}
				chosen, open = split(open, &v)
			}
			if err := out.fill(b, value, chosen); err != nil {
				return vec{}, err
			}
		}
		return out, nil
	}}
}

// split parts rows by a condition.
func split(rows []int, v *vec) (yes, no []int) {
	step := v.step()
	for _, i := range rows {
		if !v.isNull(i) && v.bools[i*step] {
			yes = append(yes, i)
		} else {
			no = append(no, i)
		}
	}
	return yes, no
}

// fill sets the given rows of a block to a node's values.
func (v *vec) fill(b *block, value *node, rows []int) error {
	if len(rows) == 0 {
		return nil
	}
	x, err := value.eval(b)
	if err != nil && (errors.Is(err, errWiden) || b.n == 1) {
		return err
	}
	for _, i := range rows {
		at := i * x.step()
		if err != nil { // for another row, perhaps
			var one error
			if x, one = value.eval(&block{lo: b.lo + i, n: 1, cols: b.cols}); one != nil {
				return one
			}
			at = 0
		}
		if x.isNull(at) {
			v.setNull(i, b.n)
		} else {
			v.move(i, &x, at)
		}
	}
	return nil
}
