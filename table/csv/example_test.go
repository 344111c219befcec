package csv_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"catena/table"
	"catena/table/csv"
)

func ExampleRead() {
	const text = "client;signed;revenue\nÅngström AB;31/01/2024;\"€1,204.50\"\nNorth & Co;01/02/2024;€98.00\n"
	named, err := csv.Read(strings.NewReader(text), "clients.csv", table.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range named.Table.Columns() {
		fmt.Printf("%s %s %q\n", c.Name, c.Type, c.Unit)
	}
	fmt.Println(named.Table.Row(0))
	fmt.Println(named.Report.Notes)
	// Output:
	// client text ""
	// signed date ""
	// revenue decimal "EUR"
	// [Ångström AB 2024-01-31 1204.50]
	// [column "signed": dates were read as D/M/YYYY]
}

func ExampleWriteHarmless() {
	b := table.NewBuilder(table.Column{Name: "note", Type: table.Text}, table.Column{Name: "n", Type: table.Int})
	if err := b.Append(table.TextValue("=1+1"), table.IntValue(-2)); err != nil {
		fmt.Println(err)
		return
	}
	if err := csv.WriteHarmless(context.Background(), os.Stdout, b.Table()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// note,n
	// "'=1+1",-2
}
