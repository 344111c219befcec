package buffer

import (
	"strings"
	"unsafe"
)

// String is the text of bytes that nobody may change any more, without a copy.
func String(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// Uncleared is memory for so many bytes, with anything in it: make would clear what is overwritten at once, on one processor.
func Uncleared(size int) []byte {
	var b strings.Builder // which does not clear the room that it grows by
	b.Grow(size)
	b.WriteByte(0)
	return unsafe.Slice(unsafe.StringData(b.String()), size)
}

// Word is the first eight bytes of a text, which must have them, as a number, the first one lowest.
func Word(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 | uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// Words of eight bytes, for looking at them at once (Hacker's Delight, section 6-1).
const (
	Ones  = 0x0101010101010101 // 1 in each byte
	Highs = 0x8080808080808080 // the upper bit of each
)
