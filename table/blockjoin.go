package table

import (
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/decimal128"

	"catena/internal/buffer"
)

// Blocks join a column in two steps. place takes the room for the cells of a block, which has to happen in the order of the blocks; put then copies them there, which
// several goroutines may do at once. Only makeRoom moves what is there already: nobody may put meanwhile.

// seat is the room for the cells of a block.
type seat struct {
	ints    []int64
	decs    []decimal128.Num
	scale   int32 // of decs
	floats  []float64
	days    []arrow.Date32
	offsets []int64
	text    []byte
	base    int64 // what the offsets of the block begin at
}

// hasRoom reports whether the block can be placed without makeRoom.
func (b *ColumnBuilder) hasRoom(k *block) bool {
	n := b.n + k.rows
	switch b.Col.Type {
	case Int:
		return k.kind != floatCells && k.scale == 0 && n <= cap(b.ints)
	case DateTime:
		return n <= cap(b.ints)
	case Decimal:
		return k.kind != floatCells && k.scale <= b.Col.Scale && n <= cap(b.decs)
	case Float:
		return n <= cap(b.floats)
	case Date:
		return n <= cap(b.days)
	case Text, JSON:
		return n < cap(b.offsets) && len(b.text)+len(k.text) <= cap(b.text)
	}
	return true
}

// makeRoom moves the cells so that the block can be placed: to more memory, into decimals of the block's scale or into doubles; false when these do not keep a number. expect is
// the number of rows that there will be, about, and perRow the bytes that a text of theirs has; 0 where that is not known.
func (b *ColumnBuilder) makeRoom(k *block, expect int, perRow float64) bool {
	if k.kind == floatCells && b.Col.Type != Float {
		var ok bool
		if b.floats, ok = appendFloats(make([]float64, 0, max(expect, b.n+k.rows)), b.ints, b.decs, b.Col.Scale); !ok {
			return false
		}
		b.Col.Type, b.Col.Scale, b.ints, b.decs = Float, 0, nil, nil
	}
	if b.Col.Type == Int && k.scale > 0 {
		b.widen()
	}
	if b.Col.Type == Decimal && k.scale > b.Col.Scale {
		by := powers[k.scale-b.Col.Scale]
		for i, n := range b.decs {
			b.decs[i] = n.Mul(by)
		}
		b.Col.Scale = k.scale
	}
	b.extend(k, expect, perRow)
	return true
}

// extend takes memory for the block and, where it is known how many, for the rows to come.
func (b *ColumnBuilder) extend(k *block, expect int, perRow float64) {
	rows := max(expect-b.n, k.rows, b.n/4)
	switch b.Col.Type {
	case Int, DateTime:
		b.ints = withRoom(b.ints, rows)
	case Decimal:
		b.decs = withRoom(b.decs, rows)
	case Float:
		b.floats = withRoom(b.floats, rows)
	case Date:
		b.days = withRoom(b.days, rows)
	case Text, JSON:
		if len(b.offsets) == 0 {
			b.offsets = make([]int64, 1, rows+1)
		}
		if b.n+k.rows >= cap(b.offsets) {
			b.offsets = withRoom(b.offsets, rows)
		}
		if more := len(k.text); len(b.text)+more > cap(b.text) {
			b.text = withRoom(b.text, max(more, b.textAhead(k, expect, perRow), len(b.text)/4))
		}
	}
}

// textAhead is how many bytes are to come, judged by those of the rows so far unless it is known how many a row has.
func (b *ColumnBuilder) textAhead(k *block, expect int, perRow float64) int {
	rows, bytes := b.n+k.rows, len(b.text)+len(k.text)
	if guess := int(1.02*perRow*float64(expect)) - len(b.text); guess > len(k.text) {
		return guess
	}
	if expect <= rows {
		return 0
	}
	return int(1.05*float64(bytes)/float64(rows)*float64(expect)) - len(b.text)
}

// withRoom moves a slice to memory for so many more, unless it has it. Unlike slices.Grow it does not write to what is beyond, so that it is not taken from the system before it is used: there may be anything.
func withRoom[T int64 | float64 | byte | arrow.Date32 | decimal128.Num](s []T, more int) []T {
	if cap(s)-len(s) >= more {
		return s
	}
	const large = 64 << 10 // from there on memory comes as whole pages
	n := len(s) + more
	if size := n * int(unsafe.Sizeof(*new(T))); size >= large { // make would clear what is overwritten soon
		return append(unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(buffer.Uncleared(size)))), n)[:0], s...)
	}
	return append(make([]T, 0, n), s...)
}

// place takes room for a block and says what of it is null.
func (b *ColumnBuilder) place(k *block) (s seat) {
	end := b.n + k.rows
	switch b.Col.Type {
	case Int, DateTime:
		b.ints = b.ints[:end]
		s.ints = b.ints[b.n:]
	case Decimal:
		b.decs = b.decs[:end]
		s.decs, s.scale = b.decs[b.n:], b.Col.Scale
	case Float:
		b.floats = b.floats[:end]
		s.floats = b.floats[b.n:]
	case Date:
		b.days = b.days[:end]
		s.days = b.days[b.n:]
	case Bool:
		for i, n := range k.ints {
			b.putBool(b.n+i, n != 0)
		}
	case Text, JSON:
		s.base = int64(len(b.text))
		b.offsets, b.text = b.offsets[:end+1], b.text[:len(b.text)+len(k.text)]
		s.offsets, s.text = b.offsets[b.n+1:], b.text[s.base:]
	}
	b.markBlock(k.nulls, k.rows)
	return s
}

// put copies the cells of the block to their room.
func (s *seat) put(k *block) {
	copy(s.ints, k.ints)
	copy(s.floats, k.floats)
	copy(s.text, k.text)
	for i := range s.days {
		s.days[i] = arrow.Date32(k.ints[i])
	}
	for i := range s.offsets {
		s.offsets[i] = s.base + int64(k.ends[i])
	}
	if s.decs != nil {
		s.putNumbers(k)
	}
}

// putNumbers copies the numbers of a block at the column's scale, which is not below the block's.
func (s *seat) putNumbers(k *block) {
	by := powers[s.scale-k.scale]
	for i, n := range k.ints {
		if s.decs[i] = numOf(n); s.scale > k.scale {
			s.decs[i] = s.decs[i].Mul(by)
		}
	}
	wide := s.decs[len(k.ints):]
	for i := range wide {
		wide[i] = k.decs[i].Mul(by)
	}
}

// markBlock counts rows, of which those of nulls are null.
func (b *ColumnBuilder) markBlock(nulls []int32, rows int) {
	if b.nulls == 0 && len(nulls) == 0 {
		b.n += rows
		return
	}
	if b.nulls == 0 {
		b.startBitmap()
	}
	at := b.n
	b.n += rows
	for at&7 != 0 && at < b.n {
		b.valid[at>>3] |= 1 << (at & 7)
		at++
	}
	for ; at < b.n; at += 8 {
		b.valid = append(b.valid, 1<<min(b.n-at, 8)-1)
	}
	for _, null := range nulls {
		row := b.n - rows + int(null)
		b.valid[row>>3] &^= 1 << (row & 7)
	}
	b.nulls += len(nulls)
}

// widen turns a column of integers into one of decimals.
func (b *ColumnBuilder) widen() {
	b.Col.Type = Decimal
	b.decs = make([]decimal128.Num, len(b.ints), cap(b.ints))
	for i, n := range b.ints {
		b.decs[i] = numOf(n)
	}
	b.ints = nil
}
