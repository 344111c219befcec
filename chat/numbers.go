package chat

import (
	"html"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// number is a number as a text has it.
type number struct {
	value    float64 // without sign; "fell by 3.1%" speaks of a cell that says −3.1%
	decimals int
	scale    float64 // 1, or what a word like million multiplies by
	percent  bool
}

// numberText finds numbers: digits in groups of three or plain, a fraction, a percent sign or a word of scale behind.
// Numbers inside a word (Q3, s1, H2O) are names, not figures; behind the code of a currency (USD48,213) they are
// figures.
var numberText = regexp.MustCompile(`(?i)(?:^|[^\p{L}\p{N}_]|\b(?-i:[A-Z]{3}))` +
	`(\d{1,3}(?:[,\x{00a0}\x{202f}'\x{2019}\x{066c} ]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?(?:e[+-]?\d+)?)` +
	`(?:[ \t\p{Pd}(]*(` + scaleWords + `)\b|[ \t]*([%‰‱])|\s?(k|m|mn|bn|b)\b)?`)

// gluedText finds what nobody reads as a part of a name, though a letter stands before it: was48213, Rs48,213.
var gluedText = regexp.MustCompile(`[\p{L}_](\d{1,3}(?:[,'\x{2019}\x{066c}]\d{3})+|\d{5,})`)

// scaleWords multiply the figure before them, in English and German. Those of one letter or two are in numberText.
const scaleWords = `per\s?cent|percentage points?|pct|prozent|dozens?|hundreds?|[mbtr]+illions?|thousands?|lakhs?|` +
	`crores?|tausend|tsd|millionen|mio|milliarden?|mrd|billionen`

// scaleOf is what a word or a sign of scale multiplies by. Where it says percent it is not known.
func scaleOf(unit string) (scale float64, percent bool) {
	for _, s := range scales {
		if strings.HasPrefix(unit, s.begins) {
			return s.by, s.by == 0
		}
	}
	return 1, false
}

// scales are how the words of scale begin: the longer before the shorter.
var scales = []struct {
	begins string
	by     float64 // 0 is percent
}{
	{"%", 0}, {"per", 0}, {"pct", 0}, {"prozent", 0}, {"‰", 1e-3}, {"‱", 1e-4}, {"dozen", 12}, {"hundred", 100},
	{"thousand", 1e3}, {"tausend", 1e3}, {"tsd", 1e3}, {"k", 1e3}, {"lakh", 1e5}, {"crore", 1e7},
	{"milliarde", 1e9}, {"mrd", 1e9}, {"m", 1e6}, {"billionen", 1e12}, {"b", 1e9}, {"tr", 1e12},
}

// numbersIn lists the numbers of a text as a reader sees it: first as if its marks of emphasis were blanks, then, where
// that makes a difference, as if they were not there. 4**3**1 is 431 to who reads it.
func numbersIn(text string) []number {
	text = readable(text)
	apart := marks.Replace(text)
	out := numbersAsWritten(nil, apart)
	if apart != text {
		out = numbersAsWritten(out, unmarked(text))
	}
	return out
}

// marks are those of emphasis and of code in Markdown, and its escape.
var marks = strings.NewReplacer("*", " ", "~", " ", "`", " ", `\`, " ")

// What stands between two digits that are read as one number, or before the first.
var (
	glued     = regexp.MustCompile("(\\d)[*~`_\\\\]+(\\d)")
	beginMark = regexp.MustCompile(`(^|[^\p{L}\p{N}_])_+(\d)`)
)

// unmarked is a text without marks of emphasis.
func unmarked(text string) string {
	for {
		next := glued.ReplaceAllString(text, "$1$2")
		if next == text {
			break
		}
		text = next
	}
	return strings.NewReplacer("*", "", "~", "", "`", "", `\`, "").Replace(text)
}

// readable is the one form in which texts are looked through for figures: entities are what they stand for, digits of
// all scripts and shapes are ASCII's, and what is not seen is not there.
func readable(text string) string {
	const nested = 4
	for range nested {
		next := html.UnescapeString(text)
		if next == text {
			break
		}
		text = next
	}
	text = dots.ReplaceAllString(thinSpace.ReplaceAllString(text, "$1$2"), " ")
	text = norm.NFKC.String(strings.Map(visible, norm.NFKC.String(text)))
	text = fraction.ReplaceAllString(strings.Map(asciiDigit, text), "${1}0.$2")
	return beginMark.ReplaceAllString(text, "$1$2")
}

// thinSpace stands between digits of one number; as NFKC has it, it would be a blank like any other.
var thinSpace = regexp.MustCompile(`(\p{N})[\x{2005}-\x{200a}]+(\p{N}?)`)

// What begins with a point: a figure behind dots, which are none of its own, and a fraction without its zero.
var (
	dots     = regexp.MustCompile(`\.{2,}|\x{2025}|\x{2026}`)
	fraction = regexp.MustCompile(`(^|[^\p{L}\p{N}_.])\.(\d)`)
)

// visible drops characters that leave no mark: those of format, accents that no letter has taken, fillers.
func visible(r rune) rune {
	if unicode.In(r, unicode.Cf, unicode.Mn, unicode.Me, unicode.Other_Default_Ignorable_Code_Point,
		unicode.Variation_Selector) {
		return -1
	}
	return r
}

// numbersAsWritten adds the numbers of a text in order.
func numbersAsWritten(out []number, text string) []number {
	for at := 0; at < len(text); {
		m := numberText.FindStringSubmatchIndex(text[at:])
		if m == nil {
			break
		}
		digits := text[at+m[2] : at+m[3]]
		unit := ""
		for i := 4; i < len(m); i += 2 {
			if m[i] >= 0 {
				unit = strings.ToLower(text[at+m[i] : at+m[i+1]])
			}
		}
		if n, ok := parseNumber(digits, unit); ok {
			out = append(out, n)
		}
		at += m[3] // what follows the digits may open the next number
	}
	for _, m := range gluedText.FindAllStringSubmatch(text, -1) {
		if n, ok := parseNumber(m[1], ""); ok {
			out = append(out, n)
		}
	}
	return out
}

// asciiDigit writes the digits of all scripts as ASCII's: they stand in tens in each block of Unicode (category Nd). So
// do those in circles that NFKC leaves as they are, from one to ten.
func asciiDigit(r rune) rune {
	if r < 0x80 {
		return r
	}
	for _, first := range circled {
		if r >= first && r < first+10 {
			return '0' + (r-first+1)%10
		}
	}
	if !unicode.IsDigit(r) {
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

// circled are the ones of digits in circles that have no compatibility form.
var circled = []rune{0x2776, 0x2780, 0x278a, 0x24f5}

var separators = strings.NewReplacer(",", "", "\u00a0", "", "\u202f", "", "'", "", "\u2019", "", "\u066c", "",
	" ", "")

func parseNumber(digits, unit string) (number, bool) {
	clean := separators.Replace(digits)
	v, err := strconv.ParseFloat(clean, 64)
	if err != nil || math.IsInf(v, 0) {
		return number{}, false
	}
	n := number{value: v, scale: 1}
	if _, fraction, ok := strings.Cut(clean, "."); ok {
		n.decimals = len(fraction)
	}
	if scale, percent := scaleOf(unit); percent {
		n.percent = true
	} else {
		n.scale = scale
	}
	return n, true
}

// supported reports whether a number stands among the facts: as it is, or rounded where it is clearly a rounding: it
// has a fraction, a word of scale, a percent sign, or three digits and more before the point. Small whole numbers must
// match exactly: every small number is near some figure.
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
