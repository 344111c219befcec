package offline

import (
	"slices"
	"strings"

	"catena/planner/plan"
)

// key gives the column of a tool's result of which each value has one row, -1 when none is known: what the tool's name is
// about, "region" of get_revenue_by_region and "client" of get_top_clients. A result with times has several rows for each.
func (f *toolFacts) key(v *view) int {
	if v == nil || v.time >= 0 {
		return -1
	}
	words := plan.NameWords(f.Name)
	by := ""
	for i, w := range words {
		if (w == "by" || w == "per") && i+1 < len(words) {
			by = plan.Singular(words[i+1])
		}
	}
	return slices.IndexFunc(v.cols, func(c viewColumn) bool {
		if c.numeric || len(c.names[0]) != 1 {
			return false
		}
		lemma := c.names[0][0].lemma
		return lemma == by || by == "" && slices.Contains(f.nouns, lemma)
	})
}

// columnCues are the operations that a column of a result may already hold, by words of its name.
var columnCues = map[string][]string{"share": {"share", "percent", "percentage"}, "change": {"growth", "change", "increase", "trend"}}

// held reports whether the tool's own columns answer what the clause asks beyond the tool: its share, its growth. The
// result is then shown as it is.
func (s *filling) held() bool {
	v := s.c.view
	if s.f.key(v) < 0 {
		return false
	}
	asked := false
	r := &reader{v: v, toks: s.toks, used: make([]bool, len(s.toks))}
	for _, c := range r.cues() {
		words, known := columnCues[c.op]
		if !known || !slices.ContainsFunc(v.cols, func(col viewColumn) bool {
			return slices.ContainsFunc(col.names[0], func(w nameWord) bool { return slices.Contains(words, w.lemma) })
		}) {
			return false
		}
		for i := c.i; i < c.j; i++ {
			s.used[i] = true
		}
		asked = true
	}
	return asked && s.explained()
}

// regroups reports whether a query over the tool's result counts or adds up groups of a single row.
func (s *filling) regroups(q plan.Query) bool {
	k := s.f.key(s.c.view)
	if k < 0 {
		return false
	}
	name := s.c.view.cols[k].info.Name
	return slices.ContainsFunc(q.GroupBy, func(g plan.GroupKey) bool { return g.Column == name })
}

// datesFit reports whether the tool can answer for the times that the clause names: an argument has taken them, or it is
// this year and the tool says that it speaks of this year.
func (s *filling) datesFit(words []bool) bool {
	d := dateReader{toks: s.toks, now: s.c.s.req.Now}
	for _, ref := range d.read(true) {
		taken := false
		for i := max(0, ref.i); i < min(ref.j, len(s.toks)); i++ {
			taken = taken || s.used[i] && !words[i]
		}
		if taken {
			continue
		}
		about := strings.ToLower(s.f.Title + " " + s.f.Description)
		if ref.op == "eq" && len(ref.from) == 4 && ref.from == s.c.s.req.Now.Format("2006") && strings.Contains(about, "this year") {
			for i := max(0, ref.i); i < min(ref.j, len(s.toks)); i++ {
				s.used[i] = true
			}
			continue
		}
		return false
	}
	return true
}

// explainedBehind reports whether a word belongs to a name whose code follows in brackets: Phoenix (PHX).
func (r *reader) explainedBehind(i int) bool {
	for j := i + 1; j <= i+4 && j+2 < len(r.toks); j++ {
		if r.toks[j].text == "(" {
			k := r.mentionAt(j+1, j+2)
			return k >= 0 && r.mentions[k].value && r.mentions[k].i == j+1 && r.tokenAt(r.mentions[k].j).text == ")"
		}
		if r.toks[j].kind != wordToken {
			return false
		}
	}
	return false
}

// periods reports whether the clause asks for periods that the tool does not have: "by quarter", "monthly".
func (s *filling) periods() bool {
	for i, t := range s.toks {
		if periodWords[t.lemma] != "" && t.low != "date" && !s.used[i] {
			return true
		}
	}
	return false
}

// cuesOf gives the operations that the clause names and the tool's own words do not.
func (r *reader) cuesOf(s *filling) []cue {
	r.used = make([]bool, len(r.toks))
	return slices.DeleteFunc(r.cues(), func(c cue) bool {
		return s.used[c.i] || c.op == "first" || c.op == "last" || c.op == "rank" || c.op == "vs" || c.op == "distinct"
	})
}
