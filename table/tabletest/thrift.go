package tabletest

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// What follows writes Thrift's compact protocol, as far as Parquet's metadata need it.

type field struct {
	id    int
	typ   byte
	value []byte
}

const (
	typeFalse  = 2
	typeI32    = 5
	typeI64    = 6
	typeBinary = 8
	typeList   = 9
	typeStruct = 12
)

func uvarint(n uint64) []byte { return binary.AppendUvarint(nil, n) }

func zigzag(n int64) []byte { return uvarint(uint64(n<<1) ^ uint64(n>>63)) }

func i32(id int, n int64) field { return field{id, typeI32, zigzag(n)} }

func i64(id int, n int64) field { return field{id, typeI64, zigzag(n)} }

func text(id int, s string) field {
	return field{id, typeBinary, append(uvarint(uint64(len(s))), s...)}
}

func structure(id int, fields ...field) field { return field{id, typeStruct, object(fields...)} }

func list(id int, typ byte, items ...[]byte) field {
	return field{id, typeList, append(listHead(typ, len(items)), bytes.Join(items, nil)...)}
}

func listHead(typ byte, n int) []byte {
	return append([]byte{0xf0 | typ}, uvarint(uint64(n))...)
}

// object is a struct; its fields come in the order of their numbers.
func object(fields ...field) []byte {
	slices.SortStableFunc(fields, func(a, b field) int { return a.id - b.id })
	var b []byte
	for last := 0; len(fields) > 0; fields = fields[1:] {
		f := fields[0]
		b = append(b, byte(f.id-last)<<4|f.typ)
		b = append(b, f.value...)
		last = f.id
	}
	return append(b, 0)
}
