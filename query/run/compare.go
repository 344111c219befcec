package run

import (
	"cmp"

	"catena/table"
)

// relation is a comparison: which signs of a three-way comparison it accepts.
type relation struct{ less, equal, greater bool }

var relations = map[string]relation{
	"eq": {equal: true}, "ne": {less: true, greater: true},
	"lt": {less: true}, "le": {less: true, equal: true},
	"gt": {greater: true}, "ge": {equal: true, greater: true},
}

func (r relation) accepts(sign int) bool {
	switch {
	case sign < 0:
		return r.less
	case sign > 0:
		return r.greater
	}
	return r.equal
}

func (r relation) flipped() relation {
	return relation{less: r.greater, equal: r.equal, greater: r.less}
}

func init() {
	for name, rel := range relations {
		functions[name] = function{2, 2, func(c *compiler, args []*node) (*node, error) {
			return c.compare(rel, args[0], args[1])
		}}
	}
	register(map[string]function{
		"same":    {2, 2, buildSame},
		"in":      {2, -1, buildIn},
		"between": {3, 3, buildBetween},
		"nullif":  {2, 2, buildNullif},
	})
}

// compare is a comparison of two values that have been made of one type.
func (c *compiler) compare(rel relation, a, b *node) (*node, error) {
	if anyNull(a, b) {
		return typedNull(of(table.Bool)), nil
	}
	a, b, err := c.comparable(a, b)
	if err != nil {
		return nil, err
	}
	return apply(of(table.Bool), comparison(rel, a.shape, b.shape), a, b), nil
}

// comparable makes two values of types that compare.
func (c *compiler) comparable(a, b *node) (*node, *node, error) {
	var err error
	to := func(n **node, t table.Type) {
		if err == nil {
			*n, err = c.as(*n, t)
		}
	}
	switch {
	case a.typ == table.Null || b.typ == table.Null:
	case isText(a.typ) && isText(b.typ):
	case a.typ == table.Text && a.literal != nil:
		to(&a, b.typ)
	case b.typ == table.Text && b.literal != nil:
		to(&b, a.typ)
	case a.typ.Temporal() && b.typ.Temporal():
		if a.typ != b.typ {
			to(&a, table.DateTime)
			to(&b, table.DateTime)
		}
	default:
		a, b, err = c.alike(a, b)
	}
	return a, b, err
}

// alike makes conditions numbers where they are compared with some, and refuses what does not compare.
func (c *compiler) alike(a, b *node) (*node, *node, error) {
	var err error
	switch {
	case a.typ == table.Bool && (b.typ == table.Bool || b.typ.Numeric()):
		if a, err = c.as(a, table.Int); err == nil && b.typ == table.Bool {
			b, err = c.as(b, table.Int)
		}
	case b.typ == table.Bool && a.typ.Numeric():
		b, err = c.as(b, table.Int)
	case a.typ == b.typ, a.typ.Numeric() && b.typ.Numeric():
	default:
		err = faultf("%s does not compare with %s; cast one of them", a.typ, b.typ)
	}
	return a, b, err
}

func isText(t table.Type) bool { return t == table.Text || t == table.JSON }

// comparison is the kernel for two types that compare.
func comparison(rel relation, a, b shape) kernel {
	switch {
	case isText(a.typ):
		return ordered(rel, textLane)
	case a.typ == table.Float && b.typ == table.Float:
		return ordered(rel, floatLane)
	case a.typ.Numeric() && a.typ != b.typ, a.typ == table.Decimal:
		return mixed(rel, a, b)
	}
	return ordered(rel, intLane)
}

// ordered compares values whose Go type has an order.
func ordered[T cmp.Ordered](rel relation, l lane[T]) kernel {
	return func(n int, args []vec, out *vec) error {
		x, y, z := *l(&args[0]), *l(&args[1]), out.bools[:n]
		switch {
		case args[1].one:
			compareOne(rel, x, y[0], z)
		case args[0].one:
			compareOne(rel.flipped(), y, x[0], z)
		default:
			compareEach(rel, x, y, z)
		}
		return nil
	}
}

