package scan

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-git/go-billy/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/storage/filesystem"
	"github.com/go-git/go-git/v5/storage/filesystem/dotgit"
)

// repository is where git keeps what it knows of a folder.
type repository struct {
	root   string // the folder of the files; "" for a bare repository
	dir    string // .git, or the one that belongs to a linked worktree or a submodule
	common string // the .git that worktrees share; equal to dir elsewhere
}

// findRepository looks for the repository that a folder lies in, upwards as git does. It wraps ErrNoRepository.
//
// A .git that is a file or a symlink names a folder anywhere. It is believed only when that folder points back, as those of git's
// worktrees and submodules do: a repository that was given to us cannot make us read another one.
func findRepository(path string) (repository, error) {
	for dir := path; ; dir = filepath.Dir(dir) {
		name := filepath.Join(dir, ".git")
		info, err := os.Lstat(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return repository{}, fmt.Errorf("looking for git: %w", err)
		case info.IsDir():
			return repository{root: dir, dir: name, common: name}, nil
		case info.Mode().IsRegular():
			return linked(dir, name)
		default:
			return repository{}, ErrNoRepository
		}
		if dir == filepath.Dir(dir) {
			return repository{}, ErrNoRepository
		}
	}
}

// linked reads a .git file.
func linked(root, name string) (repository, error) {
	target, ok := strings.CutPrefix(readLine(name), "gitdir: ")
	if !ok {
		return repository{}, fmt.Errorf("%w: a .git file does not say where", ErrNoRepository)
	}
	dir := joined(root, target)
	if back := readLine(filepath.Join(dir, "gitdir")); back != "" && sameFile(joined(dir, back), name) {
		common := readLine(filepath.Join(dir, "commondir"))
		if common == "" {
			return repository{root: root, dir: dir, common: dir}, nil
		}
		return repository{root: root, dir: dir, common: joined(dir, common)}, nil
	}
	if tree := configured(filepath.Join(dir, "config"), "worktree"); tree != "" && sameFile(joined(dir, tree), root) {
		return repository{root: root, dir: dir, common: dir}, nil
	}
	return repository{}, fmt.Errorf("%w: the .git file names a folder that does not name it", ErrNoRepository)
}

// joined makes a path absolute that may be relative to dir.
func joined(dir, name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(dir, name)
}

