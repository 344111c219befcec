package offline

import (
	"slices"
	"strings"

	"catena/planner/plan"
)

// nameWord is a word of a column's name.
type nameWord struct {
	lemma    string
	stem     string
	concepts []string
	weight   float64 // how much the word says: units say little
	quality  string  // what a word of a quality is made of: neurotic of neuroticism; ""
	long     string  // of an abbreviation, "" for other words
}

// lightWords in a column's name matter less than the others.
var lightWords = map[string]float64{
	"of": 0.05, "the": 0.05, "in": 0.05, "per": 0.2, "and": 0.1, "total": 0.4, "value": 0.4, "number": 0.4, "amount": 0.5, "name": 0.5, "rate": 0.5, "count": 0.7, "major": 0.4, "minute": 0.3, "net": 0.4,
	"main": 0.4, "date": 0.7, "column": 0.2, "field": 0.2, "id": 0.6, "code": 0.6, "usd": 0.2, "eur": 0.2, "mm": 0.1, "cm": 0.1, "kg": 0.1, "lb": 0.1, "lbs": 0.1, "g": 0.1, "km": 0.1, "percent": 0.3, "realized": 0.5, "real": 0.5,
}

func nameWords(s string) []nameWord {
	var out []nameWord
	for _, w := range plan.NameWords(s) {
		lemma := plan.Singular(w)
		weight, ok := lightWords[lemma]
		if !ok {
			weight = 1
		}
		if _, isUnit := units[lemma]; isUnit && weight > 0.3 && len(out) > 0 && lemma != "min" {
			weight = 0.3
		}
		concept := concepts[lemma]
		if long, ok := abbreviations[lemma]; ok {
			concept = append(append([]string{}, concept...), concepts[long]...)
		}
		out = append(out, nameWord{lemma: lemma, stem: stem(w), concepts: concept, weight: weight, quality: qualityOf(lemma), long: abbreviations[lemma]})
	}
	return out
}

func sameWords(a, b []nameWord) bool {
	return slices.EqualFunc(a, b, func(x, y nameWord) bool { return x.lemma == y.lemma })
}

// stem cuts the endings by which a verb, its noun and its doer differ: directed, director and direction are direct.
func stem(w string) string {
	w = plan.Singular(w)
	for _, end := range []string{"ations", "ation", "ating", "ated", "ates", "ator", "ate", "ition", "ions", "ion", "ings", "ing", "ment", "ors", "or", "ers", "er", "ed", "ly", "al", "ive", "y", "e"} {
		if s, ok := strings.CutSuffix(w, end); ok && len(s) >= 4 {
			if n := len(s); s[n-1] == s[n-2] && end != "e" && end != "y" {
				s = s[:n-1]
			}
			return s
		}
	}
	return w
}

// meets says how well a word of the question meets a word of a column's name: 0 to 1.
func (w *nameWord) meets(t *token) float64 {
	switch {
	case w.lemma == t.lemma || w.lemma == t.low:
		return 1
	case w.long != "" && w.long == t.lemma || t.long != "" && t.lemma != "" && t.long == w.lemma:
		return 0.95
	case len(t.lemma) >= 4 && w.stem == t.stem:
		return 0.85
	}
	for _, id := range w.concepts {
		if slices.Contains(t.ids, id) {
			return 0.75
		}
	}
	if w.shortens(t.lemma) || w.quality != "" && t.begins(w.quality) {
		return 0.75
	}
	for _, id := range t.speaks {
		if slices.Contains(w.concepts, id) {
			return 0.7
		}
	}
	if t.spelled != "" {
		for _, id := range w.concepts {
			if slices.Contains(concepts[t.spelled], id) {
				return 0.7
			}
		}
	}
	if len(t.lemma) >= 5 && w.lemma != "" && t.lemma[0] == w.lemma[0] && plan.Near(t.lemma, w.lemma) {
		return 0.7
	}
	return 0
}

// shortens reports whether a column's word is a short form of a word of the question: its first four letters and more, as
// infl for inflation, where at least three are left out. Words that mean something of their own are none.
func (w *nameWord) shortens(lemma string) bool {
	return len(w.lemma) >= 4 && len(lemma) >= len(w.lemma)+3 && strings.HasPrefix(lemma, w.lemma) &&
		len(concepts[w.lemma]) == 0 && !benignWords[w.lemma] && !askWords[w.lemma] && !verbForms[w.lemma]
}

