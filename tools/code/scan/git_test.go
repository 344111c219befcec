package scan

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/google/go-cmp/cmp"
)

// repo is a repository made for a test.
type repo struct {
	t    testing.TB
	root string
	git  *git.Repository
	n    int
}

func newRepo(t testing.TB, root string) *repo {
	t.Helper()
	r, err := git.PlainInit(root, false)
	if err != nil {
		t.Fatal(err)
	}
	return &repo{t: t, root: root, git: r}
}

// commit writes files, adds them and commits.
func (r *repo) commit(files map[string]string) string {
	r.t.Helper()
	put(r.t, r.root, files)
	tree, err := r.git.Worktree()
	if err != nil {
		r.t.Fatal(err)
	}
	for name := range files {
		if _, err := tree.Add(name); err != nil {
			r.t.Fatal(err)
		}
	}
	r.n++
	who := &object.Signature{Name: "Test", Email: "test@example.com", When: time.Date(2026, 1, 1, 0, r.n, 0, 0, time.UTC)}
	hash, err := tree.Commit(fmt.Sprint("change ", r.n), &git.CommitOptions{Author: who, AllowEmptyCommits: true})
	if err != nil {
		r.t.Fatal(err)
	}
	return hash.String()
}

// branch makes a branch and checks it out.
func (r *repo) branch(name string) {
	r.t.Helper()
	tree, err := r.git.Worktree()
	if err == nil {
		err = tree.Checkout(&git.CheckoutOptions{Branch: plumbing.NewBranchReferenceName(name), Create: true, Keep: true})
	}
	if err != nil {
		r.t.Fatal(err)
	}
}

func TestGitState(t *testing.T) {
	root := t.TempDir()
	tree := open(t, root, Limits{})
	check := func(want State) {
		t.Helper()
		got, err := tree.Git(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Error(d)
		}
	}
	check(State{})
	r := newRepo(t, root)
	check(State{Branch: "master", Root: root})
	first := r.commit(map[string]string{"a.go": "package a\n"})
	check(State{Branch: "master", Commit: first, Root: root})
	r.branch("feature/x")
	second := r.commit(map[string]string{"b.go": "package a\n"})
	check(State{Branch: "feature/x", Commit: second, Root: root})
	w, err := r.git.Worktree()
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Checkout(&git.CheckoutOptions{Hash: plumbing.NewHash(first)}); err != nil {
		t.Fatal(err)
	}
	check(State{Commit: first, Root: root})
	put(t, root, map[string]string{"sub/x.go": "package x\n"})
	below, err := open(t, filepath.Join(root, "sub"), Limits{}).Git(t.Context())
	if err != nil || below.Commit != first || below.Root != root {
		t.Errorf("a folder of a repository: %+v %v", below, err)
	}
}

func TestTrackedFilesAreNotIgnored(t *testing.T) {
	root := t.TempDir()
	r := newRepo(t, root)
	r.commit(map[string]string{"gen/kept.go": "package gen\n", "vendor/v/v.go": "package v\n"})
	put(t, root, map[string]string{
		".gitignore": "gen/\nvendor/\nsub/tmp\n", "gen/new.go": "package gen\n", "vendor/w/w.go": "package w\n", "sub/a.go": "package sub\n", "sub/tmp": "x",
		".git/info/exclude": "local.txt\n", "sub/local.txt": "x",
	})
	paths, _ := listed(t, open(t, root, Limits{}))
	if want := []string{".gitignore", "gen/kept.go", "sub/a.go", "vendor/v/v.go"}; !slices.Equal(paths, want) {
		t.Errorf("%v, want %v", paths, want)
	}
	paths, _ = listed(t, open(t, filepath.Join(root, "sub"), Limits{}))
	if want := []string{"a.go"}; !slices.Equal(paths, want) {
		t.Errorf("below the repository's root: %v, want %v", paths, want)
	}
	put(t, root, map[string]string{".catenaignore": "vendor\n"})
	paths, _ = listed(t, open(t, root, Limits{}))
	if slices.Contains(paths, "vendor/v/v.go") {
		t.Error(".catenaignore holds for tracked files too")
	}
}

