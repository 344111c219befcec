package run

import (
	"math"
	"strconv"

	"catena/table"
)

// of one double; what is not defined or beyond doubles is null.
var floatFunctions = map[string]func(float64) float64{
	"exp": math.Exp, "ln": math.Log, "log10": math.Log10, "log2": math.Log2, "sqrt": math.Sqrt,
	"sin": math.Sin, "cos": math.Cos, "tan": math.Tan, "asin": math.Asin, "acos": math.Acos, "atan": math.Atan,
	"radians": func(x float64) float64 { return x * (math.Pi / 180) },
	"degrees": func(x float64) float64 { return x * (180 / math.Pi) },
}

// of two.
var floatPairs = map[string]func(a, b float64) float64{
	"power": math.Pow, "atan2": math.Atan2,
	"log": func(base, x float64) float64 { return math.Log(x) / math.Log(base) },
}

func init() {
	for name, f := range floatFunctions {
		k := lift1(floatLane, floatLane, func(x float64) (float64, bool) { return finite(f(x)) })
		functions[name] = function{1, 1, typed(table.Float, k, table.Float)}
	}
	for name, f := range floatPairs {
		k := lift2(floatLane, floatLane, floatLane, func(a, b float64) (float64, bool) { return finite(f(a, b)) })
		functions[name] = function{2, 2, typed(table.Float, k, table.Float, table.Float)}
	}
	register(map[string]function{
		"pi":    {0, 0, func(*compiler, []*node) (*node, error) { return constant(table.FloatValue(math.Pi)), nil }},
		"sign":  {1, 1, buildSign},
		"floor": {1, 1, buildWhole(math.Floor, -1)},
		"ceil":  {1, 1, buildWhole(math.Ceil, 1)},
		"round": {1, 2, buildRound},
		"bin":   {2, 3, buildBin},
	})
}

func buildSign(c *compiler, args []*node) (*node, error) {
	a, s := args[0], of(table.Int)
	switch a.typ {
	case table.Null:
		return typedNull(s), nil
	case table.Decimal:
		return apply(s, lift1(decLane, intLane, func(n num) (int64, bool) { return int64(n.Sign()), true }), a), nil
	}
	f, err := c.as(a, table.Float)
	if err != nil {
		return nil, err
	}
	return apply(s, lift1(floatLane, intLane, func(x float64) (int64, bool) {
		return int64(btoi(x > 0) - btoi(x < 0)), true
	}), f), nil
}

// buildWhole is floor or ceil; towards is the sign of what is left over that moves the result by it.
func buildWhole(f func(float64) float64, towards int) builder {
	return func(c *compiler, args []*node) (*node, error) {
		a := args[0]
		switch a.typ {
		case table.Null, table.Int:
			return a, nil
		case table.Float:
			return apply(a.shape, lift1(floatLane, floatLane, func(x float64) (float64, bool) { return f(x), true }), a), nil
		case table.Decimal:
		default:
			return nil, faultf("%s is no number; cast it", a.typ)
		}
		whole := func(n num) num {
			q, rest := n.Div(pow10[a.scale])
			if rest.Sign() == towards {
				q = q.Add(numOf(int64(towards)))
			}
			return q
		}
		if c.level > ints {
			return apply(of(table.Decimal), lift1(decLane, decLane, func(n num) (num, bool) { return whole(n), true }), a), nil
		}
		return apply(of(table.Int), widen1(decLane, intLane, func(n num) (int64, bool) {
			q := whole(n)
			return int64(q.LowBits()), small(q)
		}), a), nil
	}
}

// buildRound rounds half away from zero. A constant number of digits is the scale of a decimal.
func buildRound(c *compiler, args []*node) (*node, error) {
	a := args[0]
	if anyNull(args...) {
		return typedNull(a.shape), nil
	}
	digits := constant(table.IntValue(0))
	if len(args) == 2 {
		var err error
		if digits, err = c.as(args[1], table.Int); err != nil {
			return nil, err
		}
	}
	switch a.typ {
	case table.Int:
		if c.level == ints {
			return apply(a.shape, wider(intLane, intLane, roundInt), a, digits), nil
		}
		whole, err := c.exactly(a, 0)
		if err != nil {
			return nil, err
		}
		return c.roundDecimal(whole, digits)
	case table.Decimal:
		return c.roundDecimal(a, digits)
	}
	f, err := c.as(a, table.Float)
	if err != nil {
		return nil, err
	}
	return apply(of(table.Float), lift2(floatLane, intLane, floatLane, roundFloat), f, digits), nil
}

func (c *compiler) roundDecimal(a, digits *node) (*node, error) {
	s := a.shape
	if digits.literal != nil {
		n, _ := digits.literal.Int()
		s.scale = int32(min(max(n, 0), int64(a.scale)))
	}
	from := a.scale
	return apply(s, lift2(decLane, intLane, decLane, func(n num, d int64) (num, bool) {
		by := int32(max(0, min(int64(from)-d, table.MaxDigits+1)))
		down := scaleDown(n, by)
		if over := from - by - s.scale; over < 0 {
			return scaleUp(down, -over)
		}
		return down, true
	}), a, digits), nil
}

// roundInt rounds to tens where digits are negative.
func roundInt(i, digits int64) (int64, bool) {
	switch {
	case digits >= 0:
		return i, true
	case digits < -18:
		return 0, true
	}
	n := scaleDown(numOf(i), int32(-digits)).Mul(pow10[-digits])
	return int64(n.LowBits()), small(n)
}

// roundFloat rounds by the exact value of the double: 1.005 has two digits 1.00, for it is less. A tie goes away from
// zero.
func roundFloat(f float64, digits int64) (float64, bool) {
	switch {
	case digits == 0 || f == 0:
		return math.Round(f), true
	case digits > 0 && digits <= 22:
		p := math.Pow10(int(digits))
		if x := f * p; math.Abs(x-math.Trunc(x)) == 0.5 && math.FMA(f, p, -x) == 0 {
			return finite(math.Round(x) / p)
		}
		r, err := strconv.ParseFloat(strconv.FormatFloat(f, 'f', int(digits), 64), 64)
		return r, err == nil
	case digits > 22:
		return f, true
	}
	p := math.Pow10(int(-digits))
	return finite(math.Round(f/p) * p)
}

// buildBin is the lower bound of the interval in which a value lies: origin + floor((a - origin) / width) · width.
func buildBin(c *compiler, args []*node) (*node, error) {
	if anyNull(args...) {
		return typedNull(args[0].shape), nil
	}
	if err := c.numbers(args); err != nil {
		return nil, err
	}
	origin := constant(table.IntValue(0))
	if len(args) == 3 {
		origin = args[2]
	}
	from, err := functions["sub"].build(c, []*node{args[0], origin})
	if err != nil {
		return nil, err
	}
	rest, err := functions["mod"].build(c, []*node{from, args[1]})
	if err != nil {
		return nil, err
	}
	low, err := functions["sub"].build(c, []*node{args[0], rest})
	if err != nil {
		return nil, err
	}
	below, err := functions["sub"].build(c, []*node{low, args[1]}) // mod has the sign of a
	if err != nil {
		return nil, err
	}
	negative, err := c.compare(relations["lt"], rest, constant(table.IntValue(0)))
	if err != nil {
		return nil, err
	}
	values := []*node{below, low}
	s, err := c.unify(values)
	if err != nil {
		return nil, err
	}
	return choose(s, []*node{negative}, values), nil
}
