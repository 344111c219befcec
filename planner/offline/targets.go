package offline

import (
	"slices"
	"strings"

	"catena/planner/plan"
)

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
	fillers = plan.WordSet("number different distinct unique individual single various respective given major main calendar people other kind type column value level")
	joining = plan.WordSet("in on at for from with and or to than which that who have has had")
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
					a.target, m.used, a.plural = m.col, true, r.toks[m.j-1].low != r.toks[m.j-1].lemma
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
			if people := r.v.people(); t.low == "who" && len(people) > 0 && r.v.label >= 0 {
				a.target, a.shown = r.v.label, append(a.shown, people...)
				return
			}
		}
	}
	first := slices.IndexFunc(r.toks, func(t token) bool { return (t.content() || t.kind == numberToken) && !leading[t.low] })
	if first >= 0 && r.toks[first].kind == numberToken {
		first++
	}
	if _, degree, ok := degreeOf(r.low(first + 1)); ok && degree == 2 && r.ordinal(first) > 1 {
		first++
	}
	for first >= 0 && first < len(r.toks) {
		_, degree, ok := degreeOf(r.low(first))
		if w := r.low(first - 1); !ok || degree < 2 && w != "most" && w != "least" {
			break
		}
		first++
		if first < len(r.toks) && r.toks[first].kind == numberToken {
			first++
		}
	}
	if first > 0 && groupWords[r.low(first-1)] {
		return
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

// people are the columns that say who has to do with a row, where none of them names the row: the two of a relationship.
func (v *view) people() (out []int) {
	for i, c := range v.cols {
		word := ""
		if words := plan.NameWords(c.info.Name); len(words) > 0 {
			word = strings.TrimRight(words[0], "0123456789")
		}
		if c.info.Type == "text" && c.info.Role != "identifier" && personWords[word] && i != v.label {
			out = append(out, i)
		}
	}
	return out
}

// personWords begin the names of columns that hold people.
var personWords = plan.WordSet("persona person sender recipient participant speaker member")

// leading words come before the noun that a question begins with.
var leading = plan.WordSet("show give list display tell find get fetch name print see need want all every top bottom rank me us the distinct different unique first last")

// setTarget takes what stands at i for what is asked, if that is a dimension, a time, or what the rows are called.
func (r *reader) setTarget(a *ask, i int) bool {
	for n := 0; n < 2 && (r.low(i) == "the" || r.low(i) == "calendar" || r.low(i) == "different" || r.low(i) == "distinct" || r.tokenAt(i).kind == numberToken); n++ {
		i++
	}
	if i >= len(r.toks) {
		return false
	}
	t := r.toks[i]
	if slices.ContainsFunc(r.dates, func(d dateRef) bool { return d.i <= i && i < d.j }) {
		return false // "this month's revenue"
	}
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
var relative = plan.WordSet("with where that having whose which")

// tokenAt is the token at i, the zero token outside of the message.
func (r *reader) tokenAt(i int) token {
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