// qualityOf gives what a word of a quality is made of, "" for other words.
func qualityOf(lemma string) string {
	if root, ok := strings.CutSuffix(lemma, "ism"); ok {
		return root
	}
	root, ok := strings.CutSuffix(lemma, "ness")
	if !ok {
		return ""
	}
	return root
}

// begins reports whether a word of the question says a quality: neurotic and neurotics neuroticism.
func (t *token) begins(quality string) bool {
	n := len(t.lemma)
	return n >= 6 && (quality == t.lemma || quality == t.lemma[:n-1])
}

// match says how well the words meet the column's name, 0 to 1; every word must meet one of the name's.
func (c *viewColumn) match(words []token) float64 { return c.matchAs(words, joinedLows(words)) }

// matchAs is match, for who has the words in one already.
func (c *viewColumn) matchAs(words []token, joined string) float64 {
	best := 0.0
	if len(words) > 1 {
		if joined == c.joined {
			return 1
		}
		if len(joined) >= 7 && plan.Near(joined, c.joined) && !slices.ContainsFunc(words, func(t token) bool { return t.code || len(t.low) < 3 }) { // "revenue for B" is no slip of revenue
			return 0.85
		}
	}
	for _, name := range c.names {
		if s := matchName(name, words); s > best {
			best = s
		}
	}
	return best
}

// joinedLows are the words in one, as a name may be written; "" for a word alone, which is matched as it is.
func joinedLows(words []token) string {
	if len(words) < 2 {
		return ""
	}
	joined := ""
	for _, t := range words {
		joined += t.low
	}
	return joined
}

func matchName(name []nameWord, words []token) float64 {
	if len(words) == 1 && len(name) > 1 && len(words[0].low) == len(name) && len(name) >= 2 { // initials: mpg
		initials := true
		for i, w := range name {
			initials = initials && w.lemma[0] == words[0].low[i]
		}
		if initials {
			return 0.9
		}
	}
	var few [8]bool // names have few words: nothing is allocated for them
	used := few[:]
	if len(name) > len(few) {
		used = make([]bool, len(name))
	}
	var quality, covered, whole float64
	for n := range words {
		t := &words[n]
		at, best := -1, 0.0
		for i := range name {
			if s := name[i].meets(t); !used[i] && s > best {
				at, best = i, s
			}
		}
		if at < 0 { // a second word for the same: "origin airport"
			for i := range name {
				if s := name[i].meets(t); used[i] && s >= 0.7 {
					best = 0.6
				}
			}
			if best == 0 && genericNouns[t.lemma] && n > 0 {
				best = 0.5
			}
			if best == 0 {
				return 0
			}
			quality += best
			continue
		}
		used[at] = true
		quality += best
		covered += name[at].weight
	}
	for i := range name {
		whole += name[i].weight
	}
	return quality / float64(len(words)) * (0.55 + 0.45*min(1, covered/max(whole, 0.1)))
}

// genericNouns may follow a column's name without being part of it: "the iata code", "the fertility rate".
var genericNouns = plan.WordSet("code value level rate figure name id index data score size speed")

// hasConcept reports whether a word of the column's name belongs to one of the concepts.
func (c *viewColumn) hasConcept(ids ...string) bool {
	for _, name := range c.names {
		for _, w := range name {
			for _, id := range w.concepts {
				if slices.Contains(ids, id) {
					return true
				}
			}
		}
	}
	return false
}

// numberedName finds the column whose whole name, with a number in it, the tokens are: 2024 Q1.
func (r *reader) numberedName(i, j int) (mention, bool) {
	if j-i < 2 || r.anyUsed(i, j) || !slices.ContainsFunc(r.toks[i:j], func(t token) bool { return t.kind == numberToken }) {
		return mention{}, false
	}
	joined := ""
	for _, t := range r.toks[i:j] {
		joined += t.low
	}
	c := slices.IndexFunc(r.v.cols, func(c viewColumn) bool { return c.joined == joined })
	return mention{i: i, j: j, col: c, score: 1, asCol: -1}, c >= 0
}

