package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"catena/internal/store/backend"
)

// noRow takes a query without a row for one with zero values.
func noRow(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	return err
}

// MemoryCount returns how many memories an owner has, and how many changes there were: the second differs whenever the
// memories do.
func (s *Store) MemoryCount(ctx context.Context, owner string) (memories, changes int64, err error) {
	err = s.read(ctx, func(q *statements) error {
		return noRow(q.row(ctx, "SELECT memories, changes FROM memory_owners WHERE owner = ?", owner).Scan(&memories, &changes))
	})
	return memories, changes, s.explained(err)
}

// GetMemory returns a memory of the owner's.
func (s *Store) GetMemory(ctx context.Context, owner, id string) (m Memory, err error) {
	err = s.read(ctx, func(q *statements) error {
		var err error
		m, err = scanMemory(q.row(ctx, "SELECT "+memoryColumns+fromMemories+"WHERE m.id = ? AND s.owner = ?", id, owner))
		if errors.Is(err, sql.ErrNoRows) {
			return backend.Missing("memory", id)
		}
		return err
	})
	return m, s.explained(err)
}

// ListMemories returns an owner's memories, newest first, at most limit of those older than the one numbered before (0 for
// all); namespace "" means every one. total counts all that the owner has in the namespace.
func (s *Store) ListMemories(ctx context.Context, owner, namespace string, before int64, limit int) (list []Memory, total int64, err error) {
	if before <= 0 {
		before = 1<<63 - 1
	}
	err = s.read(ctx, func(q *statements) error {
		list = nil
		scopes, sum, err := ownScopes(ctx, q, owner, namespace)
		total = sum
		if err != nil || len(scopes) == 0 {
			return err
		}
		return q.each(ctx, func(rows *sql.Rows) error {
			m, err := scanMemory(rows)
			list = append(list, m)
			return err
		}, "SELECT "+memoryColumns+fromMemories+`WHERE m.number IN
			(SELECT number FROM memories WHERE scope IN (SELECT value FROM json_each(?)) AND number < ? ORDER BY number DESC LIMIT ?)
			AND s.owner = ? ORDER BY m.number DESC`, numberList(scopes), before, max(limit, 0), owner)
	})
	return list, total, s.explained(err)
}

// ownScopes returns the numbers of an owner's namespaces, or of one, and how many memories they have.
func ownScopes(ctx context.Context, q *statements, owner, namespace string) (scopes []int64, memories int64, err error) {
	err = q.each(ctx, func(rows *sql.Rows) error {
		var id, n int64
		err := rows.Scan(&id, &n)
		scopes, memories = append(scopes, id), memories+n
		return err
	}, "SELECT id, memories FROM memory_scopes WHERE owner = ? AND (? = '' OR namespace = ?)", owner, namespace, namespace)
	return scopes, memories, err
}

func numberList(numbers []int64) string {
	if len(numbers) == 0 {
		return "[]"
	}
	b, err := json.Marshal(numbers)
	if err != nil {
		panic(err) // integers always encode
	}
	return string(b)
}

// MemoriesByNumber returns those memories of an owner's namespace that have one of the numbers, in no particular order.
func (s *Store) MemoriesByNumber(ctx context.Context, owner, namespace string, numbers []int64) (list []Memory, err error) {
	err = s.read(ctx, func(q *statements) error {
		list = make([]Memory, 0, len(numbers))
		scope, ok, err := findScope(ctx, q, owner, namespace)
		if err != nil || !ok {
			return err
		}
		return q.each(ctx, func(rows *sql.Rows) error {
			m, err := scanMemory(rows)
			list = append(list, m)
			return err
		}, "SELECT "+memoryColumns+fromMemories+"WHERE m.number IN (SELECT value FROM json_each(?)) AND m.scope = ?", numberList(numbers), scope)
	})
	return list, s.explained(err)
}

// FormerMemories returns the former versions of an owner's memories with the numbers, by memory and version.
func (s *Store) FormerMemories(ctx context.Context, owner string, numbers []int64) (list []FormerMemory, err error) {
	err = s.read(ctx, func(q *statements) error {
		list = nil
		return q.each(ctx, func(rows *sql.Rows) error {
			var f FormerMemory
			var tags string
			var created, superseded int64
			if err := rows.Scan(&f.ID, &f.Version, &f.Content, &tags, &created, &superseded); err != nil {
				return err
			}
			f.Created, f.Superseded = time.UnixMicro(created).UTC(), time.UnixMicro(superseded).UTC()
			list = append(list, f)
			return json.Unmarshal([]byte(tags), &list[len(list)-1].Tags)
		}, `SELECT m.id, v.version, v.content, v.tags, v.created, v.superseded
			FROM memory_versions v JOIN memories m ON m.number = v.memory JOIN memory_scopes s ON s.id = m.scope
			WHERE v.memory IN (SELECT value FROM json_each(?)) AND s.owner = ? ORDER BY v.memory, v.version`, numberList(numbers), owner)
	})
	return list, s.explained(err)
}
