package backend

import (
	"errors"
	"fmt"
	"io/fs"

	"catena/internal/store"
)

// Missing says that something is not there, or is another's.
func Missing(kind, id string) error { return fmt.Errorf("store: %s %q: %w", kind, id, fs.ErrNotExist) }

// Gone says that a table that was put is not there any more, though its session is: it was deleted, or its owner's room
// went to others.
func Gone(handle string) error { return fmt.Errorf("store: table %s is not there any more", handle) }

// Taken says that an id is taken.
func Taken(kind, id string) error { return fmt.Errorf("store: %s %q: %w", kind, id, fs.ErrExist) }

// Finished says that a run has ended.
func Finished(run string) error {
	return fmt.Errorf("store: run %q is already finished: %w", run, fs.ErrExist)
}

// Leased says that a run has an owner that lives.
func Leased(run string) error { return fmt.Errorf("store: run %q: %w", run, store.ErrLeased) }

// IgnoreMissing makes no error of what somebody else has removed.
func IgnoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
