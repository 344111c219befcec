package verbs

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"catena/internal/text"
)

// What may differ between two ways to write one name, and what each costs of a score of 1.
const (
	costLetters = 0.01 // case, accents, punctuation
	costOrder   = 0.02 // the order of words, or where they are parted
	costForm    = 0.04 // a legal form or an article that only one has
	costSlip    = 0.02 // a slip of the pen, beside the share of the letters that it changes
)

// leastSlip is how long a word must be to be taken for another that has one letter more, less or changed. Shorter ones
// are often words of their own: Maria and Mario, Gambia and Zambia.
const leastSlip = 7

// legalForms are words that say what kind of company it is, by the way they are written in keys.
var legalForms = map[string]string{
	"ab": "ab", "ag": "ag", "asa": "asa", "bv": "bv", "co": "company", "company": "company", "corp": "corporation",
	"corporation": "corporation", "gmbh": "gmbh", "inc": "incorporated", "incorporated": "incorporated", "kg": "kg",
	"limited": "limited", "llc": "llc", "llp": "llp", "ltd": "limited", "nv": "nv", "oy": "oy", "plc": "plc",
	"pte": "pte", "pty": "pty", "sa": "sa", "sarl": "sarl", "srl": "srl", "ug": "ug",
}

// articles and words that stand for a sign.
var fillers = text.WordSet("the and und et y")

// spelling is a name, as it is compared.
type spelling struct {
	raw    string
	folded string   // its words in their order
	words  []string // without legal forms and fillers, sorted
	joined string   // the same in their order, not parted
	forms  []string // legal forms, sorted
	less   int      // fillers that were left out
}

// parts reports whether a character stands between words. Quotes stand in them.
func parts(r rune) bool {
	letter := unicode.IsLetter(r) || unicode.IsDigit(r)
	return !letter && r != '\'' && r != '’'
}

func spell(raw string) spelling {
	s := spelling{raw: raw}
	apart := strings.FieldsFunc(strings.ReplaceAll(text.Fold(raw), ".", ""), parts)
	for i, w := range apart {
		apart[i] = strings.NewReplacer("'", "", "’", "").Replace(w)
	}
	s.folded = strings.Join(apart, " ")
	end := len(apart)
	for ; end > 1 && (legalForms[apart[end-1]] != "" || fillers[apart[end-1]]); end-- {
		if form := legalForms[apart[end-1]]; form != "" {
			s.forms = append(s.forms, form)
		}
	}
	for _, w := range apart[:end] {
		if fillers[w] {
			s.less++
			continue
		}
		s.words = append(s.words, w)
		s.joined += w
	}
	if len(s.words) == 0 { // a name of such words alone
		s.words, s.forms, s.joined, s.less = apart, nil, strings.Join(apart, ""), 0
	}
	slices.Sort(s.words)
	slices.Sort(s.forms)
	return s
}

// spellings are names by what finds those that may be the same.
type spellings struct {
	list  []spelling
	by    map[string][]int // places in list, by keys
	words map[string]int   // of all names, with how many have each: such a word is no slip of another
}

// newSpellings reads names, of which none is there twice.
func newSpellings(names []string) *spellings {
	s := &spellings{by: map[string][]int{}, words: map[string]int{}}
	for at, name := range names {
		sp := spell(name)
		s.list = append(s.list, sp)
		for _, key := range sp.keys() {
			if list := s.by[key]; len(list) == 0 || list[len(list)-1] != at {
				s.by[key] = append(list, at)
			}
		}
		for _, w := range sp.words {
			s.words[w]++
		}
	}
	return s
}

// keys are what a name is found by: its words as one text, in their order and sorted, and with one letter left out.
func (s spelling) keys() []string {
	out := []string{s.joined}
	if sorted := strings.Join(s.words, ""); sorted != s.joined {
		out = append(out, sorted)
	}
	for _, w := range s.words {
		if letters := []rune(w); len(letters) >= leastSlip {
			rest := strings.Join(without(s.words, w), "")
			for i := range letters {
				out = append(out, rest+"\x00"+string(letters[:i])+string(letters[i+1:]))
			}
			out = append(out, rest+"\x00"+w)
		}
	}
	return out
}

