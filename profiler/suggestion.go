package profiler

import (
	"fmt"
	"strconv"
	"strings"
)

// Suggestion is a parsed FormattingSuggestion. Its grammar, a part of Python's format specification behind a kind:
//
//	currency:CODE:SPEC    an amount in the ISO 4217 currency CODE, shown with its symbol
//	percent:ratio:SPEC    0.152 is shown as 15.2%
//	percent:points:SPEC   15.2 is shown as 15.2%
//	decimal:SPEC          a number
//	integer:,             a whole number with thousands separators
//	integer:plain         a whole number without separators: years, identifiers
//	date:LAYOUT           Date and DateTime cells by a layout of package time; the layout may hold colons
//	date:quarter          Date cells as 2026 Q1
//	weekday               1 to 7 as Monday to Sunday (ISO 8601)
//	month                 1 to 12 as January to December
//	time:LAYOUT           Time cells likewise
//	duration              Duration cells, as 1h30m0s
//	boolean               yes or no
//	text                  as it is
//
//	SPEC = ["+"] [","] "." DIGITS "f"
//
// "+" shows the sign of positive numbers too, "," groups digits by the locale, DIGITS (0 to 38) is the number of digits
// after the point. SPEC is a part of the grammar of package formatter/number. The zero Suggestion shows canonical text.
type Suggestion struct {
	// currency, percent, decimal, integer, date, time, duration, boolean, weekday, month, text; "" is text
	Kind   string
	Code   string // currency code
	Ratio  bool   // percent: the number is a ratio, to be multiplied by 100
	Plus   bool   // show + before positive numbers
	Group  bool   // thousands separators
	Digits int    // after the point
	Layout string // date and time; LayoutQuarter for quarters, which package time cannot write
}

// LayoutQuarter is the Layout of dates that stand for their quarter.
const LayoutQuarter = "quarter"

// UnitPoints is the unit of differences between percentages, percentage points: from 15.2% to 8.0% is -7.2 pp, and
// -47.4%.
const UnitPoints = "pp"

// Numeric reports whether the suggestion shows numbers.
func (s Suggestion) Numeric() bool {
	return s.Kind == "currency" || s.Kind == "percent" || s.Kind == "decimal" || s.Kind == "integer"
}

// String is the suggestion in the grammar above.
func (s Suggestion) String() string {
	switch s.Kind {
	case "currency":
		return "currency:" + s.Code + ":" + s.spec()
	case "percent":
		if s.Ratio {
			return "percent:ratio:" + s.spec()
		}
		return "percent:points:" + s.spec()
	case "decimal":
		return "decimal:" + s.spec()
	case "integer":
		switch {
		case s.Group && s.Plus:
			return "integer:+,"
		case s.Group:
			return "integer:,"
		}
		return "integer:plain"
	case "date", "time":
		return s.Kind + ":" + s.Layout
	case "":
		return "text"
	}
	return s.Kind
}

func (s Suggestion) spec() string {
	var b strings.Builder
	if s.Plus {
		b.WriteByte('+')
	}
	if s.Group {
		b.WriteByte(',')
	}
	return b.String() + "." + strconv.Itoa(s.Digits) + "f"
}

// maxDigits bounds DIGITS: no stored number has more.
const maxDigits = 38

// ParseSuggestion reads the grammar of Suggestion. The error says which part is wrong.
func ParseSuggestion(text string) (Suggestion, error) {
	kind, rest, _ := strings.Cut(text, ":")
	s := Suggestion{Kind: kind}
	switch kind {
	case "currency":
		code, spec, ok := strings.Cut(rest, ":")
		if !ok || !isCurrencyCode(code) {
			return Suggestion{},
				fmt.Errorf("format %q: currency needs an ISO 4217 code and a number format, as in currency:USD:,.2f",
					text)
		}
		s.Code = code
		return s.withSpec(text, spec)
	case "percent":
		scale, spec, _ := strings.Cut(rest, ":")
		if scale != "ratio" && scale != "points" {
			return Suggestion{}, fmt.Errorf("format %q: percent needs ratio or points, as in percent:ratio:.1f", text)
		}
		s.Ratio = scale == "ratio"
		return s.withSpec(text, spec)
	case "decimal":
		return s.withSpec(text, rest)
	case "integer":
		switch rest {
		case "+,":
			s.Group, s.Plus = true, true
		case ",":
			s.Group = true
		case "plain", "":
		default:
			return Suggestion{}, fmt.Errorf("format %q: an integer is shown plain or with \",\"", text)
		}
		return s, nil
	case "date", "time":
		if rest == "" {
			return Suggestion{}, fmt.Errorf("format %q: %s needs a layout, as in date:2006-01-02", text, kind)
		}
		s.Layout = rest
		return s, nil
	case "duration", "boolean", "weekday", "month", "text", "":
		return s, nil
	}
	return Suggestion{},
		fmt.Errorf("format %q: the kinds are currency, percent, decimal, integer, date, time, duration, boolean, "+
			"weekday, month, text", text)
}

// withSpec adds what SPEC says.
func (s Suggestion) withSpec(text, spec string) (Suggestion, error) {
	rest, plus := strings.CutPrefix(spec, "+")
	rest, group := strings.CutPrefix(rest, ",")
	digits, isF := strings.CutSuffix(rest, "f")
	digits, hasPoint := strings.CutPrefix(digits, ".")
	n, err := strconv.ParseUint(digits, 10, 8)
	if !isF || !hasPoint || err != nil || n > maxDigits {
		return Suggestion{}, fmt.Errorf("format %q: %q is not a number format such as ,.2f", text, spec)
	}
	s.Plus, s.Group, s.Digits = plus, group, int(n)
	return s, nil
}

func isCurrencyCode(s string) bool {
	if len(s) != 3 {
		return false
	}
	for i := range 3 {
		if s[i] < 'A' || s[i] > 'Z' {
			return false
		}
	}
	return true
}
