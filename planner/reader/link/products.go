package link

import (
	"slices"
	"strings"

	"catena/query"
	"catena/query/semantic"
)

// ProductRef is an amount that no column holds: how many there are of something, times what one of it costs. The two
// may be columns of different tables.
type ProductRef struct{ Quantity, Price FieldRef }

// Bounds of what one word is read as.
const (
	maxFactors  = 3 // columns for the one, and for the other
	maxProducts = 4
)

// products finds amounts of money that are computed of a quantity and a price: the revenue of order lines that refer to
// products, the value of a stock. A column that holds such an amount is meant before.
func (l *linker) products() {
	for i := range l.toks {
		h, ok := l.datum(i, catProduct)
		if !ok || l.counted(h.from) || l.holdsAmount(h) {
			continue
		}
		quantity, price, _ := strings.Cut(h.sense.sense, "*")
		quantities := l.s.CalledBy([]string{quantity}, func(f FieldRef) bool { return l.s.counts(f) })
		if quantity != stockLevel {
			quantities = without(quantities, l.s.CalledBy([]string{stockLevel}, l.s.counts))
		}
		prices := l.s.CalledBy([]string{price}, l.s.pricesOne)
		left := maxProducts
		for _, q := range first(quantities, maxFactors) {
			for _, p := range first(prices, maxFactors) {
				of := ProductRef{q.Meaning.(FieldRef), p.Meaning.(FieldRef)} //nolint:forcetypeassert // CalledBy gives such
				if left > 0 && l.s.beside(of) {
					left--
					l.add(Span{
						From: h.from, To: h.to, Category: CatProduct, How: HowSynonym,
						Score: h.score * (1 + p.Score*q.Score) / 2, Meaning: of,
					})
				}
			}
		}
	}
}

// counted reports whether a word says how many there are of what begins at a token: things, which are no amount.
func (l *linker) counted(at int) bool {
	for i := max(0, at-maxStretch); i < at; i++ {
		if slices.ContainsFunc(l.hits[i], func(h hit) bool { return h.cat == catCount && h.to == at }) {
			return true
		}
	}
	return false
}

// stockLevel is the concept of what is on hand: it is counted, and not sold.
const stockLevel = "stock level"

func first(list []Span, n int) []Span { return list[:min(len(list), n)] }

// without are the spans whose columns none of others means.
func without(list, others []Span) []Span {
	not := map[any]bool{}
	for _, s := range others {
		not[s.Meaning] = true
	}
	var out []Span
	for _, s := range list {
		if !not[s.Meaning] {
			out = append(out, s)
		}
	}
	return out
}

// holdsAmount reports whether the words of a hit name a column of amounts of money, or a number of which it is not known
// that it is none.
func (l *linker) holdsAmount(h hit) bool {
	for _, s := range l.out {
		f, ok := s.Meaning.(FieldRef)
		if !ok || s.Category != CatField || s.From > h.from || s.To < h.to {
			continue
		}
		field := l.s.Field(f)
		if field.Role == semantic.Measure && field.Type.Numeric() && field.Adds != query.AddsRate && !l.s.counts(f) {
			return true
		}
	}
	return false
}

// counts reports whether a column says how many there are of something.
func (s *Scope) counts(ref FieldRef) bool {
	f := s.Field(ref)
	switch {
	case f.Role != semantic.Measure || !f.Type.Numeric() || f.Expression != "":
		return false
	case f.Adds == query.AddsRate || f.Adds == query.AddsIdentifier || f.Adds == query.AddsTime:
		return false
	}
	return f.Kind != semantic.Money
}

// pricesOne reports whether a column says what one of something costs.
func (s *Scope) pricesOne(ref FieldRef) bool {
	f := s.Field(ref)
	return f.Kind == semantic.Money && f.Adds == query.AddsRate && f.Type.Numeric() && f.Expression == ""
}

// beside reports whether each row with the quantity has one price.
func (s *Scope) beside(p ProductRef) bool {
	if p.Quantity.Table == p.Price.Table {
		return true
	}
	path, err := s.Model.Path(s.Entity(p.Quantity.Table).Table, s.Entity(p.Price.Table).Table)
	return err == nil && !path.Fans()
}
