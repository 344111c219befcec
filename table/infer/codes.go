package infer

import (
	"fmt"
	"strings"

	"catena/internal/text"
)

const (
	phoneDigits = 9 // a plus before that many digits is a phone number's (ITU-T E.164 has 15 at most)
	phoneMost   = 15
)

// areCodes reports whether texts that could be numbers are none: phone numbers +4930123456, codes 1E5 and 2E3, versions
// 1.9 and 1.10.
func areCodes(name string, values []string) bool {
	switch first := firstOf(values); {
	case first == "":
		return false
	case first[0] == '+':
		return all(values, isPhone)
	case isLetterCode(first) || allDigits(first):
		return namesCodes(name) && someLetterCodes(values)
	case strings.IndexByte(first, '.') > 0:
		return namedAs(name, versionNames) && areVersions(values)
	}
	return false
}

func firstOf(values []string) string {
	for _, s := range values {
		if s != "" {
			return s
		}
	}
	return ""
}

func all(values []string, is func(string) bool) bool {
	for _, s := range values {
		if s != "" && !is(s) {
			return false
		}
	}
	return true
}

// isPhone reports whether a text is a plus and digits alone, as many as phone numbers have.
func isPhone(s string) bool {
	rest, plus := strings.CutPrefix(s, "+")
	return plus && len(rest) >= phoneDigits && len(rest) <= phoneMost && rest[0] != '0' && allDigits(rest)
}

// isLetterCode reports whether a text is digits, a capital E, and digits: people who write numbers with exponents write
// a point, a sign or a small e among them.
func isLetterCode(s string) bool {
	before, behind, ok := strings.Cut(s, "E")
	return ok && before != "" && behind != "" && allDigits(before) && allDigits(behind)
}

// someLetterCodes reports whether there is such a code among texts that are codes or digits.
func someLetterCodes(values []string) bool {
	found := false
	for _, s := range values {
		code := strings.IndexByte(s, 'E') > 0 && isLetterCode(s)
		if !code && !allDigits(s) {
			return false
		}
		found = found || code
	}
	return found
}

// noteCodes is for a column of such texts whose name does not tell what they are.
func noteCodes(values []string) []string {
	first := firstOf(values)
	if strings.IndexByte(first, 'E') <= 0 || !all(values, isLetterCode) {
		return nil
	}
	return []string{fmt.Sprintf("%s was read as a number with an exponent, and so were the others; if they are "+
		"codes, write a letter before each", text.Clip(first, 20))}
}

// The last words of names, in lower case.
var (
	versionNames = text.Set("version|versions|release|revision|ver|rev")
	codeNames    = text.Set("code|codes|id|ids|sku|part|model|room|ref|reference|key|batch|lot|bin|slot|shelf|gate|seat|flat|block|cell|serial|hash|sha|commit|hex|uid|uuid|guid|asset|barcode|article")
	numberNames  = text.Set("no|nr|num|number|nos|#") // behind another word
)

// namesCodes reports whether a column's name says that it holds codes: part, part_no, article number.
func namesCodes(name string) bool {
	words := nameWords(name)
	return namedAs(name, codeNames) || len(words) > 1 && numberNames[words[len(words)-1]]
}

// namedAs reports whether the last word of a column's name is one of some.
func namedAs(name string, among map[string]bool) bool {
	last := nameWords(name)
	return len(last) > 0 && among[last[len(last)-1]]
}

// nameWords are the words of a column's name, in lower case.
func nameWords(name string) []string {
	return strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return r == '_' || r == '-' || r == ' ' || r == '.'
	})
}

// MayBeCodes reports whether a column whose first cells are numbers has to be looked at as a whole to know whether they
// are codes.
func MayBeCodes(name string, values []string) bool {
	return namedAs(name, versionNames) || areCodes(name, values) || noteCodes(values) != nil
}

// areVersions reports whether the fractions have different numbers of digits and one of them ends in a zero: as numbers
// 1.10 and 1.1 would be one.
func areVersions(values []string) bool {
	least, most, zero := 1<<30, 0, false
	for _, s := range values {
		if s == "" {
			continue
		}
		whole, frac, _ := strings.Cut(s, ".")
		if !allDigits(whole) || !allDigits(frac) {
			return false
		}
		least, most = min(least, len(frac)), max(most, len(frac))
		zero = zero || len(frac) > 1 && frac[len(frac)-1] == '0'
	}
	return zero && least < most
}
