package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"catena/internal/text"
)

// site is a folder that may be indexed.
type site struct {
	base string // the root that it lies below, with symlinks resolved
	path string // absolute, with symlinks resolved
}

// rel is the path from base.
func (s site) rel() string {
	rel, err := filepath.Rel(s.base, s.path)
	if err != nil {
		return "."
	}
	return rel
}

// CheckRoots returns why folders cannot be roots, nil where they can.
func CheckRoots(roots []string) error {
	_, err := resolveRoots(roots)
	return err
}

// resolveRoots makes the roots absolute and resolves their symlinks. A root that is not there is an error: a slip in
// the configuration must not pass as a folder without files.
func resolveRoots(roots []string) ([]string, error) {
	if len(roots) == 0 {
		return nil, errors.New("code: no folder may be indexed: name at least one root")
	}
	out := make([]string, 0, len(roots))
	for _, root := range roots {
		abs, err := filepath.Abs(root)
		if err == nil {
			abs, err = filepath.EvalSymlinks(abs)
		}
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("the folder %q does not exist; name one that does", root)
		}
		if err != nil {
			return nil, fmt.Errorf("the folder %q cannot be used: %w", root, err)
		}
		info, err := os.Stat(abs)
		if err != nil {
			return nil, fmt.Errorf("the folder %q cannot be used: %w", root, err)
		}
		if !info.IsDir() {
			return nil, fmt.Errorf("%q is not a folder; name the folder that it is in", root)
		}
		out = append(out, abs)
	}
	return out, nil
}

// locate finds the folder that a path means: absolute, or relative to the first root. The error is a *PathError.
// Whether a path outside of the roots exists is not told.
func (w *Workspaces) locate(path string) (site, error) {
	fail := func(code string, err error) (site, error) {
		return site{}, &PathError{Code: code, Path: text.Clip(path, 300), Roots: w.roots, Err: err}
	}
	if len(path) > MaxPath || strings.ContainsRune(path, 0) {
		return fail(CodePathNotFound, nil)
	}
	abs := filepath.Clean(path)
	if !filepath.IsAbs(abs) {
		abs = filepath.Join(w.roots[0], abs)
	}
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		if w.missing(abs) {
			return fail(CodePathNotFound, err)
		}
		return fail(CodePathNotAllowed, err)
	}
	s, ok := w.below(real)
	if !ok {
		return fail(CodePathNotAllowed, nil)
	}
	info, err := os.Stat(real)
	switch {
	case err != nil:
		return fail(CodePathNotFound, err)
	case !info.IsDir():
		return fail(CodeNotAFolder, nil)
	}
	return s, nil
}

// missing reports whether a path that cannot be resolved lies below a root all the same, so that its absence may be
// told: the nearest folder above it that is there does, and no symlink leads elsewhere on the way.
func (w *Workspaces) missing(path string) bool {
	for dir := path; ; dir = filepath.Dir(dir) {
		_, err := os.Lstat(dir)
		if err == nil {
			real, err := filepath.EvalSymlinks(dir)
			_, ok := w.below(real)
			return err == nil && ok
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
}

// below finds the root that an absolute path lies below.
func (w *Workspaces) below(path string) (site, bool) {
	for _, root := range w.roots {
		rel, err := filepath.Rel(root, path)
		if err == nil && filepath.IsLocal(rel) {
			return site{base: root, path: path}, true
		}
	}
	return site{}, false
}

// MaxPath bounds the path of a folder or file, in bytes.
const MaxPath = 4096
