package reader

import (
	"slices"

	"catena/query/semantic"
)

// mixed reports whether a column's numbers never add up: amounts of several currencies.
func mixed(f *semantic.Field) bool {
	return f.Unit+string(f.Adds) == "" && f.Role == semantic.Measure && f.Type.Numeric()
}

// onlyMeasures leaves out tables that a word names by another word of its meaning alone, where it names a number as well:
// the revenue of sales is an amount, and not the sales. Of two amounts with one name, of which the one is in several
// currencies, the other stays.
func (l *linker) onlyMeasures() {
	type over struct{ from, to int }
	best, sums := map[over]float64{}, map[over]map[int]float64{}
	for _, s := range l.out {
		if f, ok := s.mean.(fieldRef); ok && s.cat == catField && l.s.field(f).Role == semantic.Measure {
			at := over{s.from, s.to}
			best[at] = max(best[at], s.score)
			if l.s.field(f).Unit != "" {
				if sums[at] == nil {
					sums[at] = map[int]float64{}
				}
				sums[at][f.table] = max(sums[at][f.table], s.score)
			}
		}
	}
	l.out = slices.DeleteFunc(l.out, func(s span) bool {
		if f, ok := s.mean.(fieldRef); ok && s.cat == catField && mixed(l.s.field(f)) {
			return s.score <= sums[over{s.from, s.to}][f.table]
		}
		return s.cat == catEntity && s.how == howSynonym && s.score <= conceptScore && s.score <= best[over{s.from, s.to}]
	})
}
