package planner

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"catena/planner/plan"
)

func jsonNumber(s string) json.Number { return json.Number(s) }

// mentionFrom gives the first mention that begins at i or behind words that say nothing, at most three of them.
func (r *reader) mentionFrom(i int) int {
	for skipped := 0; skipped <= 3 && i < len(r.toks); skipped++ {
		if k := slices.IndexFunc(r.mentions, func(m mention) bool { return m.i == i }); k >= 0 {
			return k
		}
		if t := r.toks[i]; t.kind != wordToken || t.content() && !fillers[t.low] && !r.v.rows(t.lemma) {
			return -1
		} else if skipped > 0 && joining[t.low] {
			return -1
		}
		i++
	}
	return -1
}

// fillers may stand between a word such as "by" and the column's name; joining words may not.
var (
	fillers = wordSet("number different distinct unique individual single various respective given major main calendar people other kind type column value level")
	joining = wordSet("in on at for from with and or to than which that who have has had")
)

// targetOf finds what "which X", "when" or a leading noun asks for.
func (r *reader) targetOf(a *ask) {
	for i, t := range r.toks {
		switch t.low {
		case "which", "what":
			if r.setTarget(a, i+1) {
				return
			}
		case "when":
			if r.v.time >= 0 && a.target < 0 {
				a.target = r.v.time
			}
			return
		case "who", "where":
			for k := range r.mentions {
				if m := &r.mentions[k]; t.low == "who" && !m.value && r.v.cols[m.col].info.Type == "text" && m.i > i {
					a.target, m.used = m.col, true
					return
				}
			}
			ids := map[string][]string{"who": {"name", "customer", "employee", "director", "author", "company"}, "where": {"city", "country", "region", "state", "origin", "airport"}}[t.low]
			for c := range r.v.cols {
				if r.v.cols[c].info.Type == "text" && r.v.cols[c].hasConcept(ids...) {
					a.target = c
					return
				}
			}
		}
	}
	first := slices.IndexFunc(r.toks, func(t token) bool { return (t.content() || t.kind == numberToken) && !leading[t.low] })
	if first >= 0 && r.toks[first].kind == numberToken {
		first++
	}
	for first >= 0 && first < len(r.toks) {
		if _, degree, ok := degreeOf(r.low(first)); !ok || degree < 2 {
			break
		}
		first++
		if first < len(r.toks) && r.toks[first].kind == numberToken {
			first++
		}
	}
	for superlative := first > 0; superlative && first < len(r.toks); { // "heaviest european car"
		k := r.mentionAt(first, first+1)
		if k < 0 || !r.mentions[k].value {
			break
		}
		first = r.mentions[k].j
	}
	if first >= 0 {
		r.setTarget(a, first)
	}
}

// leading words come before the noun that a question begins with.
var leading = wordSet("show give list display tell find get fetch name print see need want all every top bottom rank me us the distinct different unique first last")

