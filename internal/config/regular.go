package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"syscall"
)

// OpenRegular opens a file that somebody named, for reading. Only a regular file of at most so many bytes is opened: a pipe would be waited for
// without end, and a device such as /dev/zero never ends. The error says what the file is instead; one that is not there gives os.Open's
// error. Symlinks are followed. The caller closes the file.
func OpenRegular(name string, most int64) (*os.File, error) {
	info, err := os.Stat(name) // first: opening alone may start what a device does
	if err != nil {
		return nil, err
	}
	if err := regular(name, info, most); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0) // no pipe that took its place meanwhile is waited for
	if err != nil {
		return nil, err
	}
	if info, err = f.Stat(); err == nil {
		err = regular(name, info, most)
	}
	if err != nil {
		_ = f.Close() // read only
		return nil, err
	}
	return f, nil
}

// ReadRegular is what OpenRegular opens, read to its end.
func ReadRegular(name string, most int64) ([]byte, error) {
	f, err := OpenRegular(name, most)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // read only
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(data)) > most {
		err = tooLarge(name, most) // it grew meanwhile
	}
	if err != nil {
		return nil, err
	}
	return data, nil
}

// MayReplace says why a new file must not take the place of what has its name: only a regular file may go.
func MayReplace(name string) error {
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = regular(name, info, math.MaxInt64)
	}
	return err
}

// regular says why a file is not to be read.
func regular(name string, info os.FileInfo, most int64) error {
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is %s; name a regular file", name, kindOf(info.Mode()))
	}
	if info.Size() > most {
		return tooLarge(name, most)
	}
	return nil
}

func tooLarge(name string, most int64) error {
	return fmt.Errorf("%s is larger than %d bytes; is it the right file?", name, most)
}

// kindOf names what is no regular file.
func kindOf(mode os.FileMode) string {
	for _, k := range []struct {
		bit  os.FileMode
		name string
	}{
		{os.ModeDir, "a folder"}, {os.ModeNamedPipe, "a named pipe"}, {os.ModeSocket, "a socket"}, {os.ModeDevice, "a device"},
	} {
		if mode&k.bit != 0 {
			return k.name
		}
	}
	return "no regular file"
}
