package columnar

import (
	"encoding/binary"
	"math"

	"catena/table"
)

// thriftScan walks a value in Thrift's compact protocol (github.com/apache/thrift,
// doc/specs/thrift-compact-protocol.md) and counts what a reader makes of it, without making any of it. Reading beyond
// the end panics with ErrDamaged.
type thriftScan struct {
	b    []byte
	at   int
	cost int64 // bytes of memory that the value takes when it is read
	over bool  // ends the walk where it is: a field was refused
}

// The types of fields and elements.
const (
	thriftTrue   = 1
	thriftFalse  = 2
	thriftByte   = 3
	thriftI16    = 4
	thriftI32    = 5
	thriftI64    = 6
	thriftDouble = 7
	thriftBinary = 8
	thriftList   = 9
	thriftSet    = 10
	thriftMap    = 11
	thriftStruct = 12
	thriftUUID   = 13
)

const (
	thriftDepth     = 24  // of structs and lists in each other; Parquet's own have eight
	thriftStructure = 256 // bytes of one struct in memory, about the mean of Parquet's
	thriftElement   = 16  // bytes of an element of a list
)

// damagedIf panics with ErrDamaged, which the readers of columns turn into their error.
func damagedIf(bad bool) {
	if bad {
		panic(table.ErrDamaged)
	}
}

func (s *thriftScan) byte() byte {
	damagedIf(s.at >= len(s.b))
	s.at++
	return s.b[s.at-1]
}

func (s *thriftScan) uvarint() uint64 {
	n, size := binary.Uvarint(s.b[min(s.at, len(s.b)):])
	damagedIf(size <= 0)
	s.at += size
	return n
}

// number is a whole number of 16, 32 or 64 bits.
func (s *thriftScan) number() int64 {
	n := s.uvarint()
	return int64(n>>1) ^ -int64(n&1)
}

// pass goes over n bytes.
func (s *thriftScan) pass(n uint64) {
	damagedIf(n > uint64(len(s.b)-s.at))
	s.at += int(n)
}

// text is a binary value's bytes.
func (s *thriftScan) text() []byte {
	n := s.uvarint()
	from := s.at
	s.pass(n)
	s.cost += int64(n) + thriftElement
	return s.b[from:s.at]
}

// list is the header of a list or set: each element takes a byte at least.
func (s *thriftScan) list() (n int, typ byte) {
	head := s.byte()
	size := uint64(head >> 4)
	if size == 15 {
		size = s.uvarint()
	}
	damagedIf(size > uint64(len(s.b)-s.at))
	s.cost += int64(size) * thriftElement
	return int(size), head & 15
}

// fields walks a struct. field reads the value and reports that it did, or leaves it to be skipped.
func (s *thriftScan) fields(depth int, field func(id int64, typ byte) bool) {
	damagedIf(depth > thriftDepth)
	s.cost += thriftStructure
	id := int64(0)
	for {
		head := s.byte()
		if head == 0 {
			return
		}
		if delta := int64(head >> 4); delta > 0 {
			id += delta
		} else {
			id = s.number()
		}
		typ := head & 15
		if !field(id, typ) {
			s.skip(typ, depth+1, false)
		}
		if s.over {
			return
		}
	}
}

// skip goes over a value. A truth in a list is a byte; that of a field is in its header.
func (s *thriftScan) skip(typ byte, depth int, element bool) {
	damagedIf(depth > thriftDepth)
	switch typ {
	case thriftTrue, thriftFalse:
		if element {
			s.pass(1)
		}
	case thriftByte:
		s.pass(1)
	case thriftI16, thriftI32, thriftI64:
		s.uvarint()
	case thriftDouble:
		s.pass(8)
	case thriftUUID:
		s.pass(16)
	case thriftBinary:
		s.text()
	case thriftList, thriftSet:
		s.elements(depth)
	case thriftMap:
		s.pairs(depth)
	case thriftStruct:
		s.fields(depth, func(int64, byte) bool { return false })
	default:
		panic(table.ErrDamaged)
	}
}

func (s *thriftScan) elements(depth int) {
	n, typ := s.list()
	for range n {
		s.skip(typ, depth+1, true)
	}
}

func (s *thriftScan) pairs(depth int) {
	n := s.uvarint()
	damagedIf(n > uint64(len(s.b)-s.at))
	if n == 0 {
		return
	}
	s.cost += int64(n) * 2 * thriftElement
	types := s.byte()
	for range n {
		s.skip(types>>4, depth+1, true)
		s.skip(types&15, depth+1, true)
	}
}

// plus and product are sums and products of counts that stay at the largest number where they would go over it.
func plus(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

func product(a, b int64) int64 {
	if a > 0 && b > math.MaxInt64/a {
		return math.MaxInt64
	}
	return a * b
}
