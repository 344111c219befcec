package scan

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// RevisionIn opens the files of the folder at rel below base as a revision of its repository has them: a branch, a tag, a hash or the start of one,
// HEAD~2. Nothing is checked out; the objects are read. It wraps ErrNoRepository and ErrNoRevision. Symlinks on the way from base to
// it may not lead out of base. When another folder is put in the place of this one, or of git's, reading fails with ErrOutside from
// then on.
func RevisionIn(ctx context.Context, base, rel, rev string, limits Limits) (Tree, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	const longest = 256
	if rev == "" || len(rev) > longest || strings.ContainsFunc(rev, func(r rune) bool { return r < ' ' }) {
		return nil, fmt.Errorf("%w: its name must have 1 to %d characters and no control characters", ErrNoRevision, longest)
	}
	for _, sign := range []string{":", "..", "@{"} { // go-git takes the present place of a branch for a former one
		if strings.Contains(rev, sign) {
			return nil, fmt.Errorf("%w: %q is a path, a range or a former place; write a branch, a tag, a commit or HEAD~2", ErrNoRevision, rev)
		}
	}
	base, err := filepath.Abs(base)
	if err != nil {
		return nil, fmt.Errorf("opening the repository: %w", err)
	}
	root := filepath.Join(base, rel)
	where, err := findRepository(root)
	if err != nil {
		return nil, err
	}
	held, err := pin(base, rel, where)
	if err != nil {
		return nil, err
	}
	if limits = limits.filled(); limits.private(root) {
		return nil, fmt.Errorf("%q: %w", root, ErrPrivate)
	}
	store := where.storage()
	store.ctx = ctx
	r := &revision{where: where, base: base, rel: rel, held: held, store: store, limits: limits}
	if err := errors.Join(r.resolve(root, rev), held.check()); err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return r, nil
}

// revision is a Tree over git's objects. go-git's storage is not safe for concurrent use, so reads take turns.
type revision struct {
	where  repository
	base   string // as RevisionIn has them
	rel    string
	held   *pinned
	store  *gitStore
	limits Limits
	commit string

	mu    sync.Mutex
	tree  *object.Tree
	blobs map[string]plumbing.Hash // by path; set by Files
}

// resolve finds the commit and the tree of the folder in it.
func (r *revision) resolve(root, rev string) error {
	repo, err := git.Open(r.store, nil)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNoRepository, err)
	}
	hash, err := repo.ResolveRevision(plumbing.Revision(rev))
	if err != nil {
		return fmt.Errorf("%q: %w: %w", rev, ErrNoRevision, err)
	}
	commit, err := repo.CommitObject(*hash)
	if err != nil {
		return fmt.Errorf("%q: %w: %w", rev, ErrNoRevision, err)
	}
	if r.tree, err = commit.Tree(); err != nil {
		return fmt.Errorf("reading the commit %s: %w", hash, err)
	}
	r.commit = hash.String()
	rel, err := filepath.Rel(r.where.root, root)
	if err != nil || rel == "." {
		return err
	}
	if r.tree, err = r.tree.Tree(filepath.ToSlash(rel)); err != nil {
		return fmt.Errorf("%q does not have the folder %s: %w: %w", rev, rel, fs.ErrNotExist, err)
	}
	return nil
}

// Files lists the revision. Whether a file is binary shows only when it is read: Read then wraps ErrBinary.
func (r *revision) Files(ctx context.Context) ([]Entry, []Skipped, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.store.ctx = ctx
	l := &listing{revision: r, ctx: ctx, blobs: map[string]plumbing.Hash{}, private: Find(r.limits.Private)}
	git, own := l.outer()
	var err error
	if l.left(git, own) {
		l.skip(".", Ignored, 0)
	} else {
		err = l.list(r.tree, "", 0, layers{git: git, own: own})
	}
	if err := errors.Join(err, r.held.check()); err != nil {
		return nil, nil, err
	}
	r.blobs = l.blobs
	slices.SortFunc(l.files, func(a, b Entry) int { return strings.Compare(a.Path, b.Path) })
	slices.SortFunc(l.skipped, func(a, b Skipped) int { return strings.Compare(a.Path, b.Path) })
	return l.files, l.skipped, nil
}

