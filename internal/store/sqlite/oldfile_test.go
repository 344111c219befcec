package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"catena/internal/store"
)

// A file of each former version opens, has what it had, and takes what is new.
func TestOpenOlderFiles(t *testing.T) {
	ctx := context.Background()
	for version := 1; version < len(migrations); version++ {
		path := filepath.Join(t.TempDir(), "old.db")
		db, err := sql.Open("sqlite", path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range migrations[:version] {
			if _, err := db.Exec(m); err != nil {
				t.Fatal(err)
			}
		}
		expires := time.Now().Add(time.Hour).UnixMicro()
		_, err = db.Exec(fmt.Sprintf(`INSERT INTO sessions (id, owner, title, created, updated, turns) VALUES ('ses_1', 'ann', 'old', 1, 1, 1);
			INSERT INTO turns VALUES ('ses_1', 1, 'run_1', CAST('a turn' AS BLOB), 1);
			INSERT INTO handles (handle, owner, session, run, meta, content, made, expires) VALUES ('tbl_1', 'ann', 'ses_1', '', x'7b7d', x'00', 1, %d);
			PRAGMA user_version = %d`, expires, version))
		if err == nil {
			err = db.Close()
		}
		if err != nil {
			t.Fatal(version, err)
		}
		s := open(t, path)
		turns, err := s.Turns(ctx, "ann", "ses_1", 10)
		if d := cmp.Diff([][]byte{[]byte("a turn")}, turns); err != nil || d != "" {
			t.Error(version, err, d)
		}
		handles, _, err := s.ListHandles(ctx, "ann", "ses_1", 10)
		if d := cmp.Diff([]string{"tbl_1"}, handles); err != nil || d != "" {
			t.Error(version, err, d)
		}
		if locked, err := s.Lock(ctx, "names", "a", time.Minute); err != nil || !locked {
			t.Error(version, locked, err)
		}
		if err := s.PutHandle(ctx, "ann", "tbl_2", "ses_1", "", nil, []byte("c"), time.Now().Add(time.Hour)); err != nil {
			t.Error(version, err)
		}
		if err := s.HandleStored(ctx, "ann", "ses_1", "tbl_2"); err != nil {
			t.Error(version, err)
		}
		if err := s.Close(); err != nil {
			t.Error(version, err)
		}
	}
}

// A migration that fails leaves a store as it was, also the one that was to be made: this program opens both once the failure is gone.
func TestMigrationFails(t *testing.T) {
	published := migrations
	defer func() { migrations = published }()
	fresh, old := filepath.Join(t.TempDir(), "fresh.db"), filepath.Join(t.TempDir(), "old.db")
	migrations = published[:2]
	if err := open(t, old).Close(); err != nil {
		t.Fatal(err)
	}
	migrations = append(slices.Clip(published), "CREATE TABLE later (x); CREATE TABLE sessions (x)")
	for path, version := range map[string]int{fresh: 0, old: 2} {
		if s, err := Open(t.Context(), path, store.Options{}); err == nil {
			t.Error(path, "was opened", s.Close())
		}
		db, err := sql.Open("sqlite", path)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		var is, made int
		err = db.QueryRow("SELECT user_version, (SELECT count(*) FROM sqlite_schema) FROM pragma_user_version").Scan(&is, &made)
		if err != nil || is != version || (made == 0) != (version == 0) {
			t.Errorf("%s has version %d and %d tables and indexes: %v", path, is, made, err)
		}
	}
	migrations = published
	for path, begun := range map[string]bool{fresh: true, old: false} {
		s := open(t, path)
		if s.fresh != begun {
			t.Errorf("%s was fresh: %t", path, s.fresh)
		}
		if err := errors.Join(s.CreateSession(t.Context(), "ann", "ses_1", "", time.Now()), s.Close()); err != nil {
			t.Error(path, err)
		}
	}
}
