package profiler

import (
	"slices"
	"strings"

	"catena/profiler/names"
)

// mostGuessed is how many names of a table are read together; guesses for the names beyond are not made.
const mostGuessed = 64

// guess finds out what the parts of names stand for that no dictionary has, from the parts around them and the other names. What is not
// almost always right stays as it is (names.Model.Sure): a wrong label misleads more than a short one.
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
	model := names.Embedded()
	for i, parts := range model.Parts(bases, doubtful) {
		for _, p := range parts {
			if !strange(p.Text) || !model.Sure(p, Abbreviation) {
				continue
			}
			if prepared[i].guesses == nil {
				prepared[i].guesses = map[string]string{}
			}
			prepared[i].guesses[p.Text] = writtenOut(p.Words)
		}
	}
}

// writtenOut joins the words of a guess; short ones among them are written out where a dictionary has them: check no is a check number.
func writtenOut(words []string) string {
	out := slices.Clone(words)
	for i, w := range out {
		if long := abbreviations[w]; len(out) > 1 && i > 0 && len(w) <= 3 && long != "" {
			out[i] = long
		}
	}
	return strings.ReplaceAll(strings.Join(out, " "), "identifier", "id")
}

// Warm decodes what names are read by, about 20 ms of work that the first table with an unusual name would wait for otherwise. It is safe
// to call at any time, by any goroutine.
func Warm() { names.Embedded() }

// strange reports whether a part is neither a word nor in a dictionary, and may have a reading to be shown.
func strange(part string) bool {
	for i := range len(part) {
		if c := part[i] | 0x20; c < 'a' || c > 'z' {
			return false
		}
	}
	low := strings.ToLower(part)
	if abbreviations[low] != "" || acronyms[low] != "" || currencyCodes[strings.ToUpper(low)] || unitWords[low] != "" || aggregateWords[low] != "" {
		return false
	}
	if slices.ContainsFunc(meaningWords, func(words map[string]bool) bool { return words[low] }) || placeWords[low] != "" {
		return false
	}
	return names.Embedded().Doubtful(low)
}

// meaningWords are the words that say what a column means; they stay as they are.
var meaningWords = []map[string]bool{idWords, countWords, moneyWords, percentWords, rateWords, changeWords, meanWords, additiveWords,
	extremeWords, yearWords, periodWords, timeWords, categoryWords, textWords, chargeWords, decimalWords}

// Abbreviation is what the dictionary of business and data English has for a short form in small letters: "quantity" for qty. It is ""
// for what the dictionary does not have.
func Abbreviation(short string) string {
	if short == "id" {
		return "identifier"
	}
	return abbreviations[short]
}
