package reader

import (
	"strings"
	"testing"
	"time"

	"catena/planner/plan"
	"catena/query"
	"catena/query/semantic"
	"catena/table"
)

// counter is products with a price each and what is stored of them, orders, and the lines of orders.
func counter() (*semantic.Model, []plan.TableInfo) {
	field := func(name string, t table.Type, role semantic.Role) semantic.Field {
		return semantic.Field{Name: name, Label: strings.ReplaceAll(name, "_", " "), Role: role, Type: t, Kind: t.String()}
	}
	measure := func(name string, kind string, adds query.Adds) semantic.Field {
		f := field(name, table.Decimal, semantic.Measure)
		f.Kind, f.Adds = kind, adds
		return f
	}
	to := func(column, right string) semantic.Relationship {
		return semantic.Relationship{
			Left: "lines", LeftColumns: []string{column}, Right: right, RightColumns: []string{column},
			Cardinality: semantic.ManyToOne, Known: semantic.Declared,
		}
	}
	model := &semantic.Model{
		Entities: []semantic.Entity{
			{
				Table: "products", Singular: "product", Plural: "products", Key: []string{"product_id"}, Name: "product",
				Fields: []semantic.Field{
					field("product_id", table.Int, semantic.Identifier), field("product", table.Text, semantic.Dimension),
					field("category", table.Text, semantic.Dimension), measure("unit_price", semantic.Money, query.AddsRate),
					measure("units_in_stock", "Integer", query.AddsLevel),
				},
			},
			{
				Table: "orders", Singular: "order", Plural: "orders", Key: []string{"order_id"}, Fields: []semantic.Field{
					field("order_id", table.Int, semantic.Identifier), field("city", table.Text, semantic.Dimension),
					field("ordered_on", table.Date, semantic.Time),
				},
			},
			{
				Table: "lines", Singular: "line", Plural: "lines", Key: []string{"line_id"}, Fields: []semantic.Field{
					field("line_id", table.Int, semantic.Identifier), field("order_id", table.Int, semantic.Identifier),
					field("product_id", table.Int, semantic.Identifier), measure("quantity", "Integer", query.AddsFlow),
				},
			},
		},
		Relationships: []semantic.Relationship{to("product_id", "products"), to("order_id", "orders")},
	}
	return model, []plan.TableInfo{{Name: "products", Rows: 9}, {Name: "orders", Rows: 90}, {Name: "lines", Rows: 200}}
}

// Amounts that no column holds are computed of a quantity and a price, also of another table, and have the time of what
// their rows refer to.
func TestProducts(t *testing.T) {
	const amount = "sum of quantity times unit_price"
	for message, want := range map[string][]string{
		"revenue by category":        {amount + " for each category, of lines"},
		"revenue per city":           {amount + " for each city, of lines"},
		"total revenue in 2025":      {amount, "where ordered_on is 2025-01-01 or after"},
		"revenue in 2025":            {amount, "where ordered_on is 2025-01-01 or after"},
		"monthly revenue":            {amount + " for each month of ordered_on"},
		"cities by revenue":          {amount + " for each city", "from the highest"},
		"top 3 products by revenue":  {amount + " for each product", "the first 3"},
		"total stock value":          {"sum of units_in_stock times unit_price"},
		"stock value by category":    {"sum of units_in_stock times unit_price for each category, of products"},
		"total quantity in May 2025": {"sum of quantity of all lines", "where ordered_on is 2025-05-01 or after"},
	} {
		model, tables := counter()
		list, err := New().Readings(t.Context(), plan.Request{Message: message, Tables: tables, Now: time.Now()}, model)
		if err != nil || len(list) == 0 {
			t.Errorf("%s: %d readings, %v", message, len(list), err)
			continue
		}
		words := query.Words(list[0].Query, scopeOf(model, tables), "en")
		for _, part := range want {
			if !strings.Contains(words, part) {
				t.Errorf("%s: %s", message, words)
			}
		}
	}
}

// A column that holds the amount is meant before a product, and what is counted is no amount.
func TestProductsGiveWay(t *testing.T) {
	model, tables := counter()
	held, _ := counter()
	revenue := held.Entities[2].Fields[3]
	revenue.Name, revenue.Label, revenue.Kind = "revenue", "revenue", semantic.Money
	held.Entities[2].Fields = append(held.Entities[2].Fields, revenue)
	for message, model := range map[string]*semantic.Model{"number of sales by city": model, "revenue by city": held} {
		list, err := New().Readings(t.Context(), plan.Request{Message: message, Tables: tables, Now: time.Now()}, model)
		if err != nil || len(list) == 0 {
			t.Error(len(list), err)
		}
		for _, r := range list {
			if words := query.Words(r.Query, scopeOf(model, tables), "en"); strings.Contains(words, "times") {
				t.Errorf("%s: %s", message, words)
			}
		}
	}
}
