package scan

import (
	"context"
	"io/fs"
	"time"
)

// Tree is the files of a folder, or of one revision of a git repository, that are worth indexing. It is safe for concurrent use.
type Tree interface {
	// Files lists them, sorted by path, with what was left out and why. A folder that is gone is an error that wraps
	// fs.ErrNotExist.
	Files(ctx context.Context) ([]Entry, []Skipped, error)
	// Read returns a file's bytes. What is gone, or has become something else, wraps fs.ErrNotExist; what has more than
	// Limits.FileSize bytes ErrTooLarge; what is no text ErrBinary; a private key ErrSecret; a path outside of the tree ErrOutside. Symlinks are never followed out of the tree.
	Read(ctx context.Context, path string) ([]byte, error)
	// Git says what git knows of the tree; the zero State for a folder without git.
	Git(ctx context.Context) (State, error)
	Close() error
}

// Entry is a file of a tree.
type Entry struct {
	Path    string // relative to the tree's root, with slashes
	Size    int64
	Mode    fs.FileMode
	ModTime time.Time // zero in a revision
	Hash    string    // git's blob hash in a revision; "" in a folder, where ModTime and Size tell of changes
}

// Skipped is a file or folder that was left out.
type Skipped struct {
	Path   string
	Reason string // ignored, binary, too_large, symlink, unreadable, too_many, submodule, secret, bad_name
	Size   int64
}

// State is what git knows of a tree.
type State struct {
	Commit string // 40 hex digits; "" without git or before the first commit
	Branch string // "" when detached
	Root   string // of the repository
}

// Limits bound a tree. The zero value means the defaults.
type Limits struct {
	FileSize int64 // bytes of one file; 0 means 2 MiB
	Files    int   // 0 means 200,000; of folders at most 4 times as many are looked at
	Total    int64 // bytes of all files; 0 means 2 GiB
	// Private are files and folders that are never listed, whatever link leads to them: settings, keys, data of the program.
	Private []string
}
