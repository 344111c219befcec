package link

import (
	"cmp"
	"slices"
	"strings"

	"catena/internal/text"
	"catena/planner/retrieval"
)

// Bounds and scores of names.
const (
	maxNameTokens = 6
	leastShare    = 0.25 // of a name's words that must be there
	slipLetters   = 5    // a word must have for a slip to be forgiven
	slipScore     = 0.75
	nearScore     = 0.6 // of a word that means nearly the same
	conceptScore  = 0.7 // of a word that stands for another
	orderScore    = 0.95
)

// names finds tables and columns by their names and parts of them, and columns by their units.
func (l *linker) names() {
	for i, t := range l.toks {
		if t.kind == wordToken || t.kind == quotedToken {
			l.namesAt(i)
		}
	}
	l.unitFields()
	l.measuredFields()
	l.shownUnits()
}

// wordKeys are the words of a token as names are looked up by them.
func (l *linker) wordKeys(i int) []keyed {
	t := l.toks[i]
	if len(t.parts) > 0 {
		out := make([]keyed, 0, len(t.parts))
		for _, p := range t.parts {
			key := Key(p)
			out = append(out, keyed{fold: p, key: key, concepts: l.conceptsOf(key)})
		}
		return out
	}
	k := keyed{fold: t.fold, key: l.keys[i]}
	if !l.counts(i) { // how many is no number that things have
		k.concepts = l.conceptsOf(k.key)
	}
	if own := l.conceptsOf(inForm + k.fold); len(own) > 0 {
		k.concepts = own
	}
	if len(l.hits[i]) == 0 && !(i > 0 && capital(t)) {
		k.near = l.index.near[retrieval.Stem(k.fold)]
	}
	return []keyed{k}
}

// counts reports whether a word asks how many there are. One behind the name of a thing may be what that is known by: a
// visit number.
func (l *linker) counts(i int) bool {
	h, ok := l.datum(i, catCount)
	named := i > 0 && l.toks[i-1].kind == wordToken && !l.function(i-1)
	return ok && (h.to > i+1 || !named)
}

// keyed is a word of a message, or a phrase that is a concept, as names are compared with it.
type keyed struct {
	fold, key string
	concepts  []string
	near      []string // the keys of names' words that mean nearly the same
}

// maxConcept is how many words a phrase has that is a concept: running time.
const maxConcept = 3

// reading are the ways to take a token as words of a name: those of the phrases that begin with it, the longest first,
// and its own.
func (l *linker) reading(i int) []stretch {
	if l.said[i] != nil {
		return l.said[i]
	}
	var out []stretch
	for to := min(i+maxConcept, len(l.toks)); to > i+1; to-- {
		key := strings.Join(l.keys[i:to], " ")
		if list := l.conceptsOf(key); len(list) > 0 {
			out = append(out, stretch{to: to, words: []keyed{{fold: key, key: key, concepts: list}}})
		}
	}
	out = append(out, l.together(i)...)
	out = append(out, stretch{to: i + 1, words: l.wordKeys(i)})
	l.said[i] = out
	return out
}

// together are a token and the next one, or the parts of a hyphenated token, as a word of a name that writes them
// together: signed up, of a column signup_date; an e-mail, of a column email.
func (l *linker) together(i int) []stretch {
	joined, to := strings.ReplaceAll(l.toks[i].fold, "-", ""), i+1
	if joined == l.toks[i].fold {
		if i+1 >= len(l.toks) || l.toks[i].kind != wordToken || l.toks[i+1].kind != wordToken {
			return nil
		}
		joined, to = l.keys[i]+l.toks[i+1].fold, i+2
	}
	key := Key(joined)
	if len(l.index.byKey[key]) == 0 {
		return nil
	}
	return []stretch{{to: to, words: []keyed{{fold: joined, key: key}}}}
}

// stretch is tokens up to one, as words of a name.
type stretch struct {
	to    int
	words []keyed
}

// candidate is a name that some tokens meet.
type candidate struct {
	name  int
	found []bool
	sum   float64 // of the weights of the words that were met, times how well
	met   float64 // of their weights alone
	how   string  // the worst way a word was met
	last  int     // the word that was met last
	order bool
}

// namesAt adds the names that begin at a token.
func (l *linker) namesAt(i int) {
	small := l.function(i) && !l.named(i)
	best, whole := map[any]Span{}, map[any]Span{}
	for _, id := range l.begun(i) {
		sp, ok := l.longest(i, id)
		if !ok || small && !sp.spelt() {
			continue
		}
		ref := l.index.names[id].ref
		if sp.To == i+1 && sp.How == HowName && sp.Score > whole[ref].Score {
			whole[ref] = sp
		}
		if old, seen := best[ref]; !seen || sp.To > old.To || sp.To == old.To && sp.Score > old.Score {
			best[ref] = sp
		}
	}
	list := make([]Span, 0, len(best))
	for ref, sp := range best {
		list = append(list, sp)
		if one, ok := whole[ref]; ok && sp.To > one.To { // the next word may be another thing: priority tickets
			list = append(list, one)
		}
	}
	slices.SortFunc(list, func(a, b Span) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), compareRefs(a.Meaning, b.Meaning), cmp.Compare(a.To, b.To))
	})
	l.out = append(l.out, list...)
}

