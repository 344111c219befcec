package index

import (
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"
)

const (
	// blockSize is how much text is compressed at once: smaller blocks are faster to look into, larger ones take less room. The
	// source of the Go distribution takes 29 % of its size with 8 KiB and 26 % with 32 KiB; a hit needs one or two blocks.
	blockSize = 8 << 10
	// cachedBlocks of each segment are kept as text: 4 MiB.
	cachedBlocks = 512
)

var (
	packer = sync.OnceValue(func() *zstd.Encoder {
		e, _ := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(2), zstd.WithWindowSize(blockSize)) // no error with these options
		return e
	})
	fastPacker = sync.OnceValue(func() *zstd.Encoder {
		e, _ := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(2), zstd.WithWindowSize(pieceSize)) // no error with these options
		return e
	})
	pieceUnpacker = sync.OnceValue(func() *zstd.Decoder {
		d, _ := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(pieceSize)) // no error with these options
		return d
	})
	unpacker = sync.OnceValue(func() *zstd.Decoder {
		d, _ := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(4*blockSize)) // no error with these options
		return d
	})
)

// block gives one block of the stream of sources. The caller must not change it.
func (s *segment) block(i uint32) ([]byte, error) {
	s.cache.mu.Lock()
	text, ok := s.cache.text[i]
	s.cache.mu.Unlock()
	if ok {
		return text, nil
	}
	if int(i) >= len(s.blockEnd) {
		return nil, &DamagedError{File: s.name, Reason: "a source lies beyond the last block"}
	}
	from := uint32(0)
	if i > 0 {
		from = s.blockEnd[i-1]
	}
	text, err := unpacker().DecodeAll(s.blocks[from:s.blockEnd[i]], make([]byte, 0, blockSize))
	if err != nil {
		return nil, &DamagedError{File: s.name, Reason: fmt.Sprintf("block %d of the sources: %v", i, err)}
	}
	s.cache.mu.Lock()
	defer s.cache.mu.Unlock()
	if s.cache.text == nil {
		s.cache.text = make(map[uint32][]byte, cachedBlocks)
	}
	if _, ok := s.cache.text[i]; !ok {
		if len(s.cache.order) >= cachedBlocks {
			delete(s.cache.text, s.cache.order[0])
			s.cache.order = append(s.cache.order[:0], s.cache.order[1:]...)
		}
		s.cache.text[i] = text
		s.cache.order = append(s.cache.order, i)
	}
	return text, nil
}

// source gives the bytes [from, to) of a file.
func (s *segment) source(file uint32, from, to int) ([]byte, error) {
	to = min(to, int(s.fileSize[file]))
	if from >= to {
		return nil, nil
	}
	out := make([]byte, 0, to-from)
	at, end := s.fileSource[file]+uint64(from), s.fileSource[file]+uint64(to)
	for at < end {
		b, err := s.block(uint32(at / blockSize))
		if err != nil {
			return nil, err
		}
		in := at % blockSize
		stop := min(uint64(len(b)), in+end-at)
		if in >= stop {
			return nil, &DamagedError{File: s.name, Reason: "a block of the sources is too short"}
		}
		out = append(out, b[in:stop]...)
		at += stop - in
	}
	return out, nil
}

// sourceWriter packs a stream of text into blocks.
type sourceWriter struct {
	open   []byte
	size   uint64
	blocks []byte
	ends   []uint32
}

// add returns where the text begins in the stream.
func (w *sourceWriter) add(text []byte) uint64 {
	at := w.size
	w.size += uint64(len(text))
	for len(text) > 0 {
		n := min(blockSize-len(w.open), len(text))
		w.open = append(w.open, text[:n]...)
		text = text[n:]
		if len(w.open) == blockSize {
			w.flush()
		}
	}
	return at
}

func (w *sourceWriter) flush() {
	if len(w.open) == 0 {
		return
	}
	w.blocks = packer().EncodeAll(w.open, w.blocks)
	w.ends = append(w.ends, uint32(len(w.blocks)))
	w.open = w.open[:0]
}
