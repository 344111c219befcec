package profiler

import (
	"context"
	"strings"
	"testing"

	"catena/table"
	"catena/table/csv"
)

// csvTable loads a small table from text; a semicolon ends a row where a test is easier to read on one line.
func csvTable(t testing.TB, text string) *table.Table {
	t.Helper()
	named, err := csv.Read(strings.NewReader(text), "test", table.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return named.Table
}

// column makes a table of the named column and one that keeps the loader from guessing at single columns.
func column(t testing.TB, name, cells string) *table.Table {
	t.Helper()
	var b strings.Builder
	b.WriteString(`"` + name + `",other` + "\n")
	for _, cell := range strings.Split(cells, "|") {
		b.WriteString(`"` + cell + `",x y` + "\n")
	}
	return csvTable(t, b.String())
}

func TestInference(t *testing.T) {
	tests := []struct {
		name, cells                              string
		semantic, role, unit, aggregate, display string
	}{
		{"client_id", "000101|000102|000103", ID, RoleIdentifier, "", AggregateNone, "text"},
		{"client_id", "101|102|103", ID, RoleIdentifier, "", AggregateNone, "integer:plain"},
		{"account_number", "5501|5502|5503", ID, RoleIdentifier, "", AggregateNone, "integer:plain"},
		{"number_of_accounts", "5501|5502|5503", Integer, RoleMeasure, "", AggregateSum, "integer:,"},
		{"num_orders", "3|4|5", Integer, RoleMeasure, "", AggregateSum, "integer:,"},
		{"code", "01234|00099|07711", ID, RoleIdentifier, "", AggregateNone, "text"},
		{"zip", "01234|00099|07711", PostalCode, RoleDimension, "", AggregateNone, "text"},
		{"zip", "11234|90099|97711", PostalCode, RoleDimension, "", AggregateNone, "integer:plain"},
		{"year", "2019|2020|2021", Date, RoleTime, "", AggregateNone, "integer:plain"},
		{"units_sold_2020", "2019|2020|2021", Integer, RoleMeasure, "", AggregateSum, "integer:,"},
		{"month", "1|2|12", Category, RoleTime, "", AggregateNone, "integer:plain"},
		{"month", "Jan-25|Feb-25|Mar-25", Category, RoleTime, "", AggregateNone, "text"},
		{"x", "2025Q1|2025Q2|2025Q3|2025Q4", Category, RoleTime, "", AggregateNone, "text"},
		{"code", "2025-W07|2025-W08|2025-W09", Category, RoleTime, "", AggregateNone, "text"},
		{"half", "H1|H2|H1", Category, RoleTime, "", AggregateNone, "text"},
		{"model", "M1-25|M2-25|M3-25", ID, RoleIdentifier, "", AggregateNone, "text"},
		{"period", "202411|202412|202501", Category, RoleTime, "", AggregateNone, "integer:plain"},
		{"units_monthly", "202411|202412|202501", Integer, RoleMeasure, "", AggregateSum, "integer:,"},
		{"month", "2026-01-01|2026-02-01|2026-03-01", Date, RoleTime, "", AggregateNone, "date:2006-01"},
		{"since", "2026-01-01|2026-02-01|2026-03-07", Date, RoleTime, "", AggregateNone, "date:2006-01-02"},
		{"order_dt", "20260101|20260207|20261231", Date, RoleTime, "", AggregateNone, "date:2006-01-02"},
		{"opened", "2026-01-01 10:00:00|2026-02-01 11:30:00", DateTime, RoleTime, "", AggregateNone, "date:2006-01-02 15:04"},
		{"revenue_usd", "1204551.25|10.00|3.50", Currency, RoleMeasure, "USD", AggregateSum, "currency:USD:,.2f"},
		{"revenue_jpy", "1204551|10|3", Currency, RoleMeasure, "JPY", AggregateSum, "currency:JPY:,.0f"},
		{"revenue", "1204551.25|10.00|3.50", Currency, RoleMeasure, "", AggregateSum, "decimal:,.2f"},
		{"revenue_change_usd", "-4.10|10.00|3.50", Currency, RoleMeasure, "USD", AggregateSum, "currency:USD:+,.2f"},
		{"unit_price_eur", "4.10|10.00|3.50", Currency, RoleMeasure, "EUR", AggregateMean, "currency:EUR:,.2f"},
		{"amount", "$4.10|$10.00|$3.50", Currency, RoleMeasure, "USD", AggregateSum, "currency:USD:,.2f"},
		{"gross_margin", "0.312|0.204|0.55", Percentage, RoleMeasure, "%", AggregateMean, "percent:ratio:.1f"},
		{"margin_pct", "31.2|20.4|55", Percentage, RoleMeasure, "%", AggregateMean, "percent:points:.1f"},
		{"margin_pct", "0.312|0.204|0.55", Percentage, RoleMeasure, "%", AggregateMean, "percent:ratio:.1f"},
		{"share_of_total", "0.25|0.35|0.4", Percentage, RoleMeasure, "%", AggregateSum, "percent:ratio:.1f"},
		{"yoy_growth", "0.142|-0.031|0.07", Percentage, RoleMeasure, "%", AggregateMean, "percent:ratio:+.1f"},
		{"x", "12%|15.5%|9%", Percentage, RoleMeasure, "%", AggregateMean, "percent:points:.1f"},
		{"growth_per_year", "0.142|-0.031|0.07", Percentage, RoleMeasure, "%", AggregateMean, "percent:ratio:+.1f"},
		{"revenue_usd_share", "0.25|0.35|0.4", Percentage, RoleMeasure, "%", AggregateSum, "percent:ratio:.1f"},
		{"net_amount_share", "0.25|0.35|0.4", Percentage, RoleMeasure, "%", AggregateSum, "percent:ratio:.1f"},
		{"net_gain_share", "0.25|0.35|0.4", Percentage, RoleMeasure, "%", AggregateMean, "percent:ratio:+.1f"},
		{"last_12_months_usd", "10.25|30.50", Currency, RoleMeasure, "USD", AggregateSum, "currency:USD:,.2f"},
		{"orders_per_day", "10.25|30.50", Decimal, RoleMeasure, "", AggregateMean, "decimal:,.2f"},
		{"nonfarm_change", "282|-31|297", Integer, RoleMeasure, "", AggregateSum, "integer:+,"},
		{"Pick #", "148|149|152", ID, RoleIdentifier, "", AggregateNone, "integer:plain"},
		{"Wind", "4.7|4.5|2.3", Decimal, RoleMeasure, "", AggregateMean, "decimal:,.1f"},
		{"rainfall", "4.7|4.5|2.3", Decimal, RoleMeasure, "", AggregateSum, "decimal:,.1f"},
		{"year", "2001-01-01|2002-01-01|2003-01-01", Date, RoleTime, "", AggregateNone, "date:2006"},
		{"position", "1st|2nd|3rd|4th", Text, RoleDimension, "", AggregateNone, "text"},
		{"pe_ratio", "15.2|22.8|9.1", Decimal, RoleMeasure, "", AggregateMean, "decimal:,.1f"},
		{"exchange_rate", "0.9234|0.8841|0.9011", Decimal, RoleMeasure, "", AggregateMean, "decimal:,.4f"},
		{"weight_kg", "12.5|13.25|9", Decimal, RoleMeasure, "kg", AggregateSum, "decimal:,.2f"},
		{"weight", "12.5 kg|13.2 kg|9 kg", Decimal, RoleMeasure, "kg", AggregateNone, "text"},
		{"satisfaction", "3|4|5", Integer, RoleMeasure, "", AggregateMean, "integer:,"},
		{"mean_orders", "3.25|4.5|5", Decimal, RoleMeasure, "", AggregateMean, "decimal:,.2f"},
		{"max_orders", "3|4|5", Integer, RoleMeasure, "", AggregateNone, "integer:,"},
		{"lat", "48.1351|52.52|50.1109", Latitude, RoleDimension, "", AggregateNone, "decimal:.4f"},
		{"is_open", "0|1|1", Boolean, RoleDimension, "", AggregateNone, "integer:plain"},
		{"open", "true|false|true", Boolean, RoleDimension, "", AggregateNone, "boolean"},
		{"country", "Germany|France|Japan", Country, RoleDimension, "", AggregateNone, "text"},
		{"where", "Germany|France|Japan", Country, RoleDimension, "", AggregateNone, "text"},
		{"region", "North|South|East", Region, RoleDimension, "", AggregateNone, "text"},
		{"email", "a@b.org|c@d.org|e@f.org", Email, RoleDimension, "", AggregateNone, "text"},
		{"link", "https://a.org/x|http://b.org|https://c.org", URL, RoleDimension, "", AggregateNone, "text"},
		{"host", "10.0.0.1|192.168.1.4|::1", IP, RoleDimension, "", AggregateNone, "text"},
		{"phone", "+49 30 1234567|+1 415 555 0100|+81 3 1234 5678", Phone, RoleDimension, "", AggregateNone, "text"},
		{"ref", "T-000001|T-000002|T-000003", ID, RoleIdentifier, "", AggregateNone, "text"},
		{"status", "open|closed|open", Category, RoleDimension, "", AggregateNone, "text"},
		{"tags", "a;b|c;d|e;f", List, RoleDimension, "", AggregateNone, "text"},
		{"where", "POINT (13.4 52.5)|POINT (11.5 48.1)|POINT (2.3 48.8)", Geo, RoleDimension, "", AggregateNone, "text"},
		{"spot", "52.5200, 13.4050|48.1351, 11.5820", Geo, RoleDimension, "", AggregateNone, "text"},
		{"opt_in", "0|1|1", Boolean, RoleDimension, "", AggregateNone, "integer:plain"},
		{"col_4", "1|2|3|1|2|2", Category, RoleDimension, "", AggregateNone, "integer:plain"},
		{"margin_pct", "1|2|3|1|2|2", Category, RoleDimension, "", AggregateNone, "integer:plain"},
		{"share_pct", "458193|376502|349871", Integer, RoleMeasure, "", AggregateMean, "integer:,"},
		{"tax_map", "30101|30102|30103", Integer, RoleMeasure, "", AggregateSum, "integer:,"},
		{"funding_method_code", "1|0|1", ID, RoleIdentifier, "", AggregateNone, "integer:plain"},
		{"knows_PHP", "2|0|1|1", Integer, RoleMeasure, "", AggregateSum, "integer:,"},
		{"revenue_last_period", "20|10|15", Currency, RoleMeasure, "", AggregateSum, "decimal:,.0f"},
		{"line", "0731498265|0419357728|0862914035", Phone, RoleDimension, "", AggregateNone, "text"},
		{"order_no", "Ada Byron|Alan Turing|Grace Hopper", Text, RoleDimension, "", AggregateNone, "text"},
		{"country", "Ada Byron|Alan Turing|Grace Hopper", Text, RoleDimension, "", AggregateNone, "text"},
		{"cost", "$304.7M|$86.9k|$612.3M", Currency, RoleMeasure, "USD", AggregateSum, "currency:USD:,.2f"},
		{"seen", "9 October 2018|see note|4 July 2024|16 June 2020|15 May 2025", Date, RoleTime, "", AggregateNone, "text"},
		{"born", "20180319|20190826|see note|20170214|20161005", Date, RoleTime, "", AggregateNone, "text"},
		{"updated_ts", "1519862412000|see note|1563120934000|1607731265000|1655482097000", DateTime, RoleTime, "", AggregateNone, "text"},
		{"churn_rate", "0.7316|TBD|0.3164|0.1853|0.5207", Percentage, RoleMeasure, "%", AggregateNone, "text"},
		{"x", "4,24|see note|3,27|4,61|0,69", Decimal, RoleMeasure, "", AggregateNone, "text"},
		{"build", "01.02.03|01.02.04|01.03.05", Text, RoleDimension, "", AggregateNone, "text"},
		{"comment", "It was late again|Thanks|No answer to my letter", Text, RoleDimension, "", AggregateNone, "text"},
	}
	for _, tt := range tests {
		t.Run(tt.name+"="+tt.cells, func(t *testing.T) {
			m := Describe(context.Background(), column(t, tt.name, tt.cells))[0]
			got := [...]string{m.SemanticType, m.Role, m.Units, m.Aggregation, m.FormattingSuggestion}
			want := [...]string{tt.semantic, tt.role, tt.unit, tt.aggregate, tt.display}
			if got != want {
				t.Errorf("got %v, want %v (stored as %s)", got, want, m.DType)
			}
			if _, err := ParseSuggestion(m.FormattingSuggestion); err != nil {
				t.Error(err)
			}
			if m.Confidence <= 0 || m.Confidence > 1 {
				t.Errorf("confidence %v", m.Confidence)
			}
		})
	}
}

func TestMetadataUnitsWin(t *testing.T) {
	b := table.NewBuilder(table.Column{Name: "share", Type: table.Float, Unit: "ratio"}, table.Column{Name: "rate", Type: table.Float, Unit: "%"}, table.Column{Name: "amount_usd", Type: table.Float, Unit: "EUR"})
	for _, f := range []float64{0.5, 2.5, 1.25} {
		if err := b.Append(table.FloatValue(f), table.FloatValue(f/10), table.FloatValue(f)); err != nil {
			t.Fatal(err)
		}
	}
	m := Describe(context.Background(), b.Table())
	want := []string{"percent:ratio:.1f", "percent:points:.1f", "currency:EUR:,.2f"}
	for i := range want {
		if m[i].FormattingSuggestion != want[i] || m[i].UnitSource != UnitFromMetadata {
			t.Errorf("%s: %s by %s, want %s by metadata", m[i].OriginalName, m[i].FormattingSuggestion, m[i].UnitSource, want[i])
		}
	}
}

func TestSeveralCurrenciesDoNotAddUp(t *testing.T) {
	m := Describe(context.Background(), csvTable(t, "revenue,currency,revenue_usd\n10.50,EUR,11.00\n20.00,USD,20.00\n"))
	if m[0].Aggregation != AggregateNone || len(m[0].Warnings) == 0 {
		t.Errorf("mixed currencies: %s, %v", m[0].Aggregation, m[0].Warnings)
	}
	if m[2].Aggregation != AggregateSum {
		t.Errorf("dollars: %s", m[2].Aggregation)
	}
	m = Describe(context.Background(), csvTable(t, "revenue,currency,n\n10.50,EUR,1\n20.00,EUR,2\n"))
	if m[0].Units != "EUR" || m[0].UnitSource != UnitFromValues || m[0].FormattingSuggestion != "currency:EUR:,.2f" {
		t.Errorf("one currency: %q from %q, %s", m[0].Units, m[0].UnitSource, m[0].FormattingSuggestion)
	}
}

func TestLabelsStayApart(t *testing.T) {
	m := Describe(context.Background(), csvTable(t, "rev,revenue,revenue_usd\n1,2,3\n2,3,4\n"))
	if m[0].CleanedName != "rev" || m[1].CleanedName != "revenue" || m[2].CleanedName != "Revenue" {
		t.Errorf("%q %q %q", m[0].CleanedName, m[1].CleanedName, m[2].CleanedName)
	}
}

func TestOneBadCell(t *testing.T) {
	m := Describe(context.Background(), column(t, "amount_usd", "10.5|11.5|12.25|see note|9.75|8.5"))[0]
	if m.SemanticType != Currency || m.Units != "USD" || m.InvalidCount != 1 || m.Aggregation != AggregateNone {
		t.Errorf("%s %s, %d invalid, %s", m.SemanticType, m.Units, m.InvalidCount, m.Aggregation)
	}
}

func TestGuessedWordsNeedEvidence(t *testing.T) {
	tests := []struct{ name, cells, semantic string }{
		{"PolicePrcntge", "84|76|78|68|101", Integer}, // a guess does not decide alone
		{"police_percent", "84|76|78|68|101", Percentage},
		{"PolicePrcntge", "84.5|76.2|78.1|68.4", Percentage},
	}
	for _, test := range tests {
		if m := Profile(t.Context(), column(t, test.name, test.cells))[0]; m.SemanticType != test.semantic {
			t.Errorf("%s %s: %s, want %s", test.name, test.cells, m.SemanticType, test.semantic)
		}
	}
}
