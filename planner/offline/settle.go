package offline

import (
	"cmp"
	"slices"
	"strings"

	"catena/planner/plan"
)

// kindWords mean what tells the rows apart where no column has the name.
var kindWords = plan.WordSet("type kind category sort class")

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

// believable reports whether a hit is what the words mean, rather than an accident of a long text.
func (r *reader) believable(i, j int, h plan.Hit) bool {
	t := r.toks[i]
	if t.kind == quoteToken {
		return true
	}
	capital := t.text[0] >= 'A' && t.text[0] <= 'Z' && i > 0 && !r.sentenceStart(i)
	one := j-i == 1
	if one && t.code && (h.Match == plan.Exact || h.Match == plan.Synonym) {
		return true
	}
	if one && r.v.info.Live && r.v.rows(r.tokenAt(j).lemma) {
		return true
	}
	common := askWords[t.lemma] || benignWords[t.low] || sexWords[t.low] && h.Match != plan.Exact || stopWords[t.low] || periodWords[t.low] != ""
	switch h.Match {
	case plan.Exact, plan.Synonym:
		_, degree, isDegree := degreeOf(t.low)
		if one && (r.besideColumn(i, h.Column) || r.level(i, h.Column)) {
			return true
		}
		if one && len(t.text) == 1 && r.letter(i, j) {
			return true
		}
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

// besideColumn reports whether the column that holds a value is named right before or behind it: "high priority".
func (r *reader) besideColumn(i int, column string) bool {
	c := r.v.column(column)
	if c < 0 {
		return false
	}
	for _, k := range []int{i - 1, i + 1} {
		if t := r.tokenAt(k); t.kind == wordToken && t.content() && r.v.cols[c].match([]token{t}) >= 0.95 {
			return true
		}
	}
	return false
}

// levels are adjectives that are also the values of priorities, sizes and the like.
var levels = plan.WordSet("high low large small big little good bad great tiny huge")

// level reports whether an adjective is a value of a column of few: "high tickets", but not "high revenue", nor "how high".
func (r *reader) level(i int, column string) bool {
	c := r.v.column(column)
	const few = 20
	if c < 0 || !levels[r.low(i)] || r.low(i-1) == "how" || r.low(i+1) == "than" || r.v.cols[c].info.Distinct > few || r.v.cols[c].info.Distinct*2 > max(r.v.info.Rows, 9) {
		return false
	}
	next := r.tokenAt(i + 1)
	return !next.content() || !slices.ContainsFunc(r.v.cols, func(c viewColumn) bool { return c.numeric && c.match([]token{next}) >= 0.5 })
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
		r.liveCondition(m)
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

// letter reports whether the token i is a single letter that names something rather than an article or the rest of a contraction: "A
// and B", "region S", "for S", and what a message ends with.
func (r *reader) letter(i, j int) bool {
	t := r.toks[i]
	if j != i+1 || len(t.text) != 1 || t.kind != wordToken || i > 0 && contracted[r.toks[i-1].text] && r.toks[i-1].end == t.start {
		return false
	}
	last := j == len(r.toks) || r.toks[j].kind == markToken
	ends := last || listed[r.low(j)] || groupWords[r.low(j)] || valuePrepositions[r.low(j)]
	named := i > 0 && (valuePrepositions[r.low(i-1)] || listed[r.low(i-1)] || r.columnWord(i-1))
	switch upper := t.text[0] >= 'A' && t.text[0] <= 'Z'; {
	case upper && t.low != "a" && t.low != "i":
		return true
	case upper && t.low == "a":
		return listed[r.low(j)] || i > 0 && (listed[r.low(i-1)] || last || named && ends || !r.toks[j].content() && r.toks[j].kind == wordToken)
	case upper && i > 0:
		return listed[r.low(j)] || listed[r.low(i-1)] || named && ends
	}
	return named && ends
}

// namesLetter reports whether the single letter at i is a value of the table.
func (r *reader) namesLetter(i int) bool {
	return r.letter(i, i+1) && slices.ContainsFunc(r.find(strings.ToUpper(r.toks[i].text)), func(h plan.Hit) bool { return h.Match == plan.Exact && r.v.holds(h) })
}

// columnWord reports whether a token is all of the name of a column.
func (r *reader) columnWord(i int) bool {
	t := r.toks[i]
	return t.content() && slices.ContainsFunc(r.v.cols, func(c viewColumn) bool { return len(c.names[0]) == 1 && c.match([]token{t}) >= 0.95 })
}

var (
	// contracted are the marks before the rest of a contraction.
	contracted = plan.WordSet("' ’")
	// valuePrepositions stand before and behind values.
	valuePrepositions = plan.WordSet("for of in from at with on during")
)

var listed = plan.WordSet("and or vs versus , &")
