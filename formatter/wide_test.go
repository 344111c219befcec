package formatter

import (
	"fmt"
	"strings"
	"testing"
)

// What a reader keeps of a wide table: what names the rows, a measure, one time, then the other measures.
func TestMostTellingColumns(t *testing.T) {
	const shop = "order_id,order_date,ship_date,due_date,customer,region,revenue_usd,quantity,margin_pct\n" +
		"1,2025-01-03,2025-01-05,2025-01-09,Acme,North,120.50,3,12.5\n2,2025-01-04,2025-01-06,2025-01-10,Bolt,South,80.00,2,11.0\n" +
		"3,2025-02-04,2025-02-06,2025-02-10,Core,North,99.10,5,9.2\n4,2025-02-14,2025-02-16,2025-02-20,Dyn,West,310.00,7,14.9\n"
	tests := []struct {
		name, text string
		most       int
		want       string
	}{
		{"one date", shop, 3, "Order Date|Customer|Revenue (USD)"},
		{"two", shop, 2, "Customer|Revenue (USD)"},
		{"measures before dates", shop, 5, "Order Date|Customer|Revenue (USD)|Quantity|Margin (%)"},
		{"no label", "created_at,updated_at,closed_at,amount,hours\n2025-01-03,2025-01-05,2025-01-09,12.5,3\n2025-01-04,2025-01-06,2025-01-10,11.5,4\n", 2, "Created At|Amount"},
		{"a key where names repeat", "sku,color,stocked_at,price\nAB-12,red,2025-01-01,3.5\nAB-13,red,2025-01-02,3.0\nAB-14,red,2025-01-03,1.5\nAB-15,blue,2025-01-04,2.5\nAB-16,red,2025-01-04,2.5\n", 2, "SKU|Price"},
		{"names before keys", "account_id,opened_at,closed_at,owner,balance_usd\n17,2025-01-01,2025-02-01,Ann,3.5\n18,2025-01-02,2025-02-02,Bo,3.0\n19,2025-01-03,2025-02-04,Cid,1.5\n", 3, "Opened At|Owner|Balance (USD)"},
	}
	for _, tt := range tests {
		got, _, _ := strings.Cut(formatted(t, tt.text, Options{MaxColumns: tt.most}), "|\n")
		_, got, _ = strings.Cut(got, "\n\n|")
		if got != tt.want {
			t.Errorf("%s: columns %s, want %s", tt.name, got, tt.want)
		}
	}
}

// A wide table that says the same in every row, or nothing, is still shown.
func TestWideTableOfConstants(t *testing.T) {
	for name, cell := range map[string]string{"constant": "x", "empty": ""} {
		names, row := make([]string, 30), make([]string, 30)
		for i := range names {
			names[i], row[i] = fmt.Sprintf("field%c%c", 'a'+i/26, 'a'+i%26), cell
		}
		text := strings.Join(names, ",") + "\n" + strings.Repeat(strings.Join(row, ",")+"\n", 3)
		got := formatted(t, text, Options{})
		if !strings.Contains(got, "20 of 30 columns are shown") || !strings.Contains(strings.ToLower(got), "|fieldaa|fieldab|") {
			t.Errorf("%s:\n%s", name, got)
		}
	}
}
