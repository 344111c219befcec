package scan

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/klauspost/compress/zlib"
)

// lookAt lists a repository as its files lie there and at HEAD, and reads what is listed. It returns how many bytes were allocated.
func lookAt(t *testing.T, root string) (allocated uint64, errs error) {
	t.Helper()
	ctx, end := context.WithTimeout(t.Context(), 20*time.Second)
	defer end()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	done := make(chan error, 1)
	go func() {
		files, err := Folder(ctx, root, Limits{})
		if err != nil {
			done <- err
			return
		}
		rev, err := RevisionIn(ctx, root, ".", "HEAD", Limits{})
		errs := []error{err}
		for _, tree := range []Tree{files, rev} {
			if tree == nil {
				continue
			}
			list, _, err := tree.Files(ctx)
			errs = append(errs, err)
			for _, e := range list {
				_, err := tree.Read(ctx, e.Path)
				errs = append(errs, err)
			}
			_, err = tree.Git(ctx)
			errs = append(errs, err, tree.Close())
		}
		done <- errors.Join(errs...)
	}()
	select {
	case errs = <-done:
	case <-time.After(30 * time.Second):
		t.Fatal("it does not end")
	}
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, errs
}

// newHostile is a repository of one file that git ignores and one that it does not, whose file of that name in .git is another.
func newHostile(t *testing.T, name string, src []byte) string {
	t.Helper()
	root := t.TempDir()
	newRepo(t, root).commit(map[string]string{"a.go": "package a\n", ".gitignore": "*.log\n", "x.log": "x\n"})
	file := filepath.Join(root, ".git", filepath.FromSlash(name))
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.RemoveAll(file), os.WriteFile(file, src, 0o600)); err != nil {
		t.Fatal(err)
	}
	return root
}

// wide is git's index of version 4 whose names say that they begin with all of the name before.
func wide(names int, first string) []byte {
	var b bytes.Buffer
	b.WriteString("DIRC")
	b.Write(binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, 4), uint32(names)))
	for i := range names {
		b.Write(make([]byte, 60))
		b.WriteString("\x0f\xff\x00")
		if i == 0 {
			b.WriteString(first)
		}
		b.WriteString("b\x00")
	}
	b.Write(make([]byte, 20))
	return b.Bytes()
}

// TestHostileIndex: git's index takes no more memory than its bytes say.
func TestHostileIndex(t *testing.T) {
	for what, src := range map[string][]byte{
		"names that grow": wide(3000, strings.Repeat("a", 1<<20)), "names of short steps": wide(1<<16, strings.Repeat("a", 4000)),
		"folders": wide(1, strings.Repeat("a/", 100<<10)), "more entries than bytes": append([]byte("DIRC\x00\x00\x00\x02\xff\xff\xff\xff"), make([]byte, 100)...),
	} {
		allocated, err := lookAt(t, newHostile(t, "index", src))
		if most := uint64(64 << 20); allocated > most || err != nil {
			t.Errorf("%s: %d bytes, %v", what, allocated, err)
		}
	}
}

