package main

import "testing"

// Rows compare as multisets, numbers to one in a million, days with midnights and months with their first days.
func TestSame(t *testing.T) {
	a := [][]any{{int64(1), "x"}, {2.0, nil}, {"2024-01", "2024-01-02"}}
	b := [][]any{{"2024-01-01", "2024-01-02T00:00:00"}, {1.0000001, "x"}, {int64(2), nil}}
	if !same(a, b) {
		t.Error("equal rows in another order differ")
	}
	if same(a, b[1:]) || same(a, [][]any{b[0], b[1], b[1]}) {
		t.Error("other rows are the same")
	}
}

// A gold may be some of the columns, in another order.
func TestHolds(t *testing.T) {
	rows := [][]any{{"a", 1.0, 5.0}, {"b", 2.0, 5.0}}
	if !holds([][]any{{2.0, "b"}, {1.0, "a"}}, rows) {
		t.Error("the gold's columns are not found")
	}
	if holds([][]any{{1.0, "b"}, {2.0, "a"}}, rows) || holds([][]any{{"a"}}, rows) {
		t.Error("rows that differ hold the gold")
	}
}
