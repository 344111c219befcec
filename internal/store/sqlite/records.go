package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"catena/internal/store/backend"
)

// recordsSchema holds small things that last: API keys, for one.
const recordsSchema = `CREATE TABLE records (kind TEXT NOT NULL, id TEXT NOT NULL, data BLOB NOT NULL, PRIMARY KEY (kind, id)) STRICT, WITHOUT ROWID`

// PutRecord keeps a record, in place of an earlier one with its kind and id. It is durable when it returns.
func (s *Store) PutRecord(ctx context.Context, kind, id string, data []byte) error {
	return s.write(ctx, func(ctx context.Context, q *statements) error {
		return putRecord(ctx, q, kind, id, data)
	})
}

func putRecord(ctx context.Context, q *statements, kind, id string, data []byte) error {
	_, err := q.exec(ctx, `INSERT INTO records (kind, id, data) VALUES (?, ?, ?)
		ON CONFLICT (kind, id) DO UPDATE SET data = excluded.data`, kind, id, blob(data))
	return err
}

// AddRecord is PutRecord within a limit: it reports false, and keeps nothing, where most other records of the kind have
// data that counted reports true of.
func (s *Store) AddRecord(
	ctx context.Context, kind, id string, data []byte, most int, counted func(data []byte) bool,
) (added bool, err error) {
	err = s.write(ctx, func(ctx context.Context, q *statements) error {
		n := 0
		err := q.each(ctx, func(rows *sql.Rows) error {
			var other []byte
			err := rows.Scan(&other)
			if err == nil && counted(other) {
				n++
			}
			return err
		}, "SELECT data FROM records WHERE kind = ? AND id <> ?", kind, id)
		if added = err == nil && n < most; !added {
			return err
		}
		return putRecord(ctx, q, kind, id, data)
	})
	return added && err == nil, err
}

// DeleteRecord removes a record, durably; one that is not there gives an error that wraps fs.ErrNotExist.
func (s *Store) DeleteRecord(ctx context.Context, kind, id string) error {
	return s.writeFreeing(ctx, func(ctx context.Context, q *statements) error {
		n, err := q.exec(ctx, "DELETE FROM records WHERE kind = ? AND id = ?", kind, id)
		if err == nil && n == 0 {
			err = backend.Missing(kind, id)
		}
		return err
	})
}

// Record is one record; one that is not there gives an error that wraps fs.ErrNotExist.
func (s *Store) Record(ctx context.Context, kind, id string) (data []byte, err error) {
	err = s.read(ctx, func(q *statements) error {
		return q.row(ctx, "SELECT data FROM records WHERE kind = ? AND id = ?", kind, id).Scan(&data)
	})
	if errors.Is(err, sql.ErrNoRows) {
		err = backend.Missing(kind, id)
	}
	return data, err
}

// Records gives the records of a kind, by id. An error of each ends it and is returned.
func (s *Store) Records(ctx context.Context, kind string, each func(id string, data []byte) error) error {
	type record struct {
		id   string
		data []byte
	}
	var list []record
	err := s.read(ctx, func(q *statements) error {
		list = nil
		return q.each(ctx, func(rows *sql.Rows) error {
			var r record
			err := rows.Scan(&r.id, &r.data)
			list = append(list, r)
			return err
		}, "SELECT id, data FROM records WHERE kind = ? ORDER BY id", kind)
	})
	if err != nil {
		return err
	}
	for _, r := range list {
		if err := each(r.id, r.data); err != nil {
			return err
		}
	}
	return nil
}
