package run

import (
	"math"
	"strconv"
	"strings"
	"time"

	"catena/table"
	"catena/table/infer"
)

// castKey is a cast from one type to another.
type castKey struct{ from, to table.Type }

// casts are those that have a kernel of their own; all others go by the value's text. The shapes are of the argument
// and the result.
var casts = map[castKey]func(from, to shape) kernel{
	{table.Int, table.Float}: plainCast(intLane, floatLane, func(i int64) (float64, bool) { return float64(i), true }),
	{table.Int, table.Bool}:  plainCast(intLane, boolLane, func(i int64) (bool, bool) { return i != 0, true }),
	{table.Bool, table.Int}:  plainCast(boolLane, intLane, func(b bool) (int64, bool) { return int64(btoi(b)), true }),
	{table.Bool, table.Float}: plainCast(
		boolLane,
		floatLane,
		func(b bool) (float64, bool) { return float64(btoi(b)), true },
	),
	{table.Float, table.Int}: plainCast(
		floatLane,
		intLane,
		func(f float64) (int64, bool) { return roundToInt(math.Trunc(f)) },
	),
	{table.Float, table.Bool}:    plainCast(floatLane, boolLane, func(f float64) (bool, bool) { return f != 0, true }),
	{table.Date, table.DateTime}: plainCast(intLane, intLane, func(d int64) (int64, bool) { return mulInt(d, day) }),
	{table.Int, table.Duration}:  plainCast(intLane, intLane, func(s int64) (int64, bool) { return mulInt(s, 1e6) }),
	{table.Duration, table.Int}:  plainCast(intLane, intLane, func(us int64) (int64, bool) { return us / 1e6, true }),
	{table.Int, table.Text}: plainCast(
		intLane,
		textLane,
		func(i int64) (string, bool) { return strconv.FormatInt(i, 10), true },
	),
	{table.Text, table.JSON}: plainCast(textLane, textLane, func(s string) (string, bool) { return s, true }),
	{table.JSON, table.Text}: plainCast(textLane, textLane, func(s string) (string, bool) { return s, true }),
	{table.Decimal, table.Float}: func(from, _ shape) kernel {
		return lift1(decLane, floatLane, func(n num) (float64, bool) { return floatDec(n, from.scale), true })
	},
	{table.Decimal, table.Int}: func(from, _ shape) kernel {
		return lift1(decLane, intLane, func(n num) (int64, bool) {
			q, _ := n.Div(pow10[from.scale])
			return int64(q.LowBits()), small(q)
		})
	},
	{table.Decimal, table.Decimal}: func(from, to shape) kernel {
		return lift1(decLane, decLane, func(n num) (num, bool) {
			if to.scale < from.scale {
				return scaleDown(n, from.scale-to.scale), true
			}
			return scaleUp(n, to.scale-from.scale)
		})
	},
	{table.Int, table.Decimal}: func(_, to shape) kernel {
		return lift1(intLane, decLane, func(i int64) (num, bool) { return scaleUp(numOf(i), to.scale) })
	},
	{table.Float, table.Decimal}:     floatToDecimal,
	{table.DateTime, table.Date}:     clockCast(func(t time.Time) int64 { return dayOf(t) }),
	{table.DateTime, table.Time}:     clockCast(func(t time.Time) int64 { return clockOf(t) }),
	{table.DateTime, table.DateTime}: plainCast(intLane, intLane, func(us int64) (int64, bool) { return us, true }),
}

func plainCast[A, R any](a lane[A], r lane[R], f func(A) (R, bool)) func(from, to shape) kernel {
	return func(shape, shape) kernel { return lift1(a, r, f) }
}

// clockCast goes by the wall clock of the instant's zone.
func clockCast(f func(t time.Time) int64) func(from, to shape) kernel {
	return func(from, _ shape) kernel {
		loc := zoneOf(from)
		return lift1(intLane, intLane, func(us int64) (int64, bool) { return f(time.UnixMicro(us).In(loc)), true })
	}
}

// castDigits are those behind the point that a text or float keeps as a decimal for which no scale is given.
const castDigits = 10

// cast makes a node of a type. scale is that of decimals, -1 keeps the digits there are. What does not fit is null,
// or an error where the cast is strict.
func (c *compiler) cast(a *node, t table.Type, scale int32, strict bool) (*node, error) {
	to := shape{typ: t}
	switch {
	case t == table.Null || a.typ == table.Null:
		return typedNull(to.scaled(a, scale)), nil
	case t == table.Decimal:
		to = to.scaled(a, scale)
		if c.level == floats && scale < 0 {
			to = of(table.Float)
		}
	case t == table.DateTime:
		to.zone = a.zone
	}
	if a.shape == to || a.typ == to.typ && t != table.Decimal {
		return a, nil
	}
	k, err := castKernel(a.shape, to)
	if err != nil {
		return nil, err
	}
	switch {
	case strict:
		k = strictly(k, to.typ)
	case isText(a.typ):
		k = c.telling(k, to.typ)
	case to.typ == table.Float:
		k = c.rounding(wholeDigits, k)
	}
	return folded(apply(to, k, a), []*node{a})
}

