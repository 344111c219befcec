package app

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"catena/internal/store/sqlite"
)

// rawEntry is an entry of a tar archive with any size in its head (POSIX.1-1988).
func rawEntry(name string, kind byte, size int64, data []byte) []byte {
	head := make([]byte, 512)
	copy(head, name)
	copy(head[100:], "0000600\x000000000\x000000000\x00")
	copy(head[124:], fmt.Sprintf("%011o\x00%011o\x00        ", size, 0))
	head[156] = kind
	copy(head[257:], "ustar\x0000")
	sum := 0
	for _, c := range head {
		sum += int(c)
	}
	copy(head[148:], fmt.Sprintf("%06o\x00 ", sum))
	return append(head, append(data, make([]byte, (512-len(data)%512)%512)...)...)
}

// sealedCopy packs entries behind a manifest and seals them: what anybody can make.
func sealedCopy(t *testing.T, m Manifest, entries ...[]byte) string {
	t.Helper()
	about, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	plain := append(rawEntry(copyManifest, '0', int64(len(about)), about), bytes.Join(entries, nil)...)
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	packed := z.EncodeAll(append(plain, make([]byte, 1024)...), nil)
	sum := sha256.New()
	sum.Write(packed)
	file := filepath.Join(t.TempDir(), "copy")
	if err := os.WriteFile(file, append(packed, seal(sum)...), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// database is a file of SQLite's.
func database(t *testing.T, script string) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.Exec(script)
	data, readErr := os.ReadFile(path)
	if err := errors.Join(err, readErr, db.Close()); err != nil {
		t.Fatal(err)
	}
	return data
}

// TestHostileCopies: a copy that is sealed as it should be and holds what no backup made is refused before anything is changed, and before
// a disk is filled.
func TestHostileCopies(t *testing.T) {
	manifest := func(name string, data []byte, size int64) Manifest {
		sum := sha256.Sum256(data)
		return Manifest{Format: copyFormat, Made: time.Now(), Entries: []string{name}, Parts: []part{{Name: name, Bytes: size, SHA256: hex.EncodeToString(sum[:])}}}
	}
	whole := func(data []byte) string {
		return sealedCopy(t, manifest(copyFile, data, int64(len(data))), rawEntry(copyFile, '0', int64(len(data)), data))
	}
	pax := func(records ...string) []byte {
		var b strings.Builder
		for _, r := range records {
			n := len(r) + 3
			for len(fmt.Sprintf("%d %s\n", n, r)) != n {
				n++
			}
			fmt.Fprintf(&b, "%d %s\n", n, r)
		}
		return rawEntry("x", 'x', int64(b.Len()), []byte(b.String()))
	}
	const tera = 1 << 40
	holes := []byte("1\n0\n1\n" + strings.Repeat("\x00", 506) + "x")
	link := rawEntry(copyFile, '2', 0, nil)
	copies := map[string]string{
		"nothing": sealedCopy(t, Manifest{Format: copyFormat}), "no bytes": whole(nil), "a text": whole([]byte("hello")),
		"another program's": whole(database(t, "CREATE TABLE a (x); INSERT INTO a VALUES (1)")),
		"half a store":      whole(database(t, "CREATE TABLE a (x); PRAGMA user_version = 5")),
		"a version below 0": whole(database(t, "CREATE TABLE a (x); PRAGMA user_version = -3")),
		"a newer store":     whole(database(t, "CREATE TABLE a (x); PRAGMA user_version = 1000")),
		"a path":            sealedCopy(t, manifest("../"+copyFile, nil, 0), rawEntry("../"+copyFile, '0', 0, nil)),
		"a link":            sealedCopy(t, manifest(copyFile, nil, 0), link),
		"more than it says": sealedCopy(t, manifest(copyFile, []byte("ab"), 1), rawEntry(copyFile, '0', 2, []byte("ab"))),
		"more than a disk":  sealedCopy(t, manifest(copyFile, nil, 1<<60), pax("size=1152921504606846976"), rawEntry(copyFile, '0', 0, nil)),
		"holes of a terabyte": sealedCopy(t, manifest(copyFile, nil, tera),
			pax("GNU.sparse.major=1", "GNU.sparse.minor=0", "GNU.sparse.name="+copyFile, fmt.Sprint("GNU.sparse.realsize=", tera)), rawEntry(copyFile, '0', int64(len(holes)), holes)),
	}
	target := storeWith(t, "former")
	if _, err := sqlite.InUse(t.Context(), filepath.Join(target.Store.Dir, "catena.db")); err != nil { // takes in what the log has
		t.Fatal(err)
	}
	before := filesIn(t, target.Store.Dir)
	ctx, end := context.WithTimeout(t.Context(), 10*time.Second)
	defer end()
	for what, file := range copies {
		if _, _, err := Restore(ctx, target, file, true); err == nil || ctx.Err() != nil {
			t.Errorf("%s: %v", what, err)
		} else {
			t.Logf("%s: %v", what, err)
		}
		if diff := cmp.Diff(before, filesIn(t, target.Store.Dir)); diff != "" {
			t.Fatalf("%s changed the store: %s", what, diff)
		}
	}
}
