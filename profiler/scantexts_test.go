package profiler

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"catena/table"
)

// textColumns are columns of texts as they come: of few and of many different ones, short and long, skewed, sorted, with nulls.
var textColumns = map[string]func(r *rand.Rand, row int) string{
	"few":         func(r *rand.Rand, _ int) string { return []string{"North", "South", "East"}[r.IntN(3)] },
	"thousands":   func(r *rand.Rand, _ int) string { return fmt.Sprintf("Client %04d Ltd", r.IntN(8000)) },
	"long":        func(r *rand.Rand, _ int) string { return fmt.Sprintf("the client of number %04d Ltd", r.IntN(8000)) },
	"half differ": func(r *rand.Rand, row int) string { return fmt.Sprintf("order %d", r.IntN(row/2+1)) },
	"all differ":  func(_ *rand.Rand, row int) string { return fmt.Sprintf("order %d, batch %x", row, row*row) },
	"sorted":      func(_ *rand.Rand, row int) string { return fmt.Sprintf("%09d", row) },
	"skewed": func(r *rand.Rand, row int) string {
		return strings.Repeat("x", int(min(r.ExpFloat64()*3, 40))) + fmt.Sprint(row%(1+r.IntN(row+1)))
	},
	"mostly null": func(r *rand.Rand, row int) string {
		if r.IntN(10) > 0 {
			return "\x00null"
		}
		return fmt.Sprint(row)
	},
	"bytes": func(r *rand.Rand, _ int) string {
		return string([]byte{byte(r.IntN(3)), 0, byte(r.IntN(256)), byte(r.IntN(256))}[:r.IntN(5)])
	},
}

func textColumn(t testing.TB, rows int, text func(r *rand.Rand, row int) string) (*table.Table, []string) {
	t.Helper()
	r := rand.New(rand.NewPCG(7, 8))
	build, all := table.NewBuilder(table.Column{Name: "x", Type: table.Text}), make([]string, rows)
	for row := range all {
		all[row] = text(r, row)
		v := table.TextValue(all[row])
		if all[row] == "\x00null" {
			v = table.NullValue
		}
		if err := build.Append(v); err != nil {
			t.Fatal(err)
		}
	}
	return build.Table(), all
}

// Texts are counted exactly, in order of appearance, whether a tally holds them or not.
func TestTextsAreCountedExactly(t *testing.T) {
	for name, text := range textColumns {
		cells, all := textColumn(t, 70_000, text)
		got := scanColumn(context.Background(), cells, 0, new(workspace), 0, new(scan))
		want, order, nulls, ascends, last := map[string]int{}, []string{}, 0, true, ""
		for _, x := range all {
			if x == "\x00null" {
				nulls++
				continue
			}
			if want[x]++; want[x] == 1 {
				order = append(order, x)
			}
			ascends, last = ascends && last <= x, x
		}
		if got.kinds != len(want) || len(got.distinct) != len(want) || got.nulls != nulls || got.ascends != ascends {
			t.Fatalf("%s: %d distinct (%d listed), %d null, ascends %t; want %d, %d, %t", name, got.kinds, len(got.distinct), got.nulls, got.ascends, len(want), nulls, ascends)
		}
		least, most, longest := order[0], order[0], 0
		for at, e := range got.distinct {
			x := got.value(e).Text()
			if x != order[at] || int(e.count) != want[x] {
				t.Fatalf("%s: %q counted %d times at %d, want %q counted %d times", name, x, e.count, at, order[at], want[order[at]])
			}
			least, most, longest = min(least, x), max(most, x), max(longest, utf8.RuneCountInString(x))
		}
		if got.min.Text() != least || got.max.Text() != most || got.lengths.Max != longest {
			t.Errorf("%s: from %q to %q, at most %d runes; want %q, %q, %d", name, got.min.Text(), got.max.Text(), got.lengths.Max, least, most, longest)
		}
		for at, x := range got.sample {
			if x != clip(order[at], maxTextBytes) {
				t.Fatalf("%s: sample %d is %q, want %q", name, at, x, order[at])
			}
		}
	}
}

func TestCountRunes(t *testing.T) {
	for _, x := range []string{"", "a", "äöü", "12345678", "1234567ä", "12345678ä", "ä12345678", "123456789012345é7", "\xff\xfe2345678", "\x80"} {
		if got, want := countRunes(x), utf8.RuneCountInString(x); got != want {
			t.Errorf("%q: %d, want %d", x, got, want)
		}
	}
}

func BenchmarkTexts(b *testing.B) {
	for name, text := range textColumns {
		t, _ := textColumn(b, 300_000, text)
		b.Run(strings.ReplaceAll(name, " ", "_"), func(b *testing.B) {
			for b.Loop() {
				Profile(context.Background(), t)
			}
		})
	}
}