// partOfName reports whether a date stands within the words of a column's name: 2024 Q1, Sales 2023.
func (r *reader) partOfName(d dateRef) bool {
	const around = 3
	for i := max(0, d.i-around); i <= d.i; i++ {
		for j := d.j; j <= min(len(r.toks), d.j+around); j++ {
			if j-i < 2 {
				continue
			}
			joined := ""
			for _, t := range r.toks[i:j] {
				joined += t.low
			}
			if slices.ContainsFunc(r.v.cols, func(c viewColumn) bool { return c.numeric && !c.time && c.joined == joined }) {
				return true
			}
		}
	}
	return false
}

// namesColumn reports whether what was read as a date is the name of a column of numbers: a table with a column for each month.
func (r *reader) namesColumn(d dateRef) bool {
	if r.partOfName(d) {
		return true
	}
	for i := d.i; i < d.j; i++ {
		t := r.toks[i]
		if t.kind == wordToken && (monthNames[t.low] > 0 || d.j-d.i <= 2 && yearless(d.from)) && slices.ContainsFunc(r.v.cols, func(c viewColumn) bool { return c.numeric && !c.time && c.joined == t.low }) {
			return true
		}
	}
	return false
}

// columnSet is a set of a table's columns, a bit each.
type columnSet []uint64

func (s columnSet) add(c int) { s[c/64] |= 1 << (c % 64) }

// all yields the columns in their order.
func (s columnSet) all(yield func(c int) bool) {
	for i, bits := range s {
		for c := i * 64; bits != 0; c, bits = c+1, bits>>1 {
			if bits&1 != 0 && !yield(c) {
				return
			}
		}
	}
}

// columnIndex says which columns words could name, so that the names of most columns are compared once with each word
// rather than with each stretch of words.
type columnIndex struct {
	v       *view
	naming  map[columnWord]columnSet // by word, once it was asked for
	sized   map[int]columnSet        // by the length of the name in one
	scratch columnSet                // what candidates gives
}

// columnWord is what of a token decides which columns it could name.
type columnWord struct{ low, lemma, spelled string }

func newColumnIndex(v *view) *columnIndex {
	x := &columnIndex{v: v, naming: map[columnWord]columnSet{}, sized: map[int]columnSet{}}
	for c := range v.cols {
		size := len(v.cols[c].joined)
		if x.sized[size] == nil {
			x.sized[size] = x.none()
		}
		x.sized[size].add(c)
	}
	return x
}

func (x *columnIndex) none() columnSet { return make(columnSet, (len(x.v.cols)+63)/64) }

// candidates are the columns that the words could name at all: each word could name the column, or together they are
// about as long as its name written in one. The set holds until the next call.
func (x *columnIndex) candidates(words []token) columnSet {
	set := append(x.scratch[:0], x.named(words[0])...)
	x.scratch = set
	size := len(words[0].low)
	for _, t := range words[1:] {
		for i, bits := range x.named(t) {
			set[i] &= bits
		}
		size += len(t.low)
	}
	if len(words) == 1 {
		return set
	}
	if aggregateNouns[words[0].lemma] { // "total num" is the total of num
		for c := range set.all {
			if !x.v.cols[c].says(&words[0]) {
				set[c/64] &^= 1 << (c % 64)
			}
		}
	}
	for n := size - 1; n <= size+1; n++ {
		for i, bits := range x.sized[n] {
			set[i] |= bits
		}
	}
	return set
}

// named are the columns that a word meets, and all for a noun that may follow any name and is no column's whole name.
func (x *columnIndex) named(t token) columnSet {
	key := columnWord{t.low, t.lemma, t.spelled}
	set, known := x.naming[key]
	if known {
		return set
	}
	set = x.none()
	follows := genericNouns[t.lemma] && !slices.ContainsFunc(x.v.cols, func(c viewColumn) bool {
		return len(c.names[0]) == 1 && c.names[0][0].lemma == t.lemma
	})
	for c := range x.v.cols {
		if follows || x.v.cols[c].match([]token{t}) > 0 {
			set.add(c)
		}
	}
	x.naming[key] = set
	return set
}

// says reports whether a word is one of the column's names, or of its stem.
func (c *viewColumn) says(t *token) bool {
	return slices.ContainsFunc(c.names, func(name []nameWord) bool {
		return slices.ContainsFunc(name, func(w nameWord) bool { return w.meets(t) >= 0.85 })
	})
}
