package table

import (
	"encoding/binary"
	"math/bits"
	"math/rand/v2"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

// texts is direct access to the bytes of a text column: cell i is data[offsets[i]:offsets[i+1]]. Both belong to the
// array.
type texts struct {
	offsets []int64
	data    []byte
}

func textsOf(c *cells) texts {
	switch a := c.text.(type) {
	case *array.LargeString:
		if a.Len() > 0 {
			return texts{a.ValueOffsets(), textBytes(a)}
		}
	case *array.String:
		if a.Len() > 0 {
			offsets := make([]int64, a.Len()+1)
			for i, o := range a.ValueOffsets() {
				offsets[i] = int64(o)
			}
			return texts{offsets, textBytes(a)}
		}
	}
	return texts{offsets: []int64{0}}
}

// textBytes is the whole buffer of the texts, to which the offsets refer.
func textBytes(a interface{ Data() arrow.ArrayData }) []byte {
	if b := a.Data().Buffers()[2]; b != nil {
		return b.Bytes()
	}
	return nil
}

func (x *texts) at(i int) []byte { return x.data[x.offsets[i]:x.offsets[i+1]] }

func (x *texts) size(i int) int { return int(x.offsets[i+1] - x.offsets[i]) }

// word is the eight bytes of a text from the given one on, the first weighing most; zeros stand where it has ended.
func (x *texts) word(i, from int) uint64 {
	b := x.at(i)
	if len(b) >= from+8 {
		return binary.BigEndian.Uint64(b[from:])
	}
	var w uint64
	for k := from; k < len(b); k++ {
		w |= uint64(b[k]) << (56 - 8*(k-from))
	}
	return w
}

// Seeds of this process for hashes: nobody can prepare data whose keys collide.
var seeds = [2]uint64{rand.Uint64(), rand.Uint64()}

// mix folds the 128-bit product of two words: every bit of both reaches every bit of the result (Wang Yi, wyhash,
// 2019).
func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}

const oddity = 0x9e3779b97f4a7c15 // 2^64 divided by the golden ratio: bits without a pattern

func hashWord(w uint64) uint64 { return mix(w^seeds[0], oddity) }

func hashBytes(b []byte) uint64 {
	h := seeds[0] ^ uint64(len(b))*oddity
	for len(b) > 16 {
		h = mix(binary.LittleEndian.Uint64(b)^seeds[1], binary.LittleEndian.Uint64(b[8:])^h)
		b = b[16:]
	}
	var lo, hi uint64
	switch n := len(b); {
	case n >= 8:
		lo, hi = binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[n-8:])
	case n >= 4:
		lo, hi = uint64(binary.LittleEndian.Uint32(b)), uint64(binary.LittleEndian.Uint32(b[n-4:]))
	case n > 0:
		lo = uint64(b[0])<<16 | uint64(b[n>>1])<<8 | uint64(b[n-1])
	}
	return mix(mix(lo^seeds[1], hi^h), oddity)
}
