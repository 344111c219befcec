package scan

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// ignoreFiles are read in each folder, in the order of their weight. The last two are no git's: they hold for tracked files too.
var ignoreFiles = []string{".gitignore", ".ignore", ".catenaignore"}

// walk is one listing of a folder.
type walk struct {
	folder  *folder
	ctx     context.Context
	sniffed map[string]sniff
	files   []Entry
	skipped []Skipped
	dirs    []string
	total   int64
	tracked *tracked // nil outside of git
	queue   []step
	full    bool // a limit was reached
	private Private
}

// step is a folder that is still to be listed.
type step struct {
	dir   string
	depth int
	git   []*ruleSet // git's rules that hold there, the weightiest last
	own   []*ruleSet // the other tools' rules
	// tracked says that git ignores the folder: only the tracked files in it are taken.
	tracked bool
}

// run lists everything. It returns when it is done, when a limit is reached, or when the context ends.
func (w *walk) run() error {
	w.private = Find(w.folder.limits.Private)
	first, out, err := w.outer()
	if err != nil {
		return err
	}
	if out {
		w.skip(".", Ignored, 0)
		return nil
	}
	w.queue = append(w.queue, first)
	for len(w.queue) > 0 {
		s := w.queue[len(w.queue)-1]
		w.queue = w.queue[:len(w.queue)-1]
		if w.full = w.full || len(w.dirs) >= foldersPerFile*w.folder.limits.Files; w.full {
			w.skip(cmp.Or(s.dir, "."), TooMany, 0)
			continue
		}
		if err := w.list(s); err != nil {
			return err
		}
	}
	slices.SortFunc(w.files, func(a, b Entry) int { return strings.Compare(a.Path, b.Path) })
	slices.SortFunc(w.skipped, func(a, b Skipped) int { return strings.Compare(a.Path, b.Path) })
	return nil
}

// outer are the rules from outside of the folder: of git, and of the ignore files from the root that may be indexed down to it. out reports
// that they leave out the folder itself; a root that the repository around it ignores is on its own.
func (w *walk) outer() (first step, out bool, err error) {
	f := w.folder
	git, own := outerRules(f.base, f.rel)
	repo, err := findRepository(f.path)
	switch {
	case err == nil:
		w.tracked = &f.tracked
		w.tracked.use(repo, f.path)
		if sets := repo.rules(f.path); !repo.ignores(f.base) {
			git = sets
		} else {
			w.tracked = nil
		}
	case !errors.Is(err, ErrNoRepository):
		return step{}, false, err
	}
	covers := (*ruleSet).covers
	out = slices.ContainsFunc(own, covers) || slices.ContainsFunc(git, covers) && (w.tracked == nil || !w.tracked.has(""))
	return step{git: git, own: own}, out, nil
}

// outerRules are the ignore files of the folders from base down to the one at rel, that one left out, the weightiest last.
func outerRules(base, rel string) (git, own []*ruleSet) {
	above := filepath.ToSlash(rel)
	if above == "." {
		return nil, nil
	}
	for dir := base; above != ""; {
		for i, name := range ignoreFiles {
			src := readSmall(filepath.Join(dir, name))
			if src == nil {
				continue
			}
			set := parseIgnore("", src)
			set.above = above
			if i == 0 {
				git = append(git, set)
			} else {
				own = append(own, set)
			}
		}
		first, rest, _ := strings.Cut(above, "/")
		dir, above = filepath.Join(dir, first), rest
	}
	return git, own
}

func (w *walk) skip(name, reason string, size int64) {
	if len(w.skipped) < maxSkipped {
		w.skipped = append(w.skipped, Skipped{Path: name, Reason: reason, Size: size})
	}
}

// list lists one folder. One that vanished meanwhile is left out; one that may not be read is told of.
func (w *walk) list(s step) error {
	dir, err := w.folder.root.OpenRoot(cmp.Or(filepath.FromSlash(s.dir), "."))
	if err != nil {
		if s.dir == "" {
			return fmt.Errorf("listing the folder: %w", err)
		}
		w.unreadable(s.dir, err)
		return nil
	}
	defer dir.Close()
	names, err := w.readDir(dir)
	if ctxErr := w.ctx.Err(); ctxErr != nil {
		return ctxErr
	}
	if err != nil {
		w.unreadable(cmp.Or(s.dir, "."), err)
		return nil
	}
	if s.dir != "" && w.tracked != nil && slices.ContainsFunc(names, func(e fs.DirEntry) bool { return e.Name() == ".git" }) {
		w.skip(s.dir, Submodule, 0)
		return nil
	}
	w.dirs = append(w.dirs, s.dir)
	s.addRules(dir, names)
	var below []step
	for _, e := range names {
		if w.ctx.Err() != nil { // each: the rules for one name may take a millisecond
			return w.ctx.Err()
		}
		if next, ok := w.visit(s, dir, e); ok {
			below = append(below, next)
		}
	}
	slices.Reverse(below) // the queue is read from its end
	w.queue = append(w.queue, below...)
	return nil
}

func (w *walk) unreadable(name string, err error) {
	if !errors.Is(err, fs.ErrNotExist) {
		w.skip(name, Unreadable, 0)
	}
}

