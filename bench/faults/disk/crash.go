package disk

import (
	"bytes"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// sector is what a disk writes whole or not at all, in bytes.
const sector = 512

// Crash makes files as a power cut leaves them.
type Crash struct {
	ops   []op
	at    Position       // how far the log was followed
	files map[int][]byte // what is on disk
	names map[string]int // of files, on disk
	late  []op           // what was done since and is not on disk
}

// Crash begins at the start of a log, of which no more may be written.
func (l *Log) Crash() *Crash {
	l.mu.Lock()
	defer l.mu.Unlock()
	return &Crash{ops: l.ops, files: map[int][]byte{}, names: map[string]int{}}
}

// Until follows the log to a place that is not before the one where it is.
func (c *Crash) Until(to Position) {
	for ; c.at < to; c.at++ {
		o := c.ops[c.at]
		if o.kind != synced {
			c.late = append(c.late, o)
		}
		if o.kind != synced && !o.folder {
			continue
		}
		rest := c.late[:0]
		for _, e := range c.late {
			name := e.kind == create || e.kind == remove
			if name && o.folder || !name && o.kind == synced && e.file == o.file {
				apply(c.files, c.names, e)
			} else {
				rest = append(rest, e)
			}
		}
		c.late = rest
	}
}

// apply does to files what an entry of the log says.
func apply(files map[int][]byte, names map[string]int, o op) {
	switch o.kind {
	case create:
		names[o.name] = o.file
		if files[o.file] == nil {
			files[o.file] = bytes.Clone(o.data)
		}
	case remove:
		delete(names, o.name)
	case write:
		files[o.file] = overwrite(files[o.file], o.at, o.data)
	case truncate:
		files[o.file] = resize(files[o.file], o.at)
	}
}

func resize(data []byte, size int64) []byte {
	if int64(len(data)) >= size {
		return data[:size:size] // what grows again is zeros, not what was there
	}
	return append(data, make([]byte, size-int64(len(data)))...)
}

func overwrite(data []byte, at int64, by []byte) []byte {
	if end := at + int64(len(by)); end > int64(len(data)) {
		data = resize(data, end)
	}
	copy(data[at:], by)
	return data
}

// Synced writes the files into a folder with nothing but what was synced.
func (c *Crash) Synced(dir string) error { return leave(dir, c.files, c.names) }

// Whole writes the files with all that was done, as after a kill of the process.
func (c *Crash) Whole(dir string) error {
	files, names := c.copies()
	for _, o := range c.late {
		apply(files, names, o)
	}
	return leave(dir, files, names)
}

// Torn writes the files with a part of what was done since it was synced: each sector of a write, and each new length, is there or is not,
// whatever became of those before it. So a later write may be there without an earlier one. Names change in order: a folder's do so
// in a file system's journal.
func (c *Crash) Torn(dir string, random *rand.Rand) error {
	files, names := c.copies()
	share := []float64{0.1, 0.5, 0.9}[random.IntN(3)]
	named := true
	for _, o := range c.late {
		switch o.kind {
		case create, remove:
			if named = named && random.Float64() < share; named {
				apply(files, names, o)
			}
		case truncate:
			if random.Float64() < share {
				apply(files, names, o)
			}
		case write:
			for _, part := range sectors(o) {
				if random.Float64() < share {
					apply(files, names, part)
				}
			}
		}
	}
	return leave(dir, files, names)
}

// sectors cuts a write where sectors begin.
func sectors(o op) []op {
	var parts []op
	for data, at := o.data, o.at; len(data) > 0; {
		n := min(int64(len(data)), sector-at%sector)
		parts = append(parts, op{kind: write, file: o.file, at: at, data: data[:n]})
		data, at = data[n:], at+n
	}
	return parts
}

// copies are what is on disk, to be changed.
func (c *Crash) copies() (map[int][]byte, map[string]int) {
	files := make(map[int][]byte, len(c.files))
	for file, data := range c.files {
		files[file] = append([]byte(nil), data...)
	}
	return files, maps.Clone(c.names)
}

func leave(dir string, files map[int][]byte, names map[string]int) error {
	for name, file := range names {
		if err := os.WriteFile(filepath.Join(dir, name), files[file], 0o600); err != nil {
			return err
		}
	}
	return nil
}
