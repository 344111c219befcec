package offline

import (
	"slices"

	"catena/planner/plan"
)

// followStarts begin a message that changes the question before it.
var followStarts = plan.WordSet("and now only but also then instead same just or plus without excluding except per by in for as versus")

// followPhrases do the same.
var followPhrases = [][]string{{"what", "about"}, {"how", "about"}, {"what", "if"}, {"sort", "that"}, {"sort", "this"}, {"sort", "them"}, {"sort", "it"}, {"sort", "by"}, {"order", "by"}, {"order", "them"}, {"rank", "them"},
	{"break", "that"}, {"break", "it"}, {"break", "this"}, {"break", "down"}, {"break", "them"}, {"split", "that"}, {"split", "it"}, {"split", "by"}, {"group", "by"}, {"group", "that"}, {"group", "them"}, {"ok", "and"}, {"ok", "now"}, {"the", "same"},
	{"show", "only"}, {"show", "that"}, {"show", "them"}, {"show", "it"}, {"make", "that"}, {"make", "it"}, {"do", "that"}, {"do", "the", "same"}, {"limit", "to"}, {"limit", "that"}, {"filter", "to"}, {"filter", "by"}, {"filter", "that"}, {"keep", "only"}, {"exclude"}, {"leave", "out"}, {"drop"}, {"remove"}, {"of", "those"}, {"of", "these"}, {"which", "of", "those"}, {"which", "of", "them"}, {"which", "of", "these"}, {"add"}}

// pointing words stand for something said before.
var pointing = plan.WordSet("that those them these it they same instead ones")

// followUp reads a message that changes the question before it: what it names replaces or adds to what was named there.
// nil when the message stands for itself or nothing came before.
func (s *session) followUp(toks []token, alone *reading) *reading {
	if len(s.req.History) == 0 || len(s.views) == 0 {
		return nil
	}
	if !s.refersBack(toks, alone) {
		return nil
	}
	base := s.before()
	if base == nil || !base.ok {
		return nil
	}
	edit := s.reader(base.r.v, toks)
	e := edit.read()
	got := &reading{r: base.r, ask: base.ask.clone()}
	changed := merge(base.r, got.ask, edit, e)
	got.unknown = append(edit.unknown(), edit.untaken()...)
	if !changed && len(got.unknown) == 0 {
		return nil
	}
	got.compose()
	got.score = 1 / (1 + 2*float64(len(got.unknown)))
	got.ok = got.ok && len(got.unknown) == 0
	if !got.ok {
		if wider := s.widerFollowUp(toks, base); wider != nil {
			return wider
		}
		narrows := len(toks) > 0 && (toks[0].low == "only" || toks[0].low == "just") || slices.ContainsFunc(toks, func(t token) bool { return pointing[t.low] })
		if alone != nil && alone.ok && (!narrows || alone.ask.own()) {
			return nil
		}
	}
	return got
}

// widerFollowUp reads a change of the question before against its table with the columns of another one that it shares a
// key with; nil when no such table knows the words.
func (s *session) widerFollowUp(toks []token, base *reading) *reading {
	for _, other := range s.views {
		v := base.r.v.with(other)
		if v == nil {
			continue
		}
		edit := s.reader(v, toks)
		e := edit.read()
		r := *base.r
		r.v = v // its columns are those of the table, then the others: positions stay
		got := &reading{r: &r, ask: base.ask.clone()}
		got.ask.v = v
		if !merge(&r, got.ask, edit, e) {
			continue
		}
		got.unknown = edit.unknown()
		got.compose()
		got.score = 1 / (1 + 2*float64(len(got.unknown)))
		if got.ok && len(got.unknown) == 0 && got.usesJoin() {
			return got
		}
	}
	return nil
}

// own reports whether a question computes or asks for something by itself.
func (a *ask) own() bool {
	return len(a.aggs) > 0 || a.count || a.countCol >= 0 || a.super != nil || a.share || a.change || a.target >= 0
}

// longestFollowUp is how many tokens a message has at most that changes the one before it: what is changed is said in a
// few words, with a list of a hundred values and the commas between them at most. A pasted text is none, and to find
// that out by reading the messages before it, each as long, would take several times as long as to read it.
const longestFollowUp = maxTokens / 2

// refersBack reports whether a message is a change of what came before rather than a question of its own.
func (s *session) refersBack(toks []token, alone *reading) bool {
	low := func(i int) string {
		if i < len(toks) {
			return toks[i].low
		}
		return ""
	}
	if len(toks) > longestFollowUp {
		return false
	}
	if followStarts[low(0)] {
		return true
	}
	for _, p := range followPhrases {
		match := true
		for i, w := range p {
			match = match && low(i) == w
		}
		if match {
			return true
		}
	}
	if alone == nil || !alone.ok {
		return true
	}
	points := slices.ContainsFunc(toks, func(t token) bool { return pointing[t.low] })
	return points && len(alone.ask.measures) == 0 || !alone.ask.own() && len(toks) <= 6
}

// before reads the history up to the last turn.
func (s *session) before() *reading {
	n := len(s.req.History)
	if n > maxHistory {
		s.req.History = s.req.History[n-maxHistory:]
		n = maxHistory
	}
	earlier := *s
	for n > 1 && onlyForm(tokenize(s.req.History[n-1].Message)) {
		n-- // "as a bar chart" asks nothing new
	}
	last := s.req.History[n-1]
	earlier.req.History, earlier.req.Message = s.req.History[:n-1], last.Message
	got := earlier.question(tokenize(last.Message))
	return got
}

// onlyForm reports whether a message names nothing but the form of the answer.
func onlyForm(toks []token) bool {
	form := false
	for _, t := range toks {
		if t.kind == numberToken || t.content() && !dataNoise[t.low] && !benignWords[t.low] && !followNoise[t.low] && !pointing[t.low] {
			return false
		}
		form = form || dataNoise[t.low]
	}
	return form
}

