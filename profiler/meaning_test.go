package profiler

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"catena/table"
)

func TestExpect(t *testing.T) {
	tests := []struct {
		name  string
		about About
		want  string
	}{
		{"pct_vacant", About{Title: "Percent Vacant"}, Percentage},
		{"total_amount_paid", About{}, Currency},
		{"issue_date", About{Title: "Issue Date", Description: "The day on which the permit was issued"}, Date},
		{"agency_name", About{}, Text},
	}
	for _, tt := range tests {
		if e := ExpectAll([]string{tt.name}, map[string]About{tt.name: tt.about})[0]; e.SemanticType != tt.want || e.Confidence <= 0 || e.Confidence > 1 {
			t.Errorf("%s: %+v, want %s", tt.name, e, tt.want)
		}
	}
}

// What a source says of a column decides where name and cells are silent.
func TestAbout(t *testing.T) {
	cells := column(t, "v7", "12.5|40.25|33.75")
	plain := ProfileWith(context.Background(), cells, Options{Light: true})[0]
	told := ProfileWith(context.Background(), cells, Options{Light: true, About: map[string]About{"v7": {Title: "Percent of households", Description: "Percent of households that are vacant"}}})[0]
	if plain.SemanticType != Decimal || told.SemanticType != Percentage || told.UnitSource != UnitFromMetadata || told.FormattingSuggestion != "percent:points:.1f" {
		t.Errorf("%s, with a description %s (%s from %s)", plain.SemanticType, told.SemanticType, told.FormattingSuggestion, told.UnitSource)
	}
	b := table.NewBuilder(table.Column{Name: "v7", Type: table.Float, About: "Percent of households that are vacant"})
	for _, f := range []float64{12.5, 40.25, 33.75} {
		if err := b.Append(table.FloatValue(f)); err != nil {
			t.Fatal(err)
		}
	}
	if got := Describe(context.Background(), b.Table())[0]; got.SemanticType != Percentage {
		t.Errorf("a column that carries its description is %s", got.SemanticType)
	}
}

// rowsOf makes a column of n rows.
func rowsOf(t *testing.T, name string, n int, cell func(i int) string) *table.Table {
	cells := make([]string, n)
	for i := range cells {
		cells[i] = cell(i)
	}
	return column(t, name, strings.Join(cells, "|"))
}

func TestConsult(t *testing.T) {
	tests := []struct {
		name     string
		cell     func(i int) string
		semantic string
		role     string
	}{
		{"height_cm", func(i int) string { return fmt.Sprint(150 + i*7%50) }, Integer, RoleMeasure},
		{"goals", func(i int) string { return fmt.Sprint(i % 4) }, Integer, RoleMeasure},
		{"condition_code", func(i int) string { return fmt.Sprint(i % 7) }, Category, RoleDimension},
		{"remarks", func(i int) string {
			return fmt.Sprintf("The visitor number %d said that the door was not open, and left again.", i)
		}, Text, RoleDimension},
	}
	for _, tt := range tests {
		m := Describe(context.Background(), rowsOf(t, tt.name, 300, tt.cell))[0]
		if m.SemanticType != tt.semantic || m.Role != tt.role {
			t.Errorf("%s: %s, %s (%.2f)", tt.name, m.SemanticType, m.Role, m.Confidence)
		}
	}
}
