package run

import (
	"cmp"
	"math"

	"catena/table"
)

// accumulator computes an aggregate of groups of rows.
type accumulator interface {
	// grow makes room for so many groups, without any row.
	grow(groups int)
	// add takes rows from lo on, each in its group; a negative group leaves it out. No argument of the rows is null, but
	// for aggregates that count nulls.
	add(groups []int32, lo int)
	// put sets value i of n to the aggregate of a group.
	put(group int, out *vec, i, n int) error
}

// remover is an accumulator from which rows can be taken again without a loss, so that a frame can move.
type remover interface {
	remove(groups []int32, lo int)
}

// counter counts rows.
type counter struct{ n []int64 }

func (c *counter) grow(groups int) { c.n = make([]int64, groups) }

func (c *counter) add(groups []int32, _ int) {
	for _, g := range groups {
		if g >= 0 {
			c.n[g]++
		}
	}
}

func (c *counter) remove(groups []int32, _ int) {
	for _, g := range groups {
		if g >= 0 {
			c.n[g]--
		}
	}
}

func (c *counter) put(g int, out *vec, i, _ int) error {
	out.ints[i] = c.n[g]
	return nil
}

// exact sums integers, decimals and lengths of time without rounding. finish makes the result of it.
type exact struct {
	x      *vec
	sums   []exactSum
	finish func(s *exactSum, out *vec, i, n int) error
}

type exactSum struct {
	n   int64
	sum wide
}

func (e *exact) grow(groups int) { e.sums = make([]exactSum, groups) }

func (e *exact) add(groups []int32, lo int) {
	if e.x.decs != nil {
		for k, g := range groups {
			if g >= 0 {
				s := &e.sums[g]
				s.n++
				s.sum.add(e.x.decs[lo+k])
			}
		}
		return
	}
	for k, g := range groups {
		if g >= 0 {
			s := &e.sums[g]
			s.n++
			s.sum.addInt(e.x.ints[lo+k])
		}
	}
}

func (e *exact) remove(groups []int32, lo int) {
	for k, g := range groups {
		if g < 0 {
			continue
		}
		s := &e.sums[g]
		s.n--
		if e.x.decs != nil {
			s.sum.sub(e.x.decs[lo+k])
		} else {
			s.sum.sub(numOf(e.x.ints[lo+k]))
		}
	}
}

func (e *exact) put(g int, out *vec, i, n int) error {
	s := &e.sums[g]
	if s.n == 0 {
		out.setNull(i, n)
		return nil
	}
	return e.finish(s, out, i, n)
}

// total is the sum in the type of out.
func total(s *exactSum, out *vec, i, _ int) error {
	d, ok := s.sum.num()
	switch {
	case out.typ == table.Float:
		out.floats[i] = s.sum.over(1, out.scale)
	case !ok || out.decs == nil && !small(d):
		if out.typ == table.Duration {
			return faultf("the sum of durations is longer than 292,000 years; sum their seconds")
		}
		return errWiden
	case out.decs != nil:
		out.decs[i] = d
	default:
		out.ints[i] = int64(d.LowBits())
	}
	return nil
}

// meanOf is the mean of numbers, as a float or a decimal, and of times as what they are.
func meanOf(scale int32, level int) func(s *exactSum, out *vec, i, n int) error {
	return func(s *exactSum, out *vec, i, n int) error {
		switch {
		case out.decs != nil:
			d, ok := s.sum.quotient(s.n, out.scale-scale)
			if out.decs[i] = d; !ok {
				return errWiden
			}
		case out.floats != nil:
			if out.floats[i] = s.sum.over(s.n, scale); isLong(out.floats[i], level) {
				return errWiden
			}
		default:
			m, ok := s.sum.rounded(s.n)
			if out.ints[i] = m; !ok {
				out.setNull(i, n)
			}
		}
		return nil
	}
}

// floating sums doubles with compensation, in the order of rows.
type floating struct {
	x    *vec
	mean bool
	n    []int64
	sums []double
}

func (f *floating) grow(groups int) { f.n, f.sums = make([]int64, groups), make([]double, groups) }

func (f *floating) add(groups []int32, lo int) {
	for k, g := range groups {
		if g >= 0 {
			f.n[g]++
			f.sums[g].add(f.x.floats[lo+k])
		}
	}
}

func (f *floating) put(g int, out *vec, i, n int) error {
	sum := f.sums[g].value()
	if f.mean {
		sum /= float64(f.n[g])
	}
	var ok bool
	if out.floats[i], ok = finite(sum); !ok || f.n[g] == 0 {
		out.setNull(i, n)
	}
	return nil
}

// picker keeps the row of a group whose value is the result.
type picker struct {
	x   *vec
	row []int32
}

func (p *picker) grow(groups int) {
	p.row = make([]int32, groups)
	for i := range p.row {
		p.row[i] = -1
	}
}

func (p *picker) put(g int, out *vec, i, n int) error {
	if row := int(p.row[g]); row < 0 || p.x.isNull(row) {
		out.setNull(i, n)
	} else {
		out.move(i, p.x, row)
	}
	return nil
}

// edge is the first or last row.
type edge struct {
	picker
	last bool
}

func (e *edge) add(groups []int32, lo int) {
	for k, g := range groups {
		if g >= 0 && (e.last || e.row[g] < 0) {
			e.row[g] = int32(lo + k)
		}
	}
}

// extreme is the least or greatest value of a Go type with an order.
type extreme[T cmp.Ordered] struct {
	picker
	values   []T
	greatest bool
}

