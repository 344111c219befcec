package link

import (
	"math"
	"slices"
	"strings"
	"sync"

	"catena/internal/text"
	"catena/planner/retrieval"
	"catena/query/semantic"
)

// nameIndex is the names of a model's tables and columns, made ready for comparison.
type nameIndex struct {
	names []name
	byKey map[string][]place // by the keys of their words
	share map[string]float64 // how much a word tells: 1 for one that a single thing is called by
	units unitIndex
	money []FieldRef // amounts of money that add up
	// columns are fields by the names of their table and column, as values are found in them.
	columns map[columnName]FieldRef
	copies  copyIndex
	// slips are the longer words of names, by their first letter and length.
	slips map[slip][]string
	// near are the keys of names' words, by the stems of words that mean nearly the same.
	near map[string][]string
}

type columnName struct{ table, column string }

func nameOfColumn(table, column string) columnName {
	return columnName{strings.ToLower(table), strings.ToLower(column)}
}

type slip struct {
	first  byte
	length int
}

// name is one way to call a table or a column.
type name struct {
	words  []nameWord
	cat    Category
	ref    any
	how    string
	score  float64
	weight float64 // of all words
	noun   int     // words of the table's noun that it begins with: they alone are not this name
}

type nameWord struct {
	fold, key string
	concepts  []string
	weight    float64
	// own says that the word is one of the table's: it stands before most of its columns, or is what the table's rows
	// are called, and alone it names no column.
	own bool
}

// place is a word of a name.
type place struct{ name, word int }

// maxIndexes is how many models' names are kept.
const maxIndexes = 32

var indexes = struct {
	sync.Mutex
	of    map[*semantic.Model]*nameIndex
	order []*semantic.Model
}{of: map[*semantic.Model]*nameIndex{}}

// indexOf are the names of a model, which is not changed once it is made.
func indexOf(m *semantic.Model) *nameIndex {
	indexes.Lock()
	x := indexes.of[m]
	indexes.Unlock()
	if x != nil {
		return x
	}
	x = newIndex(m)
	indexes.Lock()
	defer indexes.Unlock()
	if indexes.of[m] == nil {
		indexes.order = append(indexes.order, m)
	}
	indexes.of[m] = x
	if len(indexes.order) > maxIndexes {
		delete(indexes.of, indexes.order[0])
		indexes.order = indexes.order[1:]
	}
	return x
}

func newIndex(m *semantic.Model) *nameIndex {
	x := &nameIndex{
		byKey:   map[string][]place{},
		share:   map[string]float64{},
		units:   unitIndex{},
		columns: map[columnName]FieldRef{},
		slips:   map[slip][]string{},
		near:    map[string][]string{},
	}
	v, err := lexicons()
	if err != nil {
		return x
	}
	for t := range m.Entities {
		x.addEntity(v, t, &m.Entities[t])
	}
	x.addHeads(v, m)
	x.copies = newCopyIndex(m, x.columns)
	x.weigh(v)
	return x
}

// How well names of one kind fit that are there word for word.
const (
	ownName   = 1
	longName  = 0.99 // with the table's name before it, or without where the column's begins so
	otherName = 0.95
	headName  = 0.9 // the last word of several, where nothing else is called by it
)

func (x *nameIndex) addEntity(v *vocabulary, t int, e *semantic.Entity) {
	first := len(x.names)
	defer func() { x.markOwn(first, e) }()
	ref := EntityRef{t}
	x.addName(v, name{cat: CatEntity, ref: ref, how: HowName, score: ownName}, e.Singular, e.Plural, e.Table)
	x.addName(
		v,
		name{cat: CatEntity, ref: ref, how: HowSynonym, score: otherName},
		append([]string{e.As}, e.Synonyms...)...)
	for i, f := range e.Fields {
		ref := FieldRef{t, i}
		x.columns[nameOfColumn(e.Table, f.Name)] = ref
		if f.Unit != "" {
			x.units[f.Unit] = append(x.units[f.Unit], ref)
		}
		if f.Kind == semantic.Money && f.Amounts() {
			x.money = append(x.money, ref)
		}
		if IsTime(&f) {
			x.units[timeUnit] = append(x.units[timeUnit], ref)
		}
		field := name{cat: CatField, ref: ref, how: HowName, score: ownName}
		x.addName(v, field, f.Name, f.Label)
		x.addName(v, name{cat: CatField, ref: ref, how: HowSynonym, score: otherName}, f.Synonyms...)
		field.score = longName
		rest, has := strings.CutPrefix(strings.ToLower(f.Label), e.Singular+" ")
		if !has {
			rest, field.noun = e.Singular+" "+f.Label, len(text.Words(e.Singular))
		}
		x.addName(v, field, rest)
	}
}

