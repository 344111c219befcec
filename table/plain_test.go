package table

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// oddTable is a table with one column of each type whose cells repeat, lie at the ends of their range, or are null: what shortcuts get wrong.
func oddTable(r *rand.Rand, rows int) *Table {
	cols := []Column{
		{Name: "small", Type: Int}, {Name: "big", Type: Int}, {Name: "float", Type: Float}, {Name: "money", Type: Decimal, Scale: 2},
		{Name: "wide", Type: Decimal, Scale: 3}, {Name: "text", Type: Text}, {Name: "long", Type: Text}, {Name: "day", Type: Date},
		{Name: "at", Type: DateTime, Zone: "UTC"}, {Name: "flag", Type: Bool}, {Name: "took", Type: Duration}, {Name: "clock", Type: Time}, {Name: "json", Type: JSON}, {Name: "none", Type: Null},
	}
	nulls := []float64{0, 0.1, 0.9}[r.IntN(3)]
	b := NewBuilder(cols...)
	for range rows {
		row := make([]Value, len(cols))
		for c, col := range cols {
			if r.Float64() >= nulls {
				row[c] = oddValue(r, col)
			}
		}
		if err := b.Append(row...); err != nil {
			panic(err)
		}
	}
	t := b.Table()
	if rows > 2 && r.IntN(2) == 0 {
		t = t.Slice(1, rows-1) // arrays with an offset
	}
	return t
}

func oddValue(r *rand.Rand, col Column) Value {
	switch col.Name {
	case "small":
		return IntValue(int64(r.IntN(7)) - 3)
	case "big":
		return IntValue([]int64{math.MinInt64, math.MaxInt64, 0, -1, 1 << 53, r.Int64N(1000), int64(r.Uint64())}[r.IntN(7)])
	case "float":
		return FloatValue([]float64{0, math.Copysign(0, -1), math.MaxFloat64, -math.MaxFloat64, 5e-324, -1.5, 1e-9, r.NormFloat64(), float64(r.IntN(5))}[r.IntN(9)])
	case "money":
		return decimalOf(numOf(int64(r.IntN(2000))-1000), 2)
	case "wide":
		n := numOf(int64(r.IntN(5)) - 2)
		if r.IntN(3) == 0 {
			n = n.Mul(powers[25]).Add(numOf(int64(r.IntN(3)) - 1))
		}
		return decimalOf(n, 3)
	case "text":
		return TextValue([]string{"", "a", "b", "ab", "a\x00", "a\x00b", "é", "zz"}[r.IntN(8)])
	case "long":
		return TextValue(strings.Repeat("same start ", r.IntN(3)) + strings.Repeat("x", r.IntN(10)) + strings.Repeat("\x00", r.IntN(2)))
	case "json":
		return JsonValue([]string{`{}`, `[1]`, `{"a":1}`}[r.IntN(3)])
	case "day":
		return Value{typ: Date, i: int64(r.IntN(30)) - 15}
	case "at":
		return Value{typ: DateTime, i: int64(r.IntN(30)-15) * 3_600_000_000, s: "UTC"}
	case "flag":
		return BoolValue(r.IntN(2) == 0)
	case "took":
		return Value{typ: Duration, i: int64(r.IntN(9)) - 4}
	case "clock":
		return Value{typ: Time, i: int64(r.IntN(24)) * 3_600_000_000}
	}
	return NullValue
}

// sizes reach beyond what is done row by row, and beyond what one processor does.
var oddSizes = []int{0, 1, 2, 3, 17, 40, 300, 5000}

func eachOdd(t *testing.T, do func(t *testing.T, r *rand.Rand, tab *Table)) {
	t.Helper()
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 7))
		size := oddSizes[seed%uint64(len(oddSizes))]
		t.Run(fmt.Sprintf("%d rows, seed %d", size, seed), func(t *testing.T) { do(t, r, oddTable(r, size)) })
	}
}

// someColumns are up to n names of columns.
func someColumns(r *rand.Rand, tab *Table, n int) []string {
	names := tab.Names()
	r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	return names[:r.IntN(n)+1]
}

func sameRows(t *testing.T, what string, got *Table, want [][]Value) {
	t.Helper()
	if got.NumRows() != len(want) {
		t.Fatalf("%s: %d rows, want %d", what, got.NumRows(), len(want))
	}
	for r, row := range want {
		for c, v := range row {
			if g := got.Value(r, c); g != v && !(g.typ == Float && v.typ == Float && g.f == v.f) {
				t.Fatalf("%s: row %d, %s is %s (%s), want %s (%s)", what, r, got.Column(c).Name, g, g.typ, v, v.typ)
			}
		}
	}
}

func takeRows(tab *Table, rows []int) [][]Value {
	out := make([][]Value, len(rows))
	for i, r := range rows {
		out[i] = tab.Row(r)
	}
	return out
}

// plainOrder sorts by comparing cells.
func plainOrder(tab *Table, keys []SortKey) []int {
	order := make([]int, tab.NumRows())
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		for _, key := range keys {
			c := tab.Index(key.Column)
			x, y := tab.Value(a, c), tab.Value(b, c)
			if key.Desc && !x.IsNull() && !y.IsNull() {
				x, y = y, x
			}
			if sign := Compare(x, y); sign != 0 {
				return sign
			}
		}
		return 0
	})
	return order
}

