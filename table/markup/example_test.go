package markup_test

import (
	"fmt"

	"catena/table"
	"catena/table/markup"
)

func ExampleReadMarkdown() {
	found, err := markup.ReadMarkdown("| city | people |\n|------|-------:|\n| Łódź | 655,279 |\n", "cities.md", table.DefaultLimits)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(found[0].Table.Names(), found[0].Table.Row(0))
	// Output: [city people] [Łódź 655279]
}
