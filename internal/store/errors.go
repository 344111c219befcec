package store

import (
	"errors"
	"fmt"
	"io/fs"
)

// ErrClosed is returned, wrapped, by calls after Close.
var ErrClosed = errors.New("the store is closed")

// SequenceError says that events do not continue a run's log: a gap or an overlap. Use errors.As.
type SequenceError struct {
	Run  string
	Want uint64 // the number that the next event must have
	Got  uint64
}

func (e *SequenceError) Error() string {
	return fmt.Sprintf("store: the events of run %s go on with %d, not with %d", e.Run, e.Want, e.Got)
}

// FileError says why a store's file could not be opened, and what to do about it. Use errors.As.
type FileError struct {
	Path   string
	Reason string // a sentence without the path
	Hint   string // what to do next
	Err    error  // what the driver said; may be nil
}

func (e *FileError) Error() string {
	text := fmt.Sprintf("store: %s %s; %s", e.Path, e.Reason, e.Hint)
	if e.Err != nil {
		text += " (" + e.Err.Error() + ")"
	}
	return text
}

// Unwrap returns what the driver said.
func (e *FileError) Unwrap() error { return e.Err }

func missing(kind, id string) error { return fmt.Errorf("store: %s %q: %w", kind, id, fs.ErrNotExist) }

func taken(kind, id string) error { return fmt.Errorf("store: %s %q: %w", kind, id, fs.ErrExist) }
