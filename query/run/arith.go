package run

import (
	"math"
	"math/bits"

	"catena/table"
)

func init() {
	register(map[string]function{
		"add": {2, 2, arithmetic("add", addInt, addDec, func(a, b float64) float64 { return a + b })},
		"sub": {2, 2, arithmetic("sub", subInt, subDec, func(a, b float64) float64 { return a - b })},
		"mul": {2, 2, arithmetic("mul", mulInt, mulDec, func(a, b float64) float64 { return a * b })},
		"div": {
			2,
			2,
			buildDiv,
		}, "idiv": {2, 2, buildIdiv},
		"mod": {2, 2, buildMod}, "neg": {1, 1, buildNeg}, "abs": {1, 1, buildAbs},
	})
}

func addInt(a, b int64) (int64, bool) {
	s := a + b
	return s, (a^s)&(b^s) >= 0
}

func subInt(a, b int64) (int64, bool) {
	d := a - b
	return d, (a^b)&(a^d) >= 0
}

func mulInt(a, b int64) (int64, bool) {
	hi, lo := bits.Mul64(magnitude(a), magnitude(b))
	p := a * b
	return p, hi == 0 && (lo < 1<<63 || lo == 1<<63 && p < 0)
}

// divideInts is null by zero. A quotient of 2^63 is computed again at the next level.
func divideInts(n int, args []vec, out *vec) error {
	x, y, z := args[0].ints, args[1].ints, out.ints
	sx, sy := args[0].step(), args[1].step()
	for i := range n {
		if out.nulls != nil && out.nulls[i] {
			continue
		}
		switch a, b := x[i*sx], y[i*sy]; {
		case b == 0:
			out.setNull(i, n)
		case a == math.MinInt64 && b == -1:
			return errWiden
		default:
			z[i] = a / b
		}
	}
	return nil
}

// finite is null where a result is not a number that tables hold.
func finite(f float64) (float64, bool) { return f, !math.IsNaN(f) && !math.IsInf(f, 0) }

// arithmetic is an operation of two numbers, or of times and lengths.
func arithmetic(
	op string,
	i func(a, b int64) (int64, bool),
	d func(a, b num) (num, bool),
	f func(a, b float64) float64,
) builder {
	return func(c *compiler, args []*node) (*node, error) {
		a, b := args[0], args[1]
		if anyNull(a, b) {
			return typedNull(of(table.Null)), nil
		}
		if t, ok := linear[operation{op, a.typ, b.typ}]; ok {
			s := of(t.typ)
			if t.typ == table.DateTime {
				s.zone = a.zone + b.zone // only one of them has any
			}
			return apply(s, t.kernel(), a, b), nil
		}
		if op == "mul" && (a.typ == table.Duration || b.typ == table.Duration) {
			return c.scaledDuration(a, b)
		}
		if err := c.numbers(args); err != nil {
			return nil, err
		}
		a, b = args[0], args[1]
		s := c.arithmeticShape(op, a, b)
		switch s.typ {
		case table.Int:
			return apply(s, wider(intLane, intLane, i), a, b), nil
		case table.Decimal:
			if op == "mul" {
				return c.both(s, wider(decLane, decLane, d), a, b, -1)
			}
			return c.both(s, wider(decLane, decLane, d), a, b, s.scale)
		}
		return c.inFloats(args, func(x, y float64) (float64, bool) { return finite(f(x, y)) })
	}
}