func sameFile(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// readSmall reads a small file of git's, and of a large one what tells that it is; nil when it cannot be read.
func readSmall(name string) []byte {
	f, err := openFile(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	src, err := io.ReadAll(io.LimitReader(f, ignoreSize+1))
	if err != nil {
		return nil
	}
	return src
}

func readLine(name string) string {
	line, _, _ := bytes.Cut(readSmall(name), []byte("\n"))
	return strings.TrimSpace(string(line))
}

// configured finds the value of a key in git's configuration, whatever its section.
func configured(name, key string) string {
	for line := range strings.Lines(string(readSmall(name))) {
		k, v, ok := strings.Cut(line, "=")
		if ok && strings.TrimSpace(k) == key {
			return strings.TrimSpace(v)
		}
	}
	return ""
}

// rules are the ignore rules from outside of the tree at path: info/exclude, and .gitignore in the folders above.
func (r repository) rules(path string) []*ruleSet {
	var sets []*ruleSet
	rel, err := filepath.Rel(r.root, path)
	if err != nil {
		return nil
	}
	above := filepath.ToSlash(rel)
	if above == "." {
		above = ""
	}
	add := func(name, above string) {
		if src := readSmall(name); src != nil {
			set := parseIgnore("", src)
			set.above = above
			sets = append(sets, set)
		}
	}
	add(filepath.Join(r.common, "info", "exclude"), above)
	for dir := r.root; above != ""; {
		add(filepath.Join(dir, ".gitignore"), above)
		first, rest, _ := strings.Cut(above, "/")
		dir, above = filepath.Join(dir, first), rest
	}
	return sets
}

// ignores reports whether git ignores a folder of the repository: a rule leaves it out, and nothing in it is tracked. A folder outside of the
// repository it does not know.
func (r repository) ignores(path string) bool {
	if rel, err := filepath.Rel(r.root, path); err != nil || !filepath.IsLocal(rel) {
		return false
	}
	if !slices.ContainsFunc(r.rules(path), (*ruleSet).covers) {
		return false
	}
	var t tracked
	t.use(r, path)
	return !t.has("")
}

// storage opens git's files for reading. What it is asked for stays below the repository's own folders.
func (r repository) storage() *gitStore {
	var files billy.Filesystem = openGit(r.dir)
	if r.common != r.dir {
		files = dotgit.NewRepositoryFilesystem(files, openGit(r.common))
	}
	return &gitStore{Storage: filesystem.NewStorage(files, cache.NewObjectLRU(0)), objects: objects{files: openGit(r.common)}}
}

// state reads HEAD.
func (r repository) state() (State, error) {
	st := State{Root: r.root}
	store := r.storage()
	defer store.Close()
	head, err := store.Reference(plumbing.HEAD)
	if errors.Is(err, plumbing.ErrReferenceNotFound) {
		return st, nil
	}
	if err != nil {
		return State{}, fmt.Errorf("reading git's HEAD: %w", err)
	}
	for range 8 { // a symbolic reference may name another one
		if head.Type() == plumbing.HashReference {
			st.Commit = head.Hash().String()
			return st, nil
		}
		name := head.Target()
		st.Branch = name.Short()
		head, err = store.Reference(name)
		if errors.Is(err, plumbing.ErrReferenceNotFound) {
			return st, nil // before the first commit
		}
		if err != nil {
			return State{}, fmt.Errorf("reading git's %s: %w", name, err)
		}
	}
	return State{}, fmt.Errorf("reading git's HEAD: its references go around in a circle")
}

// tracked are the paths that git's index has. It is read when it is first asked, and again when it has changed.
type tracked struct {
	repo  repository
	below string // path of the tree in the repository, with a slash at the end; "" at its root
	names map[string]bool
	size  int64
	mod   time.Time
	fresh bool // read, or found unchanged, since use
}

// use sets where to look.
func (t *tracked) use(repo repository, path string) {
	below := ""
	if rel, err := filepath.Rel(repo.root, path); err == nil && rel != "." {
		below = filepath.ToSlash(rel) + "/"
	}
	if t.repo != repo || t.below != below {
		*t = tracked{repo: repo, below: below}
	}
	t.fresh = false
}

// has reports whether a path of the tree is tracked, or is a folder with tracked files; "" is the tree itself.
func (t *tracked) has(name string) bool {
	if !t.fresh {
		t.fresh = true
		t.load()
	}
	return t.names[name]
}

// load reads the index. One that cannot be read tracks nothing: the ignore files then decide alone.
func (t *tracked) load() {
	const largest = 256 << 20
	f, err := openFile(filepath.Join(t.repo.dir, "index"))
	if err != nil {
		t.names = nil
		return
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Size() > largest {
		t.names = nil
		return
	}
	if t.names != nil && info.Size() == t.size && info.ModTime().Equal(t.mod) {
		return
	}
	t.names, t.size, t.mod = map[string]bool{}, info.Size(), info.ModTime()
	if err := indexNames(f, t.add); err != nil {
		clear(t.names)
	}
}

// add takes a name of the index, and the folders that lead to it.
func (t *tracked) add(name string) {
	rel, ok := strings.CutPrefix(name, t.below)
	if !ok {
		return
	}
	t.names[rel], t.names[""] = true, true
	for i := strings.LastIndexByte(rel, '/'); i > 0 && !t.names[rel[:i]]; i = strings.LastIndexByte(rel[:i], '/') {
		t.names[rel[:i]] = true
	}
}

// openFile opens a file that is a regular one, and is still when it is open: no pipe is waited for.
func openFile(name string) (*os.File, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fs.ErrInvalid
	}
	f, err := os.OpenFile(name, os.O_RDONLY|noBlock, 0)
	if err != nil {
		return nil, err
	}
	if info, err = f.Stat(); err == nil && !info.Mode().IsRegular() {
		err = fs.ErrInvalid
	}
	if err != nil {
		_ = f.Close() // nothing was written
		return nil, err
	}
	return f, nil
}