func (e *extreme[T]) add(groups []int32, lo int) {
	for k, g := range groups {
		if g < 0 {
			continue
		}
		row, best := int32(lo+k), e.row[g]
		if best < 0 {
			e.row[g] = row
			continue
		}
		v, b := e.values[row], e.values[best]
		if e.greatest && v > b || !e.greatest && v < b {
			e.row[g] = row
		}
	}
}

// extremeBy is extreme by a comparison.
type extremeBy struct {
	picker
	compare  func(x *vec, i int, y *vec, j int) int
	greatest int // 1, or -1 for the least
}

func (e *extremeBy) add(groups []int32, lo int) {
	for k, g := range groups {
		if g < 0 {
			continue
		}
		row, best := lo+k, e.row[g]
		if best < 0 || e.compare(e.x, row, e.x, int(best))*e.greatest > 0 {
			e.row[g] = int32(row)
		}
	}
}

func newExtreme(x *vec, greatest bool) accumulator {
	p := picker{x: x}
	switch {
	case x.ints != nil:
		return &extreme[int64]{p, x.ints, greatest}
	case x.floats != nil:
		return &extreme[float64]{p, x.floats, greatest}
	case x.texts != nil:
		return &extreme[string]{p, x.texts, greatest}
	}
	return &extremeBy{p, compareFunc(x.shape, x.shape), 2*btoi(greatest) - 1}
}

// truthful is whether any or every condition is true.
type truthful struct {
	x     *vec
	every bool
	seen  []bool
	value []bool
}

func (t *truthful) grow(groups int) { t.seen, t.value = make([]bool, groups), make([]bool, groups) }

func (t *truthful) add(groups []int32, lo int) {
	for k, g := range groups {
		if g < 0 {
			continue
		}
		if b := t.x.bools[lo+k]; !t.seen[g] || b != t.every {
			t.value[g] = b
		}
		t.seen[g] = true
	}
}

func (t *truthful) put(g int, out *vec, i, n int) error {
	if out.bools[i] = t.value[g]; !t.seen[g] {
		out.setNull(i, n)
	}
	return nil
}

// moments sums two variables, their squares and their product with about 106 bits. Of one variable, y is x.
type moments struct {
	x, y   func(row int) double
	sums   []momentSums
	finish func(m *momentSums, unit float64) (float64, bool)
	unit   float64 // that the result is divided by
}

type momentSums struct {
	n                int64
	x, y, xx, yy, xy double
}

func (m *moments) grow(groups int) { m.sums = make([]momentSums, groups) }

func (m *moments) add(groups []int32, lo int) {
	for k, g := range groups {
		if g < 0 {
			continue
		}
		x, y, s := m.x(lo+k), m.y(lo+k), &m.sums[g]
		s.n++
		addDouble(&s.x, x)
		addDouble(&s.y, y)
		s.xx.addProduct(x, x)
		s.yy.addProduct(y, y)
		s.xy.addProduct(x, y)
	}
}

func addDouble(to *double, x double) {
	to.add(x.hi)
	to.lo += x.lo
}

func (m *moments) put(g int, out *vec, i, n int) error {
	f, ok := m.finish(&m.sums[g], m.unit)
	if ok {
		f, ok = finite(f)
	}
	if out.floats[i] = f; !ok {
		out.setNull(i, n)
	}
	return nil
}

// covariance is n·Σab − Σa·Σb.
func covariance(n int64, ab, a, b double) double {
	return double{float64(n), 0}.times(ab).minus(a.times(b))
}

// spread is the variance with n-less in place of n, of values that are to be divided by a unit; its root is the
// deviation.
func spread(less int64, root bool) func(m *momentSums, unit float64) (float64, bool) {
	return func(m *momentSums, unit float64) (float64, bool) {
		if m.n <= less {
			return 0, false
		}
		v := covariance(m.n, m.xx, m.x, m.x).over(float64(m.n) * float64(m.n-less) * unit * unit)
		if v = max(0, v); root {
			v = math.Sqrt(v)
		}
		return v, true
	}
}

func correlation(m *momentSums, _ float64) (float64, bool) {
	x, y := covariance(m.n, m.xx, m.x, m.x).value(), covariance(m.n, m.yy, m.y, m.y).value()
	if m.n < 2 || x <= 0 || y <= 0 {
		return 0, false
	}
	root := math.Sqrt(x * y)
	if p, ok := finite(x * y); !ok || p == 0 {
		root = math.Sqrt(x) * math.Sqrt(y)
	}
	r := covariance(m.n, m.xy, m.x, m.y).over(root)
	return min(max(r, -1), 1), true
}

// slopeOf is that of the line by which x, the first argument, goes by y.
func slopeOf(m *momentSums, unit float64) (float64, bool) {
	v := covariance(m.n, m.yy, m.y, m.y).value()
	return covariance(m.n, m.xy, m.x, m.y).over(v) / unit, m.n > 1 && v > 0
}

// interceptOf is that of the same line, by sums alone: a slope that was rounded before would cost it digits. Where the
// products are too large for that it is the mean less the slope's part.
func interceptOf(m *momentSums, unit float64) (float64, bool) {
	b, ok := slopeOf(m, 1)
	v := covariance(m.n, m.yy, m.y, m.y).value()
	if f, fits := finite(m.x.times(m.yy).minus(m.y.times(m.xy)).over(v) / unit); fits {
		return f, ok
	}
	rest := m.x
	rest.addProduct(double{-b, 0}, m.y)
	return rest.over(float64(m.n) * unit), ok
}

func weighted(m *momentSums, unit float64) (float64, bool) {
	w := m.y.value()
	return m.xy.over(w * unit), w != 0
}
