package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"catena/internal/store/backend"
)

// Memory is a remembered text. It is an unnamed struct type, so that consumers can declare the same one and agree by shape.
type Memory = struct {
	Number    int64 // row number: grows with every memory of the store, never used twice
	ID        string
	Namespace string
	Content   string
	Tags      []string
	Created   time.Time // UTC, microseconds
	Updated   time.Time
	Version   int // from 1; grows with every change of the content or the tags
}

// FormerMemory is what a memory said before it was changed.
type FormerMemory = struct {
	ID         string // of the memory
	Version    int
	Content    string
	Tags       []string
	Created    time.Time // when this version was written
	Superseded time.Time
}

// MemoryIndex is what a text is found by.
type MemoryIndex = struct {
	// Terms go into the full-text index. Each consists of lower-case ASCII letters, digits, '=', '_' and any characters
	// beyond ASCII.
	Terms []string
	// Words go into the owner's vocabulary, which MemoryWords reads.
	Words  []string
	Bands  []int64 // texts that are alike have one in common; see MemoriesAlike
	Length int     // words of the text, for mean lengths
	Digest []byte  // equal for texts that say the same; unique within an owner's namespace
}

// Outcomes of AddMemory.
const (
	MemoryAdded     = "added"
	MemoryDuplicate = "duplicate" // there is one with this digest; it was left as it was
	MemoryFull      = "full"      // the owner has as many as allowed
)

// memoryColumns are what scanMemory reads.
const memoryColumns = "m.number, m.id, s.namespace, m.content, m.tags, m.created, m.updated, m.version"

// fromMemories joins memories with their scope: whose they are.
const fromMemories = " FROM memories m JOIN memory_scopes s ON s.id = m.scope "

func scanMemory(row interface{ Scan(...any) error }) (Memory, error) {
	var m Memory
	var tags string
	var created, updated int64
	if err := row.Scan(&m.Number, &m.ID, &m.Namespace, &m.Content, &tags, &created, &updated, &m.Version); err != nil {
		return Memory{}, err
	}
	m.Created, m.Updated = time.UnixMicro(created).UTC(), time.UnixMicro(updated).UTC()
	return m, json.Unmarshal([]byte(tags), &m.Tags)
}

func jsonList(list []string) string {
	if len(list) == 0 {
		return "[]"
	}
	b, err := json.Marshal(list)
	if err != nil {
		panic(err) // strings always encode
	}
	return string(b)
}

// AddMemory keeps a memory under m.ID; Number, Updated and Version are filled here. When the owner's namespace has one with
// the same digest, that one is returned and nothing is written; when the owner has most memories already, nothing is written
// either. What is added is durable when it returns. A taken id gives fs.ErrExist, whoever owns it.
func (s *Store) AddMemory(ctx context.Context, owner string, m Memory, index MemoryIndex, most int64) (kept Memory, outcome string, err error) {
	terms := strings.Join(index.Terms, " ")
	err = s.write(ctx, func(ctx context.Context, q *statements) error {
		scope, known, err := findScope(ctx, q, owner, m.Namespace)
		if err != nil {
			return err
		}
		kept, err = scanMemory(q.row(ctx, "SELECT "+memoryColumns+fromMemories+"WHERE m.scope = ? AND m.digest = ?", scope, index.Digest))
		if err == nil {
			outcome = MemoryDuplicate
			return nil
		} else if !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		if outcome, err = countIn(ctx, q, owner, most); err != nil || outcome == MemoryFull {
			return err
		}
		if !known {
			if scope, err = makeScope(ctx, q, owner, m.Namespace); err != nil {
				return err
			}
		}
		kept = m
		kept.Updated, kept.Version = m.Created, 1
		err = q.row(ctx, `INSERT INTO memories (id, scope, content, tags, created, updated, version, digest, length, terms, bands)
			VALUES (?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING RETURNING number`,
			m.ID, scope, m.Content, jsonList(m.Tags), m.Created.UnixMicro(), m.Created.UnixMicro(), index.Digest, index.Length, terms, numberList(index.Bands)).Scan(&kept.Number)
		if errors.Is(err, sql.ErrNoRows) {
			return backend.Taken("memory", m.ID)
		} else if err != nil {
			return err
		}
		if err := indexMemory(ctx, q, scope, kept.Number, terms, index); err != nil {
			return err
		}
		return resize(ctx, q, scope, 1, index.Length)
	})
	return kept, outcome, s.explained(err)
}

