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

// TestSecretNames: files of keys and passwords by their tools' conventions, in any folder and any case, and in former revisions.
func TestSecretNames(t *testing.T) {
	secret := strings.Fields(`.env .env.local .env.production .env-staging prod.env .envrc a/.ENV id_rsa id_rsa_work id_ed25519_sk deploy_rsa server.key a/b.P12 x.pfx x.p8 x.jks
		x.keystore x.kdbx .netrc _netrc .npmrc .pypirc .pgpass .git-credentials .htpasswd credentials aws/credentials .aws/config .aws/x .ssh/config .ssh/known
		.kube/config kubeconfig kubeconfig.yaml prod.kubeconfig .docker/config.json .gnupg/x .azure/x terraform.tfstate terraform.tfstate.backup prod.auto.tfvars
		secrets.yaml secrets.prod.yaml app.secrets.yml client_secret_1.json my-service-account-1.json firebase-adminsdk-x.json .vault_pass token.json x.keytab
		.cargo/credentials.toml .m2/settings.xml .config/gh/hosts.yml .boto .s3cfg .my.cnf catena.yaml catena.yml catena.prod.yaml catena-eu.yml mcp.key`)
	open := strings.Fields(`.env.example .env.sample .env.template id_rsa.pub id_ed25519.pub server.key.example environment.ts keys.go secret.go secrets.py credentials.go token.go
		client_secret.go config.yaml values.yaml settings.xml config.json catena.go auth.go kubeconfig.go README.md`)
	for want, names := range map[bool][]string{true: secret, false: open} {
		root := t.TempDir()
		r := newRepo(t, root)
		files := map[string]string{"main.go": "package main\n"}
		for _, name := range names {
			files[name] = "x: y\n"
			if isSecret(name) != want {
				t.Errorf("%s: secret %v", name, !want)
			}
		}
		hash := r.commit(files)
		rev, err := Revision(t.Context(), root, hash, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		defer rev.Close()
		for what, tree := range map[string]Tree{"files": openTree(t, root, Limits{}), "a revision": rev} {
			paths, _ := listed(t, tree)
			for _, name := range names {
				if slices.Contains(paths, name) == want {
					t.Errorf("%s: %s is listed: %v", what, name, want)
				}
			}
		}
	}
}

func openTree(t *testing.T, root string, limits Limits) Tree { return open(t, root, limits) }

// TestPrivate: files and folders that the program names are listed nowhere, under no other name, and are no tree.
func TestPrivate(t *testing.T) {
	root := t.TempDir()
	r := newRepo(t, root)
	hash := r.commit(map[string]string{"a.go": "package a\n", "app.yaml": "x: y\n", "data/store/x.txt": "x\n", "data/ok.txt": "x\n"})
	if err := os.Link(filepath.Join(root, "app.yaml"), filepath.Join(root, "same.txt")); err != nil {
		t.Fatal(err)
	}
	away := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(root, away); err != nil {
		t.Fatal(err)
	}
	limits := Limits{Private: []string{filepath.Join(away, "app.yaml"), filepath.Join(root, "data", "store"), filepath.Join(root, "none")}}
	rev, err := Revision(t.Context(), root, hash, limits)
	if err != nil {
		t.Fatal(err)
	}
	defer rev.Close()
	for what, tree := range map[string]Tree{"files": openTree(t, root, limits), "a revision": rev} {
		if paths, _ := listed(t, tree); !slices.Equal(paths, []string{"a.go", "data/ok.txt"}) {
			t.Errorf("%s: %v", what, paths)
		}
	}
	for _, rel := range []string{"data/store", "data/store/.."} {
		_, err := FolderIn(t.Context(), root, rel, limits)
		_, revErr := RevisionIn(t.Context(), root, rel, hash, limits)
		if want := rel == "data/store"; errors.Is(err, ErrPrivate) != want || errors.Is(revErr, ErrPrivate) != want {
			t.Errorf("%s: %v, %v", rel, err, revErr)
		}
	}
	if err := os.MkdirAll(filepath.Join(root, ".aws"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := FolderIn(t.Context(), root, ".aws", Limits{}); !errors.Is(err, ErrPrivate) {
		t.Error(err)
	}
}

// TestHiddenFoldersAreNoTrees: what the ignore files of a root hide is hidden also when it is named itself, and in a former revision.
func TestHiddenFoldersAreNoTrees(t *testing.T) {
	for name, git := range map[string]bool{"in git": true, "without git": false} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			put(t, root, map[string]string{"a.go": "package a\n", "out/x.go": "package x\n", "out/deep/y.go": "package y\n", "mine/z.go": "package z\n", "ok/b.go": "package b\n"})
			hash := ""
			if git {
				hash = newRepo(t, root).commit(map[string]string{"a.go": "package a\n", "ok/b.go": "package b\n"})
			}
			put(t, root, map[string]string{".gitignore": "/out/\n", ".catenaignore": "mine\n"})
			for rel, want := range map[string][]string{"out": nil, "out/deep": nil, "mine": nil, "ok": {"b.go"}} {
				tree, err := FolderIn(t.Context(), root, filepath.FromSlash(rel), Limits{})
				if err != nil {
					t.Fatal(err)
				}
				defer tree.Close()
				if paths, _ := listed(t, tree); !slices.Equal(paths, want) {
					t.Errorf("%s: %v", rel, paths)
				}
			}
			if !git {
				return
			}
			tree, err := RevisionIn(t.Context(), root, "ok", hash, Limits{})
			if err != nil {
				t.Fatal(err)
			}
			defer tree.Close()
			if paths, _ := listed(t, tree); !slices.Equal(paths, []string{"b.go"}) {
				t.Error(paths)
			}
		})
	}
}

// TestFormerSecrets: a file that was committed once, and that git ignores now, is in no revision.
func TestFormerSecrets(t *testing.T) {
	root := t.TempDir()
	r := newRepo(t, root)
	old := r.commit(map[string]string{"a.go": "package a\n", "local.yaml": "password: x\n", "conf/dev.txt": "x\n", "kept.log": "x\n"})
	if err := errors.Join(os.Remove(filepath.Join(root, "local.yaml")), os.RemoveAll(filepath.Join(root, "conf"))); err != nil {
		t.Fatal(err)
	}
	tree, err := r.git.Worktree()
	if err == nil {
		_, err = tree.Add("local.yaml")
	}
	if err == nil {
		_, err = tree.Add("conf/dev.txt")
	}
	if err != nil {
		t.Fatal(err)
	}
	r.commit(map[string]string{".gitignore": "local.yaml\nconf/\n*.log\n"})
	rev, err := Revision(t.Context(), root, old, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer rev.Close()
	if paths, _ := listed(t, rev); !slices.Equal(paths, []string{"a.go", "kept.log"}) {
		t.Error(paths)
	}
}