// setTarget takes what stands at i for what is asked, if that is a dimension, a time, or what the rows are called.
func (r *reader) setTarget(a *ask, i int) bool {
	for n := 0; n < 2 && (r.low(i) == "the" || r.low(i) == "calendar" || r.low(i) == "different" || r.low(i) == "distinct" || r.toks2(i).kind == numberToken); n++ {
		i++
	}
	if i >= len(r.toks) {
		return false
	}
	t := r.toks[i]
	if p := periodWords[t.lemma]; p != "" && r.v.time >= 0 && (r.mentionAt(i, i+1) < 0 || r.mentions[r.mentionAt(i, i+1)].col == r.v.time || r.calendarPart(i)) {
		if _, isAdjective := map[string]bool{"yearly": true, "monthly": true, "daily": true, "annual": true, "weekly": true, "annually": true, "quarterly": true, "hourly": true}[t.low]; isAdjective {
			return false
		}
		a.target, a.targetBy, a.plural = r.v.time, p, t.low != t.lemma
		if r.low(i-1) == "calendar" && p == "month" {
			a.targetBy = "month_of_year"
		}
		r.use(i, i+1)
		if k := r.mentionAt(i, i+1); k >= 0 {
			r.mentions[k].used = true
		}
		return true
	}
	if k := r.mentionAt(i, i+1); k >= 0 {
		m := &r.mentions[k]
		c := r.v.cols[m.col]
		if m.value || c.numeric && !c.year && !r.smallWhole(m.col) {
			return false
		}
		if c.numeric && !c.year && !slices.Contains([]string{"which", "what"}, r.low(i-1)) && !relative[r.low(m.j)] {
			return false
		}
		a.target, a.plural, m.used = m.col, r.toks[m.j-1].low != r.toks[m.j-1].lemma, true
		return true
	}
	if from, to := r.route(); t.lemma == "route" && from >= 0 && to >= 0 {
		a.target, a.with, a.plural = from, []int{to}, t.low != t.lemma
		r.use(i, i+1)
		return true
	}
	if r.v.rows(t.lemma) || rowWords[t.lemma] {
		if r.v.rows(t.lemma) && r.v.label >= 0 {
			a.target = r.v.label
		}
		a.rows, a.plural = true, t.low != t.lemma
		r.use(i, i+1)
		return true
	}
	return false
}

// calendarPart reports whether the token names a column that counts months and the like beside a column of dates.
func (r *reader) calendarPart(i int) bool {
	m := r.mentions[r.mentionAt(i, i+1)]
	return !m.value && !r.v.cols[r.v.time].year && r.v.cols[m.col].info.Type == "integer" && r.v.cols[m.col].info.Role == "time"
}

// route gives the columns of origins and destinations, -1 where there is none.
func (r *reader) route() (from, to int) {
	find := func(id string) int {
		return slices.IndexFunc(r.v.cols, func(c viewColumn) bool { return c.info.Type == "text" && slices.Contains(c.names[0][0].concepts, id) })
	}
	if from, to = find("origin"), find("destination"); from == to {
		return -1, -1
	}
	return from, to
}

// relative words come after a noun of which something is asked: "clusters with ...".
var relative = wordSet("with where that having whose which")

func (r *reader) toks2(i int) token {
	if i < 0 || i >= len(r.toks) {
		return token{}
	}
	return r.toks[i]
}

// smallWhole reports whether a column holds few whole numbers, so that it can be grouped by: cylinders, cluster.
func (r *reader) smallWhole(c int) bool {
	col := r.v.cols[c].info
	return col.Type == "integer" && col.Distinct <= 60 && (col.Distinct <= 15 || col.Distinct*10 <= r.v.info.Rows)
}

// superlatives finds the first "n most X".
func (r *reader) superlatives(a *ask) {
	for i := range r.toks {
		if r.used[i] || a.super != nil {
			continue
		}
		base, degree, ok := degreeOf(r.low(i))
		if !ok || degree < 2 || r.low(i-1) == "at" && (r.low(i) == "least" || r.low(i) == "most") {
			continue
		}
		if (r.low(i) == "max" || r.low(i) == "min" || r.low(i) == "maximum" || r.low(i) == "minimum") && a.target < 0 {
			continue
		}
		r.superlative(a, i, base)
	}
}

