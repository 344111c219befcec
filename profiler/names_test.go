package profiler

import (
	"strings"
	"testing"
	"unicode/utf8"

	"catena/profiler/names"
)

func TestReadName(t *testing.T) {
	tests := []struct{ name, label, unit string }{
		{"ytd_rev_usd", "Revenue YTD", "USD"},
		{"mtd_sls_eur", "Sales MTD", "EUR"},
		{"client_id", "Client ID", ""},
		{"ClientID", "Client ID", ""},
		{"clientIDs", "Client IDs", ""},
		{"gross-margin-pct", "Gross Margin", "%"},
		{"gross_margin", "Gross Margin", ""},
		{"Gross margin", "Gross margin", ""},
		{"avg_wait_ms", "Average Wait Time", "ms"},
		{"dist_km", "Distance", "km"},
		{"Distance [km]", "Distance", "km"},
		{"Revenue ($)", "Revenue", "USD"},
		{"Revenue (in €M)", "Revenue", "EUR millions"},
		{"rev_usd_k", "Revenue", "USD thousands"},
		{"last_12_months", "Last 12 Months", ""},
		{"NA", "NA", ""},
		{"na_visits", "NA Visits", ""},
		{"count_share", "Share of Count", ""},
		{"Na", "Na", ""},
		{"mac_address", "MAC Address", ""},
		{"lan_ip", "LAN IP", ""},
		{"iot_id", "IoT ID", ""},
		{"energy_kwh", "Energy", "kWh"},
		{"opt_in", "Opt In", ""},
		{"sold_out", "Sold Out", ""},
		{"bytes_out", "Bytes Out", ""},
		{"own_funds", "Own Funds", ""},
		{"out_qty", "Out Quantity", ""},
		{"FY25", "FY25", ""},
		{"1Q25", "1Q25", ""},
		{"last_12_months_usd", "Last 12 Months", "USD"},
		{"revenue_usd_2025", "Revenue 2025", "USD"},
		{"revenue_usd_share", "Revenue Share", "USD"},
		{"eur_usd", "EUR USD", ""},
		{"hourly_rate_usd", "Hourly Rate", "USD"},
		{"eur_usd_rate", "EUR USD Rate", ""},
		{"growth_per_year", "Growth per Year", ""},
		{"lead_time_days", "Lead Time", "days"},
		{"Weight_in_lbs", "Weight", "lb"},
		{"Water level cm", "Water level", "cm"},
		{"Running time min", "Running time", "min"},
		{"b_usd", "B", "USD"},
		{"usd_mn_sales", "Mn Sales", "USD"},
		{"sales_usd_mn", "Sales", "USD millions"},
		{"sales_mn_usd", "Sales", "USD millions"},
		{"Growth (%)", "Growth", "%"},
		{"% of total", "% of total", "%"},
		{"SUM(amount_usd)", "Total Amount", "USD"},
		{"sum_revenue_usd", "Total Revenue", "USD"},
		{"sum of liters", "Total Liters", "L"}, {"max_of_hours", "Max Hours", "h"}, {"total_of_revenue_usd", "Total Revenue", "USD"},
		{"mean_orders", "Average Orders", ""},
		{"count(*)", "Count", ""},
		{"count_distinct_client", "Distinct Client Count", ""},
		{"max_of_price_usd", "Max Price", "USD"},
		{"days_past_due", "Days Past Due", "days"},
		{"is_active", "Is Active", ""},
		{"active_yn", "Active", ""},
		{"has_discount_flg", "Has Discount", ""},
		{"HTTPStatusCode", "HTTP Status Code", ""},
		{"Q1Sales", "Q1 Sales", ""},
		{"p95_latency_ms", "P95 Latency", "ms"},
		{"pop_2020", "Population 2020", ""},
		{"ship_to_ctry", "Ship to Country", ""},
		{"usd_per_unit", "USD per Unit", ""},
		{"price_min", "Price Min", ""},
		{"all_sales", "All Sales", ""},
		{"top_region", "Top Region", ""},
		{"SALES_ALL", "Sales", "ALL"}, // in capitals the code of the lek is a code
		{"Unnamed: 0", "Index", ""},
		{"", "Index", ""},
		{"usd", "USD", "USD"},
		{"größe_cm", "Größe", "cm"},
		{"___", "___", ""},
		{"Anteil", "Anteil", ""}, // words of other languages are no short forms
		{"codigo_postal", "Codigo Postal", ""},
		{"hms", "Hms", ""}, // three letters mean anything
		{"amb", "Amb", ""},
		{"n", "N", ""},
		{"n.x", "N X", ""},
		{"n_orders", "Number of Orders", ""},
		{"lt", "Lt", ""},
		{"cur", "Cur", ""},
		{"cur_qty", "Current Quantity", ""},
		{"bouncerate", "Bounce Rate", ""},
		{"checkno", "Check Number", ""},
		{"employmnt_nm", "Employment Name", ""}, // letters are missing that nobody could leave out in speaking
		{"price_min_lvl", "Price Min Level", ""},
		{"headcount", "Headcount", ""},
	}
	for _, tt := range tests {
		if label, unit := CleanName(tt.name); label != tt.label || unit != tt.unit {
			t.Errorf("CleanName(%q) = %q, %q; want %q, %q", tt.name, label, unit, tt.label, tt.unit)
		}
	}
}