func TestSortIsPlainSort(t *testing.T) {
	eachOdd(t, func(t *testing.T, r *rand.Rand, tab *Table) {
		for range 12 {
			var keys []SortKey
			for _, name := range someColumns(r, tab, 4) {
				keys = append(keys, SortKey{Column: name, Desc: r.IntN(2) == 0})
			}
			order := plainOrder(tab, keys)
			got, err := tab.Sort(keys...)
			if err != nil {
				t.Fatal(err)
			}
			sameRows(t, fmt.Sprint("sort by ", keys), got, takeRows(tab, order))
			n := r.IntN(tab.NumRows() + 2)
			if top, err := tab.Top(n, keys...); err != nil {
				t.Fatal(err)
			} else {
				sameRows(t, fmt.Sprint("top ", n, " by ", keys), top, takeRows(tab, order[:min(n, len(order))]))
			}
		}
	})
}

// plainGroups gives the rows of each combination of keys, in order of appearance.
func plainGroups(tab *Table, cols []string) [][]int {
	at := map[string]int{}
	var groups [][]int
	for r := range tab.NumRows() {
		var key []byte
		for _, name := range cols {
			key = appendRaw(key, tab.Value(r, tab.Index(name)))
		}
		i, ok := at[string(key)]
		if !ok {
			i = len(groups)
			at[string(key)], groups = i, append(groups, nil)
		}
		groups[i] = append(groups[i], r)
	}
	return groups
}

func TestDistinctIsPlainDistinct(t *testing.T) {
	eachOdd(t, func(t *testing.T, r *rand.Rand, tab *Table) {
		for range 6 {
			cols := someColumns(r, tab, 5)
			part, err := tab.Select(cols...)
			if err != nil {
				t.Fatal(err)
			}
			var first []int
			for _, g := range plainGroups(part, cols) {
				first = append(first, g[0])
			}
			sameRows(t, fmt.Sprint("distinct ", cols), sure(part.Distinct()), takeRows(part, first))
		}
	})
}

func TestGroupIsPlainGroup(t *testing.T) {
	funcs := []AggFunc{Sum, Mean, Median, Min, Max, Count, CountDistinct, Stddev, First, Last}
	eachOdd(t, func(t *testing.T, r *rand.Rand, tab *Table) {
		for range 4 {
			cols := someColumns(r, tab, 3)
			var keys []GroupKey
			for _, name := range cols {
				keys = append(keys, GroupKey{Column: name})
			}
			for _, name := range tab.Names() {
				f := funcs[r.IntN(len(funcs))]
				got, err := tab.Group(keys, []Aggregate{{Func: f, Column: name, As: "x"}})
				c := tab.Index(name)
				if typ := tab.Column(c).Type; err != nil {
					if slices.Contains([]AggFunc{Sum, Mean, Median, Stddev}, f) && (!typ.Numeric() && typ != Duration || typ == Float || typ == Int || typ == Duration) {
						continue // no such aggregate of the type, or a sum beyond it
					}
					t.Fatalf("%s of %s by %v: %v", f, name, cols, err)
				}
				var want [][]Value
				for _, rows := range plainGroups(tab, cols) {
					row := []Value{}
					for _, key := range cols {
						row = append(row, tab.Value(rows[0], tab.Index(key)))
					}
					var cells []Value
					for _, r := range rows {
						if v := tab.Value(r, c); !v.IsNull() {
							cells = append(cells, v)
						}
					}
					x := plainAggregate(f, cells)
					if out := got.Column(len(cols)); out.Type == Decimal {
						x, _ = convert(x, out)
					}
					want = append(want, append(row, x))
				}
				sameRows(t, fmt.Sprintf("%s of %s by %v", f, name, cols), got, want)
			}
		}
	})
}

func TestMatchesArePlainMatches(t *testing.T) {
	eachOdd(t, func(t *testing.T, r *rand.Rand, left *Table) {
		left = left.Slice(0, 150)
		right := oddTable(r, cmp.Or(left.NumRows()/2, 1))
		for range 6 {
			var on, with []int
			for _, name := range someColumns(r, left, 2) {
				a, b := left.Index(name), right.Index(name)
				if other := right.Index(someColumns(r, right, 1)[0]); matchable(left.Column(a).Type, right.Column(other).Type) {
					b = other
				}
				on, with = append(on, a), append(with, b)
			}
			var lwant, rwant []int
			for a := range left.NumRows() {
				for b := range right.NumRows() {
					match := true
					for i := range on {
						x, y := left.Value(a, on[i]), right.Value(b, with[i])
						match = match && !x.IsNull() && !y.IsNull() && Equal(x, y)
					}
					if match {
						lwant, rwant = append(lwant, a), append(rwant, b)
					}
				}
			}
			lrows, rrows, err := Matches(left, right, on, with)
			if err != nil || !slices.Equal(lrows, lwant) || !slices.Equal(rrows, rwant) {
				t.Errorf("columns %v of %v: %v %v, want %v %v; %v", on, with, lrows, rrows, lwant, rwant, err)
			}
		}
	})
}

func matchable(a, b Type) bool {
	return a == b || a == Null || b == Null || a.Numeric() && b.Numeric() || a.Temporal() && b.Temporal()
}
