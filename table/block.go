package table

import (
	"math"
	"math/bits"
	"strings"

	"github.com/apache/arrow-go/v18/arrow/decimal128"
)

// block is the cells of one column in a run of rows, read by the column's kind. It is kept small, so that it stays in the processor's cache, and used again.
type block struct {
	kind   cellKind
	rows   int
	nulls  []int32          // rows
	ints   []int64          // numbers without their point, days, microseconds, 0 or 1; 0 for nulls
	decs   []decimal128.Num // in place of ints where a number has more digits
	scale  int32            // of the numbers
	floats []float64        // of floatCells
	ends   []int32          // of texts
	text   []byte
	failed bool // a cell is not of the kind
	usual  int  // rows to take memory for at the first value
}

func (b *block) reset(kind cellKind) {
	b.kind, b.rows, b.scale, b.failed = kind, 0, 0, false
	b.nulls, b.ints, b.floats, b.ends, b.text = b.nulls[:0], b.ints[:0], b.floats[:0], b.ends[:0], b.text[:0]
	b.decs = b.decs[:0]
}

// add reads one cell of a delimited text; one without content is null.
func (b *block) add(s string) {
	if isBlank(s) {
		b.addNull()
		return
	}
	b.addValue(s)
}

// isBlank reports whether a cell has only spaces, of any kind.
func isBlank(s string) bool {
	return s == "" || (s[0] <= ' ' || s[0] >= 0x80) && strings.TrimSpace(s) == ""
}

func (b *block) addNull() {
	b.nulls = append(b.nulls, int32(b.rows))
	b.rows++
	switch b.kind {
	case rawCells, certainText, jsonCells:
		b.ends = append(b.ends, int32(len(b.text)))
	case floatCells:
		b.floats = append(b.floats, 0)
	default:
		if len(b.decs) > 0 {
			b.decs = append(b.decs, decimal128.Num{})
		} else {
			b.ints = append(b.ints, 0)
		}
	}
}

func (b *block) addText(s string) {
	if b.ends == nil {
		b.ends, b.text = make([]int32, 0, b.usual), make([]byte, 0, b.usual*(len(s)+2))
	}
	b.text = append(b.text, s...)
	b.ends = append(b.ends, int32(len(b.text)))
	b.rows++
}

// addValue reads one cell that is not null.
func (b *block) addValue(s string) {
	var n int64
	ok := false
	switch b.kind {
	case rawCells, certainText, jsonCells:
		b.addText(s)
		return
	case numberCells:
		var scale int32
		if n, scale, ok = plainNumber(s); ok && len(b.decs) == 0 {
			b.addNumber(n, scale)
			return
		}
		if ok = b.addWide(s); ok {
			return
		}
		if f, kept := plainFloat(s); kept && b.toFloats() { // the first exponent
			b.floats = append(b.floats, f)
			b.rows++
			return
		}
	case floatCells:
		var f float64
		if f, ok = plainFloat(s); ok {
			b.floats = append(b.floats, f)
			b.rows++
			return
		}
	case boolCells:
		if ok = isBool(s); ok && len(s) == 4 {
			n = 1
		}
	case dateCells:
		n, ok = plainDay(s)
	case momentCells:
		n, ok = plainMoment(s)
	case instantCells:
		n, ok = plainInstant(s)
	}
	b.addInt(n)
	b.failed = b.failed || !ok
}

func (b *block) addInt(n int64) {
	if b.ints == nil {
		b.ints = make([]int64, 0, b.usual)
	}
	b.ints = append(b.ints, n)
	b.rows++
}

// addNumber adds n/10^scale and brings all numbers to the greatest scale.
func (b *block) addNumber(n int64, scale int32) {
	if scale != b.scale {
		n = b.align(n, scale)
	}
	b.addInt(n)
}

func (b *block) align(n int64, scale int32) int64 {
	var ok bool
	if scale < b.scale {
		if n, ok = scaled(n, b.scale-scale); !ok {
			b.failed = true
		}
		return n
	}
	for i, m := range b.ints {
		if b.ints[i], ok = scaled(m, scale-b.scale); !ok {
			b.failed = true
			break
		}
	}
	b.scale = scale
	return n
}

// addWide adds a number that may have more than 18 digits: up to 18 before the point and up to 20 behind it, so that no number of the column needs more than 38. Whole numbers of
// so many digits make no decimals, so they are not read here.
func (b *block) addWide(s string) bool {
	const most, places = 18, 20
	kind, digits, scale := scanNumber(s)
	if kind != fraction && (kind != whole || len(b.decs) == 0) || digits > most || scale > places {
		return false
	}
	n, _, ok := parseDigits(strings.TrimLeft(s, "+-"))
	if !ok {
		return false
	}
	if s[0] == '-' {
		n = n.Negate()
	}
	if len(b.decs) == 0 {
		for _, i := range b.ints {
			b.decs = append(b.decs, numOf(i))
		}
		b.ints = b.ints[:0]
	}
	if by := scale - b.scale; by > 0 {
		for i, d := range b.decs {
			b.decs[i] = d.Mul(powers[by])
		}
		b.scale = scale
	}
	b.decs = append(b.decs, n.Mul(powers[b.scale-scale]))
	b.rows++
	return true
}

// toFloats turns a block of numbers into one of doubles, if these keep all of them.
func (b *block) toFloats() bool {
	if b.kind == floatCells {
		return true
	}
	var ok bool
	if b.floats, ok = appendFloats(b.floats[:0], b.ints, b.decs, b.scale); ok {
		b.kind, b.scale, b.ints, b.decs = floatCells, 0, b.ints[:0], b.decs[:0]
	}
	return ok
}

// appendFloats appends the numbers of ints and decs, without their points, as doubles; false when one is not kept.
func appendFloats(to []float64, ints []int64, decs []decimal128.Num, scale int32) ([]float64, bool) {
	for _, n := range ints {
		f, ok := keptFloat(numOf(n), scale)
		if !ok {
			return to, false
		}
		to = append(to, f)
	}
	for _, n := range decs {
		f, ok := keptFloat(n, scale)
		if !ok {
			return to, false
		}
		to = append(to, f)
	}
	return to, true
}

// keptFloat is n/10^scale as a double; false when that does not keep it, or when it is not certain that it does.
func keptFloat(n decimal128.Num, scale int32) (float64, bool) {
	abs := n.Abs()
	if abs.HighBits() != 0 {
		return 0, false
	}
	f, kept, ok := floatOf(abs.LowBits(), -int(scale))
	if n.Sign() < 0 {
		f = -f
	}
	return f, kept && ok
}

var intPowers = func() (p [19]int64) {
	p[0] = 1
	for i := 1; i < len(p); i++ {
		p[i] = p[i-1] * 10
	}
	return p
}()

// scaled is n·10^by, if it fits.
func scaled(n int64, by int32) (int64, bool) {
	abs := uint64(n)
	if n < 0 {
		abs = -abs
	}
	hi, lo := bits.Mul64(abs, uint64(intPowers[by]))
	return n * intPowers[by], hi == 0 && lo <= math.MaxInt64
}

// columnOf is the stored column for cells of a kind.
func columnOf(kind cellKind, name string) Column {
	col := Column{Name: name, Type: Text}
	switch kind {
	case numberCells:
		col.Type = Int
	case floatCells:
		col.Type = Float
	case boolCells:
		col.Type = Bool
	case dateCells:
		col.Type = Date
	case momentCells:
		col.Type = DateTime
	case instantCells:
		col.Type, col.Zone = DateTime, "UTC"
	case jsonCells:
		col.Type = JSON
	}
	return col
}
