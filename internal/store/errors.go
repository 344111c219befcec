package store

import (
	"errors"
	"fmt"
)

// ErrClosed is returned, wrapped, by calls after Close.
var ErrClosed = errors.New("the store is closed")

// ErrLeased is wrapped by AcquireLease while a run has an owner that lives.
var ErrLeased = errors.New("its owner still works on it")

// SequenceError says that events do not continue a run's log: a gap or an overlap. Use errors.As.
type SequenceError struct {
	Run  string
	Want uint64 // the number that the next event must have
	Got  uint64
}

func (e *SequenceError) Error() string {
	return fmt.Sprintf("store: the events of run %s go on with %d, not with %d", e.Run, e.Want, e.Got)
}

// LeaseError says that a write was refused because it came from somebody who does not own the run, or not any more. Stop working
// on it: whoever has the newest epoch goes on. Use errors.As.
type LeaseError struct {
	Run   string
	Held  uint64 // the epoch that the write carried; 0 for none
	Epoch uint64 // the newest one
}

func (e *LeaseError) Error() string {
	if e.Held == 0 {
		return fmt.Sprintf("store: run %s is under way elsewhere, with epoch %d; acquire its lease before writing to it", e.Run, e.Epoch)
	}
	return fmt.Sprintf("store: run %s was taken over: its epoch is %d, and the write carried %d; stop working on it", e.Run, e.Epoch, e.Held)
}

// Lost reports whether the write came from a former owner, rather than from somebody who never was one.
func (e *LeaseError) Lost() bool { return e.Held > 0 }

// QuotaError says that a table is larger than all that its owner may keep. Use errors.As.
type QuotaError struct{ Size, Limit int64 } // bytes

func (e *QuotaError) Error() string {
	return fmt.Sprintf("store: the table has %d bytes, and all tables of an owner may have %d; keep fewer rows or columns", e.Size, e.Limit)
}

// FileError says why a store's file could not be opened, and what to do about it. Use errors.As.
type FileError struct {
	Path   string
	Reason string // a sentence without the path
	Hint   string // what to do next
	Err    error  // what the driver said; may be nil
}

func (e *FileError) Error() string { return placed(e.Path, e.Reason, e.Hint, e.Err) }

// Unwrap returns what the driver said.
func (e *FileError) Unwrap() error { return e.Err }

// ServerError says why a store's server could not do its work, and what to do about it. Use errors.As.
type ServerError struct {
	Address string // its hosts, without a password
	Reason  string // a sentence without the address
	Hint    string // what to do next
	Err     error  // what the client or the server said
	// Unknown says that the work may have been done all the same: the answer did not arrive.
	Unknown bool
}

func (e *ServerError) Error() string { return placed(e.Address, e.Reason, e.Hint, e.Err) }

// Unwrap returns what the client or the server said.
func (e *ServerError) Unwrap() error { return e.Err }

// placed is the text of an error about a file or a server.
func placed(where, reason, hint string, err error) string {
	text := fmt.Sprintf("store: %s %s; %s", where, reason, hint)
	if err != nil {
		text += " (" + err.Error() + ")"
	}
	return text
}

// Unavailable says why the store cannot do its work, for people who must not see where it is: "is full".
func (e *FileError) Unavailable() string { return e.Reason }

// Unavailable says why the store cannot do its work, for people who must not see where it is.
func (e *ServerError) Unavailable() string { return e.Reason }
