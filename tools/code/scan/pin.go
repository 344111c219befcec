package scan

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// pinned is a folder and its repository as they were found. git's files are opened by their paths, one by one; so that a folder that
// is swapped for a symlink meanwhile cannot make us read another repository, the paths are looked at again after what was read, and
// before it is used.
type pinned struct {
	base, rel string
	folder    fs.FileInfo // at rel, reached from a handle of base
	git       []pinnedPath
}

type pinnedPath struct {
	path, real string // real has no symlinks
	info       fs.FileInfo
}

// pin remembers where a folder and its repository are.
func pin(base, rel string, where repository) (*pinned, error) {
	p := &pinned{base: base, rel: rel}
	var err error
	if p.folder, err = p.look(); err != nil {
		return nil, err
	}
	for _, dir := range []string{filepath.Join(base, rel), where.root, where.dir, where.common} {
		if slices.ContainsFunc(p.git, func(g pinnedPath) bool { return g.path == dir }) {
			continue
		}
		real, err := filepath.EvalSymlinks(dir)
		if err != nil {
			return nil, fmt.Errorf("opening the repository: %w", err)
		}
		info, err := os.Stat(real)
		if err != nil {
			return nil, fmt.Errorf("opening the repository: %w", err)
		}
		p.git = append(p.git, pinnedPath{path: dir, real: real, info: info})
	}
	return p, p.check()
}

// look reaches the folder from its base without leaving that.
func (p *pinned) look() (info fs.FileInfo, err error) {
	base, err := os.OpenRoot(p.base)
	if err != nil {
		return nil, fmt.Errorf("opening the folder: %w", err)
	}
	defer func() { err = errors.Join(err, base.Close()) }()
	if info, err = base.Stat(p.rel); err != nil {
		return nil, fmt.Errorf("opening the folder: %w", err)
	}
	return info, nil
}

// check reports ErrOutside when any of the folders is another one by now.
func (p *pinned) check() error {
	info, err := p.look()
	if err != nil {
		return fmt.Errorf("%w: %w", ErrOutside, err)
	}
	if !os.SameFile(info, p.folder) || !os.SameFile(info, p.git[0].info) {
		return fmt.Errorf("%w: another folder was put in the place of %s", ErrOutside, filepath.Join(p.base, p.rel))
	}
	for _, g := range p.git {
		real, err := filepath.EvalSymlinks(g.path)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrOutside, err)
		}
		now, err := os.Lstat(real)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrOutside, err)
		}
		if real != g.real || !os.SameFile(now, g.info) {
			return fmt.Errorf("%w: another folder was put in the place of %s", ErrOutside, g.path)
		}
	}
	return nil
}
