package number_test

import (
	"fmt"
	"time"

	"catena/formatter/number"
	"catena/table"
)

func Example() {
	amount, err := table.ParseDecimal("-1204551.255")
	if err != nil {
		panic(err)
	}
	for _, spec := range []string{",.2f", "$", "a$,.0f", "$k", ".3e"} {
		f, err := number.Parse(spec)
		if err != nil {
			panic(err)
		}
		f = f.WithCurrency("EUR")
		fmt.Printf("%-7s %s | %s\n", spec, f.Text(amount, number.For("en")), f.Text(amount, number.For("de")))
	}
	// Output:
	// ,.2f    -1,204,551.26 | -1.204.551,26
	// $       -€1,204,551.26 | -1.204.551,26 €
	// a$,.0f  (€1,204,551) | -1.204.551 €
	// $k      -€1.2M | -1,2 Mio. €
	// .3e     -1.205e+06 | -1,205e+06
}

func ExampleLocale_AppendDate() {
	day := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	for _, tag := range []string{"en", "de", "ja"} {
		fmt.Println(string(number.For(tag).AppendDate(nil, day, number.LongDate)))
	}
	// Output:
	// November 21, 2026
	// 21. November 2026
	// 2026年11月21日
}
