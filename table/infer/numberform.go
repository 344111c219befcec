package infer

import (
	"catena/internal/buffer"
)

// NumberForm reads numbers with as many digits behind the point as the ones before had, a word of eight bytes at a
// time.
type NumberForm struct {
	Known bool
	tail  uint32 // bytes from the point on
	power int64  // what the first word counts in units of the last one
	// Of the last word: where the point stands and how it looks there, the digits before it and those behind it.
	at, point, before, behind uint64
}

// FormOf is the form of numbers with so many digits behind the point; those of more than six are not known.
func FormOf(scale int32) NumberForm {
	f := NumberForm{Known: scale <= 6, power: 1e8, behind: 1<<64 - 1}
	if scale > 0 && f.Known {
		at := 8 * (7 - scale)
		f.at, f.point = 0xff<<at, ('.'^'0')<<at
		f.before, f.behind = 1<<at-1, f.behind<<(at+8)
		f.tail, f.power = uint32(scale)+1, 1e7
	}
	return f
}

// Read reads a number that is the last size of 16 bytes, as n without the point. What it does not know PlainNumber may.
func (f *NumberForm) Read(s string, size uint32) (n int64, ok bool) {
	const zeros = '0' * buffer.Ones
	first, sign := s[(16-size)&15], int64(0)
	if first == '-' {
		sign = -1
		size--
		first = s[(16-size)&15]
	}
	if size <= f.tail || first == '0' && size-f.tail > 1 {
		return 0, false
	}
	low, high := buffer.Word(s[8:16])^zeros, uint64(0)
	if size > 8 {
		gone := (128 - 8*size) & 63 // what stands before the number
		if high = (buffer.Word(s[:8]) ^ zeros) >> gone << gone; !eightDigits(high) {
			return 0, false
		}
	} else {
		gone := (64 - 8*size) & 63
		low = low >> gone << gone
	}
	point := low & f.at
	if low = low&f.behind | low&f.before<<8; point != f.point || !eightDigits(low) {
		return 0, false
	}
	n = int64(eightValue(high))*f.power + int64(eightValue(low))
	return n ^ sign - sign, true
}