// listing is one walk over the trees of a revision.
type listing struct {
	*revision
	ctx     context.Context
	blobs   map[string]plumbing.Hash
	files   []Entry
	skipped []Skipped
	total   int64
	folders int
	names   int // of everything that was looked at
	full    bool
	private Private
	tracked tracked // what git tracks now
}

// layers are the rules that hold in a folder. git's are those of the files as they lie there now: what they hide now is hidden in a former
// revision too, such as a file of secrets that was committed once.
type layers struct{ git, own []*ruleSet }

// path is the folder that is listed.
func (r *revision) path() string { return filepath.Join(r.base, r.rel) }

// outer are the rules from outside of the folder, as a walk over the files has them.
func (l *listing) outer() (git, own []*ruleSet) {
	git, own = outerRules(l.base, l.rel)
	if l.where.root == "" {
		return nil, own
	}
	l.tracked.use(l.where, l.path())
	if !l.where.ignores(l.base) {
		git = l.where.rules(l.path())
	}
	return git, own
}

// left reports whether the rules leave out the folder itself.
func (l *listing) left(git, own []*ruleSet) bool {
	covers := (*ruleSet).covers
	return slices.ContainsFunc(own, covers) || slices.ContainsFunc(git, covers) && !l.tracked.has("")
}

// below adds the rules of a folder.
func (x layers) below(l *listing, tree *object.Tree, dir string) layers {
	for _, name := range ignoreFiles[1:] {
		if f, err := tree.File(name); err == nil {
			if text, err := f.Contents(); err == nil {
				x.own = append(slices.Clip(x.own), parseIgnore(dir, []byte(text)))
			}
		}
	}
	if src := readSmall(filepath.Join(l.path(), filepath.FromSlash(dir), ignoreFiles[0])); src != nil {
		x.git = append(slices.Clip(x.git), parseIgnore(dir, src))
	}
	for _, sets := range [][]*ruleSet{x.own, x.git} {
		if tooMany(sets) {
			sets[len(sets)-1].full = true
		}
	}
	return x
}

// ignores reports whether the rules leave out a name.
func (x layers) ignores(l *listing, name string, isDir bool) bool {
	if v := lastVerdict(x.own, name, isDir); v != silent {
		return v == ignored
	}
	return lastVerdict(x.git, name, isDir) == ignored && !l.tracked.has(name)
}

func (l *listing) skip(name, reason string, size int64) {
	if len(l.skipped) < maxSkipped {
		l.skipped = append(l.skipped, Skipped{Path: name, Reason: reason, Size: size})
	}
}

func (l *listing) list(tree *object.Tree, dir string, depth int, rules layers) error {
	if err := l.ctx.Err(); err != nil {
		return err
	}
	rules = rules.below(l, tree, dir)
	for _, e := range tree.Entries {
		if l.names++; l.names > namesPerFile*l.limits.Files {
			l.full = true
			l.skip(cmp.Or(dir, "."), TooMany, 0)
			return nil
		}
		if err := l.ctx.Err(); err != nil {
			return err
		}
		name := path.Join(dir, e.Name)
		isDir := e.Mode == filemode.Dir
		switch {
		case !filepath.IsLocal(filepath.FromSlash(name)): // only a forged tree has such names
			l.skip(name, Unreadable, 0)
		case isBadName(e.Name):
			l.skip(name, BadName, 0)
		case alwaysOut[e.Name] || rules.ignores(l, name, isDir):
			l.skip(name, Ignored, 0)
		case e.Mode == filemode.Submodule:
			l.skip(name, Submodule, 0)
		case e.Mode == filemode.Symlink:
			l.skip(name, Symlink, 0)
		case isDir && (isSecretFolder(e.Name) || l.private.has(l.absolute(name))):
			l.skip(name, Secret, 0)
		case isDir && (l.full || depth == maxDepth || len(name) > maxPath):
			l.skip(name, TooMany, 0)
		case isDir:
			if l.folders++; l.folders >= foldersPerFile*l.limits.Files {
				l.full = true
				l.skip(name, TooMany, 0)
				continue
			}
			below, err := object.GetTree(l.store, e.Hash)
			if err != nil {
				return fmt.Errorf("reading the folder %s: %w", name, err)
			}
			if err := l.list(below, name, depth+1, rules); err != nil {
				return err
			}
		default:
			l.file(name, e)
		}
	}
	return nil
}

