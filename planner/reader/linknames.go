package reader

import (
	"cmp"
	"slices"
	"strings"

	"catena/internal/text"
	"catena/query/semantic"
)

// Bounds and scores of names.
const (
	maxNameTokens = 6
	leastShare    = 0.25 // of a name's words that must be there
	slipLetters   = 5    // a word must have for a slip to be forgiven
	slipScore     = 0.75
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
}

// wordKeys are the words of a token as names are looked up by them.
func (l *linker) wordKeys(i int) []keyed {
	t := l.toks[i]
	if len(t.parts) > 0 {
		out := make([]keyed, 0, len(t.parts))
		for _, p := range t.parts {
			key := keyOf(p)
			out = append(out, keyed{fold: p, key: key, concepts: l.conceptsOf(key)})
		}
		return out
	}
	k := keyed{fold: t.fold, key: l.keys[i]}
	if _, counts := l.is(i, catCount); !counts { // how many is no number that things have
		k.concepts = l.conceptsOf(k.key)
	}
	if own := l.conceptsOf(inForm + k.fold); len(own) > 0 {
		k.concepts = own
	}
	return []keyed{k}
}

// keyed is a word of a message, or a phrase that is a concept, as names are compared with it.
type keyed struct {
	fold, key string
	concepts  []string
}

// maxConcept is how many words a phrase has that is a concept: running time.
const maxConcept = 3

// reading are the ways to take a token as words of a name: those of the phrases that begin with it, the longest first, and
// its own.
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
	out = append(out, stretch{to: i + 1, words: l.wordKeys(i)})
	l.said[i] = out
	return out
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
	if l.function(i) && !l.named(i) {
		return
	}
	best, whole := map[meaning]span{}, map[meaning]span{}
	for _, id := range l.begun(i) {
		sp, ok := l.longest(i, id)
		if !ok {
			continue
		}
		ref := l.index.names[id].ref
		if sp.to == i+1 && sp.how == howName && sp.score > whole[ref].score {
			whole[ref] = sp
		}
		if old, seen := best[ref]; !seen || sp.to > old.to || sp.to == old.to && sp.score > old.score {
			best[ref] = sp
		}
	}
	list := make([]span, 0, len(best))
	for ref, sp := range best {
		list = append(list, sp)
		if one, ok := whole[ref]; ok && sp.to > one.to { // the next word may be another thing: priority tickets
			list = append(list, one)
		}
	}
	slices.SortFunc(list, func(a, b span) int {
		return cmp.Or(cmp.Compare(b.score, a.score), compareRefs(a.mean, b.mean), cmp.Compare(a.to, b.to))
	})
	l.out = append(l.out, list...)
}