// Short forms of months and weekdays are so beside a year, a day or another month, and in names that differ in nothing
// else.
func TestDatesInNames(t *testing.T) {
	for _, tt := range []struct{ names, labels string }{
		{"revenue_nov_2024_to_oct_2025_usd", "Revenue November 2024 to October 2025"},
		{"sep_2024", "September 2024"}, {"2024-dec", "2024 December"}, {"mar_2024", "March 2024"}, {"dec_25", "December 25"},
		{"jun_to_sep", "June to September"}, {"jan_dec_total", "January December Total"}, {"sat_sun", "Saturday Sunday"},
		{"mon_to_fri", "Monday to Friday"}, {"apr_1", "April 1"}, {"thur_to_sat", "Thursday to Saturday"},
		{"Oct 2024 revenue", "Oct 2024 revenue"}, {"Sales Jan 2024", "Sales Jan 2024"}, // written for people
		{"item|jan|feb|mar|apr|oct|dec", "Item|January|February|March|April|October|December"},
		{"sales_sep|sales_oct|sales_dec|oct_size", "Sales September|Sales October|Sales December|Octal Size"},
		{"mon|tue|sat", "Monday|Tuesday|Saturday"},
		{"dec_places", "Decimal Places"}, {"sat_score", "SAT Score"}, {"sat_2024", "SAT 2024"}, {"apr_rate", "APR Rate"},
		{"oct_hex|dec_hex", "Octal Hexadecimal|Decimal Hexadecimal"},
	} {
		var labels []string
		for _, n := range ReadNames("", strings.Split(tt.names, "|")) {
			labels = append(labels, n.Label)
		}
		if got := strings.Join(labels, "|"); got != tt.labels {
			t.Errorf("%s is read as %s, want %s", tt.names, got, tt.labels)
		}
	}
}

// A table keeps its own words.
func TestTableLabel(t *testing.T) {
	for name, want := range map[string]string{"bool": "Bool", "neg": "Neg", "cur": "Cur", "unk": "Unk", "lt": "Lt", "top_clients": "Top Clients", "crm_leads": "CRM Leads", "salesByRegion": "Sales by Region",
		"Verkauf 2025": "Verkauf 2025", "sales_usd": "Sales USD", "": "", "__": "__"} {
		if got := TableLabel(name); got != want {
			t.Errorf("TableLabel(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestDictionaryValuesAreClean(t *testing.T) {
	for short, long := range names.Abbreviations() {
		if short != strings.ToLower(short) || strings.TrimSpace(long) != long || long == "" {
			t.Errorf("abbreviation %q -> %q", short, long)
		}
	}
}

func FuzzReadName(f *testing.F) {
	for _, s := range []string{"ytd_rev_usd", "SUM(x)", "a(", "%", "€m", "Revenue (in $M)", "\xff", "ID", "éÉ", "()"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		n := ReadName(name)
		if n.Label == "" {
			t.Fatalf("%q has no label", name)
		}
		if utf8.ValidString(name) && !utf8.ValidString(n.Label) {
			t.Fatalf("%q gives the label %q, which is not UTF-8", name, n.Label)
		}
		if again := ReadName(name); again.Label != n.Label || again.Unit != n.Unit {
			t.Fatalf("%q is read in two ways: %v and %v", name, n, again)
		}
	})
}
