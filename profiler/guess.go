package profiler

import (
	"slices"
	"strings"

	"catena/profiler/names"
)

// readTogether is how many names of a table are read together; those of a wider one are read so many at a time.
const readTogether = 64

// mostGuessed bounds the bytes of a table's names in which short forms are looked for: each takes a fifth of a
// millisecond. Behind them, as in tables of thousands of columns, names are read by the dictionary alone.
const mostGuessed = 8 << 10

// guess finds out what the short forms in the names of a table stand for, from the parts around them, the other names
// and the table's title. What is not likely right stays as it is (names.Model.Sure): a wrong label misleads more than a
// short one.
func guess(title string, prepared []parted) {
	left := mostGuessed
	for some := range slices.Chunk(prepared, readTogether) {
		left = guessSome(title, some, left)
	}
}

// guessSome reads names of no more bytes than are left and returns what is left then.
func guessSome(title string, prepared []parted, left int) int {
	doubtful := make([]bool, len(prepared))
	for i := range prepared {
		size := len(prepared[i].base)
		if doubtful[i] = size <= left && prepared[i].doubtful(); doubtful[i] {
			left -= size
		}
	}
	if !slices.Contains(doubtful, true) {
		return left
	}
	bases := make([]string, len(prepared))
	for i := range prepared {
		bases[i] = strings.Join(prepared[i].tokens, "_")
	}
	model := names.Embedded()
	for i, parts := range model.Parts(title, bases, doubtful) {
		for _, p := range parts {
			if !readable(p) || !model.Sure(p, Abbreviation) || doubted(p) {
				continue
			}
			if prepared[i].guesses == nil {
				prepared[i].guesses = map[string]string{}
			}
			prepared[i].guesses[p.Text] = writtenOut(p.Words)
		}
	}
	return left
}

// doubtful reports whether a name has a part that may be a short form of something.
func (p *parted) doubtful() bool {
	return !p.verbatim() && slices.ContainsFunc(p.tokens, strange)
}

// doubted reports whether a dictionary says otherwise of a part than its reading, which leaves some doubt.
func doubted(p names.Part) bool {
	known := abbreviations[p.Text]
	return known != "" && known != strings.Join(p.Words, " ") && !p.Titled && p.Confidence < beyondDictionary
}

// beyondDictionary is how confident a reading must be that differs from the dictionary's.
const beyondDictionary = 0.95

// writtenOut joins the words of a guess; short ones among them are written out where a dictionary has them: check no is
// a check number.
func writtenOut(words []string) string {
	out := slices.Clone(words)
	for i, w := range out {
		if long := abbreviations[w]; len(out) > 1 && i > 0 && len(w) <= 3 && long != "" {
			out[i] = long
		}
	}
	return strings.ReplaceAll(strings.Join(out, " "), "identifier", "id")
}

// Warm decodes what names are read by, about 20 ms of work that the first table with an unusual name would wait for
// otherwise. It is safe to call at any time, by any goroutine.
func Warm() { names.Embedded() }

// strange reports whether a part may have a reading to be shown.
func strange(part string) bool {
	low := strings.ToLower(part)
	return mayBeShort(low) && names.Embedded().Doubtful(low)
}

// readable reports whether what was read of a part may be shown: n is decided by what follows it, an attribute says
// nothing alone.
func readable(p names.Part) bool {
	return (mayBeShort(p.Text) || p.Titled) && p.Text != "n" && !(p.Whole && attributes[p.Text])
}

// mayBeShort reports whether a part, in small letters, is neither an acronym nor one of the words that say what a
// column means: they stay as they are.
func mayBeShort(low string) bool {
	spelt := []map[string]string{acronyms, unitWords, aggregateWords, placeWords}
	meant := func(words map[string]string) bool { return words[low] != "" }
	if wholeWords[low] || currencyCodes[strings.ToUpper(low)] || slices.ContainsFunc(spelt, meant) {
		return false
	}
	return len(low) < shortestCountable || !slices.ContainsFunc(meaningWords, func(words map[string]bool) bool {
		return words[low]
	})
}

// meaningWords are the words that say what a column means; they stay as they are.
var meaningWords = []map[string]bool{idWords, countWords, moneyWords, percentWords, rateWords, changeWords, meanWords,
	additiveWords,
	extremeWords, yearWords, periodWords, timeWords, categoryWords, textWords, chargeWords, decimalWords}

// Abbreviation is what the dictionary of business and data English has for a short form in small letters: "quantity"
// for qty. It is "" for what the dictionary does not have.
func Abbreviation(short string) string {
	if short == "id" {
		return "identifier"
	}
	return abbreviations[short]
}
