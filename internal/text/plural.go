package text

import (
	"slices"
	"strings"
)

// irregular are the plurals that no ending tells.
var irregular = map[string]string{
	"people": "person", "men": "man", "women": "woman", "children": "child", "feet": "foot", "mice": "mouse", "criteria": "criterion",
	"indices": "index", "analyses": "analysis", "series": "series", "species": "species", "news": "news", "gas": "gas", "bus": "bus", "status": "status", "lens": "lens",
	"gross": "gross", "sales": "sale", "movies": "movie", "cookies": "cookie", "ties": "tie", "lives": "life", "deaths": "death", "houses": "house", "causes": "cause",
	"sizes": "size", "prizes": "prize", "axes": "axis", "hertz": "hertz", "always": "always", "plus": "plus", "less": "less", "address": "address", "does": "do", "was": "be", "is": "be", "this": "this", "us": "us", "has": "have",
	"aliases": "alias", "buses": "bus", "statuses": "status", "viruses": "virus", "bonuses": "bonus", "leaves": "leaf", "wives": "wife", "knives": "knife", "shelves": "shelf", "halves": "half", "wolves": "wolf", "thieves": "thief",
}

// ends reports whether a word ends in one of some endings.
func ends(w string, endings []string) bool {
	return slices.ContainsFunc(endings, func(e string) bool { return strings.HasSuffix(w, e) })
}

var (
	noPlural = []string{"ss", "us", "is"}                      // ends that only look like a plural's
	takesES  = []string{"sses", "shes", "ches", "xes", "zzes"} // plurals that have es more than the singular
	needsES  = []string{"s", "x", "z", "ch", "sh"}             // singulars that have it in the plural
)

// Singular gives an English noun in lower case its singular; words that are no plural stay as they are.
func Singular(w string) string {
	if s, ok := irregular[w]; ok {
		return s
	}
	n := len(w)
	switch {
	case n < 4 || w[n-1] != 's' || ends(w, noPlural):
		return w
	case strings.HasSuffix(w, "ies") && n > 4:
		return w[:n-3] + "y"
	case ends(w, takesES) || n > 5 && strings.HasSuffix(w, "oes"):
		return w[:n-2]
	}
	return w[:n-1]
}

// Plural gives an English noun in lower case, in the singular, its plural.
func Plural(w string) string {
	best := ""
	for many, one := range irregular {
		if one == w && many != one && (best == "" || many < best) {
			best = many
		}
	}
	n := len(w)
	switch {
	case best != "":
		return best
	case strings.HasSuffix(w, "ies"): // series, species
		return w
	case n > 1 && w[n-1] == 'y' && !strings.ContainsRune("aeiou", rune(w[n-2])):
		return w[:n-1] + "ies"
	case ends(w, needsES):
		return w + "es"
	}
	return w + "s"
}
