package sqlite

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"catena/internal/store"
)

// lazyDelay is how long a write that nobody waits for may wait for company.
const lazyDelay = 5 * time.Millisecond

// maxBatch bounds the writes of one transaction.
const maxBatch = 256

// write is one entry of the queue. do may run twice: when a transaction of several fails, each is tried again alone.
type write struct {
	do   func(ctx context.Context, q *statements) error
	done func(error) // called once, from the committer
	lazy bool        // no sync to disk of its own
	soon bool        // a lazy one that somebody waits for: it waits for no company
	// frees says that it makes room, and may use the reserve for that.
	frees bool
}

// enqueue hands a write to the committer; it blocks while the queue is full.
func (s *Store) enqueue(ctx context.Context, w write) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return store.ErrClosed
	}
	select {
	case s.queue <- w:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// write runs do in the next transaction and returns when it is on disk. The context counts until do is queued; after that
// the outcome is awaited, so that an answer is always the truth.
func (s *Store) write(ctx context.Context, do func(ctx context.Context, q *statements) error) error {
	done := make(chan error, 1)
	if err := s.enqueue(ctx, write{do: do, done: func(err error) { done <- err }}); err != nil {
		return err
	}
	return <-done
}

// writeFreeing is write for what makes room in the file.
func (s *Store) writeFreeing(ctx context.Context, do func(ctx context.Context, q *statements) error) error {
	done := make(chan error, 1)
	if err := s.enqueue(ctx, write{do: do, frees: true, done: func(err error) { done <- err }}); err != nil {
		return err
	}
	return <-done
}

// writeLazy queues do and returns. Writes keep their order, so whatever is written after it and awaited takes it to disk too.
func (s *Store) writeLazy(ctx context.Context, do func(ctx context.Context, q *statements) error, done func(error)) error {
	return s.enqueue(ctx, write{do: do, lazy: true, done: func(err error) {
		if done != nil {
			done(err)
		}
		s.opts.ReportError(err)
	}})
}

// writeSoon runs do in the next transaction and returns when that is committed, and not yet synced to disk: it outlives the process, and a crash
// of the machine only with a later write that is awaited.
func (s *Store) writeSoon(ctx context.Context, do func(ctx context.Context, q *statements) error) error {
	done := make(chan error, 1)
	if err := s.enqueue(ctx, write{do: do, lazy: true, soon: true, done: func(err error) { done <- err }}); err != nil {
		return err
	}
	return <-done
}

// read runs do on a reading connection; in memory it takes its turn with the writes, as there is one connection.
func (s *Store) read(ctx context.Context, do func(q *statements) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if s.reads == nil {
		return s.write(ctx, func(_ context.Context, q *statements) error { return do(q) })
	}
	s.mu.RLock()
	closed := s.closed
	s.mu.RUnlock()
	if closed {
		return store.ErrClosed
	}
	err := s.fault(do(s.reads))
	s.trouble.note(err, false, s.opts.Now())
	return err
}

// commitAll is the committer: it takes what is queued, commits it together, and tells each writer.
func (s *Store) commitAll() {
	defer s.ending.Done()
	synced := true // synchronous=FULL is how the connection was opened
	batch := make([]write, 0, maxBatch)
	for first := range s.queue {
		batch = s.gather(append(batch[:0], first))
		sync := false
		for _, w := range batch {
			sync = sync || !w.lazy
		}
		var err error
		if sync {
			err = s.present()
		}
		if err == nil && sync != synced {
			if err = s.setSync(sync); err == nil {
				synced = sync
			}
		}
		if err != nil && sync {
			// Without the sync nobody may be told that it is on disk. The next batch tries again.
			tell(batch, fmt.Errorf("store: nothing was written, because it would not be on disk: %w", s.explain(err)))
		} else if batch = s.admitted(batch); len(batch) > 0 {
			s.commit(batch)
		}
		clear(batch)
	}
}

// tell gives each writer the same outcome.
func tell(batch []write, err error) {
	for _, w := range batch {
		w.done(err)
	}
}

// gather takes what else is queued; while nobody waits, it gives lazyDelay for more to come.
func (s *Store) gather(batch []write) []write {
	var timer <-chan time.Time
	if batch[0].lazy && !batch[0].soon {
		timer = time.After(lazyDelay)
	}
	for len(batch) < maxBatch {
		w, ok := s.next(timer)
		if !ok {
			break
		}
		if batch = append(batch, w); !w.lazy || w.soon {
			timer = nil
		}
	}
	return batch
}

// next takes one more write: what is there now, or, with a timer, what comes before it fires.
func (s *Store) next(timer <-chan time.Time) (w write, ok bool) {
	select {
	case w, ok = <-s.queue:
		return w, ok
	default:
	}
	if timer == nil {
		return write{}, false
	}
	select {
	case w, ok = <-s.queue:
		return w, ok
	case <-timer:
		return write{}, false
	}
}

// setSync chooses whether commits wait for the disk. In WAL mode a later commit that does takes the earlier ones along.
func (s *Store) setSync(full bool) error {
	query := "PRAGMA synchronous = NORMAL"
	if full {
		query = "PRAGMA synchronous = FULL"
	}
	_, err := s.writes.exec(context.Background(), query)
	return err
}

// commit writes a batch in one transaction, or, when one of several fails, each in its own.
func (s *Store) commit(batch []write) {
	if len(batch) > 1 {
		if err := s.transact(batch); err == nil {
			tell(batch, nil)
			return
		}
	}
	for _, w := range batch {
		w.done(s.free(w))
	}
}

// admitted are those of a batch that may be written while there is no reserve; the others are told why not.
func (s *Store) admitted(batch []write) []write {
	if !s.deletionSpace.spent.Load() {
		return batch
	}
	rest := batch[:0]
	for _, w := range batch {
		if err := s.roomFor(w); err != nil {
			w.done(err)
			continue
		}
		rest = append(rest, w)
	}
	return rest
}

// transact runs writes in one transaction; any error leaves the store as it was.
func (s *Store) transact(batch []write) error {
	err := s.fault(s.transaction(batch))
	s.opts.ReportError(s.mover.committed())
	s.trouble.note(err, true, s.opts.Now())
	return err
}

func (s *Store) transaction(batch []write) error {
	ctx := context.Background()
	if _, err := s.writes.exec(ctx, "BEGIN IMMEDIATE"); err != nil {
		return s.explain(err)
	}
	for _, w := range batch {
		if err := w.do(ctx, s.writes); err != nil {
			return s.rollback(ctx, err)
		}
	}
	if _, err := s.writes.exec(ctx, "COMMIT"); err != nil {
		return s.rollback(ctx, s.explain(err))
	}
	return nil
}

func (s *Store) rollback(ctx context.Context, cause error) error {
	if _, err := s.writes.exec(ctx, "ROLLBACK"); err != nil && !strings.Contains(err.Error(), "no transaction is active") { // a full disk ends it
		return errors.Join(cause, err)
	}
	return cause
}
