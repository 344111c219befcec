package anomaly_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"catena/profiler/anomaly"
	"catena/table"
	"catena/table/csv"
)

func ExampleOutliers() {
	named, err := csv.Read(strings.NewReader("weight_kg\n12.1\n11.8\n12.4\n1190\n12.0\n11.6\n12.2\n11.9\n12.3\n"), "parcels", table.Limits{})
	if err != nil {
		log.Fatal(err)
	}
	for _, o := range anomaly.Outliers(named.Table, 0) {
		fmt.Printf("row %d: %v where %v is usual\n%s\n", o.Row+1, o.Value, o.Usual, o.Why)
	}
	// Output:
	// row 4: 1190 where 12.1 is usual
	// 3972.4 robust deviations above the median; divided by 100 it would be usual
}

func ExampleUnusualRows() {
	var text strings.Builder
	text.WriteString("weight_kg,distance_km\n")
	for i := range 300 {
		distance := 30 + 3*i
		if i == 141 {
			distance = 120
		}
		fmt.Fprintf(&text, "%d,%d\n", 10+i, distance)
	}
	named, err := csv.Read(strings.NewReader(text.String()), "trips", table.Limits{})
	if err != nil {
		log.Fatal(err)
	}
	rows, err := anomaly.UnusualRows(context.Background(), named.Table, anomaly.RowOptions{})
	if err != nil {
		log.Fatal(err)
	}
	for _, u := range rows {
		fmt.Printf("row %d: %s\n", u.Row+1, u.Why)
	}
	// Output: row 142: 5.6 times as far from similar rows as usual: distance_km 1.1 robust deviations below the median, weight_kg 0.1 robust deviations below the median
}
