package handle

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"catena/table"
	"catena/table/columnar"
)

// writer puts tables into a store behind the calls that made them: a step does not wait for the disk. Tables that are
// stored packed go a way of their own: a run ends when its tables are stored, and those of most runs are small, while
// to pack what somebody uploaded takes some tenths of a second.
type writer struct {
	store        Store
	log          *slog.Logger
	saved        func(owner, handle string) // is told of each table that was stored
	small, large chan job
	done         sync.WaitGroup
	mu           sync.RWMutex // held for reading while a job is put, so that close never meets a put
	ended        bool

	openMu sync.Mutex
	open   map[string][]chan struct{} // job.written of each run that has some under way
}

// job is a table to write, or, without one, only a mark in a queue.
type job struct {
	owner   string
	meta    Meta
	table   *table.Table
	written chan struct{} // closed when this and the jobs before it in its queue are done
}

const (
	// backlog is how many tables may wait in each queue; then Put waits for the store.
	backlog = 128
	// oneWrite bounds a single write, so that close ends.
	oneWrite = 10 * time.Second
)

func newWriter(store Store, log *slog.Logger, saved func(owner, handle string)) *writer {
	w := &writer{
		store: store,
		log:   log,
		saved: saved,
		small: make(chan job, backlog),
		large: make(chan job, backlog),
		open:  map[string][]chan struct{}{},
	}
	w.done.Go(func() { w.work(w.small) })
	w.done.Go(func() { w.work(w.large) })
	return w
}

func (w *writer) work(jobs <-chan job) {
	for j := range jobs {
		if j.table == nil {
			close(j.written)
			continue
		}
		ctx, cancel := context.WithTimeout(context.Background(), oneWrite)
		if err := save(ctx, w.store, j); err != nil {
			w.log.Warn(
				"a table could not be stored and will not outlive this process",
				"table",
				j.meta.Handle,
				"error",
				err.Error(),
			)
		} else {
			w.saved(j.owner, j.meta.Handle)
		}
		cancel()
		w.over(j)
	}
}

// over tells who waits that a job is done, or is not to be.
func (w *writer) over(j job) {
	w.openMu.Lock()
	run := j.meta.Run
	w.open[run] = slices.DeleteFunc(w.open[run], func(c chan struct{}) bool { return c == j.written })
	if len(w.open[run]) == 0 {
		delete(w.open, run)
	}
	w.openMu.Unlock()
	close(j.written)
}

// settled returns when the tables of a run that were put before are done.
func (w *writer) settled(ctx context.Context, run string) error {
	w.openMu.Lock()
	jobs := slices.Clone(w.open[run])
	w.openMu.Unlock()
	return await(ctx, jobs...)
}

