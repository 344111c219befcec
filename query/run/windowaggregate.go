package run

import (
	"context"

	"catena/query"
	"catena/table"
)

// aggregate computes an aggregate over the frame of each row.
func (p *partitions) aggregate(ctx context.Context, w query.WindowColumn) (vec, string, error) {
	n := len(p.order)
	ids := make([]int32, n)
	g := &grouping{r: p.r, rel: p.rel, ids: ids, groups: 1}
	call, err := g.prepare(ctx, query.Aggregate{Func: w.Func, Args: w.Args, Where: w.Where})
	if err != nil {
		return vec{}, "", err
	}
	if call.nothing() {
		return vec{}, "", nil
	}
	if isWhole(w) {
		v, err := p.overPartitions(ctx, call)
		return v, call.unit, err
	}
	f, err := p.frame(ctx, w)
	if err != nil {
		return vec{}, "", err
	}
	call.inOrder(p.order)
	var out vec
	err = p.r.widening(func(level int) error {
		s, acc, err := call.build(call.args, level)
		if err != nil {
			return faultOf(call.name, err)
		}
		out = vec{shape: s}
		out.grow(n)
		m := &mover{p: p, f: f, acc: acc, ids: call.ids, out: &out}
		err = m.all(ctx)
		if out.typ == table.Float {
			out.scale = 0
		}
		return err
	})
	return out, call.unit, err
}

// inOrder brings arguments and groups to their places.
func (c *aggregateCall) inOrder(order []int) {
	ids := make([]int32, len(order))
	for k, row := range order {
		ids[k] = c.ids[row]
	}
	c.ids = ids
	for i := range c.args {
		c.args[i] = c.args[i].gather(order)
	}
}

// overPartitions is the aggregate of each whole partition, for all of its rows.
func (p *partitions) overPartitions(ctx context.Context, call *aggregateCall) (vec, error) {
	n, groups := len(p.order), 0
	group := make([]int32, n)
	rows := make([]int, n)
	for k, row := range p.order {
		if int(p.starts[k]) == k {
			groups++
		}
		group[row], rows[row] = int32(groups-1), groups-1
	}
	for i, id := range call.ids {
		if id < 0 {
			group[i] = -1
		}
	}
	call.ids = group
	g := &grouping{r: p.r, rel: p.rel, ids: group, groups: groups}
	v, err := call.compute(ctx, g)
	return v.gather(rows), err
}

// mover computes an aggregate as its frame moves from place to place: it adds the rows that come, and takes those
// away that go where that loses nothing; else it begins again.
type mover struct {
	p   *partitions
	f   *frame
	acc accumulator
	ids []int32
	out *vec

	lo, hi int // of the frame that is accumulated
	steps  int64
}

func (m *mover) all(ctx context.Context) error {
	remove, canRemove := m.acc.(remover)
	_, looksAtAll := m.acc.(*collector)
	m.acc.grow(1)
	n := len(m.p.order)
	for k, row := range m.p.order {
		if k%blockRows == 0 {
			if err := m.account(ctx); err != nil {
				return err
			}
		}
		lo, hi := m.f.of(k)
		keeps := lo >= m.lo && hi >= m.hi && lo < m.hi
		if !keeps || lo > m.lo && !canRemove {
			m.acc.grow(1)
			m.lo, m.hi = lo, lo
		}
		if lo > m.lo {
			remove.remove(m.ids[m.lo:lo], m.lo)
			m.steps += int64(lo - m.lo)
			m.lo = lo
		}
		if err := m.add(ctx, hi); err != nil {
			return err
		}
		if looksAtAll {
			m.steps += int64(hi - lo)
		}
		if err := m.acc.put(0, m.out, row, n); err != nil {
			return err
		}
	}
	return m.account(ctx)
}

// add takes rows in up to hi.
func (m *mover) add(ctx context.Context, hi int) error {
	for m.hi < hi {
		to := min(hi, m.hi+blockRows)
		m.acc.add(m.ids[m.hi:to], m.hi)
		m.steps += int64(to - m.hi)
		if m.hi = to; m.hi < hi || m.steps > blockRows*16 {
			if err := m.account(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// account counts the rows that were looked at and asks the context.
func (m *mover) account(ctx context.Context) error {
	steps := m.steps
	m.steps = 0
	r := m.p.r
	text := "%d rows of frames would be looked at; take shorter frames, or a frame from the first row on"
	if err := r.count(&r.pairs, steps, r.limits.Pairs, "pairs", text); err != nil {
		return err
	}
	return ctx.Err()
}
