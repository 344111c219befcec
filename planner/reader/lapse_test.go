package reader

import (
	"strings"
	"testing"

	"catena/planner/plan"
	"catena/query"
	"catena/query/semantic"
	"catena/table"
)

// repairs are repairs with the times when they were reported, begun and finished.
func repairs() (*semantic.Model, []plan.TableInfo) {
	field := func(name string, t table.Type, role semantic.Role) semantic.Field {
		return semantic.Field{Name: name, Label: strings.ReplaceAll(name, "_", " "), Role: role, Type: t, Kind: t.String()}
	}
	cost := field("cost", table.Float, semantic.Measure)
	cost.Adds = query.AddsFlow
	visits := field("visits", table.Int, semantic.Measure)
	visits.Adds = query.AddsFlow
	model := &semantic.Model{Entities: []semantic.Entity{{
		Table: "repairs", Singular: "repair", Plural: "repairs", Key: []string{"repair_id"}, Time: "reported_on",
		Fields: []semantic.Field{
			field("repair_id", table.Int, semantic.Identifier), field("shop", table.Text, semantic.Dimension),
			field("technician", table.Text, semantic.Dimension), field("warranty", table.Text, semantic.Dimension),
			field("reported_on", table.DateTime, semantic.Time), field("delivered_on", table.DateTime, semantic.Time),
			field("inspected_on", table.DateTime, semantic.Time), cost, visits,
		},
	}}}
	return model, []plan.TableInfo{{Name: "repairs", Rows: 80, Columns: []plan.ColumnInfo{
		{Name: "warranty", Distinct: 2, Yes: "Y", No: "N"},
	}}}
}

// How long it takes is between the times that are named; a formula in brackets is what a name stands for; yes and no
// beside each other are groups.
func TestTimesFormulasAndFlags(t *testing.T) {
	wantFirst(t, repairs, map[string]string{
		"average days between inspection and delivery by shop": "average of the day number of delivered_on minus the " +
			"day number of inspected_on for each shop",
		"how many days does it take on average from inspection to delivery": "average of the day number of delivered_on minus " +
			"the day number of inspected_on",
		"average time to delivery in hours": "average of (the day number of delivered_on minus the day number of " +
			"reported_on) times 24",
		"cost rate (cost / visits) by shop":           "sum of cost divided by sum of visits for each shop",
		"total cost with and without warranty":        "sum of cost for each warranty",
		"repairs with warranty":                       "where warranty is \"Y\"",
		"number of repairs without warranty":          "where warranty is \"N\"",
		"technician with the most repairs per shop":   "the first one for each shop",
		"average repairs per month":                   "average of number of rows of all (number of rows for each month",
		"rank shops by cost":                          "rank along sum of cost from the highest",
		"cumulative cost by month":                    "sum of cost, sum of sum of cost along month",
		"repairs where the second highest cost is in": "after the first 1",
	})
}
