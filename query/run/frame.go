package run

import (
	"context"
	"math"
	"sort"

	"catena/query"
	"catena/table"
)

// frame gives the places that count for each place, from lo up to hi.
type frame struct {
	p          *partitions
	start, end func(place int) int
}

// of is the frame of a place, cut to its partition.
func (f *frame) of(k int) (lo, hi int) {
	lo, hi = max(f.start(k), int(f.p.starts[k])), min(f.end(k), int(f.p.ends[k]))
	return lo, max(lo, hi)
}

// kind is how a window's frames move from a place to the next, which decides how aggregates are computed.
func isWhole(w query.WindowColumn) bool {
	if w.Frame.Unit == "" {
		return len(w.Order) == 0
	}
	return w.Frame.Start.Unbounded && w.Frame.End.Unbounded
}

func (p *partitions) frame(ctx context.Context, w query.WindowColumn) (*frame, error) {
	f := &frame{p: p}
	start, end := w.Frame.Start, w.Frame.End
	unit := w.Frame.Unit
	if unit == "" {
		unit, start, end = query.Range, query.Bound{Unbounded: true}, query.Bound{}
		if len(w.Order) == 0 {
			end.Unbounded = true
		}
	}
	var err error
	if f.start, err = p.bound(ctx, w, unit, start, false); err != nil {
		return nil, at("frame.start", err)
	}
	if f.end, err = p.bound(ctx, w, unit, end, true); err != nil {
		return nil, at("frame.end", err)
	}
	return f, nil
}

// bound gives for each place where its frame begins, or the place behind its end.
func (p *partitions) bound(
	ctx context.Context,
	w query.WindowColumn,
	unit query.FrameUnit,
	b query.Bound,
	isEnd bool,
) (func(k int) int, error) {
	if b.Unbounded {
		if isEnd {
			return func(k int) int { return int(p.ends[k]) }, nil
		}
		return func(k int) int { return int(p.starts[k]) }, nil
	}
	if unit == query.Range && !b.Offset.IsNull() {
		return p.rangeBound(ctx, w, b, isEnd)
	}
	n := int64(0)
	if !b.Offset.IsNull() {
		var ok bool
		if n, ok = b.Offset.Int(); !ok {
			return nil, faultf("the offset %q is no whole number", b.Offset.Text())
		}
	}
	n = min(max(n, -int64(len(p.order))), int64(len(p.order)))
	if unit == query.Rows {
		return func(k int) int { return k + int(n) + btoi(isEnd) }, nil
	}
	return func(k int) int { return p.groupPlace(int(p.peers[k])+int(n)+btoi(isEnd), k) }, nil
}

// groupPlace is where a group of equal rows begins; those outside the place's partition are cut to it.
func (p *partitions) groupPlace(g, k int) int {
	switch {
	case g < int(p.peers[p.starts[k]]):
		return int(p.starts[k])
	case g >= len(p.groups):
		return int(p.ends[k])
	}
	return int(p.groups[g])
}

// rangeBound goes by the values of the one key: those that are no further than the offset.
func (p *partitions) rangeBound(
	ctx context.Context,
	w query.WindowColumn,
	b query.Bound,
	isEnd bool,
) (func(k int) int, error) {
	if len(w.Order) != 1 {
		return nil, faultf("a frame of a range of values needs an order by one key")
	}
	vs, err := p.r.evaluate(ctx, p.rel, []query.Expr{w.Order[0].Expr})
	if err != nil {
		return nil, err
	}
	key := &vs[0]
	keys, offset, err := rangeKeys(key, b.Offset)
	if err != nil {
		return nil, err
	}
	sign := 1.0
	if w.Order[0].Desc {
		sign = -1
	}
	return func(k int) int {
		row := p.order[k]
		if key.isNull(row) { // nulls are equal to each other and to nothing else
			return p.groupPlace(int(p.peers[k])+btoi(isEnd), k)
		}
		lo, hi := p.withoutNulls(key, k)
		limit := sign*keys(row) + offset
		return lo + sort.Search(hi-lo, func(i int) bool {
			x := sign * keys(p.order[lo+i])
			return x > limit || !isEnd && x == limit
		})
	}, nil
}

// withoutNulls are the places of a partition whose key is not null: nulls are at one end of it.
func (p *partitions) withoutNulls(key *vec, k int) (lo, hi int) {
	lo, hi = int(p.starts[k]), int(p.ends[k])
	for g := int(p.peers[lo]); lo < hi && key.isNull(p.order[lo]); g++ {
		lo = int(p.groups[g+1])
	}
	for lo < hi && key.isNull(p.order[hi-1]) {
		hi = int(p.groups[p.peers[hi-1]])
	}
	return lo, hi
}

// rangeKeys gives keys and the offset as numbers of one unit: days, microseconds, or what they are.
func rangeKeys(key *vec, offset table.Value) (func(row int) float64, float64, error) {
	n, isNumber := offset.Float()
	us, isLength := offset.Micros()
	switch key.typ {
	case table.Int, table.Float, table.Decimal:
		x, u := number(key), unit(key.shape)
		if isNumber {
			return func(row int) float64 { return x(row).value() / u }, n, nil
		}
	case table.Date, table.DateTime:
		scale := 1.0
		if key.typ == table.Date {
			scale = day
		}
		if isNumber {
			n *= day
		} else {
			n = float64(us)
		}
		if isNumber || isLength {
			return func(row int) float64 { return float64(key.ints[row]) * scale }, math.Round(n), nil
		}
	case table.Time, table.Duration:
		if isLength {
			return func(row int) float64 { return float64(key.ints[row]) }, float64(us), nil
		}
	}
	return nil, 0, faultf("a range of %s does not go by %s", key.typ, offset.Type())
}
