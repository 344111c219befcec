package app

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"catena/internal/config"
	"catena/internal/store"
	"catena/internal/store/sqlite"
)

// storeWith makes a store that holds one session for each title.
func storeWith(t *testing.T, titles ...string) config.Config {
	t.Helper()
	cfg := config.Config{Store: config.Store{Dir: t.TempDir()}}
	s := openTestStore(t, cfg)
	random := rand.New(rand.NewPCG(1, 2))
	for i, title := range titles {
		id, now := fmt.Sprint("ses_", i), time.Now()
		noise := make([]byte, 3000)
		for i := range noise {
			noise[i] = byte(random.Uint32())
		}
		if err := errors.Join(s.CreateSession(t.Context(), "ann", id, title, now), s.AppendTurn(t.Context(), "ann", id, "run", noise, now)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return cfg
}

func openTestStore(t *testing.T, cfg config.Config) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), filepath.Join(cfg.Store.Dir, "catena.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// titlesIn are the titles of the sessions in a store.
func titlesIn(t *testing.T, cfg config.Config) (titles []string) {
	t.Helper()
	s := openTestStore(t, cfg)
	defer s.Close()
	list, err := s.ListSessions(t.Context(), "ann", time.Time{}, "", 10)
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range list {
		titles = append(titles, fmt.Sprint(one["title"]))
	}
	return titles
}

// filesIn are the files of a folder and what is in them.
func filesIn(t *testing.T, dir string) map[string][32]byte {
	t.Helper()
	files := map[string][32]byte{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			files[path+"/"] = [32]byte{}
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, path))
		files[path] = sha256.Sum256(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// packUnsealed packs a copy as programs before the seal did.
func packUnsealed(t *testing.T, to, db string, level zstd.EncoderLevel) {
	t.Helper()
	data, err := os.ReadFile(db)
	if err != nil {
		t.Fatal(err)
	}
	about, err := json.Marshal(Manifest{Format: Unsealed, Catena: "v0.9", Made: time.Now(), Entries: []string{copyFile}})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	z, err := zstd.NewWriter(&out, zstd.WithEncoderLevel(level))
	if err != nil {
		t.Fatal(err)
	}
	archive := tar.NewWriter(z)
	for _, e := range []struct {
		name string
		data []byte
	}{{copyManifest, about}, {copyFile, data}} {
		err = errors.Join(err, archive.WriteHeader(&tar.Header{Name: e.name, Mode: 0o600, Size: int64(len(e.data)), Typeflag: tar.TypeReg}))
		_, werr := archive.Write(e.data)
		err = errors.Join(err, werr)
	}
	if err = errors.Join(err, archive.Close(), z.Close(), os.WriteFile(to, out.Bytes(), 0o600)); err != nil {
		t.Fatal(err)
	}
}

// spoil changes one bit of a copy, cuts it, or puts something behind it.
func spoil(random *rand.Rand, whole []byte, i int) (what string, data []byte) {
	data = bytes.Clone(whole)
	ends := min(len(data), 64) // they have most of the framing
	at := random.IntN(len(data))
	switch i % 5 {
	case 1:
		at = random.IntN(ends)
	case 2:
		at = len(data) - 1 - random.IntN(ends)
	case 3:
		return fmt.Sprint("cut at ", at), data[:at]
	case 4:
		more := make([]byte, 1+random.IntN(100))
		for j := range more {
			more[j] = byte(random.Uint32() * uint32(i%2)) // zeros too
		}
		return fmt.Sprintf("%d bytes behind it", len(more)), append(data, more...)
	}
	data[at] ^= 1 << random.IntN(8)
	return fmt.Sprint("a flip at ", at), data
}

// A copy in which one bit is another, or which is cut or longer, is refused, and the store that it was for stays as it was.
func TestSpoiltCopies(t *testing.T) {
	from := storeWith(t, "copied", "too")
	target := storeWith(t, "former")
	dir := t.TempDir()
	sealed, former := filepath.Join(dir, "sealed"), filepath.Join(dir, "former")
	if _, err := Backup(t.Context(), from, sealed); err != nil {
		t.Fatal(err)
	}
	packUnsealed(t, former, filepath.Join(from.Store.Dir, "catena.db"), zstd.SpeedDefault)
	if _, err := sqlite.InUse(t.Context(), filepath.Join(target.Store.Dir, "catena.db")); err != nil { // takes in what the log has
		t.Fatal(err)
	}
	before := filesIn(t, target.Store.Dir)
	for _, c := range []struct {
		copy  string
		times int
	}{{sealed, 1000}, {former, 300}} {
		whole, err := os.ReadFile(c.copy)
		if err != nil {
			t.Fatal(err)
		}
		random, bad := rand.New(rand.NewPCG(7, 7)), filepath.Join(dir, "bad")
		accepted := 0
		for i := range c.times {
			what, data := spoil(random, whole, i)
			if err := os.WriteFile(bad, data, 0o600); err != nil {
				t.Fatal(err)
			}
			if same(t, c.copy, former, bad) {
				continue // of a former copy some bits mean nothing: what comes out of it is the same
			}
			if _, _, err := Restore(t.Context(), target, bad, true); err == nil {
				accepted++
				t.Errorf("%s with %s was restored", filepath.Base(c.copy), what)
			}
			if diff := cmp.Diff(before, filesIn(t, target.Store.Dir)); diff != "" {
				t.Fatalf("%s with %s changed the store: %s", filepath.Base(c.copy), what, diff)
			}
		}
		t.Logf("%s: %d of %d accepted", filepath.Base(c.copy), accepted, c.times)
	}
	for _, file := range []string{former, sealed} {
		m, kept, err := Restore(t.Context(), target, file, true)
		if err != nil || kept == "" {
			t.Fatalf("%s: %q, %v", file, kept, err)
		}
		if want := map[string]int{former: Unsealed, sealed: copyFormat}[file]; m.Format != want {
			t.Errorf("%s: format %d", file, m.Format)
		}
		if diff := cmp.Diff([]string{"too", "copied"}, titlesIn(t, target)); diff != "" {
			t.Error(diff)
		}
	}
}

// same reports whether a spoilt copy of the former kind gives the same parts as the whole one.
func same(t *testing.T, of, former, bad string) bool {
	t.Helper()
	if of != former {
		return false
	}
	parts := t.TempDir()
	one, other := filepath.Join(parts, "one"), filepath.Join(parts, "other")
	if err := errors.Join(os.Mkdir(one, 0o700), os.Mkdir(other, 0o700)); err != nil {
		t.Fatal(err)
	}
	if _, err := unpack(t.Context(), bad, one); err != nil {
		return false
	}
	if _, err := unpack(t.Context(), former, other); err != nil {
		t.Fatal(err)
	}
	return cmp.Equal(filesIn(t, one), filesIn(t, other))
}

// A restore that was interrupted goes on at the next start, wherever it stood; before its note there is the former store.
func TestInterruptedRestore(t *testing.T) {
	from := storeWith(t, "copied")
	file := filepath.Join(t.TempDir(), "copy")
	if _, err := Backup(t.Context(), from, file); err != nil {
		t.Fatal(err)
	}
	for stop, want := range []string{"former", "copied", "copied", "copied"} {
		cfg := storeWith(t, "former")
		path := filepath.Join(cfg.Store.Dir, "catena.db")
		work := filepath.Join(cfg.Store.Dir, ".catena-restore-1")
		if err := os.Mkdir(work, 0o700); err != nil {
			t.Fatal(err)
		}
		if _, err := unpack(t.Context(), file, work); err != nil {
			t.Fatal(err)
		}
		x := exchange{PID: 1 << 30, Folder: filepath.Base(work), File: true, Former: "catena.db.before-1"}
		steps := []func() error{
			func() error { return x.note(cfg.Store.Dir) },
			func() error { return os.Rename(path, filepath.Join(cfg.Store.Dir, x.Former)) },
			func() error { return os.Rename(filepath.Join(work, copyFile), path) },
		}
		for _, step := range steps[:stop] {
			if err := step(); err != nil {
				t.Fatal(err)
			}
		}
		if err := finishRestore(t.Context(), cfg.Store, path); err != nil {
			t.Errorf("stopped after %d: %v", stop, err)
		}
		if diff := cmp.Diff([]string{want}, titlesIn(t, cfg)); diff != "" {
			t.Errorf("stopped after %d: %s", stop, diff)
		}
		_, err := os.Stat(filepath.Join(cfg.Store.Dir, x.Former))
		if kept := err == nil; kept != (stop > 0) {
			t.Errorf("stopped after %d: the former store is kept: %v", stop, kept)
		}
		if _, err := os.Stat(filepath.Join(cfg.Store.Dir, exchangeNote)); err == nil {
			t.Errorf("stopped after %d: the note is still there", stop)
		}
	}
}

// Only a file can be a copy.
func TestRestoreOfNoFile(t *testing.T) {
	cfg := storeWith(t, "former")
	for _, name := range []string{os.DevNull, t.TempDir()} {
		if _, _, err := Restore(t.Context(), cfg, name, true); err == nil || !strings.Contains(err.Error(), "name a regular file") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A folder that cannot be written is said, with what to do, by backup and restore.
func TestNoFolderToWrite(t *testing.T) {
	copied := filepath.Join(t.TempDir(), "copy")
	from := storeWith(t, "kept")
	if _, err := Backup(t.Context(), from, copied); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, backupErr := Backup(t.Context(), from, filepath.Join(file, "copy"))
	_, _, restoreErr := Restore(t.Context(), config.Config{Store: config.Store{Dir: filepath.Join(file, "store")}}, copied, true)
	for err, want := range map[error]string{backupErr: "name a file in a folder", restoreErr: "choose another store.dir"} {
		var exit *Exit
		if !errors.As(err, &exit) || exit.Code != ExitUsage || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "mkdir") {
			t.Errorf("%v", err)
		}
	}
}
