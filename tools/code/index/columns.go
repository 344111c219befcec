package index

import (
	"encoding/binary"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"slices"
)

// A stored part is its magic, then its columns in a fixed order, then the CRC-32C of all that. A column is the number of its bytes
// (uint64) and its bytes in pieces of at most pieceSize: each has the number of the bytes that follow (uint32), with the highest
// bit set where they are compressed with zstd. Numbers are little-endian.
const pieceSize = 1 << 20

const partMagic = "catena index 1\n\x00"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func newCRC() hash.Hash32 { return crc32.New(castagnoli) }

// column is a part of a part: a pointer to []uint32, []uint64, []byte or string.
type column any

// columns are all that is stored of a segment, in the order of the format.
func (s *segment) columns() []column {
	return []column{
		&s.str.text, &s.str.ends,
		&s.filePath, &s.fileLanguage, &s.fileParser, &s.filePackage, &s.fileHash, &s.fileModule, &s.fileFlags, &s.fileLines, &s.fileSize,
		&s.fileMod, &s.fileSource, &s.fileChunks, &s.fileSymbols, &s.fileImports,
		&s.chunkFile, &s.chunkStart, &s.chunkEnd, &s.chunkSymbol, &s.chunkOffset, &s.chunkKey, &s.chunkLengths, &s.chunkRefs, &s.refs,
		&s.symbolName, &s.symbolContainer, &s.symbolKind, &s.symbolSignature, &s.symbolDoc,
		&s.symbolFile, &s.symbolStart, &s.symbolEnd, &s.symbolDocStart, &s.symbolFlags, &s.symbolMetrics, &s.metrics, &s.metricFloats,
		&s.importPath, &s.importAlias, &s.importNames, &s.importLine,
		&s.terms.text, &s.terms.ends, &s.termDocs, &s.termPost, &s.postings,
		&s.names.text, &s.names.ends, &s.nameSymbols, &s.nameList,
		&s.blocks, &s.blockEnd,
	}
}

// writeColumns writes a part and returns its size and checksum.
func writeColumns(w io.Writer, cols []column) (int64, uint32, error) {
	sum := &summing{w: w, crc: newCRC()}
	if _, err := io.WriteString(sum, partMagic); err != nil {
		return 0, 0, err
	}
	for _, c := range cols {
		if err := writeColumn(sum, c); err != nil {
			return 0, 0, err
		}
	}
	crc := sum.crc.Sum32()
	_, err := sum.Write(binary.LittleEndian.AppendUint32(nil, crc))
	return sum.n, crc, err
}

// summing counts and sums what is written.
type summing struct {
	w   io.Writer
	crc hash.Hash32
	n   int64
}

func (s *summing) Write(p []byte) (int, error) {
	n, err := s.w.Write(p)
	_, _ = s.crc.Write(p[:n]) // never fails
	s.n += int64(n)
	return n, err
}

func writeColumn(w io.Writer, c column) error {
	p := pieceWriter{w: w, raw: make([]byte, 0, pieceSize)}
	switch c := c.(type) {
	case *[]uint32:
		p.head(4 * len(*c))
		for _, v := range *c {
			p.raw = binary.LittleEndian.AppendUint32(p.raw, v)
			p.flush(pieceSize)
		}
	case *[]uint64:
		p.head(8 * len(*c))
		for _, v := range *c {
			p.raw = binary.LittleEndian.AppendUint64(p.raw, v)
			p.flush(pieceSize)
		}
	case *[]byte:
		p.head(len(*c))
		for part := range slices.Chunk(*c, pieceSize) {
			p.raw = append(p.raw, part...)
			p.flush(pieceSize)
		}
	case *string:
		p.head(len(*c))
		for text := *c; len(text) > 0; text = text[min(len(text), pieceSize):] {
			p.raw = append(p.raw, text[:min(len(text), pieceSize)]...)
			p.flush(pieceSize)
		}
	}
	p.flush(1)
	return p.err
}

// pieceWriter writes a column; after the first error nothing more.
type pieceWriter struct {
	w           io.Writer
	raw, packed []byte
	err         error
}

const compressed = 1 << 31

func (p *pieceWriter) head(n int) {
	_, p.err = p.w.Write(binary.LittleEndian.AppendUint64(nil, uint64(n)))
}