func (r *reader) superlative(a *ask, i int, base string) {
	s := &superlative{at: i, col: -1}
	end := i + 1
	adj := adjectives[base]
	flip := false
	if w := r.low(i); w == "most" || w == "least" {
		if next, _, ok := degreeOf(r.low(i + 1)); ok && r.mentionAt(i+1, i+2) < 0 {
			base, adj, end, flip = next, adjectives[next], i+2, w == "least"
		}
	}
	if k := i - 1; k >= 0 && r.toks[k].kind == numberToken && !r.used[k] {
		s.n, _ = strconv.Atoi(r.toks[k].num)
		r.use(k, i)
	} else if end < len(r.toks) && r.toks[end].kind == numberToken && !r.used[end] {
		s.n, _ = strconv.Atoi(r.toks[end].num)
		end++
	}
	r.use(i, end)
	if base == "top" || base == "little" && r.low(i) == "bottom" {
		w := r.low(end)
		next, degree, ok := degreeOf(w)
		if (w == "most" || w == "least") && r.mentionAt(end+1, end+2) < 0 {
			if further, _, is := degreeOf(r.low(end + 1)); is {
				base, adj, flip = further, adjectives[further], w == "least"
				r.use(end, end+2)
				end += 2
			}
		} else if ok && degree == 2 {
			base, adj = next, adjectives[next]
			r.use(end, end+1)
			end++
		}
	}
	if base == "top" && s.n == 0 {
		s.n = 1
		if r.plural(end) {
			s.n = 10
		}
	}
	if r.low(end) == "first" {
		r.use(end, end+1)
		a.sort = &plan.Order{Desc: (adj.sign >= 0) != flip || base == "bad" && slices.ContainsFunc(r.mentions, func(m mention) bool { return !m.value && r.harmful(m.col) })}
		return
	}
	s.col = r.superColumn(a, s, i, end, base, adj)
	if c := r.countColumn(); s.col == rowCount && c >= 0 {
		s.col = c
	}
	s.rows = s.col == rowCount
	s.desc = (adj.sign >= 0) != flip
	if base == "bad" && s.col >= 0 {
		s.desc = s.desc || r.harmful(s.col)
	}
	r.countOfTarget(a, s)
	a.super = s
}

// harmful reports whether more of a measure is worse.
func (r *reader) harmful(c int) bool {
	for _, w := range r.v.cols[c].names[0] {
		if slices.ContainsFunc(w.concepts, func(id string) bool { return harm[id] }) {
			return true
		}
	}
	return false
}

// countOfTarget reads the number before the noun: "5 countries with the highest fertility".
func (r *reader) countOfTarget(a *ask, s *superlative) {
	for i := 0; i < s.at && s.n == 0 && a.target >= 0; i++ {
		if t := r.toks[i]; t.kind == numberToken && !r.used[i] && i+1 < len(r.toks) && r.used[i+1] {
			s.n, _ = strconv.Atoi(t.num)
			r.use(i, i+1)
		}
	}
}

// rowCount as a superlative's column means that rows are counted.
const rowCount = -2

// plural reports whether the noun that begins at i stands in the plural.
func (r *reader) plural(i int) bool {
	for ; i < len(r.toks) && i >= 0; i++ {
		if r.toks[i].content() {
			return r.toks[i].low != r.toks[i].lemma
		}
	}
	return false
}

// superColumn finds what a superlative compares: the measure named right behind it, the one its adjective speaks of, the
// one behind "by", the nearest one before; rowCount for "the most cars"; -1 when nothing says.
func (r *reader) superColumn(a *ask, s *superlative, i, end int, base string, adj adjective) int {
	if k := r.mentionFrom(end); k >= 0 && r.measureMention(k) {
		r.mentions[k].used = true
		return r.among(a, k, adj)
	}
	for j := end; j < len(r.toks); j++ {
		if r.low(j) == "by" && (r.says(j+1, "number", "of") || r.says(j+1, "count") || r.says(j+1, "the", "number", "of")) && r.countsRows(j+1) {
			r.use(j, min(j+3, len(r.toks)))
			return rowCount
		}
	}
	for k := range r.mentions {
		if m := &r.mentions[k]; m.i > end && r.low(m.i-1) == "by" && r.measureMention(k) && !r.sortedBy(m.i-1) {
			m.used = true
			return r.senseOf(k)
		}
	}
	if len(adj.concepts) > 0 {
		switch adj.concepts[0] {
		case "#count":
			return rowCount
		case "#time":
			return r.v.time
		}
		if list := r.v.withConcept(adj.concepts); len(list) > 0 {
			s.adjective = true
			op := map[bool]string{true: "gt", false: "lt"}[adj.sign > 0]
			c, sure := r.choose(list, op)
			if !sure {
				a.unclear = "Which one do you mean: " + r.names(list) + "?"
			}
			return c
		}
		if base == "old" || base == "young" {
			return r.v.time
		}
		if base != "good" && base != "bad" {
			return -1
		}
	}
	if w := r.low(i); (w == "most" || w == "fewest" || w == "least") && r.plural(end) {
		if k := r.mentionFrom(end); k >= 0 && (r.mentions[k].value || !r.v.cols[r.mentions[k].col].numeric) {
			if m := &r.mentions[k]; !m.value {
				m.used = true
				if t := r.mentionOf(a.target); t >= 0 && slices.Contains(r.mentions[t].alts, m.col) {
					a.target = m.col
				}
			}
			return rowCount
		}
	}
	if end < len(r.toks) && (r.v.rows(r.toks[end].lemma) || rowWords[r.toks[end].lemma]) && r.low(i) != "top" && (r.low(i) == "most" || r.low(i) == "fewest" || r.low(i) == "least") {
		return rowCount
	}
	for k := len(r.mentions) - 1; k >= 0; k-- {
		if m := &r.mentions[k]; m.j <= i && r.measureMention(k) && !m.used {
			m.used = true
			return r.senseOf(k)
		}
	}
	for k := range r.mentions {
		if m := &r.mentions[k]; m.i > end && r.measureMention(k) && !m.used {
			m.used = true
			return r.senseOf(k)
		}
	}
	return -1
}

