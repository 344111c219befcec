package handle

import (
	"cmp"
	"container/list"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"catena/internal/access"
	"catena/internal/id"
	"catena/table"
)

// Prefix starts every handle.
const Prefix = "tbl_"

// SourceAnswer is the Meta.Source of what is kept beside tables and is none: the whole of a large answer of the chat.
const SourceAnswer = "answer"

// ErrQuota is wrapped by the error for a table that is larger than all that its owner may keep.
var ErrQuota = errors.New("the table is too large to keep")

// Options bound what is kept. The zero value keeps tables in memory with the defaults.
type Options struct {
	TTL   time.Duration // how long a handle lives; 0 means 24 h
	Bytes int64         // memory per owner; 0 means 512 MiB
	All   int64         // memory of all owners; 0 means 1 GiB; the owner that was idle longest goes first
	Count int           // tables per owner in memory; 0 means 2000
	// Columns per owner in memory; 0 means 32,768. Each takes as much as a hundred numbers, and more of the garbage
	// collector than they do: beyond it the cells of tables that Store has leave memory, of wide tables first.
	Columns int
	Owners  int   // owners in memory; 0 means 10,000; the one that was idle longest goes first
	Store   Store // where tables outlive the process; nil keeps them in memory only
	Shared  bool  // other processes put tables into Store meanwhile: it is asked for each list of a session's tables
	Now     func() time.Time
	Log     *slog.Logger // takes failed writes to Store; nil means slog.Default()
}

// Meta is what is known of a table beside its cells.
type Meta struct {
	Handle    string    `json:"handle"`
	Name      string    `json:"name,omitempty"`
	Title     string    `json:"title,omitempty"`
	Tool      string    `json:"tool,omitempty"` // that made it; "" for an upload
	Step      string    `json:"step,omitempty"`
	Run       string    `json:"run,omitempty"`
	Session   string    `json:"session,omitempty"`
	Source    string    `json:"source,omitempty"` // result (also when empty) or upload
	From      []string  `json:"from,omitempty"`   // the toolsets that its tool and the tables that this one read are of, sorted
	Hide      []string  `json:"hide,omitempty"`   // see Result.Hide
	Signed    []string  `json:"signed,omitempty"` // see Result.Signed
	Notes     []string  `json:"notes,omitempty"`
	Made      *Made     `json:"made,omitempty"` // how it was computed; nil where nobody can say
	Rows      int       `json:"rows"`
	Total     int       `json:"total,omitempty"` // rows before a limit; 0 when nothing was cut
	Untrusted bool      `json:"untrusted,omitempty"`
	Origins   []Origin  `json:"origins,omitempty"` // the untrusted sources that it was made of
	AsOf      time.Time `json:"as_of,omitzero"`
	Created   time.Time `json:"created"`
	Expires   time.Time `json:"expires"`
}

// Tables keeps tables under handles that only their owner can use. A handle cannot be guessed (NewID); another's handle
// is the same as one that never was: an error that wraps fs.ErrNotExist. Beyond an owner's quota the table that was not
// used for longest leaves memory; with a Store it can still be had. It is safe for concurrent use. Close it when it has
// a Store.
type Tables struct {
	opt    Options
	mu     sync.Mutex
	owners map[string]*shelf
	idle   *list.List // of *shelf, the one used last at the front
	swept  time.Time
	bytes  int64 // of all shelves
	puts   int
	writer *writer
	naming keyedLocks // see Naming
	loads  keyedLocks // by owner and handle: a table that many ask for at once is read from the store once
}

// New makes an empty collection.
func New(opt Options) *Tables {
	opt.TTL = cmp.Or(opt.TTL, 24*time.Hour)
	opt.Bytes = cmp.Or(opt.Bytes, 512<<20)
	opt.All = cmp.Or(opt.All, 1<<30)
	opt.Count = cmp.Or(opt.Count, 2000)
	opt.Columns = cmp.Or(opt.Columns, 32_768)
	opt.Owners = cmp.Or(opt.Owners, 10_000)
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if opt.Log == nil {
		opt.Log = slog.Default()
	}
	t := &Tables{opt: opt, owners: map[string]*shelf{}, idle: list.New()}
	if opt.Store != nil {
		t.writer = newWriter(opt.Store, opt.Log, t.saved)
	}
	return t
}

// Close writes what is still to be written and ends the writing goroutine. Put after Close keeps tables in memory only.
func (t *Tables) Close() {
	if t.writer != nil {
		t.writer.close()
	}
}

// Is reports whether s has the form of a handle. It says nothing of whether there is such a table.
func Is(s string) bool {
	rest, ok := strings.CutPrefix(s, Prefix)
	return ok && id.Valid(rest)
}

// Put keeps a table for the caller and returns its handle. Handle, Rows, Created and Expires of meta are filled here.
// Errors wrap ErrQuota, or access.ErrForbidden for a caller without an ID.
func (t *Tables) Put(ctx context.Context, c access.Caller, meta Meta, tab *table.Table) (string, error) {
	if c.ID == "" {
		return "", fmt.Errorf("a table needs an owner: %w", access.ErrForbidden)
	}
	size := SizeOf(tab)
	if size > t.opt.Bytes {
		return "", fmt.Errorf("%w: %d MiB, and %d MiB is the limit; ask for fewer rows or columns", ErrQuota, size>>20, t.opt.Bytes>>20)
	}
	now := t.opt.Now()
	meta.Handle, meta.Rows, meta.Created, meta.Expires = id.New(Prefix), tab.NumRows(), t.afterOthers(c.ID, meta, now), now.Add(t.opt.TTL)
	meta.Total = max(meta.Total, 0)
	t.keep(c.ID, &kept{meta: meta, table: tab, bytes: size})
	if t.writer != nil {
		t.writer.put(ctx, c.ID, meta, tab)
	}
	return meta.Handle, nil
}

