package profiler_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"catena/profiler"
	"catena/table"
	"catena/table/csv"
)

func ExampleProfile() {
	named, err := csv.Read(strings.NewReader("client_id,ytd_rev_usd,gross_margin\n0101,1204551.25,0.314\n0102,88120.00,0.27\n"), "clients", table.Limits{})
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range profiler.Profile(context.Background(), named.Table) {
		fmt.Printf("%s: %s, %s, %s\n", m.CleanedName, m.SemanticType, m.Role, m.FormattingSuggestion)
	}
	// Output:
	// Client ID: ID, identifier, text
	// Revenue YTD: Currency, measure, currency:USD:,.2f
	// Gross Margin: Percentage, measure, percent:ratio:.1f
}

func ExampleCleanName() {
	label, unit := profiler.CleanName("avg_wait_ms")
	fmt.Println(label, unit)
	// Output: Average Wait Time ms
}
