package scan

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sync"
	"time"
)

// Folder opens a folder as a tree. Symlinks on the way to it are followed; none is from there on. Its files are opened below a
// handle of the folder (os.Root), so that nothing that changes meanwhile leads out of it.
func Folder(ctx context.Context, root string, limits Limits) (Tree, error) {
	return FolderIn(ctx, root, ".", limits)
}

// FolderIn opens the folder at rel below base as a tree, like Folder; symlinks on the way from base to it may not lead out of base.
func FolderIn(ctx context.Context, base, rel string, limits Limits) (Tree, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	base, err := filepath.Abs(base)
	if err != nil {
		return nil, fmt.Errorf("opening the folder: %w", err)
	}
	if limits.private(filepath.Join(base, rel)) {
		return nil, fmt.Errorf("%q: %w", filepath.Join(base, rel), ErrPrivate)
	}
	f := &folder{base: base, rel: rel, path: filepath.Join(base, rel), limits: limits.filled(), sniffed: map[string]sniff{}, listed: make(chan struct{}, 1)}
	if f.root, err = f.open(); err != nil {
		return nil, err
	}
	return f, nil
}

// folder is a Tree over files as they lie there.
type folder struct {
	base, rel string
	path      string // base and rel
	limits    Limits

	mu      sync.Mutex // one listing at a time
	root    *os.Root
	sniffed map[string]sniff
	dirs    []string      // those that were walked last, for watching
	listed  chan struct{} // told of each listing
	tracked tracked
}

// sniff remembers what a look into a file said, for as long as its size and time stay.
type sniff struct {
	size   int64
	mod    time.Time
	binary bool
	secret bool
}

func (f *folder) open() (*os.Root, error) {
	base, err := os.OpenRoot(f.base)
	if err != nil {
		return nil, fmt.Errorf("opening the folder: %w", err)
	}
	if f.rel == "." {
		return base, nil
	}
	defer base.Close()
	root, err := base.OpenRoot(f.rel)
	if err != nil {
		return nil, fmt.Errorf("opening the folder: %w", err)
	}
	return root, nil
}

// check looks whether the folder is still the one that was opened. One that was put in its place is opened instead; one that is
// gone is an error, although its handle would still list it as empty.
func (f *folder) check() error {
	now, err := f.open()
	if err != nil {
		return err
	}
	a, errA := now.Stat(".")
	b, errB := f.root.Stat(".")
	if err := errors.Join(errA, errB); err != nil {
		return errors.Join(fmt.Errorf("looking at the folder: %w", err), now.Close())
	}
	if os.SameFile(a, b) {
		return now.Close()
	}
	old := f.root
	f.root = now
	clear(f.sniffed)
	return old.Close()
}

// Files lists the folder.
func (f *folder) Files(ctx context.Context) ([]Entry, []Skipped, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.check(); err != nil {
		return nil, nil, err
	}
	w := walk{folder: f, ctx: ctx, sniffed: make(map[string]sniff, len(f.sniffed))}
	if err := w.run(); err != nil {
		return nil, nil, err
	}
	if err := f.check(); err != nil {
		return nil, nil, err
	}
	f.sniffed, f.dirs = w.sniffed, w.dirs
	select {
	case f.listed <- struct{}{}:
	default:
	}
	return w.files, w.skipped, nil
}

// Read returns a file's bytes.
func (f *folder) Read(ctx context.Context, name string) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	local := filepath.FromSlash(name)
	if name == "" || len(name) > maxPath || !filepath.IsLocal(local) {
		return nil, fmt.Errorf("%q: %w", name, ErrOutside)
	}
	f.mu.Lock()
	root := f.root
	f.mu.Unlock()
	file, info, err := openRegular(root, local)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return withoutKey(name)(readAtMost(file, name, info.Size(), f.limits.FileSize))
}

// withoutKey gives on what was read of a file, unless that is a private key: what is read decides, whatever it held when it was listed.
func withoutKey(name string) func([]byte, error) ([]byte, error) {
	return func(src []byte, err error) ([]byte, error) {
		if err == nil && holdsKey(path.Base(filepath.ToSlash(name)), src[:min(len(src), sniffSize)]) {
			return nil, fmt.Errorf("%q: %w", name, ErrSecret)
		}
		return src, err
	}
}

// openRegular opens a file that is one: no folder, pipe, device or symlink.
func openRegular(root *os.Root, name string) (*os.File, fs.FileInfo, error) {
	before, err := root.Lstat(name)
	if err != nil {
		return nil, nil, fmt.Errorf("reading a file: %w", err)
	}
	if !before.Mode().IsRegular() {
		return nil, nil, fmt.Errorf("%q is no file any more: %w", name, fs.ErrNotExist)
	}
	file, err := root.OpenFile(name, os.O_RDONLY|noBlock, 0)
	if err != nil {
		return nil, nil, fmt.Errorf("reading a file: %w", err)
	}
	info, err := file.Stat()
	if err == nil && (!info.Mode().IsRegular() || !os.SameFile(before, info)) {
		err = fs.ErrNotExist
	}
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("%q was replaced while it was opened: %w", name, err), file.Close())
	}
	return file, info, nil
}

// readAtMost reads all of a text, or nothing when it has more than most bytes or is no text.
func readAtMost(r io.Reader, name string, size, most int64) ([]byte, error) {
	if size > most {
		return nil, fmt.Errorf("%q: %w", name, ErrTooLarge)
	}
	buf := make([]byte, 0, size+1) // one more, to see the end without growing
	for {
		n, err := r.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		switch {
		case int64(len(buf)) > most:
			return nil, fmt.Errorf("%q: %w", name, ErrTooLarge)
		case errors.Is(err, io.EOF) && isBinary(buf[:min(len(buf), sniffSize)]):
			return nil, fmt.Errorf("%q: %w", name, ErrBinary)
		case errors.Is(err, io.EOF):
			return buf, nil
		case err != nil:
			return nil, fmt.Errorf("reading %q: %w", name, err)
		}
		if len(buf) == cap(buf) {
			buf = append(buf, 0)[:len(buf)]
		}
	}
}

// Git says what git knows of the folder.
func (f *folder) Git(ctx context.Context) (State, error) {
	if err := ctx.Err(); err != nil {
		return State{}, err
	}
	repo, err := findRepository(f.path)
	if errors.Is(err, ErrNoRepository) {
		return State{}, nil
	}
	if err != nil {
		return State{}, err
	}
	return repo.state()
}

// Close gives the handle of the folder back.
func (f *folder) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.root.Close()
}
