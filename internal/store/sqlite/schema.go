package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"catena/internal/store"
)

// migrations lead from one user_version to the next: the first makes version 1. A published one is never changed.
// Times are microseconds since 1970 in UTC.
var migrations = []string{`
CREATE TABLE sessions (
	id TEXT PRIMARY KEY, owner TEXT NOT NULL, title TEXT NOT NULL,
	created INTEGER NOT NULL, updated INTEGER NOT NULL, turns INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX sessions_by_owner ON sessions (owner, updated DESC);

CREATE TABLE turns (
	session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE, n INTEGER NOT NULL CHECK (n > 0),
	run TEXT NOT NULL, data BLOB NOT NULL, at INTEGER NOT NULL,
	PRIMARY KEY (session, n)
) STRICT;

CREATE TABLE runs (
	id TEXT PRIMARY KEY, owner TEXT NOT NULL, session TEXT NOT NULL, process TEXT NOT NULL,
	status TEXT NOT NULL, request BLOB NOT NULL, response BLOB,
	started INTEGER NOT NULL, ended INTEGER, last_seq INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX runs_by_session ON runs (session);
CREATE INDEX runs_open ON runs (started) WHERE ended IS NULL;

CREATE TABLE events (
	run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE, seq INTEGER NOT NULL CHECK (seq > 0), data BLOB NOT NULL,
	PRIMARY KEY (run, seq)
) STRICT;

CREATE TABLE calls (
	run TEXT NOT NULL, step TEXT NOT NULL, tool TEXT NOT NULL, args_hash TEXT NOT NULL, read_only INTEGER NOT NULL,
	status TEXT NOT NULL, attempts INTEGER NOT NULL DEFAULT 1, began INTEGER NOT NULL, took INTEGER,
	PRIMARY KEY (run, step)
) STRICT, WITHOUT ROWID;

CREATE TABLE handles (
	handle TEXT PRIMARY KEY, owner TEXT NOT NULL, session TEXT NOT NULL, run TEXT NOT NULL,
	meta BLOB NOT NULL, content BLOB NOT NULL, made INTEGER NOT NULL, expires INTEGER NOT NULL
) STRICT;
CREATE INDEX handles_by_owner ON handles (owner, session, made);
CREATE INDEX handles_by_expiry ON handles (expires);

CREATE TABLE cache (key TEXT PRIMARY KEY, value BLOB NOT NULL, expires INTEGER NOT NULL) STRICT;
CREATE INDEX cache_by_expiry ON cache (expires);
`, memorySchema, graphSchema,
	// What a step gave, for a run that is resumed.
	"ALTER TABLE calls ADD COLUMN result BLOB",
	leaseSchema, ownerBytesSchema,
	// Where a run stopped, for one that is gone on with.
	"ALTER TABLE runs ADD COLUMN state BLOB",
	recordsSchema,
	// That somebody wants an open run to be cancelled, whoever runs it.
	"ALTER TABLE runs ADD COLUMN cancelled INTEGER NOT NULL DEFAULT 0",
	// When a run that is a single call goes; others go with their session.
	"ALTER TABLE runs ADD COLUMN expires INTEGER; CREATE INDEX runs_by_expiry ON runs (owner, expires) WHERE expires IS NOT NULL",
	// Tells whether a request under the key that decided a run's id is the one that started it: also when the run is deleted.
	"ALTER TABLE runs ADD COLUMN digest TEXT NOT NULL DEFAULT ''",
	runBytesSchema,
	locksSchema,
}

// leaseSchema: who owns an open run. The epoch grows with each owner; the lease ends at a time.
const leaseSchema = `
ALTER TABLE runs ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN leased INTEGER NOT NULL DEFAULT 0;
`

// ownerBytesSchema counts the bytes of each owner's tables, so that a quota costs no look at all of them.
const ownerBytesSchema = `
CREATE TABLE owner_bytes (owner TEXT PRIMARY KEY, bytes INTEGER NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO owner_bytes SELECT owner, sum(length(content)) FROM handles GROUP BY owner;
CREATE TRIGGER handle_put AFTER INSERT ON handles BEGIN
	INSERT INTO owner_bytes VALUES (new.owner, length(new.content)) ON CONFLICT (owner) DO UPDATE SET bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER handle_gone AFTER DELETE ON handles BEGIN
	UPDATE owner_bytes SET bytes = bytes - length(old.content) WHERE owner = old.owner;
END;
`

// runBytesSchema: how many bytes the log of a run that has ended takes. A sweep counts them, once; NULL is not yet.
const runBytesSchema = `
ALTER TABLE runs ADD COLUMN bytes INTEGER;
CREATE INDEX runs_uncounted ON runs (id) WHERE ended IS NOT NULL AND expires IS NULL AND bytes IS NULL;
CREATE INDEX runs_counted ON runs (owner, ended, bytes, id) WHERE ended IS NOT NULL AND expires IS NULL;
`

// migrate brings the file to the newest version in one transaction: a step that fails leaves the file as it was, for
// the program that wrote it, once the connection is closed. fresh says that it was empty.
func migrate(ctx context.Context, conn *sql.Conn, path string) (fresh bool, err error) {
	have, err := checkShape(ctx, conn, path)
	if err != nil || have == len(migrations) {
		return false, err
	}
	steps := strings.Join(migrations[have:], ";")
	all := fmt.Sprintf("BEGIN IMMEDIATE;%s;PRAGMA user_version = %d;COMMIT", steps, len(migrations))
	_, err = conn.ExecContext(ctx, all)
	return have == 0 && err == nil, err
}

// newerFile says that a file is of a format that this program does not know.
func newerFile(path string, have int) error {
	return &store.FileError{
		Path:   path,
		Reason: fmt.Sprintf("was written by a newer Catena (format %d, this program knows %d)", have, len(migrations)),
		Hint:   "use that version, or choose another store.dir",
	}
}
