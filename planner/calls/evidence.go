package calls

import (
	"strings"

	"catena/planner/plan"
)

// evidence is how much the words beside a stretch speak for an argument: those right before it, and behind it.
func (t *text) evidence(p *param, i, j int, both bool) float64 {
	sum := 0.0
	weight := 1.0
	met := map[string]bool{}
	meet := func(tok token, share float64) {
		if tok.kind != word || met[tok.stem] {
			return
		}
		if head, tail, ok := strings.Cut(tok.low, "-"); ok && p.words[stem(head)] > 1 && p.words[stem(tail)] > 1 {
			met[tok.stem] = true
			sum += 3 * share
			return
		}
		if w := p.words[tok.stem]; w > 0 {
			met[tok.stem] = true
			sum += w * share
		}
	}
	for k := i - 1; k >= max(0, i-7); k-- {
		tok := t.toks[k]
		if strings.Contains(".?!;\n", tok.text) || weight < 0.1 {
			break
		}
		if tok.text == "," || tok.low == "and" || tok.low == "then" {
			weight *= 0.45
		} else if t.at[k] >= 0 {
			weight *= 0.5
		}
		share := weight
		if t.behind[k] {
			share *= 0.4
		}
		meet(tok, share)
		if !stopWords[tok.low] {
			weight *= 0.85
		}
	}
	weight = 0.95
	for k := j; k < min(len(t.toks), j+5); k++ {
		tok := t.toks[k]
		if strings.Contains(".?!;\n,", tok.text) || weight < 0.1 || tok.low == "and" || tok.low == "then" {
			break
		}
		if t.at[k] >= 0 {
			weight *= 0.3
		}
		if stopWords[tok.low] {
			weight *= 0.6
		}
		meet(tok, weight)
		weight *= 0.85
		if !both {
			weight *= 0.75
		}
	}
	return min(sum, 4)
}

// unitNames are units that are written with capitals after people.
var unitNames = wordsOf("unitNames")

// standing is how much the small word before a value speaks for an argument.
func (t *text) standing(f *facts, p *param, v value) float64 {
	k := v.i - 1
	for k >= 0 && (t.toks[k].low == "the" || t.toks[k].low == "a" || t.toks[k].low == "an" || t.toks[k].low == "my") {
		k--
	}
	score := 0.0
	if v.kind == properValue && unitNames[t.toks[v.i].low] && v.j == v.i+1 {
		score -= 2
	}
	if v.kind == properValue && f.names(t.toks[v.i:v.j]) {
		score -= 1.2
	}
	for _, tok := range t.toks[v.i:v.j] {
		if tok.kind == word && p.words[tok.stem] >= 1 && v.j-v.i > 1 && v.kind == properValue {
			score += 0.8
			break
		}
	}
	if k < 0 {
		return score
	}
	prep := t.toks[k].low
	if prep == "and" && p.side > 0 && k > 0 && t.betweenBefore(k) {
		return score + 1.3
	}
	switch {
	case p.side < 0 && (prep == "from" || prep == "between" || prep == "starting" || prep == "leaving" || prep == "departing"):
		score += 1.4
	case p.side > 0 && (prep == "to" || prep == "until" || prep == "till" || prep == "into" || prep == "through"):
		score += 1.4
	case p.side < 0 && (prep == "to" || prep == "until" || prep == "till") || p.side > 0 && prep == "from":
		score -= 1.2
	}
	switch p.means {
	case location, country, state, zone:
		switch prep {
		case "in", "at", "near", "around", "within":
			score += 0.9
		case "for", "from", "to", "of", "between", "visit":
			score += 0.3
		case "by", "named", "called", "titled", "with":
			score -= 0.7
		}
	case person, title, anything:
		switch prep {
		case "by", "named", "called", "titled", "about":
			score += 0.6
		case "of", "for", "with", "on":
			score += 0.25
		case "in", "near":
			if v.kind == properValue {
				score -= 0.25
			}
		}
	}
	return score
}

// counts reports whether an argument is how many there are of what stands behind a number: adults, trait_count.
func (p *param) counts(t *text, j int) bool {
	for _, s := range p.own {
		switch s {
		case stem("count"), stem("number"), "num", stem("quantity"), "limit", "top", stem("days"), stem("nights"), "n", stem("rounds"), stem("size"):
			return true
		}
	}
	for _, w := range plan.NameWords(p.name) {
		if j < len(t.toks) && strings.HasSuffix(w, "s") && t.toks[j].stem == stem(w) {
			return true
		}
	}
	return p.typ == "integer" && j < len(t.toks) && p.words[t.toks[j].stem] > 0 && strings.HasSuffix(p.name, "s")
}

// betweenBefore reports whether "between" or "from" stands before the value that ends at a token.
func (t *text) betweenBefore(k int) bool {
	for b := k - 1; b >= max(0, k-6); b-- {
		if t.toks[b].low == "between" || t.toks[b].low == "from" {
			return true
		}
	}
	return false
}

// names reports whether all words of a stretch are words of the tool's name.
func (f *facts) names(toks []token) bool {
	for _, tok := range toks {
		if tok.kind == word && !f.about[tok.stem] && !stopWords[tok.low] {
			return false
		}
	}
	return true
}