// addHeads lets tables with names of several words be called by the last one, the calls of port_calls, where no other
// table's or column's name has that word.
func (x *nameIndex) addHeads(v *vocabulary, m *semantic.Model) {
	named := len(x.names)
	for t := range m.Entities {
		ref := EntityRef{t}
		for _, way := range []string{m.Entities[t].Singular, m.Entities[t].Plural} {
			words := text.Words(way)
			if len(words) < 2 {
				continue
			}
			head := words[len(words)-1]
			if !x.hasWord(Key(text.Fold(head)), ref, named) {
				x.addName(v, name{cat: CatEntity, ref: ref, how: HowSynonym, score: headName}, head)
			}
		}
	}
}

// hasWord reports whether one of the first names, but those of a thing itself, has a word; a column's that begins with
// the name of that thing does not count.
func (x *nameIndex) hasWord(key string, but EntityRef, first int) bool {
	return slices.ContainsFunc(x.byKey[key], func(p place) bool {
		n := &x.names[p.name]
		own := n.ref == any(but)
		if f, column := n.ref.(FieldRef); column {
			own = f.Table == but.Table && p.word < n.noun
		}
		return p.name < first && !own
	})
}

// Columns whose names begin alike have that beginning from their table: there must be some, and nearly all must.
const (
	leastAlike = 4
	mostApart  = 0.3
)

// markOwn marks the words of the names of a table's columns that are the table's.
func (x *nameIndex) markOwn(first int, e *semantic.Entity) {
	own := map[string]bool{}
	// rows without a name may be spoken of by a column: each stock, of a list of prices
	nameless := e.Name == "" &&
		slices.ContainsFunc(e.Fields, func(f semantic.Field) bool { return f.Role == semantic.Dimension })
	for _, n := range x.names[first:] {
		for _, w := range n.words {
			own[w.key] = own[w.key] || n.cat == CatEntity && !nameless
		}
	}
	in := map[string]map[any]bool{}
	for _, n := range x.names[first:] {
		for _, w := range n.words[:max(len(n.words)-1, 0)] {
			if in[w.key] == nil {
				in[w.key] = map[any]bool{}
			}
			in[w.key][n.ref] = true
		}
	}
	for key, refs := range in {
		own[key] = own[key] || len(refs) >= leastAlike && float64(len(refs)) >= (1-mostApart)*float64(len(e.Fields))
	}
	for _, n := range x.names[first:] {
		for i := range n.words {
			n.words[i].own = n.cat == CatField && own[n.words[i].key]
		}
	}
}

// timeUnit stands for the unit of columns of dates and times.
const timeUnit = "@time"

// addName adds the ways to call one thing that are not there yet.
func (x *nameIndex) addName(v *vocabulary, n name, ways ...string) {
	seen := map[string]bool{}
	for _, way := range ways {
		n.words = nil
		for _, w := range text.Words(way) {
			fold := text.Fold(w)
			key := Key(fold)
			n.words = append(n.words, nameWord{fold: fold, key: key, concepts: v.concepts(key)})
		}
		if phrase := keysOfName(n.words); len(n.words) > 1 && len(v.concepts(phrase)) > 0 {
			one := n
			one.words = []nameWord{{fold: phrase, key: phrase, concepts: v.concepts(phrase)}}
			x.insert(one)
		}
		folds := foldsOf(n.words)
		if len(n.words) == 0 || seen[folds] {
			continue
		}
		seen[folds] = true
		x.insert(n)
		for _, other := range v.unitsCalled(folds) { // miles per gallon: mpg
			if !seen[other] {
				seen[other] = true
				x.insert(v.spelt(n, other))
			}
		}
	}
}

// tally reports whether a column is called as what says how many a row stands for.
func (x *nameIndex) tally(f FieldRef) bool {
	return slices.ContainsFunc(x.byKey[conceptKey+tallies], func(p place) bool {
		n := x.names[p.name]
		return n.ref == any(f) && len(n.words) == 1 && n.how == HowName
	})
}

