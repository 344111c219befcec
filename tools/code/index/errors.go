package index

import (
	"fmt"
	"io/fs"
	"strings"
)

// PathError says that a path is not in the index. It wraps fs.ErrNotExist.
type PathError struct {
	Path    string
	Nearest []string // paths of the index that look like it, the likeliest first, at most 5
}

func (e *PathError) Error() string {
	if len(e.Nearest) == 0 {
		return fmt.Sprintf("%s is not in the index", e.Path)
	}
	return fmt.Sprintf("%s is not in the index; the nearest paths are %s", e.Path, strings.Join(e.Nearest, ", "))
}

func (e *PathError) Unwrap() error { return fs.ErrNotExist }

// DamagedError says that a file of a stored index is not what was written: index the repository anew.
type DamagedError struct {
	File   string // its name in the folder of the index
	Reason string
	Err    error // nil, or what reading gave
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("the index is damaged: %s: %s", e.File, e.Reason)
}

func (e *DamagedError) Unwrap() error { return e.Err }
