package memory

import "strings"

// stem reduces an English word of lower-case ASCII letters to what its inflections share: call for calls, called and calling.
// It is the English stemmer of the Snowball project (Porter2; Porter, "An algorithm for suffix stripping", Program 14(3), 1980,
// as revised at snowballstem.org). Other words come back as they are.
func stem(word string) string {
	if len(word) <= 2 || !stemmable(word) {
		return word
	}
	if s, ok := irregular[word]; ok {
		return s
	}
	s := newStemmer(word)
	s.plural()
	if invariant[string(s.b)] {
		return string(s.b)
	}
	s.past()
	s.finalY()
	s.replace(doubleSuffixes, 1)
	s.replace(suffixes, 1)
	s.remove()
	s.finalE()
	return strings.ToLower(string(s.b))
}

func stemmable(word string) bool {
	for i := range len(word) {
		if c := word[i]; c < 'a' || c > 'z' {
			return false
		}
	}
	return true
}

// irregular words do not follow the rules.
var irregular = map[string]string{
	"skis": "ski", "skies": "sky", "idly": "idl", "gently": "gentl", "ugly": "ugli", "early": "earli", "only": "onli",
	"singly": "singl", "sky": "sky", "news": "news", "howe": "howe", "atlas": "atlas", "cosmos": "cosmos", "bias": "bias",
	"andes": "andes",
}

// invariant words stay as they are once the plural is gone.
var invariant = map[string]bool{
	"inning": true, "outing": true, "canning": true, "herring": true, "earring": true, "proceed": true, "exceed": true,
	"succeed": true,
}

// stemmer holds a word on its way to its stem. A y that acts as a consonant is written Y.
type stemmer struct {
	b      []byte
	r1, r2 int // where the regions begin: after the first, and the second, consonant that follows a vowel
}

func newStemmer(word string) *stemmer {
	s := &stemmer{b: []byte(word)}
	for i, c := range s.b {
		if c == 'y' && (i == 0 || vowel(s.b[i-1])) {
			s.b[i] = 'Y'
		}
	}
	s.r1 = region(s.b, 0)
	for _, p := range []string{"gener", "commun", "arsen"} {
		if strings.HasPrefix(word, p) {
			s.r1 = len(p)
		}
	}
	s.r2 = region(s.b, s.r1)
	return s
}

func vowel(c byte) bool { return strings.IndexByte("aeiouy", c) >= 0 }

// region is where the first consonant after a vowel ends, at or behind from.
func region(b []byte, from int) int {
	for i := from + 1; i < len(b); i++ {
		if !vowel(b[i]) && vowel(b[i-1]) {
			return i + 1
		}
	}
	return len(b)
}

func (s *stemmer) ends(suffix string) bool { return strings.HasSuffix(string(s.b), suffix) }

// cut takes n letters off the end and puts others there.
func (s *stemmer) cut(n int, with string) { s.b = append(s.b[:len(s.b)-n], with...) }

func (s *stemmer) hasVowel(before int) bool {
	for _, c := range s.b[:max(before, 0)] {
		if vowel(c) {
			return true
		}
	}
	return false
}

// plural is step 1a.
func (s *stemmer) plural() {
	n := len(s.b)
	switch {
	case s.ends("sses"):
		s.cut(2, "")
	case s.ends("ied") || s.ends("ies"):
		if n > 4 {
			s.cut(2, "")
		} else {
			s.cut(1, "")
		}
	case s.ends("us") || s.ends("ss"):
	case s.ends("s") && s.hasVowel(n-2):
		s.cut(1, "")
	}
}

// past is step 1b.
func (s *stemmer) past() {
	for _, suffix := range []string{"eedly", "eed"} {
		if s.ends(suffix) {
			if len(s.b)-len(suffix) >= s.r1 {
				s.cut(len(suffix), "ee")
			}
			return
		}
	}
	for _, suffix := range []string{"ingly", "edly", "ing", "ed"} {
		if !s.ends(suffix) {
			continue
		}
		if s.hasVowel(len(s.b) - len(suffix)) {
			s.cut(len(suffix), "")
			s.repair()
		}
		return
	}
}

// repair gives back what an ending had changed: hop(p), lov(e).
func (s *stemmer) repair() {
	n := len(s.b)
	switch {
	case s.ends("at") || s.ends("bl") || s.ends("iz"):
		s.cut(0, "e")
	case n >= 2 && s.b[n-1] == s.b[n-2] && strings.IndexByte("bdfgmnprt", s.b[n-1]) >= 0:
		s.cut(1, "")
	case s.short() && s.r1 >= n:
		s.cut(0, "e")
	}
}

