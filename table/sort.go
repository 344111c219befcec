package table

import (
	"fmt"
	"slices"
)

// Sort orders the rows by the keys, the first key weighing most; equal rows keep their order. Nulls come last in either
// direction. Text and JSON sort by bytes. A key that names no column gives an *UnknownColumnError.
func (t *Table) Sort(keys ...SortKey) (*Table, error) {
	return t.Top(t.NumRows(), keys...)
}

// Top is the first n rows of what Sort gives, found without sorting the others. A negative n is an error.
func (t *Table) Top(n int, keys ...SortKey) (*Table, error) {
	return t.bounded().run(func() (*Table, error) {
		order, err := t.order(n, keys...)
		if err != nil {
			return nil, err
		}
		return t.take(order), nil
	})
}

// Order is the numbers of the first n rows as Sort orders them, for Take. It is fresh: the caller may change it.
func (t *Table) Order(n int, keys ...SortKey) (order []int, err error) {
	_, err = t.bounded().run(func() (*Table, error) {
		order, err = t.order(n, keys...)
		return nil, err
	})
	return order, err
}

func (t *Table) order(n int, keys ...SortKey) ([]int, error) {
	if n < 0 {
		return nil, fmt.Errorf("table: the first %d rows were asked for; ask for 0 or more", n)
	}
	cols := make([]sortColumn, 0, len(keys))
	for _, key := range keys {
		c, err := t.Lookup(key.Column)
		if err != nil {
			return nil, err
		}
		cols = append(cols, sortColumn{cells: &t.cells[c], desc: key.Desc})
	}
	rows := t.NumRows()
	n = min(n, rows)
	var order []int32
	if n < rows/heapShare {
		order = topRows(cols, rows, n)
	} else {
		order = sortedRows(cols, rows)[:n]
	}
	t.bounded().scratch(int64(len(order)) * rowNumber)
	out := make([]int, len(order))
	for i, r := range order {
		out[i] = int(r)
	}
	return out, nil
}

// heapShare: a heap pays where it holds at most this part of the rows.
const heapShare = 8

// topRows keeps the n least rows in a heap whose root is the greatest of them.
func topRows(cols []sortColumn, rows, n int) []int32 {
	if n == 0 {
		return nil
	}
	w := workOfKeys(cols)
	w.scratch(int64(n) * shortNumber)
	heap := make([]int32, 0, n)
	compare := func(a, b int32) int {
		if c := compareRows(cols, a, b); c != 0 {
			return c
		}
		return int(a) - int(b)
	}
	for r := range int32(rows) {
		if r%askedRows == 0 {
			w.block(int(r), rows)
		}
		switch {
		case len(heap) < n:
			if heap = append(heap, r); len(heap) == n {
				for i := n/2 - 1; i >= 0; i-- {
					sink(heap, i, compare)
				}
			}
		case compareRows(cols, r, heap[0]) < 0: // an equal row that comes later stays out
			heap[0] = r
			sink(heap, 0, compare)
		}
	}
	slices.SortFunc(heap, compare)
	return heap
}

// sink moves the row at i down until no row below it is greater.
func sink(heap []int32, i int, compare func(a, b int32) int) {
	for {
		child := 2*i + 1
		if child >= len(heap) {
			return
		}
		if child+1 < len(heap) && compare(heap[child+1], heap[child]) > 0 {
			child++
		}
		if compare(heap[i], heap[child]) >= 0 {
			return
		}
		heap[i], heap[child] = heap[child], heap[i]
		i = child
	}
}
