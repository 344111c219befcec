package columnar

import (
	"encoding/binary"

	"github.com/klauspost/compress/zstd"

	"catena/table"
)

// leastWindow is how large a window of Zstandard may always be: that of its highest usual levels.
const leastWindow = 16 << 20

// checkWindows goes over the frames of Zstandard data (RFC 8878) and fails where one needs a window of more than most
// bytes: a decompressor takes memory for it before anything is unpacked.
func checkWindows(b []byte, most int64) error {
	for first := true; len(b) > 0; first = false {
		var head zstd.Header
		if err := head.Decode(b); err != nil {
			if first {
				return table.ErrDamaged
			}
			return nil // what stands behind the frames, which nobody reads
		}
		if head.Skippable {
			if size := uint64(head.HeaderSize) + uint64(head.SkippableSize); size <= uint64(len(b)) {
				b = b[size:]
				continue
			}
			return table.ErrDamaged
		}
		window := head.WindowSize
		if head.SingleSegment {
			window = head.FrameContentSize
		}
		if window > uint64(most) {
			return table.ErrDamaged
		}
		size, ok := blocksSize(b[head.HeaderSize:])
		if !ok {
			return table.ErrDamaged
		}
		if b = b[head.HeaderSize+size:]; head.HasCheckSum {
			b = b[min(4, len(b)):]
		}
	}
	return nil
}

// blocksSize is how many bytes the blocks of a frame take.
func blocksSize(b []byte) (size int, ok bool) {
	for size+3 <= len(b) {
		head := binary.LittleEndian.Uint32(append(b[size:size+3:size+3], 0))
		length := int(head >> 3)
		if head>>1&3 == 1 { // one byte that repeats
			length = 1
		}
		if size += 3 + length; size > len(b) {
			return 0, false
		}
		if head&1 == 1 {
			return size, true
		}
	}
	return 0, false
}
