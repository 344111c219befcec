package orders

import (
	"slices"
	"strings"

	"catena/internal/text"
	"catena/planner/calls"
	"catena/planner/plan"
	"catena/planner/reader/say"
)

// phrase is a way to order a tool that its toolkit declares: words in order, each of which may be one of several, and
// a place for what is said. See plan.Tool.
type phrase struct {
	parts []phrasePart
	arg   string // that takes what is said, "" for none
	whole bool   // it takes the message to its end, to the letter
}

type phrasePart struct {
	words    []string // none for what is said
	optional bool     // may be missing, and may be there more than once
	kept     bool     // belongs to what is said behind it
}

// readPhrase reads "list|show my? notes about * : query".
func readPhrase(line string) phrase {
	at := strings.LastIndex(line, " : ")
	words, arg := line, ""
	if at >= 0 {
		words, arg = line[:at], line[at+len(" : "):]
	}
	var p phrase
	p.arg, p.whole = strings.CutSuffix(strings.TrimSpace(arg), "!")
	for _, field := range strings.Fields(words) {
		if field == "*" {
			p.parts = append(p.parts, phrasePart{})
			continue
		}
		word, kept := strings.CutPrefix(field, "+")
		word, optional := strings.CutSuffix(word, "?")
		p.parts = append(p.parts, phrasePart{strings.Split(text.Fold(word), "|"), optional, kept})
	}
	return p
}

// phrase reads a message by the phrases that tools declare: the first that says all of it.
func (o *order) phrase() (Reading, bool) {
	for _, t := range o.req.Tools {
		for _, line := range t.Phrases {
			p := readPhrase(line)
			m := phraseMatch{p: &p, toks: o.toks, words: o.words}
			if m.from(0, o.words.plainFrom(o.toks, 0)) {
				return o.byPhrase(t, &p, m.begin, m.end), true
			}
		}
	}
	return Reading{}, false
}

// byPhrase calls a tool with the tokens that stand for what is said.
func (o *order) byPhrase(t plan.Tool, p *phrase, begin, end int) Reading {
	out := Reading{Sure: true}
	args := map[string]any{}
	if said := o.said(p, begin, end); said != "" {
		if p.whole && strings.HasSuffix(said, "?") {
			out.Plan = plan.Plan{Clarify: say.Text(o.req.Locale, sayWhole, t.Name), Confidence: unclear}
			return out
		}
		args[p.arg] = said
		if takesOf(t).typeOf(p.arg) == "array" {
			args[p.arg] = []any{said}
		}
	}
	need, _ := takesOf(t).names()
	need = slices.DeleteFunc(need, func(name string) bool { _, there := args[name]; return there })
	if len(need) > 0 {
		out.Plan = plan.Plan{Clarify: o.asksFor(t.Name, need), Confidence: unclear}
		return out
	}
	o.plan(&out, calls.Fit{Reading: calls.Reading{Calls: []calls.Call{{Tool: t.Name, Args: args}}}}, namedSure)
	return out
}

// said is what stands for the place of a phrase: quotes around all of it are left out, and marks at the end unless it is
// taken to the letter.
func (o *order) said(p *phrase, begin, end int) string {
	if p.arg == "" || begin >= end {
		return ""
	}
	toks := o.toks[begin:end]
	switch {
	case len(toks) == 1 && toks[0].quoted:
		return o.req.Message[toks[0].start+1 : toks[0].end-1]
	case p.whole:
		return strings.TrimSpace(o.req.Message[toks[0].start:])
	}
	for len(toks) > 1 && toks[len(toks)-1].mark {
		toks = toks[:len(toks)-1]
	}
	return o.req.Message[toks[0].start:toks[len(toks)-1].end]
}

// phraseMatch is one phrase held against a message.
type phraseMatch struct {
	p          *phrase
	toks       []token
	words      *lexicon
	begin, end int // what is said
	tries      int
}

// maxPhraseTries bounds the ways in which a phrase is held against a message.
const maxPhraseTries = 2000

// from matches the parts from k on against the tokens from i on.
func (m *phraseMatch) from(k, i int) bool {
	if m.tries++; m.tries > maxPhraseTries {
		return false
	}
	if k == len(m.p.parts) {
		return m.words.plainFrom(m.toks, i) == len(m.toks)
	}
	part := m.p.parts[k]
	if len(part.words) == 0 {
		return m.place(k, i)
	}
	if i < len(m.toks) && !m.toks[i].quoted && slices.Contains(part.words, m.toks[i].fold) {
		if part.optional && m.from(k, i+1) || m.from(k+1, i+1) {
			return true
		}
	}
	return part.optional && m.from(k+1, i)
}

// place lets what is said be as few tokens as it can, at the end of a phrase all that are left.
func (m *phraseMatch) place(k, i int) bool {
	from := i + 1
	if k == len(m.p.parts)-1 {
		from = len(m.toks)
	}
	for end := from; end <= len(m.toks) && end > i; end++ {
		if m.words.plainFrom(m.toks[:end], i) == end {
			continue // nothing but marks
		}
		if !m.p.whole && m.words.asksMore(m.toks[i:end]) {
			return false
		}
		m.begin, m.end = i, end
		if k > 0 && m.p.parts[k-1].kept {
			m.begin--
		}
		begin, last := m.begin, m.end
		if m.from(k+1, end) {
			m.begin, m.end = begin, last
			return true
		}
	}
	return false
}