// named reports whether a small word is a whole name, or the last word of one, or stands for a whole one.
func (l *linker) named(i int) bool {
	for _, c := range l.conceptsOf(l.keys[i]) {
		if slices.ContainsFunc(l.index.byKey[conceptKey+c], func(p place) bool { return len(l.index.names[p.name].words) == 1 }) {
			return true
		}
	}
	for _, p := range l.index.byKey[l.keys[i]] {
		n, fold := l.index.names[p.name], l.toks[i].fold
		if n.words[len(n.words)-1].fold == fold {
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

func compareRefs(a, b meaning) int {
	at, af := refOrder(a)
	bt, bf := refOrder(b)
	return cmp.Or(cmp.Compare(at, bt), cmp.Compare(af, bf))
}

func refOrder(m meaning) (table, field int) {
	switch r := m.(type) {
	case entityRef:
		return r.table, -1
	case fieldRef:
		return r.table, r.field
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
		for _, w := range l.index.slipsOf(l.toks[i].fold) {
			add(keyOf(w))
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
func (l *linker) longest(i, id int) (span, bool) {
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
		return span{}, false
	}
	if c.met < n.weight-1e-9 {
		_, counts := l.is(i, catCount)
		if n.ownsTooMuch(c.found) || counts && end == i+1 { // the number of houses is no house number
			return span{}, false
		}
		c.how = worseHow(c.how, howPart)
	}
	if !c.order {
		share *= orderScore
	}
	return span{from: i, to: end, cat: n.cat, score: share * n.score, how: c.how, mean: n.ref, links: within}, true
}

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

// meetAt takes a token, or the phrase that begins with it, as words of a name, and says where that ends: j where it fits
// none.
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
			s, h = 1, howName
		case text.Singular(w.fold) == text.Singular(k.fold):
			s, h = 0.99, howName
		case w.key == k.key:
			s, h = 0.9, howStem
		case shares(k.concepts, w.concepts):
			s, h = conceptScore, howSynonym
		case slipped(w.fold, k.fold):
			s, h = slipScore, howFuzzy
		}
		if s > score {
			at, score, how = i, s, h
		}
	}
	return at, score, how
}

func shares(a, b []string) bool {
	return slices.ContainsFunc(a, func(x string) bool { return slices.Contains(b, x) })
}

func slipped(a, b string) bool {
	return min(len(a), len(b)) >= slipLetters && a[0] == b[0] && text.Distance(a, b, 1) == 1
}

// worseHow is the less sure of two ways of finding.
func worseHow(a, b string) string {
	order := []string{howName, howStem, howSynonym, howPart, howFuzzy}
	return order[max(slices.Index(order, a), slices.Index(order, b), 0)]
}

// scalar reports whether a column's values can be more or less of something.
func (s *scope) scalar(ref fieldRef) bool {
	return s.numeric(ref) && s.field(ref).Role != semantic.Identifier || isTime(s.field(ref))
}

// measuredBy are the fields that are called by one of the names, or by a word that stands for it, the first name before
// the next. They lie over no tokens.
func (s *scope) measuredBy(names []string) []span { return s.calledBy(names, s.scalar) }

// How well a name fits what a field is called by: one whose last word it is, and one that only stands for it.
const (
	headShare = 0.8
	standsFor = 0.8
)

// calledBy are such fields of which something holds.
func (s *scope) calledBy(names []string, fits func(fieldRef) bool) []span {
	v, err := lexicons()
	if err != nil {
		return nil
	}
	x := indexOf(s.model)
	best := map[fieldRef]span{}
	for rank, wanted := range names {
		key := keyOf(text.Fold(wanted))
		for _, k := range []string{key, conceptKey + wanted} {
			for _, p := range x.byKey[k] {
				n := &x.names[p.name]
				ref, ok := n.ref.(fieldRef)
				if !ok || !fits(ref) {
					continue
				}
				share := n.words[p.word].weight / n.weight
				switch last := len(n.words) - 1; {
				case k != key:
					share *= standsFor
				case p.word == last:
					share = max(share, headShare)
				}
				sp := span{cat: catField, score: share * n.score * (1 - 0.05*float64(rank)), how: howUnit, mean: ref}
				if k == key && len(n.words) == 1 {
					sp.how = howName
				}
				if sp.score > best[ref].score {
					best[ref] = sp
				}
			}
		}
		for _, ref := range x.units.of(v.unitsOf(wanted)) {
			if best[ref].score == 0 && fits(ref) {
				best[ref] = span{cat: catField, score: 0.4, how: howUnit, mean: ref}
			}
		}
	}
	out := make([]span, 0, len(best))
	for _, sp := range best {
		out = append(out, sp)
	}
	slices.SortFunc(out, func(a, b span) int { return cmp.Or(cmp.Compare(b.score, a.score), compareRefs(a.mean, b.mean)) })
	return out
}

// Bounds of words that a table's name is made of without a mark between them, in bytes.
const (
	shortestHead = 4 // of the last word
	shortestRest = 3 // of what stands before it
)

// compounds finds tables whose name is written as one word, by its last part: cars, used cars, of a table usedcars.
func (l *linker) compounds() {
	for i, t := range l.toks {
		if t.kind != wordToken || len(t.fold) < shortestHead || l.function(i) {
			continue
		}
		for at := range l.s.model.Entities {
			e := l.s.entity(at)
			head := text.Plural(text.Singular(t.fold))
			rest, ok := strings.CutSuffix(strings.ToLower(e.Plural), head)
			if !ok || len(rest) < shortestRest || strings.ContainsAny(rest, "_ -") {
				continue
			}
			sp := span{from: i, to: i + 1, cat: catEntity, how: howPart, score: otherName, mean: entityRef{at}}
			if i > 0 && l.toks[i-1].fold == rest {
				sp.from, sp.how = i-1, howSynonym
			}
			l.add(sp)
		}
	}
}
