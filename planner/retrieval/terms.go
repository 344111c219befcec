package retrieval

import (
	"strings"
	"unicode"

	"catena/planner/plan"
)

// stopWords say nothing of what a tool is about. They are common words of English, and those with which people ask for anything.
var stopWords = plan.WordSet(`a an the of in on at to for from by with and or is are was were be been am do does did can could would should will shall may might must have has had
 i me my mine we us our you your he she it its they them their this that these those there here what which who whom whose when where how why if then than as so such
 please also not no any some all just about into out up over under very more most much many get give tell show want need like help find know let make using use used via per e g eg etc ie s t d ll ve re m`)

// Terms gives the stems of a text's content words, in order. Names in camel case and snake case are split.
func Terms(s string) []string {
	words := plan.NameWords(s)
	out := words[:0]
	for _, w := range words {
		if !stopWords[w] {
			out = append(out, Stem(w))
		}
	}
	return out
}

// nameTerms are the stems of a name. Words that are written as one are told apart: airquality.
func nameTerms(s string) []string {
	var out []string
	for _, w := range plan.NameWords(strings.ReplaceAll(s, ".", " ")) {
		if stopWords[w] {
			continue
		}
		out = append(out, Stem(w))
		out = append(out, compound(w)...)
	}
	return out
}

// compound gives the stems of the words that a long unknown word is made of, nil where it cannot be told.
func compound(w string) []string {
	const shortest, longest = 7, 40
	known := nearStems().id
	if _, ok := known[Stem(w)]; ok || len(w) < shortest || len(w) > longest || strings.ContainsFunc(w, func(r rune) bool { return r > unicode.MaxASCII || unicode.IsDigit(r) }) {
		return nil
	}
	// best[i] is the best split of the first i letters: as few letters left over as can be, then as few words.
	type split struct {
		lost, words, from int
		stem              string
	}
	best := make([]split, len(w)+1)
	for i := 1; i <= len(w); i++ {
		best[i] = split{best[i-1].lost + 1, best[i-1].words, i - 1, ""}
		for from := max(0, i-14); from+4 <= i; from++ {
			s := Stem(w[from:i])
			if _, ok := known[s]; !ok {
				continue
			}
			if b := best[from]; b.lost < best[i].lost || b.lost == best[i].lost && b.words+1 < best[i].words {
				best[i] = split{b.lost, b.words + 1, from, s}
			}
		}
	}
	if best[len(w)].lost > len(w)/2 {
		return nil
	}
	var out []string
	for i := len(w); i > 0; i = best[i].from {
		if best[i].stem != "" {
			out = append(out, best[i].stem)
		}
	}
	return out
}

var endings = []string{"ations", "ation", "ating", "ated", "ates", "ator", "ate", "ition", "ions", "ion", "ings", "ing", "ment", "ors", "or", "ers", "er", "ed", "ly", "al", "ive", "y", "e"}

// Stem cuts an English word to what its forms have in common.
func Stem(w string) string {
	w = plan.Singular(w)
	for _, end := range endings {
		if s, ok := strings.CutSuffix(w, end); ok && len(s) >= 4 {
			if n := len(s); s[n-1] == s[n-2] && end != "e" && end != "y" {
				s = s[:n-1]
			}
			return s
		}
	}
	return w
}