// countIn counts one more memory of an owner, and a change, unless it has most already.
func countIn(ctx context.Context, q *statements, owner string, most int64) (string, error) {
	n, err := q.exec(ctx, `INSERT INTO memory_owners (owner, memories, changes) SELECT ?, 1, 1 WHERE ? > 0
		ON CONFLICT (owner) DO UPDATE SET memories = memories + 1, changes = changes + 1 WHERE memories < ?`, owner, most, most)
	if err == nil && n == 0 {
		return MemoryFull, nil
	}
	return MemoryAdded, err
}

// makeScope gives an owner's new namespace its number.
func makeScope(ctx context.Context, q *statements, owner, namespace string) (scope int64, err error) {
	err = q.row(ctx, "INSERT INTO memory_scopes (owner, namespace) VALUES (?, ?) RETURNING id", owner, namespace).Scan(&scope)
	return scope, err
}

func findScope(ctx context.Context, q *statements, owner, namespace string) (scope int64, ok bool, err error) {
	err = q.row(ctx, "SELECT id FROM memory_scopes WHERE owner = ? AND namespace = ?", owner, namespace).Scan(&scope)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, false, nil
	}
	return scope, err == nil, err
}

// resize adds to the sizes of a scope, which mean lengths are computed from.
func resize(ctx context.Context, q *statements, scope int64, memories, words int) error {
	_, err := q.exec(ctx, "UPDATE memory_scopes SET memories = memories + ?, words = words + ? WHERE id = ?", memories, words, scope)
	return err
}

// changed counts a change of an owner's memories.
func changed(ctx context.Context, q *statements, owner string, memories int) error {
	_, err := q.exec(ctx, "UPDATE memory_owners SET memories = memories + ?, changes = changes + 1 WHERE owner = ?", memories, owner)
	return err
}

// maxVersions bounds the former versions of a memory: the newest are kept.
const maxVersions = 1000

// ChangeMemory changes a memory in one step that no other change can come between: change gets what it says now and returns
// what it shall say, index makes the index of that. Both may be called twice and must not use the store. With keep the former
// version is kept, the last thousand of them. It returns the memory as it is now. When another memory of the namespace says the same already, it returns
// that one with an error that wraps fs.ErrExist. It is durable when it returns.
func (s *Store) ChangeMemory(ctx context.Context, owner, id string, keep bool, at time.Time,
	change func(content string, tags []string) (string, []string), index func(content string, tags []string) MemoryIndex,
) (now Memory, err error) {
	err = s.write(ctx, func(ctx context.Context, q *statements) error {
		old, row, err := ownMemory(ctx, q, owner, id)
		if err != nil {
			return err
		}
		now = old
		now.Content, now.Tags = change(old.Content, append([]string{}, old.Tags...))
		if now.Tags == nil {
			now.Tags = []string{} // as it is read
		}
		if now.Content == old.Content && jsonList(now.Tags) == jsonList(old.Tags) {
			now = old
			return nil
		}
		entry := index(now.Content, now.Tags)
		if other, err := sameDigest(ctx, q, row.scope, old.Number, entry.Digest); err != nil || other.ID != "" {
			if err == nil {
				now, err = other, backend.Taken("memory", other.ID)
			}
			return err
		}
		if now.Updated = at.UTC(); !now.Updated.After(old.Updated) {
			now.Updated = old.Updated.Add(time.Microsecond) // versions have an order, whatever the clock does
		}
		if keep {
			now.Version++
			if _, err := q.exec(ctx, "INSERT INTO memory_versions (memory, version, content, tags, created, superseded) VALUES (?, ?, ?, ?, ?, ?)",
				old.Number, old.Version, old.Content, jsonList(old.Tags), old.Updated.UnixMicro(), now.Updated.UnixMicro()); err != nil {
				return err
			}
			if _, err := q.exec(ctx, "DELETE FROM memory_versions WHERE memory = ? AND version < ?", old.Number, now.Version-maxVersions); err != nil {
				return err
			}
		}
		return rewrite(ctx, q, owner, row, old.Content != now.Content, now, entry)
	})
	return now, s.explained(err)
}