// afterOthers is the time, or a moment after the newest other table of the session that has the name: by their times
// the newest has it, and another machine's clock may be ahead.
func (t *Tables) afterOthers(owner string, meta Meta, now time.Time) time.Time {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.owners[owner]
	if s == nil || meta.Name == "" || meta.Session == "" {
		return now
	}
	for handle := range s.bySession[meta.Session] {
		other := s.byID[handle].Value.(*kept).meta
		if strings.EqualFold(other.Name, meta.Name) && !now.After(other.Created) {
			now = other.Created.Add(time.Microsecond)
		}
	}
	return now
}

// SizeOf is what a table takes in memory, in bytes; columns that share a buffer count it each.
func SizeOf(tab *table.Table) int64 {
	const perColumn, perTable = 704, 512
	size := int64(perTable)
	for i := range tab.NumCols() {
		size += perColumn + int64(tab.Array(i).Data().SizeInBytes())
	}
	return size
}

// Get returns a table of the caller's. A handle that is not there, has expired or is another's gives an error that
// wraps fs.ErrNotExist.
func (t *Tables) Get(ctx context.Context, c access.Caller, handle string) (*table.Table, Meta, error) {
	if k := t.find(c.ID, handle); k != nil && k.table != nil && !t.sessionGone(ctx, c.ID, k.meta.Session) {
		readMeta(ctx, k.meta)
		return k.table, k.meta, nil
	}
	return t.fetch(ctx, c, handle)
}

// GetListed is Get for a table that List has named just now: whether its session is still there was asked then.
func (t *Tables) GetListed(ctx context.Context, c access.Caller, handle string) (*table.Table, Meta, error) {
	if k := t.find(c.ID, handle); k != nil && k.table != nil {
		readMeta(ctx, k.meta)
		return k.table, k.meta, nil
	}
	return t.fetch(ctx, c, handle)
}

// fetch is Get for a table that is not in memory.
func (t *Tables) fetch(ctx context.Context, c access.Caller, handle string) (*table.Table, Meta, error) {
	if t.opt.Store == nil || c.ID == "" || !Is(handle) {
		return nil, Meta{}, noTable(handle)
	}
	key := c.ID + "/" + handle
	if err := t.loads.lock(ctx, key); err != nil {
		return nil, Meta{}, err
	}
	defer t.loads.unlock(key)
	if k := t.find(c.ID, handle); k != nil && k.table != nil && !t.sessionGone(ctx, c.ID, k.meta.Session) {
		readMeta(ctx, k.meta)
		return k.table, k.meta, nil // somebody else read it meanwhile
	}
	tab, meta, err := loadHandle(ctx, t.opt.Store, c.ID, handle)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, Meta{}, noTable(handle)
	case err != nil:
		return nil, Meta{}, fmt.Errorf("table %s: %w", handle, err)
	case t.opt.Now().After(meta.Expires):
		return nil, Meta{}, noTable(handle)
	}
	t.keep(c.ID, &kept{meta: meta, table: tab, bytes: SizeOf(tab), stored: true})
	readMeta(ctx, meta)
	return tab, meta, nil
}

// noTable quotes the handle only when it has the form of one: anything else may be anything.
func noTable(handle string) error {
	if !Is(handle) {
		return fmt.Errorf("there is no such table: %w", fs.ErrNotExist)
	}
	return fmt.Errorf("there is no table %s, or it has expired; run the step that made it again: %w", handle, fs.ErrNotExist)
}

func (t *Tables) find(owner, handle string) *kept {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.owners[owner]
	if s == nil {
		return nil
	}
	e, ok := s.byID[handle]
	if !ok {
		return nil
	}
	k := e.Value.(*kept)
	if t.opt.Now().After(k.meta.Expires) {
		t.drop(s, e)
		return nil
	}
	s.order.MoveToFront(e)
	t.idle.MoveToFront(s.place)
	return k
}

// Meta is Get without the cells.
func (t *Tables) Meta(ctx context.Context, c access.Caller, handle string) (Meta, error) {
	_, meta, err := t.Get(ctx, c, handle)
	return meta, err
}

// List returns what the caller has, newest first: of one session, or of all when session is "". A Store that can list
// is asked once for each session, so that a restart forgets nothing.
func (t *Tables) List(c access.Caller, session string) []Meta {
	t.recall(c.ID, session)
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.owners[c.ID]
	if s == nil {
		return nil
	}
	now := t.opt.Now()
	var found []*kept
	add := func(e *list.Element) {
		if k := e.Value.(*kept); !now.After(k.meta.Expires) {
			found = append(found, k)
		}
	}
	if session == "" {
		for e := s.order.Front(); e != nil; e = e.Next() {
			add(e)
		}
	} else {
		for handle := range s.bySession[session] {
			add(s.byID[handle])
		}
	}
	slices.SortFunc(found, func(a, b *kept) int { return cmp.Or(b.meta.Created.Compare(a.meta.Created), b.order-a.order) })
	out := make([]Meta, len(found))
	for i, k := range found {
		out[i] = k.meta
	}
	return out
}
