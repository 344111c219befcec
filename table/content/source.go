package content

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"catena/table"
)

// EmptyFile is the error of a file without any content.
func EmptyFile(source string) *table.FormatError {
	return &table.FormatError{
		Source: source,
		Reason: "the file is empty",
		Hint:   "it needs at least a list of rows or a header",
	}
}

// Unreadable is the error of a file that cannot be opened or read.
func Unreadable(path string, err error) *table.FormatError {
	e := &table.FormatError{Source: path, Reason: "the file cannot be read (" + err.Error() + ")", Err: err}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e.Reason, e.Hint = "there is no such file", "check the path"
	case errors.Is(err, fs.ErrPermission):
		e.Reason, e.Hint = "reading the file is not permitted", "check its permissions"
	}
	return e
}

// ContextFile is a file that cannot be read any more when its context has ended.
type ContextFile struct {
	*os.File
	Context context.Context
}

// Read reads at most 4 MiB, so that the context is asked often.
func (f ContextFile) Read(p []byte) (int, error) {
	if err := f.Context.Err(); err != nil {
		return 0, err
	}
	return f.File.Read(p[:min(len(p), 4<<20)])
}

// ReadAt reads a part of the file.
func (f ContextFile) ReadAt(p []byte, at int64) (int, error) {
	if err := f.Context.Err(); err != nil {
		return 0, err
	}
	return f.File.ReadAt(p, at)
}

// BaseName is the file's name without folders and ending.
func BaseName(source string) string {
	name := filepath.Base(source)
	if source == "" || name == "." {
		return ""
	}
	name = CutPacked(name)
	if ext := filepath.Ext(name); ext != "" && ext != name {
		name = strings.TrimSuffix(name, ext)
	}
	return name
}
