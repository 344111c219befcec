package profiler

import (
	"slices"
	"strings"

	"catena/profiler/names"
)

// sureGuess is how sure the reading of an unknown short form must be before people see it: a wrong expansion misleads more than none.
// The threshold is a cautious choice; how often guesses above it are right has not been measured.
const sureGuess = 0.9

// Bounds of what is guessed.
const (
	shortestGuess = 3 // two letters mean anything
	longestGuess  = 12
	mostGuessed   = 64 // names of a table that are read together; guesses for the names beyond are not made
)

// guess finds out what the parts of names stand for that no dictionary has, from the parts around them and the other names.
func guess(prepared []parted) {
	if len(prepared) > mostGuessed {
		return
	}
	var doubtful []bool
	for i := range prepared {
		if !verbatim(prepared[i].base) && slices.ContainsFunc(prepared[i].tokens, strange) {
			if doubtful == nil {
				doubtful = make([]bool, len(prepared))
			}
			doubtful[i] = true
		}
	}
	if doubtful == nil {
		return
	}
	bases := make([]string, len(prepared))
	for i := range prepared {
		bases[i] = strings.Join(prepared[i].tokens, "_")
	}
	for i, parts := range names.Embedded(names.Trade).Parts(bases, doubtful) {
		for _, p := range parts {
			if p.Confidence < sureGuess || !strange(p.Text) || len(p.Text) < 2*len(p.Words) || len(p.Words) == 1 && p.Words[0] == p.Text {
				continue // initials of several words mean anything
			}
			if prepared[i].guesses == nil {
				prepared[i].guesses = map[string]string{}
			}
			prepared[i].guesses[p.Text] = strings.ReplaceAll(strings.Join(p.Words, " "), "identifier", "id")
		}
	}
}

// strange reports whether a part is neither a word nor in a dictionary.
func strange(part string) bool {
	if len(part) < shortestGuess || len(part) > longestGuess {
		return false
	}
	for i := range len(part) {
		if c := part[i] | 0x20; c < 'a' || c > 'z' {
			return false
		}
	}
	low := strings.ToLower(part)
	switch {
	case abbreviations[low] != "", acronyms[low] != "", currencyCodes[strings.ToUpper(low)], unitWords[low] != "":
		return false
	}
	return !names.Embedded(names.Trade).Knows(low)
}
