package reader

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"catena/planner/plan"
	"catena/planner/reader/link"
	"catena/query/semantic"
	"catena/table"
)

// denormalized is bookings that repeat columns of their guests, and name two towns.
func denormalized() *semantic.Model {
	text := func(name string, of semantic.ColumnName) semantic.Field {
		return semantic.Field{Name: name, Label: strings.ReplaceAll(name, "_", " "), Role: semantic.Dimension, Type: table.Text, CopyOf: of}
	}
	none := semantic.ColumnName{}
	return &semantic.Model{
		Entities: []semantic.Entity{
			{Table: "guests", Singular: "guest", Plural: "guests", Key: []string{"guest_id"}, Name: "guest", Fields: []semantic.Field{
				text("guest_id", none), text("guest", none), text("nation", none),
			}},
			{Table: "bookings", Singular: "booking", Plural: "bookings", Fields: []semantic.Field{
				text("guest_id", none), text("guest", semantic.ColumnName{Table: "guests", Column: "guest"}),
				text("nation", semantic.ColumnName{Table: "guests", Column: "nation"}),
				{Name: "nights", Label: "nights", Role: semantic.Measure, Type: table.Int, Adds: "flow"},
				text("from_town", none), text("to_town", none),
			}},
			{Table: "towns", Singular: "town", Plural: "towns", Key: []string{"town"}, Name: "town", Fields: []semantic.Field{text("town", none)}},
		},
		Relationships: []semantic.Relationship{
			{Left: "bookings", LeftColumns: []string{"guest_id"}, Right: "guests", RightColumns: []string{"guest_id"}, Cardinality: semantic.ManyToOne, Known: semantic.Declared},
			{Left: "bookings", LeftColumns: []string{"from_town"}, Right: "towns", RightColumns: []string{"town"}, Cardinality: semantic.ManyToOne, Known: semantic.Declared},
			{Left: "bookings", LeftColumns: []string{"to_town"}, Right: "towns", RightColumns: []string{"town"}, Cardinality: semantic.ManyToOne, Known: semantic.Declared},
		},
	}
}

// severalHits are values that stand in several columns.
type severalHits map[string][]plan.Hit

func (v severalHits) Find(_ context.Context, phrase string) []plan.Hit {
	return v[strings.ToLower(phrase)]
}

// A column is asked of the table that has it, and no reading joins another for its copy.
func TestCopiedColumns(t *testing.T) {
	values := severalHits{"spain": {
		{Table: "guests", Column: "nation", Value: "Spain", Match: plan.Exact, Score: 1, Rows: 3, Values: 1},
		{Table: "bookings", Column: "nation", Value: "ES", Match: plan.Exact, Score: 1, Rows: 9, Values: 1},
	}}
	for _, test := range []struct{ message, from, holds string }{
		{"total nights by nation", "bookings", `{"col":"nation"}`},
		{"total nights per guest", "bookings", `{"col":"guest"}`},
		{"total nights in Spain", "bookings", `"ES"`},
		{"how many guests in Spain", "guests", `"Spain"`},
		{"bookings from Spain", "bookings", `"ES"`},
	} {
		list, err := New().Readings(t.Context(), plan.Request{Message: test.message, Values: values}, denormalized())
		if err != nil || len(list) == 0 {
			t.Fatalf("%s: %d readings, %v", test.message, len(list), err)
		}
		said, _ := json.Marshal(list[0].Query)
		got := string(said)
		if !strings.HasPrefix(got, `{"from":"`+test.from+`"`) || !strings.Contains(got, test.holds) || strings.Contains(got, "join") {
			t.Errorf("%s: %s", test.message, got)
		}
	}
}

// What refers to a row is not that row: conditions on it stay, but for those of the row itself.
func TestColumnAt(t *testing.T) {
	s := scopeOf(denormalized(), nil)
	name := func(c column) string { return s.Entity(c.Table).Table + "." + s.Field(c.FieldRef).Name }
	of := func(table, field int) column { return column{FieldRef: link.FieldRef{Table: table, Field: field}} }
	for _, test := range []struct {
		table int
		of    column
		want  string
	}{
		{1, of(0, 2), "bookings.nation"}, {0, of(1, 2), "guests.nation"}, {1, of(0, 0), "bookings.guest_id"},
		{0, of(1, 0), "bookings.guest_id"}, {1, of(2, 0), "towns.town"}, {2, of(1, 4), "bookings.from_town"},
	} {
		if got := name(s.columnAt(test.table, test.of)); got != test.want {
			t.Errorf("%s at %d: %s, want %s", name(test.of), test.table, got, test.want)
		}
	}
}
