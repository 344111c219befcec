package chat

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// number is a number as a text has it.
type number struct {
	value    float64 // without sign; "fell by 3.1%" speaks of a cell that says −3.1%
	decimals int
	scale    float64 // 1, or what a word like million multiplies by
	percent  bool
}

// numberText finds numbers: digits in groups of three or plain, a fraction, a percent sign or a word of scale behind. Numbers
// inside a word (Q3, s1, H2O) are names, not figures; behind the code of a currency (USD48,213) they are figures.
var numberText = regexp.MustCompile(`(?i)(?:^|[^\p{L}\p{N}_.]|\b(?-i:[A-Z]{3}))(\d{1,3}(?:[,\x{00a0}\x{202f}' ]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?(?:e[+-]?\d+)?)\s?(%|percent\b|thousand\b|million\b|billion\b|trillion\b|k\b|m\b|mn\b|bn\b|b\b)?`)

var scales = map[string]float64{
	"k": 1e3, "thousand": 1e3, "m": 1e6, "mn": 1e6, "million": 1e6, "b": 1e9, "bn": 1e9, "billion": 1e9, "trillion": 1e12,
}

// numbersIn lists the numbers of a text in order.
func numbersIn(text string) []number {
	var out []number
	text = strings.Map(asciiDigit, text)
	for at := 0; at < len(text); {
		m := numberText.FindStringSubmatchIndex(text[at:])
		if m == nil {
			break
		}
		digits := text[at+m[2] : at+m[3]]
		unit := ""
		if m[4] >= 0 {
			unit = strings.ToLower(text[at+m[4] : at+m[5]])
		}
		if n, ok := parseNumber(digits, unit); ok {
			out = append(out, n)
		}
		at += m[3] // what follows the digits may open the next number
	}
	return out
}

// asciiDigit writes the digits of all scripts as ASCII's: they stand in tens in each block of Unicode (category Nd).
func asciiDigit(r rune) rune {
	if r < 0x80 || !unicode.IsDigit(r) {
		return r
	}
	for _, t := range unicode.Nd.R16 {
		if r >= rune(t.Lo) && r <= rune(t.Hi) {
			return '0' + (r-rune(t.Lo))%10
		}
	}
	for _, t := range unicode.Nd.R32 {
		if r >= rune(t.Lo) && r <= rune(t.Hi) {
			return '0' + (r-rune(t.Lo))%10
		}
	}
	return r
}

var separators = strings.NewReplacer(",", "", "\u00a0", "", "\u202f", "", "'", "", " ", "")

func parseNumber(digits, unit string) (number, bool) {
	clean := separators.Replace(digits)
	v, err := strconv.ParseFloat(clean, 64)
	if err != nil || math.IsInf(v, 0) {
		return number{}, false
	}
	n := number{value: v, scale: 1, percent: unit == "%" || unit == "percent"}
	if _, fraction, ok := strings.Cut(clean, "."); ok {
		n.decimals = len(fraction)
	}
	if s := scales[unit]; s != 0 {
		n.scale = s
	}
	return n, true
}

// supported reports whether a number stands among the facts: as it is, or rounded where it is clearly a rounding: it has a
// fraction, a word of scale, a percent sign, or three digits and more before the point. Small whole numbers must match exactly:
// every small number is near some figure.
func supported(n number, facts []number) bool {
	rounding := n.decimals > 0 || n.scale > 1 || n.percent || n.value >= 100
	for _, f := range facts {
		if n.percent && !f.percent {
			continue // 12% is not the 12 of a count
		}
		full, fact := n.value*n.scale, f.value*f.scale
		half := 0.5 * math.Pow10(-n.decimals) * n.scale
		if full == fact || rounding && n.percent == f.percent && math.Abs(full-fact) <= half*(1+1e-9) {
			return true
		}
	}
	return false
}