// nearlyWhole is how well a name fits of which all words but one stand there, and that one in its long form.
const nearlyWhole = 0.8

// spelt reports whether a span is a name of several words that stand there one after the other: the minimum stock, of a
// column called so.
func (s *Span) spelt() bool {
	literal := s.How == HowName || s.How == HowSynonym && s.Score >= nearlyWhole
	return literal && s.Links == 0 && s.To > s.From+1
}

// named reports whether a small word is a whole name, or the last word of one, or stands for a whole one.
func (l *linker) named(i int) bool {
	if _, is := l.is(i, CatBe, "do", "have"); is && l.toks[i].kind == wordToken {
		return false // who did something has no did, whatever a column is called
	}
	for _, c := range l.conceptsOf(l.keys[i]) {
		if slices.ContainsFunc(
			l.index.byKey[conceptKey+c],
			func(p place) bool { return len(l.index.names[p.name].words) == 1 },
		) {
			return true
		}
	}
	for _, p := range l.index.byKey[l.keys[i]] {
		n, fold := l.index.names[p.name], l.toks[i].fold
		if len(n.words) == 1 && n.words[0].fold == fold {
			return true
		}
		if i > 0 && n.words[p.word].fold == fold && l.shows(i) {
			return true
		}
	}
	return false
}

// shows reports whether a token is a word that asks to show something, which may be a noun as well: output, report.
func (l *linker) shows(i int) bool {
	_, ok := l.is(i, catShow)
	return ok
}

func compareRefs(a, b any) int {
	at, af := refOrder(a)
	bt, bf := refOrder(b)
	return cmp.Or(cmp.Compare(at, bt), cmp.Compare(af, bf))
}

func refOrder(m any) (table, field int) {
	switch r := m.(type) {
	case EntityRef:
		return r.Table, -1
	case FieldRef:
		return r.Table, r.Field
	}
	return -1, -1
}