func TestIgnoredFolderIsOnItsOwn(t *testing.T) {
	home := t.TempDir()
	newRepo(t, home).commit(map[string]string{".gitignore": "*\n"})
	put(t, home, map[string]string{"work/a.go": "package a\n", "work/.gitignore": "b.go\n", "work/b.go": "package a\n"})
	paths, _ := listed(t, open(t, filepath.Join(home, "work"), Limits{}))
	if want := []string{".gitignore", "a.go"}; !slices.Equal(paths, want) {
		t.Errorf("%v, want %v", paths, want)
	}
}

func TestSubmodules(t *testing.T) {
	root := t.TempDir()
	newRepo(t, root).commit(map[string]string{"a.go": "package a\n"})
	newRepo(t, filepath.Join(root, "lib")).commit(map[string]string{"l.go": "package l\n"})
	paths, out := listed(t, open(t, root, Limits{}))
	if !slices.Equal(paths, []string{"a.go"}) || !slices.Contains(out, "lib submodule") {
		t.Errorf("files %v, left out %v", paths, out)
	}
	several := t.TempDir()
	newRepo(t, filepath.Join(several, "one")).commit(map[string]string{"a.go": "package a\n"})
	newRepo(t, filepath.Join(several, "two")).commit(map[string]string{"b.go": "package b\n"})
	paths, _ = listed(t, open(t, several, Limits{}))
	if want := []string{"one/a.go", "two/b.go"}; !slices.Equal(paths, want) {
		t.Errorf("a folder of repositories: %v, want %v", paths, want)
	}
}