// tallies is the concept of columns that say how many a row stands for.
const tallies = "tally"

// spelt is a name with other words.
func (v *vocabulary) spelt(n name, folds string) name {
	n.words = nil
	for _, fold := range strings.Fields(folds) {
		key := Key(fold)
		n.words = append(n.words, nameWord{fold: fold, key: key, concepts: v.concepts(key)})
	}
	return n
}

// unitsCalled are the other ways to write the unit that a name of several words is; none where it is no unit.
func (v *vocabulary) unitsCalled(folds string) []string {
	if !strings.Contains(folds, " ") {
		return nil
	}
	var out []string
	for _, l := range v.languages {
		for _, unit := range l.unitsOf(folds) {
			for _, s := range l.senses {
				if s.cat == catUnit && s.sense == unit && strings.ContainsFunc(s.folds[0], wordRune) {
					out = append(out, strings.Join(s.folds, " "))
				}
			}
		}
	}
	return out
}

// unitsOf are the units that a phrase is the name of.
func (l *lexicon) unitsOf(folds string) []string {
	var out []string
	for _, s := range l.senses {
		if s.cat == catUnit && strings.Join(s.folds, " ") == folds {
			out = append(out, s.sense)
		}
	}
	return out
}

func keysOfName(words []nameWord) string {
	keys := make([]string, len(words))
	for i, w := range words {
		keys[i] = w.key
	}
	return strings.Join(keys, " ")
}

func foldsOf(words []nameWord) string {
	folds := make([]string, len(words))
	for i, w := range words {
		folds[i] = w.fold
	}
	return strings.Join(folds, " ")
}

func (x *nameIndex) insert(n name) {
	id := len(x.names)
	x.names = append(x.names, n)
	for i, w := range n.words {
		if len(x.byKey[w.key]) == 0 {
			x.addOthers(w)
		}
		x.byKey[w.key] = append(x.byKey[w.key], place{id, i})
		for _, c := range w.concepts {
			x.byKey[conceptKey+c] = append(x.byKey[conceptKey+c], place{id, i})
		}
	}
}

// addOthers adds a word of names to those that a slip of the keyboard may stand for, and to those of words that mean
// nearly the same.
func (x *nameIndex) addOthers(w nameWord) {
	if len(w.fold) >= slipLetters {
		s := slip{w.fold[0], len(w.fold)}
		x.slips[s] = append(x.slips[s], w.fold)
	}
	for _, other := range retrieval.Alike(retrieval.Stem(w.fold)) {
		if other.Cosine >= leastNear {
			x.near[other.Stem] = append(x.near[other.Stem], w.key)
		}
	}
}

// leastNear is how alike two words are that one may stand for the other.
const leastNear = 0.7

// conceptKey stands before concepts among the keys of words.
const conceptKey = "\x00"

// weigh says of each word how much it tells, and of each name what its words tell together. Small words tell nothing,
// but where a name has no others.
func (x *nameIndex) weigh(v *vocabulary) {
	for key, places := range x.byKey {
		refs := map[any]bool{}
		for _, p := range places {
			refs[x.names[p.name].ref] = true
		}
		x.share[key] = 1 / (1 + math.Log(float64(len(refs))))
	}
	for i := range x.names {
		n := &x.names[i]
		for j := range n.words {
			w := &n.words[j]
			if w.weight = x.share[w.key]; v.small(w.fold) {
				w.weight = 0
			}
			n.weight += w.weight
		}
		if n.weight == 0 {
			for j := range n.words {
				n.words[j].weight = x.share[n.words[j].key]
				n.weight += n.words[j].weight
			}
		}
	}
}

// small reports whether a word only joins others.
func (v *vocabulary) small(fold string) bool {
	for _, l := range v.languages {
		if at := l.root.next[text.Stem(fold)]; at != nil && slices.ContainsFunc(at.ends, func(s *sense) bool {
			return (s.cat == catLink || s.cat == CatBe) && s.folds[0] == fold
		}) {
			return true
		}
	}
	return false
}

// concepts are those that a word of a name belongs to or falls under, in any language.
func (v *vocabulary) concepts(key string) []string {
	var out []string
	for _, l := range v.languages {
		out = append(append(out, l.concepts[key]...), l.kinds[key]...)
	}
	return out
}
