package load_test

import (
	"context"
	"fmt"
	"os"

	"catena/table"
	"catena/table/csv"
	"catena/table/load"
)

func ExampleTable_Group() {
	t, err := load.Text("region,day,amount\nNorth,2024-01-05,1.10\nSouth,2024-01-09,2.20\nNorth,2024-02-01,0.30\n", table.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	byRegion, err := t.Group(
		[]table.GroupKey{{Column: "region", As: "where"}},
		[]table.Aggregate{{Func: table.Sum, Column: "amount"}, {Func: table.Count}})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := csv.Write(context.Background(), os.Stdout, byRegion); err != nil {
		fmt.Println(err)
	}
	// Output:
	// where,sum_amount,count
	// North,1.40,2
	// South,2.20,1
}

func ExampleTable_Lookup() {
	t, err := load.Text("client_id,revenue_usd\n1,2\n", table.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = t.Lookup("revenue")
	fmt.Println(err)
	// Output: there is no column "revenue"; did you mean "revenue_usd"?
}

func ExampleParseDecimal() {
	price, err := table.ParseDecimal("0.10")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(price, price.Type(), table.Compare(price, table.FloatValue(0.1)))
	// Output: 0.10 decimal -1
}
