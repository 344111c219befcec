package infer

import (
	"strings"

	"catena/internal/text"
	"catena/table"
)

// plainScales are the magnitudes that numbers without a currency may have. Small m and b are no such: they are metres,
// minutes and bits as often.
var plainScales = text.Set("k|K|M|B|bn|mn|thousand|million|billion|trillion|Tsd.|Mio.|Mrd.")

// otherScales are words in the names of columns where K, M and B are no thousands, millions and billions, or where
// digits and letters make codes.
var otherScales = text.Set("size|sizes|memory|mem|ram|disk|storage|cache|byte|bytes|file|grade|class|code|codes|plan|tier|version|versions|release|revision|resolution|display|model|sku|part|id|key|ref|" +
	"room|seat|gate|flat|apartment|unit|block|slot|shelf|bin|lot|batch|temperature|temp|kelvin|race|distance|network")

// ReadScaled reads a number with a magnitude behind it and nothing else: 1.2M, 350K, 3.5k, 2 bn, -1,5 Mio. as a Decimal
// or Int. One letter must stand right behind the digits: 300 K are kelvins. It is false for numbers without a
// magnitude.
func ReadScaled(text string) (table.Value, bool) {
	s := strings.TrimSpace(text)
	body, _ := cutMagnitude(s) // Mio. has a point of its own
	point, _ := pointOf(body)
	plain, scaled, ok := unscale(s, point)
	if !ok || scaled == "" {
		return table.NullValue, false
	}
	v, err := table.ParseDecimal(plain)
	return v, err == nil
}

// unscale gives the plain text of a number that may have a magnitude behind it, and which.
func unscale(s string, point byte) (plain, scale string, ok bool) {
	const longest = 60
	if s == "" || len(s) > longest {
		return "", "", false
	}
	if s[len(s)-1]-'0' > 9 {
		body, _ := cutMagnitude(s)
		if scale = strings.TrimSpace(s[len(body):]); !plainScales[scale] || len(scale) == 1 && len(body)+1 < len(s) {
			return "", "", false
		}
		s = body
	}
	s, neg := stripSign(s, false)
	if plain, ok = ungroup(s, point); !ok {
		return "", "", false
	}
	if kind, _, _ := ScanNumber(plain); kind != Whole && kind != Fraction {
		return "", "", false
	}
	if scale != "" {
		_, power := cutMagnitude("1" + scale)
		plain = timesPower(plain, power)
	}
	if neg {
		plain = "-" + plain
	}
	return plain, scale, true
}

// inferScaled reads a column of numbers of which some have a magnitude behind them: 1.2M, 350K, 900. Codes such as 4K
// and 12B stay text.
func inferScaled(name string, values []string) (Result, bool) {
	if !endsInScale(values) || hasWord(name, otherScales) {
		return Result{}, false
	}
	for _, point := range [...]byte{'.', ','} {
		texts, ok := unscaleAll(values, point)
		if !ok {
			continue
		}
		shape := NewNumberShape()
		for _, s := range texts {
			if s != "" {
				shape.Add(s)
			}
		}
		col, notes := shape.Column(texts, true)
		notes = append(notes, "k, M and B behind numbers were read as thousands, millions and billions")
		if point == ',' {
			notes = append(notes, "the comma was read as the decimal point")
		}
		out, ok := NumberResult(col, texts, notes)
		if ok && point == ',' {
			out.commas = pointCommas
		}
		return out, ok
	}
	return Result{}, false
}

// endsInScale is a cheap test: the first cell that does not end in a digit ends in a magnitude.
func endsInScale(values []string) bool {
	for _, s := range values {
		if s != "" && s[len(s)-1]-'0' > 9 {
			_, power := cutMagnitude(s)
			return power > 0 && len(s) < 40
		}
	}
	return false
}

// unscaleAll reads all numbers; false where they are more likely codes: all alike, or whole numbers of one letter that
// are as small as those of 4K displays and of seats in row 12B.
func unscaleAll(values []string, point byte) ([]string, bool) {
	texts := make([]string, len(values))
	first, several, sure, letter := "", false, false, ""
	for i, s := range values {
		if s == "" {
			continue
		}
		plain, scale, ok := unscale(s, point)
		if !ok {
			return nil, false
		}
		if texts[i] = plain; first == "" {
			first = plain
		}
		several = several || plain != first
		if scale != "" {
			sure = sure || len(scale) > 1 || letter != "" && letter != scale || !codeLike(s[:len(s)-1], scale)
			letter = scale
		}
	}
	return texts, several && sure
}

// codeLike reports whether digits before a letter may be part of a code.
func codeLike(digits, letter string) bool {
	const most = "16" // 16K is the most that displays have
	if len(digits) > 2 || !allDigits(digits) {
		return false
	}
	return letter == "B" || len(digits) == 1 || digits <= most
}

// hasWord reports whether a column's name has one of some words, in lower case.
func hasWord(name string, among map[string]bool) bool {
	for _, word := range nameWords(name) {
		if among[word] {
			return true
		}
	}
	return false
}
