package semantic

import "testing"

func TestWithin(t *testing.T) {
	m := &Model{
		Entities: []Entity{{Table: "clients"}, {Table: "orders"}, {Table: "rates"}},
		Relationships: []Relationship{
			{Left: "orders", LeftColumns: []string{"client"}, Right: "clients", RightColumns: []string{"id"}},
			{Left: "orders", LeftColumns: []string{"day"}, Right: "rates", RightColumns: []string{"day"}},
		},
	}
	got := m.Within(func(table string) bool { return table != "rates" })
	if len(got.Entities) != 2 || len(got.Relationships) != 1 || got.Relationships[0].Right != "clients" {
		t.Errorf("%+v", got)
	}
	if len(m.Entities) != 3 || len(m.Relationships) != 2 {
		t.Errorf("the model itself was changed: %+v", m)
	}
	if all := m.Within(func(string) bool { return true }); all != m {
		t.Error("all of a model is not the model itself")
	}
}