func (l *listing) file(name string, e object.TreeEntry) {
	size, err := l.store.EncodedObjectSize(e.Hash)
	switch base := path.Base(name); {
	case err != nil: // a shallow or partial clone need not have it
		l.skip(name, Unreadable, 0)
	case isSecret(l.absolute(name)) || l.private.has(l.absolute(name)) || l.key(base, e.Hash):
		l.skip(name, Secret, size)
	case binaryNames[strings.ToLower(path.Ext(base))]:
		l.skip(name, Binary, size)
	case size > l.limits.FileSize:
		l.skip(name, TooLarge, size)
	case l.full || len(l.files) >= l.limits.Files || l.total+size > l.limits.Total:
		l.full = true
		l.skip(name, TooMany, size)
	default:
		mode, err := e.Mode.ToOSFileMode()
		if err != nil {
			l.skip(name, Unreadable, size)
			return
		}
		l.total += size
		l.blobs[name] = e.Hash
		l.files = append(l.files, Entry{Path: name, Size: size, Mode: mode, Hash: e.Hash.String()})
	}
}

// absolute is where a name of the revision lies among the files.
func (l *listing) absolute(name string) string {
	return filepath.Join(l.path(), filepath.FromSlash(name))
}

// key reports whether a file that may be a certificate holds a private key. One that cannot be read does.
func (l *listing) key(base string, hash plumbing.Hash) bool {
	if !certificateEnds[path.Ext(Original(base))] {
		return false
	}
	text, err := l.blob(hash, base)
	return err != nil || holdsKey(base, text)
}

// Read returns a file's bytes.
func (r *revision) Read(ctx context.Context, name string) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if name == "" || !filepath.IsLocal(filepath.FromSlash(name)) {
		return nil, fmt.Errorf("%q: %w", name, ErrOutside)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	hash, ok := r.blobs[name]
	if !ok {
		f, err := r.tree.File(name)
		if err != nil {
			return nil, fmt.Errorf("%q: %w: %w", name, fs.ErrNotExist, err)
		}
		hash = f.Hash
	}
	r.store.ctx = ctx
	src, err := withoutKey(name)(r.blob(hash, name))
	if e := r.held.check(); e != nil { // what was read is not given out then
		return nil, fmt.Errorf("%q: %w", name, e)
	}
	return src, err
}

func (r *revision) blob(hash plumbing.Hash, name string) (src []byte, err error) {
	if size, err := r.store.EncodedObjectSize(hash); err == nil && size > r.limits.FileSize {
		return nil, fmt.Errorf("%q: %w", name, ErrTooLarge)
	}
	blob, err := object.GetBlob(r.store, hash)
	if err != nil {
		return nil, fmt.Errorf("%q: %w: %w", name, fs.ErrNotExist, err)
	}
	rd, err := blob.Reader()
	if err != nil {
		return nil, fmt.Errorf("reading %q: %w", name, err)
	}
	defer func() { err = errors.Join(err, rd.Close()) }()
	src, err = readAtMost(io.LimitReader(rd, r.limits.FileSize+1), name, blob.Size, r.limits.FileSize)
	return src, err
}

// Git says which commit it is.
func (r *revision) Git(ctx context.Context) (State, error) {
	return State{Commit: r.commit, Root: r.where.root}, ctx.Err()
}

// Close gives the repository's files back.
func (r *revision) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.store.Close()
}
