package content

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// errIrregular is why a pipe, a device or a folder is not read.
var errIrregular = errors.New("it is not a regular file")

// OpenRegular opens a file for reading that is a regular one. Nothing that takes its place meanwhile is waited for: a
// pipe without a writer would hold up its reader for ever.
func OpenRegular(path string) (*os.File, fs.FileInfo, error) {
	info, err := os.Stat(path) // first: opening alone may start what a device does
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, errIrregular
	}
	return openNow(path)
}

// openNow opens a file without waiting, and looks then what it opened.
func openNow(path string) (*os.File, fs.FileInfo, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errIrregular
	}
	if err != nil {
		_ = f.Close() // nothing was written
		return nil, nil, err
	}
	return f, info, nil
}
