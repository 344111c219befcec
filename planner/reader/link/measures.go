package link

import (
	"slices"

	"catena/query/semantic"
	"catena/table"
)

// IsTime reports whether a column holds dates or times, or stands for them.
func IsTime(f *semantic.Field) bool {
	return f.Type == table.Date || f.Type == table.DateTime || f.Role == semantic.Time
}

// MixedUnits reports whether a column holds amounts of several currencies: they never add up.
func MixedUnits(f *semantic.Field) bool {
	return f.Unit+string(f.Adds) == "" && f.Role == semantic.Measure && f.Type.Numeric()
}

// measuredFields are the columns that what a word means is measured in the unit of: consumption, of kWh. A word that
// names a column or a table means that, and money has words of its own.
func (l *linker) measuredFields() {
	named := map[int]bool{}
	for _, s := range l.out {
		for i := s.From; i < s.To; i++ {
			named[i] = named[i] || s.Category == CatField || s.Category == CatEntity
		}
	}
	for i := range l.toks {
		if named[i] || l.function(i) {
			continue
		}
		for _, concept := range l.conceptsOf(l.keys[i]) {
			for _, ref := range l.index.units.of(l.measuredIn(concept)) {
				if f := l.s.Field(ref); f.Role == semantic.Measure && f.Kind != semantic.Money {
					l.add(Span{From: i, To: i + 1, Category: CatField, Score: 0.7, How: HowUnit, Meaning: ref})
				}
			}
		}
	}
}

// measuredIn are the units that measure a concept, in the languages of the message.
func (l *linker) measuredIn(concept string) []string {
	var out []string
	for _, lex := range l.spoken {
		out = append(out, lex.measures[concept]...)
	}
	return out
}

// onlyMeasures leaves out tables that a word names by another word of its meaning alone, where it names a number as
// well: the revenue of sales is an amount, and not the sales. Of two amounts with one name, of which the one is in
// several currencies, the other stays.
func (l *linker) onlyMeasures() {
	type over struct{ from, to int }
	best, sums := map[over]float64{}, map[over]map[int]float64{}
	for _, s := range l.out {
		if f, ok := s.Meaning.(FieldRef); ok && s.Category == CatField && l.s.Field(f).Role == semantic.Measure {
			at := over{s.From, s.To}
			best[at] = max(best[at], s.Score)
			if l.s.Field(f).Unit != "" {
				if sums[at] == nil {
					sums[at] = map[int]float64{}
				}
				sums[at][f.Table] = max(sums[at][f.Table], s.Score)
			}
		}
	}
	l.out = slices.DeleteFunc(l.out, func(s Span) bool {
		if f, ok := s.Meaning.(FieldRef); ok && s.Category == CatField && MixedUnits(l.s.Field(f)) {
			return s.Score <= sums[over{s.From, s.To}][f.Table]
		}
		return s.Category == CatEntity && s.How == HowSynonym && s.Score <= conceptScore &&
			s.Score <= best[over{s.From, s.To}]
	})
}
