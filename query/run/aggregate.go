package run

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"catena/table"
)

// aggregation makes what computes an aggregate of vectors at a level, and the shape of its results.
type aggregation func(args []vec, level int) (shape, accumulator, error)

// aggregate is one of query.Aggregates.
type aggregate struct {
	least, most int
	nulls       bool // rows whose argument is null count
	units       bool // the result has the unit of its argument
	build       aggregation
}

var aggregates = map[string]aggregate{
	"count": {
		0,
		1,
		false,
		false,
		func([]vec, int) (shape, accumulator, error) { return of(table.Int), &counter{}, nil },
	},
	"sum":           {1, 1, false, true, buildSum},
	"mean":          {1, 1, false, true, buildMean},
	"weighted_mean": {2, 2, false, true, twoNumbers(weighted, func(x, _ float64) float64 { return x })},
	"median":        {1, 1, false, true, buildQuantile}, "quantile": {2, 2, false, true, buildQuantile},
	"mode":  {1, 1, false, true, buildMode},
	"min":   {1, 1, false, true, buildExtremes(false)},
	"max":   {1, 1, false, true, buildExtremes(true)},
	"first": {1, 1, true, true, buildEdge(false)},
	"last":  {1, 1, true, true, buildEdge(true)},
	"stddev": {
		1,
		1,
		false,
		true,
		oneNumber(spread(1, true)),
	}, "stddev_pop": {1, 1, false, true, oneNumber(spread(0, true))},
	"variance": {
		1,
		1,
		false,
		false,
		oneNumber(spread(1, false)),
	}, "variance_pop": {1, 1, false, false, oneNumber(spread(0, false))},
	"corr":      {2, 2, false, false, twoNumbers(correlation, func(_, _ float64) float64 { return 1 })},
	"slope":     {2, 2, false, false, twoNumbers(slopeOf, func(x, y float64) float64 { return x / y })},
	"intercept": {2, 2, false, true, twoNumbers(interceptOf, func(x, _ float64) float64 { return x })},
	"any":       {1, 1, false, false, buildTruthful(false)}, "every": {1, 1, false, false, buildTruthful(true)},
	"list": {1, 2, false, false, buildList},
}

// asNumbers refuses vectors that are no numbers.
func asNumbers(args []vec) error {
	for i := range args {
		switch t := args[i].typ; {
		case t == table.Bool:
			args[i] = boolsAsInts(&args[i])
		case !t.Numeric() && t != table.Null && t != table.Duration:
			return faultf("%s is no number; cast it", t)
		}
	}
	return nil
}

func boolsAsInts(v *vec) vec {
	out := *v
	out.shape, out.bools, out.ints = of(table.Int), nil, make([]int64, len(v.bools))
	for i, b := range v.bools {
		out.ints[i] = int64(btoi(b))
	}
	return out
}

func buildSum(args []vec, level int) (shape, accumulator, error) {
	if err := asNumbers(args); err != nil {
		return shape{}, nil, err
	}
	x := &args[0]
	s := x.shape
	switch {
	case x.typ == table.Float, x.typ == table.Null:
		return s, &floating{x: x}, nil
	case level == floats && x.typ != table.Duration:
		s.typ = table.Float // keeps the scale, by which total divides
	case level == decs && x.typ == table.Int:
		s = shape{typ: table.Decimal}
	}
	return s, &exact{x: x, finish: total}, nil
}

func buildMean(args []vec, level int) (shape, accumulator, error) {
	x := &args[0]
	switch x.typ {
	case table.Date, table.DateTime, table.Time, table.Duration:
		return x.shape, &exact{x: x, finish: meanOf(0, floats)}, nil
	}
	if err := asNumbers(args); err != nil {
		return shape{}, nil, err
	}
	if x.typ == table.Float || x.typ == table.Null {
		return of(table.Float), &floating{x: x, mean: true}, nil
	}
	s := longShape(x, level, meanDigits)
	return s, &exact{x: x, finish: meanOf(x.scale, level)}, nil
}

// leastLong is the size from which a double does not tell the cents of a mean or median, which is a decimal then.
const leastLong = 1e13

// meanDigits are those that a mean which is a decimal has behind those of its values; a median has one.
const meanDigits = 4

// longShape is the shape of a mean or median: a decimal where a double was found not to hold it.
func longShape(x *vec, level int, digits int32) shape {
	if level != decs {
		return of(table.Float)
	}
	return shape{typ: table.Decimal, scale: min(x.scale+digits, table.MaxDigits)}
}

// isLong reports whether a value must be computed again as a decimal.
func isLong(f float64, level int) bool { return level == ints && math.Abs(f) >= leastLong }

func buildExtremes(greatest bool) aggregation {
	return func(args []vec, _ int) (shape, accumulator, error) {
		return args[0].shape, newExtreme(&args[0], greatest), nil
	}
}

func buildEdge(last bool) aggregation {
	return func(args []vec, _ int) (shape, accumulator, error) {
		return args[0].shape, &edge{picker{x: &args[0]}, last}, nil
	}
}

func buildTruthful(every bool) aggregation {
	return func(args []vec, _ int) (shape, accumulator, error) {
		if t := args[0].typ; t != table.Bool && t != table.Null {
			return shape{}, nil, faultf("a condition is needed, and this is %s; compare it with something", t)
		}
		return of(table.Bool), &truthful{x: &args[0], every: every}, nil
	}
}

