package learn

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"catena/profiler/names"
)

// ShortForm is what a short form stands for, by what public sources call their columns.
type ShortForm struct {
	Short, Long string
	Sources     []string // that bear it out, in order
	Others      []string // other endings of the word that sources have: modify beside modified
}

// Bounds of what is learnt of short forms.
const (
	longestShort = 8   // letters
	tinyShort    = 2   // letters: they mean anything
	leastShared  = 2   // sources that a tiny short form and one for several words need
	leastOfAll   = 0.5 // share of the sources of a short form that mean the same
	statedCounts = 2   // how much a source that states it counts beside one that uses it
	keptCounts   = 0.3 // and one whose labels keep it
	rareness     = 3   // how much rarer than the best a meaning is that does not count
)

// evidence are the sources that state and that use one meaning.
type evidence struct{ stated, used map[string]bool }

// meanings are those of one short form; the short form itself stands for labels that keep it.
type meanings map[string]*evidence

func (m meanings) of(long string) *evidence {
	if m[long] == nil {
		m[long] = &evidence{map[string]bool{}, map[string]bool{}}
	}
	return m[long]
}

// score is what the sources of a meaning count together.
func (m meanings) score(long, short string) float64 {
	n := float64(statedCounts*len(m[long].stated) + len(m[long].used))
	if long == short {
		n *= keptCounts
	}
	return n
}

// joinPlurals lets plurals count for their words.
func (m meanings) joinPlurals() {
	for _, long := range slices.Sorted(maps.Keys(m)) {
		if many := m[long+"s"]; many != nil {
			maps.Copy(m[long].stated, many.stated)
			maps.Copy(m[long].used, many.used)
			delete(m, long+"s")
		}
	}
}

// ShortForms are the short forms that stand for the same in most of the sources that have them. Those that several meanings share are left to
// the decoder, which has the other columns to go by; those that most labels keep are words.
func ShortForms(examples []Example, lists string) ([]ShortForm, error) {
	english := names.NewCounts()
	if err := addLists(english, lists); err != nil {
		return nil, err
	}
	found := map[string]meanings{}
	at := func(short string) meanings {
		if found[short] == nil {
			found[short] = meanings{}
		}
		return found[short]
	}
	for _, x := range alignAll(examples) {
		if short, long := states(x.Example); short != "" {
			at(short).of(long).stated[x.Source] = true
			continue
		}
		respelt := strings.Join(names.Tokens(x.Name), " ") == names.Norm(x.Gold)
		for _, p := range x.pieces {
			known := english.Words[p.Word] > 0
			itself := p.Piece == p.Word && !respelt
			stands := itself || known && mayStand(p.Piece, p.Word)
			if p.Whole && stands && plain(p.Piece) {
				at(p.Piece).of(p.Word).used[x.Source] = true
			}
		}
	}
	var out []ShortForm
	for _, short := range slices.Sorted(maps.Keys(found)) {
		if s, ok := settled(short, found[short], english.Words[short]); ok {
			out = append(out, s)
		}
	}
	return out, nil
}

// states are the short form and its words where a whole name is one that its label writes out; "" otherwise.
func states(x Example) (short, long string) {
	short = strings.ToLower(x.Name)
	words := strings.Fields(names.Norm(strings.ReplaceAll(x.Gold, "-", " ")))
	one := isShort(short) && len(names.Tokens(x.Name)) == 1
	switch {
	case !one || len(words) == 0 || !plain(strings.Join(words, "")):
		return "", ""
	case len(words) == 1 && shortens(short, words[0]), len(words) > 1 && initialsOf(short, words):
		return short, strings.Join(words, " ")
	}
	return "", ""
}

// isShort reports whether a text is as long as short forms are.
func isShort(s string) bool { return len(s) >= 2 && len(s) <= longestShort }

// shortens reports whether a piece is a word with letters left out, and not the same word with another ending.
func shortens(piece, word string) bool {
	return mayStand(piece, word) && names.Subsequence(strings.ReplaceAll(piece, "x", ""), word)
}

// mayStand reports whether a piece may stand for a word: it is shorter, by a vowel at least, and begins alike; other endings are no short forms.
func mayStand(piece, word string) bool {
	switch {
	case !isShort(piece) || len(piece) >= len(word):
		return false
	case piece[0] != word[0] || otherEnding(piece, word):
		return false
	case len(piece)+1 == len(word):
		return strings.Map(vowelless, piece) == strings.Map(vowelless, word) // no is neither not nor non
	}
	return plain(piece) && plain(word)
}

func vowelless(r rune) rune {
	if strings.ContainsRune("aeiou", r) {
		return -1
	}
	return r
}

// initialsOf reports whether a short form is made of the first letters of words; small words may be left out.
func initialsOf(short string, words []string) bool {
	at := 0
	for _, w := range words {
		switch {
		case at < len(short) && w[0] == short[at]:
			at++
		case !names.Small(w):
			return false
		}
	}
	return at == len(short)
}

// settled is the meaning of a short form that most sources agree on; other endings of the same word count for that word. A word that everybody
// knows (win) and a tiny short form need several sources.
func settled(short string, m meanings, english float32) (ShortForm, bool) {
	m.joinPlurals()
	longs := slices.SortedFunc(maps.Keys(m), func(a, b string) int {
		return cmp.Or(cmp.Compare(m.score(b, short), m.score(a, short)), strings.Compare(a, b))
	})
	best := longs[0]
	var all, same float64
	stated := 0
	for _, long := range longs {
		n := m.score(long, short)
		switch {
		case sameStem(long, best):
			same += n
			stated += len(m[long].stated)
			if len(m[long].used) > len(m[best].used) {
				best = long // adjusted rather than adjust
			}
		case rareness*n < m.score(longs[0], short):
			continue
		}
		all += n
	}
	sources := maps.Clone(m[best].stated)
	maps.Copy(sources, m[best].used)
	least := 1
	switch {
	case stated == 0 && !shortens(short, best):
		least = leastStrange // no for number, txn for transaction
	case english >= commonWord:
		least = leastStrange
	case len(short) <= tinyShort && strings.Contains(best, " "), names.Sayable(short) && stated == 0:
		least = leastPhrase
	case english > 0 || len(short) <= tinyShort || strings.Contains(best, " "):
		least = leastShared
	}
	if best == short || len(sources) < least || same < leastOfAll*all {
		return ShortForm{}, false
	}
	others := slices.DeleteFunc(longs, func(long string) bool { return long == best || long == short || !sameStem(long, best) })
	return ShortForm{Short: short, Long: best, Sources: slices.Sorted(maps.Keys(sources)), Others: others}, true
}

// otherEnding reports whether a word is another with an ending: acct is no account without its ending.
func otherEnding(short, long string) bool {
	if len(short) < shortestStem {
		return false
	}
	rest, ok := strings.CutPrefix(long, short)
	if stem := short[:len(short)-1]; !ok && (strings.HasSuffix(short, "y") || strings.HasSuffix(short, "e")) {
		rest, ok = strings.CutPrefix(long, stem)
	}
	return ok && slices.Contains(endings, rest)
}

// shortestStem is how many letters a word has at least that takes endings here.
const shortestStem = 4

// endings are those of English words.
var endings = []string{"", "s", "es", "d", "ed", "r", "er", "ing", "ly", "ies", "ied"}

// sameStem reports whether two words differ in their last letters alone.
func sameStem(a, b string) bool {
	const stem, ending = 4, 4
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return a == b || n >= stem && len(a)-n <= ending && len(b)-n <= ending
}
