package table

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"catena/table/tabletest"
)

// sure is a verb's result, for tests of tables that belong to no Work.
func sure(t *Table, err error) *Table {
	if err != nil {
		panic(err)
	}
	return t
}

// verbTable has columns of each type that verbs copy in their own way; keys repeat, ids do not.
func verbTable(t testing.TB, rows int) *Table {
	t.Helper()
	b := NewBuilder(Column{Name: "id", Type: Int}, Column{Name: "key", Type: Int}, Column{Name: "name", Type: Text}, Column{Name: "amount", Type: Decimal, Scale: 2},
		Column{Name: "share", Type: Float}, Column{Name: "day", Type: Date}, Column{Name: "sparse", Type: Int}, Column{Name: "wide", Type: Decimal})
	for i := range rows {
		n := int64(i)
		if err := b.Append(IntValue(n*7919), IntValue(n%40), TextValue(fmt.Sprintf("client number %d", i*31%rows)), DecimalValue(0, uint64(i*37), 2),
			FloatValue(float64(i)/3), DateValue(2020, 1, 1+i%900), IntValue(n*n*1_000_003), DecimalValue(n%3, uint64(i), 0)); err != nil {
			t.Fatal(err)
		}
	}
	return b.Table()
}

// verbCases are all verbs that make cells.
var verbCases = map[string]func(t, other *Table) (*Table, error){
	"take":     func(t, _ *Table) (*Table, error) { return t.Take(make([]int, t.NumRows())) },
	"filter":   func(t, _ *Table) (*Table, error) { return t.Filter(func(row int) bool { return row%3 > 0 }) },
	"distinct": func(t, _ *Table) (*Table, error) { return t.Distinct() },
	"sort by numbers": func(t, _ *Table) (*Table, error) {
		return t.Sort(SortKey{Column: "key"}, SortKey{Column: "sparse", Desc: true})
	},
	"sort by texts": func(t, _ *Table) (*Table, error) { return t.Sort(SortKey{Column: "name"}) },
	"top":           func(t, _ *Table) (*Table, error) { return t.Top(t.NumRows()/10, SortKey{Column: "amount"}) },
	"order": func(t, _ *Table) (*Table, error) {
		order, err := t.Order(t.NumRows(), SortKey{Column: "wide"})
		if err != nil {
			return nil, err
		}
		return t.Take(order)
	},
	"group by few":  func(t, _ *Table) (*Table, error) { return t.Group([]GroupKey{{Column: "key"}}, allAggregates) },
	"group by many": func(t, _ *Table) (*Table, error) { return t.Group([]GroupKey{{Column: "sparse"}}, allAggregates) },
	"group by texts": func(t, _ *Table) (*Table, error) {
		return t.Group([]GroupKey{{Column: "name"}, {Column: "wide"}}, []Aggregate{{Func: Count}})
	},
	"matches": func(t, o *Table) (*Table, error) {
		rows, _, err := Matches(t, o, []int{t.Index("key"), t.Index("name")}, []int{t.Index("key"), t.Index("name")})
		if err != nil {
			return nil, err
		}
		return t.Take(rows)
	},
	"matches of two types": func(t, o *Table) (*Table, error) {
		rows, _, err := Matches(t, o, []int{t.Index("id")}, []int{t.Index("wide")})
		if err != nil {
			return nil, err
		}
		return t.Take(rows)
	},
	"concat": func(t, o *Table) (*Table, error) { return Concat(t, o, t) },
	"with column": func(t, _ *Table) (*Table, error) {
		values := t.NewValues()
		for row := range t.Rows() {
			values[row] = t.Value(row, 2)
		}
		return t.WithColumn(Column{Name: "again"}, values)
	},
	"with texts": func(t, _ *Table) (*Table, error) {
		values := t.NewValues()
		for row := range t.Rows() {
			values[row] = t.Value(row, 3)
		}
		return t.WithColumn(Column{Name: "text", Type: Text}, values)
	},
}

var allAggregates = []Aggregate{{Func: Count}, {Func: CountDistinct, Column: "name"}, {Func: Sum, Column: "amount"}, {Func: Mean, Column: "share"},
	{Func: Median, Column: "key"}, {Func: Stddev, Column: "wide"}, {Func: Min, Column: "name"}, {Func: Last, Column: "day"}}