// compareOne compares each value with one. Each relation has its loop, so that none has a branch.
func compareOne[T cmp.Ordered](rel relation, x []T, y T, z []bool) {
	x = x[:len(z)]
	switch rel {
	case relations["eq"]:
		for i, v := range x {
			z[i] = v == y
		}
	case relations["ne"]:
		for i, v := range x {
			z[i] = v != y
		}
	case relations["lt"]:
		for i, v := range x {
			z[i] = v < y
		}
	case relations["le"]:
		for i, v := range x {
			z[i] = v <= y
		}
	case relations["gt"]:
		for i, v := range x {
			z[i] = v > y
		}
	default:
		for i, v := range x {
			z[i] = v >= y
		}
	}
}

// compareEach compares values pairwise.
func compareEach[T cmp.Ordered](rel relation, x, y []T, z []bool) {
	x, y = x[:len(z)], y[:len(z)]
	if !rel.less && !rel.greater {
		for i, v := range x {
			z[i] = v == y[i]
		}
		return
	}
	for i, v := range x {
		w := y[i]
		z[i] = rel.less && v < w || rel.equal && v == w || rel.greater && v > w
	}
}

// mixed compares numbers of different types, or decimals, by exact value.
func mixed(rel relation, a, b shape) kernel {
	sign := compareFunc(a, b)
	return func(n int, args []vec, out *vec) error {
		sx, sy := args[0].step(), args[1].step()
		for i := range n {
			if out.nulls == nil || !out.nulls[i] {
				out.bools[i] = rel.accepts(sign(&args[0], i*sx, &args[1], i*sy))
			}
		}
		return nil
	}
}

// compareFunc compares a value of one vector with one of another.
func compareFunc(a, b shape) func(x *vec, i int, y *vec, j int) int {
	switch {
	case isText(a.typ):
		return laneCompare(textLane)
	case a.typ == table.Float && b.typ == table.Float:
		return laneCompare(floatLane)
	case a.typ == table.Decimal && b.typ == table.Decimal:
		return func(x *vec, i int, y *vec, j int) int { return compareDec(x.decs[i], a.scale, y.decs[j], b.scale) }
	case a.typ == table.Int && b.typ == table.Decimal:
		return func(x *vec, i int, y *vec, j int) int { return compareDec(numOf(x.ints[i]), 0, y.decs[j], b.scale) }
	case a.typ == table.Decimal && b.typ == table.Int:
		return func(x *vec, i int, y *vec, j int) int { return compareDec(x.decs[i], a.scale, numOf(y.ints[j]), 0) }
	case a.typ != b.typ: // one of them is a double
		return func(x *vec, i int, y *vec, j int) int { return table.Compare(x.value(i), y.value(j)) }
	case a.typ == table.Bool:
		return func(x *vec, i int, y *vec, j int) int { return btoi(x.bools[i]) - btoi(y.bools[j]) }
	}
	return laneCompare(intLane)
}

