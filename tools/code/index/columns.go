package index

import (
	"encoding/binary"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
)

// A stored part is its magic, then its columns in a fixed order, each with the number of its bytes (uint64) before it, then the
// CRC-32C of all that. Numbers are little-endian.
const partMagic = "catena index 1\n\x00"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

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
	sum := &summing{w: w, crc: crc32.New(castagnoli)}
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
	buf := make([]byte, 0, 64<<10)
	flush := func(least int) error {
		if len(buf) < least {
			return nil
		}
		_, err := w.Write(buf)
		buf = buf[:0]
		return err
	}
	head := func(n int) { buf = binary.LittleEndian.AppendUint64(buf, uint64(n)) }
	switch c := c.(type) {
	case *[]uint32:
		head(4 * len(*c))
		for _, v := range *c {
			buf = binary.LittleEndian.AppendUint32(buf, v)
			if err := flush(60 << 10); err != nil {
				return err
			}
		}
	case *[]uint64:
		head(8 * len(*c))
		for _, v := range *c {
			buf = binary.LittleEndian.AppendUint64(buf, v)
			if err := flush(60 << 10); err != nil {
				return err
			}
		}
	case *[]byte:
		head(len(*c))
		if err := flush(0); err != nil {
			return err
		}
		_, err := w.Write(*c)
		return err
	case *string:
		head(len(*c))
		if err := flush(0); err != nil {
			return err
		}
		_, err := io.WriteString(w, *c)
		return err
	}
	return flush(0)
}

// readColumns reads a part of a known size. No more is allocated than the size allows, whatever the data say. Errors are plain:
// the caller knows the file's name.
func readColumns(r io.Reader, size int64, cols []column) (uint32, error) {
	in := &summed{r: r, crc: crc32.New(castagnoli), left: size - 4}
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
	if s.left < 0 || n > uint64(s.left) {
		return io.ErrUnexpectedEOF
	}
	switch c := c.(type) {
	case *[]uint32:
		*c = make([]uint32, 0, n/4)
		return s.pieces(n, 4, func(p []byte) { *c = append(*c, binary.LittleEndian.Uint32(p)) })
	case *[]uint64:
		*c = make([]uint64, 0, n/8)
		return s.pieces(n, 8, func(p []byte) { *c = append(*c, binary.LittleEndian.Uint64(p)) })
	case *[]byte:
		*c = make([]byte, n)
		return s.full(*c)
	case *string:
		text := make([]byte, n)
		err := s.full(text)
		*c = string(text)
		return err
	}
	return nil
}

// pieces reads n bytes and calls f for each number of them.
func (s *summed) pieces(n uint64, width int, f func([]byte)) error {
	if n%uint64(width) != 0 {
		return io.ErrUnexpectedEOF
	}
	buf := make([]byte, min(n, 64<<10))
	for n > 0 {
		part := buf[:min(n, uint64(len(buf)))]
		if err := s.full(part); err != nil {
			return err
		}
		for i := 0; i < len(part); i += width {
			f(part[i:])
		}
		n -= uint64(len(part))
	}
	return nil
}
