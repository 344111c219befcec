package data

import (
	"fmt"
	"testing"

	"catena/profiler"
	"catena/table"
)

// TestRolesAreTheProfilers: what a planner is told of a column and what describe_table shows are one decision, also of a table without rows.
func TestRolesAreTheProfilers(t *testing.T) {
	columns := []table.Column{{Name: "member_id", Type: table.Int}, {Name: "is_paid", Type: table.Int}, {Name: "has_dog", Type: table.Int}, {Name: "zip", Type: table.Int},
		{Name: "fiscal_year", Type: table.Int}, {Name: "week", Type: table.Int}, {Name: "joined", Type: table.Date}, {Name: "fee_eur", Type: table.Float}, {Name: "city", Type: table.Text}, {Name: "person_id", Type: table.Text}}
	for _, rows := range []int{0, 40} {
		b := table.NewBuilder(columns...)
		for i := range int64(rows) {
			if err := b.Append(table.IntValue(7000+i), table.IntValue(i%2), table.IntValue(i%3/2), table.IntValue(10115+i%7), table.IntValue(2020+i%4), table.IntValue(1+i%52),
				table.DateValue(2026, 3, 1+int(i%28)), table.FloatValue(float64(i)*1.5), table.TextValue("Bern"), table.TextValue(fmt.Sprintf("p%d", i))); err != nil {
				t.Fatal(err)
			}
		}
		members := b.Table()
		meta := profiler.Profile(t.Context(), members)
		for i, c := range Describe("members", members).Columns {
			if c.Role != meta[i].Role {
				t.Errorf("%d rows: %s is a %s for planners, a %s in its profile", rows, c.Name, c.Role, meta[i].Role)
			}
		}
		for _, i := range []int{0, len(columns) - 1} {
			if want := profiler.RoleIdentifier; meta[i].Role != want {
				t.Errorf("%d rows: %s is a %s, want %s", rows, columns[i].Name, meta[i].Role, want)
			}
		}
	}
}
