package names

import (
	"math"
	"slices"
)

// option is what a piece of the name may stand for.
type option struct {
	words []id
	score float32 // log P(piece | words), cuts included
	most  float32 // what the score is at most with the language model's
}

// options are the readings of s[i:j].
func (s *session) options(t *text, i, j int) []option {
	inner, cuts := t.inner(i, j)
	if cuts > 2 {
		return nil
	}
	m, piece := s.m, t.s[i:j]
	var cost float32
	switch inner {
	case cutCase:
		cost = m.tune.Join * float32(cuts)
	case cutSign:
		cost = m.tune.JoinSign * float32(cuts)
	}
	if t.cuts[j] == cutNone {
		cost += m.tune.Split
	}
	if t.cuts[i] != cutNone && t.cuts[j] == cutNone {
		if w, ok := m.id(t.token(i)); ok && len(m.words[w]) > 3 {
			cost += m.tune.WordCut
		}
	}
	if j-i == 1 && (t.cuts[i] == cutNone || t.cuts[j] == cutNone) {
		cost += m.tune.Letter
	}
	full := t.cuts[i] != cutNone && t.cuts[j] != cutNone
	var out []option
	for _, k := range m.senses(piece) {
		if len(k.words) == 1 {
			out = append(out, option{words: k.words, score: cost + s.emission(piece, k.words[0], k.count)})
		} else {
			out = append(out, option{words: k.words, score: cost + ln(k.count/(k.of+m.tune.Trust))})
		}
	}
	for _, words := range s.initials[piece] {
		out = append(out, option{words: words, score: cost + initialsScore})
	}
	own, known := m.id(piece)
	if inner > cutDigit && !known || inner == cutDigit && !full {
		return out
	}
	if known && !slices.ContainsFunc(out, func(o option) bool { return len(o.words) == 1 && o.words[0] == own }) {
		out = append(out, option{words: s.single(own), score: cost + s.emission(piece, own, 0)})
	} else if !known {
		if full {
			if isLetters(piece) && !pronounceable(piece) {
				cost += m.tune.Mute
			}
			out = append(out, option{words: s.single(s.id(piece)), score: cost})
		} else if j-i >= 3 && isLetters(piece) {
			out = append(out, option{words: s.single(s.id(piece)), score: cost + m.tune.UnknownCut - m.tune.Unknown})
		}
	}
	if inner != cutNone || !isLetters(piece) {
		return out
	}
	if known && full && j-i > 3 {
		cost += m.tune.WordRead
	}
	return s.abbreviations(out, piece, cost)
}

// emission is log P(piece | word) with the piece seen count times for it.
func (s *session) emission(piece string, w id, count float32) float32 {
	m := s.m
	p := m.channel.logP(piece, s.word(w))
	if count == 0 {
		return max(p+s.rarity(w), smallest)
	}
	return ln(count+m.tune.Trust*float32(math.Exp(float64(p)))) - ln(m.tune.Trust) + s.rarity(w)
}

// rarity is the share of the channel in how a word is written, as a logarithm: the less was seen of a word the more the
// channel counts.
func (s *session) rarity(w id) float32 {
	if int(w) < len(s.m.words) {
		return s.m.rarity[w]
	}
	return 0
}

// pronounceable reports whether a string has the vowels of a word: one in every three letters at least.
func pronounceable(s string) bool {
	vowels := 0
	for i := range len(s) {
		if isVowel(s[i]) {
			vowels++
		}
	}
	return vowels*3 >= len(s)-1 && vowels > 0
}