// begun are the names that have a token's word, or a word of its concepts, or one a slip away.
func (l *linker) begun(i int) []int {
	var out []int
	add := func(key string) {
		for _, p := range l.index.byKey[key] {
			out = append(out, p.name)
		}
	}
	for _, st := range l.reading(i) {
		for _, k := range st.words {
			add(k.key)
			for _, c := range k.concepts {
				add(conceptKey + c)
			}
		}
	}
	if len(out) == 0 {
		for _, k := range l.wordKeys(i) {
			for _, key := range k.near {
				add(key)
			}
		}
	}
	if len(out) == 0 {
		for _, w := range l.index.slipsOf(l.toks[i].fold) {
			add(Key(w))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (l *linker) conceptsOf(key string) []string {
	var out []string
	for _, lex := range l.spoken {
		out = append(out, lex.concepts[key]...)
	}
	return out
}

// slipsOf are the words of names that one slip of the keyboard makes of a word.
func (x *nameIndex) slipsOf(fold string) []string {
	if len(fold) < slipLetters {
		return nil
	}
	var out []string
	for n := len(fold) - 1; n <= len(fold)+1; n++ {
		for _, w := range x.slips[slip{fold[0], n}] {
			if w != fold && text.Distance(w, fold, 1) == 1 {
				out = append(out, w)
			}
		}
	}
	return out
}

// longest meets a name with as many tokens as it can from the first on, over small words between them.
func (l *linker) longest(i, id int) (Span, bool) {
	n := &l.index.names[id]
	c := candidate{name: id, found: make([]bool, len(n.words)), how: n.how, last: -1, order: true}
	end, links, within := i, 0, 0
	for j := i; j < min(i+maxNameTokens, len(l.toks)); {
		if to := l.meetAt(&c, j); to > j {
			j, end, within = to, to, links
			continue
		}
		if _, link := l.is(j, catLink); !link {
			break
		}
		j++
		links++
	}
	share := c.sum / n.weight
	if end == i || share < leastShare || !slices.Contains(c.found[min(n.noun, len(c.found)):], true) {
		return Span{}, false
	}
	if l.othersWord(&c, i, end, within) {
		return Span{}, false
	}
	if !c.order {
		if within == 0 && c.how == HowStem && c.ownLast(n) {
			return Span{}, false
		}
		share *= orderScore
	}
	return Span{
		From:     i,
		To:       end,
		Category: n.cat,
		Score:    share * n.score,
		How:      c.how,
		Meaning:  n.ref,
		Links:    within,
	}, true
}

// othersWord reports whether the tokens of a name mean something else: its table, or how many rows that has. The number
// of houses is no house number.
func (l *linker) othersWord(c *candidate, i, end, within int) bool {
	n := &l.index.names[c.name]
	_, counts := l.is(i, catCount)
	if counts && within > 0 && n.othersOwn(c.found) {
		return true
	}
	if c.met >= n.weight-1e-9 {
		return false
	}
	c.how = worseHow(c.how, HowPart)
	return n.ownsTooMuch(c.found) || counts && end == i+1
}

// ownLast reports whether the word that was met last is one of its table: of a populated state, the population is not
// meant but the state.
func (c *candidate) ownLast(n *name) bool { return c.last >= 0 && n.words[c.last].own }

// ownsTooMuch reports whether the words of a name that were found are its table's own alone, or some of them are while
// others that are not its table's are missing: the films released, of a release date, are the films.
func (n *name) ownsTooMuch(found []bool) bool {
	own, other, lacks := false, false, false
	for i, f := range found {
		own = own || f && n.words[i].own
		other = other || f && !n.words[i].own
		lacks = lacks || !f && !n.words[i].own
	}
	return !other || own && lacks
}

// othersOwn reports whether all words of a name that were found but one are its table's own.
func (n *name) othersOwn(found []bool) bool {
	own, other := 0, 0
	for i, f := range found {
		switch {
		case f && n.words[i].own:
			own++
		case f:
			other++
		}
	}
	return own > 0 && other == 1
}

// meetAt takes a token, or the phrase that begins with it, as words of a name, and says where that ends: j where it
// fits none.
func (l *linker) meetAt(c *candidate, j int) int {
	for _, st := range l.reading(j) {
		if l.meet(c, st.words) {
			return st.to
		}
	}
	return j
}

// meet takes words as words of a name; all of them must be.
func (l *linker) meet(c *candidate, words []keyed) bool {
	n := &l.index.names[c.name]
	before := *c
	marked := make([]int, 0, 4)
	for _, k := range words {
		at, score, how := meetWord(n, c.found, k)
		if at < 0 {
			for _, m := range marked {
				c.found[m] = false
			}
			*c = before
			return false
		}
		c.found[at] = true
		marked = append(marked, at)
		w := n.words[at].weight
		c.met += w
		c.sum += w * score
		c.how = worseHow(c.how, how)
		c.order = c.order && at == c.last+1
		c.last = at
	}
	return len(marked) > 0
}

// meetWord finds the word of a name that a word is: the same, one of its forms, of its meaning, or a slip away.
func meetWord(n *name, found []bool, k keyed) (at int, score float64, how string) {
	at = -1
	for i, w := range n.words {
		if found[i] {
			continue
		}
		s, h := 0.0, ""
		switch {
		case w.fold == k.fold:
			s, h = 1, HowName
		case text.Singular(w.fold) == text.Singular(k.fold):
			s, h = 0.99, HowName
		case w.key == k.key && !apart(w.fold, k.fold):
			s, h = 0.9, HowStem
		case shares(k.concepts, w.concepts):
			s, h = conceptScore, HowSynonym
		case slipped(w.fold, k.fold):
			s, h = slipScore, HowFuzzy
		case slices.Contains(k.near, w.key):
			s, h = nearScore, HowNear
		}
		if s > score {
			at, score, how = i, s, h
		}
	}
	return at, score, how
}

// apart reports whether two words of one stem name somebody and what somebody does: an applicant is no application.
func apart(a, b string) bool {
	v, err := lexicons()
	if err != nil {
		return false
	}
	first, second := v.ending(text.Singular(a)), v.ending(text.Singular(b))
	return first != "" && second != "" && first != second
}

// ending is what the longest ending of a word says that it names; "" where it says nothing.
func (v *vocabulary) ending(word string) string {
	for at := leastStem; at < len(word); at++ {
		for _, l := range v.languages {
			if sense, ok := l.endings[word[at:]]; ok {
				return sense
			}
		}
	}
	return ""
}

// leastStem is how many bytes a word has before an ending that says something.
const leastStem = 3

func shares(a, b []string) bool {
	return slices.ContainsFunc(a, func(x string) bool { return slices.Contains(b, x) })
}

func slipped(a, b string) bool {
	return min(len(a), len(b)) >= slipLetters && a[0] == b[0] && text.Distance(a, b, 1) == 1
}

// worseHow is the less sure of two ways of finding.
func worseHow(a, b string) string {
	order := []string{HowName, HowStem, HowSynonym, HowPart, HowFuzzy, HowNear}
	return order[max(slices.Index(order, a), slices.Index(order, b), 0)]
}
