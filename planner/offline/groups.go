package offline

import (
	"slices"
	"strings"

	"catena/planner/plan"
)

// groupWords come before what a result is grouped by.
var groupWords = plan.WordSet("by per each every across")

// groupsOf finds what the result is grouped by.
func (r *reader) groupsOf(a *ask, list []cue) {
	for i := 0; i < len(r.toks); i++ {
		if r.low(i) == "across" && r.low(i+1) == "all" {
			continue
		}
		if !groupWords[r.low(i)] || r.mentionAt(i, i+1) >= 0 || r.used[i] && !inCue(list, i) {
			continue
		}
		if c, ok := cueOver(list, i); ok && c.op == "sort" {
			r.sortKey(a, i+1)
			continue
		}
		for at := i + 1; ; {
			next, ok := r.groupAt(a, at, r.low(i))
			if !ok {
				break
			}
			r.use(i, i+1)
			at = next
			if w := r.low(at); w == "and" || w == "," || w == "&" || w == "then" {
				at++
				if r.low(at) == "and" || r.low(at) == "by" {
					at++
				}
				continue
			}
			break
		}
	}
	for i, t := range r.toks {
		if p := periodWords[t.low]; p != "" && t.low != p && t.low != "date" && t.low != p+"s" && r.v.time >= 0 && !r.used[i] {
			r.adverb(a, i, p)
		}
	}
}

func inCue(list []cue, i int) bool { _, ok := cueOver(list, i); return ok }

func cueOver(list []cue, i int) (cue, bool) {
	k := slices.IndexFunc(list, func(c cue) bool { return c.i <= i && i < c.j })
	if k < 0 {
		return cue{}, false
	}
	return list[k], true
}

// adverb reads yearly, monthly, annual: "yearly average" groups, "average yearly deaths" averages the totals of years.
func (r *reader) adverb(a *ask, i int, p string) {
	before := r.low(i - 1)
	r.use(i, i+1)
	switch {
	case before == "of" && (r.low(i-2) == "number") || before == "many":
	case before == "average" || before == "mean" || before == "avg" || before == "median":
		a.mean1 = p
	default:
		r.group(a, plan.GroupKey{Column: r.v.cols[r.v.time].info.Name, Period: p})
	}
}

// groupAt reads one group key at i; next is behind it.
func (r *reader) groupAt(a *ask, i int, word string) (next int, ok bool) {
	start := i
	for i < len(r.toks) && i-start < 4 && (stopWords[r.low(i)] && !joining[r.low(i)] || fillers[r.low(i)]) && r.mentionAt(i, i+1) < 0 {
		i++
	}
	if i >= len(r.toks) {
		return i, false
	}
	t := r.toks[i]
	k := r.mentionAt(i, i+1)
	if p := periodWords[t.lemma]; p != "" && r.v.time >= 0 && (k < 0 || r.mentions[k].col == r.v.time && !r.mentions[k].value) {
		key := plan.GroupKey{Column: r.v.cols[r.timeNear(start-1)].info.Name, Period: p}
		if p == "month" && (r.low(i-1) == "calendar" || r.says(i+1, "of", "the", "year")) {
			key.Period = "month_of_year"
		}
		if p == "day" && r.says(i+1, "of", "the", "week") || p == "day" && r.says(i+1, "of", "week") {
			key.Period = "weekday"
		}
		if k >= 0 {
			r.mentions[k].used = true
		}
		r.use(i, i+1)
		r.group(a, key)
		a.per = a.per || word == "per"
		return i + 1, true
	}
	if k < 0 && r.v.rows(t.lemma) && r.v.label >= 0 {
		r.use(i, i+1)
		if word == "per" && a.perThing < 0 {
			a.perThing = r.v.label
		}
		r.group(a, plan.GroupKey{Column: r.v.cols[r.v.label].info.Name})
		return i + 1, true
	}
	if k < 0 || r.mentions[k].value || r.mentions[k].used {
		return i, false
	}
	m := &r.mentions[k]
	c := r.v.cols[m.col]
	if c.numeric && !c.time && !(r.smallWhole(m.col) && !(a.super != nil && word == "by" && a.super.col < 0)) {
		return m.j, false
	}
	m.used = true
	if word == "per" && a.perThing < 0 {
		a.perThing = m.col
	}
	r.group(a, plan.GroupKey{Column: c.info.Name})
	return m.j, true
}

// group adds a key once. A column of years is grouped by itself.
func (r *reader) group(a *ask, key plan.GroupKey) {
	c := r.v.cols[r.v.column(key.Column)]
	if c.year && key.Period != "decade" {
		if key.Period != "year" && key.Period != "" {
			part := r.v.calendar(strings.TrimSuffix(key.Period, "_of_year"))
			if part < 0 {
				a.unclear = "These data have years, but no " + key.Period + "s. By year?"
				return
			}
			if !strings.HasSuffix(key.Period, "_of_year") && !slices.Contains(a.groups, plan.GroupKey{Column: c.info.Name}) {
				a.groups = append(a.groups, plan.GroupKey{Column: c.info.Name})
			}
			key.Column = r.v.cols[part].info.Name
		}
		key.Period = ""
	}
	if !slices.Contains(a.groups, key) {
		a.groups = append(a.groups, key)
	}
}

// sortKey reads what "sorted by" names.
func (r *reader) sortKey(a *ask, i int) {
	o := &plan.Order{Desc: r.wantsDesc()}
	if k := r.mentionFrom(i); k >= 0 {
		r.mentions[k].used = true
		o.Column = r.v.cols[r.mentions[k].col].info.Name
		if !r.v.cols[r.mentions[k].col].numeric && !r.saysDesc() {
			o.Desc = false
		}
	}
	a.sort = o
}

func (r *reader) saysDesc() bool {
	return slices.ContainsFunc(r.toks, func(t token) bool { return t.low == "descending" || t.low == "desc" })
}

func (r *reader) wantsDesc() bool {
	return !slices.ContainsFunc(r.toks, func(t token) bool {
		return t.low == "ascending" || t.low == "asc" || t.low == "alphabetically" || t.low == "alphabetical"
	})
}
