package infer

import (
	"math"
	"math/big"
	"math/bits"
	"strconv"

	"catena/internal/buffer"
)

// PlainFloat reads a number, which may have an exponent, if a double keeps it.
func PlainFloat(s string) (float64, bool) {
	f, kept, ok := ReadFloat(s)
	return f, ok && kept
}

// ReadFloat reads a number that ScanNumber takes for one, and not for a code with leading zeros: the double that is
// nearest to it, as strconv.ParseFloat gives it, and what keeps says of it. Most numbers are done by one multiplication
// of 64 bits by 128 (Daniel Lemire, "Number Parsing at a Gigabyte per Second", Software: Practice and Experience 51
// (8), 2021); what that cannot decide goes to strconv.
func ReadFloat(s string) (f float64, kept, ok bool) {
	i, negative := 0, false
	if len(s) > 0 && (s[0] == '-' || s[0] == '+') {
		i, negative = 1, s[0] == '-'
	}
	start := i
	digits, i := fewDigits(s, i, 0)
	whole := i - start
	if whole > 1 && s[start] == '0' {
		return 0, false, false
	}
	scale := 0
	if i < len(s) && s[i] == '.' {
		point := i + 1
		if digits, i = readDigits(s, point, digits); i == point {
			return 0, false, false
		}
		scale = i - point
	}
	if whole+scale == 0 {
		return 0, false, false
	}
	power := -scale
	if i < len(s) && s[i]|0x20 == 'e' {
		e, ok := readExponent(s[i+1:])
		if !ok {
			return 0, false, false
		}
		power, i = power+e, len(s)
	}
	if i < len(s) {
		return 0, false, false
	}
	if digitsThatCount(s[start:], whole+scale) <= 19 { // more may not fit digits
		if f, kept, ok := floatOf(digits, power); ok {
			if negative {
				f = -f
			}
			return f, kept, true
		}
	}
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil && keeps(s, f), err == nil
}

// digitsThatCount counts the digits without the zeros before the others, as far as it matters.
func digitsThatCount(s string, digits int) int {
	for i := 0; digits > 19 && (s[i] == '0' || s[i] == '.'); i++ {
		if s[i] == '0' {
			digits--
		}
	}
	return digits
}

// readDigits appends the digits of s from i on to n and gives where they end.
func readDigits(s string, i int, n uint64) (uint64, int) {
	for i < len(s) {
		var w uint64
		left := 8
		switch {
		case i+8 <= len(s):
			w = buffer.Word(s[i : i+8])
		case len(s) >= 8:
			left = len(s) - i
			w = buffer.Word(s[len(s)-8:]) >> (64 - 8*left)
		default:
			return fewDigits(s, i, n)
		}
		w ^= '0' * buffer.Ones
		if others := (w + 0x76*buffer.Ones | w) & buffer.Highs; others != 0 { // see eightDigits
			left = min(left, bits.TrailingZeros64(others)>>3)
			if left == 0 {
				return n, i
			}
			return n*uint64(intPowers[left]) + eightValue(w<<(64-8*left)), i + left
		}
		n = n*1e8 + eightValue(w)
		i += 8
	}
	return n, i
}

// fewDigits is readDigits for few digits, as there mostly are before a point.
func fewDigits(s string, i int, n uint64) (uint64, int) {
	for i < len(s) {
		c := s[i] - '0'
		if c > 9 {
			break
		}
		n = n*10 + uint64(c)
		i++
	}
	return n, i
}

// eightDigits reports whether each byte of a word, from which '0' has been taken by XOR, is a digit.
func eightDigits(w uint64) bool { return (w+0x76*buffer.Ones|w)&buffer.Highs == 0 }

// eightValue is the number that eight such digits write: pairs, then fours, then all are put together by
// multiplications.
func eightValue(w uint64) uint64 {
	w = w*10 + w>>8
	const mask, high, low = 0x000000ff000000ff, 100 + 1000000<<32, 1 + 10000<<32
	return ((w&mask)*high + (w>>16&mask)*low) >> 32
}

// readExponent reads what is behind the e.
func readExponent(s string) (int, bool) {
	i, negative := 0, false
	if len(s) > 0 && (s[0] == '-' || s[0] == '+') {
		i, negative = 1, s[0] == '-'
	}
	if i == len(s) {
		return 0, false
	}
	e := 0
	for ; i < len(s); i++ {
		c := s[i] - '0'
		if c > 9 {
			return 0, false
		}
		e = min(e*10+int(c), 1<<20) // no number has so many digits that it matters
	}
	if negative {
		e = -e
	}
	return e, true
}

