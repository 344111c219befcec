package plan

import (
	_ "embed" // the names
	"strings"
)

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
