package json_test

import (
	"fmt"
	"strings"

	"catena/table"
	"catena/table/json"
)

func ExampleRead() {
	const text = `{"data": [{"id": 1, "size": {"w": 2, "h": 3}}, {"id": 2}]}`
	named, err := json.Read(strings.NewReader(text), "boxes.json", table.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(named.Table.Names())
	fmt.Println(named.Table.Row(0), named.Table.Row(1))
	// Output:
	// [id size.w size.h]
	// [1 2 3] [2 null null]
}
