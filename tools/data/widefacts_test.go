package data

import (
	"fmt"
	"testing"

	"catena/table"
	"catena/table/tabletest"
)

// What is found out of a table before its first question takes no time for each column whose name is strange.
func TestFactsOfWideTables(t *testing.T) {
	wide := func(columns int) *table.Table {
		list, row := make([]table.Column, columns), make([]table.Value, columns)
		for i := range list {
			list[i] = table.Column{Name: fmt.Sprintf("cstmrz_adrsq_%d_%d_prdcv", columns, i), Type: table.Int}
			row[i] = table.IntValue(int64(i))
		}
		b := table.NewBuilder(list...)
		if err := b.Append(row...); err != nil {
			t.Fatal(err)
		}
		return b.Table()
	}
	cost := func(columns int) uint64 {
		made := wide(columns)
		return tabletest.Allocated(func() { Describe("wide", made) })
	}
	cost(10) // what is made once
	if few, many := cost(500), cost(8000); many > 4*few {
		t.Errorf("500 columns take %d bytes, 8,000 %d", few, many)
	}
}
