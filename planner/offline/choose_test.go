package offline

import (
	"strings"
	"testing"

	"catena/planner/plan"
)

// A measure that the question names chooses the table, before a dimension that another table has by a better name.
func TestOfflineMeasureChoosesTheTable(t *testing.T) {
	sheets := []plan.TableInfo{
		{Name: "sales", Rows: 30, Columns: []plan.ColumnInfo{
			{Name: "Region Land", Type: "text", Role: "dimension", Distinct: 2}, {Name: "Region City", Type: "text", Role: "dimension", Distinct: 12},
			{Name: "2025 Revenue", Type: "decimal", Role: "measure", Unit: "EUR", Min: "1.00", Max: "90.00", Distinct: 30}}},
		{Name: "sales_Cities", Rows: 12, Columns: []plan.ColumnInfo{
			{Name: "city", Type: "text", Role: "dimension", Distinct: 12}, {Name: "pop", Type: "integer", Role: "measure", Min: "1", Max: "9000", Distinct: 12}}},
	}
	files := []plan.TableInfo{
		{Name: "bookings", Rows: 30, Columns: []plan.ColumnInfo{
			{Name: "hotel", Type: "text", Role: "dimension", Distinct: 12}, {Name: "revenue", Type: "decimal", Role: "measure", Min: "1.00", Max: "90.00", Distinct: 30}}},
		{Name: "hotels", Rows: 12, Columns: []plan.ColumnInfo{
			{Name: "hotel", Type: "text", Role: "dimension", Distinct: 12}, {Name: "town", Type: "text", Role: "dimension", Distinct: 4}, {Name: "beds", Type: "integer", Role: "measure", Min: "1", Max: "900", Distinct: 12}}},
	}
	for _, c := range []struct {
		tables        []plan.TableInfo
		message, want string
	}{
		{sheets, "revenue by city", `{"group_by":["Region City"],"select":["Region City",{"column":"2025 Revenue","expr":"sum"}],"table":"sales"}`},
		{sheets, "total revenue by city", `{"group_by":["Region City"],"select":["Region City",{"column":"2025 Revenue","expr":"sum"}],"table":"sales"}`},
		{sheets, "total sales by city", `{"group_by":["Region City"],"select":["Region City",{"column":"2025 Revenue","expr":"sum"}],"table":"sales"}`},
		{sheets, "average revenue", `{"select":[{"column":"2025 Revenue","expr":"mean"}],"table":"sales"}`},
		{sheets, "population by city", `{"group_by":["city"],"select":["city",{"column":"pop","expr":"sum"}],"table":"sales_Cities"}`},
		{sheets, "how many cities are there", `{"select":[{"as":"count","expr":"count"}],"table":"sales_Cities"}`},
		{files, "total revenue by town", `{"group_by":["town"],"join":[{"how":"left","on":[["hotel","hotel"]],"table":"hotels"}],"select":["town",{"column":"revenue","expr":"sum"}],"table":"bookings"}`},
		{files, "beds by town", `{"group_by":["town"],"select":["town",{"column":"beds","expr":"sum"}],"table":"hotels"}`},
	} {
		req := plan.Request{Message: c.message, Now: testNow, Tables: c.tables, Values: fakeValues{}, Tools: testTools}
		resp, err := New().Plan(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		if got := stepsOf(resp.Plan); !strings.HasPrefix(got, c.want) {
			t.Errorf("%q gave %s, want %s", c.message, got, c.want)
		}
	}
}