// Each verb asks its context every some thousand rows, and ends with it wherever it is.
func TestVerbsEndWithTheirContext(t *testing.T) {
	const rows = 50_000
	plain, other := verbTable(t, rows), verbTable(t, rows)
	for name, verb := range verbCases {
		t.Run(name, func(t *testing.T) {
			asks := func(most int64) (int64, *Table, error) {
				asked := &tabletest.AskedContext{Context: t.Context(), Most: most}
				ctx, w := WithWork(asked, nil)
				defer w.End()
				out, err := verb(plain.In(ctx), other.In(ctx))
				return asked.Asked.Load(), out, err
			}
			all, got, err := asks(1 << 40)
			if err != nil {
				t.Fatal(err)
			}
			if want := sure(verb(plain, other)); want.Fingerprint() != got.Fingerprint() {
				t.Error("the verb gives another result under a work")
			}
			if all < rows/askedRows {
				t.Errorf("the verb asked %d times over %d rows", all, rows)
			}
			for most := int64(0); most < all; most += 1 + all/7 {
				if _, _, err := asks(most); !errors.Is(err, context.Canceled) {
					t.Errorf("ended at its question %d of %d, the verb gave %v", most, all, err)
				}
			}
		})
	}
}

// What a verb allocates, it has drawn before, about: the budget holds. Verbs that get too little are refused and leave nothing drawn.
func TestVerbsDrawWhatTheyTake(t *testing.T) {
	const rows, rest = 60_000, 1 << 20
	plain, other := verbTable(t, rows), verbTable(t, rows)
	for name, verb := range verbCases {
		t.Run(name, func(t *testing.T) {
			budget := NewMemoryBudget(1 << 30)
			ctx, w := WithWork(t.Context(), budget)
			defer w.End()
			in, with := plain.In(ctx), other.In(ctx)
			took := int64(tabletest.Allocated(func() { sure(verb(in, with)) }))
			drawn := w.now().memory.total
			if took > 2*drawn+rest { // all that it allocated: dictionaries are copied as they grow
				t.Errorf("it took %d KiB and drew %d", took>>10, drawn>>10)
			}
			t.Logf("took %d KiB, drew %d KiB, holds %d", took>>10, drawn>>10, budget.Taken()>>10)
			w.End()
			if n := budget.Taken(); n != 0 {
				t.Errorf("%d bytes stay drawn", n)
			}

			small := NewMemoryBudget(256 << 10)
			ctx, w = WithWork(t.Context(), small)
			defer w.End()
			w.now().memory.wait = 0
			in = plain.In(ctx)
			took = int64(tabletest.Allocated(func() {
				_, err := verb(in, other.In(ctx))
				wantOver(t, err, "memory")
			}))
			if took > small.Size()+rest/2 {
				t.Errorf("a verb that was refused took %d KiB of %d", took>>10, small.Size()>>10)
			}
			if _, err := in.Take(nil); err == nil {
				t.Error("a verb of a work that failed gives a table")
			}
		})
	}
}

// Many columns that are added one after the other are bounded; Keep gives back what is not in use any more.
func TestWorkKeeps(t *testing.T) {
	budget := NewMemoryBudget(8 << 20)
	ctx, w := WithWork(t.Context(), budget)
	defer w.End()
	w.now().memory.wait = 0
	tab, err := verbTable(t, 10_000).In(ctx), error(nil)
	more := func(name string) (*Table, error) {
		values := tab.NewValues()
		for row := range tab.Rows() {
			values[row] = IntValue(int64(row))
		}
		return tab.WithColumn(Column{Name: name}, values)
	}
	for range 300 { // one column in the place of the other
		if tab, err = more("again"); err != nil {
			t.Fatal(err)
		}
		tab.Keep()
	}
	if n := budget.Taken(); n < 80_000 || n > 90_000 {
		t.Errorf("%d bytes are drawn for a column of 10,000 numbers", n)
	}
	for i := range 300 {
		if tab, err = more(fmt.Sprint(i)); err != nil {
			break
		}
		tab.Keep()
	}
	wantOver(t, err, "memory")
	if !strings.Contains(err.Error(), "6 MiB") {
		t.Errorf("the refusal does not name the limit: %v", err)
	}
}

// A table whose work has ended is as all others.
func TestWorkEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	ctx, w := WithWork(ctx, NewMemoryBudget(64<<20))
	tab := sure(verbTable(t, 100).In(ctx).Distinct())
	w.End()
	cancel()
	if got := sure(tab.Filter(func(int) bool { return true })); got.NumRows() != 100 {
		t.Errorf("%d rows are left", got.NumRows())
	}
	rows := 0
	for range tab.Rows() {
		rows++
	}
	if rows != 100 || w.Err() != nil {
		t.Errorf("%d rows, error %v", rows, w.Err())
	}
	w.End()
}

// Others wait for what a work has, and go on when it ends.
func TestWorkSharesTheBudget(t *testing.T) {
	budget := NewMemoryBudget(1000)
	ctx, w := WithWork(t.Context(), budget)
	if err := WorkOf(ctx).Draw(700); err != nil {
		t.Fatal(err)
	}
	lim, end := reading(t, budget)
	defer end()
	lim.memory.wait = time.Millisecond
	wantOver(t, lim.Reserve(400), "memory")
	w.End()
	if err := lim.Reserve(400); err != nil {
		t.Error(err)
	}
}
