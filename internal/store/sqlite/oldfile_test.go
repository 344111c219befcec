package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
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