func without(words []string, w string) []string {
	i := slices.Index(words, w)
	return slices.Delete(slices.Clone(words), i, i+1)
}

// candidate is a name that may be the same.
type candidate struct {
	at    int
	score float64
}

// find are the names that may be the same as one, the likeliest first; equal ones in their order. other are the words
// of the names on its own side.
func (s *spellings) find(name spelling, other map[string]int) (out []candidate) {
	seen := map[int]bool{}
	for _, key := range name.keys() {
		for _, at := range s.by[key] {
			if seen[at] {
				continue
			}
			seen[at] = true
			if score := alike(name, s.list[at], s.words, other); score > 0 {
				out = append(out, candidate{at, score})
			}
		}
	}
	slices.SortFunc(out, func(a, b candidate) int { return cmp.Or(cmp.Compare(b.score, a.score), a.at-b.at) })
	return out
}

// alike says how surely two names are one, from 0 for not at all to 1 for equal texts. Words of both, but for legal
// forms, must all be the same, and digits too; one word of a may have a slip, unless other names have it too.
func alike(a, b spelling, ofB, ofA map[string]int) float64 {
	switch {
	case a.raw == b.raw:
		return 1
	case a.folded == b.folded && a.folded != "":
		return 1 - costLetters
	case a.joined == "" || b.joined == "":
		return 0
	}
	score := 1 - costLetters
	switch {
	case slices.Equal(a.forms, b.forms):
	case len(a.forms) == 0 || len(b.forms) == 0:
		score -= costForm
	default:
		return 0 // two companies, as their forms say
	}
	if a.less != b.less {
		score -= costForm / 2
	}
	return score - ofWords(a, b, ofB, ofA)
}

// ofWords is what the words of two names take off their score; 1 or more where they are others.
func ofWords(a, b spelling, ofB, ofA map[string]int) float64 {
	same := slices.Equal(a.words, b.words)
	switch {
	case a.joined == b.joined && same:
		return 0
	case a.joined == b.joined || same:
		return costOrder
	}
	x, y, one := differing(a.words, b.words)
	if known := ofB[x] > 0 || ofA[x] > 1; !one || known || !slip(x, y) {
		return 1
	}
	return costSlip + 1/float64(max(len([]rune(a.joined)), len([]rune(b.joined))))
}

// differing is the one word in which two sorted lists differ; false where they differ in more.
func differing(a, b []string) (x, y string, one bool) {
	if len(a) != len(b) {
		return "", "", false
	}
	rest := slices.Clone(b)
	for _, w := range a {
		if i := slices.Index(rest, w); i >= 0 {
			rest = slices.Delete(rest, i, i+1)
			continue
		}
		if x != "" {
			return "", "", false
		}
		x = w
	}
	return x, rest[0], true
}

// slip reports whether a word may be another with one slip of the pen inside: a letter more, less or changed, or two
// that changed places. Digits are none, nor is a vowel for another, as in Petersen and Peterson.
func slip(a, b string) bool {
	x, y := []rune(a), []rune(b)
	shorter, longer := min(len(x), len(y)), max(len(x), len(y))
	if longer < leastSlip || x[0] != y[0] || x[len(x)-1] != y[len(y)-1] {
		return false
	}
	if strings.ContainsFunc(a+b, unicode.IsDigit) || text.Distance(a, b, 1) != 1 {
		return false
	}
	if shorter != longer {
		return true
	}
	i := 0
	for x[i] == y[i] {
		i++
	}
	if x[i] == y[i+1] && x[i+1] == y[i] {
		return true
	}
	vowels := vowel(x[i]) && vowel(y[i])
	return longer > leastSlip && !vowels
}

func vowel(r rune) bool { return strings.ContainsRune("aeiouy", r) }
