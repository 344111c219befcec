package link

import (
	"slices"
	"strings"
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
		counts := func(f FieldRef) bool { return l.s.Field(f).Counts() }
		quantity, price, _ := strings.Cut(h.sense.sense, "*")
		quantities := l.s.CalledBy([]string{quantity}, counts)
		if quantity != stockLevel {
			quantities = without(quantities, l.s.CalledBy([]string{stockLevel}, counts))
		}
		prices := l.s.CalledBy([]string{price}, func(f FieldRef) bool { return l.s.Field(f).PricesOne() })
		left := maxProducts
		for _, q := range first(quantities, maxFactors) {
			for _, p := range first(prices, maxFactors) {
				//nolint:forcetypeassert // CalledBy gives such
				of := ProductRef{q.Meaning.(FieldRef), p.Meaning.(FieldRef)}
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

// Concepts of what is sold, and of how many of it.
const (
	soldThing = "product"
	pieces    = "quantity"
)

// Pieces is the one column of a table that says how many of a thing each row is of, where another column says which
// thing; of is that column. How many muffins were sold is no number of sales.
func (s *Scope) Pieces(of FieldRef) (FieldRef, bool) {
	called := func(concept string, fits func(FieldRef) bool) []Span { return s.CalledBy([]string{concept}, fits) }
	things := called(soldThing, func(f FieldRef) bool { return f == of })
	counts := called(pieces, func(f FieldRef) bool { return f.Table == of.Table && s.Field(f).Counts() })
	if len(things) == 0 || len(counts) != 1 {
		return FieldRef{}, false
	}
	ref, ok := counts[0].Meaning.(FieldRef)
	return ref, ok
}

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

// holdsAmount reports whether the words of a hit name a column of amounts of money that add up.
func (l *linker) holdsAmount(h hit) bool {
	return slices.ContainsFunc(l.out, func(s Span) bool {
		f, ok := s.Meaning.(FieldRef)
		if !ok || s.Category != CatField || s.How == HowUnit {
			return false
		}
		over := s.From <= h.from && s.To >= h.to
		return over && l.s.Field(f).Amounts() && !l.s.Field(f).Counts()
	})
}

// beside reports whether each row with the quantity has one price.
func (s *Scope) beside(p ProductRef) bool {
	if p.Quantity.Table == p.Price.Table {
		return true
	}
	path, err := s.Model.Path(s.Entity(p.Quantity.Table).Table, s.Entity(p.Price.Table).Table)
	return err == nil && !path.Fans()
}