// The powers of ten that floatOf knows; others are rare.
const (
	leastPower = -96
	mostPower  = 96
)

// exactPowers are those that a double holds.
var exactPowers = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
	1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// widePowers gives the first 128 bits of 5^(leastPower+i), as high and low half: rounded down, and up where the power
// is negative.
var widePowers = func() (out [mostPower - leastPower + 1][2]uint64) {
	five, half := big.NewInt(5), new(big.Int).SetUint64(math.MaxUint64)
	for i := range out {
		n := new(big.Int)
		if q := int64(leastPower + i); q >= 0 {
			n.Exp(five, big.NewInt(q), nil)
			n.Lsh(n, 256).Rsh(n, uint(n.BitLen()-128))
		} else {
			d := new(big.Int).Exp(five, big.NewInt(-q), nil)
			n.Lsh(big.NewInt(1), uint(d.BitLen()+127)).Div(n, d).Add(n, big.NewInt(1))
		}
		out[i] = [2]uint64{new(big.Int).Rsh(n, 64).Uint64(), n.And(n, half).Uint64()}
	}
	return out
}()

// floatOf gives the double nearest to n·10^power and whether its shortest form is that number. ok is false where it
// cannot tell.
func floatOf(n uint64, power int) (f float64, kept, ok bool) {
	const mantissaBits, bias = 52, 1023
	const sure = 1_000_000_000_000_000           // fewer digits are always kept (IEEE 754-2019, section 5.12.2)
	if n < sure && -22 <= power && power <= 22 { // both are doubles, so that one rounding is right (Clinger, PLDI 1990)
		if power < 0 {
			return float64(n) / exactPowers[-power], true, true
		}
		return float64(n) * exactPowers[power], true, true
	}
	if n == 0 || power < leastPower || power > mostPower {
		return 0, n == 0, n == 0
	}
	five := &widePowers[power-leastPower]
	shifted := bits.LeadingZeros64(n)
	high, low := bits.Mul64(n<<shifted, five[0])
	more, _ := bits.Mul64(n<<shifted, five[1])
	fineLow, carry := bits.Add64(low, more, 0)
	fineHigh := high + carry
	if high&(1<<9-1) == 1<<9-1 { // the lower half of the power may matter
		if high, low = fineHigh, fineLow; low == math.MaxUint64 {
			return 0, false, false
		}
	}
	upper := int(high >> 63)
	shift := upper + 64 - mantissaBits - 3
	mantissa := high >> shift
	// 217706/65536 is log2(10), near enough for these powers
	exponent := (217706*power)>>16 + 63 + upper - shifted + bias
	if exponent <= 0 || exponent >= 2*bias+1 {
		return 0, false, false
	}
	if low <= 1 && -4 <= power && power <= 23 && mantissa&3 == 1 && mantissa<<shift == high {
		// just between two doubles: to the even one
		mantissa--
	}
	mantissa = (mantissa + mantissa&1) >> 1
	if n >= sure {
		off := float64(int64(fineHigh-mantissa<<(shift+1))) + float64(fineLow)/(1<<64)
		if kept, ok = isShortest(n, mantissa, off/float64(uint64(1)<<(shift+1))); !ok {
			return 0, false, false
		}
	}
	if mantissa == 2<<mantissaBits {
		mantissa, exponent = 1<<mantissaBits, exponent+1
	}
	return math.Float64frombits(uint64(exponent)<<mantissaBits | mantissa&^(1<<mantissaBits)), kept || n < sure, true
}

// isShortest reports whether the shortest decimal that means a double is the one it was read from, of the digits n:
// whether no other with fewer digits means the double, too, and none of as many is nearer to it. mantissa is that of
// the double, and off how far the number is from it; both count units in the last place. ok is false where it cannot
// tell.
func isShortest(n, mantissa uint64, off float64) (is, ok bool) {
	const most = 100_000_000_000_000_000 // no double needs more digits than 17
	const doubt = 1.0 / (1 << 20)
	if mantissa&(mantissa-1) == 0 { // the next doubles are not equally far
		return false, false
	}
	for n%10 == 0 {
		n /= 10
	}
	unit := float64(mantissa) / float64(n) // of the last digit of n
	last := float64(n % 10)
	below, above := off-last*unit, off+(10-last)*unit
	if n >= most || below > -0.5+doubt || above < 0.5-doubt || math.Abs(off) > unit*(0.5+doubt) {
		return false, true
	}
	return true, below < -0.5-doubt && above > 0.5+doubt && math.Abs(off) < unit*(0.5-doubt)
}
