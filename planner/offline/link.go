package offline

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"catena/planner/plan"
)

// mention is a stretch of tokens that speaks of a column, or of values in one.
type mention struct {
	i, j  int
	col   int
	value bool
	alts  []int          // other columns that fit as well, best first
	cond  plan.Condition // of a value
	hits  []plan.Hit     // of a value, all columns that hold it
	asCol int            // of a value: the column that its words name as well ("rain"), -1 without
	score float64
	used  bool // an operation has taken it
}

// reader is one message as read against one table.
type reader struct {
	ctx      context.Context
	v        *view
	text     string // the message
	toks     []token
	values   plan.Values
	now      time.Time
	found    map[string][]plan.Hit // what Values said, shared between the tables of a message
	dates    []dateRef
	mentions []mention
	others   map[string]bool // words of other tables' names
	used     []bool          // tokens that mean something
	index    *columnIndex    // which columns words could name
	words    []token         // contentOf's
	lastOf   []int           // the columns by which the last rows are found, where no date can say
	lastN    int
	vain     []int  // words whose operation the table does not have: growth without times
	part     string // the percentage of rows that is asked for: "top 10%"
	changing bool   // the message asks for a change between two times
	supposed string // which column a word was taken for that no column goes by
}

// longest is the number of tokens of the longest name or value that is looked for.
const longest = 7

