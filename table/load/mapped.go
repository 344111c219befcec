package load

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"unicode/utf8"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"

	"catena/internal/buffer"
	"catena/table"
	"catena/table/columnar"
	"catena/table/content"
	"catena/table/csv"
)

// A large file of plain delimited text is not copied to memory: its rows are read where the system has them, and what
// was read is given back as the reading goes on, so that a table takes about its own size to load. All else is read as
// usual, and so is a file that changes, shrinks or breaks meanwhile.

// mappedBytes is the size from which on this is worth it. Below, two cores wait for each other where pages come in: a
// file of 10 MB loads faster when it is read (bench/tables, the two in turns).
var mappedBytes int64 = 32 << 20

// loadMapped loads a plain delimited text; false where the file is to be read instead.
func loadMapped(f *os.File, info fs.FileInfo, lim table.Limits) (named table.Named, ok bool) {
	if info.Size() < mappedBytes || info.Size() > lim.Bytes {
		return table.Named{}, false
	}
	m, mapped := mapFile(f, info.Size())
	if !mapped {
		return table.Named{}, false
	}
	defer m.close()
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // what cannot be read panics
	defer func() {
		if p := recover(); p != nil {
			if !m.faulted(p) && sameFile(f, info) {
				panic(p)
			}
			named, ok = table.Named{}, false
		}
	}()
	delimited := slices.Contains([]string{"", "csv", "tsv"}, formatOfEnding(f.Name()))
	if !delimited || !beginsPlain(m.data) {
		return table.Named{}, false
	}
	if named, ok = csv.ReadPlainly(m.data, filepath.Base(f.Name()), lim, m.passed); !ok || !sameFile(f, info) {
		return table.Named{}, false
	}
	named, err := detached(named)
	return named, err == nil
}

// sameFile reports whether a file has the size and the time of change that it had.
func sameFile(f *os.File, was fs.FileInfo) bool {
	is, err := f.Stat()
	return err == nil && is.Size() == was.Size() && is.ModTime().Equal(was.ModTime())
}

// beginsPlain reports whether a content may be delimited text in UTF-8, by its first bytes.
func beginsPlain(data []byte) bool {
	head := data[:min(len(data), 4096)]
	for i := len(head) - 1; i >= 0 && i > len(head)-utf8.UTFMax; i-- { // the last character may be cut
		if utf8.RuneStart(head[i]) {
			if !utf8.FullRune(head[i:]) {
				head = head[:i]
			}
			break
		}
	}
	first := strings.TrimLeft(strings.TrimPrefix(buffer.String(head), "\xef\xbb\xbf"), " \t\r\n")
	binary := bytes.HasPrefix(data, []byte(columnar.MagicParquet)) || bytes.IndexByte(head, 0) >= 0 ||
		content.ManyControls(head)
	return !binary && utf8.Valid(head) && first != "" && !strings.ContainsRune("{[|<", rune(first[0]))
}

// faulted reports whether a panic is that of memory of the mapping that could not be read: the file was made shorter,
// or its disk fails.
func (m *mapping) faulted(value any) bool {
	err, _ := value.(error)
	var fault interface{ Addr() uintptr }
	if !errors.As(err, &fault) {
		return false
	}
	start := uintptr(unsafe.Pointer(unsafe.SliceData(m.data)))
	return fault.Addr() >= start && fault.Addr() < start+uintptr(len(m.data))
}

// detached is the table without any text of the content that it was read from. The cells are copies already.
func detached(n table.Named) (table.Named, error) {
	cloneTexts(reflect.ValueOf(&n.Name).Elem())
	cloneTexts(reflect.ValueOf(&n.Report).Elem())
	cols := n.Table.Columns()
	cloneTexts(reflect.ValueOf(&cols).Elem())
	arrays := make([]arrow.Array, len(cols))
	for i := range arrays {
		arrays[i] = n.Table.Array(i)
	}
	var err error
	n.Table, err = table.New(cols, arrays)
	return n, err
}

// cloneTexts copies all texts in a value of structs, slices and plain types.
func cloneTexts(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(strings.Clone(v.String()))
	case reflect.Struct:
		for i := range v.NumField() {
			cloneTexts(v.Field(i))
		}
	case reflect.Slice:
		for i := range v.Len() {
			cloneTexts(v.Index(i))
		}
	}
}