// among chooses between the columns that a mention fits: by the adjective's concept, else the user must say.
func (r *reader) among(a *ask, k int, adj adjective) int {
	m := r.mentions[k]
	if m.value || len(m.alts) == 0 {
		return r.senseOf(k)
	}
	all := append([]int{m.col}, m.alts...)
	var fits, numbers []int
	for _, c := range all {
		if !r.v.cols[c].numeric {
			continue
		}
		numbers = append(numbers, c)
		if r.v.cols[c].hasConcept(adj.concepts...) {
			fits = append(fits, c)
		}
	}
	if len(fits) > 0 {
		numbers = fits
	}
	c, sure := r.choose(numbers, "")
	if !sure {
		a.unclear = "Which one do you mean: " + r.names(numbers) + "?"
	}
	return c
}

// choose picks one of several columns; sure is false when nothing tells them apart.
func (r *reader) choose(list []int, op string) (col int, sure bool) {
	if len(list) == 1 {
		return list[0], true
	}
	if c := r.pickOf(list, op); op != "" && c != list[0] || r.extreme(list[0], op) {
		return c, true
	}
	for _, c := range list {
		for _, w := range r.v.cols[c].names[0] {
			if slices.Contains([]string{"worldwide", "total", "global", "overall", "all"}, w.lemma) {
				return c, true
			}
		}
	}
	if c := r.fromTableName(list); c >= 0 {
		return c, true
	}
	return list[0], false
}

// extreme reports whether a column's name says that it holds maxima (for gt) or minima (for lt).
func (r *reader) extreme(c int, op string) bool {
	want := map[string]string{"gt": "max", "ge": "max", "lt": "min", "le": "min"}[op]
	return want != "" && slices.ContainsFunc(r.v.cols[c].names[0], func(w nameWord) bool { return w.lemma == want })
}

// countsRows reports whether "number of X" at i counts rows: X is no column of numbers.
func (r *reader) countsRows(i int) bool {
	for ; i < len(r.toks); i++ {
		if k := r.mentionAt(i, i+1); k >= 0 {
			return r.mentions[k].value || !r.v.cols[r.mentions[k].col].numeric
		}
	}
	return true
}

// mentionOf gives the mention of a column, -1 without one.
func (r *reader) mentionOf(c int) int {
	return slices.IndexFunc(r.mentions, func(m mention) bool { return !m.value && m.col == c })
}

func (r *reader) sortedBy(i int) bool {
	w := r.low(i - 1)
	return w == "sorted" || w == "sort" || w == "grouped" || w == "group"
}