// additive words add a key to the grouping instead of replacing it.
var additiveWords = plan.WordSet("break breakdown down also split further additionally too well plus add")

// merge changes a by what e says; it reports whether anything did.
func merge(r *reader, a *ask, edit *reader, e *ask) bool {
	adds := slices.ContainsFunc(edit.toks, func(t token) bool { return additiveWords[t.low] })
	changed := mergeFilters(a, e)
	if len(e.groups) > 0 {
		changed = true
		if !adds && len(a.groups) > 0 {
			a.groups = nil
		}
		for _, k := range e.groups {
			if a.super != nil && a.target >= 0 && a.super.col != rowCount && len(a.groups) == 0 && !adds && r.v.column(k.Column) != a.target && len(a.aggs) > 0 {
				a.target = r.v.column(k.Column)
				continue
			}
			r.group(a, k)
		}
		if a.series && !adds {
			a.series = false
		}
	}
	changed = mergeMeasures(r, a, e) || changed
	changed = mergeOrder(r, a, edit, e) || changed
	if e.share && !a.share {
		a.share, changed = true, true
	}
	if e.change && !a.change {
		a.change, changed = true, true
	}
	if e.series && !a.series {
		a.series, changed = true, true
		a.super = nil
	}
	for _, c := range e.shown {
		if !slices.Contains(a.shown, c) && !slices.ContainsFunc(e.groups, func(k plan.GroupKey) bool { return k.Column == r.v.cols[c].info.Name }) {
			a.shown, changed = append(a.shown, c), true
		}
	}
	return changed
}

// place reports whether a column says where something is: its country, region, city. Where two columns say where from and
// where to, neither does.
func (c *viewColumn) place() bool {
	return c.info.Type == "text" && c.hasConcept("country", "region", "state", "city") && !c.hasConcept("origin", "destination", "status")
}

// mergeFilters replaces the conditions on the same columns and adds the others.
func mergeFilters(a, e *ask) bool {
	changed := false
	fresh := map[int]bool{}
	for _, f := range e.filters {
		if f.at < 0 && f.cond.Op == "ne" {
			continue // left out by rule, not by word
		}
		changed = true
		takes := func(o asked) bool {
			return o.col == f.col && o.date == f.date || f.col >= 0 && o.col >= 0 && !fresh[o.col] && a.v.cols[f.col].place() && a.v.cols[o.col].place()
		}
		at := slices.IndexFunc(a.filters, takes)
		if at < 0 || fresh[f.col] {
			f.at = -1
			a.filters = append(a.filters, f)
		} else {
			f.at = a.filters[at].at
			a.filters = slices.DeleteFunc(a.filters, takes)
			a.filters = append(a.filters, f)
		}
		fresh[f.col] = true
	}
	for _, h := range e.having {
		a.having, changed = []asked{h}, true
	}
	return changed
}

// mergeMeasures replaces what is computed, and of what.
func mergeMeasures(r *reader, a, e *ask) bool {
	changed := false
	aggs := slices.DeleteFunc(slices.Clone(e.aggs), func(agg string) bool { return agg == "howmuch" })
	if len(aggs) > 0 && e.super == nil {
		a.aggs, a.count, a.countCol, changed = aggs, false, -1, true
		if a.super != nil && len(a.measures) == 0 && a.super.col >= 0 && len(e.measures) == 0 && a.target < 0 {
			a.measures, a.super = []int{a.super.col}, nil
		}
	}
	if len(e.measures) > 0 {
		changed = true
		if a.super != nil && a.super.col != -1 {
			a.super.col, a.super.rows = e.measures[0], false
		} else {
			a.measures = e.measures
		}
	}
	if e.count || e.countCol >= 0 || e.countPer != "" {
		a.count, a.countCol, a.countPer, a.aggs, a.measures, changed = e.count, e.countCol, e.countPer, nil, nil, true
	}
	return changed
}

// mergeOrder changes the order and how many rows there are.
func mergeOrder(r *reader, a *ask, edit *reader, e *ask) bool {
	switch {
	case e.super != nil && a.super != nil:
		s := *e.super
		if s.col < 0 {
			s.col, s.rows = a.super.col, a.super.rows
		}
		if s.n == 0 {
			s.n = a.super.n
		}
		a.super = &s
		return true
	case e.super != nil:
		s := *e.super
		if s.col == rowCount && (len(a.measures) > 0 || len(a.aggs) > 0) {
			s.col, s.rows = -1, false
		}
		if a.target < 0 && len(a.groups) > 0 {
			a.target, a.targetBy = r.v.column(a.groups[0].Column), a.groups[0].Period
			a.groups = a.groups[1:]
			if a.count {
				s.col, s.rows, a.count = rowCount, true, false
			}
			if len(a.aggs) == 0 && !s.rows && s.col == -1 && len(a.measures) > 0 {
				a.aggs = []string{map[bool]string{true: "sum", false: "mean"}[r.v.cols[a.measures[0]].sums()]}
			}
		}
		a.super = &s
		if s.n > 1 {
			a.plural = true
		}
		return true
	case e.sort != nil:
		a.sort = e.sort
		return true
	}
	for i, t := range edit.toks { // "only 5", "the first 3"
		if t.kind == numberToken && !edit.used[i] && a.super != nil {
			if n, ok := wholeNumber(t.num); ok {
				a.super.n, edit.used[i] = n, true
				return true
			}
		}
	}
	return false
}

func wholeNumber(s string) (int, bool) {
	n := 0
	for _, c := range s {
		if c < '0' || c > '9' || n > 1_000_000 {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, s != "" && n > 0
}
