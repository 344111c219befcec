package table

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// Texts of any length come out whole, whatever stands beside them, with nulls and rows that repeat.
func TestTakeTexts(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	b, all := NewBuilder(Column{Name: "x", Type: Text}), make([]Value, 1000)
	for i := range all {
		if i%13 > 0 {
			all[i] = TextValue(strings.Repeat(string(rune('a'+i%26)), r.IntN(50)))
		}
		if err := b.Append(all[i]); err != nil {
			t.Fatal(err)
		}
	}
	tab := b.Table()
	for _, n := range []int{0, 1, pickedAtOnce - 1, pickedAtOnce, pickedAtOnce + 1, 5000} {
		rows := make([]int, n)
		for i := range rows {
			rows[i] = r.IntN(len(all))
		}
		got := sure(tab.Take(rows))
		for i, row := range rows {
			if v := got.Value(i, 0); v != all[row] {
				t.Fatalf("%d rows: row %d is %q, want %q", n, i, v.Text(), all[row].Text())
			}
		}
	}
	if got := sure(tab.Slice(990, 10).Take([]int{9, 0, 9})); got.Value(0, 0) != all[999] || got.Value(1, 0) != all[990] || got.Value(2, 0) != all[999] {
		t.Errorf("of a slice: %v, %v, %v", got.Value(0, 0), got.Value(1, 0), got.Value(2, 0))
	}
	var none *Table
	if got := sure(none.Take(nil)); got.NumRows() != 0 {
		t.Errorf("of no table: %d rows", got.NumRows())
	}
}