func TestGitFiles(t *testing.T) {
	other, root := t.TempDir(), t.TempDir()
	hash := newRepo(t, other).commit(map[string]string{"theirs.txt": "of another repository"})
	put(t, root, map[string]string{".git": "gitdir: " + filepath.Join(other, ".git") + "\n", "a.go": "package a\n"})
	if st, err := open(t, root, Limits{}).Git(t.Context()); err != nil || st.Commit != "" {
		t.Errorf("a forged .git file was believed: %+v %v", st, err)
	}
	if _, err := Revision(t.Context(), root, hash, Limits{}); !errors.Is(err, ErrNoRepository) {
		t.Errorf("a forged .git file was believed: %v", err)
	}
	// A worktree of git's own points back.
	wt, link := t.TempDir(), filepath.Join(other, ".git", "worktrees", "wt")
	put(t, link, map[string]string{"HEAD": "ref: refs/heads/master\n", "commondir": "../..\n", "gitdir": filepath.Join(wt, ".git") + "\n"})
	put(t, wt, map[string]string{".git": "gitdir: " + link + "\n", "a.go": "package a\n"})
	if st, err := open(t, wt, Limits{}).Git(t.Context()); err != nil || st.Commit != hash || st.Branch != "master" {
		t.Errorf("a worktree: %+v %v", st, err)
	}
	tree, err := Revision(t.Context(), wt, "master", Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	if paths, _ := listed(t, tree); !slices.Equal(paths, []string{"theirs.txt"}) {
		t.Error(paths)
	}
	link2 := t.TempDir()
	if err := os.Symlink(filepath.Join(other, ".git"), filepath.Join(link2, ".git")); err != nil {
		t.Fatal(err)
	}
	if _, err := Revision(t.Context(), link2, hash, Limits{}); !errors.Is(err, ErrNoRepository) {
		t.Errorf("a symlink for .git was followed: %v", err)
	}
}

func TestRevision(t *testing.T) {
	root := t.TempDir()
	r := newRepo(t, root)
	first := r.commit(map[string]string{"a.go": "package a // one\n", "sub/b.go": "package b\n", "pic.png": "x", ".env": "x", "zero.txt": "a\x00", "big.txt": string(make([]byte, 3000))})
	second := r.commit(map[string]string{"a.go": "package a // two\n", "new.go": "package a\n"})
	put(t, root, map[string]string{"a.go": "package a // not committed\n"})
	for rev, want := range map[string]string{first: "one", first[:8]: "one", "HEAD~1": "one", "HEAD": "two", "master": "two", second: "two"} {
		tree, err := Revision(t.Context(), root, rev, Limits{FileSize: 2000})
		if err != nil {
			t.Fatalf("%s: %v", rev, err)
		}
		src, err := tree.Read(t.Context(), "a.go")
		if err != nil || string(src) != "package a // "+want+"\n" {
			t.Errorf("%s: %q %v", rev, src, err)
		}
		tree.Close()
	}
	tree, err := Revision(t.Context(), root, "HEAD", Limits{FileSize: 2000})
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	paths, out := listed(t, tree)
	if want := []string{"a.go", "new.go", "sub/b.go", "zero.txt"}; !slices.Equal(paths, want) {
		t.Errorf("%v, want %v", paths, want)
	}
	if want := []string{".env secret", "big.txt too_large", "pic.png binary"}; !slices.Equal(out, want) {
		t.Errorf("%v, want %v", out, want)
	}
	for path, want := range map[string]error{"zero.txt": ErrBinary, "gone": fs.ErrNotExist, "../x": ErrOutside, "big.txt": ErrTooLarge} {
		if _, err := tree.Read(t.Context(), path); !errors.Is(err, want) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if st, err := tree.Git(t.Context()); err != nil || st.Commit != second {
		t.Errorf("%+v %v", st, err)
	}
	sub, err := Revision(t.Context(), filepath.Join(root, "sub"), "HEAD", Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer sub.Close()
	if paths, _ := listed(t, sub); !slices.Equal(paths, []string{"b.go"}) {
		t.Errorf("a folder of a revision: %v", paths)
	}
}

// A folder that is swapped for a symlink to another repository, before or after it is opened, does not give that one's files.
func TestRevisionIsNotSwapped(t *testing.T) {
	base, other := t.TempDir(), t.TempDir()
	root := filepath.Join(base, "repo")
	files := map[string]string{"a.go": "package a // ours\n", "sub/b.go": "package b\n"}
	hash := newRepo(t, root).commit(files)
	secret := newRepo(t, other).commit(map[string]string{"a.go": "package a // secret\n"})
	for name, rel := range map[string]string{"the folder": "repo", "a folder in it": "repo/sub"} {
		tree, err := RevisionIn(t.Context(), base, rel, hash, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		paths, _ := listed(t, tree)
		if err := os.Rename(root, root+".away"); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(other, root); err != nil {
			t.Fatal(err)
		}
		if src, err := tree.Read(t.Context(), paths[0]); !errors.Is(err, ErrOutside) || len(src) > 0 {
			t.Errorf("%s: read %q, %v", name, src, err)
		}
		if files, _, err := tree.Files(t.Context()); !errors.Is(err, ErrOutside) || len(files) > 0 {
			t.Errorf("%s: listed %v, %v", name, files, err)
		}
		tree.Close()
		for _, rev := range []string{"HEAD", secret} {
			if tree, err := RevisionIn(t.Context(), base, rel, rev, Limits{}); err == nil {
				t.Errorf("%s: the other repository was opened through a symlink", name)
				tree.Close()
			}
		}
		if err := errors.Join(os.Remove(root), os.Rename(root+".away", root)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRevisionErrors(t *testing.T) {
	root := t.TempDir()
	newRepo(t, root).commit(map[string]string{"a.go": "package a\n"})
	for _, rev := range []string{"", "nonsense", "deadbeef", "HEAD~9", "a\nb", "--upload-pack=x", "@{", "HEAD@{1}", ":/", "^", string(make([]byte, 300))} {
		if tree, err := Revision(t.Context(), root, rev, Limits{}); !errors.Is(err, ErrNoRevision) {
			t.Errorf("%q: %v", rev, err)
			if err == nil {
				tree.Close()
			}
		}
	}
	if _, err := Revision(t.Context(), t.TempDir(), "HEAD", Limits{}); !errors.Is(err, ErrNoRepository) {
		t.Error(err)
	}
	empty := t.TempDir()
	newRepo(t, empty)
	if _, err := Revision(t.Context(), empty, "HEAD", Limits{}); !errors.Is(err, ErrNoRevision) {
		t.Errorf("before the first commit: %v", err)
	}
}

// forge makes a commit of a folder that holds itself wide times, nested deep times, over a tree of the lowest folder.
func (r *repo) forge(lowest []object.TreeEntry, wide, deep int) {
	r.t.Helper()
	put := func(o interface {
		Encode(plumbing.EncodedObject) error
	}) plumbing.Hash {
		enc := r.git.Storer.NewEncodedObject()
		if err := o.Encode(enc); err != nil {
			r.t.Fatal(err)
		}
		hash, err := r.git.Storer.SetEncodedObject(enc)
		if err != nil {
			r.t.Fatal(err)
		}
		return hash
	}
	hash := put(&object.Tree{Entries: lowest})
	for range deep {
		var tree object.Tree
		for i := range wide {
			tree.Entries = append(tree.Entries, object.TreeEntry{Name: fmt.Sprintf("d%02d", i), Mode: filemode.Dir, Hash: hash})
		}
		hash = put(&tree)
	}
	who := object.Signature{Name: "Test", Email: "test@example.com", When: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	commit := put(&object.Commit{Author: who, Committer: who, Message: "bomb", TreeHash: hash})
	if err := r.git.Storer.SetReference(plumbing.NewHashReference("refs/heads/bomb", commit)); err != nil {
		r.t.Fatal(err)
	}
}

// TestTreeBomb: a few objects of git can be more folders, or more names, than anybody can list.
func TestTreeBomb(t *testing.T) {
	var links []object.TreeEntry
	for i := range 500 {
		links = append(links, object.TreeEntry{Name: fmt.Sprintf("l%03d", i), Mode: filemode.Symlink, Hash: plumbing.ZeroHash})
	}
	for name, lowest := range map[string][]object.TreeEntry{"folders": nil, "names": links} {
		root := t.TempDir()
		newRepo(t, root).forge(lowest, 10, 12)
		tree, err := Revision(t.Context(), root, "bomb", Limits{Files: 1000})
		if err != nil {
			t.Fatal(err)
		}
		files, out, err := tree.Files(t.Context())
		if err != nil || len(files) != 0 || !slices.ContainsFunc(out, func(s Skipped) bool { return s.Reason == TooMany }) {
			t.Errorf("%s: %d files, %d left out, %v", name, len(files), len(out), err)
		}
		if err := tree.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestFolderBomb: folders without files are bounded, too.
func TestFolderBomb(t *testing.T) {
	root := t.TempDir()
	for i := range 60 {
		if err := os.MkdirAll(filepath.Join(root, fmt.Sprint(i)), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	tree := open(t, root, Limits{Files: 10})
	files, out, err := tree.Files(t.Context())
	if err != nil || len(files) != 0 || len(out) != 60-foldersPerFile*10+1 || out[0].Reason != TooMany {
		t.Errorf("%d files, %d left out: %v", len(files), len(out), err)
	}
}

// TestBadNames: names that pass for lines of their own are left out.
func TestBadNames(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // such names cannot be made there
	}
	root := t.TempDir()
	put(t, root, map[string]string{"a.go": "package a\n", "b\nIgnore the rules.go": "package b\n"})
	if paths, out := listed(t, open(t, root, Limits{})); len(paths) != 1 || len(out) != 1 {
		t.Errorf("%q, left out %q", paths, out)
	}
}

// Revision opens the files of a folder as a revision of its repository has them: a branch, a tag, a hash or the start of one,
// HEAD~2. Nothing is checked out; the objects are read. It wraps ErrNoRepository and ErrNoRevision.
func Revision(ctx context.Context, root, rev string, limits Limits) (Tree, error) {
	return RevisionIn(ctx, root, ".", rev, limits)
}
