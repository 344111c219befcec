package planner

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
	toks     []token
	values   plan.Values
	now      time.Time
	found    map[string][]plan.Hit // what Values said, shared between the tables of a message
	dates    []dateRef
	mentions []mention
	used     []bool // tokens that mean something
	totals   map[int]plan.Hit
	lastOf   []int // the columns by which the last rows are found, where no date can say
	lastN    int
	changing bool // the message asks for a change between two times
}

// longest is the number of tokens of the longest name or value that is looked for.
const longest = 7

// link finds the columns and values that the message mentions: longer stretches first, better ones first.
func (r *reader) link() {
	r.used = make([]bool, len(r.toks))
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
	r.kinds()
	for _, m := range r.mentions {
		r.use(m.i, m.j)
	}
	r.settle()
}

// kindWords mean what tells the rows apart where no column has the name.
var kindWords = wordSet("type kind category sort class")

// kinds reads "disaster types" as the table's only column of a few texts.
func (r *reader) kinds() {
	only := -1
	for i, c := range r.v.cols {
		if c.info.Type == "text" {
			if only >= 0 {
				return
			}
			only = i
		}
	}
	if only < 0 || r.v.cols[only].info.Distinct*2 > r.v.info.Rows {
		return
	}
	for i, t := range r.toks {
		if !kindWords[t.lemma] || r.mentionAt(i, i+1) >= 0 {
			continue
		}
		from := i
		if i > 0 && r.v.rows(r.toks[i-1].lemma) && r.mentionAt(i-1, i) < 0 {
			from--
		}
		r.mentions = append(r.mentions, mention{i: from, j: i + 1, col: only, score: 0.8, asCol: -1})
	}
	slices.SortFunc(r.mentions, func(a, b mention) int { return cmp.Compare(a.i, b.i) })
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

// secondSense notes that the words of a value name a column too.
func (r *reader) secondSense(have *mention, m mention) {
	if have.value && !m.value && have.i == m.i && have.j == m.j && have.asCol < 0 {
		have.asCol = m.col
	}
}

// joined reports whether tokens i..j-1 can be one name: no comma, question mark or date between them.
func (r *reader) joined(i, j int) bool {
	t := r.toks[j-1]
	if r.used[j-1] && t.kind != quoteToken && !(j-1 == i) {
		return false
	}
	if t.kind == markToken {
		return j-1 > i && strings.Contains("&-/.'_+", t.text)
	}
	return !(j-1 > i && t.kind == quoteToken)
}

// askWords are words that ask or count; only a column of exactly that name is meant by one of them alone.
var askWords = wordSet(`average mean median sum total count number amount max min maximum minimum share percent percentage proportion rate value level first last most least high low top
rank order sort group change growth trend time period figure more less many much little large great good bad part display run show all case one two start end name date day line head world
difference ratio gap data record unit people show come go take return live serve fall get make give reading measure day hour`)

// columnAt reads tokens i..j-1 as a column's name.
func (r *reader) columnAt(i, j int) (mention, bool) {
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
	for c := range r.v.cols {
		s := r.v.cols[c].match(words)
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
	if usd, ok := r.v.common[best[0]]; ok && !slices.ContainsFunc(words, func(t token) bool { return t.low == "local" }) {
		best = []int{usd}
	}
	return mention{i: i, j: j, col: best[0], alts: best[1:], score: score, asCol: -1}, true
}

// alone reports whether one word may stand for a column: words that ask and words of degree must be its very name.
func (r *reader) alone(t token, c int) bool {
	_, degree, isDegree := degreeOf(t.low)
	if isDegree && degree == 0 && !askWords[t.lemma] {
		for _, name := range r.v.cols[c].names {
			for _, w := range name {
				if w.meets(t) >= 0.85 {
					return true
				}
			}
		}
	}
	if !askWords[t.lemma] && !(isDegree && degree > 0) && !(isDegree && !r.nounAhead(t)) {
		return !r.v.rows(t.lemma) || r.sole(t, c)
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
			return slices.ContainsFunc(name, func(w nameWord) bool { return w.meets(t) >= 0.95 })
		}) {
			return false
		}
	}
	return true
}

// nounAhead reports that a word of degree is used as a noun: it never is, unless a column has its name.
func (r *reader) nounAhead(token) bool { return false }

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
	var out []token
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
	if r.values == nil || r.anyUsed(i, j) || !slices.ContainsFunc(r.toks[i:j], token.content) {
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
	found, ok := r.found[phrase]
	if !ok {
		found = r.values.Find(r.ctx, phrase)
		r.found[phrase] = found
	}
	var mine []plan.Hit
	for _, h := range found {
		if h.Table == r.v.info.Name && r.v.column(h.Column) >= 0 {
			mine = append(mine, h)
		}
	}
	return mine
}

