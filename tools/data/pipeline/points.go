package pipeline

import (
	"context"

	"github.com/cockroachdb/apd/v3"

	"catena/profiler"
	"catena/table"
)

// Percentages says whether a column holds percentages, and whether they are ratios: 0.152 for 15.2%.
func Percentages(m profiler.ColumnMetadata) (ratio, are bool) {
	f, err := profiler.ParseSuggestion(m.FormattingSuggestion)
	if err != nil || m.SemanticType != profiler.Percentage || f.Kind != "percent" {
		return false, false
	}
	return f.Ratio, true
}

// percentagesIn is percentages for a column of a result, which has no profile yet.
func percentagesIn(t *table.Table, c int) (ratio, are bool) {
	if !t.Column(c).Type.Numeric() {
		return false, false
	}
	alone, err := t.Select(t.Column(c).Name)
	if err != nil {
		return false, false
	}
	return Percentages(profiler.Describe(context.Background(), alone)[0])
}

// exact computes with enough digits for two 38-digit decimals.
var exact = apd.BaseContext.WithPrecision(80)

// Points is a difference between percentages in percentage points.
func Points(difference table.Value, ratio bool) table.Value {
	if !ratio || difference.IsNull() {
		return difference
	}
	if difference.Type() != table.Float {
		var out apd.Decimal
		if _, err := exact.Mul(&out, difference.Apd(), apd.New(100, 0)); err == nil {
			if v, err := table.DecimalFromApd(&out); err == nil {
				return v
			}
		}
	}
	f, _ := difference.Float()
	return table.FloatValue(100 * f)
}
