package semantic

import (
	"fmt"
	"testing"

	"catena/table"
	"catena/table/tabletest"
)

// What is made of a table goes with its columns, whatever they are: four times as many take about four times as much.
func TestWideTables(t *testing.T) {
	for name, column := range map[string]func(i int) table.Column{
		"amounts": func(i int) table.Column { return table.Column{Name: fmt.Sprint("amount ", i), Type: table.Int} },
		"levels":  func(i int) table.Column { return table.Column{Name: fmt.Sprint("balance ", i), Type: table.Int} },
		"keys":    func(i int) table.Column { return table.Column{Name: fmt.Sprintf("thing%d_id", i), Type: table.Int} },
	} {
		t.Run(name, func(t *testing.T) {
			cost := func(columns int) uint64 {
				cols, row := []table.Column{{Name: "month", Type: table.Text}}, []table.Value{table.TextValue("May")}
				for i := range columns {
					cols, row = append(cols, column(i)), append(row, table.IntValue(int64(i)))
				}
				b := table.NewBuilder(cols...)
				for range 20 {
					if err := b.Append(row...); err != nil {
						t.Fatal(err)
					}
				}
				wide := b.Table()
				return tabletest.Allocated(func() {
					if _, err := Infer(t.Context(), []Input{{Name: "wide", Table: wide}}); err != nil {
						t.Error(err)
					}
				})
			}
			cost(100) // what is made once
			if few, many := cost(1000), cost(4000); many > 8*few {
				t.Errorf("1,000 columns take %d bytes, 4,000 %d", few, many)
			}
		})
	}
}
