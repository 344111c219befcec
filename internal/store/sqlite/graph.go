package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"

	"catena/internal/store/backend"
)

// GraphTx is what a change of an owner's graph may do. It is an alias of an interface without a name, so that consumers can
// declare the same type without this package. It is for the one goroutine that runs the change, and only until that returns.
type GraphTx = interface {
	// Empty says that nothing was written since the graph began, or since the last Clear.
	Empty() bool
	// Get returns a document; one that is not there gives an error that wraps fs.ErrNotExist.
	Get(kind, id string) ([]byte, error)
	// Put writes a document in place of an earlier one of its kind and id.
	Put(kind, id string, body []byte) error
	// Add writes an event: what happened at a time (microseconds since 1970). A taken id gives fs.ErrExist.
	Add(id string, at int64, body []byte) error
	// Has reports whether there is an event of this id.
	Has(id string) (bool, error)
	// Clear removes all documents and events of the owner.
	Clear() error
}

// GraphRead reads what changed in an owner's graph since a version of it, in one snapshot: head is called once with the present
// version and the number of events, then each for every document that was written later, in no order. A graph is new (a larger
// epoch) after each Clear; all its documents are then given. Version 0 is a graph without anything, as for an unknown owner.
// Neither may call the store. Give epoch and version 0 to read everything.
func (s *Store) GraphRead(ctx context.Context, owner string, epoch, version int64,
	head func(epoch, version, events int64), each func(kind, id string, body []byte) error) error {
	return s.read(ctx, func(q *statements) error {
		told := false
		err := q.each(ctx, func(rows *sql.Rows) error {
			var e, v, n int64
			var kind, id sql.NullString
			var body []byte
			if err := rows.Scan(&e, &v, &n, &kind, &id, &body); err != nil {
				return err
			}
			if !told {
				told = true
				head(e, v, n)
			}
			if !kind.Valid {
				return nil
			}
			return each(kind.String, id.String, body)
		}, `SELECT h.epoch, h.version, h.events, d.kind, d.id, d.body FROM graph_heads h
			LEFT JOIN graph_docs d ON d.owner = h.owner AND d.version > CASE WHEN h.epoch = ? THEN ? ELSE 0 END
			WHERE h.owner = ?`, epoch, version, owner)
		if err == nil && !told {
			head(0, 0, 0)
		}
		return err
	})
}

// GraphEvents reads the owner's newest events, newest first. A limit below 1 means all. each may not call the store.
func (s *Store) GraphEvents(ctx context.Context, owner string, limit int, each func(id string, body []byte) error) error {
	if limit < 1 {
		limit = -1 // SQLite's word for no limit
	}
	return s.read(ctx, func(q *statements) error {
		return q.each(ctx, func(rows *sql.Rows) error {
			var id string
			var body []byte
			if err := rows.Scan(&id, &body); err != nil {
				return err
			}
			return each(id, body)
		}, "SELECT id, body FROM graph_events WHERE owner = ? ORDER BY at DESC, id DESC LIMIT ?", owner, limit)
	})
}

// GraphChange changes an owner's graph in one transaction: all that change writes is on disk when it returns nil, and nothing
// of it is there when it returns an error. Changes come one after the other, whoever makes them. change may run twice, so it
// sets what it keeps and never adds to it; it may not call the store. When ctx ends before change runs, nothing is done.
func (s *Store) GraphChange(ctx context.Context, owner string, change func(tx GraphTx) error) error {
	var refused error
	var cleared bool
	err := s.write(ctx, func(wctx context.Context, q *statements) error {
		tx := &graphTx{ctx: wctx, q: q, owner: owner}
		refused = tx.run(ctx, change)
		cleared = tx.cleared
		return tx.toUndo(refused)
	})
	if err == nil && cleared {
		s.unscrubbed.Store(true) // the next sweep empties the write-ahead log of what was deleted
	}
	if err == nil {
		err = refused
	}
	return err
}

// run makes the change.
func (t *graphTx) run(ctx context.Context, change func(tx GraphTx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := t.begin(); err != nil {
		return err
	}
	if err := change(t); err != nil {
		return err
	}
	return t.end()
}

// toUndo is what the transaction is to be undone for. A change that failed before it wrote anything is none of it: the writes
// that share the transaction need not suffer.
func (t *graphTx) toUndo(err error) error {
	if !t.changed {
		return nil
	}
	return err
}

// graphTx is one change of a graph.
type graphTx struct {
	ctx     context.Context // of the transaction
	q       *statements
	owner   string
	epoch   int64
	version int64
	events  int64
	changed bool // there is something to take back
	cleared bool
	put     bool // something was written under the next version
}

// begin reads the head of the graph.
func (t *graphTx) begin() error {
	err := t.q.row(t.ctx, "SELECT epoch, version, events FROM graph_heads WHERE owner = ?", t.owner).Scan(&t.epoch, &t.version, &t.events)
	if errors.Is(err, sql.ErrNoRows) {
		t.epoch = 1
		return nil
	}
	return err
}

// end writes the head, with the version that the documents of this change have.
func (t *graphTx) end() error {
	if !t.changed {
		return nil
	}
	if t.put {
		t.version++
	}
	_, err := t.q.exec(t.ctx, `INSERT INTO graph_heads (owner, epoch, version, events) VALUES (?, ?, ?, ?)
		ON CONFLICT (owner) DO UPDATE SET epoch = excluded.epoch, version = excluded.version, events = excluded.events`,
		t.owner, t.epoch, t.version, t.events)
	return err
}

func (t *graphTx) Empty() bool { return t.version == 0 && !t.put }

func (t *graphTx) Get(kind, id string) ([]byte, error) {
	var body []byte
	err := t.q.row(t.ctx, "SELECT body FROM graph_docs WHERE owner = ? AND kind = ? AND id = ?", t.owner, kind, id).Scan(&body)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("store: %s: %w", kind, fs.ErrNotExist)
	}
	return body, err
}

func (t *graphTx) Put(kind, id string, body []byte) error {
	t.changed, t.put = true, true
	_, err := t.q.exec(t.ctx, `INSERT INTO graph_docs (owner, kind, id, version, body) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (owner, kind, id) DO UPDATE SET version = excluded.version, body = excluded.body`,
		t.owner, kind, id, t.version+1, blob(body))
	return err
}

func (t *graphTx) Add(id string, at int64, body []byte) error {
	t.changed, t.put = true, true
	n, err := t.q.exec(t.ctx, "INSERT INTO graph_events (owner, id, at, body) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
		t.owner, id, at, blob(body))
	if err == nil && n == 0 {
		return backend.Taken("event", id)
	}
	t.events++
	return err
}

func (t *graphTx) Has(id string) (bool, error) {
	var one int
	err := t.q.row(t.ctx, "SELECT 1 FROM graph_events WHERE owner = ? AND id = ?", t.owner, id).Scan(&one)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

func (t *graphTx) Clear() error {
	t.changed, t.put, t.cleared = true, false, true
	for _, query := range []string{"DELETE FROM graph_docs WHERE owner = ?", "DELETE FROM graph_events WHERE owner = ?"} {
		if _, err := t.q.exec(t.ctx, query, t.owner); err != nil {
			return err
		}
	}
	t.epoch, t.version, t.events = t.epoch+1, 0, 0
	return nil
}
