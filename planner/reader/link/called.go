package link

import (
	"cmp"
	"slices"

	"catena/internal/text"
)

// How well a name fits what a field is called by: one whose last word it is, and one that only stands for it.
const (
	headShare = 0.8
	standsFor = 0.8
)

// CalledBy are the columns that are called by one of some names, by a word that stands for it, or by a unit that
// measures it, as far as fits holds for them: those of the first name before those of the next. They lie over no
// tokens.
func (s *Scope) CalledBy(names []string, fits func(FieldRef) bool) []Span {
	v, err := lexicons()
	if err != nil {
		return nil
	}
	x := indexOf(s.Model)
	best := map[FieldRef]Span{}
	for rank, wanted := range names {
		key := Key(text.Fold(wanted))
		for _, k := range []string{key, conceptKey + wanted} {
			for _, p := range x.byKey[k] {
				n := &x.names[p.name]
				ref, ok := n.ref.(FieldRef)
				if !ok || !fits(ref) {
					continue
				}
				if k != key && IsTime(s.Field(ref)) { // when it sold is not how much
					continue
				}
				share := n.words[p.word].weight / n.weight
				switch last := len(n.words) - 1; {
				case k != key:
					share *= standsFor
				case p.word == last:
					share = max(share, headShare)
				}
				sp := Span{
					Category: CatField,
					Score:    share * n.score * (1 - 0.05*float64(rank)),
					How:      HowUnit,
					Meaning:  ref,
				}
				if k == key && len(n.words) == 1 {
					sp.How = HowName
				}
				if sp.Score > best[ref].Score {
					best[ref] = sp
				}
			}
		}
		for _, ref := range x.units.of(v.unitsOf(wanted)) {
			if best[ref].Score == 0 && fits(ref) {
				best[ref] = Span{Category: CatField, Score: 0.4, How: HowUnit, Meaning: ref}
			}
		}
	}
	out := make([]Span, 0, len(best))
	for _, sp := range best {
		out = append(out, sp)
	}
	slices.SortFunc(
		out,
		func(a, b Span) int { return cmp.Or(cmp.Compare(b.Score, a.Score), compareRefs(a.Meaning, b.Meaning)) },
	)
	return out
}

// people is the concept of words for who somebody is: customer, driver.
const people = "person"

// People are the tables and columns whose names say that they hold people, and whether a table is among them. They
// depend on nothing but the model.
func (s *Scope) People() (refs map[any]bool, tables bool) {
	refs = map[any]bool{}
	x := indexOf(s.Model)
	for _, p := range x.byKey[conceptKey+people] {
		ref := x.names[p.name].ref
		_, table := ref.(EntityRef)
		refs[ref], tables = true, tables || table
	}
	return refs, tables
}
