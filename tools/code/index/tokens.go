package index

import (
	"strings"
	"unicode/utf8"

	"catena/internal/text"
)

const (
	maxIdentifier = 64 // bytes; what is longer is data, not a name
	maxNumber     = 4  // digits; what is longer is data
	maxParts      = 12 // words of one identifier
)

// terms are what one identifier or word is found by: itself in lower case when it is made of several words, and the stem of each
// of its words. Words that say nothing (stop words, keywords) have no terms.
func terms(identifier string) []string {
	parts := text.Words(identifier)
	parts = parts[:min(len(parts), maxParts)]
	var out []string
	if len(parts) > 1 {
		whole := strings.ToLower(strings.Trim(identifier, "_"))
		out = append(out, whole)
	}
	for _, p := range parts {
		if len(p) == 1 && len(parts) > 1 || quiet[p] {
			continue
		}
		t := text.Stem(p)
		if !has(out, t) {
			out = append(out, t)
		}
	}
	return out
}

func has(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// wordByte reports whether a byte belongs to an identifier. Bytes of other scripts do.
func wordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c >= utf8.RuneSelf
}

// eachWord calls f for each identifier, word and small number of a text, in order.
func eachWord(text string, f func(string)) {
	for i := 0; i < len(text); {
		if !wordByte(text[i]) {
			i++
			continue
		}
		j := i + 1
		for j < len(text) && wordByte(text[j]) {
			j++
		}
		if w := text[i:j]; worth(w) {
			f(w)
		}
		i = j
	}
}

// worth reports whether a word is worth indexing: not the numbers and hashes of data tables.
func worth(w string) bool {
	if w == "" || len(w) > maxIdentifier {
		return false
	}
	if w[0] < '0' || w[0] > '9' {
		return w != "_"
	}
	if len(w) > maxNumber {
		return false
	}
	for i := range len(w) {
		if w[i] < '0' || w[i] > '9' {
			return false
		}
	}
	return true
}

// quiet are words that are in every text or in every source, so that nothing is found by them: articles, prepositions and
// pronouns of English, and the keywords of the languages that the parser knows. A name made of one of them alone is still found
// as a symbol.
var quiet = set(`a an the of to in on at by as is are be was were been am it its this that these those and or with from into
	if for so than then which who whom whose when while there their they we you your our he she his her i me my us will would can
	could should shall may might must do does did has have had not no
	func function return var let const def self nil none null true false else elif switch case break continue package import
	public private protected static void struct err`)

// asking are words of questions about code that do not tell what is looked for.
var asking = set(`how what where why find show tell give me explain list code implement implemented implementation
	defined definition located happen happens used use uses using please example examples about any some work works does
	handled handle handles way thing things repository codebase repo project file files class method methods`)

func set(words string) map[string]bool {
	out := make(map[string]bool)
	for w := range strings.FieldsSeq(words) {
		out[w] = true
	}
	return out
}
