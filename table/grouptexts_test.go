package table

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"catena/table/tabletest"
)

// keyColumns are columns of texts to group by: few and many, short and long, skewed, with nulls, with new ones at the end.
var keyColumns = map[string]func(r *rand.Rand, row, rows int) string{
	"few":       func(r *rand.Rand, _, _ int) string { return string(rune('a' + r.IntN(6))) },
	"thousands": func(r *rand.Rand, _, _ int) string { return fmt.Sprintf("Client %04d Ltd", r.IntN(8000)) },
	"long":      func(r *rand.Rand, _, _ int) string { return fmt.Sprintf("the client of number %05d", r.IntN(9000)) },
	"skewed":    func(r *rand.Rand, row, _ int) string { return strings.Repeat("x", row%(1+r.IntN(row%40+1))) },
	"new at end": func(r *rand.Rand, row, rows int) string {
		if row > rows*3/4 {
			return fmt.Sprint(row)
		}
		return fmt.Sprint(r.IntN(10))
	},
	"all differ": func(_ *rand.Rand, row, _ int) string { return fmt.Sprint(row) },
}

func keyColumn(t testing.TB, rows int, text func(r *rand.Rand, row, rows int) string) (*Table, []string) {
	t.Helper()
	r := rand.New(rand.NewPCG(9, 9))
	b, all := NewBuilder(Column{Name: "k", Type: Text}, Column{Name: "n", Type: Int}), make([]string, rows)
	for row := range all {
		v := NullValue
		if all[row] = "null"; row%11 > 0 {
			all[row] = text(r, row, rows)
			v = TextValue(all[row])
		}
		if err := b.Append(v, IntValue(int64(row))); err != nil {
			t.Fatal(err)
		}
	}
	return b.Table(), all
}

// Groups of texts are the same, in order of appearance, however many workers find them.
func TestGroupTexts(t *testing.T) {
	tabletest.TwoWorkers(t)
	for name, text := range keyColumns {
		tab, all := keyColumn(t, 130_000, text)
		g := tab.groupRows([]int{0})
		numbers, first := map[string]int32{}, []int{}
		for row, x := range all {
			id, ok := numbers[x]
			if !ok {
				id = int32(len(numbers))
				numbers[x] = id
				first = append(first, row)
			}
			if g.group[row] != id {
				t.Fatalf("%s: row %d (%q) is in group %d, want %d", name, row, x, g.group[row], id)
			}
		}
		if len(g.first) != len(first) {
			t.Fatalf("%s: %d groups, want %d", name, len(g.first), len(first))
		}
		for i, row := range first {
			if g.first[i] != row {
				t.Fatalf("%s: group %d begins at row %d, want %d", name, i, g.first[i], row)
			}
		}
	}
}

func BenchmarkGroupTexts(b *testing.B) {
	for name, text := range keyColumns {
		tab, _ := keyColumn(b, 300_000, text)
		b.Run(strings.ReplaceAll(name, " ", "_"), func(b *testing.B) {
			for b.Loop() {
				if _, err := tab.Group([]GroupKey{{Column: "k"}}, []Aggregate{{Func: Sum, Column: "n"}}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
