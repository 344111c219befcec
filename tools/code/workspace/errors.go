package workspace

import (
	"errors"
	"fmt"
	"strings"
)

// ErrNotFound is wrapped where an index id is unknown, or another owner's.
var ErrNotFound = errors.New("there is no such index")

// ErrCancelled is wrapped where indexing was stopped, by Cancel or by the context of everybody who waited for it.
var ErrCancelled = errors.New("indexing was cancelled")

// ErrElsewhere is returned where an index is to be stopped that another process makes.
var ErrElsewhere = errors.New("another process makes this index")

// ErrClosed is returned by Workspaces that were closed.
var ErrClosed = errors.New("the indexes are closed")

// ErrNoIndex is wrapped where something asks for rows of an index that the owner does not have.
var ErrNoIndex = errors.New("nothing has been indexed yet")

// The codes of a *PathError.
const (
	CodePathNotAllowed = "PATH_NOT_ALLOWED" // outside of all roots
	CodePathNotFound   = "PATH_NOT_FOUND"
	CodeNotAFolder     = "NOT_A_FOLDER"
)

// PathError says that a path cannot be indexed. Its words tell the asker what would be right.
type PathError struct {
	Code  string   // one of the codes above
	Path  string   // as it was given
	Roots []string // below which paths are allowed
	Err   error    // the cause; may be nil
}

// Error says what is wrong with the path.
func (e *PathError) Error() string {
	switch e.Code {
	case CodePathNotFound:
		return fmt.Sprintf("the path %q does not exist", e.Path)
	case CodeNotAFolder:
		return fmt.Sprintf("the path %q is not a folder", e.Path)
	}
	return fmt.Sprintf("the path %q is not below a folder that may be indexed", e.Path)
}

// Hint says what to do next.
func (e *PathError) Hint() string {
	hint := "Give a folder that exists below " + strings.Join(e.Roots, " or ") + "; a relative path counts from the first of them."
	if e.Code == CodePathNotAllowed {
		hint += " To allow another folder, name it, or one above it, in the setting code.roots (CATENA_CODE_ROOTS) and start the server anew."
	}
	return hint
}

// Unwrap gives the cause, which may be nil.
func (e *PathError) Unwrap() error { return e.Err }
