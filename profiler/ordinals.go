package profiler

import (
	"math"
	"slices"

	"catena/table"
)

// An ordinal is a whole number that stands for a cell of a type of fixed width: equal cells have equal ordinals, and
// ordinals are in the order of the cells. One path for all these types counts, orders and ranks plain integers. Whole
// numbers, instants, times and durations are their own ordinals, dates their day, decimals their digits without the
// point, booleans 0 and 1.

// floatOrdinal is the ordinal of a finite double: its bits, with those of negative ones turned round. -0 is 0.
func floatOrdinal(f float64) int64 {
	b := int64(math.Float64bits(f + 0)) // -0 + 0 is 0
	return b ^ int64(uint64(b>>63)>>1)
}

// ordinalFloat is the double of an ordinal.
func ordinalFloat(o int64) float64 {
	return math.Float64frombits(uint64(o ^ int64(uint64(o>>63)>>1)))
}

// ordinals gives those of the cells that are not null, in row order, in memory of the table or of w. It is false for
// decimals of which some need more than 64 bits. It counts the nulls.
func (s *scan) ordinals(w *workspace) ([]int64, bool) {
	if s.buf.Ints != nil && !s.buf.HasNulls() {
		return s.buf.Ints, true
	}
	out := w.ordinals(s.rows)
	switch s.col.Type {
	case table.Date:
		for i, d := range s.buf.Days {
			out[i] = int64(d)
		}
	case table.Float:
		for i, f := range s.buf.Floats {
			out[i] = floatOrdinal(f)
		}
	case table.Decimal:
		for i := range s.buf.Decimals {
			d := &s.buf.Decimals[i]
			out[i] = int64(d.LowBits())
			if d.HighBits() != out[i]>>63 && !s.buf.IsNull(i) {
				return nil, false
			}
		}
	case table.Bool:
		for i := range out {
			out[i] = 0
			if s.buf.Bool(i) {
				out[i] = 1
			}
		}
	default:
		copy(out, s.buf.Ints)
	}
	if !s.buf.HasNulls() {
		return out, true
	}
	n := 0
	for i, o := range out {
		if !s.buf.IsNull(i) {
			out[n] = o
			n++
		}
	}
	s.nulls = s.rows - n
	return out[:n], true
}

// cell is the value of an ordinal.
func (s *scan) cell(o int64) table.Value {
	switch s.col.Type {
	case table.Bool:
		return table.BoolValue(o != 0)
	case table.Float:
		return table.FloatValue(ordinalFloat(o))
	case table.Decimal:
		return table.DecimalValue(o>>63, uint64(o), s.col.Scale)
	case table.Date:
		return table.DateValue(1970, 1, 1+int(o))
	case table.DateTime:
		return table.DateTimeIn(microTime(o), s.col.Zone)
	case table.Time:
		return table.TimeValue(microSpan(o))
	case table.Duration:
		return table.DurationOfMicros(o)
	}
	return table.IntValue(o)
}

const (
	maxExact   = 1 << 53 // whole numbers below are doubles
	exactPower = 22      // powers of ten up to 10^22 are doubles
)

// number is the double nearest to the number of an ordinal.
func (s *scan) number(o int64) float64 {
	switch {
	case s.wide || s.col.Type == table.Float:
		return ordinalFloat(o)
	case s.col.Type == table.Decimal || s.col.Type == table.Duration:
		if s.unit > 0 && o > -maxExact && o < maxExact {
			return float64(o) / s.unit // both are exact: it is rounded once
		}
		f, _ := table.DecimalValue(o>>63, uint64(o), s.col.Scale).Float()
		return f
	}
	return float64(o)
}

// precise is the number of an ordinal in twofold precision.
func (s *scan) precise(o int64) twofold {
	switch {
	case s.wide || s.col.Type == table.Float:
		return twofold{ordinalFloat(o), 0}
	case s.col.Type == table.Decimal || s.col.Type == table.Duration:
		return twoInt(o).scaled(s.col.Scale)
	}
	return twoInt(o)
}

// readNumbers fills numbers, and finds whether all are whole.
func (s *scan) readNumbers(w *workspace) {
	if s.col.Scale <= exactPower {
		s.unit = math.Pow10(int(s.col.Scale))
	}
	if s.col.Type == table.Float && !s.buf.HasNulls() {
		s.numbers = s.buf.Floats
	} else {
		s.numbers = w.floats(len(s.ords))
		for i, o := range s.ords {
			s.numbers[i] = s.number(o)
		}
	}
	s.whole = s.wholeNumbers()
}

func (s *scan) wholeNumbers() bool {
	switch s.col.Type {
	case table.Float:
		return !slices.ContainsFunc(s.numbers, func(f float64) bool {
			return f != math.Trunc(f) || f < -(1<<63) || f >= 1<<63
		})
	case table.Decimal, table.Duration:
		unit, digits := int64(1), s.col.Scale
		for ; digits > 0 && unit <= math.MaxInt64/10; digits-- {
			unit *= 10
		}
		return !slices.ContainsFunc(s.ords, func(o int64) bool { return o%unit != 0 || digits > 0 && o != 0 })
	}
	return true
}

// workspace is memory that one goroutine uses for column after column.
type workspace struct {
	ords    []int64
	sorted  []int64
	spare   []int64
	numbers []float64
	slots   []uint64
	counts  []int32
	upto    []int32
}

func (w *workspace) ordinals(n int) []int64 {
	w.ords = grown(w.ords, n)
	return w.ords
}

func (w *workspace) floats(n int) []float64 {
	w.numbers = grown(w.numbers, n)
	return w.numbers
}

// grown is a slice of n elements of undefined content, s itself where it is large enough.
func grown[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
