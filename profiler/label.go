package profiler

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// word is one word of a label; fixed ones keep their case.
type word struct {
	text  string
	fixed bool
}

// TableLabel is a table's name for people: its own words with blanks between them, the first letters raised, acronyms
// in their usual case. Nothing is written out, for nothing around a table's name says what a short form in it stands
// for.
func TableLabel(name string) string {
	if strings.Contains(name, " ") && !strings.Contains(name, "_") {
		return capitalise(name)
	}
	var words []word
	for _, part := range splitName(name) {
		low := strings.ToLower(part)
		switch acronym, ok := acronyms[low]; {
		case ok:
			words = append(words, word{acronym, true})
		case currencyCodes[strings.ToUpper(low)] && !wordCodes[low]:
			words = append(words, word{strings.ToUpper(low), true})
		default:
			words = append(words, word{low, false})
		}
	}
	if len(words) == 0 {
		return capitalise(name)
	}
	return joinWords(words)
}

// arrange orders the words as people say them: the aggregate (full, "" when the name begins with none) before the
// measure, the period after it; markers go.
func arrange(words []word, full string) []word {
	words = slashRatio(dropMarkers(words))
	if len(words) < 2 {
		return words
	}
	if full != "" {
		rest := words[1:]
		if rest[0].text == "of" && len(rest) > 1 {
			rest = rest[1:]
		}
		if full != "count" {
			return append([]word{{full, false}}, arrange(rest, "")...)
		}
		if rest[0].text == "distinct" && len(rest) > 1 {
			return append(append([]word{{"distinct", false}}, rest[1:]...), word{"count", false})
		}
		if last := rest[len(rest)-1].text; shareWords[last] || percentWords[last] {
			return words // of the count
		}
		return append(append([]word{}, rest...), word{"count", false})
	}
	if leadingPeriods[strings.ToUpper(words[0].text)] {
		return append(append([]word{}, words[1:]...), words[0])
	}
	return words
}

// slashRatio writes the ratio of two acronyms with a slash: DAU/MAU Ratio.
func slashRatio(words []word) []word {
	if len(words) != 3 || !words[0].fixed || !words[1].fixed || words[2].text != "ratio" {
		return words
	}
	return []word{{words[0].text + "/" + words[1].text, true}, words[2]}
}

// dropMarkers removes a last word that says what kind of column it is where the rest says it already: is_x_flag, x_yn.
func dropMarkers(words []word) []word {
	if len(words) < 2 {
		return words
	}
	first, last := words[0].text, words[len(words)-1].text
	if last == "yn" || last == "flag" && questionWords[first] {
		return words[:len(words)-1]
	}
	return words
}

// questionWords begin names of yes/no columns.
var questionWords = set("is", "has", "was", "can", "had", "are", "should", "did")

// smallWords stay lower inside a title.
var smallWords = set("a", "an", "and", "as", "at", "by", "for", "from", "in", "of", "on", "or", "per", "the",
	"to", "vs", "with")

func joinWords(words []word) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		switch {
		case w.fixed, i > 0 && smallWords[w.text] && i < len(words)-1:
			b.WriteString(w.text)
		default:
			b.WriteString(capitalise(w.text))
		}
	}
	return b.String()
}

// capitalise raises the first letter.
func capitalise(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 || r == utf8.RuneError {
		return s
	}
	return string(unicode.ToUpper(r)) + s[n:]
}