// believable reports whether a hit is what the words mean, rather than an accident of a long text.
func (r *reader) believable(i, j int, h plan.Hit) bool {
	t := r.toks[i]
	if t.kind == quoteToken {
		return true
	}
	capital := t.text[0] >= 'A' && t.text[0] <= 'Z' && i > 0 && !r.sentenceStart(i)
	one := j-i == 1
	common := askWords[t.lemma] || benignWords[t.low] || stopWords[t.low] || periodWords[t.low] != ""
	switch h.Match {
	case plan.Exact, plan.Synonym:
		_, degree, isDegree := degreeOf(t.low)
		if one && i > 0 && (r.low(i-1) == "at" || r.low(i-1) == "the" && i > 1 && r.low(i-2) == "during") {
			return true
		}
		return !one || !(common || isDegree && degree > 0) || capital && t.low != "may"
	}
	if stopWords[t.low] || stopWords[r.toks[j-1].low] || r.toks[i].kind == markToken || r.toks[j-1].kind == markToken {
		return false
	}
	if !one {
		return h.Match != plan.Fuzzy
	}
	if common || r.v.rows(t.lemma) || len(t.low) < 3 {
		return false
	}
	known := len(concepts[t.lemma]) > 0
	_, _, isDegree := degreeOf(t.low)
	switch h.Match {
	case plan.Prefix:
		return capital || !known && !isDegree && (h.Values >= 2 || h.Rows >= 5)
	case plan.Word:
		few := r.v.cols[r.v.column(h.Column)].info.Distinct <= 200
		return capital || few && !known && !isDegree
	}
	return !known && !isDegree && len(t.low) >= 5 && nearCue(t.low) == ""
}

func (r *reader) sentenceStart(i int) bool {
	p := r.toks[i-1].text
	return p == "." || p == "?" || p == "!"
}

// settle chooses between the columns that hold a value: one that the message names, one that a word of direction points
// to, else the one with the best match and the fewest different values.
func (r *reader) settle() {
	for k := range r.mentions {
		m := &r.mentions[k]
		if !m.value {
			r.settleColumn(k)
			continue
		}
		best, bestScore := 0, -1.0
		for n, h := range m.hits {
			if s := h.Score + r.pointers(m, r.v.column(h.Column)); s > bestScore {
				best, bestScore = n, s
			}
		}
		m.take(r.v, m.hits[best])
		r.widen(m, m.hits[best])
	}
}

// widen makes a phrase that meets several values a condition on the text.
func (r *reader) widen(m *mention, h plan.Hit) {
	if h.Values <= 1 || h.Match == plan.Exact || h.Match == plan.Fuzzy || h.Match == plan.Synonym {
		return
	}
	phrase := strings.Join(plan.FoldWords(textOf(r.toks[m.i:m.j])), " ")
	m.cond.Value = phrase
	m.cond.Op = "contains"
	if h.Match == plan.Prefix {
		m.cond.Op = "starts_with"
	}
}

func textOf(toks []token) string {
	parts := make([]string, len(toks))
	for i, t := range toks {
		parts[i] = t.text
	}
	return strings.Join(parts, " ")
}

// directions are words before a value that point to a column.
var directions = map[string][]string{
	"from": {"origin"}, "leaving": {"origin"}, "departing": {"origin"}, "departed": {"origin"}, "out": {"origin"}, "leave": {"origin"}, "left": {"origin"},
	"to": {"destination"}, "into": {"destination"}, "arriving": {"destination"}, "reaching": {"destination"}, "towards": {"destination"}, "arrived": {"destination"}, "bound": {"destination"},
	"by": {"director", "author", "company"}, "directed": {"director"},
}

// pointers weighs what in the message speaks for a column as the one that holds the value.
func (r *reader) pointers(m *mention, col int) float64 {
	score := 0.0
	c := &r.v.cols[col]
	for back := 1; back <= 3 && m.i-back >= 0; back++ {
		w := r.toks[m.i-back]
		if ids, ok := directions[w.low]; ok && c.hasConcept(ids...) {
			score += 0.5 / float64(back)
			break
		}
	}
	for _, other := range r.mentions {
		if other.value || other.col != col && !slices.Contains(other.alts, col) {
			continue
		}
		if other.j == m.i || other.i == m.j || other.j == m.i-1 {
			score += 0.3
		} else if len(other.alts) == 0 {
			score += 0.1
		}
	}
	if r.v.info.Rows > 0 {
		score -= 0.05 * float64(c.info.Distinct) / float64(r.v.info.Rows)
	}
	return score
}

// settleColumn chooses between columns that fit a mention as well: one whose value stands beside it.
func (r *reader) settleColumn(k int) {
	m := &r.mentions[k]
	if len(m.alts) == 0 {
		return
	}
	for _, n := range []int{k - 1, k + 1} {
		if n < 0 || n >= len(r.mentions) || !r.mentions[n].value {
			continue
		}
		for _, h := range r.mentions[n].hits {
			if c := r.v.column(h.Column); c == m.col || slices.Contains(m.alts, c) {
				m.alts, m.col = nil, c
				return
			}
		}
	}
}

// totalRows finds the value of a column of text that stands for all the others together: "All regions", "Total".
func (r *reader) totalRows() {
	r.totals = map[int]plan.Hit{}
	if r.values == nil {
		return
	}
	for _, phrase := range []string{"total", "all", "overall", "grand total"} {
		found, ok := r.found[phrase]
		if !ok {
			found = r.values.Find(r.ctx, phrase)
			r.found[phrase] = found
		}
		for _, h := range found {
			c := r.v.column(h.Column)
			if h.Table != r.v.info.Name || c < 0 || h.Values != 1 || h.Match != plan.Exact && h.Match != plan.Prefix || h.Match == plan.Prefix && (r.v.cols[c].info.Distinct > 60 || h.Rows < 2) {
				continue
			}
			if _, have := r.totals[c]; !have {
				r.totals[c] = h
			}
		}
	}
}