// short reports whether the word ends with a short syllable.
func (s *stemmer) short() bool {
	n := len(s.b)
	if n == 2 {
		return vowel(s.b[0]) && !vowel(s.b[1])
	}
	return n > 2 && !vowel(s.b[n-3]) && vowel(s.b[n-2]) && !vowel(s.b[n-1]) && strings.IndexByte("wxY", s.b[n-1]) < 0
}

// finalY is step 1c.
func (s *stemmer) finalY() {
	n := len(s.b)
	if n > 2 && (s.b[n-1] == 'y' || s.b[n-1] == 'Y') && !vowel(s.b[n-2]) {
		s.b[n-1] = 'i'
	}
}

// rule replaces a suffix. After, when set, names the letters that must stand before it; second says that it must be in R2.
type rule struct {
	suffix, with, after string
	second              bool
}

// doubleSuffixes are step 2, longest first.
var doubleSuffixes = []rule{
	{suffix: "ization", with: "ize"}, {suffix: "ational", with: "ate"}, {suffix: "fulness", with: "ful"},
	{suffix: "ousness", with: "ous"}, {suffix: "iveness", with: "ive"}, {suffix: "tional", with: "tion"},
	{suffix: "biliti", with: "ble"}, {suffix: "lessli", with: "less"}, {suffix: "entli", with: "ent"},
	{suffix: "ation", with: "ate"}, {suffix: "alism", with: "al"}, {suffix: "aliti", with: "al"}, {suffix: "ousli", with: "ous"},
	{suffix: "iviti", with: "ive"}, {suffix: "fulli", with: "ful"}, {suffix: "enci", with: "ence"}, {suffix: "anci", with: "ance"},
	{suffix: "abli", with: "able"}, {suffix: "izer", with: "ize"}, {suffix: "ator", with: "ate"}, {suffix: "alli", with: "al"},
	{suffix: "bli", with: "ble"}, {suffix: "ogi", with: "og", after: "l"}, {suffix: "li", after: "cdeghkmnrt"},
}

// suffixes are step 3, longest first.
var suffixes = []rule{
	{suffix: "ational", with: "ate"}, {suffix: "tional", with: "tion"}, {suffix: "alize", with: "al"}, {suffix: "icate", with: "ic"},
	{suffix: "iciti", with: "ic"}, {suffix: "ative", second: true}, {suffix: "ical", with: "ic"}, {suffix: "ness"}, {suffix: "ful"},
}

// endings are step 4, longest first.
var endings = []rule{
	{suffix: "ement", second: true}, {suffix: "ance", second: true}, {suffix: "ence", second: true}, {suffix: "able", second: true},
	{suffix: "ible", second: true}, {suffix: "ment", second: true}, {suffix: "ant", second: true}, {suffix: "ent", second: true},
	{suffix: "ism", second: true}, {suffix: "ate", second: true}, {suffix: "iti", second: true}, {suffix: "ous", second: true},
	{suffix: "ive", second: true}, {suffix: "ize", second: true}, {suffix: "ion", after: "st", second: true},
	{suffix: "al", second: true}, {suffix: "er", second: true}, {suffix: "ic", second: true},
}

func (s *stemmer) remove() { s.replace(endings, 2) }

// replace applies the rule of the longest suffix that the word has, where it lies in the region.
func (s *stemmer) replace(rules []rule, in int) {
	for _, r := range rules {
		if !s.ends(r.suffix) {
			continue
		}
		at := len(s.b) - len(r.suffix)
		from := s.r1
		if in == 2 || r.second {
			from = s.r2
		}
		if at >= from && (r.after == "" || at > 0 && strings.IndexByte(r.after, s.b[at-1]) >= 0) {
			s.cut(len(r.suffix), r.with)
		}
		return
	}
}

// finalE is step 5.
func (s *stemmer) finalE() {
	n := len(s.b)
	switch {
	case s.ends("e"):
		before := &stemmer{b: s.b[:n-1]}
		if n-1 >= s.r2 || n-1 >= s.r1 && !before.short() {
			s.cut(1, "")
		}
	case s.ends("ll") && n-1 >= s.r2:
		s.cut(1, "")
	}
}
