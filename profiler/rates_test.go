package profiler

import "testing"

// What a rate's numbers are is decided by the whole column; positions, codes and rates are never summed.
func TestRatesAndNumbersOfThings(t *testing.T) {
	tests := []struct{ name, cells, semantic, aggregate, format string }{
		{"roi", "1.3|0.7|2.4|1.6", Decimal, AggregateMean, "decimal:,.1f"},
		{"unit_cost", "1.35|0.71|2.40", Currency, AggregateMean, "decimal:,.2f"},
		{"cost_each", "1.35|0.71|2.40", Currency, AggregateMean, "decimal:,.2f"},
		{"business_unit_cost", "1.35|0.71|2.40", Currency, AggregateSum, "decimal:,.2f"},
		{"roi", "0.13|0.31|0.24", Percentage, AggregateMean, "percent:ratio:.1f"},
		{"roas", "3.3|4.7|2.6", Decimal, AggregateMean, "decimal:,.1f"},
		{"ev_ebitda_multiple", "8.6|12.7|9.1", Decimal, AggregateMean, "decimal:,.1f"},
		{"bounce_rate", "44.7|38.6|51.9", Percentage, AggregateMean, "percent:points:.1f"},
		{"interest_rate", "4.75|0.35|5.15", Percentage, AggregateMean, "percent:points:.2f"},
		{"discount_rate", "16.3|11.2|12.9", Percentage, AggregateMean, "percent:points:.1f"},
		{"discount_rate", "0.17|0.26", Percentage, AggregateMean, "percent:ratio:.1f"},
		{"ctr", "2.3|3.7", Percentage, AggregateMean, "percent:points:.1f"},
		{"heart_rate", "71|83|66", Integer, AggregateMean, "integer:,"},
		{"exchange_rate", "1.13|1.27", Decimal, AggregateMean, "decimal:,.2f"},
		{"gdp_growth", "2.7|1.6|-0.4", Percentage, AggregateMean, "percent:points:+.1f"},
		{"revenue_growth", "123000|81000.5", Currency, AggregateSum, "decimal:+,.1f"},
		{"lat_deg", "51.7|48.3", Latitude, AggregateNone, "decimal:.1f"},
		{"longitude", "517000|483000", Integer, AggregateNone, "integer:,"},
		{"account", "11227744|55668833", ID, AggregateNone, "integer:plain"},
		{"paid_with", "4012888888881881|378282246310005", ID, AggregateNone, "integer:plain"}, // cards, by their check digits
		{"clicks", "4012888888881881|378282246310005", Integer, AggregateSum, "integer:,"},
		{"epoch", "1700000123|1710000321", DateTime, AggregateNone, "date:2006-01-02 15:04:05"}, // the table reads it so by its name
	}
	for _, tt := range tests {
		m := Profile(t.Context(), column(t, tt.name, tt.cells))[0]
		if m.SemanticType != tt.semantic || m.Aggregation != tt.aggregate || m.FormattingSuggestion != tt.format {
			t.Errorf("%s %s: %s, %s, %s", tt.name, tt.cells, m.SemanticType, m.Aggregation, m.FormattingSuggestion)
		}
	}
}
