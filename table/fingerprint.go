package table

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
)

// hashAt is how many bytes are collected before they are hashed.
const hashAt = 1 << 16

// fingerprint hashes cell by cell, not buffer by buffer: slices of larger arrays and garbage under nulls must not
// matter.
func (t *Table) fingerprint() string {
	sum := sha256.New()
	buf := fmt.Appendf(nil, "%d\n", t.rows)
	for i, col := range t.cols {
		buf = fmt.Appendf(buf, "%q %s %d %q %q\n", col.Name, col.Type, col.Scale, col.Zone, col.Unit)
		for row := range t.rows {
			buf = appendRaw(buf, t.cells[i].value(row))
			if len(buf) >= hashAt {
				sum.Write(buf) // a hash never fails
				buf = buf[:0]
			}
		}
	}
	sum.Write(buf)
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// appendRaw appends a self-delimiting encoding of v: equal encodings mean equal cells of the same type and scale.
func appendRaw(b []byte, v Value) []byte {
	b = append(b, byte(v.typ))
	switch v.typ {
	case Null:
		return b
	case Float:
		f := v.f
		if f == 0 {
			f = 0 // -0 equals 0
		}
		return binary.LittleEndian.AppendUint64(b, math.Float64bits(f))
	case Decimal:
		b = binary.LittleEndian.AppendUint64(b, uint64(v.i))
		return binary.LittleEndian.AppendUint64(b, uint64(v.hi))
	case Text, JSON:
		b = binary.AppendUvarint(b, uint64(len(v.s)))
		return append(b, v.s...)
	}
	return binary.LittleEndian.AppendUint64(b, uint64(v.i))
}