// flush writes what is there, once it is at least so much.
func (p *pieceWriter) flush(least int) {
	if len(p.raw) < least || p.err != nil {
		return
	}
	p.packed = fastPacker().EncodeAll(p.raw, append(p.packed[:0], 0, 0, 0, 0))
	if len(p.packed) < len(p.raw) {
		binary.LittleEndian.PutUint32(p.packed, uint32(len(p.packed)-4)|compressed)
	} else {
		p.packed = append(binary.LittleEndian.AppendUint32(p.packed[:0], uint32(len(p.raw))), p.raw...)
	}
	p.raw = p.raw[:0]
	_, p.err = p.w.Write(p.packed)
}

// readColumns reads a part of a known size. No more is allocated than the size allows, whatever the data say. Errors are plain:
// the caller knows the file's name.
func readColumns(r io.Reader, size int64, cols []column) (uint32, error) {
	in := &summed{r: r, crc: newCRC(), left: size - 4}
	magic := make([]byte, len(partMagic))
	if err := in.full(magic); err != nil || string(magic) != partMagic {
		return 0, fmt.Errorf("it does not begin as an index does")
	}
	for i, c := range cols {
		if err := in.column(c); err != nil {
			return 0, fmt.Errorf("column %d: %w", i, err)
		}
	}
	if in.left != 0 {
		return 0, fmt.Errorf("%d bytes are left over", in.left)
	}
	crc := in.crc.Sum32()
	var end [4]byte
	if _, err := io.ReadFull(r, end[:]); err != nil {
		return 0, err
	}
	if binary.LittleEndian.Uint32(end[:]) != crc {
		return 0, fmt.Errorf("its checksum is not that of its content")
	}
	return crc, nil
}

// summed reads and sums.
type summed struct {
	r    io.Reader
	crc  hash.Hash32
	left int64
}

func (s *summed) full(p []byte) error {
	if int64(len(p)) > s.left {
		return io.ErrUnexpectedEOF
	}
	n, err := io.ReadFull(s.r, p)
	s.left -= int64(n)
	_, _ = s.crc.Write(p[:n]) // never fails
	return err
}

func (s *summed) column(c column) error {
	var head [8]byte
	if err := s.full(head[:]); err != nil {
		return err
	}
	n := binary.LittleEndian.Uint64(head[:])
	switch c := c.(type) {
	case *[]uint32:
		return s.pieces(n, 4, func(p []byte) {
			*c = slices.Grow(*c, room(n, len(p))/4)
			for ; len(p) > 0; p = p[4:] {
				*c = append(*c, binary.LittleEndian.Uint32(p))
			}
		})
	case *[]uint64:
		return s.pieces(n, 8, func(p []byte) {
			*c = slices.Grow(*c, room(n, len(p))/8)
			for ; len(p) > 0; p = p[8:] {
				*c = append(*c, binary.LittleEndian.Uint64(p))
			}
		})
	case *[]byte:
		return s.pieces(n, 1, func(p []byte) { *c = append(slices.Grow(*c, room(n, len(p))), p...) })
	case *string:
		var text []byte
		err := s.pieces(n, 1, func(p []byte) { text = append(slices.Grow(text, room(n, len(p))), p...) })
		*c = string(text)
		return err
	}
	return nil
}

// room is how much to make room for when a piece of p bytes arrives of a column that is said to have n: all of it, unless it is said to
// be larger than any piece has shown.
func room(n uint64, p int) int { return int(min(n, uint64(64*p))) }

// pieces reads n bytes and gives them to f, in whole numbers of a width.
func (s *summed) pieces(n uint64, width int, f func([]byte)) error {
	if n%uint64(width) != 0 {
		return io.ErrUnexpectedEOF
	}
	var packed, raw []byte
	for n > 0 {
		var head [4]byte
		if err := s.full(head[:]); err != nil {
			return err
		}
		size := binary.LittleEndian.Uint32(head[:])
		packed = slices.Grow(packed[:0], int(min(size&^compressed, pieceSize)))[:min(size&^compressed, pieceSize)]
		if int64(size&^compressed) > min(s.left, pieceSize) {
			return io.ErrUnexpectedEOF
		}
		if err := s.full(packed); err != nil {
			return err
		}
		part := packed
		if size&compressed != 0 {
			var err error
			if raw, err = pieceUnpacker().DecodeAll(packed, raw[:0]); err != nil {
				return err
			}
			part = raw
		}
		if len(part) == 0 || len(part)%width != 0 || uint64(len(part)) > n {
			return io.ErrUnexpectedEOF
		}
		f(part)
		n -= uint64(len(part))
	}
	return nil
}
