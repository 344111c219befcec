package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"regexp"
	"strings"

	"catena/internal/store"
)

// made finds what migrations make: tables, indexes and triggers.
var made = regexp.MustCompile(`(?m)CREATE (?:UNIQUE |VIRTUAL )?(?:TABLE|INDEX|TRIGGER) (\w+)`)

// checkShape is an error for a file that no Catena of a known version wrote: of another program, of a newer one, or without a part of what
// its version has. Nothing is written to such a file. A file without anything in it has version 0.
func checkShape(ctx context.Context, q queries, path string) (version int, err error) {
	if err := q.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return 0, err
	}
	if version > len(migrations) {
		return version, newerFile(path, version)
	}
	var names sql.NullString
	if err := q.QueryRowContext(ctx, "SELECT group_concat(name, char(10)) FROM sqlite_schema").Scan(&names); err != nil {
		return version, err
	}
	const hint = "put back a copy with catena restore, move it away to start afresh, or choose another store.dir"
	if version < 0 || version == 0 && names.String != "" {
		return version, &store.FileError{Path: path, Reason: "is a database of another program, or is damaged", Hint: hint}
	}
	have := map[string]bool{}
	for name := range strings.SplitSeq(names.String, "\n") {
		have[name] = true
	}
	for _, m := range made.FindAllStringSubmatch(strings.Join(migrations[:version], "\n"), -1) {
		if !have[m[1]] {
			return version, &store.FileError{Path: path, Reason: fmt.Sprintf("is damaged: it lacks %s", m[1]), Hint: hint}
		}
	}
	return version, nil
}

// checkEmptied is an error for a file that has no bytes and had some: what a log beside it holds would be deleted, and an empty store would
// take the place of one that was cut.
func (s *Store) checkEmptied() error {
	if info, err := os.Stat(s.path); err != nil || info.Size() > 0 {
		return nil //nolint:nilerr // whoever opens the file says what is wrong with it
	}
	for _, trace := range []string{s.path + "-wal", s.deletionSpace.path} {
		if beside, err := os.Stat(trace); trace != "" && err == nil && beside.Size() > 0 {
			return &store.FileError{
				Path: s.path, Reason: "is empty, and was a store before",
				Hint: fmt.Sprintf("put back a copy with catena restore --force, or delete it and %s to start afresh", trace),
			}
		}
	}
	return nil
}