// await returns when all are closed, or the context's error.
func await(ctx context.Context, all ...chan struct{}) error {
	for _, done := range all {
		select {
		case <-done:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

func (w *writer) put(ctx context.Context, owner string, meta Meta, tab *table.Table) {
	w.mu.RLock()
	defer w.mu.RUnlock()
	if w.ended {
		return
	}
	j := job{owner: owner, meta: meta, table: tab, written: make(chan struct{})}
	if meta.Run != "" {
		w.openMu.Lock()
		w.open[meta.Run] = append(w.open[meta.Run], j.written)
		w.openMu.Unlock()
	}
	queue := w.small
	if SizeOf(tab) > packedFrom {
		queue = w.large
	}
	select {
	case queue <- j:
	case <-ctx.Done():
		w.over(j)
		w.log.Warn("a table was not stored because its call was cancelled", "table", meta.Handle)
	}
}

func (w *writer) close() {
	w.mu.Lock()
	if !w.ended {
		w.ended = true
		close(w.small)
		close(w.large)
	}
	w.mu.Unlock()
	w.done.Wait()
}

// packedFrom is the size from which tables are stored packed, in bytes. A packer costs a call over MCP more than all
// else where a table has a thousand rows, and 2 MB of buffers; what it would save is small there.
const packedFrom = 256 << 10

func save(ctx context.Context, store Store, j job) error {
	meta, err := json.Marshal(j.meta)
	if err != nil {
		return fmt.Errorf("meta: %w", err)
	}
	var b bytes.Buffer
	if err := columnar.WriteIPC(ctx, &b, j.table); err != nil {
		return err
	}
	if b.Len() > packedFrom {
		b.Reset()
		if err := columnar.WriteIPCPacked(ctx, &b, j.table); err != nil {
			return err
		}
	}
	return store.PutHandle(ctx, j.owner, j.meta.Handle, j.meta.Session, j.meta.Run, meta, b.Bytes(), j.meta.Expires)
}

func loadHandle(ctx context.Context, store Store, owner, handle string) (*table.Table, Meta, error) {
	raw, content, err := store.GetHandle(ctx, owner, handle)
	if err != nil {
		return nil, Meta{}, err
	}
	var meta Meta
	if err := json.Unmarshal(raw, &meta); err != nil {
		return nil, Meta{}, fmt.Errorf("meta: %w", err)
	}
	tab, err := columnar.ReadStored(content)
	if err != nil {
		return nil, Meta{}, err
	}
	return tab, meta, nil
}

// lister is what a Store may do beside: list an owner's tables, newest first. internal/store does.
type lister interface {
	ListHandles(ctx context.Context, owner, session string, limit int) (handles []string, metas [][]byte, err error)
}

const (
	maxAsked    = 4096            // sessions of an owner that are remembered as asked for
	maxRecalled = 200             // tables of a session that a former process left
	recallLimit = 2 * time.Second // for asking the store
)

// recall learns which tables others kept for a session: a former process, and where the store is shared those that run
// beside this one. Their cells are read when somebody asks for them.
func (t *Tables) recall(owner, session string) {
	if owner == "" || t.asked(owner, session) && !(t.opt.Shared && session != "") {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), recallLimit)
	defer cancel()
	if err := t.learn(ctx, owner, session, maxRecalled); err != nil {
		t.opt.Log.Warn("the tables of a session could not be listed", "error", err.Error())
	}
}

// asked reports whether the store was asked for the tables of a session, and marks it so.
func (t *Tables) asked(owner, session string) bool {
	if _, ok := t.opt.Store.(lister); !ok {
		return true
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.shelf(owner)
	known := s.asked[session]
	if len(s.asked) >= maxAsked {
		clear(s.asked) // the store is asked again, nothing is lost
	}
	s.asked[session] = true
	return known
}

// learn takes over what the store knows of the newest tables of a session, at most limit, that are not in memory.
func (t *Tables) learn(ctx context.Context, owner, session string, limit int) error {
	store, ok := t.opt.Store.(lister)
	if !ok || t.sessionGone(ctx, owner, session) {
		return nil
	}
	handles, metas, err := store.ListHandles(ctx, owner, session, limit)
	if err != nil {
		return err
	}
	for i, raw := range metas {
		if t.find(owner, handles[i]) != nil {
			continue
		}
		var meta Meta
		err := json.Unmarshal(raw, &meta)
		if err == nil && meta.Source == SourceAnswer {
			continue
		}
		if err != nil || !Is(meta.Handle) {
			t.opt.Log.Warn("a stored table has no readable description", "owner", owner)
			continue
		}
		if !t.opt.Now().After(meta.Expires) {
			t.keep(owner, &kept{meta: meta, bytes: perMeta})
		}
	}
	return nil
}

// perMeta is what a description takes in memory, roughly.
const perMeta = 512

// Store keeps who owns which table. internal/store implements it. Errors for what is not there, or is another's, wrap
// fs.ErrNotExist.
type Store interface {
	// PutHandle records a handle and its content (Arrow IPC) until expires.
	PutHandle(ctx context.Context, owner, handle, session, run string, meta, content []byte, expires time.Time) error
	// GetHandle returns what PutHandle was given, to its owner only.
	GetHandle(ctx context.Context, owner, handle string) (meta, content []byte, err error)
}
