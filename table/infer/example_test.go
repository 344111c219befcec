package infer_test

import (
	"fmt"

	"catena/table/infer"
)

func ExampleTexts_Infer() {
	column := infer.Texts{Name: "price", Cells: []string{"€1.204,50", "€98,00", "n/a"}}
	got := column.Infer()
	fmt.Println(got.Column.Type, got.Column.Scale, got.Column.Unit, got.Array)
	for _, note := range got.Notes {
		fmt.Println(note)
	}
	// Output:
	// decimal 2 EUR [1204.5 98 (null)]
	// column "price": the comma was read as the decimal point
	// column "price": 1 cell such as NA or - was read as null
}

func ExampleReadValue() {
	for _, cell := range []string{"(1,234.50)", "12 %", "1.234", "n/a"} {
		r := infer.ReadValue(cell)
		fmt.Printf("%s: %s %s %q\n", cell, r.Kind, r.Value, r.Unit)
	}
	// Output:
	// (1,234.50): Number -1234.50 ""
	// 12 %: Percentage 12 "%"
	// 1.234: Number 1.234 ""
	// n/a: Null null ""
}
