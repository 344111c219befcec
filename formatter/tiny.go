package formatter

import (
	"math"
	"strconv"

	"catena/formatter/number"
	"catena/profiler"
	"catena/table"
)

const (
	tinyFigures = 2  // significant digits of a number that would be rounded to zero
	tinyPlaces  = 12 // with more places than that it has an exponent
	// a double below this with the digits of a computed one is what a sum that should be zero leaves
	noiseBelow  = 1e-14
	noiseDigits = 14
)

// vanishing is the size below which numbers of a format are rounded to zero.
func vanishing(s profiler.Suggestion) float64 {
	digits := s.Digits
	switch {
	case !s.Numeric(), s.Kind == "integer", s.Kind == "decimal" && digits == 0:
		// an integer's fraction is kept; no digits are asked for
		return 0
	case s.Kind == "percent" && s.Ratio:
		digits += 2
	}
	return 0.5 * math.Pow10(-digits)
}

// tiny reports whether a number that is not zero would be shown as zero, and its size. Noise of computing is zero.
func tiny(v *table.Value, below float64) (size float64, ok bool) {
	switch {
	case below == 0 || v.Type() != table.Float && v.Scale() == 0:
		return 0, false
	case v.Type() == table.Decimal:
		if n, small := v.Unscaled(); small && n == 0 ||
			small && math.Abs(float64(n)) >= below*1.01*math.Pow10(int(v.Scale())) {
			return 0, false
		}
	}
	f, _ := v.Float()
	if size = math.Abs(f); size == 0 || size > below {
		return 0, false
	}
	return size, v.Type() != table.Float || size >= noiseBelow ||
		len(strconv.FormatFloat(size, 'e', -1, 64)) < noiseDigits+len(".e-20")
}

// inFigures is a format that shows a small number by its significant digits.
func inFigures(f number.Format, size float64) number.Format {
	places := tinyFigures - 1 - int(math.Floor(math.Log10(size)))
	if f.Type == '%' {
		places -= 2
	}
	if places > tinyPlaces {
		f.Type, places = 'e', tinyFigures-1
	}
	f.Trim = true
	return f.WithPrecision(places)
}