// memoryRow is what the index of a memory was made of.
type memoryRow struct {
	scope  int64
	terms  string
	bands  string
	length int
}

func ownMemory(ctx context.Context, q *statements, owner, id string) (Memory, memoryRow, error) {
	m, err := scanMemory(q.row(ctx, "SELECT "+memoryColumns+fromMemories+"WHERE m.id = ? AND s.owner = ?", id, owner))
	if errors.Is(err, sql.ErrNoRows) {
		return m, memoryRow{}, backend.Missing("memory", id)
	} else if err != nil {
		return m, memoryRow{}, err
	}
	var row memoryRow
	err = q.row(ctx, "SELECT scope, terms, bands, length FROM memories WHERE number = ?", m.Number).Scan(&row.scope, &row.terms, &row.bands, &row.length)
	return m, row, err
}

// sameDigest finds another memory of the scope that says the same; its zero value says that there is none.
func sameDigest(ctx context.Context, q *statements, scope, number int64, digest []byte) (Memory, error) {
	m, err := scanMemory(q.row(ctx, "SELECT "+memoryColumns+fromMemories+"WHERE m.scope = ? AND m.digest = ? AND m.number <> ?", scope, digest, number))
	if errors.Is(err, sql.ErrNoRows) {
		return Memory{}, nil
	}
	return m, err
}

// rewrite replaces a memory's row and its index. A vector of the former text goes.
func rewrite(ctx context.Context, q *statements, owner string, old memoryRow, said bool, m Memory, index MemoryIndex) error {
	terms := strings.Join(index.Terms, " ")
	if err := unindexMemory(ctx, q, m.Number, old); err != nil {
		return err
	}
	_, err := q.exec(ctx, "UPDATE memories SET content = ?, tags = ?, updated = ?, version = ?, digest = ?, length = ?, terms = ?, bands = ? WHERE number = ?",
		m.Content, jsonList(m.Tags), m.Updated.UnixMicro(), m.Version, index.Digest, index.Length, terms, numberList(index.Bands), m.Number)
	if err != nil {
		return err
	}
	if said {
		if _, err := q.exec(ctx, "DELETE FROM memory_vectors WHERE memory = ?", m.Number); err != nil {
			return err
		}
	}
	if err := indexMemory(ctx, q, old.scope, m.Number, terms, index); err != nil {
		return err
	}
	if err := dropWords(ctx, q, old.scope, old.terms); err != nil {
		return err
	}
	if err := resize(ctx, q, old.scope, 0, index.Length-old.length); err != nil {
		return err
	}
	return changed(ctx, q, owner, 0)
}

// DeleteMemory removes a memory with its former versions, its index and its vector. The bytes are overwritten, also in the
// write-ahead log as soon as no reader needs that.
func (s *Store) DeleteMemory(ctx context.Context, owner, id string) error {
	err := s.writeFreeing(ctx, func(ctx context.Context, q *statements) error {
		m, row, err := ownMemory(ctx, q, owner, id)
		if err != nil {
			return err
		}
		if err := unindexMemory(ctx, q, m.Number, row); err != nil {
			return err
		}
		if _, err := q.exec(ctx, "DELETE FROM memories WHERE number = ?", m.Number); err != nil {
			return err // versions and vectors go with it
		}
		if err := dropWords(ctx, q, row.scope, row.terms); err != nil {
			return err
		}
		if err := resize(ctx, q, row.scope, -1, -row.length); err != nil {
			return err
		}
		if _, err := q.exec(ctx, "DELETE FROM memory_scopes WHERE id = ? AND memories = 0", row.scope); err != nil {
			return err
		}
		return changed(ctx, q, owner, -1)
	})
	if err != nil {
		return s.explained(err)
	}
	s.tidy(ctx)
	return nil
}

// explained says what a driver's error means; other errors stay as they are.
func (s *Store) explained(err error) error {
	if err == nil {
		return nil
	}
	return s.explain(err)
}
