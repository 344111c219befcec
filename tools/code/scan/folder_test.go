package scan

import (
	"context"
	"errors"
	"fmt"
	"go/build"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// put writes files below a folder; a name with a slash at the end is a folder.
func put(t testing.TB, root string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		full := filepath.Join(root, name)
		dir := filepath.Dir(full)
		if strings.HasSuffix(name, "/") {
			dir = full
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if dir == full {
			continue
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// open opens a folder until the end of the test.
func open(t testing.TB, root string, limits Limits) *folder {
	t.Helper()
	tree, err := Folder(t.Context(), root, limits)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := tree.Close(); err != nil {
			t.Error(err)
		}
	})
	return tree.(*folder)
}

// listed gives the paths of a tree, and what was left out as "path reason".
func listed(t testing.TB, tree Tree) (paths, out []string) {
	t.Helper()
	files, skipped, err := tree.Files(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range files {
		paths = append(paths, e.Path)
	}
	for _, s := range skipped {
		out = append(out, s.Path+" "+s.Reason)
	}
	return paths, out
}

func TestFiles(t *testing.T) {
	root, elsewhere := t.TempDir(), t.TempDir()
	put(t, elsewhere, map[string]string{"passwords.txt": "none of yours"})
	put(t, root, map[string]string{
		"main.go": "package main\n", "sub/a.py": "x = 1\n", "empty.txt": "",
		".gitignore": "*.log\n/out/\n!keep.log\n", "x.log": "x", "keep.log": "kept", "out/a.go": "package out\n",
		"sub/.gitignore": "local.txt\n", "sub/local.txt": "x", "local.txt": "kept: the rule is for sub",
		".catenaignore": "generated/\n", "generated/g.go": "package g\n",
		"node_modules/m/index.js": "x", "vendor/v/v.go": "package v\n",
		"nul.dat": "a\x00b", "pic.png": "\x89PNG", "latin1.c": "// caf\xe9\nint x;\n", "utf16.txt": "\xff\xfea\x00b\x00", "noise.dat": strings.Repeat("\xfe\xc1\x80", 100),
		"big.txt": strings.Repeat("x", 2000), ".env": "PASSWORD=x", ".env.example": "PASSWORD=", "id_rsa": "x", "tls/server.pem": "-----BEGIN PRIVATE KEY-----\nx", "tls/ca.pem": "-----BEGIN CERTIFICATE-----\nx",
		"odd \xff name.go": "package odd\n", "ünï.go": "package u\n",
	})
	for link, to := range map[string]string{"inside": "main.go", "outside": filepath.Join(elsewhere, "passwords.txt"), "dir": elsewhere, "loop": "."} {
		if err := os.Symlink(to, filepath.Join(root, link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(root, "closed"), 0); err != nil {
		t.Fatal(err)
	}
	tree := open(t, root, Limits{FileSize: 1000})
	want := []string{".catenaignore", ".env.example", ".gitignore", "empty.txt", "keep.log", "latin1.c", "local.txt", "main.go", "odd \xff name.go",
		"sub/.gitignore", "sub/a.py", "tls/ca.pem", "utf16.txt", "vendor/v/v.go", "ünï.go"}
	wantOut := []string{".env secret", "big.txt too_large", "dir symlink", "generated ignored", "id_rsa secret", "inside symlink", "loop symlink",
		"node_modules ignored", "noise.dat binary", "nul.dat binary", "out ignored", "outside symlink", "pic.png binary", "sub/local.txt ignored", "tls/server.pem secret", "x.log ignored"}
	if os.Getuid() != 0 { // nothing is closed to root
		wantOut = append(wantOut, "closed unreadable")
		slices.Sort(wantOut)
	}
	for range 2 { // the second listing remembers the first
		paths, out := listed(t, tree)
		if d := cmp.Diff(want, paths); d != "" {
			t.Error("files (-want +got):", d)
		}
		if d := cmp.Diff(wantOut, out); d != "" {
			t.Error("left out (-want +got):", d)
		}
	}
}

func TestLimits(t *testing.T) {
	root := t.TempDir()
	for d := range 5 {
		for f := range 10 {
			put(t, root, map[string]string{fmt.Sprintf("d%d/f%d.go", d, f): "package d\n"})
		}
	}
	paths, out := listed(t, open(t, root, Limits{Files: 25}))
	if len(paths) != 25 || !slices.Contains(out, "d2/f5.go too_many") || !slices.Contains(out, "d4 too_many") {
		t.Errorf("%d files, left out: %v", len(paths), out)
	}
	paths, _ = listed(t, open(t, root, Limits{Total: 100}))
	if len(paths) != 10 {
		t.Errorf("100 bytes hold 10 files, not %d", len(paths))
	}
}

func TestRead(t *testing.T) {
	root, elsewhere := t.TempDir(), t.TempDir()
	put(t, elsewhere, map[string]string{"secret.txt": "x"})
	put(t, root, map[string]string{"a.go": "package a\n", "dir/": "", "big": strings.Repeat("x", 100), "full": strings.Repeat("x", 50), "bin": "\x00"})
	for link, to := range map[string]string{"out": elsewhere, "in": "a.go", "up": ".."} {
		if err := os.Symlink(to, filepath.Join(root, link)); err != nil {
			t.Fatal(err)
		}
	}
	tree := open(t, root, Limits{FileSize: 50})
	for _, c := range []struct {
		path string
		want error
	}{
		{"a.go", nil}, {"full", nil}, {"big", ErrTooLarge}, {"bin", ErrBinary}, {"gone", fs.ErrNotExist}, {"dir", fs.ErrNotExist}, {"in", fs.ErrNotExist},
		{"../" + filepath.Base(elsewhere) + "/secret.txt", ErrOutside}, {filepath.Join(elsewhere, "secret.txt"), ErrOutside}, {"", ErrOutside},
		{"a/../../x", ErrOutside}, {strings.Repeat("x/", 3000), ErrOutside},
	} {
		if _, err := tree.Read(t.Context(), c.path); !errors.Is(err, c.want) {
			t.Errorf("%q: %v, want %v", c.path, err, c.want)
		}
	}
	for _, path := range []string{"out/secret.txt", "up/x"} {
		if src, err := tree.Read(t.Context(), path); err == nil {
			t.Errorf("%q led out of the tree: %q", path, src)
		}
	}
}

// TestSwaps puts symlinks in the place of folders while the tree is listed and read: nothing from outside may ever come.
func TestSwaps(t *testing.T) {
	root, elsewhere := t.TempDir(), t.TempDir()
	put(t, elsewhere, map[string]string{"f.txt": "OUTSIDE"})
	put(t, root, map[string]string{"real/f.txt": "inside"})
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		place := filepath.Join(root, "d")
		for {
			select {
			case <-stop:
				return
			default:
			}
			_ = os.Remove(place)
			_ = os.Symlink(elsewhere, place)
			_ = os.Remove(place)
			_ = os.Rename(filepath.Join(root, "real"), place)
			_ = os.Rename(place, filepath.Join(root, "real"))
		}
	}()
	tree := open(t, root, Limits{})
	for range 300 {
		files, _, err := tree.Files(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range append(files, Entry{Path: "d/f.txt"}) {
			if src, err := tree.Read(t.Context(), e.Path); err == nil && string(src) != "inside" {
				t.Fatalf("%s came from outside: %q", e.Path, src)
			}
		}
	}
	close(stop)
	<-done
}

func TestFolderIn(t *testing.T) {
	base, elsewhere := t.TempDir(), t.TempDir()
	put(t, base, map[string]string{"repo/a.go": "package a\n"})
	if err := os.Symlink(elsewhere, filepath.Join(base, "link")); err != nil {
		t.Fatal(err)
	}
	tree, err := FolderIn(t.Context(), base, "repo", Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	if paths, _ := listed(t, tree); len(paths) != 1 {
		t.Error(paths)
	}
	for _, rel := range []string{"link", "..", "/", "none"} {
		if tree, err := FolderIn(t.Context(), base, rel, Limits{}); err == nil {
			t.Errorf("%q was opened", rel)
			tree.Close()
		}
	}
}

func TestFolderVanishes(t *testing.T) {
	root := filepath.Join(t.TempDir(), "repo")
	put(t, root, map[string]string{"a.go": "package a\n"})
	tree := open(t, root, Limits{})
	listed(t, tree)
	if err := os.RemoveAll(root); err != nil {
		t.Fatal(err)
	}
	if _, _, err := tree.Files(t.Context()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder that is gone: %v", err)
	}
	if _, err := Folder(t.Context(), root, Limits{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder that is not there: %v", err)
	}
	put(t, root, map[string]string{"b.go": "package b\n"})
	if paths, _ := listed(t, tree); !slices.Equal(paths, []string{"b.go"}) {
		t.Errorf("a folder that came back: %v", paths)
	}
}

func TestIsSecret(t *testing.T) {
	for name, want := range map[string]bool{".env": true, ".env.local": true, ".env.example": false, "prod.env": true, "id_ed25519": true, "id_ed25519.pub": false,
		"server.KEY": true, "keys.go": false, "environment.ts": false, "terraform.tfstate": true, "a/b/.npmrc": true, "secrets.txt": true, "secrets.go": false, "credentials": true, "a/.netrc": true} {
		if got := isSecret(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func ExampleFolder() {
	dir, _ := os.MkdirTemp("", "scan")
	defer os.RemoveAll(dir)
	_ = os.WriteFile(filepath.Join(dir, "main.go"), []byte("package main\n"), 0o644)
	_ = os.WriteFile(filepath.Join(dir, ".env"), []byte("PASSWORD=x\n"), 0o644)
	tree, err := Folder(context.Background(), dir, Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer tree.Close()
	files, skipped, _ := tree.Files(context.Background())
	for _, f := range files {
		fmt.Println(f.Path, f.Size)
	}
	for _, s := range skipped {
		fmt.Println(s.Path, s.Reason)
	}
	// Output:
	// main.go 13
	// .env secret
}

// BenchmarkFiles lists the Go distribution's own source: about 11,000 files.
func BenchmarkFiles(b *testing.B) {
	tree := open(b, filepath.Join(build.Default.GOROOT, "src"), Limits{})
	for _, again := range []bool{false, true} {
		b.Run(fmt.Sprintf("again=%v", again), func(b *testing.B) {
			for b.Loop() {
				if !again {
					clear(tree.sniffed)
				}
				files, _, err := tree.Files(b.Context())
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(len(files)), "files")
			}
		})
	}
}
