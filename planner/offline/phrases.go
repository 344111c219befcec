package offline

import (
	"strings"

	"catena/planner/plan"
)

// phrase is a way of saying something: words in order, each of which may be one of several, and places for what is said.
type phrase struct {
	parts []phrasePart
	stars int
}

type phrasePart struct {
	words    map[string]bool // nil for *
	optional bool            // may be missing, and may be there more than once: "the last", "all of my"
	kept     bool            // belongs to what stands for the * behind it
}

// newPhrase reads a phrase: "list|show my? notes|memories about *". Alternatives are separated by |, ? marks words that may be
// missing or repeated, + words that belong to the * behind them, * stands for one token and more.
func newPhrase(text string) phrase {
	var p phrase
	for _, field := range strings.Fields(text) {
		if field == "*" {
			p.parts, p.stars = append(p.parts, phrasePart{}), p.stars+1
			continue
		}
		word, kept := strings.CutPrefix(field, "+")
		word, optional := strings.CutSuffix(word, "?")
		p.parts = append(p.parts, phrasePart{words: plan.WordSet(strings.ReplaceAll(word, "|", " ")), optional: optional, kept: kept})
	}
	return p
}

// politeWords may come before and behind what is said.
var politeWords = plan.WordSet("please kindly hey hi hello ok okay catena can could would will you just now also then and so pls , thanks thank")

// match reports whether the tokens say the phrase from their beginning to their end, polite words and marks aside, and gives what
// stands for the last *.
func (p *phrase) match(toks []token) (object []token, ok bool) {
	for len(toks) > 0 && politeWords[toks[0].low] {
		if p.parts[0].words[toks[0].low] {
			break
		}
		toks = toks[1:]
	}
	m := matching{p: p, toks: toks}
	if !m.from(0, 0) {
		return nil, false
	}
	return toks[m.begin:m.end], true
}

// matching is one phrase held against tokens.
type matching struct {
	p          *phrase
	toks       []token
	begin, end int // of the last *
	tries      int
}

// maxTries bounds the ways in which a phrase is held against a message.
const maxTries = 2000

// from matches the parts from k on against the tokens from i on.
func (m *matching) from(k, i int) bool {
	if m.tries++; m.tries > maxTries {
		return false
	}
	if k == len(m.p.parts) {
		for ; i < len(m.toks); i++ {
			if t := m.toks[i]; t.kind != markToken && !politeWords[t.low] {
				return false
			}
		}
		return true
	}
	part := m.p.parts[k]
	if part.words == nil {
		return m.star(k, i)
	}
	if i < len(m.toks) && m.toks[i].kind != quoteToken && part.words[m.toks[i].low] {
		if part.optional && m.from(k, i+1) || m.from(k+1, i+1) {
			return true
		}
	}
	return part.optional && m.from(k+1, i)
}

// star lets * stand for as few tokens as it can, the last one for the rest of the message.
func (m *matching) star(k, i int) bool {
	if k == len(m.p.parts)-1 {
		if i >= len(m.toks) || !worded(m.toks[i:]) {
			return false
		}
		m.begin, m.end = i, len(m.toks)
		if k > 0 && m.p.parts[k-1].kept {
			m.begin--
		}
		return true
	}
	for end := i + 1; end <= len(m.toks); end++ {
		if !worded(m.toks[i:end]) {
			continue
		}
		begin, last := m.begin, m.end
		m.begin, m.end = i, end
		if m.from(k+1, end) {
			return true
		}
		m.begin, m.end = begin, last
	}
	return false
}

// worded reports whether anything but marks is among the tokens.
func worded(toks []token) bool {
	for _, t := range toks {
		if t.kind != markToken {
			return true
		}
	}
	return false
}

// meaningPhrases are the phrases of each meaning, made ready.
var meaningPhrases = func() map[string]struct{ said, perhaps []phrase } {
	out := map[string]struct{ said, perhaps []phrase }{}
	for id, m := range meanings {
		var made struct{ said, perhaps []phrase }
		for _, text := range m.said {
			made.said = append(made.said, newPhrase(text))
		}
		for _, text := range m.perhaps {
			made.perhaps = append(made.perhaps, newPhrase(text))
		}
		out[id] = made
	}
	return out
}()
