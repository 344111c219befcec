package profiler

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/currency"

	"catena/table"
)

// currencyDigits is the number of minor digits of a currency by ISO 4217: 2 for USD, 0 for JPY; 2 where there is no
// code.
func currencyDigits(code string) int {
	unit, err := currency.ParseISO(code)
	if err != nil {
		return 2
	}
	scale, _ := currency.Standard.Rounding(unit)
	return scale
}

// splitUnit separates a currency from its multiple: "USD millions" gives USD and millions.
func splitUnit(unit string) (code, multiple string) {
	code, multiple, _ = strings.Cut(unit, " ")
	if !currencyCodes[code] {
		return "", ""
	}
	return code, multiple
}

// digitsOf is how many digits after the point a column needs to be read: those it has where they are few, else what
// shows four significant digits of a typical number, between two and six, and more where different numbers would look
// the same: measurements lie close together.
func digitsOf(s *scan) int {
	if s.col.Type == table.Decimal && s.col.Scale <= 2 {
		return int(s.col.Scale) // as written: 18.50 stays 18.50, alone or beside others
	}
	if s.whole {
		return 0
	}
	have := writtenDigits(s)
	if have == 0 { // a double cannot hold the fraction of so large a number
		have = 2
		if s.col.Type == table.Decimal {
			have = min(have, int(s.col.Scale))
		}
	}
	if have <= 2 {
		return have
	}
	typical, small := magnitudes(s.numbers)
	if typical == 0 {
		return 2
	}
	need := max(3-int(math.Floor(math.Log10(typical))), 2-int(math.Floor(math.Log10(small))))
	return s.tellingDigits(min(have, max(2, min(need, max(6, tinyDigits(typical))))), have)
}

// How many significant digits of the largest number tellingDigits may show: people write all digits of decimals,
// doubles have those of computing too.
const (
	mostFloatFigures   = 8
	mostDecimalFigures = 10
)

// tellingDigits is how many digits after the point, from least to have, keep the numbers of a column apart as well as
// the most that may be shown do: one in ten may look like another, none of a few.
func (s *scan) tellingDigits(least, have int) int {
	figures := mostFloatFigures
	if s.col.Type == table.Decimal {
		figures = mostDecimalFigures
	}
	sorted := sampled(s.numbers)
	slices.Sort(sorted)
	top := max(math.Abs(sorted[0]), math.Abs(sorted[len(sorted)-1]))
	most := min(have, figures-1-int(math.Floor(math.Log10(top))), mostTinyDigits)
	if most <= least {
		return least
	}
	all := kindsAt(sorted, most)
	for digits := least; digits < most; digits++ {
		if all-kindsAt(sorted, digits) <= all/10 {
			return digits
		}
	}
	return most
}

// kindsAt is how many of sorted numbers digits after the point keep apart however they are rounded: those a unit of the
// last digit away from the one before.
func kindsAt(sorted []float64, digits int) int {
	const almost = 0.999 // a unit, but for what doubles lose
	unit := almost * math.Pow10(-digits)
	kinds, last := 0, math.Inf(-1)
	for _, x := range sorted {
		if x-last >= unit {
			kinds, last = kinds+1, x
		}
	}
	return kinds
}

// sampled are numbers spread over all of a column, digitSample or so.
func sampled(x []float64) []float64 {
	step := max(1, len(x)/digitSample)
	out := make([]float64, 0, len(x)/step+1)
	for i := 0; i < len(x); i += step {
		out = append(out, x[i])
	}
	return out
}

// mostTinyDigits bounds the digits after the point of columns of small numbers.
const mostTinyDigits = 12

// tinyDigits is how many digits after the point show two significant ones of a typical number, at most mostTinyDigits.
func tinyDigits(typical float64) int {
	if typical == 0 {
		return 0
	}
	return max(0, min(1-int(math.Floor(math.Log10(typical))), mostTinyDigits))
}

// digitSample is how many numbers are looked at for their digits.
const digitSample = 500

// writtenDigits is the greatest number of digits after the point, trailing zeros apart.
func writtenDigits(s *scan) int {
	most := 0
	for _, x := range sampled(s.numbers) {
		text := strconv.FormatFloat(x, 'f', -1, 64)
		if at := strings.IndexByte(text, '.'); at >= 0 {
			most = max(most, len(text)-at-1)
		}
	}
	if s.col.Type == table.Decimal {
		most = min(most, int(s.col.Scale))
	}
	return most
}

// magnitudes are the median and the first decile of the absolute values of the numbers that are not zero; 0, 0 when
// there are none.
func magnitudes(x []float64) (typical, small float64) {
	abs := sampled(x)
	for i, a := range abs {
		abs[i] = math.Abs(a)
	}
	abs = slices.DeleteFunc(abs, func(a float64) bool { return a == 0 })
	if len(abs) == 0 {
		return 0, 0
	}
	slices.Sort(abs)
	return abs[len(abs)/2], abs[len(abs)/10]
}

// dateLayout is the quarter, the month or the year alone for columns of those, which hold first days.
func dateLayout(n Name, s *scan) string {
	month, year, quarter := n.any("month", "months"), n.any("year", "years"), n.any("quarter", "quarters")
	s.ranks.each(func(o int64, _ int) bool {
		at, _ := s.cell(o).Time()
		month, year, quarter = month && at.Day() == 1, year && at.YearDay() == 1,
			quarter && at.Day() == 1 && at.Month()%3 == 1
		return month || year || quarter
	})
	switch {
	case quarter:
		return LayoutQuarter
	case year:
		return "2006"
	case month:
		return "2006-01"
	}
	return "2006-01-02"
}

// dateTimeLayout shows only what the column has: no clock where every instant is midnight, no seconds where all are
// zero.
func dateTimeLayout(s *scan) string {
	layout := "2006-01-02"
	for _, o := range s.ords[:min(len(s.ords), sampleSize)] {
		at, _ := s.cell(o).Time()
		switch {
		case at.Second() != 0 || at.Nanosecond() != 0:
			return "2006-01-02 15:04:05"
		case at.Hour() != 0 || at.Minute() != 0:
			layout = "2006-01-02 15:04"
		}
	}
	return layout
}
