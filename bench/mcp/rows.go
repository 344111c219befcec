package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strconv"
	"time"
)

// order is a row of the table that all three servers give.
type order struct {
	ID       int     `json:"order_id"`
	Client   string  `json:"client"`
	Region   string  `json:"region"`
	Ordered  string  `json:"ordered"`
	Quantity int     `json:"quantity"`
	Revenue  float64 `json:"revenue_usd"`
}

// rowCount is how many rows the table has.
const rowCount = 1000

// orders makes the table, the same at each run.
func orders() []order {
	regions := []string{"North", "South", "East", "West", "Overseas"}
	first := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	out := make([]order, rowCount)
	for i := range out {
		out[i] = order{
			ID: 100_000 + i, Client: fmt.Sprintf("Client %03d of %s", i*7%331, regions[i*3%5]), Region: regions[i%5],
			Ordered: first.AddDate(0, 0, i*11%700).Format(time.DateOnly), Quantity: 1 + i*13%97, Revenue: float64(1000+i*7919%900_000) / 100,
		}
	}
	return out
}

// ordersCSV is the table as the file that Catena reads.
func ordersCSV() ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	_ = w.Write([]string{"order_id", "client", "region", "ordered", "quantity", "revenue_usd"}) // Error tells
	for _, o := range orders() {
		_ = w.Write([]string{strconv.Itoa(o.ID), o.Client, o.Region, o.Ordered, strconv.Itoa(o.Quantity), strconv.FormatFloat(o.Revenue, 'f', 2, 64)})
	}
	w.Flush()
	return b.Bytes(), w.Error()
}
