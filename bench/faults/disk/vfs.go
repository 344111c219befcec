package disk

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// SQLite reaches the disk through a table of functions, its VFS. This is a copy of the one that it uses on this system, with those functions
// replaced that change a file: they do as before, and write down what they did.

// What SQLite holds on to stands at package level: a garbage collector knows nothing of its pointers.
var (
	shim  sqlite3.Tsqlite3_vfs
	usual sqlite3.Tsqlite3_vfs // what shim is a copy of

	tablesMu sync.Mutex
	tables   = map[sqlite3.Tsqlite3_io_methods]uintptr{} // copies in memory of SQLite, by what they are copies of
	watched  = map[uintptr]sqlite3.Tsqlite3_io_methods{} // what a file that is open used before

	registering sync.Mutex
	registered  bool
	recording   atomic.Pointer[Log]
)

// The functions of a VFS and of its files that are replaced, as the driver's translation of SQLite has them.
type (
	openFunc     = func(tls *libc.TLS, vfs, name, file uintptr, flags int32, out uintptr) int32
	deleteFunc   = func(tls *libc.TLS, vfs, name uintptr, syncFolder int32) int32
	writeFunc    = func(tls *libc.TLS, file, data uintptr, n int32, at int64) int32
	truncateFunc = func(tls *libc.TLS, file uintptr, size int64) int32
	syncFunc     = func(tls *libc.TLS, file uintptr, flags int32) int32
	closeFunc    = func(tls *libc.TLS, file uintptr) int32
)

// Record writes down what SQLite does to the files of a folder from now on, in this process, until stop is called. Databases of the folder
// must be opened after it. Syncs are written down and not done: nobody but the copies that Crash makes has to survive. One recording at
// a time; a second one is an error.
func Record(dir string) (l *Log, stop func() error, err error) {
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, nil, err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil { // as SQLite sees paths
		return nil, nil, err
	}
	if err := register(); err != nil {
		return nil, nil, err
	}
	l = &Log{dir: dir, files: map[string]int{}, open: map[uintptr]*handle{}}
	if !recording.CompareAndSwap(nil, l) {
		return nil, nil, errors.New("disk: a recording is under way; stop it first")
	}
	return l, func() error {
		recording.Store(nil)
		l.mu.Lock()
		defer l.mu.Unlock()
		return l.lost
	}, nil
}

// register makes the copy the VFS of all databases that are opened without the name of one.
func register() error {
	registering.Lock()
	defer registering.Unlock()
	if registered {
		return nil
	}
	tls := libc.NewTLS()
	defer tls.Close()
	if code := sqlite3.Xsqlite3_initialize(tls); code != sqlite3.SQLITE_OK {
		return fmt.Errorf("disk: SQLite does not start: code %d", code)
	}
	found := sqlite3.Xsqlite3_vfs_find(tls, 0)
	if found == 0 {
		return errors.New("disk: SQLite has no VFS")
	}
	name, err := libc.CString("recording")
	if err != nil {
		return err
	}
	usual = *at[sqlite3.Tsqlite3_vfs](&found)
	shim = usual
	shim.FpNext, shim.FzName = 0, name
	put[openFunc](&shim.FxOpen, openFile)
	put[deleteFunc](&shim.FxDelete, deleteFile)
	if code := sqlite3.Xsqlite3_vfs_register(tls, uintptr(unsafe.Pointer(&shim)), 1); code != sqlite3.SQLITE_OK {
		return fmt.Errorf("disk: SQLite refuses the VFS: code %d", code)
	}
	registered = true
	return nil
}

// at is what an address of SQLite's points to.
func at[T any](address *uintptr) *T { return *(**T)(unsafe.Pointer(address)) }

// put makes a place of a table hold a function; get is the function that it holds.
func put[F any](place *uintptr, f F) { *(*F)(unsafe.Pointer(place)) = f }

func get[F any](place uintptr) F { return *(*F)(unsafe.Pointer(&struct{ uintptr }{place})) }

