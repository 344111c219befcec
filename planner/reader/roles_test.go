package reader

import (
	"strings"
	"testing"

	"catena/planner/plan"
	"catena/query"
	"catena/query/semantic"
	"catena/table"
)

// flying is flights that refer to airports in two roles.
func flying() *semantic.Model {
	field := func(name string, t table.Type, role semantic.Role) semantic.Field {
		return semantic.Field{Name: name, Label: strings.ReplaceAll(name, "_", " "), Role: role, Type: t}
	}
	to := func(column string) semantic.Relationship {
		return semantic.Relationship{Left: "flights", LeftColumns: []string{column}, Right: "airports", RightColumns: []string{"airport_id"},
			Cardinality: semantic.ManyToOne, Known: semantic.Declared}
	}
	price := field("price", table.Int, semantic.Measure)
	price.Adds = query.AddsFlow
	return &semantic.Model{
		Entities: []semantic.Entity{
			{Table: "airports", Singular: "airport", Plural: "airports", Key: []string{"airport_id"}, Name: "airport", Fields: []semantic.Field{
				field("airport_id", table.Int, semantic.Identifier), field("airport", table.Text, semantic.Dimension),
				field("city", table.Text, semantic.Dimension),
			}},
			{Table: "flights", Singular: "flight", Plural: "flights", Key: []string{"flight_id"}, Fields: []semantic.Field{
				field("flight_id", table.Int, semantic.Identifier), field("from_airport_id", table.Int, semantic.Identifier),
				field("to_airport_id", table.Int, semantic.Identifier), price,
			}},
		},
		Relationships: []semantic.Relationship{to("from_airport_id"), to("to_airport_id")},
	}
}

// What a row refers to in a role is found by the words for the role; without one any role will do.
func TestRoles(t *testing.T) {
	city := func(name string) []plan.Hit {
		return []plan.Hit{{Table: "airports", Column: "city", Value: name, Match: plan.Exact, Score: 1, Rows: 2, Values: 1}}
	}
	values := severalHits{"paris": city("Paris"), "rome": city("Rome")}
	const of = " is among (airport_id of airports where city is "
	for message, want := range map[string]string{
		"flights from Paris to Rome":       "from_airport_id" + of + `"Paris") and to_airport_id` + of + `"Rome")`,
		"flights arriving in Rome":         "where to_airport_id" + of + `"Rome")`,
		"flights of Rome":                  "from_airport_id" + of + `"Rome") or to_airport_id` + of + `"Rome")`,
		"airports without flights":         "not (airport_id is among (from_airport_id of flights) or airport_id is among (to_airport_id of flights))",
		"number of flights by destination": "number of rows for each airport, of flights, with airports where to_airport_id is airport_id",
		"total price by origin city":       "sum of price for each city, of flights, with airports where from_airport_id is airport_id",
	} {
		model := flying()
		list, err := New().Readings(t.Context(), plan.Request{Message: message, Values: values}, model)
		if err != nil || len(list) == 0 {
			t.Fatalf("%s: %d readings, %v", message, len(list), err)
		}
		if words := query.Words(list[0].Query, scopeOf(model, nil), "en"); !strings.Contains(words, want) {
			t.Errorf("%s: %s", message, words)
		}
	}
}

// Who reports to somebody refers to him, and not the other way round.
func TestRolesWithinATable(t *testing.T) {
	field := func(name string, t table.Type, role semantic.Role) semantic.Field {
		return semantic.Field{Name: name, Label: strings.ReplaceAll(name, "_", " "), Role: role, Type: t}
	}
	model := &semantic.Model{
		Entities: []semantic.Entity{{
			Table: "staff", Singular: "employee", Plural: "employees", Key: []string{"staff_id"}, Name: "name",
			Fields: []semantic.Field{
				field("staff_id", table.Int, semantic.Identifier), field("name", table.Text, semantic.Dimension),
				field("manager_id", table.Int, semantic.Identifier),
			},
		}},
		Relationships: []semantic.Relationship{{
			Left: "staff", LeftColumns: []string{"manager_id"}, Right: "staff", RightColumns: []string{"staff_id"},
			Cardinality: semantic.ManyToOne, Role: "manager", Known: semantic.Declared,
		}},
	}
	values := severalHits{"ada": {{Table: "staff", Column: "name", Value: "Ada", Match: plan.Exact, Score: 1, Rows: 1, Values: 1}}}
	const want = `where manager_id is among (staff_id of staff where name is "Ada")`
	for _, message := range []string{"employees managed by Ada", "who reports to Ada", "how many employees report to Ada"} {
		list, err := New().Readings(t.Context(), plan.Request{Message: message, Values: values}, model)
		if err != nil || len(list) == 0 {
			t.Fatalf("%s: %d readings, %v", message, len(list), err)
		}
		if words := query.Words(list[0].Query, scopeOf(model, nil), "en"); !strings.Contains(words, want) {
			t.Errorf("%s: %s", message, words)
		}
	}
}
