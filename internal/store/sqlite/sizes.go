package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Size is how much of a store one kind of thing takes.
type Size struct {
	Kind  string // for people: "tables"
	Bytes int64  // on the disk, with indexes
	// Beside says that it is in a file of its own, beside the store's.
	Beside bool
}

// kinds are what the tables of the file hold. A table that is not here counts for the first of its prefixes; see
// kindPrefixes.
var kinds = map[string]string{
	"events": kindLogs, "runs": kindLogs, "calls": "journal", "handles": "tables", "owner_bytes": "tables",
	"sessions": "sessions", "turns": "sessions", "cache": "cache", "memories": kindMemories,
}

// kindPrefixes are what tables hold whose names begin so.
var kindPrefixes = map[string]string{
	"memory_": kindMemories, "graph_": "personas", "records": kindRecords, "locks": kindRecords, "sqlite_": kindRecords,
}

const (
	kindLogs     = "logs of runs"
	kindMemories = "memories"
	kindRecords  = "keys and records"
	kindOther    = "other"
)

func kindOf(table string) string {
	if kind := kinds[table]; kind != "" {
		return kind
	}
	for prefix, kind := range kindPrefixes {
		if strings.HasPrefix(table, prefix) {
			return kind
		}
	}
	return kindOther
}

// Room says how large the file is, and how much of it is free. A store in memory has no file, and Room says nothing
// of it.
func (s *Store) Room(ctx context.Context) (r Room, err error) {
	if s.path == ":memory:" {
		return r, nil
	}
	if r, err = roomOf(ctx, s.readDB); err != nil {
		err = s.explain(err)
	}
	return r, err
}

// Sizes says how much each kind of thing takes, the largest first, with what stands beside the file: its log, and
// what is held for deletions. What is free in the file is Room's. It reads the file, as fast as the disk gives it:
// ctx bounds that. A store in memory has none.
func (s *Store) Sizes(ctx context.Context) ([]Size, error) {
	if s.path == ":memory:" {
		return nil, nil
	}
	sum := map[string]int64{}
	err := s.read(ctx, func(q *statements) error {
		clear(sum)
		return q.each(ctx, func(rows *sql.Rows) error {
			var table string
			var bytes int64
			err := rows.Scan(&table, &bytes)
			sum[kindOf(table)] += bytes
			return err
		}, `SELECT coalesce(of.tbl_name, use.name), sum(use.pgsize)
			FROM dbstat AS use LEFT JOIN sqlite_schema AS of ON of.name = use.name
			WHERE use.aggregate = 1 GROUP BY 1`)
	})
	if err != nil {
		return nil, err
	}
	var out []Size
	for kind, path := range map[string]string{
		"write-ahead log": s.path + "-wal", "held for deletions": filepath.Join(filepath.Dir(s.path), reserveName),
	} {
		info, err := os.Stat(path)
		if err == nil {
			out = append(out, Size{Kind: kind, Bytes: info.Size(), Beside: true})
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	for kind, bytes := range sum {
		if bytes > 0 {
			out = append(out, Size{Kind: kind, Bytes: bytes})
		}
	}
	slices.SortFunc(out, func(a, b Size) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), strings.Compare(a.Kind, b.Kind))
	})
	return out, nil
}
