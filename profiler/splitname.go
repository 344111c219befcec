package profiler

import "unicode"

// splitName cuts a name into its parts: at anything that is not a letter, a digit or one of & % # $ and currency signs,
// between aB, between ABc (before the last capital), and between a letter and a run of digits where the digits begin a
// new part.
func splitName(name string) []string {
	var parts []string
	var cur []rune
	flush := func() {
		if len(cur) > 0 {
			parts = append(parts, string(cur))
			cur = cur[:0]
		}
	}
	runes := []rune(name)
	for i, r := range runes {
		switch {
		case r == '%' || r == '#' || unicode.Is(unicode.Sc, r):
			flush()
			parts = append(parts, string(r))
			continue
		case !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '&' && r != '\'' &&
			!joinsAcronym(runes, i):
			flush()
			continue
		case i > 0 && len(cur) > 0 && boundary(runes, i):
			flush()
		}
		cur = append(cur, r)
	}
	flush()
	return parts
}

// joinsAcronym keeps the slash of P/E and similar pairs of capitals together.
func joinsAcronym(r []rune, i int) bool {
	return r[i] == '/' && i > 0 && i+1 < len(r) && unicode.IsUpper(r[i-1]) && unicode.IsUpper(r[i+1])
}

// boundary reports whether a new part begins at i by a change of case or of kind.
func boundary(r []rune, i int) bool {
	prev, cur := r[i-1], r[i]
	switch {
	case unicode.IsLower(prev) && unicode.IsUpper(cur):
		return true
	case unicode.IsUpper(prev) && unicode.IsUpper(cur) && i+1 < len(r) && unicode.IsLower(r[i+1]):
		return !(i+2 == len(r) && r[i+1] == 's') // IDs, SKUs
	case unicode.IsLetter(prev) && unicode.IsDigit(cur):
		return digitsEnd(r, i) && wordLength(r, i) > 3 // address2, but p95, q1, co2
	case unicode.IsDigit(prev) && unicode.IsUpper(cur) && i+1 < len(r) && unicode.IsLower(r[i+1]):
		return true // Q1Sales
	}
	return false
}

func digitsEnd(r []rune, i int) bool {
	for i < len(r) && unicode.IsDigit(r[i]) {
		i++
	}
	return i == len(r) || !unicode.IsLetter(r[i])
}

func wordLength(r []rune, i int) int {
	n := 0
	for i--; i >= 0 && unicode.IsLetter(r[i]); i-- {
		n++
	}
	return n
}
