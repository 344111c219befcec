package link

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

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
	asking, filler := singles(spans, catAsk, catRel), singles(spans, SkipFiller)
	joining, of := joining(spans), singles(spans, catOf)
	for _, s := range spans {
		if meantAside(s, asking, joining) {
			continue
		}
		for i := s.From; i < s.To; i++ {
			if s.Fixed && filler[i] && needless(i, s, spans) {
				continue
			}
			if s.Category == catAgg && of[i] { // the total amount of: its other words say that it is passed over
				continue
			}
			out[i] = WorseSkip(out[i], SkipKind(s))
		}
	}
	for i := range out {
		if out[i] == "" {
			out[i] = SkipUnknown
		}
	}
	glosses(toks, spans, out)
	return out
}

// meantAside reports whether a span of one word says nothing of what passing over the word means: who may be a person,
// and asks for one as well; where asks nothing in orders where the country is Norway.
func meantAside(s Span, asking, joining map[int]bool) bool {
	if s.To != s.From+1 {
		return false
	}
	if s.How == HowSynonym && asking[s.From] {
		return true
	}
	return s.Category == catAsk && joining[s.From]
}

// glosses marks what values in brackets are short for.
func glosses(toks []Token, spans []Span, kinds []string) {
	for _, s := range spans {
		if s.Category == CatValue && s.How == HowExact && bracketed(toks, s) {
			glossed(toks[:s.From-1], kinds)
		}
	}
}

// singles are the tokens that are of a category each by itself.
func singles(spans []Span, of ...Category) map[int]bool {
	out := map[int]bool{}
	for _, s := range spans {
		if s.To == s.From+1 && slices.Contains(of, s.Category) {
			out[s.From] = true
		}
	}
	return out
}

// joining are the tokens that join what follows to the name of a table right before them, whatever they may ask.
func joining(spans []Span) map[int]bool {
	out := map[int]bool{}
	for at := range singles(spans, catRel) {
		if slices.ContainsFunc(spans, func(s Span) bool { return s.Category == CatEntity && s.To == at }) {
			out[at] = true
		}
	}
	return out
}

// needless reports whether the first word of a phrase is none of a longer one that begins behind it: of the most common
// the words are most common, and the most is none.
func needless(at int, phrase Span, spans []Span) bool {
	return at == phrase.From && slices.ContainsFunc(spans, func(s Span) bool {
		return s.Fixed && s.From == phrase.From+1 && s.To > phrase.To
	})
}

// bracketed reports whether a span is all that stands between two brackets.
func bracketed(toks []Token, s Span) bool {
	if s.From == 0 || s.To == len(toks) {
		return false
	}
	return toks[s.From-1].Text == "(" && toks[s.To].Text == ")"
}

// glossed marks the words before a value in brackets that are its name in full and in no table, as in Phoenix (PHX):
// the value says what they say. They are written as names within a message, or all that stands behind a preposition:
// cancelled (PHX) says more.
func glossed(before []Token, kinds []string) {
	from, names := len(before), true
	for ; from > 0 && passed(before[from-1], kinds[from-1]); from-- {
		names = names && from > 1 && capital(before[from-1])
		if names {
			kinds[from-1] = SkipMark
		}
	}
	if from > 0 && kinds[from-1] == string(catOf) {
		for i := from; i < len(before); i++ {
			kinds[i] = SkipMark
		}
	}
}

// passed reports whether a token is a word that no table knows whole.
func passed(t Token, kind string) bool {
	return t.kind == wordToken && (kind == SkipUnknown || kind == SkipLinked)
}

// capital reports whether a word begins with a capital letter.
func capital(t Token) bool {
	r, _ := utf8.DecodeRuneInString(t.Text)
	return unicode.IsUpper(r)
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
