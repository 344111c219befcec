//go:build linux || darwin

package sqlite

import (
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// freeSpace is how much a program may still write to the disk of a folder, in bytes.
func freeSpace(dir string) (bytes int64, known bool) {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return 0, false
	}
	return whole(st.Bavail) * whole(st.Bsize), true
}

// whole is a number of any of the types that systems have for it.
func whole[T ~int32 | ~uint32 | ~int64 | ~uint64](n T) int64 { return int64(n) }

// sameOwner gives a file to whoever another one belongs to: an administrator may compact what a server's own user
// must open.
func sameOwner(path string, other fs.FileInfo) error {
	st, ok := other.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	mine, err := os.Stat(path)
	if err != nil {
		return err
	}
	if own, ok := mine.Sys().(*syscall.Stat_t); ok && own.Uid == st.Uid && own.Gid == st.Gid {
		return nil
	}
	return os.Chown(path, int(st.Uid), int(st.Gid))
}
