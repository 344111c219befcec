package link

import (
	"slices"
	"strings"

	"catena/internal/text"
	"catena/query/semantic"
	"catena/table"
)

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
		for at := range l.s.Model.Entities {
			e := l.s.Entity(at)
			head := text.Plural(text.Singular(t.fold))
			rest, ok := strings.CutSuffix(strings.ToLower(e.Plural), head)
			if !ok || len(rest) < shortestRest || strings.ContainsAny(rest, "_ -") {
				continue
			}
			sp := Span{From: i, To: i + 1, Category: CatEntity, How: HowPart, Score: otherName, Meaning: EntityRef{at}}
			if i > 0 && l.toks[i-1].fold == rest {
				sp.From, sp.How = i-1, HowSynonym
			}
			l.add(sp)
		}
	}
}

// denied finds columns by words that deny them: unpaid, of the date when something was paid.
func (l *linker) denied() {
	v, err := lexicons()
	if err != nil {
		return
	}
	taken := map[int]bool{}
	for _, s := range l.out {
		taken[s.From] = taken[s.From] || s.How != HowWord
	}
	for i, t := range l.toks {
		if t.kind != wordToken || taken[i] || slices.ContainsFunc(l.hits[i], hit.whole) {
			continue
		}
		for _, p := range v.denying {
			if rest, ok := strings.CutPrefix(t.fold, p); ok && len(rest) >= leastDenied {
				l.deniedBy(i, strings.TrimPrefix(rest, "-"))
			}
		}
	}
}

// leastDenied is how many bytes of a word are left that is denied.
const leastDenied = 4

// deniedBy adds the columns of yes and no, and of times, that a word is the whole name of, small words apart: an amount
// has no other side, and a discount is no lack of a count.
func (l *linker) deniedBy(i int, word string) {
	for _, p := range l.index.byKey[Key(word)] {
		n := &l.index.names[p.name]
		if w := n.words[p.word]; n.cat != CatField || w.weight < n.weight-1e-9 || apart(w.fold, word) {
			continue
		}
		ref, ok := n.ref.(FieldRef)
		if f := l.s.Field(ref); ok && (saysYes(f) || IsTime(f)) {
			l.add(Span{From: i, To: i + 1, Category: CatDenied, How: HowStem, Score: n.score, Meaning: ref})
		}
	}
}

// saysYes reports whether a column says yes and no.
func saysYes(f *semantic.Field) bool { return f.Type == table.Bool || f.Kind == semantic.YesNo }