// oneNumber is a statistic of one variable.
func oneNumber(finish func(m *momentSums, unit float64) (float64, bool)) aggregation {
	return func(args []vec, _ int) (shape, accumulator, error) {
		if err := asNumbers(args); err != nil {
			return shape{}, nil, err
		}
		x := number(&args[0])
		return of(
				table.Float,
			), &moments{
				x:      x,
				y:      func(int) double { return double{} },
				finish: finish,
				unit:   unit(args[0].shape),
			}, nil
	}
}

// twoNumbers is a statistic of two.
func twoNumbers(
	finish func(m *momentSums, unit float64) (float64, bool),
	units func(x, y float64) float64,
) aggregation {
	return func(args []vec, _ int) (shape, accumulator, error) {
		if err := asNumbers(args); err != nil {
			return shape{}, nil, err
		}
		m := &moments{x: number(&args[0]), y: number(&args[1]), finish: finish}
		m.unit = units(unit(args[0].shape), unit(args[1].shape))
		return of(table.Float), m, nil
	}
}

// collector keeps the rows of each group, for aggregates that need all values at once.
type collector struct {
	rows   [][]int32
	finish func(rows []int32, out *vec, i, n int) error
}

func (c *collector) grow(groups int) { c.rows = make([][]int32, groups) }

func (c *collector) add(groups []int32, lo int) {
	for k, g := range groups {
		if g >= 0 {
			c.rows[g] = append(c.rows[g], int32(lo+k))
		}
	}
}

func (c *collector) put(g int, out *vec, i, n int) error {
	if len(c.rows[g]) == 0 {
		out.setNull(i, n)
		return nil
	}
	return c.finish(c.rows[g], out, i, n)
}

// sortedRows orders rows by their values.
func sortedRows(x *vec, rows []int32) []int32 {
	compare := compareFunc(x.shape, x.shape)
	rows = slices.Clone(rows)
	slices.SortFunc(rows, func(a, b int32) int { return compare(x, int(a), x, int(b)) })
	return rows
}

// buildQuantile is the median, or the quantile of the second argument. It lies linearly between two values: a float
// of numbers, and of times what they are.
func buildQuantile(args []vec, level int) (shape, accumulator, error) {
	x := &args[0]
	s := x.shape
	switch x.typ {
	case table.Text, table.JSON, table.Bool:
		return s, nil, faultf("%s has no quantiles; take min, max or mode", x.typ)
	case table.Int, table.Decimal:
		s = longShape(x, level, 1)
	}
	return s, &collector{finish: func(rows []int32, out *vec, i, n int) error {
		q := 0.5
		if len(args) > 1 {
			if q = number(&args[1])(int(rows[0])).value() / unit(args[1].shape); q < 0 || q > 1 {
				return faultf("the quantile %v is not from 0 to 1", q)
			}
		}
		rows = sortedRows(x, rows)
		at := q * float64(len(rows)-1)
		low := int(at)
		high := min(low+1, len(rows)-1)
		return between(x, int(rows[low]), int(rows[high]), at-float64(low), out, i, level)
	}}, nil
}

// between sets a value to a + (b - a)·part. Between whole numbers and decimals that a double does not hold it is exact in
// the middle.
func between(x *vec, a, b int, part float64, out *vec, i, level int) error {
	if out.ints != nil {
		out.ints[i] = x.ints[a] + int64(math.Round(float64(x.ints[b]-x.ints[a])*part))
		return nil
	}
	if x.typ == table.Float || part != 0.5 && part != 0 {
		p, _ := x.value(a).Float()
		q, _ := x.value(b).Float()
		return setNumber(out, i, p+(q-p)*part)
	}
	if part == 0 {
		b = a
	}
	both := exactSum{n: 2} // the mean of two, rounded once
	for _, row := range []int{a, b} {
		d, _ := decOf(x.value(row), x.scale)
		both.sum.add(d)
	}
	return meanOf(x.scale, level)(&both, out, i, 0)
}

// setNumber sets a float, or a decimal to what is next to it.
func setNumber(out *vec, i int, f float64) error {
	if out.decs == nil {
		out.floats[i] = f
		return nil
	}
	v, err := table.ParseDecimal(strconv.FormatFloat(f, 'f', -1, 64))
	d, ok := decOf(v, out.scale)
	if out.decs[i] = d; err != nil || !ok {
		return errWiden
	}
	return nil
}

// buildMode is the smallest of the most frequent values.
func buildMode(args []vec, _ int) (shape, accumulator, error) {
	x := &args[0]
	compare := compareFunc(x.shape, x.shape)
	return x.shape, &collector{finish: func(rows []int32, out *vec, i, _ int) error {
		rows = sortedRows(x, rows)
		best, most := 0, 0
		for from := 0; from < len(rows); {
			to := from + 1
			for to < len(rows) && compare(x, int(rows[from]), x, int(rows[to])) == 0 {
				to++
			}
			if to-from > most {
				best, most = from, to-from
			}
			from = to
		}
		out.move(i, x, int(rows[best]))
		return nil
	}}, nil
}

func buildList(args []vec, _ int) (shape, accumulator, error) {
	x := &args[0]
	return of(table.Text), &collector{finish: func(rows []int32, out *vec, i, _ int) error {
		separator := ", "
		if len(args) > 1 {
			separator = args[1].value(int(rows[0])).Text()
		}
		var b strings.Builder
		for k, row := range rows {
			if k > 0 {
				b.WriteString(separator)
			}
			b.WriteString(x.value(int(row)).Text())
			if b.Len() > maxText {
				return table.LargeCell(table.DefaultLimits)
			}
		}
		out.texts[i] = b.String()
		return nil
	}}, nil
}
