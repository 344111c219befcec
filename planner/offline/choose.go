package offline

import (
	"slices"
)

// alone gives the best reading of a message by itself against one table.
func (s *session) alone(toks []token) *reading {
	var all []*reading
	for _, v := range s.shortlist(toks) {
		all = append(all, s.readTable(v, toks))
	}
	var best *reading
	for _, g := range all {
		if g.ok && slices.ContainsFunc(all, func(o *reading) bool { return g.misses(o) }) {
			g.ok, g.score = false, g.score/2
		}
		if best == nil || g.score > best.score {
			best = g
		}
	}
	return s.ownBefore(best, all)
}

// ownMargin is how much better a table of the demonstration must fit to answer before one that a person brought.
const ownMargin = 0.35

// ownBefore gives a reading of a person's own table before one of the demonstration that the message does not name.
func (s *session) ownBefore(best *reading, all []*reading) *reading {
	if best == nil || best.r.v.info.Source != "demo" || slices.ContainsFunc(best.r.toks, func(t token) bool { return best.r.v.source[t.lemma] }) {
		return best
	}
	for _, g := range all {
		if g.ok && g.r.v.info.Source != "demo" && !g.r.v.info.Live && g.score >= best.score-ownMargin {
			return g
		}
	}
	return best
}

// misses reports whether a reading took a word for its rows, or for nothing, and computes with something else, where another one has
// a column of numbers of that name: revenue by city is not the population by city, nor a count of cities.
func (g *reading) misses(o *reading) bool {
	if g == o || len(o.unknown) > 0 || !g.measureless() {
		return false
	}
	return slices.ContainsFunc(o.r.mentions, func(m mention) bool {
		if m.value || m.score < 0.5 || !o.r.v.cols[m.col].numeric || o.r.v.cols[m.col].time {
			return false
		}
		for i := m.i; i < m.j; i++ {
			if t := g.r.toks[i]; t.content() && g.r.mentionAt(i, i+1) < 0 && !askWords[t.lemma] {
				return true
			}
		}
		return false
	})
}

// measureless reports whether the question names no figure of this table: one was chosen for it, or rows are counted that it does not
// ask to count.
func (g *reading) measureless() bool {
	a := g.ask
	return g.chosen || g.r.supposed != "" || len(a.measures) == 0 && !a.count && a.countCol < 0 && a.countPer == "" && (len(a.groups) > 0 || len(a.aggs) > 0)
}
