package profiler

import (
	"context"
	"fmt"
	"strings"

	"catena/table"
)

// Options bound a profile. The zero value asks for everything with the usual caps.
type Options struct {
	Light     bool // only what a heading or a planner needs: no quantiles, sums, means, histogram or top values
	TopValues int  // frequent values at most; 0 is 10
	Bins      int  // bars of a histogram at most; 0 is 20
}

// Profile describes every column of t in order, with all statistics. The result is never nil for a table with columns and belongs to
// the caller. When the context ends, the columns that were not reached carry what their names and types say, and a warning.
func Profile(ctx context.Context, t *table.Table) []ColumnMetadata {
	return ProfileWith(ctx, t, Options{})
}

// Describe is Profile without what costs: semantic type, role, unit, label, range, nulls, distinct count, format.
func Describe(ctx context.Context, t *table.Table) []ColumnMetadata {
	return ProfileWith(ctx, t, Options{Light: true})
}

// ProfileWith is Profile by the options.
func ProfileWith(ctx context.Context, t *table.Table, opt Options) []ColumnMetadata {
	if opt.TopValues <= 0 {
		opt.TopValues = 10
	}
	if opt.Bins <= 0 {
		opt.Bins = 20
	}
	out := make([]ColumnMetadata, t.NumCols())
	scans := make([]*scan, t.NumCols())
	verdicts := make([]verdict, t.NumCols())
	names := make([]Name, t.NumCols())
	for c := range out {
		names[c] = ReadName(t.Column(c).Name)
		scans[c] = scanColumn(ctx, t, c)
		verdicts[c] = infer(names[c], scans[c])
	}
	shareCurrency(names, scans, verdicts)
	for c := range out {
		out[c] = assemble(t, names[c], scans[c], verdicts[c], opt)
	}
	distinctLabels(out)
	return out
}

// assemble makes the metadata of one column.
func assemble(t *table.Table, n Name, s *scan, v verdict, opt Options) ColumnMetadata {
	m := ColumnMetadata{
		OriginalName: s.col.Name, CleanedName: n.Label, SemanticType: v.semantic, DType: s.col.Type.String(), PandasDType: pandasDType(s),
		Units: v.unit, UnitSource: v.unitSource, Role: v.role, Aggregation: v.aggregate, FormattingSuggestion: v.format.String(),
		Count: s.rows, NullCount: s.nulls, DistinctCount: len(s.distinct), InvalidCount: v.invalid, Confidence: v.confidence, Warnings: v.warnings,
	}
	if s.stopped {
		m.Warnings = append(m.Warnings, "the profile was interrupted before the end of this column")
	} else {
		m.Min, m.Max = s.min.Any(), s.max.Any()
		m.Sortedness = s.sortedness()
		if !opt.Light {
			m.addStats(t, s, opt)
		}
	}
	if v.invalid > 0 {
		m.Warnings = append(m.Warnings, fmt.Sprintf("%d cells do not look like the others", v.invalid))
	}
	if s.rows > 0 && s.nulls*2 > s.rows && s.nulls < s.rows {
		m.Warnings = append(m.Warnings, fmt.Sprintf("%.0f%% of the cells are empty", 100*float64(s.nulls)/float64(s.rows)))
	}
	m.Description = describe(m, s)
	m.ProfileSummary = summarise(m, s)
	return m
}

// sortedness of the cells that are not null; a constant column counts as ascending, a single cell as none.
func (s *scan) sortedness() string {
	switch {
	case s.rows-s.nulls < 2:
		return "none"
	case s.ascends:
		return "ascending"
	case s.descends:
		return "descending"
	}
	return "none"
}

// shareCurrency gives money of unknown currency the currency of a column beside it that names one: all rows alike, it is the unit; else
// the amounts must not be added.
func shareCurrency(names []Name, scans []*scan, verdicts []verdict) {
	codes := -1
	for c, s := range scans {
		if s.col.Type == table.Text && names[c].any("currency") && len(s.distinct) > 0 && len(s.distinct) <= sampleSize && all(s.sample, func(x string) bool { return currencyCodes[strings.ToUpper(x)] }) {
			codes = c
		}
	}
	if codes < 0 {
		return
	}
	for c := range verdicts {
		v := &verdicts[c]
		if v.semantic != Currency || v.unit != "" {
			continue
		}
		if kinds := scans[codes].distinct; len(kinds) == 1 && scans[codes].nulls == 0 {
			v.unit, v.unitSource = strings.ToUpper(scans[codes].value(kinds[0]).Text()), UnitFromValues
			v.format.Kind, v.format.Code, v.format.Digits = "currency", v.unit, currencyDigits(v.unit)
			continue
		}
		v.aggregate = AggregateNone
		v.warnings = append(v.warnings, "amounts in several currencies, by the column "+scans[codes].col.Name+": they do not add up")
	}
}

// distinctLabels keeps two columns from having the same heading: where label and unit agree, the original names stand.
func distinctLabels(columns []ColumnMetadata) {
	seen := map[string]int{}
	for i := range columns {
		key := columns[i].CleanedName + "\x00" + columns[i].Units
		if first, dup := seen[key]; dup {
			columns[i].CleanedName = columns[i].OriginalName
			columns[first].CleanedName = columns[first].OriginalName
			continue
		}
		seen[key] = i
	}
}

// pandasDType is the name that pandas would give the stored type: a column of whole numbers with empty cells is float64 there.
func pandasDType(s *scan) string {
	switch s.col.Type {
	case table.Bool:
		if s.nulls > 0 {
			return "object"
		}
		return "bool"
	case table.Int:
		if s.nulls > 0 {
			return "float64"
		}
		return "int64"
	case table.Float, table.Decimal:
		return "float64"
	case table.Date, table.DateTime:
		return "datetime64[ns]"
	case table.Duration:
		return "timedelta64[ns]"
	}
	return "object"
}