// link finds the columns and values that the message mentions: longer stretches first, better ones first.
func (r *reader) link() {
	r.used, r.index = make([]bool, len(r.toks)), newColumnIndex(r.v)
	for i := range r.toks {
		r.toks[i].at = i
	}
	for _, d := range r.dates {
		r.use(d.i, d.j)
	}
	var all []mention
	for i := range r.toks {
		for j := i + 1; j <= min(i+longest, len(r.toks)); j++ {
			if !r.joined(i, j) {
				break
			}
			if m, ok := r.columnAt(i, j); ok {
				all = append(all, m)
			}
			if m, ok := r.valueAt(i, j); ok {
				all = append(all, m)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b mention) int {
		return cmp.Or(cmp.Compare(r.weight(b), r.weight(a)), cmp.Compare(a.j-a.i, b.j-b.i), cmp.Compare(a.i, b.i))
	})
	for _, m := range all {
		if at := r.mentionAt(m.i, m.j); at >= 0 {
			r.secondSense(&r.mentions[at], m)
			continue
		}
		r.mentions = append(r.mentions, m)
	}
	slices.SortFunc(r.mentions, func(a, b mention) int { return cmp.Compare(a.i, b.i) })
	r.suppose()
	r.kinds()
	for _, m := range r.mentions {
		r.use(m.i, m.j)
	}
	r.settle()
}

// weight ranks mentions: what explains more of the message comes first.
func (r *reader) weight(m mention) float64 {
	n := 0.0
	for _, t := range r.toks[m.i:m.j] {
		if t.content() || t.kind == numberToken {
			n++
		}
	}
	w := m.score * max(n, 1)
	if m.value && m.score >= 0.9 {
		w += 0.05 * n
	}
	return w
}

func (r *reader) use(i, j int) {
	for ; i < j; i++ {
		r.used[i] = true
	}
}

// mentionAt gives the mention that overlaps i..j-1, -1 without one.
func (r *reader) mentionAt(i, j int) int {
	return slices.IndexFunc(r.mentions, func(m mention) bool { return m.i < j && i < m.j })
}

// joined reports whether tokens i..j-1 can be one name: no comma, question mark or date between them.
func (r *reader) joined(i, j int) bool {
	t := r.toks[j-1]
	if r.used[j-1] && t.kind != quoteToken && !(j-1 == i) {
		return false
	}
	if j-1 > i && parting[t.low] && !r.v.worded(t.low) {
		return false
	}
	if t.kind == markToken {
		return j-1 > i && strings.Contains("&-/.'_+", t.text)
	}
	return !(j-1 > i && t.kind == quoteToken)
}

// parting words change what is asked, so that no name goes over them unless a column's own name has the word.
var parting = plan.WordSet("no not never without except excluding per each or than vs versus")

// worded reports whether a word is part of a column's name.
func (v *view) worded(lemma string) bool {
	return slices.ContainsFunc(v.cols, func(c viewColumn) bool {
		return slices.ContainsFunc(c.names[0], func(w nameWord) bool { return w.lemma == lemma })
	})
}

// askWords are words that ask or count; only a column of exactly that name is meant by one of them alone.
var askWords = plan.WordSet(`average mean median sum total count number amount max min maximum minimum share percent percentage proportion rate value level first last most least high low top
rank order sort group change growth trend time period figure more less many much little large great good bad part display run show all case one two start end name date day line head world
difference ratio gap data record unit people show come go take return live serve fall get make give reading measure day hour`)

// columnAt reads tokens i..j-1 as a column's name.
func (r *reader) columnAt(i, j int) (mention, bool) {
	if m, ok := r.numberedName(i, j); ok {
		return m, true
	}
	words := r.contentOf(i, j)
	if len(words) == 0 || len(words) > 5 || !r.edge(i) || !r.edge(j-1) {
		return mention{}, false
	}
	if r.anyUsed(i, j) && !(j-i == 1 && r.isYearColumn(i)) {
		return mention{}, false
	}
	asking := !slices.ContainsFunc(words, func(t token) bool { return !askWords[t.lemma] })
	var best []int
	var score float64
	joined := joinedLows(words)
	for c := range r.index.candidates(words).all {
		s := r.v.cols[c].matchAs(words, joined)
		if len(words) > 1 && s > 0 && !r.plainNames(words, c) {
			continue
		}
		if asking && len(words) > 1 && s < 0.99 {
			continue
		}
		if len(words) == 1 && s > 0 && !r.alone(words[0], c) {
			continue
		}
		switch {
		case s < 0.45:
		case s > score+0.02:
			best, score = []int{c}, s
		case s >= score-0.02:
			best = append(best, c)
		}
	}
	if len(best) == 0 {
		return mention{}, false
	}
	if len(words) == 1 && len(best) > 1 { // lines are no line
		if k := slices.IndexFunc(best, func(c int) bool { return r.v.cols[c].info.Name == words[0].low }); k > 0 {
			best[0], best[k] = best[k], best[0]
		}
	}
	if usd, ok := r.v.common[best[0]]; ok && !slices.ContainsFunc(words, func(t token) bool { return t.low == "local" }) {
		best = []int{usd}
	}
	return mention{i: i, j: j, col: best[0], alts: best[1:], score: score, asCol: -1}, true
}

// alone reports whether one word may stand for a column: words that ask and words of degree must be its very name.
func (r *reader) alone(t token, c int) bool {
	if speaks := adjectives[t.low].concepts; r.v.info.Live && len(r.v.withConcept(speaks)) > 0 && !r.v.cols[c].hasConcept(speaks...) {
		return false // what is most imported has no imports
	}
	_, degree, isDegree := degreeOf(t.low)
	if isDegree && degree == 0 && !askWords[t.lemma] {
		least := 0.85
		if r.v.info.Live && r.low(t.at-1) == "how" && !slices.ContainsFunc(r.toks, func(o token) bool { return pointing[o.low] }) {
			least = 0.7 // "how close are they": there are no rows that tell what the word means
		}
		for _, name := range r.v.cols[c].names {
			for w := range name {
				if name[w].meets(&t) >= least {
					return true
				}
			}
		}
	}
	if !askWords[t.lemma] && !isDegree {
		return !r.v.rows(t.lemma) || r.sole(t, c) || aggregateNouns[r.tokenAt(t.at-1).lemma] && r.v.cols[c].numeric // total sales of a table called sales
	}
	for _, name := range r.v.cols[c].names {
		for _, w := range name {
			if (w.lemma == t.lemma || w.lemma == t.low) && (len(name) == 1 || w.weight >= 1 && !isDegree && !askWords[t.lemma]) {
				return true
			}
		}
	}
	return false
}

// plainNames reports whether the words of degree among the words are words of the column's name: "max" in "max temp".
func (r *reader) plainNames(words []token, c int) bool {
	for _, t := range words {
		if _, degree, ok := degreeOf(t.low); !ok || degree == 0 {
			continue
		}
		if !slices.ContainsFunc(r.v.cols[c].names, func(name []nameWord) bool {
			return slices.ContainsFunc(name, func(w nameWord) bool { return w.meets(&t) >= 0.95 })
		}) {
			return false
		}
	}
	return true
}

// sole reports whether a word that means the table's rows is also, exactly, a word of the column's name.
func (r *reader) sole(t token, c int) bool {
	if r.v.cols[c].info.Role == "identifier" {
		return false
	}
	for _, w := range r.v.cols[c].names[0] {
		if w.lemma == t.lemma || w.stem == stem(t.low) && len(t.lemma) > 4 {
			return true
		}
	}
	return false
}

func (r *reader) anyUsed(i, j int) bool { return slices.Contains(r.used[i:j], true) }

// isYearColumn reports whether a number is the name of a column: tables with a column per year.
func (r *reader) isYearColumn(i int) bool {
	return r.toks[i].kind == numberToken && r.v.column(r.toks[i].text) >= 0
}

func (r *reader) contentOf(i, j int) []token {
	out := r.words[:0] // used until the next call
	defer func() { r.words = out }()
	for _, t := range r.toks[i:j] {
		if t.content() || t.kind == numberToken && r.v.column(t.text) >= 0 {
			out = append(out, t)
		} else if t.kind == numberToken {
			return nil
		}
	}
	return out
}

// edge reports whether a name may begin or end with the token.
func (r *reader) edge(i int) bool {
	t := r.toks[i]
	return t.content() || t.kind == numberToken && r.v.column(t.text) >= 0
}

// valueAt reads tokens i..j-1 as values of a column.
func (r *reader) valueAt(i, j int) (mention, bool) {
	if r.values == nil && !r.v.info.Live || r.anyUsed(i, j) || !slices.ContainsFunc(r.toks[i:j], token.content) && !r.letter(i, j) {
		return mention{}, false
	}
	hits := r.hits(i, j)
	hits = slices.DeleteFunc(slices.Clone(hits), func(h plan.Hit) bool { return !r.believable(i, j, h) })
	if len(hits) == 0 {
		return mention{}, false
	}
	m := mention{i: i, j: j, value: true, asCol: -1, hits: hits, score: hits[0].Score}
	m.take(r.v, hits[0])
	return m, true
}

// take makes the mention one of the hit's column and value.
func (m *mention) take(v *view, h plan.Hit) {
	m.col = v.column(h.Column)
	m.cond = plan.Condition{Column: h.Column, Op: "eq", Value: h.Value}
}

func (r *reader) hits(i, j int) []plan.Hit {
	if r.values == nil {
		return r.liveHits(i, j)
	}
	phrase := r.toks[i].text
	if r.toks[i].kind != quoteToken {
		var parts []string
		for k := i; k < j; k++ {
			if k > i && r.toks[k].start > r.toks[k-1].end {
				parts = append(parts, " ")
			}
			parts = append(parts, r.toks[k].text)
		}
		phrase = strings.Join(parts, "")
	}
	found := r.find(phrase)
	if len(found) == 0 && r.letter(i, j) {
		found = r.find(strings.ToUpper(phrase)) // as such values are written
	}
	var mine []plan.Hit
	for _, h := range found {
		if !r.v.holds(h) {
			continue
		}
		if k := slices.IndexFunc(mine, func(o plan.Hit) bool { return o.Column == h.Column && o.Match == h.Match }); k >= 0 && len(r.v.union) > 0 {
			mine[k].Rows += h.Rows // the same in another of the tables that are read as one
			continue
		}
		mine = append(mine, h)
	}
	return append(mine, r.liveHits(i, j)...)
}