// readDir lists names in order. It looks at the context meanwhile: a folder may have millions.
func (w *walk) readDir(dir *os.Root) ([]fs.DirEntry, error) {
	f, err := dir.Open(".")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all []fs.DirEntry
	for w.ctx.Err() == nil {
		some, err := f.ReadDir(4096)
		all = append(all, some...)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if len(all) > 4*w.folder.limits.Files+4096 {
			break
		}
	}
	slices.SortFunc(all, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return all, nil
}

// addRules reads the ignore files of a folder.
func (s *step) addRules(dir *os.Root, names []fs.DirEntry) {
	for i, name := range ignoreFiles {
		if !slices.ContainsFunc(names, func(e fs.DirEntry) bool { return e.Name() == name && e.Type().IsRegular() }) {
			continue
		}
		src, ok := readIgnore(dir, name)
		if !ok {
			continue
		}
		set := parseIgnore(s.dir, src)
		set.full = set.full || tooMany(append(slices.Clip(s.git), set)) || tooMany(append(slices.Clip(s.own), set))
		if i == 0 {
			s.git = append(slices.Clip(s.git), set)
		} else {
			s.own = append(slices.Clip(s.own), set)
		}
	}
}

// readIgnore reads an ignore file, and of a large one what tells that it is; what cannot be read has no rules.
func readIgnore(dir *os.Root, name string) ([]byte, bool) {
	f, _, err := openRegular(dir, name)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	src, err := io.ReadAll(io.LimitReader(f, ignoreSize+1))
	return src, err == nil
}

// judge says whether the rules leave a path out, and whether it stays only for what git tracks in it: a file that git tracks is
// not ignored, whatever .gitignore says.
func (w *walk) judge(s step, name string, dir bool) (out, onlyTracked bool) {
	if v := lastVerdict(s.own, name, dir); v != silent {
		return v == ignored, false
	}
	if s.tracked || lastVerdict(s.git, name, dir) == ignored {
		kept := w.tracked != nil && w.tracked.has(name)
		return !kept, kept
	}
	return false, false
}

// lastVerdict is what the weightiest set says that says anything.
func lastVerdict(sets []*ruleSet, name string, dir bool) verdict {
	for i := len(sets) - 1; i >= 0; i-- {
		if v := sets[i].match(name, dir); v != silent {
			return v
		}
	}
	return silent
}

// visit takes one name of a folder: a file is added or left out, a folder is returned to be listed.
func (w *walk) visit(s step, dir *os.Root, e fs.DirEntry) (step, bool) {
	name := path.Join(s.dir, e.Name())
	isDir := e.IsDir()
	out, tracked := false, false
	if !alwaysOut[e.Name()] {
		out, tracked = w.judge(s, name, isDir)
	}
	switch {
	case isBadName(e.Name()):
		w.skip(name, BadName, 0)
		return step{}, false
	case alwaysOut[e.Name()]:
		if e.Name() != ".git" { // told of by nobody: it belongs to every repository
			w.skip(name, Ignored, 0)
		}
		return step{}, false
	case out:
		w.skip(name, Ignored, 0)
		return step{}, false
	case isDir && (isSecretFolder(e.Name()) || w.private.has(w.absolute(name))):
		w.skip(name, Secret, 0)
		return step{}, false
	case isDir && (s.depth == maxDepth || len(name) > maxPath):
		w.skip(name, TooMany, 0)
		return step{}, false
	case isDir:
		return step{dir: name, depth: s.depth + 1, git: s.git, own: s.own, tracked: tracked}, true
	case e.Type()&fs.ModeSymlink != 0:
		w.skip(name, Symlink, 0)
		return step{}, false
	}
	w.file(dir, name, e)
	return step{}, false
}

// absolute is the whole path of a name in the tree.
func (w *walk) absolute(name string) string {
	return filepath.Join(w.folder.path, filepath.FromSlash(name))
}

// file adds a file, or says why not.
func (w *walk) file(dir *os.Root, name string, e fs.DirEntry) {
	base := e.Name()
	info, err := e.Info() // known since the folder was read, which os does for folders below a root
	if err != nil {
		w.unreadable(name, err)
		return
	}
	size := info.Size()
	switch {
	case !info.Mode().IsRegular():
		w.skip(name, Unreadable, 0)
		return
	case isSecret(w.absolute(name)) || w.private.is(info):
		w.skip(name, Secret, size)
		return
	case binaryNames[strings.ToLower(path.Ext(base))]:
		w.skip(name, Binary, size)
		return
	case size > w.folder.limits.FileSize:
		w.skip(name, TooLarge, size)
		return
	case len(w.files) >= w.folder.limits.Files || w.total+size > w.folder.limits.Total:
		w.full = true
		w.skip(name, TooMany, size)
		return
	}
	seen, ok := w.folder.sniffed[name]
	if !ok || seen.size != size || !seen.mod.Equal(info.ModTime()) {
		head, err := readHead(dir, base)
		if err != nil {
			w.unreadable(name, err)
			return
		}
		seen = sniff{size: size, mod: info.ModTime(), binary: isBinary(head), secret: holdsKey(base, head)}
	}
	w.sniffed[name] = seen
	switch {
	case seen.secret:
		w.skip(name, Secret, size)
		return
	case seen.binary:
		w.skip(name, Binary, size)
		return
	}
	w.total += size
	w.files = append(w.files, Entry{Path: name, Size: size, Mode: info.Mode(), ModTime: info.ModTime()})
}

// readHead reads what tells whether a file is text.
func readHead(dir *os.Root, name string) ([]byte, error) {
	f, info, err := openRegular(dir, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head := make([]byte, min(info.Size(), sniffSize))
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return head[:n], nil
}