// telling notes that a cast made nothing of texts: sums over them would be smaller without a word.
func (c *compiler) telling(k kernel, to table.Type) kernel {
	return func(n int, args []vec, out *vec) error {
		if err := k(n, args, out); err != nil {
			return err
		}
		for i := range n {
			if out.isNull(i) && !args[0].isNull(i) {
				c.r.note("texts that are no " + to.String() + " count as missing")
				break
			}
		}
		return nil
	}
}

// scaled is the shape with the scale that a cast gives it.
func (s shape) scaled(a *node, scale int32) shape {
	switch {
	case s.typ != table.Decimal:
	case scale >= 0:
		s.scale = min(scale, table.MaxDigits)
	case a.typ == table.Decimal:
		s.scale = a.scale
	case a.literal != nil:
		if v, err := table.ParseDecimal(a.literal.Text()); err == nil {
			s.scale = v.Scale()
		}
	case a.typ == table.Float || a.typ == table.Text:
		s.scale = castDigits
	}
	return s
}

func castKernel(from, to shape) (kernel, error) {
	if k, ok := casts[castKey{from.typ, to.typ}]; ok {
		return k(from, to), nil
	}
	switch {
	case isText(to.typ):
		return written, nil
	case isText(from.typ):
		return reading(to), nil
	}
	return nil, faultf("%s cannot become %s", from.typ, to.typ)
}

// written makes texts of values.
func written(n int, args []vec, out *vec) error {
	for i := range n {
		if !args[0].isNull(i) {
			out.texts[i] = args[0].value(i).Text()
		}
	}
	return nil
}

// reading makes values of texts; what is none is null.
func reading(to shape) kernel {
	return func(n int, args []vec, out *vec) error {
		for i := range n {
			if args[0].isNull(i) {
				continue
			}
			if x, ok := readText(args[0].texts[i], to); !ok || !out.set(i, n, x) {
				out.setNull(i, n)
			}
		}
		return nil
	}
}

// strictly makes nulls that a kernel added an error.
func strictly(k kernel, t table.Type) kernel {
	return func(n int, args []vec, out *vec) error {
		if err := k(n, args, out); err != nil {
			return err
		}
		for i := range n {
			if out.isNull(i) && !args[0].isNull(i) {
				x := args[0].value(i)
				return faultf("%q cannot become %s; use a cast that gives null, or filter such rows out", x.Text(), t)
			}
		}
		return nil
	}
}

// floatToDecimal rounds half away from zero, by the shortest text of the double.
func floatToDecimal(_, to shape) kernel {
	return lift1(floatLane, decLane, func(f float64) (num, bool) {
		v, err := table.ParseDecimal(strconv.FormatFloat(f, 'g', -1, 64))
		if err != nil {
			return num{}, false
		}
		return decOf(v, to.scale)
	})
}

// readText reads a text as a value of a type.
func readText(s string, to shape) (table.Value, bool) {
	s = strings.TrimSpace(s)
	switch to.typ {
	case table.Bool:
		return readBool(s)
	case table.Int:
		if i, err := strconv.ParseInt(s, 10, 64); err == nil {
			return table.IntValue(i), true
		}
		v, err := table.ParseDecimal(s)
		i, ok := v.Int()
		return table.IntValue(i), ok && err == nil
	case table.Float:
		f, err := strconv.ParseFloat(s, 64)
		f, ok := finite(f)
		return table.FloatValue(f), ok && err == nil && !strings.ContainsAny(s, "xXpP_")
	case table.Decimal:
		v, err := table.ParseDecimal(s)
		return v, err == nil
	case table.Duration:
		d, err := infer.ReadDuration(s)
		return table.DurationValue(d), err == nil
	case table.Time:
		for _, layout := range []string{"15:04:05.999999", "15:04"} {
			if t, err := time.Parse(layout, s); err == nil {
				return table.MicrosValue(table.Time, clockOf(t), ""), true
			}
		}
		return table.NullValue, false
	}
	t, ok := readMoment(s, zoneOf(to))
	if to.typ == table.Date {
		return table.DateOfDays(dayOf(t)), ok
	}
	return table.DateTimeIn(t, to.zone), ok
}

func readBool(s string) (table.Value, bool) {
	switch strings.ToLower(s) {
	case "true", "t", "1", "yes", "y", "on":
		return table.BoolValue(true), true
	case "false", "f", "0", "no", "n", "off":
		return table.BoolValue(false), true
	}
	return table.NullValue, false
}

// momentLayouts are those of ISO 8601, with which most texts are read.
var momentLayouts = []string{
	time.DateOnly,
	time.DateTime,
	"2006-01-02T15:04:05",
	time.RFC3339,
	"2006-01-02 15:04:05Z07:00",
	"2006-01-02 15:04",
	"2006-01-02T15:04",
}

// readMoment reads a day or an instant; a text that could be two days is none.
func readMoment(s string, loc *time.Location) (time.Time, bool) {
	for _, layout := range momentLayouts {
		if t, err := time.ParseInLocation(layout, s, loc); err == nil {
			return t, true
		}
	}
	t, err := infer.ReadTime(s, infer.TimeOptions{Location: loc})
	return t.Time, err == nil && t.Ambiguous == ""
}
