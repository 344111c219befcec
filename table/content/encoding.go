package content

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"slices"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"

	"catena/table"
)

// ReadAll reads at most lim.Bytes. Where the reader says how much it holds, memory is taken for that at once.
func ReadAll(r io.Reader, source string, lim table.Limits) ([]byte, error) {
	data := make([]byte, 0, min(sizeOf(r), lim.Bytes)+512)
	const patience = 100 // reads in a row that give nothing
	for idle := 0; ; {
		n, err := r.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if idle++; n > 0 {
			idle = 0
		} else if err == nil && idle == patience {
			err = io.ErrNoProgress
		}
		switch {
		case int64(len(data)) > lim.Bytes:
			return nil, table.TooLarge(source, lim)
		case errors.Is(err, io.EOF):
			return data, nil
		case err != nil:
			return nil, &table.FormatError{Source: source, Reason: "it cannot be read (" + err.Error() + ")", Err: err}
		case len(data) == cap(data):
			data = slices.Grow(data, min(len(data)/4, 64<<20)+512)
		}
	}
}

// sizeOf is how much a reader says it holds, 0 when it does not say.
func sizeOf(r io.Reader) int64 {
	switch r := r.(type) {
	case interface{ Len() int }: // of bytes and strings
		return int64(r.Len())
	case interface{ Stat() (fs.FileInfo, error) }:
		if info, err := r.Stat(); err == nil && info.Mode().IsRegular() {
			return info.Size()
		}
	}
	return 0
}

// Decode turns a source into UTF-8: by byte order mark, else UTF-16 by the zeros of its ASCII characters, else UTF-8
// where it is valid, else Windows-1252. Bytes that are no text give a *FormatError.
func Decode(data []byte, source string) (text []byte, encoding string, err error) {
	text, _, encoding, err = DecodeFacts(data, source)
	return text, encoding, err
}

// DecodeFacts is DecodeText with what it has seen of the text.
func DecodeFacts(data []byte, source string) (text []byte, facts *Facts, encoding string, err error) {
	switch {
	case bytes.HasPrefix(data, []byte("\xef\xbb\xbf")):
		data, encoding = data[3:], "utf-8"
	case bytes.HasPrefix(data, []byte("\xff\xfe\x00\x00")), looksUTF32(data, 0):
		text, err = utf32.UTF32(utf32.LittleEndian, utf32.UseBOM).NewDecoder().Bytes(data)
		encoding = "utf-32le"
	case bytes.HasPrefix(data, []byte("\x00\x00\xfe\xff")), looksUTF32(data, 3):
		text, err = utf32.UTF32(utf32.BigEndian, utf32.UseBOM).NewDecoder().Bytes(data)
		encoding = "utf-32be"
	case bytes.HasPrefix(data, []byte("\xff\xfe")), looksUTF16(data, 1):
		text, err = unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder().Bytes(data)
		encoding = "utf-16le"
	case bytes.HasPrefix(data, []byte("\xfe\xff")), looksUTF16(data, 0):
		text, err = unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewDecoder().Bytes(data)
		encoding = "utf-16be"
	}
	if text == nil && err == nil {
		text = data
	}
	facts = Scan(text)
	if err != nil || facts.Nuls > 0 && tooManyNUL(text, facts.Nuls) {
		return nil, nil, "", &table.FormatError{
			Source: source,
			Reason: "the content is binary, not text",
			Hint:   "export the table as CSV or JSON",
		}
	}
	switch {
	case encoding == "" && facts.valid:
		encoding = "utf-8"
	case encoding == "" || encoding == "utf-8" && !facts.valid:
		if ManyControls(text) {
			return nil, nil, "", &table.FormatError{
				Source: source,
				Reason: "the content is binary, not text",
				Hint:   "export the table as CSV or JSON",
			}
		}
		encoding = "windows-1252"
		if text, err = charmap.Windows1252.NewDecoder().Bytes(text); err != nil {
			return nil, nil, "", &table.FormatError{
				Source: source,
				Reason: "the text's encoding is not known",
				Hint:   "save it as UTF-8",
			}
		}
		facts = Scan(text)
	}
	return text, facts, encoding, nil
}

// tooManyNUL reports whether NUL characters make up more than one byte in ten, and are more than a few: others are the
// dirt of an export.
func tooManyNUL(text []byte, nuls int) bool {
	const few = 3
	return nuls*10 > len(text) && (nuls > few || nuls*3 > len(text)) ||
		ManyControls(bytes.ReplaceAll(text, []byte{0}, nil))
}

// looksUTF32 reports whether the beginning is UTF-32 text without a byte order mark, of characters below 256; at is
// where they have their byte.
func looksUTF32(data []byte, at int) bool {
	n := min(len(data), 512) &^ 3
	for i := range n {
		if (data[i] != 0) != (i%4 == at) {
			return false
		}
	}
	return n >= 8
}

// looksUTF16 reports whether nearly every second byte of the beginning is zero, as in UTF-16 text without a byte order
// mark.
func looksUTF16(data []byte, zeroAt int) bool {
	n := min(len(data), 512) &^ 1
	if n < 8 {
		return false
	}
	zeros, others := 0, 0
	for i := 0; i < n; i += 2 {
		if data[i+zeroAt] == 0 {
			zeros++
		}
		if data[i+1-zeroAt] == 0 {
			others++
		}
	}
	return zeros*10 >= n/2*8 && others == 0
}

// ManyControls reports whether control characters that no text has make up more than one byte in a hundred.
func ManyControls(text []byte) bool {
	n := 0
	for _, c := range text {
		if c < 32 && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != 0x1b {
			n++
		}
	}
	return n*100 > len(text)
}

// TooSparse reports whether a large table would consist almost only of padding: a few bytes of source must not ask for
// gigabytes.
func TooSparse(rows, cols, present int) bool {
	const free, most = 4_000_000, 16 // cells; cells for each one that the source has
	return rows*cols > free && rows*cols > most*present
}

// SparseError is the error of a table that is TooSparse.
func SparseError(source string) *table.FormatError {
	return &table.FormatError{
		Source: source,
		Reason: "the rows have too few cells in common to be one table",
		Hint:   "split it by kind of row",
	}
}
