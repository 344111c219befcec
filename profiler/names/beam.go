package names

import (
	"cmp"
	"slices"
)

// path is a reading of the beginning of a name.
type path struct {
	score float32
	u, v  id
	n     int // words so far
	at    int // bytes of the name so far
	prev  *path
	words []id // the last of them
}

// negligible is how far below the best a reading may be, as a log probability, and still count.
const negligible = 9

// decode finds the likeliest readings of a name, piece by piece.
func (s *session) decode(t *text) []path {
	n := len(t.s)
	if n == 0 {
		return nil
	}
	beams := make([]beam, n)
	beams[0].list = []path{{u: edge, v: edge}}
	open := s.m.openings(t)
	var ends []path
	var best float32 = unlikely
	for i := range beams {
		if len(beams[i].list) == 0 {
			continue
		}
		from := s.insert(beams[i].sorted())
		for j := i + 1; j <= n && j-i <= maxWord; j++ {
			if !open[j] {
				continue
			}
			for _, o := range s.options(t, i, j) {
				o.most = o.score + s.peak(o.words)
				for k := range from {
					bound := from[k].score + o.most
					if j < n {
						if bound > beams[j].worst(s.m.tune.Beam) {
							beams[j].add(s.extend(&from[k], o, j), s.m.tune.Beam)
						}
					} else if bound > best-negligible {
						q := s.extend(&from[k], o, j)
						q.score += s.language(q.u, q.v, edge)
						best = max(best, q.score)
						ends = append(ends, q)
					}
				}
			}
		}
	}
	return ends
}

// openings are the places before which a name may be cut: its own boundaries, and all places inside parts that are
// neither words nor known short forms, as words written together are.
func (m *Model) openings(t *text) []bool {
	open := make([]bool, len(t.s)+1)
	from := 0
	for to := 1; to <= len(t.s); to++ {
		if t.cuts[to] == cutNone {
			continue
		}
		open[to] = true
		if part := t.s[from:to]; len(part) >= shortestShown && isLetters(part) && !m.Knows(part) &&
			m.senses(part) == nil {
			for k := from + 1; k < to; k++ {
				open[k] = true
			}
		}
		from = to
	}
	return open
}

// beam are the best readings up to one place of a name, one for each pair of last words and number of words.
type beam struct {
	list []path
	low  int // the worst of them, once they are as many as may be
}

// worst is the score that a reading must exceed to be kept.
func (b *beam) worst(most int) float32 {
	if len(b.list) < most {
		return unlikely
	}
	return b.list[b.low].score
}

// add keeps q if it is among the best.
func (b *beam) add(q path, most int) {
	at := slices.IndexFunc(b.list, func(p path) bool { return q.u == p.u && q.v == p.v && q.n == p.n })
	switch {
	case at >= 0:
		if q.score <= b.list[at].score {
			return
		}
		b.list[at] = q
	case len(b.list) < most:
		b.list = append(b.list, q)
	case q.score > b.list[b.low].score:
		b.list[b.low] = q
	default:
		return
	}
	if len(b.list) == most {
		b.low = 0
		for i := range b.list {
			if b.list[i].score < b.list[b.low].score {
				b.low = i
			}
		}
	}
}

// sorted are the readings, the best first.
func (b *beam) sorted() []path {
	slices.SortFunc(b.list, func(a, b path) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.v, b.v), cmp.Compare(a.u, b.u),
			cmp.Compare(a.n, b.n))
	})
	return b.list
}

// extend reads on to place at.
func (s *session) extend(p *path, o option, at int) path {
	q := path{score: p.score + o.score, u: p.u, v: p.v, prev: p, words: o.words, n: p.n + len(o.words), at: at}
	for _, w := range o.words {
		q.score += s.language(q.u, q.v, w)
		q.u, q.v = q.v, w
	}
	return q
}

// language is the log probability of a word after two others, in this table.
func (s *session) language(u, v, w id) float32 {
	k := s.kind(w)
	p := s.m.lm(s.kind(u), s.kind(v), k)
	if k == unknown {
		p = s.unknown
	}
	if w != edge {
		p = (1-s.m.tune.Context)*p + s.m.tune.Context*s.ctx.p(v, w)
	}
	return s.m.tune.Language * ln(p)
}

// peak is what the language model gives some words at most, whatever stands before them.
func (s *session) peak(words []id) float32 {
	var sum float32
	for _, w := range words {
		p := s.unknown
		if k := s.kind(w); k != unknown {
			p = s.m.peak[k]
		}
		if s.ctx.words[w] != 0 {
			p += s.m.tune.Context
		}
		sum += ln(p)
	}
	return s.m.tune.Language * sum
}

// single is a word by itself.
func (s *session) single(w id) []id {
	if int(w) < len(s.m.self) {
		return s.m.self[w : w+1 : w+1]
	}
	return []id{w}
}

// insert adds the readings in which a word comes next that the name does not show.
func (s *session) insert(beam []path) []path {
	n := len(beam)
	if n == 0 || beam[0].n == 0 {
		return beam
	}
	more := make([]path, 0, n)
	for i := range beam {
		for _, k := range s.m.skips {
			if s.m.pairs.find(int(s.kind(beam[i].v)), k.words[0]) >= 0 {
				more = append(more, s.extend(&beam[i], option{words: k.words, score: s.m.tune.Insert}, beam[i].at))
			}
		}
	}
	return slices.Concat(beam, more)
}
