package xlsx_test

import (
	"bytes"
	"context"
	"fmt"

	"catena/table"
	"catena/table/xlsx"
)

func ExampleWrite() {
	b := table.NewBuilder(table.Column{Name: "price", Type: table.Decimal, Scale: 2, Unit: "EUR"}, table.Column{Name: "day", Type: table.Date})
	if err := b.Append(table.DecimalValue(0, 120450, 2), table.DateValue(2024, 2, 29)); err != nil {
		fmt.Println(err)
		return
	}
	var book bytes.Buffer
	if err := xlsx.Write(context.Background(), &book, xlsx.Sheet{Name: "prices", Table: b.Table()}); err != nil {
		fmt.Println(err)
		return
	}
	found, err := xlsx.ReadTables(book.Bytes(), "prices.xlsx", table.DefaultLimits)
	if err != nil {
		fmt.Println(err)
		return
	}
	again := found[0].Table
	fmt.Println(again.Column(0).Type, again.Column(0).Unit, again.Row(0))
	// Output: decimal EUR [1204.50 2024-02-29]
}
