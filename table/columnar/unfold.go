package columnar

import (
	"math"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"catena/table"
)

// Arrow's arrays may refer to one value from many places: dictionaries, views, runs, lists that overlap. What their
// cells take when each stands for itself is computed here, from the lengths alone, before any of it is made.

// cellSizes is how many bytes the cells from one place up to another take at the least when they are written out, as
// text or as JSON. It goes up to the largest number and no further.
type cellSizes func(from, to int) int64

// The fewest bytes that a cell has in a list or an object, with the comma.
const (
	bytesOfScalar = 2
	bytesOfNull   = 5
)

// unfoldedParts is what the cells of a column's parts take together in a table. It fails where the budget has less.
func unfoldedParts(parts []arrow.Array, lim *table.Limits) (all int64, err error) {
	for _, part := range parts {
		size, err := unfolded(part, lim)
		if err != nil {
			return 0, err
		}
		all = plus(all, size)
	}
	if err := lim.Reserve(all); err != nil {
		return 0, err
	}
	lim.GiveBack(all)
	return all, nil
}

// unfolded is what the cells of an array take in a table: those of text their bytes and where they begin.
func unfolded(arr arrow.Array, lim *table.Limits) (int64, error) {
	u := &unfolding{lim: lim}
	defer u.end()
	cells, err := u.of(arr)
	if err != nil {
		return 0, err
	}
	rows := int64(arr.Len())
	if fixed, ok := arr.DataType().(arrow.FixedWidthDataType); ok && arr.DataType().ID() != arrow.DICTIONARY {
		return product(rows, max(8, int64(fixed.BitWidth()/8))), nil
	}
	return plus(product(rows, 8), cells(0, arr.Len())), nil
}

// errUnfolded is for sums that no number holds: no budget has so much.
var errUnfolded = &table.LimitError{What: table.LimitMemory, Limit: math.MaxInt64,
	Text: "it unfolds to more memory than there is"}

// unfolding makes cellSizes. It keeps sums for each place of an array, which it reserves.
type unfolding struct {
	lim  *table.Limits
	held int64
}

// end gives back the memory of the sums, which must not be used any more.
func (u *unfolding) end() { u.lim.GiveBack(u.held) }

// of gives the cellSizes of an array. Bounds that damaged arrays do not have panic, which the readers of columns catch.
func (u *unfolding) of(arr arrow.Array) (cellSizes, error) {
	switch a := arr.(type) {
	case *array.Null:
		return each(bytesOfNull), nil
	case *array.Dictionary:
		return u.placed(a, a.Dictionary(), a.GetValueIndex)
	case *array.RunEndEncoded:
		return u.runs(a)
	case *array.Struct:
		return u.members(a)
	case *array.FixedSizeList:
		return u.fixedLists(a)
	case array.ListLike:
		return u.lists(a)
	case array.Union:
		return u.union(a)
	case array.ExtensionArray:
		return u.of(a.Storage())
	}
	return u.cells(arr)
}

// each is the cellSizes of cells that all take as much.
func each(size int64) cellSizes {
	return func(from, to int) int64 { return product(int64(to-from), size) }
}

// sums is the cellSizes of n cells whose sizes differ.
func (u *unfolding) sums(n int, size func(i int) int64) (cellSizes, error) {
	bytes := product(int64(n)+1, 8)
	if err := u.lim.Reserve(bytes); err != nil {
		return nil, err
	}
	u.held += bytes
	until := make([]int64, n+1)
	for i := range n {
		if i%table.AskEvery == 0 {
			if err := u.lim.Ended(); err != nil {
				return nil, err
			}
		}
		if until[i+1] = plus(until[i], size(i)); until[i+1] == math.MaxInt64 {
			return nil, errUnfolded
		}
	}
	return func(from, to int) int64 { return until[to] - until[from] }, nil
}

// Cells are values of one size, or texts.
func (u *unfolding) cells(arr arrow.Array) (cellSizes, error) {
	if fixed, ok := arr.(*array.FixedSizeBinary); ok {
		return each(int64(fixed.DataType().(*arrow.FixedSizeBinaryType).ByteWidth)), nil
	}
	texts, ok := arr.(interface{ ValueLen(i int) int })
	if !ok {
		return each(bytesOfScalar), nil
	}
	return u.sums(arr.Len(), func(i int) int64 {
		n := texts.ValueLen(i)
		damagedIf(n < 0)
		return int64(n) + bytesOfScalar
	})
}

