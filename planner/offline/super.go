package offline

import (
	"slices"
	"strconv"

	"catena/planner/plan"
)

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
	end = r.howMany(s, i, end)
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
		} else if ok && degree == 0 && r.v.info.Live && r.mentionAt(end, end+1) < 0 && len(r.v.withConcept(adjectives[next].concepts)) > 0 { // "top 5 complex functions"
			base, adj = next, adjectives[next]
			r.use(end, end+1)
			end++
		}
	}
	if w := r.low(i); (base == "old" || base == "young") && w != "earliest" && w != "latest" && slices.ContainsFunc(r.toks, func(t token) bool { return t.low == "who" }) && len(r.v.withConcept([]string{"age", "birth"})) == 0 {
		r.vain = append(r.vain, i) // when somebody began says nothing of their age
	}
	if base == "top" && s.n == 0 {
		s.n = 1
		if r.plural(end) {
			s.n = 10
		}
	}
	if r.low(end) == "first" && r.mentionAt(end, end+1) < 0 {
		r.use(end, end+1)
		a.sort = &plan.Order{Desc: (adj.sign >= 0) != flip || base == "bad" && slices.ContainsFunc(r.mentions, func(m mention) bool { return !m.value && r.harmful(m.col) })}
		return
	}
	if (base == "slow" || base == "fast" || base == "quick") && len(r.v.withConcept(adj.concepts)) == 0 { // the slowest takes longest
		adj = adjective{[]string{"duration"}, -adj.sign}
	}
	s.col = r.superColumn(a, s, i, end, base, adj)
	if c := r.countColumn(); s.col == rowCount && c >= 0 {
		s.col = c
	}
	s.rows = s.col == rowCount
	s.desc = (adj.sign >= 0) != flip
	if s.col >= 0 && s.col == r.v.time && (base == "old" || base == "young") {
		s.desc = !s.desc // the older, the earlier
	}
	if base == "bad" && s.col >= 0 {
		s.desc = s.desc || r.harmful(s.col)
	}
	r.countOfTarget(a, s)
	a.super = s
}

// howMany reads the number before or behind a superlative at i: "5 largest", "top 5", "second largest". It gives the end.
func (r *reader) howMany(s *superlative, i, end int) int {
	if n := r.ordinal(i - 1); n > 1 {
		s.nth, s.n = n, 1
		r.use(i-1, i)
	} else if k := i - 1; k >= 0 && r.toks[k].kind == numberToken && !r.used[k] {
		s.n, _ = strconv.Atoi(r.toks[k].num)
		r.use(k, i)
	} else if end < len(r.toks) && r.toks[end].kind == numberToken && !r.used[end] {
		s.n, _ = strconv.Atoi(r.toks[end].num)
		s.n = r.partOf(r.toks[end], s.n)
		end++
	}
	return end
}

// partOf gives how many rows "top 10 %" asks for: that part of the table, and at least one.
func (r *reader) partOf(t token, n int) int {
	if !t.percent || r.v.info.Rows == 0 {
		return n
	}
	r.part = t.text
	return max(1, (r.v.info.Rows*n+50)/100)
}

// ordinals are the places that people spell.
var ordinals = map[string]int{"second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10}

// ordinal reads "second" and "2nd" at i, 0 when there is none.
func (r *reader) ordinal(i int) int {
	t := r.tokenAt(i)
	if t.kind == numberToken && len(t.text) > 2 && t.text[len(t.text)-1] >= 'a' {
		n, _ := strconv.Atoi(t.num)
		return n
	}
	if r.mentionAt(i, i+1) >= 0 {
		return 0
	}
	return ordinals[t.low]
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
	for end < len(r.toks) && r.used[end] && r.mentionAt(end, end+1) < 0 && opposites[r.low(end)] != nil {
		end++
	}
	if j := r.mostBehind(end + 1); base == "top" && j > 0 {
		r.use(j, j+1)
		next, _, _ := degreeOf(r.low(j))
		return r.superColumn(a, s, j, j+1, next, adjectives[next])
	}
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
	if c := r.v.column("lines"); c >= 0 && r.v.info.Live && extents[base] { // code has no other size
		return c
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
	if r.mostOf(a, i, end) {
		return rowCount
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

// extents are words of size and length.
var extents = plan.WordSet("large big huge small tiny long short")

// mostBehind finds the second superlative of "top 5 clients with the most tickets" from token i on, 0 without one.
func (r *reader) mostBehind(i int) int {
	for j := i; j < len(r.toks); j++ {
		if w := r.low(j); (w == "most" || w == "highest" || w == "largest") && !r.used[j] && (r.low(j-1) == "with" || r.low(j-2) == "with" || r.low(j-1) == "having") {
			return j
		}
	}
	return 0
}

// mostOf reads "the most departures", where what is counted is no column of numbers.
func (r *reader) mostOf(a *ask, i, end int) bool {
	k := r.mentionFrom(end)
	named := k >= 0 && r.mentions[k].value && r.v.rows(r.tokenAt(r.mentions[k].j).lemma)
	if w := r.low(i); w != "most" && w != "fewest" && w != "least" || !r.plural(end) && !named {
		return false
	}
	if k < 0 || !r.mentions[k].value && r.v.cols[r.mentions[k].col].numeric {
		return false
	}
	if m := &r.mentions[k]; !m.value {
		m.used = true
		if t := r.mentionOf(a.target); t >= 0 && slices.Contains(r.mentions[t].alts, m.col) {
			a.target = m.col
		}
	}
	return true
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
