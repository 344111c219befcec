package formatter

import (
	"math"
	"strconv"
	"strings"
	"time"

	"catena/formatter/number"
	"catena/profiler"
	"catena/table"
)

// Minus signs. The typographic one is for people; readers of plain text and programs take the ASCII one.
const (
	Minus      = "\u2212"
	ASCIIMinus = "-"
)

// Locale is how numbers and dates are written in a language and region; see package number.
type Locale = number.Locale

// LocaleFor is the locale of a BCP 47 tag; English for an empty or unknown one.
func LocaleFor(tag string) Locale { return number.For(tag) }

// Locales are the tags that LocaleFor has data of their own for, sorted.
func Locales() []string { return number.Tags() }

// KnownLocale reports whether a tag is of a language that LocaleFor knows.
func KnownLocale(tag string) bool { return number.Serves(tag) }

// Value writes one cell by a format suggestion: numbers are rounded half to even on their decimal digits, never through
// a double, and one that is not zero is not shown as zero: it gets the places for two significant digits, or an
// exponent; a suggestion that does not fit the cell's type gives the canonical text, and a null "". minus is Minus or
// ASCIIMinus.
func Value(v table.Value, s profiler.Suggestion, loc Locale, minus string) string {
	var buf [64]byte
	return string(appendValue(buf[:0], v, s, loc, minus))
}

// appendValue writes one cell, as Value does, at the end of dst and gives the longer slice.
func appendValue(dst []byte, v table.Value, s profiler.Suggestion, loc Locale, minus string) []byte {
	switch {
	case v.IsNull():
		return dst
	case v.Type().Numeric() && s.Numeric() && !astronomic(v):
		f := NumberFormat(s, minus)
		if size, ok := tiny(&v, vanishing(s)); ok {
			f = inFigures(f, size)
		}
		return f.Append(dst, v, loc)
	case s.Kind == "date" && s.Layout == profiler.LayoutQuarter && v.Type().Temporal():
		at, _ := v.Time()
		return append(append(strconv.AppendInt(dst, int64(at.Year()), 10), " Q"...), byte('0'+(int(at.Month())+2)/3))
	case s.Kind == "weekday", s.Kind == "month":
		return append(dst, periodName(v, s.Kind)...)
	case s.Kind == "date" && v.Type().Temporal(), s.Kind == "time" && v.Type().Temporal():
		at, _ := v.Time()
		return at.AppendFormat(dst, s.Layout)
	case s.Kind == "boolean" && v.Type() == table.Bool:
		return append(dst, truthWord(v.Bool(), loc)...)
	case v.Type().Numeric() && minus != ASCIIMinus:
		at := len(dst)
		if dst = v.AppendText(dst); dst[at] == '-' {
			return append(append(dst[:at], minus...), v.Text()[1:]...)
		}
		return dst
	}
	return v.AppendText(dst)
}

// truthWords are yes and no in the languages of locales, from the posix messages of Unicode CLDR, in small letters
// where English has them so.
var truthWords = map[string][2]string{"de": {"ja", "nein"}, "fr": {"oui", "non"}, "ja": {"はい", "いいえ"}}

// truthWord is yes or no in a locale's language; English where it has no words of its own.
func truthWord(is bool, loc Locale) string {
	language, _, _ := strings.Cut(loc.Tag(), "-")
	words, ok := truthWords[language]
	if !ok {
		words = [2]string{"yes", "no"}
	}
	if is {
		return words[0]
	}
	return words[1]
}

// astronomic reports whether a double is so large that its digits would say more than is known.
func astronomic(v table.Value) bool {
	if v.Type() != table.Float {
		return false
	}
	f, _ := v.Float()
	return math.Abs(f) >= astronomicFrom
}

// astronomicFrom is the size from which on doubles are shown as they are, with an exponent.
const astronomicFrom = 1e21

// NumberFormat is the number format that a suggestion for numbers stands for: currency:USD:,.2f is the currency USD,
// two digits, grouped. What is rounded to zero has no sign.
func NumberFormat(s profiler.Suggestion, minus string) number.Format {
	f := number.Format{Type: 'f', Unsigned0: true, Percent: s.Kind == "percent"}.WithPrecision(s.Digits)
	switch {
	case s.Kind == "integer": // a fraction, where there is one after all, is kept
		f = number.Format{Unsigned0: true, Trim: true}
	case s.Kind == "percent" && s.Ratio:
		f.Type, f.Percent = '%', false
	case s.Kind == "currency":
		f.Symbol, f.Currency = '$', s.Code
	}
	if s.Group {
		f.Group = ','
	}
	if s.Plus {
		f.Sign = '+'
	}
	if f.Minus = number.TypographicMinus; minus == ASCIIMinus {
		f.Minus = number.ASCIIMinus
	}
	return f
}

// periodName is the name of a weekday, 1 being Monday, or a month; another number is written as it is.
func periodName(v table.Value, kind string) string {
	n, ok := periodNumber(v, kind)
	switch {
	case !ok:
		return v.Text()
	case kind == "weekday":
		return time.Weekday(n % 7).String()
	}
	return time.Month(n).String()
}

// periods are how many weekdays and months there are.
var periods = map[string]int64{"weekday": 7, "month": 12}

// periodNumber is a cell as the number of a weekday or a month, from 1; ok is false where it is none.
func periodNumber(v table.Value, kind string) (n int64, ok bool) {
	n, ok = v.Int()
	return n, ok && n >= 1 && n <= periods[kind]
}
