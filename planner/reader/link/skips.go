package link

import "strings"

// What it means to pass over a token: its kind.
const (
	SkipFiller  = "filler"
	SkipFixed   = "fixed "  // a category of words that change a question
	SkipLinked  = "linked"  // names something of the tables
	SkipNamed   = "named"   // is all of such a name
	SkipUnknown = "unknown" // nobody knows the word
	SkipMark    = "mark"
	SkipNumber  = "number" // or a time
)

// Skips says of each token what passing over it means: a kind, or the category of a word of the lexicon.
func Skips(toks []Token, spans []Span) []string {
	out := make([]string, len(toks))
	for i, t := range toks {
		if t.kind == markToken {
			out[i] = SkipMark
		}
	}
	asking := map[int]bool{}
	for _, s := range spans {
		if s.To == s.From+1 && (s.Category == catAsk || s.Category == catRel) {
			asking[s.From] = true
		}
	}
	for _, s := range spans {
		if meant := s.How == HowSynonym && s.To == s.From+1; meant && asking[s.From] {
			continue // who may be a person, and asks for one as well
		}
		for i := s.From; i < s.To; i++ {
			out[i] = WorseSkip(out[i], SkipKind(s))
		}
	}
	for i := range out {
		if out[i] == "" {
			out[i] = SkipUnknown
		}
	}
	return out
}

// SkipKind is what passing over the words of a span means: a kind, or the category of a word of the lexicon.
func SkipKind(s Span) string {
	switch {
	case s.Fixed:
		return SkipFixed + string(s.Category)
	case s.Category == SkipFiller:
		return SkipFiller
	case s.Category == CatNumber || s.Category == CatPeriod:
		return SkipNumber
	case s.How == HowWord || s.How == "":
		return string(s.Category)
	}
	if s.How == HowName || s.How == HowSynonym {
		return SkipNamed
	}
	return SkipLinked
}

// WorseSkip is the kind that counts where a token may be several things: that of words which change a question, then
// that of harmless words, then any other.
func WorseSkip(a, b string) string {
	for _, k := range []string{SkipMark, SkipNumber, SkipFixed, SkipNamed, SkipFiller} {
		for _, x := range []string{a, b} {
			if strings.HasPrefix(x, k) {
				return x
			}
		}
	}
	if a == "" || a == SkipLinked && b != "" {
		return b
	}
	return a
}
