package infer

import (
	"math"
	"math/bits"
	"strings"

	"github.com/apache/arrow-go/v18/arrow/decimal128"

	"catena/table"
)

// Block is a run of cells that are read by the kind of their column.
type Block struct {
	table.Block
	Kind   Kind
	Failed bool // a cell is not of the kind
	Usual  int  // rows to take memory for at the first value
}

// Reset empties the block for cells of a kind.
func (b *Block) Reset(kind Kind) {
	b.Kind, b.Rows, b.Scale, b.Failed, b.Double = kind, 0, 0, false, kind == FloatCells
	b.Nulls, b.Ints, b.Floats, b.Ends, b.Text = b.Nulls[:0], b.Ints[:0], b.Floats[:0], b.Ends[:0], b.Text[:0]
	b.Decs = b.Decs[:0]
}

// Add reads one cell of a delimited text; one without content is null.
func (b *Block) Add(s string) {
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

func (b *Block) addNull() {
	b.Nulls = append(b.Nulls, int32(b.Rows))
	b.Rows++
	switch b.Kind {
	case RawCells, CertainText, JSONCells:
		b.Ends = append(b.Ends, int32(len(b.Text)))
	case FloatCells:
		b.Floats = append(b.Floats, 0)
	default:
		if len(b.Decs) > 0 {
			b.Decs = append(b.Decs, decimal128.Num{})
		} else {
			b.Ints = append(b.Ints, 0)
		}
	}
}

func (b *Block) addText(s string) {
	if b.Ends == nil {
		b.Ends, b.Text = make([]int32, 0, b.Usual), make([]byte, 0, b.Usual*(len(s)+2))
	}
	b.Text = append(b.Text, s...)
	b.Ends = append(b.Ends, int32(len(b.Text)))
	b.Rows++
}

// addValue reads one cell that is not null.
func (b *Block) addValue(s string) {
	var n int64
	ok := false
	switch b.Kind {
	case RawCells, CertainText, JSONCells:
		b.addText(s)
		return
	case NumberCells:
		var scale int32
		if n, scale, ok = PlainNumber(s); ok && len(b.Decs) == 0 {
			b.addNumber(n, scale)
			return
		}
		if ok = b.addWide(s); ok {
			return
		}
		if f, kept := PlainFloat(s); kept && b.toFloats() { // the first exponent
			b.Floats = append(b.Floats, f)
			b.Rows++
			return
		}
	case FloatCells:
		var f float64
		if f, ok = PlainFloat(s); ok {
			b.Floats = append(b.Floats, f)
			b.Rows++
			return
		}
	case BoolCells:
		if ok = IsBool(s); ok && len(s) == 4 {
			n = 1
		}
	case DateCells:
		n, ok = PlainDay(s)
	case MomentCells:
		n, ok = plainMoment(s)
	case InstantCells:
		n, ok = plainInstant(s)
	}
	b.AddInt(n)
	b.Failed = b.Failed || !ok
}

// AddInt appends an integer, a day or a moment.
func (b *Block) AddInt(n int64) {
	if b.Ints == nil {
		b.Ints = make([]int64, 0, b.Usual)
	}
	b.Ints = append(b.Ints, n)
	b.Rows++
}

// addNumber adds n/10^scale and brings all numbers to the greatest scale.
func (b *Block) addNumber(n int64, scale int32) {
	if scale != b.Scale {
		n = b.align(n, scale)
	}
	b.AddInt(n)
}

func (b *Block) align(n int64, scale int32) int64 {
	var ok bool
	if scale < b.Scale {
		if n, ok = scaled(n, b.Scale-scale); !ok {
			b.Failed = true
		}
		return n
	}
	for i, m := range b.Ints {
		if b.Ints[i], ok = scaled(m, scale-b.Scale); !ok {
			b.Failed = true
			break
		}
	}
	b.Scale = scale
	return n
}

// addWide adds a number that may have more than 18 digits: up to 18 before the point and up to 20 behind it, so that no
// number of the column needs more than 38. Whole numbers of so many digits make no decimals, so they are not read here.
func (b *Block) addWide(s string) bool {
	const most, places = 18, 20
	kind, digits, scale := ScanNumber(s)
	if kind != Fraction && (kind != Whole || len(b.Decs) == 0) || digits > most || scale > places {
		return false
	}
	n, _, ok := table.ParseDigits(strings.TrimLeft(s, "+-"))
	if !ok {
		return false
	}
	if s[0] == '-' {
		n = n.Negate()
	}
	if len(b.Decs) == 0 {
		for _, i := range b.Ints {
			b.Decs = append(b.Decs, decimal128.FromI64(i))
		}
		b.Ints = b.Ints[:0]
	}
	if by := scale - b.Scale; by > 0 {
		for i, d := range b.Decs {
			b.Decs[i] = d.Mul(decimal128.GetScaleMultiplier(int(by)))
		}
		b.Scale = scale
	}
	b.Decs = append(b.Decs, n.Mul(decimal128.GetScaleMultiplier(int(b.Scale-scale))))
	b.Rows++
	return true
}

// toFloats turns a block of numbers into one of doubles, if these keep all of them.
func (b *Block) toFloats() bool {
	if b.Kind == FloatCells {
		return true
	}
	var ok bool
	if b.Floats, ok = appendFloats(b.Floats[:0], &b.Block); ok {
		b.Kind, b.Double, b.Scale, b.Ints, b.Decs = FloatCells, true, 0, b.Ints[:0], b.Decs[:0]
	}
	return ok
}

// appendFloats appends the numbers of a block as doubles; false when one is not kept.
func appendFloats(to []float64, of *table.Block) ([]float64, bool) {
	for _, n := range of.Ints {
		f, ok := keptFloat(decimal128.FromI64(n), of.Scale)
		if !ok {
			return to, false
		}
		to = append(to, f)
	}
	for _, n := range of.Decs {
		f, ok := keptFloat(n, of.Scale)
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
func columnOf(kind Kind, name string) table.Column {
	col := table.Column{Name: name, Type: table.Text}
	switch kind {
	case NumberCells:
		col.Type = table.Int
	case FloatCells:
		col.Type = table.Float
	case BoolCells:
		col.Type = table.Bool
	case DateCells:
		col.Type = table.Date
	case MomentCells:
		col.Type = table.DateTime
	case InstantCells:
		col.Type, col.Zone = table.DateTime, "UTC"
	case JSONCells:
		col.Type = table.JSON
	}
	return col
}