func openFile(tls *libc.TLS, vfs, name, file uintptr, flags int32, out uintptr) int32 {
	l := recording.Load()
	if l != nil {
		l.mu.Lock()
		defer l.mu.Unlock()
	}
	code := get[openFunc](usual.FxOpen)(tls, vfs, name, file, flags, out)
	if code != sqlite3.SQLITE_OK || l == nil || name == 0 {
		return code
	}
	path := strings.Clone(libc.GoString(name))
	if l.name(path) == "" {
		return code
	}
	if !watch(tls, file) {
		l.lost = errors.Join(l.lost, fmt.Errorf("disk: no memory is left to write down what is done to %s", path))
	}
	l.opened(file, path, flags&(sqlite3.SQLITE_OPEN_MAIN_JOURNAL|sqlite3.SQLITE_OPEN_SUPER_JOURNAL|sqlite3.SQLITE_OPEN_WAL) != 0)
	return code
}

// watch has a file that was opened use the replaced functions, and reports whether it does. There is a table of functions for databases, and
// one for other files.
func watch(tls *libc.TLS, file uintptr) bool {
	own := at[sqlite3.Tsqlite3_file](&file)
	before := *at[sqlite3.Tsqlite3_io_methods](&own.FpMethods)
	tablesMu.Lock()
	defer tablesMu.Unlock()
	table := tables[before]
	if table == 0 {
		if table = libc.Xmalloc(tls, libc.Tsize_t(unsafe.Sizeof(before))); table == 0 {
			return false
		}
		copied := at[sqlite3.Tsqlite3_io_methods](&table)
		*copied = before
		put[writeFunc](&copied.FxWrite, writeFile)
		put[truncateFunc](&copied.FxTruncate, truncateFile)
		put[syncFunc](&copied.FxSync, syncFile)
		put[closeFunc](&copied.FxClose, closeFile)
		tables[before] = table
	}
	watched[file] = before
	own.FpMethods = table
	return true
}

// before are the functions that a file used before it was watched.
func before(file uintptr) sqlite3.Tsqlite3_io_methods {
	tablesMu.Lock()
	defer tablesMu.Unlock()
	return watched[file]
}

func deleteFile(tls *libc.TLS, vfs, name uintptr, syncFolder int32) int32 {
	l := recording.Load()
	if l == nil {
		return get[deleteFunc](usual.FxDelete)(tls, vfs, name, syncFolder)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	code := get[deleteFunc](usual.FxDelete)(tls, vfs, name, syncFolder)
	if code == sqlite3.SQLITE_OK {
		l.removed(libc.GoString(name), syncFolder != 0)
	}
	return code
}

func writeFile(tls *libc.TLS, file, data uintptr, n int32, place int64) int32 {
	l := recording.Load()
	if l == nil {
		return get[writeFunc](before(file).FxWrite)(tls, file, data, n, place)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	code := get[writeFunc](before(file).FxWrite)(tls, file, data, n, place)
	if code == sqlite3.SQLITE_OK {
		l.wrote(file, unsafe.Slice(at[byte](&data), n), place)
	}
	return code
}

func truncateFile(tls *libc.TLS, file uintptr, size int64) int32 {
	l := recording.Load()
	if l == nil {
		return get[truncateFunc](before(file).FxTruncate)(tls, file, size)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	code := get[truncateFunc](before(file).FxTruncate)(tls, file, size)
	if code == sqlite3.SQLITE_OK {
		l.truncated(file, size)
	}
	return code
}

func syncFile(tls *libc.TLS, file uintptr, flags int32) int32 {
	l := recording.Load()
	if l == nil {
		return get[syncFunc](before(file).FxSync)(tls, file, flags)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.sync(file) {
		return sqlite3.SQLITE_OK
	}
	return get[syncFunc](before(file).FxSync)(tls, file, flags)
}

func closeFile(tls *libc.TLS, file uintptr) int32 {
	if l := recording.Load(); l != nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.closed(file)
	}
	tablesMu.Lock()
	own := watched[file]
	delete(watched, file)
	tablesMu.Unlock()
	return get[closeFunc](own.FxClose)(tls, file)
}
