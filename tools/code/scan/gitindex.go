package scan

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// errIndex says that git's index is none.
var errIndex = errors.New("git's index is damaged")

// indexNames reads the names in an index of git (gitformat-index(5), versions 2 to 4), and nothing else of it. A name of more than maxPath
// bytes ends it: with the names of version 4, which begin as the one before does, a few megabytes could say terabytes.
func indexNames(src io.Reader, name func(string)) error {
	r := bufio.NewReaderSize(src, 64<<10)
	var head struct{ Magic, Version, Entries uint32 }
	if err := binary.Read(r, binary.BigEndian, &head); err != nil {
		return fmt.Errorf("%w: %w", errIndex, err)
	}
	if head.Magic != 0x44495243 || head.Version < 2 || head.Version > 4 {
		return fmt.Errorf("%w: it is of version %d", errIndex, head.Version)
	}
	last := make([]byte, 0, maxPath+1)
	for range head.Entries {
		var err error
		if last, err = indexEntry(r, head.Version, last); err != nil {
			return fmt.Errorf("%w: %w", errIndex, err)
		}
		name(string(last))
	}
	return nil
}

// indexEntry reads an entry and gives its name. last is the name before, whose memory is used.
func indexEntry(r *bufio.Reader, version uint32, last []byte) ([]byte, error) {
	const fixed, extended = 62, 0x4000 // what stands before the name: times, modes, sizes, the hash, the flags
	var entry [fixed + 2]byte
	if _, err := io.ReadFull(r, entry[:fixed]); err != nil {
		return nil, err
	}
	size := fixed
	if binary.BigEndian.Uint16(entry[fixed-2:])&extended != 0 {
		size += 2
		if _, err := io.ReadFull(r, entry[fixed:]); err != nil {
			return nil, err
		}
	}
	keep := 0
	if version == 4 {
		cut, err := readOffset(r)
		if err != nil {
			return nil, err
		}
		if cut > uint64(len(last)) {
			return nil, errIndex
		}
		keep = len(last) - int(cut)
	}
	last = last[:keep]
	for {
		c, err := r.ReadByte()
		if err != nil {
			return nil, err
		}
		if c == 0 {
			break
		}
		if len(last) == maxPath {
			return nil, fmt.Errorf("a name of more than %d bytes: %w", maxPath, ErrTooLarge)
		}
		last = append(last, c)
	}
	if version < 4 { // padded to a multiple of eight, with one to eight zeros of which one was read
		_, err := r.Discard(7 - (size+len(last))%8)
		return last, err
	}
	return last, nil
}

// readOffset reads a number as git writes offsets (gitformat-pack(5)): seven bits a byte, the highest first, each but the last counted from one.
func readOffset(r io.ByteReader) (uint64, error) {
	n := uint64(0)
	for i := 0; ; i++ {
		c, err := r.ReadByte()
		if err != nil {
			return 0, err
		}
		if i > 8 {
			return 0, errors.New("a number is too large")
		}
		if i > 0 {
			n++
		}
		n = n<<7 | uint64(c&0x7f)
		if c&0x80 == 0 {
			return n, nil
		}
	}
}
