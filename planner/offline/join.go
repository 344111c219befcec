package offline

import (
	"cmp"
	"slices"
	"strings"

	"catena/planner/plan"
)

// joined is the table that a view takes columns from, row by row over a shared key.
type joined struct {
	table string
	key   string
	cols  map[string]bool
}

// mostJoins is how many tables a message is read against together with others.
const mostJoins = 3

// joinedReading reads a message that no table answers alone against tables with the columns of another one that they share
// a key with: tickets know their client, and clients their country. nil when that does not answer it either.
func (s *session) joinedReading(toks []token) *reading {
	type scored struct {
		v     *view
		score float64
	}
	var alone []scored
	for _, v := range s.shortlist(toks) {
		if score := s.scoreOf(v, toks); score > 0 {
			alone = append(alone, scored{v, score})
		}
	}
	slices.SortStableFunc(alone, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	var best *reading
	for _, g := range alone[:min(mostJoins, len(alone))] {
		for _, other := range s.views {
			v, ok := s.made.joins[[2]*view{g.v, other}]
			if !ok {
				v = g.v.with(other)
				s.made.joins[[2]*view{g.v, other}] = v
			}
			if v == nil {
				continue
			}
			if got := s.readTable(v, toks); got.ok && got.usesJoin() && (best == nil || got.score > best.score) {
				best = got
			}
		}
	}
	return best
}

// with gives the view with the text columns of another table that it shares a key with, nil when no row of the one can be
// joined with at most one of the other. Numbers of the other table stay out: they would count once per row of this one.
func (v *view) with(other *view) *view {
	if other == v || v.join != nil {
		return nil
	}
	key := -1
	for i, c := range v.cols {
		if j := other.column(c.info.Name); j >= 0 && other.unique(j) && c.info.Type == other.cols[j].info.Type && !c.numeric && !c.time {
			if key < 0 || c.info.Role == "identifier" {
				key = i
			}
		}
	}
	if key < 0 {
		return nil
	}
	info := v.info
	info.Columns = slices.Clone(info.Columns)
	j := &joined{table: other.info.Name, key: v.cols[key].info.Name, cols: map[string]bool{}}
	for _, c := range other.cols {
		if c.info.Type == "text" && c.info.Role != "identifier" && v.column(c.info.Name) < 0 {
			info.Columns = append(info.Columns, c.info)
			j.cols[c.info.Name] = true
		}
	}
	if len(j.cols) == 0 {
		return nil
	}
	out := newView(info)
	out.join, out.label, out.entity = j, v.label, v.entity
	return out
}

// otherNames gives the words of the other tables' names that say nothing of this one: a question with one of them is not
// answered without it.
func (s *session) otherNames(v *view) map[string]bool {
	if len(s.views) > shortlisted {
		return nil // names of many tables share too many words
	}
	out := map[string]bool{}
	for _, other := range s.views {
		for w := range other.source {
			if other != v && other.info.Name != v.info.Name && !v.rows(w) && !rowWords[w] && !dataNoise[w] && !askWords[w] && w != "data" && w != "table" && w != "list" {
				out[w] = true
			}
		}
	}
	return out
}

// unique reports whether no two rows have the same value in a column.
func (v *view) unique(c int) bool {
	col := v.cols[c].info
	return v.info.Rows > 0 && col.Nulls == 0 && col.Distinct == v.info.Rows
}

// usesJoin reports whether the first query needs a column of the joined table.
func (g *reading) usesJoin() bool {
	j := g.r.v.join
	if j == nil || len(g.out.queries) == 0 {
		return false
	}
	q := g.out.queries[0]
	return slices.ContainsFunc(q.Filter, func(f plan.Condition) bool { return j.cols[f.Column] }) ||
		slices.ContainsFunc(q.GroupBy, func(k plan.GroupKey) bool { return j.cols[k.Column] }) ||
		slices.ContainsFunc(q.Select, func(s plan.Select) bool { return j.cols[s.Column] })
}

// holds reports whether a hit is a value of one of the view's columns.
func (v *view) holds(h plan.Hit) bool {
	c := v.column(h.Column)
	if c < 0 {
		return false
	}
	if v.join != nil && v.join.cols[h.Column] {
		return h.Table == v.join.table
	}
	return h.Table == v.info.Name || slices.Contains(v.union, h.Table)
}

// elsewhere says which other tables have what a word names, "" when none has.
func (s *session) elsewhere(here *view, word token) string {
	tables, words := []string(nil), []token{word}
	for _, v := range s.views {
		if v == here {
			continue
		}
		if v.meets(words) {
			tables = append(tables, v.info.Name)
		}
	}
	return strings.Join(tables, ", ")
}

// meets reports whether the words name a column of the table.
func (v *view) meets(words []token) bool {
	for c := range v.cols {
		if v.cols[c].match(words) >= 0.7 {
			return true
		}
	}
	return false
}