// measureMention reports whether a mention names a column of numbers, if only by its second sense.
func (r *reader) measureMention(k int) bool {
	c := r.senseOf(k)
	return c >= 0 && r.v.cols[c].numeric && !r.v.cols[c].time && !r.mentions[k].used
}

// senseOf is the column that a mention names: of a value, the column that its words name as well.
func (r *reader) senseOf(k int) int {
	if m := r.mentions[k]; m.value {
		return m.asCol
	}
	return r.mentions[k].col
}

// groupWords come before what a result is grouped by.
var groupWords = wordSet("by per each every across")

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
	before, after := r.low(i-1), r.low(i+1)
	r.use(i, i+1)
	switch {
	case before == "of" && (r.low(i-2) == "number") || before == "many":
	case before == "average" || before == "mean" || before == "avg" || before == "median":
		a.mean1 = p
	default:
		_ = after
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
		key := plan.GroupKey{Column: r.v.cols[r.v.time].info.Name, Period: p}
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

// excluders come before what is left out.
var excluders = wordSet("without excluding except besides not ignoring exclude ignore non minus omit omitting but")

// valueFilters turns mentioned values into conditions: several of one column are alternatives.
func (r *reader) valueFilters(a *ask) {
	for k := range r.mentions {
		m := &r.mentions[k]
		if !m.value || m.used {
			continue
		}
		m.used = true
		cond := m.cond
		if r.excluded(m.i) {
			cond.Op = map[string]string{"eq": "ne", "contains": "not_contains", "starts_with": "not_contains"}[cond.Op]
		}
		r.addValue(a, cond, m)
	}
}

func (r *reader) excluded(i int) bool {
	for back := 1; back <= 3 && i-back >= 0; back++ {
		w := r.low(i - back)
		if excluders[w] || w == "than" && r.low(i-back-1) == "other" || w == "from" && r.low(i-back-1) == "apart" {
			r.use(i-back, i-back+1)
			return w != "but" || r.low(i-back+1) == "not"
		}
		if r.toks[i-back].content() || r.toks[i-back].kind != wordToken {
			return false
		}
	}
	return false
}

func (r *reader) addValue(a *ask, cond plan.Condition, m *mention) {
	for n := range a.filters {
		f := &a.filters[n]
		if f.col != m.col || f.date || f.cond.Value == nil {
			continue
		}
		switch have := f.cond; {
		case have.Op == cond.Op && have.Value == cond.Value:
			return
		case have.Op == "eq" && cond.Op == "eq":
			f.cond.Op, f.cond.Value = "in", []any{have.Value, cond.Value}
			return
		case have.Op == "in" && cond.Op == "eq":
			if list := have.Value.([]any); !slices.Contains(list, cond.Value) {
				f.cond.Value = append(list, cond.Value)
			}
			return
		case have.Op == "ne" && cond.Op == "ne":
			f.cond.Op, f.cond.Value = "not_in", []any{have.Value, cond.Value}
			return
		case have.Op == "not_in" && cond.Op == "ne":
			f.cond.Value = append(have.Value.([]any), cond.Value)
			return
		case (have.Op == "contains" || have.Op == "starts_with" || have.Op == "eq") && (cond.Op == "contains" || cond.Op == "starts_with" || cond.Op == "eq"):
			f.cond = plan.Condition{Any: []plan.Condition{have, cond}}
			return
		}
	}
	a.filters = append(a.filters, asked{cond: cond, col: m.col, at: m.i})
}

// totalsOut leaves out rows that sum up the others, unless the message names them or asks for single rows of a named value.
func (r *reader) totalsOut(a *ask) {
	r.totalRows()
	for c, h := range r.totals {
		names := func(f asked) bool {
			return f.col == c && !f.date && f.cond.Op != "not_null" && (!a.share || f.cond.Value == h.Value)
		}
		if !slices.ContainsFunc(a.filters, names) {
			a.filters = append(a.filters, asked{cond: plan.Condition{Column: h.Column, Op: "ne", Value: h.Value}, col: c, at: -1})
		}
	}
}
