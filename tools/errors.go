package tools

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"strings"
	"syscall"

	"catena/table"
)

// ErrUnknownTool is wrapped by *UnknownToolError.
var ErrUnknownTool = errors.New("there is no such tool")

// ErrTransient marks failures that may pass when tried again: wrap it, or let the error be a network's. The executor tries
// read-only and idempotent tools once more.
var ErrTransient = errors.New("temporarily unavailable")

// Codes of results that the registry itself gives. Toolkits add their own.
const (
	CodeInvalidArguments = "invalid_arguments" // Structured holds {"findings": [...]}
	CodeApproval         = "approval_required" // a destructive tool without Call.Approve
	CodeTimeout          = "timeout"
	CodeTooLarge         = "too_large"
	CodeNotFound         = "not_found"
	CodeUnknownColumn    = "unknown_column"
	CodeBadTable         = "bad_table"   // what was given as a table cannot be read as one
	CodeBadValue         = "bad_value"   // an argument fits the schema and still makes no sense
	CodeUnavailable      = "unavailable" // a server behind the tool is down; the executor may try again
)

// UnknownToolError says that a tool does not exist and names the ones that look like it.
type UnknownToolError struct {
	Name    string
	Nearest []string // up to three, best first; only tools that the caller may call
	// Off says that there is one, which an administrator has switched off for everybody.
	Off bool
	// Quarantined says that a configured server has such a tool, which changed since it was approved.
	Quarantined bool
	// Down says why the server that the name is of cannot be used now, "" where that is not the reason. Server is the server's name.
	Server, Down string
}

// Error names the tool and the near ones.
func (e *UnknownToolError) Error() string {
	if e.Off {
		return fmt.Sprintf("the tool %q is switched off by the administrator", e.Name)
	}
	if e.Quarantined {
		return fmt.Sprintf("the tool %q is quarantined: its server describes it otherwise than when it was approved; look at it with: catena tools review", e.Name)
	}
	if e.Down != "" {
		return fmt.Sprintf("the tool %q is of the server %q, which cannot be used now: %s", e.Name, e.Server, e.Down)
	}
	if len(e.Nearest) == 0 {
		return fmt.Sprintf("there is no tool %q", e.Name)
	}
	return fmt.Sprintf("there is no tool %q; did you mean %s?", e.Name, strings.Join(e.Nearest, ", "))
}

// Unwrap gives ErrUnknownTool.
func (e *UnknownToolError) Unwrap() error { return ErrUnknownTool }

// PanicError says that a handler broke. The stack is in the log under the same id, never in the error.
type PanicError struct {
	Tool string
	ID   string // 16 hexadecimal digits, for finding the log entry
}

// Error names the tool and the id.
func (e *PanicError) Error() string {
	return fmt.Sprintf("%s broke while it ran; the log has the details under request %s", e.Tool, e.ID)
}

// ArgumentError says that an argument cannot be used, in words for who gave it. FailedBy makes a Result of it.
type ArgumentError struct {
	Argument string
	Code     string // a Result's code
	Reason   string // a sentence that says what would be right
	Err      error
}

// Error gives the reason with the argument's name.
func (e *ArgumentError) Error() string { return e.Argument + ": " + e.Reason }

// Unwrap gives the cause, which may be nil.
func (e *ArgumentError) Unwrap() error { return e.Err }

// FailedBy makes a Result of an error that the asker can mend: *ArgumentError, *table.UnknownColumnError, *table.TypeError,
// *table.FormatError, *table.LimitError, fs.ErrNotExist. Any other error is returned as it is: the tool broke.
func FailedBy(err error) (Result, error) {
	var arg *ArgumentError
	var column *table.UnknownColumnError
	var typ *table.TypeError
	var format *table.FormatError
	var over *table.LimitError
	switch {
	case err == nil:
		return Result{}, nil
	case errors.As(err, &arg):
		return Failed(arg.Code, arg.Error()), nil
	case errors.As(err, &column):
		return Failed(CodeUnknownColumn, err.Error()), nil
	case errors.As(err, &typ):
		return Failed(CodeBadValue, err.Error()), nil
	case errors.As(err, &over):
		return Failed(CodeTooLarge, err.Error()), nil
	case errors.As(err, &format):
		return Failed(CodeBadTable, err.Error()), nil
	case errors.Is(err, fs.ErrNotExist):
		return Failed(CodeNotFound, err.Error()), nil
	}
	return Result{}, err
}

// transient reports whether trying again may help. A tool's own timeout does not count: it would only take as long again.
func transient(err error) bool {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return false
	}
	for _, t := range []error{ErrTransient, io.ErrUnexpectedEOF, syscall.ECONNREFUSED, syscall.ECONNRESET, syscall.EPIPE} {
		if errors.Is(err, t) {
			return true
		}
	}
	var netErr net.Error
	return errors.As(err, &netErr) && netErr.Timeout()
}
