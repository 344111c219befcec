package source

import (
	"context"
	"errors"
	"fmt"

	"catena/table"
)

// Codes of errors.
const (
	CodeUnavailable = "unavailable" // the database does not answer, or the connection was lost
	CodeTimeout     = "timeout"     // the statement took too long
	CodeDenied      = "denied"      // the user may not
	CodeChanged     = "changed"     // the tables are no longer what they were when the source was opened
	CodeRefused     = "refused"     // it is not for reading
	CodeData        = "data"        // a value does not fit where the database computes it
	CodeFailed      = "failed"      // anything else
)

// Error is why a database gave nothing. It shows no address and no password.
type Error struct {
	Source string // what people call the database
	Code   string
	Text   string // what happened and what to do, a sentence
	State  string // SQLSTATE or the like; "" where there is none
	Err    error
}

func (e *Error) Error() string {
	s := fmt.Sprintf("the database %s: %s", e.Source, e.Text)
	if e.State != "" {
		s += " (" + e.State + ")"
	}
	return s
}

func (e *Error) Unwrap() error { return e.Err }

// Here reports whether the statement may be computed here all the same: the database is there, and could not compute it.
// A column that it does not find may be one of a query around, which it does not look at.
func (e *Error) Here() bool {
	return e.Code == CodeData || e.Code == CodeFailed || e.Code == CodeChanged
}

// Here reports that the values can be read by themselves.
func (e *ValueError) Here() bool { return true }

// fault makes errors of the driver typed.
func (d *Database) fault(err error) error {
	var over *table.LimitError
	var value *ValueError
	switch {
	case errors.As(err, &over), errors.As(err, &value):
		return err
	case errors.Is(err, context.DeadlineExceeded):
		return &Error{Source: d.opt.Name, Code: CodeTimeout, Err: err,
			Text: fmt.Sprintf(
				"the statement took longer than %v; filter more, or raise the source's timeout",
				d.opt.Timeout,
			)}
	}
	out := explained(d.explain, err)
	out.Source = d.opt.Name
	return out
}

// explained is what an error of the driver means.
func explained(explain func(error) *Error, err error) *Error {
	out := explain(err)
	if out == nil {
		out = &Error{Code: CodeUnavailable, Text: "it does not answer; check that it runs, and its address"}
	}
	out.Err = err
	return out
}

// reason is what an error of a server means.
type reason struct{ code, text string }

// Reasons that several kinds have.
var (
	tooSlow    = reason{CodeTimeout, "the statement took longer than its timeout; filter more, or raise the source's timeout"}
	tableGone  = reason{CodeChanged, "a table is gone; start again to see what is there now"}
	columnGone = reason{CodeChanged, "a column is gone; start again to see what is there now"}
	notReading = reason{CodeRefused, "it is not for reading"}
)

const notComputed = "it could not compute the statement: "
