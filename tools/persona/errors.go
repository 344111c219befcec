package persona

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// ErrUnavailable is wrapped by every error of a store that cannot be used now.
var ErrUnavailable = errors.New("the store of personas cannot be used")

// ErrOutcomeUnknown is wrapped, beside ErrUnavailable, by the error of a write whose store went away while it committed: it was made or
// it was not, wholly in either case. Read before trying again.
var ErrOutcomeUnknown = errors.New("whether the change was made is not known")

// NotFoundError says that an owner has no such persona or relationship. It wraps fs.ErrNotExist.
type NotFoundError struct {
	IDs []string // one persona, or the two of a relationship
	// Fits are the ids of personas that may have been meant, two at least, where it was not clear which.
	Fits []string
}

// Error names what is missing.
func (e *NotFoundError) Error() string {
	if len(e.IDs) == 2 {
		return fmt.Sprintf("there is no relationship between %q and %q", e.IDs[0], e.IDs[1])
	}
	if len(e.Fits) > 0 {
		return fmt.Sprintf("%q may be any of several personas; give the id: %s", e.IDs[0], e.fits())
	}
	return fmt.Sprintf("there is no persona %q", e.IDs[0])
}

// resourceText is Error in the words that clients of the resources know.
func (e *NotFoundError) resourceText() string {
	switch {
	case len(e.IDs) == 2:
		return fmt.Sprintf("Relationship between %s and %s not found", e.IDs[0], e.IDs[1])
	case len(e.Fits) == 0:
		return fmt.Sprintf("Persona %s not found", e.IDs[0])
	}
	return e.Error()
}

// fits are the first few.
func (e *NotFoundError) fits() string {
	const most = 5
	if len(e.Fits) > most {
		return strings.Join(e.Fits[:most], ", ") + " ..."
	}
	return strings.Join(e.Fits, ", ")
}

// Unwrap gives fs.ErrNotExist.
func (e *NotFoundError) Unwrap() error { return fs.ErrNotExist }

func noPersona(id string) error { return &NotFoundError{IDs: []string{id}} }

func noRelationship(a, b string) error { return &NotFoundError{IDs: []string{a, b}} }

// GraphError says what is wrong with a graph that was to be imported.
type GraphError struct {
	Path   string // personas[3].personality.openness; "" for the whole
	Reason string // what is wrong, and what would be right
	Err    error  // the cause; may be nil
}

// Error gives the place and the reason.
func (e *GraphError) Error() string {
	if e.Path == "" {
		return e.Reason
	}
	return e.Path + ": " + e.Reason
}

// Unwrap gives the cause.
func (e *GraphError) Unwrap() error { return e.Err }

// Unavailable wraps an error of the medium that a store is on: errors.Is finds ErrUnavailable and the cause, unless that is a
// missing file, which must not pass for a missing persona. Errors of this package, those of a context, and fs.ErrExist (a taken id) are
// returned as they are. Stores call it.
func Unavailable(err error) error {
	var missing *NotFoundError
	var graph *GraphError
	switch {
	case err == nil, errors.As(err, &missing), errors.As(err, &graph), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded),
		errors.Is(err, ErrUnavailable), errors.Is(err, fs.ErrExist):
		return err
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w: %s", ErrUnavailable, err.Error())
	}
	return fmt.Errorf("%w: %w", ErrUnavailable, err)
}
