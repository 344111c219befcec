package content

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
	"catena/table"
)

// How packed contents begin.
const (
	magicGzip = "\x1f\x8b"
	MagicZstd = "\x28\xb5\x2f\xfd"
)

// ratioFree is how many bytes may come out of any number of compressed ones: short texts that repeat themselves are no
// bombs.
const ratioFree = 4 << 20

// Decompress unpacks gzip (RFC 1952) and Zstandard (RFC 8878) data, within the limits of bytes and ratio; other data it
// gives back as they are. Data that are compressed twice are refused.
func Decompress(data []byte, source string, lim table.Limits) ([]byte, error) {
	if !IsCompressed(data) {
		return data, nil
	}
	var in io.Reader
	what := "gzip"
	if bytes.HasPrefix(data, []byte(magicGzip)) {
		zip, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return nil, Damaged(source, what, err)
		}
		in = zip
	} else {
		what = "Zstandard"
		dec, err := zstd.NewReader(
			bytes.NewReader(data),
			zstd.WithDecoderConcurrency(1),
			zstd.WithDecoderLowmem(true), // else a window takes twice its bytes
			zstd.WithDecoderMaxMemory(uint64(lim.Bytes)),
			zstd.WithDecoderMaxWindow(uint64(max(lim.Bytes, 1<<10))),
		)
		if err != nil {
			return nil, Damaged(source, what, err)
		}
		defer dec.Close()
		in = dec
	}
	out, err := inflate(in, int64(len(data)), source, what, lim)
	if err != nil {
		return nil, err
	}
	if IsCompressed(out) {
		return nil, &table.FormatError{Source: source, Reason: "the data are compressed twice", Hint: "unpack it once"}
	}
	return out, nil
}

// IsCompressed reports whether a content begins as gzip or Zstandard do.
func IsCompressed(data []byte) bool {
	return bytes.HasPrefix(data, []byte(magicGzip)) || bytes.HasPrefix(data, []byte(MagicZstd))
}

// inflate reads what a decompressor gives, of which packed bytes are the source.
func inflate(in io.Reader, packed int64, source, what string, lim table.Limits) ([]byte, error) {
	most := UnpackLimit(packed, lim)
	buf := Unpacked{Lim: &lim}
	defer buf.All.Free()
	n, err := buf.ReadFrom(io.LimitReader(in, most+1))
	var over *table.LimitError
	switch {
	case errors.As(err, &over), table.GaveUp(err):
		return nil, err
	case n > lim.Bytes, errors.Is(err, zstd.ErrDecoderSizeExceeded), errors.Is(err, zstd.ErrWindowSizeExceeded):
		return nil, table.TooLarge(source, lim)
	case n > most:
		return nil, TooDense(source, lim)
	case err != nil:
		return nil, Damaged(source, what, err)
	}
	return buf.Bytes()
}

// UnpackLimit is how many bytes may come out of packed ones.
func UnpackLimit(packed int64, lim table.Limits) int64 {
	return min(lim.Bytes, max(ratioFree, packed*int64(lim.Ratio)))
}

// Unpacked is what comes out of a decompressor, which the budget pays for before it is kept.
type Unpacked struct {
	All buffer.Pieces
	Lim *table.Limits
}

// ReadFrom reads all; its errors are also those of the reading's limits.
func (u *Unpacked) ReadFrom(r io.Reader) (n int64, err error) {
	for {
		if err := u.Lim.Ended(); err != nil {
			return n, err
		}
		if more := u.All.Next(); more > 0 {
			if err := u.Lim.Reserve(int64(more)); err != nil {
				return n, err
			}
		}
		got, err := r.Read(u.All.Room())
		u.All.Took(got)
		n += int64(got)
		if errors.Is(err, io.EOF) {
			return n, nil
		}
		if err != nil {
			return n, err
		}
	}
}

// Bytes is all of it as one slice, which the budget pays for as well.
func (u *Unpacked) Bytes() ([]byte, error) {
	room := int64(u.All.Cap())
	if err := u.Lim.Reserve(int64(u.All.Len())); err != nil {
		return nil, err
	}
	data := u.All.Bytes()
	u.Lim.GiveBack(room)
	return data, nil
}

// TextBudget bounds what a source builds of texts that it holds once and refers to from many cells: shared strings of
// workbooks, cells that span several. It is what the source could hold if it were compressed.
type TextBudget struct {
	Left   int64 // bytes
	Source string
	Lim    table.Limits
}

// Take counts a text that is used once more.
func (r *TextBudget) Take(bytes int) error {
	if r.Left -= int64(bytes); r.Left >= 0 {
		return nil
	}
	return table.OverLimit(
		r.Source,
		0,
		table.LimitBytes,
		r.Lim.Bytes,
		"texts that are used in many cells make the content larger than the limit of %s, or than %d times the source",
		text.Bytes(r.Lim.Bytes),
		r.Lim.Ratio,
	)
}

// TooDense is the error of a small source that unpacks to a very large content.
func TooDense(source string, lim table.Limits) *table.FormatError {
	return table.OverLimit(
		source,
		0,
		table.LimitRatio,
		int64(lim.Ratio),
		"the content is more than %d times as large as the compressed data",
		lim.Ratio,
	)
}

// Damaged is the error of packed content that cannot be unpacked.
func Damaged(source, what string, err error) *table.FormatError {
	return &table.FormatError{
		Source: source,
		Reason: "the " + what + " data are damaged (" + err.Error() + ")",
		Hint:   "fetch or pack the file again",
		Err:    err,
	}
}

// CutPacked takes the ending of a compressed file off its name.
func CutPacked(name string) string {
	switch ext := filepath.Ext(name); strings.ToLower(ext) {
	case ".gz", ".zst", ".zstd":
		return strings.TrimSuffix(name, ext)
	}
	return name
}
