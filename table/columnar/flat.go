package columnar

import (
	"encoding/binary"

	"catena/table"
)

// flat is one FlatBuffer. Reading beyond its end panics, as in the Arrow reader; ipcFromBytes turns panics into errors.
type flat struct {
	b    []byte
	work int // what may still be read: parts that are shared by many owners would otherwise grow without end
	c    *ipcCheck
}

const (
	flatWork  = 64      // times the size of the metadata
	flatBasic = 1 << 16 // and this much for the smallest
)

func (c *ipcCheck) flat(b []byte) *flat { return &flat{b: b, work: flatWork*len(b) + flatBasic, c: c} }

func (f *flat) uint32(at int) uint32 { return binary.LittleEndian.Uint32(f.b[at:]) }

func (f *flat) int64(at int) int64 { return int64(binary.LittleEndian.Uint64(f.b[at:])) }

func (f *flat) indirect(at int) int { return at + int(f.uint32(at)) }

// field is where a table has a field, 0 when it has not.
func (f *flat) field(tbl, place int) int {
	if tbl == 0 {
		return 0
	}
	rules := tbl - int(int32(f.uint32(tbl)))
	at := 4 + 2*place
	// As the library has it, also where the last of the places is cut.
	if at >= int(binary.LittleEndian.Uint16(f.b[rules:])) {
		return 0
	}
	if offset := int(binary.LittleEndian.Uint16(f.b[rules+at:])); offset > 0 {
		return tbl + offset
	}
	return 0
}

// child is the table that a field refers to, 0 when there is none.
func (f *flat) child(tbl, place int) int {
	if at := f.field(tbl, place); at > 0 {
		return f.indirect(at)
	}
	return 0
}

// vector is where the elements of a list begin and how many there are; they must be there.
func (f *flat) vector(tbl, place, size int) (start, n int, err error) {
	at := f.child(tbl, place)
	if at == 0 {
		return 0, 0, nil
	}
	n = int(f.uint32(at))
	f.work -= 16 + n*size
	if n > (len(f.b)-at-4)/size || f.work < 0 {
		return 0, 0, table.ErrDamaged
	}
	return at + 4, n, nil
}

// enum is a field of one byte, 0 where there is none.
func (f *flat) enum(tbl, place int) byte {
	if at := f.field(tbl, place); at > 0 {
		return f.b[at]
	}
	return 0
}

func (f *flat) setInt64(at int, n int64) { binary.LittleEndian.PutUint64(f.b[at:], uint64(n)) }
