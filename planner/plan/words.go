package plan

import (
	_ "embed" // the names
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"catena/internal/text"
)

// FoldWords splits a text into its words for comparison: lower case, without accents and punctuation. An apostrophe
// joins ("o'hare" is ohare) except that a genitive s is dropped. It is what Values and planners compare texts by.
func FoldWords(s string) []string {
	var out []string
	var b strings.Builder
	flush := func() {
		if b.Len() > 0 {
			out = append(out, b.String())
			b.Reset()
		}
	}
	ascii := isASCII(s)
	if !ascii {
		s = norm.NFKD.String(s)
	}
	runes := []rune(s)
	for i, r := range runes {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			b.WriteRune(unicode.ToLower(r))
		case unicode.Is(unicode.Mn, r):
		case (r == '\'' || r == '’') && b.Len() > 0:
			if genitive(runes[i+1:]) {
				flush()
			}
		default:
			if b.Len() == 1 && b.String() == "s" && i >= 2 && (runes[i-2] == '\'' || runes[i-2] == '’') {
				b.Reset()
			}
			flush()
		}
	}
	if n := len(runes); b.String() == "s" && n >= 2 && (runes[n-2] == '\'' || runes[n-2] == '’') {
		b.Reset()
	}
	flush()
	return out
}

// WordSet makes a set of the words of a text, which are separated by spaces: how the tables of words are written.
func WordSet(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(text) {
		set[w] = true
	}
	return set
}

// genitive reports whether what follows an apostrophe is an s that ends the word.
func genitive(rest []rune) bool {
	return len(rest) > 0 && (rest[0] == 's' || rest[0] == 'S') && (len(rest) == 1 || !unicode.IsLetter(rest[1]) && !unicode.IsDigit(rest[1]))
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// NameWords splits a column's or tool's name: as FoldWords, and at a change from lower to upper case or between letters
// and digits of two and more ("revenueUSD", "top10").
func NameWords(s string) []string {
	var b strings.Builder
	prev := rune(0)
	for _, r := range s {
		if unicode.IsUpper(r) && unicode.IsLower(prev) {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
		prev = r
	}
	return FoldWords(strings.ReplaceAll(b.String(), "_", " "))
}

// Singular gives a folded English noun its singular; words that are no plural stay as they are.
func Singular(w string) string { return text.Singular(w) }

// FoldKey is a text folded to one comparable key: its words in the singular, joined by spaces.
func FoldKey(s string) string {
	words := FoldWords(s)
	for i, w := range words {
		words[i] = Singular(w)
	}
	return strings.Join(words, " ")
}

const digits = "0123456789"

// Near reports whether two folded texts of at least four letters are one slip of the keyboard apart: a letter more,
// less or other, or two neighbours swapped. Texts that differ in a digit are never near.
func Near(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) < 4 || len(b)-len(a) > 1 || a == b {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	j := 0
	for j < len(a)-i && a[len(a)-1-j] == b[len(b)-1-j] {
		j++
	}
	x, y := a[i:len(a)-j], b[i:len(b)-j]
	switch {
	case len(y) == 1 && len(x) <= 1:
	case len(y) == 2 && len(x) == 2 && x == string([]byte{y[1], y[0]}):
	default:
		return false
	}
	return !strings.ContainsAny(x, digits) && !strings.ContainsAny(y, digits)
}

//go:embed synonyms.txt
var synonymFile string

// sameNames are the lines of a section of the names.
func sameNames(section string) []string {
	var out []string
	in := false
	for line := range strings.Lines(synonymFile) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			in = strings.HasPrefix(line, "["+section+"]")
		case in:
			out = append(out, line)
		}
	}
	return out
}

// Synonyms gives the other names of a thing that the phrase names, folded by FoldKey, without the phrase itself: countries
// and their people and codes, states of the USA and their codes, sexes, kinds of weather, currencies, weekdays, months, what becomes of orders and
// tickets; many of them in German, too. A phrase that names none of them gives none. The slice must not be changed.
func Synonyms(phrase string) []string {
	key := FoldKey(phrase)
	if list, ok := synonyms[key]; ok {
		return list
	}
	for _, ending := range adjectiveEndings {
		if rest, ok := strings.CutSuffix(key, ending); ok && len(rest) >= leastAdjective {
			if list := synonyms[rest]; list != nil {
				return append([]string{rest}, list...)
			}
		}
	}
	return nil
}

// IsCode reports whether a phrase is a code of something, in whatever case: "us", which is a word as well, but not "man".
func IsCode(phrase string) bool { return codes[FoldKey(phrase)] }

// adjectiveEndings are those of German adjectives: offen, offene, offenen.
var adjectiveEndings = []string{"e", "en", "er", "es", "em", "n"}

// maxCode is how many letters codes have at most.
const maxCode = 4

// leastAdjective is how long an adjective is without its ending, in bytes.
const leastAdjective = 4

// Demonym reports whether a folded word is a people's adjective ("german") and gives the country's first name.
func Demonym(word string) (country string, ok bool) {
	country, ok = demonyms[Singular(word)]
	return country, ok
}

var synonyms, demonyms, codes = func() (map[string][]string, map[string]string, map[string]bool) {
	all, people, codes := map[string][]string{}, map[string]string{}, map[string]bool{}
	for _, section := range []string{"countries", "states", "others"} {
		for _, line := range sameNames(section) {
			names := strings.Split(strings.TrimSpace(line), ",")
			keys := make([]string, 0, len(names))
			for _, n := range names {
				if n = strings.TrimSpace(n); n == "" {
					continue
				}
				adjective := strings.HasPrefix(n, "~")
				key := FoldKey(strings.TrimPrefix(n, "~"))
				if adjective {
					people[key] = strings.TrimSpace(names[0])
				}
				keys = append(keys, key)
				codes[key] = codes[key] || len(n) <= maxCode && strings.ToUpper(n) == n
			}
			for i, k := range keys {
				for j, other := range keys {
					if i != j && k != other {
						all[k] = append(all[k], other)
					}
				}
			}
		}
	}
	return all, people, codes
}()

// IsPlace reports whether a phrase names a country, its people, or a part of the world.
func IsPlace(phrase string) bool {
	_, ok := countryCodes[FoldKey(phrase)]
	return ok
}

// CountryCode gives the ISO 3166-1 alpha-2 code of the country that a phrase names, "" when it names none.
func CountryCode(phrase string) string { return countryCodes[FoldKey(phrase)] }

// countryCodes gives the two-letter code by any folded name; parts of the world have "".
var countryCodes = func() map[string]string {
	out := map[string]string{}
	for _, line := range sameNames("countries") {
		names := strings.Split(strings.TrimSpace(line), ",")
		code := ""
		for _, n := range names {
			if len(n) == 2 && strings.ToUpper(n) == n && n != "UK" && n != "EU" && n != "NA" {
				code = n
				break
			}
		}
		for _, n := range names {
			out[FoldKey(strings.TrimPrefix(n, "~"))] = code
		}
	}
	return out
}()
