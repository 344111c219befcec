package run

import (
	"errors"
	"fmt"

	"catena/table"
)

// Error says why a query could not be computed.
type Error struct {
	Path string // of the stage: "stages[2]"; "" for the whole query
	Text string // a sentence without a full stop that says what to do, too
	Err  error  // the cause; may be nil
}

// Error is the sentence with its place.
func (e *Error) Error() string {
	if e.Path == "" {
		return e.Text
	}
	return e.Path + ": " + e.Text
}

// Unwrap is the cause.
func (e *Error) Unwrap() error { return e.Err }

// BoundError says that a join, a union or a subquery takes more work than Limits allow. It is a *table.LimitError too.
type BoundError struct {
	What  string // "pairs" or "subqueries"
	Limit int64
	Text  string // a sentence that says what to do
}

func (e *BoundError) Error() string { return e.Text }

// Unwrap is the limit as those of tables are told.
func (e *BoundError) Unwrap() error {
	return &table.LimitError{What: e.What, Limit: e.Limit, Text: e.Text}
}

func faultf(format string, args ...any) error { return &Error{Text: fmt.Sprintf(format, args...)} }

// at gives an error its place: an *Error that has none takes it, any other is wrapped.
func at(path string, err error) error {
	if err == nil {
		return nil
	}
	var e *Error
	if errors.As(err, &e) {
		if e.Path != "" {
			path += "." + e.Path
		}
		return &Error{Path: path, Text: e.Text, Err: e.Err}
	}
	return &Error{Path: path, Text: err.Error(), Err: err}
}
