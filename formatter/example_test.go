package formatter_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"catena/formatter"
	"catena/profiler"
	"catena/table"
	"catena/table/csv"
)

func ExampleFormat() {
	const text = "client,ytd_rev_usd,gross_margin\nAbbott & Lane,3902004.75,0.27\nNorthwind Freight,4120339.10,0.314\n"
	named, err := csv.Read(strings.NewReader(text), "clients", table.Limits{})
	if err != nil {
		log.Fatal(err)
	}
	meta := profiler.Profile(context.Background(), named.Table)
	view, err := formatter.Format(named.Table, meta, formatter.Options{Title: "Top clients", RankBy: "ytd_rev_usd", SummaryRow: true, Total: 112})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(view.Markdown())
	// Output:
	// **Top clients** (showing 2 of 112)
	//
	// |#|Client|Revenue YTD (USD)|Gross Margin|
	// |-:|-|-:|-:|
	// |1|Northwind Freight|$4,120,339.10|31.4%|
	// |2|Abbott & Lane|$3,902,004.75|27.0%|
	// ||**Total** (gross margin: mean weighted by revenue YTD)|**$8,022,343.85**|**29.3%**|
}

func ExampleValue() {
	v, err := table.ParseDecimal("-1204551.255")
	if err != nil {
		log.Fatal(err)
	}
	format, err := profiler.ParseSuggestion("currency:EUR:,.2f")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(formatter.Value(v, format, formatter.LocaleFor("en"), formatter.ASCIIMinus))
	// Output: -€1,204,551.26
}