// numbers makes conditions and constant texts numbers and refuses what is none.
func (c *compiler) numbers(args []*node) error {
	for i, a := range args {
		var err error
		switch {
		case a.typ.Numeric():
		case a.typ == table.Bool:
			args[i], err = c.as(a, table.Int)
		default:
			err = faultf("%s is no number; cast it", a.typ)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// arithmeticShape is what an operation on two numbers gives at the compiler's level.
func (c *compiler) arithmeticShape(op string, a, b *node) shape {
	switch {
	case a.typ == table.Float || b.typ == table.Float || c.level == floats:
		return of(table.Float)
	case a.typ == table.Int && b.typ == table.Int && c.level == ints:
		return of(table.Int)
	}
	s := shape{typ: table.Decimal, scale: max(a.scale, b.scale)}
	if op == "mul" {
		s.scale = a.scale + b.scale
	}
	if s.scale > table.MaxDigits {
		return of(table.Float)
	}
	return s
}

// both makes two numbers decimals, of one scale where it is not below 0, and applies a kernel.
func (c *compiler) both(s shape, k kernel, a, b *node, scale int32) (*node, error) {
	sa, sb := a.scale, b.scale
	if scale >= 0 {
		sa, sb = scale, scale
	}
	a, err := c.exactly(a, sa)
	if err != nil {
		return nil, err
	}
	if b, err = c.exactly(b, sb); err != nil {
		return nil, err
	}
	return apply(s, k, a, b), nil
}

// exactly makes an integer or decimal a decimal of a scale; where 38 digits do not hold it the level does not suffice.
func (c *compiler) exactly(a *node, scale int32) (*node, error) {
	s := shape{typ: table.Decimal, scale: scale}
	switch {
	case a.typ == table.Decimal && a.scale == scale:
		return a, nil
	case a.typ == table.Decimal:
		by := scale - a.scale
		return apply(s, widen1(decLane, decLane, func(n num) (num, bool) { return scaleUp(n, by) }), a), nil
	}
	return apply(s, widen1(intLane, decLane, func(i int64) (num, bool) { return scaleUp(numOf(i), scale) }), a), nil
}

// widen1 is lift1 where false says that the level does not hold the result.
func widen1[A, R any](a lane[A], r lane[R], f func(A) (R, bool)) kernel {
	return func(n int, args []vec, out *vec) error {
		x, y := *a(&args[0]), *r(out)
		for i := range n {
			v, ok := f(x[i])
			if y[i] = v; !ok && (out.nulls == nil || !out.nulls[i]) {
				return errWiden
			}
		}
		return nil
	}
}

// inFloats applies a function of doubles to numbers.
func (c *compiler) inFloats(args []*node, f func(a, b float64) (float64, bool)) (*node, error) {
	return typed(table.Float, lift2(floatLane, floatLane, floatLane, f), table.Float, table.Float)(c, args)
}

// operation is one of two types.
type operation struct {
	op   string
	a, b table.Type
}

// combination is a·x + b·y of whole numbers, by which times and lengths are added and subtracted.
type combination struct {
	typ  table.Type
	x, y int64
}

const day = table.DayMicros

var linear = map[operation]combination{
	{"add", table.Date, table.Int}:          {table.Date, 1, 1},
	{"add", table.Int, table.Date}:          {table.Date, 1, 1},
	{"add", table.Date, table.Duration}:     {table.DateTime, day, 1},
	{"add", table.Duration, table.Date}:     {table.DateTime, 1, day},
	{"add", table.DateTime, table.Int}:      {table.DateTime, 1, day},
	{"add", table.Int, table.DateTime}:      {table.DateTime, day, 1},
	{"add", table.DateTime, table.Duration}: {table.DateTime, 1, 1},
	{"add", table.Duration, table.DateTime}: {table.DateTime, 1, 1},
	{"add", table.Time, table.Duration}:     {table.Time, 1, 1},
	{"add", table.Duration, table.Duration}: {table.Duration, 1, 1},
	{"sub", table.Date, table.Date}:         {table.Int, 1, -1},
	{"sub", table.Date, table.Int}:          {table.Date, 1, -1},
	{"sub", table.Date, table.Duration}:     {table.DateTime, day, -1},
	{"sub", table.DateTime, table.DateTime}: {table.Duration, 1, -1},
	{"sub", table.DateTime, table.Date}:     {table.Duration, 1, -day},
	{"sub", table.Date, table.DateTime}:     {table.Duration, day, -1},
	{"sub", table.DateTime, table.Int}:      {table.DateTime, 1, -day},
	{"sub", table.DateTime, table.Duration}: {table.DateTime, 1, -1},
	{"sub", table.Time, table.Duration}:     {table.Time, 1, -1},
	{"sub", table.Time, table.Time}:         {table.Duration, 1, -1},
	{"sub", table.Duration, table.Duration}: {table.Duration, 1, -1},
}

// kernel is null where 64 bits do not hold the result, or a time of day or a date leaves its range.
func (t combination) kernel() kernel {
	return lift2(intLane, intLane, intLane, func(a, b int64) (int64, bool) {
		p, pok := mulInt(a, t.x)
		q, qok := mulInt(b, t.y)
		sum, ok := addInt(p, q)
		return sum, pok && qok && ok && inRange(t.typ, sum)
	})
}

// inRange reports whether a column of the type holds a whole number.
func inRange(t table.Type, i int64) bool {
	switch t {
	case table.Date:
		return i == int64(int32(i))
	case table.Time:
		return i >= 0 && i < day
	}
	return true
}

// scaledDuration is a length of time by a number.
func (c *compiler) scaledDuration(a, b *node) (*node, error) {
	if b.typ == table.Duration {
		a, b = b, a
	}
	if b.typ == table.Int {
		return apply(of(table.Duration), lift2(intLane, intLane, intLane, mulInt), a, b), nil
	}
	b, err := c.as(b, table.Float)
	if err != nil {
		return nil, err
	}
	return apply(of(table.Duration), lift2(intLane, floatLane, intLane, func(x int64, y float64) (int64, bool) {
		return roundToInt(float64(x) * y)
	}), a, b), nil
}

// roundToInt is null where 64 bits do not hold the result.
func roundToInt(f float64) (int64, bool) {
	f = math.Round(f)
	return int64(f), f >= -(1<<63) && f < 1<<63
}

func buildDiv(c *compiler, args []*node) (*node, error) {
	a, b := args[0], args[1]
	if anyNull(a, b) {
		return typedNull(of(table.Float)), nil
	}
	if a.typ == table.Duration {
		return c.divideDuration(a, b)
	}
	if err := c.numbers(args); err != nil {
		return nil, err
	}
	a, b = args[0], args[1]
	if a.typ == table.Float || b.typ == table.Float {
		return c.inFloats(args, func(x, y float64) (float64, bool) { return finite(x / y) })
	}
	if a.typ == table.Int && b.typ == table.Int {
		k := lift2(intLane, intLane, floatLane, func(x, y int64) (float64, bool) {
			const most = 1 << 53
			if magnitude(x) <= most && magnitude(y) <= most {
				return float64(x) / float64(y), y != 0
			}
			return quotient(numOf(x), 0, numOf(y), 0)
		})
		return apply(of(table.Float), c.rounding(quotientDigits, k), a, b), nil
	}
	sa, sb := a.scale, b.scale
	k := lift2(decLane, decLane, floatLane, func(x, y num) (float64, bool) { return quotient(x, sa, y, sb) })
	return c.both(of(table.Float), c.rounding(quotientDigits, k), a, b, -1)
}

// From which size on a double that an exact number became may not show it: one whole number may be another, and a
// quotient of more than 15 digits may have lost some.
const (
	wholeDigits    = 1 << 53
	quotientDigits = 1e15
)

// rounding notes that a kernel made doubles of exact numbers which have more digits than doubles hold.
func (c *compiler) rounding(from float64, k kernel) kernel {
	return func(n int, args []vec, out *vec) error {
		if err := k(n, args, out); err != nil {
			return err
		}
		for i, f := range out.floats {
			if math.Abs(f) >= from && !out.isNull(i) {
				c.r.note("figures of more than 15 digits are floating point; their last digits may be rounded")
				break
			}
		}
		return nil
	}
}

func (c *compiler) divideDuration(a, b *node) (*node, error) {
	if b.typ == table.Duration {
		return apply(of(table.Float), lift2(intLane, intLane, floatLane, func(x, y int64) (float64, bool) {
			return quotient(numOf(x), 0, numOf(y), 0)
		}), a, b), nil
	}
	b, err := c.as(b, table.Float)
	if err != nil {
		return nil, err
	}
	return apply(of(table.Duration), lift2(intLane, floatLane, intLane, func(x int64, y float64) (int64, bool) {
		if y == 0 {
			return 0, false
		}
		return roundToInt(float64(x) / y)
	}), a, b), nil
}

// buildIdiv divides without the rest. A sum that 64 bits do not hold is a decimal here, and its quotient one, too.
func buildIdiv(c *compiler, args []*node) (*node, error) {
	if anyNull(args...) {
		return typedNull(of(table.Int)), nil
	}
	if err := c.numbers(args); err != nil {
		return nil, err
	}
	a, b := args[0], args[1]
	switch {
	case a.typ == table.Int && b.typ == table.Int && c.level == ints:
		return apply(of(table.Int), divideInts, a, b), nil
	case a.typ == table.Float || b.typ == table.Float:
		return c.inFloats(args, func(x, y float64) (float64, bool) { return finite(math.Trunc(x / y)) })
	}
	return c.both(of(table.Decimal), lift2(decLane, decLane, decLane, func(x, y num) (num, bool) {
		if y.Sign() == 0 {
			return x, false
		}
		whole, _ := x.Div(y)
		return whole, true
	}), a, b, 0)
}

func buildMod(c *compiler, args []*node) (*node, error) {
	if anyNull(args...) {
		return typedNull(of(table.Null)), nil
	}
	if err := c.numbers(args); err != nil {
		return nil, err
	}
	a, b := args[0], args[1]
	switch s, _ := wider2(a.shape, b.shape); s.typ {
	case table.Int:
		return apply(s, lift2(intLane, intLane, intLane, func(x, y int64) (int64, bool) {
			if y == 0 || y == -1 {
				return 0, y != 0
			}
			return x % y, true
		}), a, b), nil
	case table.Decimal:
		if c.level == floats {
			break
		}
		return c.both(s, lift2(decLane, decLane, decLane, func(x, y num) (num, bool) {
			if y.Sign() == 0 {
				return x, false
			}
			_, rest := x.Div(y)
			return rest, true
		}), a, b, s.scale)
	}
	return c.inFloats(args, func(x, y float64) (float64, bool) { return finite(math.Mod(x, y)) })
}

func buildNeg(c *compiler, args []*node) (*node, error) {
	if anyNull(args...) {
		return args[0], nil
	}
	zero := constant(table.IntValue(0))
	if args[0].typ == table.Duration {
		zero = constant(table.DurationOfMicros(0))
	}
	return functions["sub"].build(c, []*node{zero, args[0]})
}

// buildAbs is a where it is not negative, else -a.
func buildAbs(c *compiler, args []*node) (*node, error) {
	a := args[0]
	if a.typ == table.Null {
		return a, nil
	}
	minus, err := buildNeg(c, []*node{a})
	if err != nil {
		return nil, err
	}
	values := []*node{minus, a}
	s, err := c.unify(values)
	if err != nil {
		return nil, err
	}
	zero := constant(table.IntValue(0))
	if a.typ == table.Duration {
		zero = constant(table.DurationOfMicros(0))
	}
	negative, err := c.compare(relations["lt"], a, zero)
	if err != nil {
		return nil, err
	}
	return choose(s, []*node{negative}, values), nil
}
