package offline

import (
	"cmp"
	"slices"
	"strings"

	"catena/planner/plan"
)

// link finds the columns and values that the message names: what explains most words first.
func (l *listing) link() {
	var all []spot
	for i := range l.toks {
		for j := i + 1; j <= min(i+longest, len(l.toks)); j++ {
			if !l.together(i, j) {
				break
			}
			if s, ok := l.columnSpot(i, j); ok {
				all = append(all, s)
			}
			if s, ok := l.valueSpot(i, j); ok {
				all = append(all, s)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b spot) int {
		return cmp.Or(cmp.Compare(l.weight(b), l.weight(a)), cmp.Compare(a.j-a.i, b.j-b.i), cmp.Compare(a.i, b.i))
	})
	for _, s := range all {
		if !slices.ContainsFunc(l.spots, func(o spot) bool { return o.i < s.j && s.i < o.j }) {
			l.spots = append(l.spots, s)
		}
	}
	slices.SortFunc(l.spots, func(a, b spot) int { return cmp.Compare(a.i, b.i) })
}

// together reports whether tokens i..j-1 can be one name.
func (l *listing) together(i, j int) bool {
	t := l.toks[j-1]
	switch t.kind {
	case quoteToken:
		return j-1 == i
	case markToken:
		return j-1 > i && strings.Contains("&-–/.'_+:!,()", t.text)
	}
	return true
}

// weight ranks spots: more words, better met.
func (l *listing) weight(s spot) float64 {
	n := 0.0
	for _, t := range l.toks[s.i:s.j] {
		switch {
		case t.content() || t.kind == numberToken || t.kind == dateToken:
			n++
		case t.kind == wordToken:
			n += 0.2
		}
	}
	w := s.score * n
	if s.value && s.hit.Match == plan.Exact {
		w += 0.1 * n
	}
	if !s.value && s.i > 0 && asking[l.low(s.i-1)] {
		w += 0.4 // "which country" asks for a column
	}
	return w
}

// asking are the words right behind which a column is named.
var asking = plan.WordSet("which what whose each per")

// columnSpot reads tokens i..j-1 as a column's name.
func (l *listing) columnSpot(i, j int) (spot, bool) {
	if !l.edge(i) || !l.edge(j-1) || slices.ContainsFunc(l.toks[i:j], func(t token) bool { return t.text == "," || t.text == "(" || t.text == ")" }) {
		return spot{}, false
	}
	var words []token
	for _, t := range l.toks[i:j] {
		if t.content() || t.kind == numberToken {
			words = append(words, t)
		}
	}
	if len(words) > 5 {
		return spot{}, false
	}
	plain := !slices.ContainsFunc(words, func(t token) bool { return !askWords[t.lemma] && !cueWords[t.low] })
	best, score := -1, 0.0
	for c := range l.v.cols {
		s := l.v.cols[c].match(words)
		if plain && s > 0 && !l.spelledOut(words, c) {
			continue
		}
		if s > score+0.001 {
			best, score = c, s
		}
	}
	if best < 0 || score < 0.5 {
		return spot{}, false
	}
	if plain {
		score = min(score, 0.6)
	}
	return spot{i: i, j: j, col: best, score: score}, true
}

// spelledOut reports whether each word is a word of the column's name: words that ask name nothing else.
func (l *listing) spelledOut(words []token, c int) bool {
	for _, t := range words {
		if !slices.ContainsFunc(l.v.cols[c].names[0], func(w nameWord) bool { return w.lemma == t.lemma || w.lemma == t.low }) {
			return false
		}
	}
	return true
}

func (l *listing) edge(i int) bool {
	t := l.toks[i]
	return t.content() || t.kind == numberToken && slices.ContainsFunc(l.v.cols, func(c viewColumn) bool {
		return slices.ContainsFunc(c.names[0], func(w nameWord) bool { return w.lemma == t.text })
	})
}

// valueSpot reads tokens i..j-1 as values.
func (l *listing) valueSpot(i, j int) (spot, bool) {
	first, last := l.toks[i], l.toks[j-1]
	if l.r.values == nil || !slices.ContainsFunc(l.toks[i:j], func(t token) bool { return t.content() }) && !l.r.letter(i, j) || first.kind == markToken || last.kind == markToken && last.text != "." && last.text != ")" && last.text != "!" {
		return spot{}, false
	}
	if j-i == 1 && (cueWords[first.low] || askWords[first.lemma] && len(first.low) < 5) {
		return spot{}, false
	}
	var found []plan.Hit
	hits := l.r.hits(i, j)
	if j-i == 1 && len(hits) == 0 && len(first.low) <= 3 && !stopWords[first.low] && first.kind == wordToken { // codes are written in capitals
		code := strings.ToUpper(first.text)
		hits = slices.DeleteFunc(slices.Clone(l.r.values.Find(l.r.ctx, code)), func(h plan.Hit) bool { return !l.v.holds(h) || h.Match != plan.Exact })
	}
	counted := j-i == 1 && i > 0 && (asking[l.low(i-1)] || l.low(i-1) == "many" || l.low(i-2) == "number") // what is asked for, not where
	for _, h := range hits {
		if counted && h.Match != plan.Exact && h.Match != plan.Synonym {
			continue
		}
		common := j-i == 1 && (benignWords[first.low] || verbForms[first.low] || listingNoise[first.low] || listingNoise[first.lemma])
		outer := stopWords[first.low] || stopWords[last.low] || cueWords[first.low]
		if h.Match != plan.Exact && (common || outer) || h.Match == plan.Fuzzy && j-i == 1 && len(first.low) < 6 {
			continue
		}
		if h.Match == plan.Exact && common && h.Score > 0.8 {
			h.Score = 0.8
		}
		found = append(found, h)
	}
	if len(found) == 0 {
		return spot{}, false
	}
	return spot{i: i, j: j, value: true, col: l.v.column(found[0].Column), hit: found[0], more: found[1:], score: found[0].Score}, true
}

// condition is what a spot of values says.
func (l *listing) condition(s spot) plan.Condition { return hitCondition(l.phrase(s.i, s.j), s.hit) }

func hitCondition(phrase string, h plan.Hit) plan.Condition {
	if h.Values <= 1 || h.Match == plan.Exact || h.Match == plan.Synonym {
		return plan.Condition{Column: h.Column, Op: "eq", Value: h.Value}
	}
	if low := strings.ToLower(h.Value); !strings.Contains(low, strings.ToLower(phrase)) { // the words meet, but not as they are written
		for _, other := range []string{plan.FoldKey(phrase), strings.Join(plan.FoldWords(phrase), " ")} {
			if strings.Contains(low, other) {
				return plan.Condition{Column: h.Column, Op: "contains", Value: other}
			}
		}
	}
	return plan.Condition{Column: h.Column, Op: "contains", Value: phrase}
}

// phrase is the text of tokens i..j-1 as written.
func (l *listing) phrase(i, j int) string {
	if l.toks[i].kind == quoteToken {
		return l.toks[i].text
	}
	return l.r.text[l.toks[i].start:l.toks[j-1].end]
}

// spotAt gives the spot that covers token i, -1 without one.
func (l *listing) spotAt(i int) int {
	return slices.IndexFunc(l.spots, func(s spot) bool { return s.i <= i && i < s.j })
}

// columnFrom gives the first column that is named within n tokens from i on, over words that say little; -1 without one.
func (l *listing) columnFrom(i, n int) int {
	for ; n > 0 && i < len(l.toks); i, n = i+1, n-1 {
		if k := l.spotAt(i); k >= 0 {
			if l.spots[k].value {
				return -1
			}
			return k
		}
	}
	return -1
}

// valueFrom gives the first spot of values from token i on, within n tokens.
func (l *listing) valueFrom(i, n int) int {
	for ; n > 0 && i < len(l.toks); i, n = i+1, n-1 {
		if k := l.spotAt(i); k >= 0 && l.spots[k].value {
			return k
		}
	}
	return -1
}
