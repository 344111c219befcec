package sqlite

import (
	"context"
	"database/sql"
	"errors"
)

// MemoryVector is the vector of one version of a memory.
type MemoryVector = struct {
	Number  int64 // the memory's
	Version int   // of the text that was embedded
	Vector  []byte
}

// PutMemoryVectors keeps vectors made by a model, in place of earlier ones. Those whose memory is gone, is another's, or has
// changed since are dropped. They are on disk when it returns.
func (s *Store) PutMemoryVectors(ctx context.Context, owner, model string, vectors []MemoryVector) error {
	return s.write(ctx, func(ctx context.Context, q *statements) error {
		for _, v := range vectors {
			var scope int64
			err := q.row(ctx, "SELECT m.scope"+fromMemories+"WHERE m.number = ? AND m.version = ? AND s.owner = ?", v.Number, v.Version, owner).Scan(&scope)
			if errors.Is(err, sql.ErrNoRows) {
				continue
			} else if err != nil {
				return s.explained(err)
			}
			if _, err := q.exec(ctx, `INSERT INTO memory_vectors (scope, memory, model, vector) VALUES (?, ?, ?, ?)
				ON CONFLICT (scope, memory) DO UPDATE SET model = excluded.model, vector = excluded.vector`, scope, v.Number, model, blob(v.Vector)); err != nil {
				return s.explained(err)
			}
		}
		return nil
	})
}

// EachMemoryVector calls f with the number and the vector of each memory of an owner's namespace that the model has one of.
// The vector is only lent for the call.
func (s *Store) EachMemoryVector(ctx context.Context, owner, namespace, model string, f func(number int64, vector []byte)) error {
	return s.explained(s.read(ctx, func(q *statements) error {
		scope, ok, err := findScope(ctx, q, owner, namespace)
		if err != nil || !ok {
			return err
		}
		var number int64
		var vector sql.RawBytes
		return q.each(ctx, func(rows *sql.Rows) error {
			if err := rows.Scan(&number, &vector); err != nil {
				return err
			}
			f(number, vector)
			return nil
		}, "SELECT memory, vector FROM memory_vectors WHERE scope = ? AND model = ?", scope, model)
	}))
}

// MemoriesWithoutVector returns memories of an owner's namespace that the model has no vector of, newest first, at most limit,
// and how many there are.
func (s *Store) MemoriesWithoutVector(ctx context.Context, owner, namespace, model string, limit int) (list []Memory, total int64, err error) {
	err = s.read(ctx, func(q *statements) error {
		list, total = nil, 0
		scope, ok, err := findScope(ctx, q, owner, namespace)
		if err != nil || !ok {
			return err
		}
		var all, have int64
		err = q.row(ctx, `SELECT (SELECT memories FROM memory_scopes WHERE id = ?), (SELECT count(*) FROM memory_vectors WHERE scope = ? AND model = ?)`,
			scope, scope, model).Scan(&all, &have)
		if total = max(0, all-have); err != nil || total == 0 || limit <= 0 {
			return err
		}
		return q.each(ctx, func(rows *sql.Rows) error {
			m, err := scanMemory(rows)
			list = append(list, m)
			return err
		}, "SELECT "+memoryColumns+fromMemories+`WHERE m.scope = ?
			AND NOT EXISTS (SELECT 1 FROM memory_vectors v WHERE v.scope = m.scope AND v.memory = m.number AND v.model = ?)
			ORDER BY m.number DESC LIMIT ?`, scope, model, limit)
	})
	return list, total, s.explained(err)
}
