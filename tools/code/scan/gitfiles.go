package scan

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/go-git/go-billy/v5"
	"github.com/go-git/go-billy/v5/osfs"
)

// gitFiles are git's own files below a folder, for reading. A repository that was given to us may have anything in their places: only
// regular files are opened, none that is waited for, and none but packs and indexes of packs that has more than mostGitFile bytes.
type gitFiles struct{ billy.Filesystem }

// mostGitFile is how large a file of git's may be that is read as a whole: HEAD, a reference, the configuration, all packed references.
const mostGitFile = 64 << 20

// openGit has the files below dir. Links are not followed out of it.
func openGit(dir string) gitFiles { return gitFiles{osfs.New(dir, osfs.WithBoundOS())} }

// Open implements billy.Filesystem.
func (g gitFiles) Open(name string) (billy.File, error) { return g.OpenFile(name, os.O_RDONLY, 0) }

// OpenFile implements billy.Filesystem, for reading alone.
func (g gitFiles) OpenFile(name string, flag int, perm os.FileMode) (billy.File, error) {
	if flag != os.O_RDONLY {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	if info, err := g.Stat(name); err != nil {
		return nil, err
	} else if err := readable(name, info); err != nil {
		return nil, err
	}
	f, err := g.Filesystem.OpenFile(name, os.O_RDONLY|noBlock, perm)
	if err != nil {
		return nil, err
	}
	if x, ok := f.(interface{ Stat() (fs.FileInfo, error) }); ok { // what took its place meanwhile
		info, err := x.Stat()
		if err == nil {
			err = readable(name, info)
		}
		if err != nil {
			_ = f.Close() // nothing was written
			return nil, err
		}
	}
	return f, nil
}

// Chroot implements billy.Filesystem.
func (g gitFiles) Chroot(name string) (billy.Filesystem, error) {
	below, err := g.Filesystem.Chroot(name)
	return gitFiles{below}, err
}

// readable says why a file of git's is not read.
func readable(name string, info fs.FileInfo) error {
	switch packed := strings.HasPrefix(path.Ext(name), ".pack") || path.Ext(name) == ".idx"; {
	case !info.Mode().IsRegular():
		return &fs.PathError{Op: "open", Path: name, Err: fmt.Errorf("it is no regular file: %w", fs.ErrInvalid)}
	case !packed && info.Size() > mostGitFile:
		return &fs.PathError{Op: "open", Path: name, Err: ErrTooLarge}
	}
	return nil
}
