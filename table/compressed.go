package table

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"

	"catena/internal/buffer"
	"catena/internal/text"
)

const (
	magicGzip = "\x1f\x8b"
	MagicZstd = "\x28\xb5\x2f\xfd"
)

// ratioFree is how many bytes may come out of any number of compressed ones: short texts that repeat themselves are no bombs.
const ratioFree = 4 << 20

// Decompress unpacks gzip (RFC 1952) and Zstandard (RFC 8878) data, within the limits of bytes and ratio; other data it gives back as they are. Data that
// are compressed twice are refused.
func Decompress(data []byte, source string, lim Limits) ([]byte, error) {
	if !IsCompressed(data) {
		return data, nil
	}
	var in io.Reader
	what := "gzip"
	if bytes.HasPrefix(data, []byte(magicGzip)) {
		zip, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return nil, damaged(source, what, err)
		}
		in = zip
	} else {
		what = "Zstandard"
		dec, err := zstd.NewReader(bytes.NewReader(data), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(uint64(lim.Bytes)), zstd.WithDecoderMaxWindow(uint64(max(lim.Bytes, 1<<10))))
		if err != nil {
			return nil, damaged(source, what, err)
		}
		defer dec.Close()
		in = dec
	}
	out, err := inflate(in, int64(len(data)), source, what, lim)
	if err != nil {
		return nil, err
	}
	if IsCompressed(out) {
		return nil, &FormatError{Source: source, Reason: "the data are compressed twice", Hint: "unpack it once"}
	}
	return out, nil
}

func IsCompressed(data []byte) bool {
	return bytes.HasPrefix(data, []byte(magicGzip)) || bytes.HasPrefix(data, []byte(MagicZstd))
}

// inflate reads what a decompressor gives, of which packed bytes are the source.
func inflate(in io.Reader, packed int64, source, what string, lim Limits) ([]byte, error) {
	most := unpackLimit(packed, lim)
	buf := unpacked{lim: &lim}
	defer buf.all.Free()
	n, err := buf.ReadFrom(io.LimitReader(in, most+1))
	var over *LimitError
	switch {
	case errors.As(err, &over), GaveUp(err):
		return nil, err
	case n > lim.Bytes, errors.Is(err, zstd.ErrDecoderSizeExceeded), errors.Is(err, zstd.ErrWindowSizeExceeded):
		return nil, TooLarge(source, lim)
	case n > most:
		return nil, tooDense(source, lim)
	case err != nil:
		return nil, damaged(source, what, err)
	}
	return buf.bytes()
}

// unpackLimit is how many bytes may come out of packed ones.
func unpackLimit(packed int64, lim Limits) int64 {
	return min(lim.Bytes, max(ratioFree, packed*int64(lim.Ratio)))
}

// unpacked is what comes out of a decompressor, which the budget pays for before it is kept.
type unpacked struct {
	all buffer.Pieces
	lim *Limits
}

// ReadFrom reads all; its errors are also those of the reading's limits.
func (u *unpacked) ReadFrom(r io.Reader) (n int64, err error) {
	for {
		if err := u.lim.Ended(); err != nil {
			return n, err
		}
		if more := u.all.Next(); more > 0 {
			if err := u.lim.Reserve(int64(more)); err != nil {
				return n, err
			}
		}
		got, err := r.Read(u.all.Room())
		u.all.Took(got)
		n += int64(got)
		if errors.Is(err, io.EOF) {
			return n, nil
		}
		if err != nil {
			return n, err
		}
	}
}

// bytes is all of it as one slice, which the budget pays for as well.
func (u *unpacked) bytes() ([]byte, error) {
	room := int64(u.all.Cap())
	if err := u.lim.Reserve(int64(u.all.Len())); err != nil {
		return nil, err
	}
	data := u.all.Bytes()
	u.lim.GiveBack(room)
	return data, nil
}

// textRoom bounds what a source builds of texts that it holds once and refers to from many cells: shared strings of workbooks, cells that span several. It is what
// the source could hold if it were compressed.
type textRoom struct {
	left   int64 // bytes
	source string
	lim    Limits
}

// take counts a text that is used once more.
func (r *textRoom) take(bytes int) error {
	if r.left -= int64(bytes); r.left >= 0 {
		return nil
	}
	return OverLimit(r.source, 0, LimitBytes, r.lim.Bytes, "texts that are used in many cells make the content larger than the limit of %s, or than %d times the source", text.Bytes(r.lim.Bytes), r.lim.Ratio)
}

// tooDense is the error of a small source that unpacks to a very large content.
func tooDense(source string, lim Limits) *FormatError {
	return OverLimit(source, 0, limitRatio, int64(lim.Ratio), "the content is more than %d times as large as the compressed data", lim.Ratio)
}

func damaged(source, what string, err error) *FormatError {
	return &FormatError{Source: source, Reason: "the " + what + " data are damaged (" + err.Error() + ")", Hint: "fetch or pack the file again", Err: err}
}

// CutPacked takes the ending of a compressed file off its name.
func CutPacked(name string) string {
	switch ext := filepath.Ext(name); strings.ToLower(ext) {
	case ".gz", ".zst", ".zstd":
		return strings.TrimSuffix(name, ext)
	}
	return name
}