// squeezed packs a text as git's loose objects are.
func squeezed(t *testing.T, parts ...io.Reader) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	if _, err := io.Copy(z, io.MultiReader(parts...)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// TestHostileObjects: an object of git that unfolds to much more than it says, or says too much, is not read.
func TestHostileObjects(t *testing.T) {
	root := newHostile(t, "description", nil)
	head, err := Revision(t.Context(), root, "HEAD", Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := head.Files(t.Context()); err != nil {
		t.Fatal(err)
	}
	r := head.(*revision)
	hashes := map[string]plumbing.Hash{"commit": plumbing.NewHash(r.commit), "tree": r.tree.Hash, "blob": r.blobs["a.go"]}
	if err := head.Close(); err != nil {
		t.Fatal(err)
	}
	for kind, hash := range hashes {
		for _, says := range []int64{10, 60 << 20} {
			file := filepath.Join(root, ".git", filepath.FromSlash(loosePath(hash)))
			was, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			bomb := squeezed(t, strings.NewReader(fmt.Sprintf("%s %d\x00", kind, says)), io.LimitReader(zeros{}, 200<<20))
			if err := errors.Join(os.Chmod(file, 0o600), os.WriteFile(file, bomb, 0o600)); err != nil {
				t.Fatal(err)
			}
			allocated, err := lookAt(t, root)
			if most := uint64(512 << 20); allocated > most || err == nil && says < 1<<20 {
				t.Errorf("a %s that says %d: %d MiB, %v", kind, says, allocated>>20, err)
			}
			if err := os.WriteFile(file, was, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// newPacked is a repository whose objects are in a pack, texts as differences.
func newPacked(t *testing.T, byHash bool) string {
	t.Helper()
	root := t.TempDir()
	r := newRepo(t, root)
	text := strings.Repeat("func f() int { return 1 }\n", 400)
	for i := range 12 {
		text += fmt.Sprintf("// change %d\n", i)
		r.commit(map[string]string{"a.go": text, fmt.Sprintf("b%d.go", i): "package b" + text})
	}
	if err := r.git.RepackObjects(&git.RepackConfig{UseRefDeltas: byHash}); err != nil {
		t.Fatal(err)
	}
	if left, err := filepath.Glob(filepath.Join(root, ".git", "objects", "??")); err != nil || len(left) > 0 {
		for _, dir := range left {
			if err := os.RemoveAll(dir); err != nil {
				t.Fatal(err)
			}
		}
	}
	return root
}

// TestPackedObjects: packs are read as go-git writes them, and what is read of each revision is what it has.
func TestPackedObjects(t *testing.T) {
	for _, byHash := range []bool{false, true} {
		root := newPacked(t, byHash)
		plain := open(t, root, Limits{})
		paths, _ := listed(t, plain)
		rev, err := Revision(t.Context(), root, "HEAD", Limits{})
		if err != nil {
			t.Fatal(err)
		}
		defer rev.Close()
		if got, _ := listed(t, rev); !slices.Equal(got, paths) || len(got) != 13 {
			t.Errorf("by hash %v: %q", byHash, got)
		}
		for _, name := range paths {
			want, err := plain.Read(t.Context(), name)
			got, revErr := rev.Read(t.Context(), name)
			if err != nil || revErr != nil || !bytes.Equal(got, want) {
				t.Errorf("%s: %d bytes of %d: %v", name, len(got), len(want), revErr)
			}
		}
		st, err := rev.Git(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		short, err := Revision(t.Context(), root, st.Commit[:9], Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := short.Git(t.Context()); err != nil || got != st {
			t.Errorf("%v %v", got, err)
		}
		if err := short.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestSpoiltPacks: whatever stands in a pack or in its index, reading ends, and takes no memory that the pack does not hold.
func TestSpoiltPacks(t *testing.T) {
	root := newPacked(t, false)
	files, err := filepath.Glob(filepath.Join(root, ".git", "objects", "pack", "*.*"))
	if err != nil || len(files) < 2 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		was, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		spoilt := map[string][]byte{"empty": {}, "cut": was[:len(was)/2], "ones": append(slices.Clone(was[:8]), bytes.Repeat([]byte{0xff}, len(was)-8)...)}
		for i := range 12 {
			flip := slices.Clone(was)
			flip[(i*7919+idxFan)%len(flip)] ^= 0x91
			spoilt[fmt.Sprint("flip ", i)] = flip
		}
		for what, src := range spoilt {
			if err := errors.Join(os.Chmod(file, 0o600), os.WriteFile(file, src, 0o600)); err != nil {
				t.Fatal(err)
			}
			if allocated, _ := lookAt(t, root); allocated > 256<<20 {
				t.Errorf("%s of %s: %d MiB", what, filepath.Ext(file), allocated>>20)
			}
		}
		if err := os.WriteFile(file, was, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestPatched(t *testing.T) {
	base := []byte("0123456789")
	for delta, want := range map[string]string{
		"\x0a\x03\x91\x02\x03": "234", "\x0a\x05\x02ab\x90\x03": "ab012", "\x0a\x00": "",
		"\x0a\xff\xff\xff\xff\xff\x7f\x80": "error", "\x09\x01\x01a": "error", "\x0a\x02\x01a": "error", "\x0a\x01\x00": "error", "\x0a\x04\x91\x09\x04": "error", "": "error", "\x0a\x01\x01": "error", "\x0a\x01\x91": "error",
	} {
		got, err := patched(base, []byte(delta))
		if want == "error" && err == nil || want != "error" && (err != nil || string(got) != want) {
			t.Errorf("%q: %q, %v", delta, got, err)
		}
	}
}

// TestReadKeys: what holds a private key is not given out under any name, whatever it held when it was listed.
func TestReadKeys(t *testing.T) {
	key := "-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n-----END OPENSSH PRIVATE KEY-----\n"
	root := t.TempDir()
	r := newRepo(t, root)
	r.commit(map[string]string{"a.go": "package a\n", "deploy": key, "k.txt": key, "late.txt": "x\n"})
	rev, err := Revision(t.Context(), root, "HEAD", Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer rev.Close()
	plain := open(t, root, Limits{})
	listed(t, rev)
	listed(t, plain)
	put(t, root, map[string]string{"late.txt": key})
	for tree, names := range map[Tree][]string{rev: {"deploy", "k.txt"}, plain: {"deploy", "k.txt", "late.txt"}} {
		for _, name := range names {
			if src, err := tree.Read(t.Context(), name); !errors.Is(err, ErrSecret) {
				t.Errorf("%s: %q, %v", name, src, err)
			}
		}
	}
}

// TestCopiesOfSecrets: a copy of a file that holds secrets holds them too.
func TestCopiesOfSecrets(t *testing.T) {
	for _, name := range strings.Split(`.env~|.env.bak|.env copy|.env (copy)|#.env#|.#.env|.envrc~|.netrc.bak|.pgpass.old|.npmrc.orig|credentials~|credentials.2|server.key~|
		server.key.bak|server.p12.1|secrets.yaml~|secrets.yaml.orig|secrets-old|.htpasswd.bak2|catena.yaml~|catena.yml.bak|catena.yaml.2026-11-01|.catena.yaml.swp|.netrc.swp|
		Copy of .netrc|.git-credentials.lock|.docker/config.json.bak|kubeconfig~|secrets.json.tmp|.netrc-backup|.netrc_old|.env_prod|.env2|.ssh.old/x|.aws-bak/x|.bash_history`, "|") {
		if name = strings.TrimSpace(name); !isSecret(name) {
			t.Errorf("%s is read", name)
		}
	}
	for _, name := range strings.Fields(`main.go~ README.md.bak config_test.go.orig keys-2.md version-1.2 go1.26 data_2026 token_test.go.1 environment.old 2026-11-01 ~ # .bak`) {
		if isSecret(name) {
			t.Errorf("%s is not read", name)
		}
	}
}
