// Package disk writes down what SQLite does to the files of a folder, and makes the files anew as a power cut could have left them.
package disk

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"sync"
)

// kind is what was done to a file.
type kind int

const (
	create   kind = iota // a name for a new file, with what it holds already
	write                // bytes at a place
	truncate             // a new length
	synced               // what was done to the file before is on disk
	remove               // a name is gone; whoever has the file open still writes to it
)

// op is one entry of a log.
type op struct {
	kind kind
	file int    // the file's number: one that is made anew under an old name has another
	name string // of create and remove
	at   int64  // of write: the place; of truncate: the length
	data []byte
	// folder says that the names in the folder are on disk too: of synced and remove.
	folder bool
}

// Log is all that was done to the files of a folder, in order. Its methods are safe for concurrent use.
type Log struct {
	dir string

	mu    sync.Mutex
	ops   []op
	files map[string]int // by name: those that are there
	count int            // of files
	open  map[uintptr]*handle
	lost  error // what could not be written down
}

// handle is a file that SQLite has open.
type handle struct {
	file int
	// first says that the first sync of this handle syncs the folder too, as SQLite does for journals that it made.
	first bool
}

// Position is a place in a log: all that was written down before it.
type Position int

// Here is the end of the log. Whoever was told that something is on disk asks at once.
func (l *Log) Here() Position {
	l.mu.Lock()
	defer l.mu.Unlock()
	return Position(len(l.ops))
}

// Syncs are the places just before each sync, and the end. What was promised before such a place must be there with no more than what the
// sync before it took to disk.
func (l *Log) Syncs() []Position {
	l.mu.Lock()
	defer l.mu.Unlock()
	var list []Position
	for i, o := range l.ops {
		if o.kind == synced {
			list = append(list, Position(i))
		}
	}
	return append(list, Position(len(l.ops)))
}

// Checkpoints counts how often the file with a name was synced between two places: SQLite moves its write-ahead log into the database and
// then syncs that.
func (l *Log) Checkpoints(name string, from, to Position) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := 0
	for _, o := range l.ops[from:to] {
		if o.kind == synced && o.file == l.files[name] {
			n++
		}
	}
	return n
}

// Bytes counts what was written.
func (l *Log) Bytes() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := int64(0)
	for _, o := range l.ops {
		n += int64(len(o.data))
	}
	return n
}

// name is a path's name in the folder, or "" for what lies elsewhere and for the shared memory, which is made anew after a crash.
func (l *Log) name(path string) string {
	dir, name := filepath.Split(path)
	if filepath.Clean(dir) != l.dir || filepath.Ext(name) == ".db-shm" {
		return ""
	}
	return name
}

// opened notes a file that SQLite has opened, before it does anything to it.
func (l *Log) opened(id uintptr, path string, journal bool) {
	name := l.name(path)
	if name == "" {
		return
	}
	file, ok := l.files[name]
	if !ok {
		data, err := os.ReadFile(path)
		if err != nil {
			l.lost = errors.Join(l.lost, err)
		}
		l.count++
		file = l.count
		l.files[name] = file
		l.ops = append(l.ops, op{kind: create, file: file, name: name, data: data})
	}
	l.open[id] = &handle{file: file, first: journal && !ok}
}

func (l *Log) closed(id uintptr) { delete(l.open, id) }

func (l *Log) wrote(id uintptr, data []byte, at int64) {
	if h := l.open[id]; h != nil {
		l.ops = append(l.ops, op{kind: write, file: h.file, at: at, data: bytes.Clone(data)})
	}
}

func (l *Log) truncated(id uintptr, size int64) {
	if h := l.open[id]; h != nil {
		l.ops = append(l.ops, op{kind: truncate, file: h.file, at: size})
	}
}

// synced reports whether a sync was written down.
func (l *Log) sync(id uintptr) bool {
	h := l.open[id]
	if h == nil {
		return false
	}
	l.ops = append(l.ops, op{kind: synced, file: h.file, folder: h.first})
	h.first = false
	return true
}

func (l *Log) removed(path string, folder bool) {
	name := l.name(path)
	if file, ok := l.files[name]; ok {
		delete(l.files, name)
		l.ops = append(l.ops, op{kind: remove, file: file, name: name, folder: folder})
	}
}
