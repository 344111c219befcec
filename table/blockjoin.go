package table

import (
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/decimal128"

	"catena/internal/buffer"
)

// Block is the cells of one column in a run of rows, which join a ColumnBuilder at once. It is kept small, so that it
// stays in the processor's cache, and used again. Which of its slices hold the cells is decided by the type of the
// column that it joins.
type Block struct {
	Rows   int
	Nulls  []int32          // rows
	Ints   []int64          // numbers without their point, days, microseconds, 0 or 1; 0 for nulls
	Decs   []decimal128.Num // in place of Ints where a number has more digits
	Scale  int32            // of the numbers
	Double bool             // the numbers are in Floats
	Floats []float64
	Ends   []int32 // of texts
	Text   []byte
}

// Blocks join a column in two steps. place takes the room for the cells of a block, which has to happen in the order
// of the blocks; put then copies them there, which several goroutines may do at once. Only makeRoom moves what is
// there already: nobody may put meanwhile.

// Seat is the room for the cells of a block.
type Seat struct {
	ints    []int64
	decs    []decimal128.Num
	scale   int32 // of decs
	floats  []float64
	days    []arrow.Date32
	offsets []int64
	text    []byte
	base    int64 // what the offsets of the block begin at
}

// Expected is how much a column will hold, about; what is 0 is not known.
type Expected struct {
	Rows  int
	Bytes float64 // of a text
}

// HasRoom reports whether the block can be placed without makeRoom.
func (b *ColumnBuilder) HasRoom(k *Block) bool {
	n := b.n + k.Rows
	switch b.Col.Type {
	case Int:
		return !k.Double && k.Scale == 0 && n <= cap(b.ints)
	case DateTime:
		return n <= cap(b.ints)
	case Decimal:
		return !k.Double && k.Scale <= b.Col.Scale && n <= cap(b.decs)
	case Float:
		return n <= cap(b.floats)
	case Date:
		return n <= cap(b.days)
	case Text, JSON:
		return n < cap(b.offsets) && len(b.text)+len(k.Text) <= cap(b.text)
	}
	return true
}

// MakeRoom moves the cells so that the block can be placed: to more memory, into decimals of the block's scale or
// into doubles, which doubles makes of them; false when these do not keep a number.
func (b *ColumnBuilder) MakeRoom(
	k *Block,
	expect Expected,
	doubles func(to []float64, of *Block) ([]float64, bool),
) bool {
	if k.Double && b.Col.Type != Float {
		var ok bool
		numbers := &Block{Ints: b.ints, Decs: b.decs, Scale: b.Col.Scale}
		if b.floats, ok = doubles(make([]float64, 0, max(expect.Rows, b.n+k.Rows)), numbers); !ok {
			return false
		}
		b.Col.Type, b.Col.Scale, b.ints, b.decs = Float, 0, nil, nil
	}
	if b.Col.Type == Int && k.Scale > 0 {
		b.widen()
	}
	if b.Col.Type == Decimal && k.Scale > b.Col.Scale {
		by := powers[k.Scale-b.Col.Scale]
		for i, n := range b.decs {
			b.decs[i] = n.Mul(by)
		}
		b.Col.Scale = k.Scale
	}
	b.extend(k, expect)
	return true
}

// extend takes memory for the block and, where it is known how many, for the rows to come.
func (b *ColumnBuilder) extend(k *Block, expect Expected) {
	rows := max(expect.Rows-b.n, k.Rows, b.n/4)
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
		if b.n+k.Rows >= cap(b.offsets) {
			b.offsets = withRoom(b.offsets, rows)
		}
		if more := len(k.Text); len(b.text)+more > cap(b.text) {
			b.text = withRoom(b.text, max(more, b.textAhead(k, expect), len(b.text)/4))
		}
	}
}

// textAhead is how many bytes are to come, judged by those of the rows so far unless it is known how many a row has.
func (b *ColumnBuilder) textAhead(k *Block, expect Expected) int {
	rows, bytes := b.n+k.Rows, len(b.text)+len(k.Text)
	if guess := int(1.02*expect.Bytes*float64(expect.Rows)) - len(b.text); guess > len(k.Text) {
		return guess
	}
	if expect.Rows <= rows {
		return 0
	}
	return int(1.05*float64(bytes)/float64(rows)*float64(expect.Rows)) - len(b.text)
}

// withRoom moves a slice to memory for so many more, unless it has it. Unlike slices.Grow it does not write to what
// is beyond, so that it is not taken from the system before it is used: there may be anything.
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

// Place takes room for a block and says what of it is null.
func (b *ColumnBuilder) Place(k *Block) (s Seat) {
	end := b.n + k.Rows
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
		for i, n := range k.Ints {
			b.putBool(b.n+i, n != 0)
		}
	case Text, JSON:
		s.base = int64(len(b.text))
		b.offsets, b.text = b.offsets[:end+1], b.text[:len(b.text)+len(k.Text)]
		s.offsets, s.text = b.offsets[b.n+1:], b.text[s.base:]
	}
	b.markBlock(k.Nulls, k.Rows)
	return s
}

// Put copies the cells of the block to their room.
func (s *Seat) Put(k *Block) {
	copy(s.ints, k.Ints)
	copy(s.floats, k.Floats)
	copy(s.text, k.Text)
	for i := range s.days {
		s.days[i] = arrow.Date32(k.Ints[i])
	}
	for i := range s.offsets {
		s.offsets[i] = s.base + int64(k.Ends[i])
	}
	if s.decs != nil {
		s.putNumbers(k)
	}
}

// putNumbers copies the numbers of a block at the column's scale, which is not below the block's.
func (s *Seat) putNumbers(k *Block) {
	by := powers[s.scale-k.Scale]
	for i, n := range k.Ints {
		if s.decs[i] = numOf(n); s.scale > k.Scale {
			s.decs[i] = s.decs[i].Mul(by)
		}
	}
	wide := s.decs[len(k.Ints):]
	for i := range wide {
		wide[i] = k.Decs[i].Mul(by)
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