func laneCompare[T cmp.Ordered](l lane[T]) func(x *vec, i int, y *vec, j int) int {
	return func(x *vec, i int, y *vec, j int) int { return cmp.Compare((*l(x))[i], (*l(y))[j]) }
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// buildSame is equality in which nulls equal each other.
func buildSame(c *compiler, args []*node) (*node, error) {
	eq, err := c.compare(relations["eq"], args[0], args[1])
	if err != nil {
		return nil, err
	}
	a, b := args[0], args[1]
	return &node{shape: of(table.Bool), column: -1, eval: func(bl *block) (vec, error) {
		x, err := a.eval(bl)
		if err != nil {
			return vec{}, err
		}
		y, err := b.eval(bl)
		if err != nil {
			return vec{}, err
		}
		e, err := eq.eval(bl)
		out := vec{shape: of(table.Bool), bools: make([]bool, bl.n)}
		for i := range bl.n {
			if e.isNull(i) {
				out.bools[i] = x.isNull(i) && y.isNull(i)
			} else {
				out.bools[i] = e.bools[i*e.step()]
			}
		}
		return out, err
	}}, nil
}

// buildIn is a disjunction of equalities. Constants of one type with the value are looked up in a set.
func buildIn(c *compiler, args []*node) (*node, error) {
	if n, err := c.inSet(args[0], args[1:]); n != nil || err != nil {
		return n, err
	}
	parts := make([]*node, len(args)-1)
	for i, b := range args[1:] {
		var err error
		if parts[i], err = c.compare(relations["eq"], args[0], b); err != nil {
			return nil, err
		}
	}
	return disjunction(parts), nil
}

// inSet is nil where the list is not one of constants that are looked up as values of the value's type.
func (c *compiler) inSet(a *node, list []*node) (*node, error) {
	values, hasNull := make([]table.Value, 0, len(list)), false
	for _, b := range list {
		if b.literal == nil {
			return nil, nil
		}
		if b.literal.IsNull() {
			hasNull = true
			continue
		}
		_, same, err := c.comparable(a, b)
		if err != nil {
			return nil, err
		}
		if same.literal == nil {
			return nil, nil
		}
		v, is := equalIn(*same.literal, a.shape)
		if !is {
			return nil, nil
		}
		if !v.IsNull() {
			values = append(values, v)
		}
	}
	switch {
	case isText(a.typ):
		return memberOf(a, textLane, hasNull, values, table.Value.Text), nil
	case a.typ == table.Int:
		return memberOf(a, intLane, hasNull, values, func(v table.Value) int64 { i, _ := v.Int(); return i }), nil
	case a.typ == table.Float:
		return memberOf(a, floatLane, hasNull, values, func(v table.Value) float64 { f, _ := v.Float(); return f }), nil
	case a.typ == table.Decimal:
		return memberOf(a, decLane, hasNull, values, func(v table.Value) num { d, _ := decOf(v, a.scale); return d }), nil
	case a.typ == table.Date:
		return memberOf(a, intLane, hasNull, values, func(v table.Value) int64 { t, _ := v.Time(); return dayOf(t) }), nil
	}
	return nil, nil
}

// equalIn is a constant as a value of a shape that equals it, null where none does; false for a type of which that is
// not known.
func equalIn(v table.Value, s shape) (table.Value, bool) {
	if s.typ != table.Decimal || !v.Type().Numeric() || v.Type() == table.Float {
		return v, v.Type() == s.typ
	}
	digits, _ := decOf(v, v.Scale())
	if d, ok := decOf(v, s.scale); ok && compareDec(d, s.scale, digits, v.Scale()) == 0 {
		return v, true
	}
	return table.NullValue, true
}

func memberOf[T comparable](a *node, l lane[T], hasNull bool, values []table.Value, get func(table.Value) T) *node {
	set := make(map[T]bool, len(values))
	for _, v := range values {
		set[get(v)] = true
	}
	return apply(of(table.Bool), lift1(l, boolLane, func(x T) (bool, bool) {
		found := set[x]
		return found, found || !hasNull
	}), a)
}

func buildBetween(c *compiler, args []*node) (*node, error) {
	low, err := c.compare(relations["ge"], args[0], args[1])
	if err != nil {
		return nil, err
	}
	high, err := c.compare(relations["le"], args[0], args[2])
	if err != nil {
		return nil, err
	}
	return allOf([]*node{low, high}), nil
}

func buildNullif(c *compiler, args []*node) (*node, error) {
	eq, err := c.compare(relations["eq"], args[0], args[1])
	if err != nil {
		return nil, err
	}
	return choose(args[0].shape, []*node{eq}, []*node{typedNull(args[0].shape), args[0]}), nil
}
