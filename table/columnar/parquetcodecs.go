package columnar

import (
	"errors"
	"sync"

	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
)

// A page's header says how long its content is, and the library takes so much memory. But two of its decompressors
// believe what stands in the compressed bytes, and take memory for that. These do not.

func init() {
	for id, decode := range map[compress.Compression]func(dst, src []byte) ([]byte, error){
		compress.Codecs.Snappy: decodeSnappy, compress.Codecs.Zstd: decodeZstd,
	} {
		codec, err := compress.GetCodec(id)
		if err != nil {
			panic(err) // the library has it
		}
		compress.RegisterCodec(id, boundedCodec{codec, decode})
	}
}

var errUnpacked = errors.New("a page is longer than its header says")

// boundedCodec decompresses no more than fits into the memory that it is given.
type boundedCodec struct {
	compress.Codec
	decode func(dst, src []byte) ([]byte, error)
}

// DecodeWithError decompresses src into dst.
func (c boundedCodec) DecodeWithError(dst, src []byte) ([]byte, error) { return c.decode(dst, src) }

// Decode is DecodeWithError that panics.
func (c boundedCodec) Decode(dst, src []byte) []byte {
	out, err := c.decode(dst, src)
	if err != nil {
		panic(err)
	}
	return out
}

func decodeSnappy(dst, src []byte) ([]byte, error) {
	if n, err := snappy.DecodedLen(src); err != nil || n > len(dst) {
		return nil, errors.Join(err, errUnpacked)
	}
	return snappy.Decode(dst, src)
}

var zstdDecoder = sync.OnceValues(func() (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecodeAllCapLimit(true), zstd.WithDecoderLowmem(true))
})

func decodeZstd(dst, src []byte) ([]byte, error) {
	dec, err := zstdDecoder()
	if err != nil {
		return nil, err
	}
	out, err := dec.DecodeAll(src, dst[:0:len(dst)])
	if errors.Is(err, zstd.ErrDecoderSizeExceeded) {
		err = errUnpacked
	}
	return out, err
}