// placed are cells that stand once in words.
func (u *unfolding) placed(arr, words arrow.Array, place func(i int) int) (cellSizes, error) {
	of, err := u.of(words)
	if err != nil {
		return nil, err
	}
	return u.sums(arr.Len(), func(i int) int64 {
		if arr.IsNull(i) {
			return bytesOfNull
		}
		k := place(i)
		damagedIf(k < 0 || k >= words.Len())
		return of(k, k+1)
	})
}

// runs are values that repeat. The number of places is not that of the bytes, so sums are kept for the runs alone.
func (u *unfolding) runs(a *array.RunEndEncoded) (cellSizes, error) {
	of, err := u.of(a.Values())
	if err != nil {
		return nil, err
	}
	ends, err := runEnds(a)
	if err != nil {
		return nil, err
	}
	damagedIf(len(ends) > a.Values().Len() ||
		a.Len() > 0 && (len(ends) == 0 || ends[len(ends)-1] < int64(a.Offset()+a.Len())))
	before := func(i int) int64 {
		if i == 0 {
			return 0
		}
		return ends[i-1]
	}
	until, err := u.sums(len(ends), func(i int) int64 {
		damagedIf(ends[i] <= before(i))
		return product(ends[i]-before(i), of(i, i+1))
	})
	if err != nil {
		return nil, err
	}
	to := func(place int64) int64 { // from the first place of the array's data
		run, last := 0, len(ends)
		for run < last {
			if mid := (run + last) / 2; ends[mid] <= place {
				run = mid + 1
			} else {
				last = mid
			}
		}
		if run == len(ends) {
			return until(0, run)
		}
		return plus(until(0, run), product(place-before(run), of(run, run+1)))
	}
	offset := int64(a.Offset())
	return func(from, end int) int64 { return to(offset+int64(end)) - to(offset+int64(from)) }, nil
}

// runEnds are where the runs end.
func runEnds(a *array.RunEndEncoded) ([]int64, error) {
	ends := make([]int64, a.RunEndsArr().Len())
	for i := range ends {
		switch r := a.RunEndsArr().(type) {
		case *array.Int16:
			ends[i] = int64(r.Value(i))
		case *array.Int32:
			ends[i] = int64(r.Value(i))
		case *array.Int64:
			ends[i] = r.Value(i)
		default:
			return nil, table.ErrDamaged
		}
	}
	return ends, nil
}

// members are those of structs; their names stand in each.
func (u *unfolding) members(a *array.Struct) (cellSizes, error) {
	names := int64(bytesOfScalar)
	of := make([]cellSizes, a.NumField())
	var err error
	for i := range of {
		names += int64(len(a.DataType().(*arrow.StructType).Field(i).Name)) + 3
		damagedIf(a.Field(i).Len() < a.Len())
		if of[i], err = u.of(a.Field(i)); err != nil {
			return nil, err
		}
	}
	all := each(names)
	return func(from, to int) int64 {
		n := all(from, to)
		for _, member := range of {
			n = plus(n, member(from, to))
		}
		return n
	}, nil
}

func (u *unfolding) fixedLists(a *array.FixedSizeList) (cellSizes, error) {
	of, err := u.of(a.ListValues())
	if err != nil {
		return nil, err
	}
	n, offset := int(a.DataType().(*arrow.FixedSizeListType).Len()), a.Offset()
	damagedIf(n < 0 || product(int64(offset+a.Len()), int64(n)) > int64(a.ListValues().Len()))
	all := each(bytesOfScalar)
	return func(from, to int) int64 { return plus(all(from, to), of((offset+from)*n, (offset+to)*n)) }, nil
}

// lists are those whose items stand anywhere in others; they may overlap.
func (u *unfolding) lists(a array.ListLike) (cellSizes, error) {
	of, err := u.of(a.ListValues())
	if err != nil {
		return nil, err
	}
	most := int64(a.ListValues().Len())
	return u.sums(a.Len(), func(i int) int64 {
		if a.IsNull(i) {
			return bytesOfNull
		}
		from, to := a.ValueOffsets(i)
		damagedIf(from < 0 || to < from || to > most)
		return plus(bytesOfScalar, of(int(from), int(to)))
	})
}

func (u *unfolding) union(a array.Union) (cellSizes, error) {
	of := make([]cellSizes, a.NumFields())
	var err error
	for i := range of {
		if of[i], err = u.of(a.Field(i)); err != nil {
			return nil, err
		}
	}
	dense, isDense := a.(*array.DenseUnion)
	return u.sums(a.Len(), func(i int) int64 {
		child, at := a.ChildID(i), i
		if isDense {
			at = int(dense.ValueOffset(i))
		}
		damagedIf(at < 0 || at >= a.Field(child).Len())
		return plus(4, of[child](at, at+1))
	})
}
