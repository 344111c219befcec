package link

import (
	"testing"

	"catena/query/semantic"
	"catena/table"
)

// A word may deny a column of yes and no, or of a time; of others it is another word.
func TestDenied(t *testing.T) {
	model := &semantic.Model{Entities: []semantic.Entity{{
		Table: "orders", Singular: "order", Plural: "orders", Fields: []semantic.Field{
			{Name: "active", Type: table.Bool}, {Name: "paid_on", Type: table.Date}, {Name: "count", Type: table.Int},
			{Name: "verified by", Type: table.Text},
		},
	}}}
	s := &Scope{Model: model}
	for word, want := range map[string]int{
		"inactive": 0, "unpaid": 1, "non-active": 0, "nonactive": 0, "discount": -1, "unverified": -1, "unit": -1, "active": -1,
	} {
		got := -1
		for _, sp := range s.Spans(t.Context(), Tokenize("orders that are "+word), nil) {
			if f, ok := sp.Meaning.(FieldRef); ok && sp.Category == CatDenied {
				got = f.Field
			}
		}
		if got != want {
			t.Errorf("%s: field %d, want %d", word, got, want)
		}
	}
}
