package offline

import (
	"slices"
	"strings"

	"catena/planner/plan"
)

// nounColumn gives the first column whose name has one of the words; -1 without one. loose takes any word of the name.
func (l *listing) nounColumn(nouns map[string]bool, loose bool) int {
	for c := range l.v.cols {
		words := l.v.cols[c].names[0]
		if len(words) > 0 && (nouns[words[len(words)-1].lemma] || nouns[words[0].lemma] && len(words) <= 2) {
			return c
		}
	}
	for c := range l.v.cols {
		if loose && slices.ContainsFunc(l.v.cols[c].names[0], func(w nameWord) bool { return nouns[w.lemma] }) {
			return c
		}
	}
	return -1
}

// query is the query of the rows that meet the conditions; rows of totals are left out unless they are named.
func (l *listing) query() plan.Query {
	q := plan.Query{Table: l.v.info.Name, Derive: l.made}
	for _, t := range l.v.info.Totals {
		c := l.v.column(t.Column)
		if c < 0 || slices.ContainsFunc(l.conds, func(f rowCond) bool { return f.col == c && !f.date }) {
			continue
		}
		q.Filter = append(q.Filter, t.Without())
	}
	for _, f := range l.conds {
		q.Filter = append(q.Filter, f.cond)
	}
	return q
}

// selected shows columns, each once.
func (l *listing) selected(q *plan.Query, cols ...int) {
	for _, c := range cols {
		if c >= 0 && !slices.ContainsFunc(q.Select, func(s plan.Select) bool { return s.Column == l.name(c) }) {
			q.Select = append(q.Select, plan.Select{Column: l.name(c)})
		}
	}
}

// target finds the column that is asked for: behind which or what, by who, when or where, behind "name of"; else the first one
// that is named, else what names the rows. named says that a word of the question names it.
func (l *listing) target() (col int, named bool) {
	for i := range l.toks {
		switch w := l.low(i); w {
		case "which", "what", "whose":
			if k := l.columnFrom(i+1, 4); k >= 0 && !l.broken(i+1, l.spots[k].i) {
				return l.take(k), true
			}
			if t := l.r.tokenAt(i + 1); t.kind == wordToken && t.content() && l.spotAt(i+1) < 0 && !cueWords[t.low] && !verbForms[t.low] && !listingCopula[t.low] {
				l.use(i+1, i+2) // what the rows are, in a word that the table does not have
				l.rows = l.v.rows(t.lemma) || rowWords[t.lemma]
				return l.v.label, true
			}
		case "who", "whom":
			if k := l.columnFrom(i+1, 4); k >= 0 && l.v.cols[l.spots[k].col].info.Type == "text" && !l.broken(i+1, l.spots[k].i) && (l.low(i+1) == "is" || l.low(i+1) == "was" || l.low(i+1) == "were" || l.low(i+1) == "are") {
				return l.take(k), true
			}
			if c := l.who(); c >= 0 {
				return c, true
			}
		case "when":
			if c := l.timeColumn(); c >= 0 {
				return c, true
			}
		case "where":
			if c := l.nounColumn(placeNouns, true); c >= 0 {
				return c, true
			}
		}
	}
	for k := range l.spots {
		if s := l.spots[k]; !s.value && !s.taken && s.score >= 0.6 && l.v.cols[s.col].info.Type != "boolean" {
			return l.take(k), true
		}
	}
	return l.v.label, false
}

// broken reports whether a verb or preposition stands between which and a column's name: it then is not what is asked for.
func (l *listing) broken(i, j int) bool {
	for ; i < j; i++ {
		if w := l.low(i); breaking[w] {
			return true
		}
	}
	return false
}

// listingCopula are words behind what that are no noun.
var listingCopula = plan.WordSet("is was are were did does do has have had about happened")

var breaking = plan.WordSet("in on at with has have had did do does by for from than that who won scored")

func (l *listing) take(k int) int {
	s := &l.spots[k]
	s.taken = true
	l.use(s.i, s.j)
	return s.col
}

// who gives the column of people: one that the message names, else one that such a noun names.
func (l *listing) who() int {
	for k := range l.spots {
		s := l.spots[k]
		if words := l.v.cols[s.col].names[0]; !s.value && !s.taken && l.v.cols[s.col].info.Type == "text" && len(words) > 0 && personNouns[words[len(words)-1].lemma] {
			return l.take(k)
		}
	}
	for c := range l.v.cols {
		if words := l.v.cols[c].names[0]; l.v.cols[c].info.Type == "text" && slices.ContainsFunc(words, func(w nameWord) bool { return personNouns[w.lemma] }) {
			return c
		}
	}
	return l.v.label
}

func (l *listing) timeColumn() int {
	if l.v.time >= 0 {
		return l.v.time
	}
	return l.nounColumn(timeNouns, true)
}

// ask reports whether the message begins, after words such as "in total", with one of the words.
func (l *listing) begins(words map[string]bool) bool {
	for i := range l.toks {
		if t := l.toks[i]; t.kind == wordToken {
			return words[t.low]
		}
	}
	return false
}

// phraseAt gives where the words stand together, -1 when they do not.
func (l *listing) phraseAt(text string) int {
	words := strings.Fields(text)
	for i := range l.toks {
		if l.r.says(i, words...) {
			return i
		}
	}
	return -1
}
