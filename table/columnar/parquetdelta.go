package columnar

import (
	"encoding/binary"
	"errors"
	"math/bits"

	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/schema"

	"catena/table"
)

// Some encodings of Parquet keep differences (parquet-format, Encodings.md). Their few bytes may say any number of
// values, of any length, and the library takes memory for those. So they are counted here.

const (
	encodingBitPacked   = 4
	encodingDelta       = 5
	encodingDeltaLength = 6
	encodingDeltaBytes  = 7
)

var deltaEncodings = map[int64]bool{encodingDelta: true, encodingDeltaLength: true, encodingDeltaBytes: true}

// deltaBlock is how many values a block may have at the most. Programs write 128.
const deltaBlock = 1 << 16

// deltaPage checks the values of a page and says how many bytes its texts unfold to, where each is the beginning of the
// one before it and more.
func (c *pageCheck) deltaPage(col *schema.Column, p parquetPage, packed []byte) (unfolded int64, err error) {
	work := plus(p.unpacked, product(p.values, 16))
	if err := c.lim.Reserve(work); err != nil {
		return 0, err
	}
	defer c.lim.GiveBack(work)
	values, err := c.unpackValues(col, p, packed)
	if err != nil {
		return 0, err
	}
	if p.encoding != encodingDeltaBytes {
		return 0, checkDeltas(values, p.values)
	}
	prefixes, rest, err := deltaInts(values, p.values)
	if err != nil {
		return 0, err
	}
	suffixes, _, err := deltaInts(rest, p.values)
	if err != nil || len(prefixes) != len(suffixes) {
		return 0, errors.Join(err, table.ErrDamaged)
	}
	var last int64
	for i, prefix := range prefixes {
		if prefix < 0 || prefix > last || suffixes[i] < 0 {
			return 0, table.ErrDamaged
		}
		last = plus(prefix, suffixes[i])
		if last > int64(c.lim.CellSize) {
			return 0, table.CellTooLarge(c.source, 0, *c.lim)
		}
		unfolded = plus(unfolded, last)
	}
	return unfolded, nil
}

// unpackValues gives the bytes of a page's values, without its levels.
func (c *pageCheck) unpackValues(col *schema.Column, p parquetPage, packed []byte) ([]byte, error) {
	if p.kind == pageDataV2 {
		if p.levels > int64(len(packed)) || p.levels > p.unpacked {
			return nil, table.ErrDamaged
		}
		if packed = packed[p.levels:]; p.plain {
			return packed, nil
		}
		return compress.Decode(c.codec, make([]byte, p.unpacked-p.levels), packed)
	}
	page, err := compress.Decode(c.codec, make([]byte, p.unpacked), packed)
	if err != nil {
		return nil, err
	}
	for _, levels := range []struct{ most, encoding int64 }{
		{int64(col.MaxRepetitionLevel()), p.repetition}, {int64(col.MaxDefinitionLevel()), p.definition},
	} {
		if levels.most == 0 {
			continue
		}
		size := (product(p.values, int64(bits.Len64(uint64(levels.most)))) + 7) / 8
		if levels.encoding != encodingBitPacked {
			damagedIf(len(page) < 4)
			size = 4 + int64(binary.LittleEndian.Uint32(page))
		}
		damagedIf(size > int64(len(page)))
		page = page[size:]
	}
	return page, nil
}

// deltaHead is the beginning of a list of differences.
type deltaHead struct {
	perMini, minis uint64 // values of a piece, pieces of a block
	count          uint64
	first          int64
}

// checkDeltas checks the beginning of a list of differences, of most values at the most. A page without values may be
// empty.
func checkDeltas(b []byte, most int64) error {
	if len(b) == 0 && most == 0 {
		return nil
	}
	_, err := (&thriftScan{b: b}).deltaHead(most)
	return err
}

func (s *thriftScan) deltaHead(most int64) (h deltaHead, err error) {
	block := s.uvarint()
	h.minis, h.count, h.first = s.uvarint(), s.uvarint(), s.number()
	if h.minis == 0 || block > deltaBlock || block%h.minis != 0 || h.count > uint64(most) {
		return h, table.ErrDamaged
	}
	if h.perMini = block / h.minis; h.perMini == 0 || h.perMini%8 != 0 {
		return h, table.ErrDamaged
	}
	return h, nil
}

// deltaInts reads a list of differences, most at the most, and gives what follows it.
func deltaInts(b []byte, most int64) (ints []int64, rest []byte, err error) {
	s := &thriftScan{b: b}
	h, err := s.deltaHead(most)
	if err != nil {
		return nil, nil, err
	}
	if h.count == 0 {
		return nil, b[s.at:], nil
	}
	ints = append(make([]int64, 0, h.count), h.first)
	for uint64(len(ints)) < h.count {
		least := s.number()
		widths := s.at
		s.pass(h.minis)
		for _, width := range b[widths:s.at] {
			if uint64(len(ints)) == h.count {
				break
			}
			if width > 64 {
				return nil, nil, table.ErrDamaged
			}
			from := s.at
			s.pass(h.perMini * uint64(width) / 8)
			n := min(h.perMini, h.count-uint64(len(ints)))
			ints = appendDeltas(ints, b[from:s.at], int(n), uint(width), least)
		}
	}
	return ints, b[s.at:], nil
}

// appendDeltas adds n numbers whose differences, but for the least, stand in so many bits each.
func appendDeltas(ints []int64, packed []byte, n int, width uint, least int64) []int64 {
	last := ints[len(ints)-1]
	for i := range n {
		last += least + int64(bitsAt(packed, uint(i)*width, width))
		ints = append(ints, last)
	}
	return ints
}

// bitsAt is the number that stands in width bits from a bit on, the lowest first.
func bitsAt(b []byte, at, width uint) (n uint64) {
	for got := uint(0); got < width; {
		piece := uint64(b[(at+got)/8]) >> ((at + got) % 8)
		n |= piece << got
		got += 8 - (at+got)%8
	}
	if width < 64 {
		n &= 1<<width - 1
	}
	return n
}
