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

// shelves is parts with what is stored of them, the orders of parts, and who supplies them.
func shelves() (*semantic.Model, []plan.TableInfo) {
	field := func(name string, t table.Type, role semantic.Role) semantic.Field {
		return semantic.Field{Name: name, Label: strings.ReplaceAll(name, "_", " "), Role: role, Type: t, Kind: t.String()}
	}
	count := func(name string) semantic.Field {
		f := field(name, table.Int, semantic.Measure)
		f.Adds = query.AddsFlow
		return f
	}
	to := func(left, column, right string) semantic.Relationship {
		return semantic.Relationship{
			Left: left, LeftColumns: []string{column}, Right: right, RightColumns: []string{column},
			Cardinality: semantic.ManyToOne, Known: semantic.Declared,
		}
	}
	model := &semantic.Model{
		Entities: []semantic.Entity{
			{
				Table: "suppliers", Singular: "supplier", Plural: "suppliers", Key: []string{"supplier_id"}, Name: "supplier_name",
				Fields: []semantic.Field{
					field("supplier_id", table.Int, semantic.Identifier), field("supplier_name", table.Text, semantic.Dimension),
					field("active", table.Bool, semantic.Dimension), count("budget"), count("spend"), count("rating"),
				},
			},
			{
				Table: "orders", Singular: "order", Plural: "orders", Key: []string{"order_id"}, Fields: []semantic.Field{
					field("order_id", table.Int, semantic.Identifier), field("supplier_id", table.Int, semantic.Identifier),
					field("delivered_on", table.Date, semantic.Time), count("stock"), count("min_stock"),
				},
			},
		},
		Relationships: []semantic.Relationship{to("orders", "supplier_id", "suppliers")},
	}
	model.Entities[0].Fields[5].Kind = "Rating"
	return model, []plan.TableInfo{
		{Name: "suppliers", Rows: 9}, {Name: "orders", Rows: 90, Columns: []plan.ColumnInfo{{Name: "delivered_on", Nulls: 4, Distinct: 40}}},
	}
}

// What a number is bounded by has a counterpart in its row; words may deny what a column says; names and numbers of
// what belongs to rows stand beside them.
func TestBoundsAndCompanions(t *testing.T) {
	wantFirst(t, shelves, map[string]string{
		"orders with stock below minimum stock":  "where stock is less than min_stock",
		"average min stock":                      "average of min_stock",
		"suppliers that went over budget":        "where spend is more than budget",
		"remaining budget by supplier":           "sum of budget minus spend for each supplier_name",
		"suppliers with the most budget left":    "budget minus spend of suppliers, by budget minus spend from the highest",
		"inactive suppliers":                     "where active is false",
		"how many undelivered orders":            "where delivered_on is missing",
		"suppliers with a rating of 4 or better": "where rating is at least 4",
		"suppliers and their number of orders":   "number of rows for each supplier_name, of orders",
		"top suppliers by spend":                 "for each supplier_name, of suppliers, by sum of spend from the highest, the first 10",
		"top supplier by spend":                  "by sum of spend from the highest, the first one",
		"orders with their suppliers":            "supplier_name of orders, with suppliers where supplier_id is the same",
	})
}

// A day of which no year is said is the last one within the data, whatever the clock says.
func TestDaysOfNoYear(t *testing.T) {
	wantFirst(t, func() (*semantic.Model, []plan.TableInfo) {
		model, tables := shelves()
		tables[1].Columns[0].Max = "2019-11-30"
		return model, tables
	}, map[string]string{
		"orders delivered between 15 September and 15 October": "delivered_on is 2019-09-15 or after and delivered_on is before 2019-10-16",
		"how many orders were delivered since 3 December":      "delivered_on is 2018-12-03 or after",
		"orders delivered on 1 May 2021":                       "delivered_on is 2021-05-01",
	})
}

// Of two readings that are as good neither is an answer, but where any is asked for.
func TestTied(t *testing.T) {
	list := []Reading{{Score: 4, digest: 1}, {Score: 4 - tie/2, digest: 2}}
	r := New()
	if d := r.Decide("orders of Ada", list, 0.9); d.Outcome == Answer {
		t.Errorf("%+v", d)
	}
	if d := r.Decide("orders of Ada", list, 1); d.Outcome != Answer {
		t.Errorf("%+v", d)
	}
}

// wantFirst holds that the first reading of each message over tables says something, in words.
func wantFirst(t *testing.T, made func() (*semantic.Model, []plan.TableInfo), cases map[string]string) {
	t.Helper()
	for message, want := range cases {
		model, tables := made()
		list, err := New().Readings(t.Context(), plan.Request{Message: message, Tables: tables, Now: time.Now()}, model)
		if err != nil || len(list) == 0 {
			t.Errorf("%s: %d readings, %v", message, len(list), err)
			continue
		}
		if words := query.Words(list[0].Query, scopeOf(model, tables), "en"); !strings.Contains(words, want) {
			t.Errorf("%s: %s", message, words)
		}
	}
}
