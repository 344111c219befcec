package offline

import (
	"encoding/binary"
	"hash/maphash"

	"catena/planner/plan"
)

// viewsOf gives the prepared tables, making those that are new.
func (o *Planner) viewsOf(tables []plan.TableInfo) []*view {
	const most = 512
	out := make([]*view, 0, len(tables))
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.views) > most || o.views == nil {
		o.views = map[uint64]*view{}
	}
	for _, t := range tables {
		key := viewKey(t)
		v, ok := o.views[key]
		if !ok {
			v = newView(t)
			o.views[key] = v
		}
		out = append(out, v)
	}
	return out
}

// keySeed makes the keys of the caches, which live as long as the process.
var keySeed = maphash.MakeSeed()

// keyHash is a hash of texts and counts in order, each with its end marked.
type keyHash struct{ maphash.Hash }

func newKeyHash() *keyHash {
	h := &keyHash{}
	h.SetSeed(keySeed)
	return h
}

func (h *keyHash) add(texts ...string) {
	for _, s := range texts {
		h.count(len(s))
		h.WriteString(s)
	}
}

func (h *keyHash) count(n int) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], uint64(n))
	h.Write(b[:])
}

// viewKey tells descriptions of tables apart, in all that a view is made of.
func viewKey(t plan.TableInfo) uint64 {
	h := newKeyHash()
	h.add(t.Name, t.Handle)
	h.count(4*t.Rows + 2*b2i(t.Attached) + b2i(t.Live))
	for _, c := range t.Columns {
		h.add(c.Name, c.Label, c.Type, c.Role, c.Semantic, c.Unit, c.Min, c.Max, c.NoSum, c.Unread)
		h.count(c.Distinct)
		h.count(2*c.Nulls + b2i(c.NoMean))
		h.count(c.NotNumbers)
	}
	for _, f := range t.Totals {
		h.add(f.Column, f.Value)
		h.count(f.Rows)
	}
	return h.Sum64()
}
