package infer

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"catena/table"
)

const (
	sureDigits = 15     // a decimal of so many digits is the same after a way through a double (IEEE 754; C's DBL_DIG)
	sureLeast  = 1e-290 // down to where doubles have all their digits
)

// NumberShape is what a column of numbers needs.
type NumberShape struct {
	n      int // numbers seen
	kinds  [ZeroLed + 1]int
	Digits int // before the point, at most
	scale  int32
	int64s bool // whether all whole numbers fit 64 bits
}

// NewNumberShape is the shape before the first number.
func NewNumberShape() NumberShape { return NumberShape{int64s: true} }

// Add takes one more text into account; false when it is not a number.
func (n *NumberShape) Add(s string) bool {
	kind, digits, scale := ScanNumber(s)
	if kind == NotNumber {
		return false
	}
	n.n++
	n.kinds[kind]++
	if kind == Exponent {
		power := powerOf(s)
		digits, scale = max(digits+power, 0), int32(max(int(scale)-power, 0))
		n.int64s = n.int64s && digits <= 18
	}
	n.Digits, n.scale = max(n.Digits, digits), max(n.scale, scale)
	if kind == Whole && digits > 18 && n.int64s {
		_, err := strconv.ParseInt(s, 10, 64)
		n.int64s = err == nil
	}
	return true
}

// powerOf is the exponent of a number; one that is out of all proportion is cut.
func powerOf(s string) int {
	const most = 10_000
	e, err := strconv.Atoi(s[strings.IndexAny(s, "eE")+1:])
	if err != nil {
		return most
	}
	return max(-most, min(e, most))
}

// Column is the type that stores all numbers seen, whose plain texts are given: Int, else Decimal where 38 digits
// suffice, else Float. Numbers of which one has an exponent are Float unless one would lose digits there. Codes with
// leading zeros, and (unless exact is false) whole numbers of more than 38 digits, which are identifiers rather than
// measures, give Text. The notes say what is lost.
func (n *NumberShape) Column(texts []string, exact bool) (table.Column, []string) {
	lost := 0
	switch {
	case n.kinds[ZeroLed] > 0:
		return table.Column{Type: table.Text}, nil
	case n.kinds[Exponent] > 0:
		if lost = CountLost(texts); lost == 0 {
			return table.Column{Type: table.Float}, nil
		}
	}
	switch {
	case n.scale == 0 && n.kinds[Fraction] == 0 && n.int64s:
		return table.Column{Type: table.Int}, nil
	case n.Digits+int(n.scale) <= table.MaxDigits:
		return table.Column{Type: table.Decimal, Scale: n.scale}, nil
	case n.kinds[Fraction]+n.kinds[Exponent] == 0 && exact:
		return table.Column{Type: table.Text}, nil
	}
	return table.Column{Type: table.Float}, LossNotes(max(lost, CountLost(texts)))
}

// LossNotes says that numbers lose digits in a column that holds them as doubles.
func LossNotes(lost int) []string {
	if lost == 0 {
		return nil
	}
	return []string{
		fmt.Sprintf(
			"its numbers need more than %d digits; they were read as doubles, which keep about 16, and %d cells lost "+
				"some",
			table.MaxDigits,
			lost,
		),
	}
}

// CountLost counts the numbers that are others after a way through a double.
func CountLost(texts []string) int {
	lost := 0
	for _, s := range texts {
		if s == "" {
			continue
		}
		if _, kept, ok := ReadFloat(s); ok && !kept {
			lost++
		}
	}
	return lost
}

// keeps reports whether the double, written in the shortest way that means it, is the number that the text says.
func keeps(s string, f float64) bool {
	if _, digits, scale := ScanNumber(
		s,
	); digits+int(scale) <= sureDigits &&
		(math.Abs(f) >= sureLeast || f == 0 && strings.Trim(s, "+-0.") == "") {
		return true
	}
	var room [32]byte
	short := strconv.AppendFloat(room[:0], math.Abs(f), 'e', -1, 64)
	i, begun := 0, false
	for _, c := range []byte(s) {
		if c|0x20 == 'e' {
			break
		}
		if c-'0' > 9 || c == '0' && !begun {
			continue
		}
		begun = true
		for i < len(short) && short[i] == '.' {
			i++
		}
		want := byte('0') // behind the last digit
		if i < len(short) && short[i] != 'e' {
			want = short[i]
			i++
		}
		if c != want {
			return false
		}
	}
	for i < len(short) && short[i] != 'e' {
		if short[i] != '.' && short[i] != '0' {
			return false
		}
		i++
	}
	return true
}

// plainForm is a number with an exponent written without one, if that takes no more digits than decimals have.
func plainForm(s string) (string, bool) {
	e := strings.IndexAny(s, "eE")
	if e < 0 {
		return "", false
	}
	mantissa, power := s[:e], powerOf(s)
	sign := ""
	if mantissa[0] == '-' || mantissa[0] == '+' {
		sign, mantissa = mantissa[:1], mantissa[1:]
	}
	whole, frac, _ := strings.Cut(mantissa, ".")
	if len(whole)+power > table.MaxDigits || len(frac)-power > table.MaxDigits {
		return "", false
	}
	switch {
	case power > len(frac):
		whole, frac = whole+frac+strings.Repeat("0", power-len(frac)), ""
	case power > 0:
		whole, frac = whole+frac[:power], frac[power:]
	case -power > len(whole):
		whole, frac = "0", strings.Repeat("0", -power-len(whole))+whole+frac
	case power < 0:
		whole, frac = whole[:len(whole)+power], whole[len(whole)+power:]+frac
	}
	if whole == "" {
		whole = "0"
	}
	if frac != "" {
		whole += "." + frac
	}
	return sign + whole, true
}

// AppendNumber parses a text that ScanNumber has accepted into a column chosen by column; false when a double
// overflows.
func AppendNumber(b *table.ColumnBuilder, s string) bool {
	if appendPlain(b, s) {
		return true
	}
	plain, ok := plainForm(s)
	return ok && appendPlain(b, plain)
}

func appendPlain(b *table.ColumnBuilder, s string) bool {
	switch b.Col.Type {
	case table.Int:
		i, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			return false
		}
		b.AppendInt(i)
	case table.Decimal:
		neg := s[0] == '-'
		n, scale, ok := table.ParseDigits(strings.TrimLeft(s, "+-"))
		if !ok {
			return false
		}
		if neg {
			n = n.Negate()
		}
		if n, ok = table.Rescale(n, scale, b.Col.Scale); !ok {
			return false
		}
		b.AppendDecimal(n)
	case table.Float:
		f, _, ok := ReadFloat(s)
		if !ok {
			return false
		}
		b.AppendFloat(f)
	default:
		return false
	}
	return true
}

// BuildNumbers makes the column; empty texts are null. False when the texts do not fit the column.
func BuildNumbers(col table.Column, texts []string) (arrow.Array, bool) {
	b := table.NewColumnBuilder(col, len(texts))
	for _, s := range texts {
		if s == "" {
			b.AppendNull()
		} else if !AppendNumber(b, s) {
			return nil, false
		}
	}
	return b.Finish(), true
}
