package handle

import (
	"container/list"
	"time"

	"catena/table"
)

// shelf is what one owner has in memory.
type shelf struct {
	owner string
	byID  map[string]*list.Element // of *kept
	// bySession has the handles of each session: an owner may have thousands of tables, and each turn asks for those of
	// one.
	bySession map[string]map[string]bool
	order     *list.List // the one used last at the front
	bytes     int64
	columns   int // of the tables in memory
	place     *list.Element
	asked     map[string]bool // the sessions whose tables the store was asked for
}

// kept is a table in memory, or only what is known of one that the store has: then table is nil. It does not change
// while others may have it, but for stored.
type kept struct {
	meta   Meta
	table  *table.Table
	bytes  int64
	order  int  // of being kept: tables of one instant have an order too
	stored bool // the store has it; under the lock
}

// columns are those that are in memory.
func (k *kept) columns() int {
	if k.table == nil {
		return 0
	}
	return k.table.NumCols()
}

// keep puts a table at the front and makes room for it.
func (t *Tables) keep(owner string, k *kept) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sweep()
	t.puts++
	k.order = t.puts
	s := t.shelf(owner)
	if old, ok := s.byID[k.meta.Handle]; ok {
		t.drop(s, old)
	}
	s.byID[k.meta.Handle] = s.order.PushFront(k)
	if s.bySession[k.meta.Session] == nil {
		s.bySession[k.meta.Session] = map[string]bool{}
	}
	s.bySession[k.meta.Session][k.meta.Handle] = true
	t.count(s, k, 1)
	for s.bytes > t.opt.Bytes || len(s.byID) > t.opt.Count {
		t.drop(s, s.order.Back())
	}
	t.unload(s)
	for t.bytes > t.opt.All && t.idle.Len() > 1 {
		t.forget(t.idle.Back().Value.(*shelf))
	}
}

// count adds what a table takes to its shelf, or takes it away where sign is -1. The lock is held.
func (t *Tables) count(s *shelf, k *kept, sign int) {
	s.bytes += int64(sign) * k.bytes
	t.bytes += int64(sign) * k.bytes
	s.columns += sign * k.columns()
}

// unload has the cells of tables that the store has leave memory while there are too many columns: of wide tables
// first, and of those the ones that were not used for longest. The table used last stays. The lock is held.
func (t *Tables) unload(s *shelf) {
	for _, least := range []int{t.opt.Columns / 64, 1} {
		for e := s.order.Back(); e != nil && e != s.order.Front() && s.columns > t.opt.Columns; e = e.Prev() {
			if k := e.Value.(*kept); k.stored && k.columns() >= least {
				t.count(s, k, -1)
				known := &kept{meta: k.meta, bytes: perMeta, order: k.order, stored: true}
				e.Value = known // who has the other goes on with it
				t.count(s, known, 1)
			}
		}
	}
}

// saved learns that the store has a table.
func (t *Tables) saved(owner, handle string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.owners[owner]
	if s == nil {
		return
	}
	if e, ok := s.byID[handle]; ok {
		e.Value.(*kept).stored = true
		t.unload(s)
	}
}

// shelf returns the owner's shelf as the one used last, a new one where there is none. The lock is held.
func (t *Tables) shelf(owner string) *shelf {
	s := t.owners[owner]
	if s == nil {
		s = &shelf{
			owner: owner, byID: map[string]*list.Element{}, bySession: map[string]map[string]bool{},
			order: list.New(), asked: map[string]bool{},
		}
		s.place = t.idle.PushFront(s)
		t.owners[owner] = s
		for len(t.owners) > t.opt.Owners {
			t.forget(t.idle.Back().Value.(*shelf))
		}
	}
	t.idle.MoveToFront(s.place)
	return s
}

// drop takes a table off its shelf. The lock is held.
func (t *Tables) drop(s *shelf, e *list.Element) {
	k := e.Value.(*kept)
	s.order.Remove(e)
	delete(s.byID, k.meta.Handle)
	if of := s.bySession[k.meta.Session]; of != nil {
		if delete(of, k.meta.Handle); len(of) == 0 {
			delete(s.bySession, k.meta.Session)
		}
	}
	t.count(s, k, -1)
}

func (t *Tables) forget(s *shelf) {
	t.bytes -= s.bytes
	t.idle.Remove(s.place)
	delete(t.owners, s.owner)
}

// sweep drops what has expired, once a minute at most. The lock is held.
func (t *Tables) sweep() {
	now := t.opt.Now()
	if now.Sub(t.swept) < time.Minute {
		return
	}
	t.swept = now
	for _, s := range t.owners {
		for e := s.order.Back(); e != nil; {
			prev := e.Prev()
			if now.After(e.Value.(*kept).meta.Expires) {
				t.drop(s, e)
			}
			e = prev
		}
		if len(s.byID) == 0 && len(s.asked) == 0 {
			t.forget(s)
		}
	}
}
