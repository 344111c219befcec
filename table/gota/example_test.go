package gota_test

import (
	"fmt"

	"github.com/go-gota/gota/dataframe"

	"catena/table"
	"catena/table/gota"
)

func ExampleToTable() {
	frame := dataframe.LoadRecords([][]string{{"client", "revenue"}, {"North", "1204.50"}, {"South", "98.00"}}, dataframe.DetectTypes(false))
	t, err := gota.ToTable(frame, table.Column{Name: "revenue", Type: table.Decimal, Scale: 2, Unit: "EUR"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(t.Column(1).Type, t.Column(1).Unit, t.Row(0))
	// Output: decimal EUR [North 1204.50]
}
