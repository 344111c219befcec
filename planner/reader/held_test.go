package reader

import (
	"strings"
	"testing"

	"catena/planner/plan"
	"catena/query"
	"catena/query/semantic"
	"catena/table"
)

// workshopVisits is one table whose name has two words, with three measures whose values lie apart.
func workshopVisits() (*semantic.Model, []plan.TableInfo) {
	field := func(name string, t table.Type, role semantic.Role) semantic.Field {
		return semantic.Field{Name: name, Label: strings.ReplaceAll(name, "_", " "), Role: role, Type: t, Kind: t.String()}
	}
	measure := func(name string) semantic.Field {
		f := field(name, table.Int, semantic.Measure)
		f.Adds = query.AddsFlow
		return f
	}
	model := &semantic.Model{Entities: []semantic.Entity{{
		Table: "workshop_visits", Singular: "workshop visit", Plural: "workshop visits", Key: []string{"number"},
		Fields: []semantic.Field{
			field("number", table.Text, semantic.Identifier), field("mechanic", table.Text, semantic.Dimension),
			measure("bill"), measure("hours"), measure("parts"),
		},
	}}}
	return model, []plan.TableInfo{{Name: "workshop_visits", Rows: 90, Columns: []plan.ColumnInfo{
		{Name: "bill", Min: "80", Max: "4200"},
		{Name: "hours", Min: "1", Max: "30"},
		{Name: "parts", Min: "0", Max: "14"},
	}}}
}

// A number that just one measure can be is that; the last word of a table's name is its rows.
func TestNumbersHeldByOneMeasure(t *testing.T) {
	wantFirst(t, workshopVisits, map[string]string{
		"visits over 500":                       "where bill is more than 500",
		"visits between 500 and 900":            "where bill is from 500 to 900",
		"average bill of visits under 300":      "average of bill of all workshop_visits where bill is less than 300",
		"visits over 20":                        "where hours is more than 20",
		"how many visits were there":            "number of rows of all workshop_visits",
		"visits with 2 or 3 parts":              "where parts is 2 or parts is 3",
		"sort visits by bill":                   "workshop_visits, by bill from the lowest",
		"rank the visits by hours":              "by hours from the highest",
		"number and mechanic of visits over 20": "number, mechanic of workshop_visits where hours is more than 20",
	})
	model, tables := workshopVisits()
	for _, message := range []string{"visits over 10", "visits over 9000", "visits over 20 percent", "visits over 20 kg"} {
		list, err := New().Readings(t.Context(), plan.Request{Message: message, Tables: tables}, model)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range list {
			if words := query.Words(r.Query, scopeOf(model, tables), "en"); strings.Contains(words, "is more than") {
				t.Errorf("%q is read as %s", message, words)
			}
		}
	}
}

// A column beside that which rows are called by is of the same rows.
func TestShownBesideTheName(t *testing.T) {
	wantFirst(t, workshop, map[string]string{
		"customer id and full name of customers without jobs": "customer_id, full_name of customers where customer_id is not among",
	})
}

// What a word means that names no column is a column that is measured in its unit; one that is named is itself.
func TestMeasuredInItsUnit(t *testing.T) {
	meters := func() (*semantic.Model, []plan.TableInfo) {
		model, tables := workshopVisits()
		e := &model.Entities[0]
		e.Table, e.Singular, e.Plural = "readings", "reading", "readings"
		e.Fields[1].Name, e.Fields[1].Label = "building", "building"
		e.Fields[2].Name, e.Fields[2].Label, e.Fields[2].Unit = "kwh", "kWh", "kWh"
		e.Fields[3].Name, e.Fields[3].Label, e.Fields[3].Unit = "power", "power", "kW"
		tables[0].Name = "readings"
		return model, tables
	}
	wantFirst(t, meters, map[string]string{
		"consumption by building": "sum of kwh for each building",
		"total usage":             "sum of kwh of all readings",
		"highest power":           "highest power",
	})
}
