package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"catena/tools/code/index"
)

// maxBundle bounds a bundle that is given out: it is held in memory, and base64 makes it a third larger.
const maxBundle = 256 << 20

// ErrBundleTooLarge is wrapped where a bundle is too large to be given out.
var ErrBundleTooLarge = errors.New("the bundle is too large to be sent")

// writeBundle packs an index into a file, which is there only when it is whole, and returns its size.
func writeBundle(ctx context.Context, s *index.Snapshot, name string) (int64, error) {
	f, err := os.CreateTemp(filepath.Dir(name), "bundle.new*")
	if err != nil {
		return 0, fmt.Errorf("packing the bundle: %w", err)
	}
	err = s.WriteBundle(ctx, f)
	size := int64(0)
	if err == nil {
		var info fs.FileInfo
		if info, err = f.Stat(); err == nil {
			size = info.Size()
		}
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return 0, fmt.Errorf("packing the bundle: %w", errors.Join(err, os.Remove(f.Name())))
	}
	return size, nil
}

// Bundle returns the packed index of the workspace, a tar archive compressed with zstd as index.WriteBundle describes
// it. It is packed now when the index was brought up to date since. Without an index the error wraps ErrNotFound; one
// of more than 256 MiB gives ErrBundleTooLarge.
func (x *Workspace) Bundle(ctx context.Context) ([]byte, error) {
	c := x.corpus
	snap, m, err := c.open(ctx)
	if err != nil {
		return nil, err
	}
	if snap == nil {
		return nil, fmt.Errorf("there is nothing to pack yet: %w", ErrNotFound)
	}
	src, err := readBundle(filepath.Join(c.generation(m.Generation), BundleFile))
	if !errors.Is(err, fs.ErrNotExist) {
		return src, err
	}
	c.packing.Lock() // once is enough
	defer c.packing.Unlock()
	kept := filepath.Join(c.generation(m.Generation), BundleFile)
	if src, err := readBundle(kept); !errors.Is(err, fs.ErrNotExist) {
		return src, err
	}
	dir, err := os.MkdirTemp(c.w.dir, "bundle-")
	if err != nil {
		return nil, fmt.Errorf("packing the bundle: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // what stays is removed by the next start
	name := filepath.Join(dir, BundleFile)
	if _, err := writeBundle(ctx, snap, name); err != nil {
		return nil, err
	}
	src, err = readBundle(name)
	_ = os.Rename(name, kept) // kept for the next time, unless there is a newer index meanwhile
	return src, err
}

func readBundle(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, fmt.Errorf("reading the bundle: %w", err)
	}
	if info.Size() > maxBundle {
		return nil, fmt.Errorf("%w: it has %d MiB, at most %d are sent", ErrBundleTooLarge, info.Size()>>20, maxBundle>>20)
	}
	src, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("reading the bundle: %w", err)
	}
	return src, nil
}
