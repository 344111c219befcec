package names

// index finds strings by open addressing: slots hold places in a list, one more than they are; 0 is free.
type index []int32

func newIndex(n int) index {
	size := 16
	for size < 2*n {
		size *= 2
	}
	return make(index, size)
}

// put adds place i of the list for a string.
func (x index) put(s string, i int) {
	at := key(s) & uint32(len(x)-1)
	for x[at] != 0 {
		at = (at + 1) & uint32(len(x)-1)
	}
	x[at] = int32(i) + 1
}

// find looks for a string in the list that holds at each place what text gives; -1 when it is not there.
func (x index) find(s string, text func(i int) string) int {
	for at := key(s) & uint32(len(x)-1); x[at] != 0; at = (at + 1) & uint32(len(x)-1) {
		if i := int(x[at]) - 1; text(i) == s {
			return i
		}
	}
	return -1
}

// rows are sparse rows of counts, each sorted by column.
type rows struct {
	from  []int32 // where each row begins; one more than there are rows
	to    []id    // columns
	count []float32
	sum   []float32 // of each row
}

// newRows makes n empty rows with room for a number of counts.
func newRows(n, counts int) rows {
	return rows{from: make([]int32, n+1), to: make([]id, 0, counts), count: make([]float32, 0, counts),
		sum: make([]float32, n)}
}

// add appends to row r, which is the last one so far or behind it; columns come in order.
func (x *rows) add(r int, to id, count float32) {
	x.to = append(x.to, to)
	x.count = append(x.count, count)
	x.sum[r] += count
	x.from[r+1] = int32(len(x.to))
}

// close ends the rows that nothing was added to.
func (x *rows) close() {
	for r := 1; r < len(x.from); r++ {
		x.from[r] = max(x.from[r], x.from[r-1])
	}
}

// find is the place of a column in row r; -1 when the row does not have it.
func (x *rows) find(r int, to id) int {
	lo, hi := int(x.from[r]), int(x.from[r+1])
	for lo < hi {
		if mid := int(uint(lo+hi) >> 1); x.to[mid] < to {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < int(x.from[r+1]) && x.to[lo] == to {
		return lo
	}
	return -1
}
