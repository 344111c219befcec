package run

import (
	"context"

	"github.com/apache/arrow-go/v18/arrow"

	"catena/query"
	"catena/table"
)

type tableArray = arrow.Array

// offset computes the window functions that take values of other rows.
func (p *partitions) offset(ctx context.Context, w query.WindowColumn) (v vec, unit string, err error) {
	args, err := p.r.evaluate(ctx, p.rel, w.Args)
	if err != nil {
		return vec{}, "", at("args", err)
	}
	if c, ok := firstColumn(w.Args); ok {
		if i := p.rel.Index(c); i >= 0 {
			unit = p.rel.Column(i).Unit
		}
	}
	if w.Func == "ntile" {
		v, err = p.ntile(args)
		return v, "", err
	}
	if len(args) == 0 {
		return vec{}, "", faultf("%s needs a value", w.Func)
	}
	switch w.Func {
	case "lag":
		v, err = p.moved(ctx, w, args, -1)
	case "lead":
		v, err = p.moved(ctx, w, args, 1)
	case "first_value", "last_value", "nth_value":
		v, err = p.framed(ctx, w, args)
	case "change", "change_ratio":
		return p.change(ctx, w)
	case "share":
		v, err = p.share(ctx, w)
		return v, "", err
	default:
		return vec{}, "", faultf("there is no window function %q", w.Func)
	}
	return v, unit, err
}

// whole is a vector's value as a whole number; false where it is null or none.
func whole(v *vec, row int) (int64, bool) { return v.value(row).Int() }

func (p *partitions) ntile(args []vec) (vec, error) {
	if len(args) != 1 {
		return vec{}, faultf("ntile needs how many parts")
	}
	v := vec{shape: of(table.Int)}
	v.grow(len(p.order))
	for k, row := range p.order {
		n, ok := whole(&args[0], row)
		if !ok || n < 1 {
			return v, faultf("ntile needs at least 1 part")
		}
		rows, i := int64(p.ends[k]-p.starts[k]), int64(k)-int64(p.starts[k])
		size, more := rows/n, rows%n // the first parts have one more
		if i < more*(size+1) {
			v.ints[row] = i/(size+1) + 1
		} else {
			v.ints[row] = more + (i-more*(size+1))/max(size, 1) + 1
		}
	}
	return v, nil
}

// moved is the value so many rows before or after.
func (p *partitions) moved(ctx context.Context, w query.WindowColumn, args []vec, sign int64) (vec, error) {
	from := make([]int, len(p.order))
	for k, row := range p.order {
		n := int64(1)
		if len(args) > 1 {
			var ok bool
			if n, ok = whole(&args[1], row); !ok {
				from[row] = -1
				continue
			}
		}
		at := int64(k) + sign*min(max(n, -int64(len(p.order))), int64(len(p.order)))
		from[row] = -1
		if at >= int64(p.starts[k]) && at < int64(p.ends[k]) {
			from[row] = p.order[at]
		}
	}
	v := args[0].gather(from)
	if len(args) < 3 {
		return v, nil
	}
	s, ok := wider2(args[0].shape, args[2].shape)
	if !ok {
		return vec{}, faultf("the default is %s and the value %s; cast one of them", args[2].typ, args[0].typ)
	}
	both, err := p.r.evaluate(ctx, p.rel, []query.Expr{
		query.Cast{Expr: w.Args[0], Type: s.typ, Scale: s.scale}, query.Cast{Expr: w.Args[2], Type: s.typ, Scale: s.scale},
	})
	if err != nil {
		return vec{}, err
	}
	v = both[0].gather(from)
	for row, at := range from {
		if at >= 0 {
			continue
		}
		if both[1].isNull(row) {
			v.setNull(row, len(from))
		} else {
			v.move(row, &both[1], row*both[1].step())
		}
	}
	return v, nil
}

// framed is the first, last or n-th value of the frame.
func (p *partitions) framed(ctx context.Context, w query.WindowColumn, args []vec) (vec, error) {
	f, err := p.frame(ctx, w)
	if err != nil {
		return vec{}, err
	}
	from := make([]int, len(p.order))
	for k, row := range p.order {
		lo, hi := f.of(k)
		at := lo
		switch w.Func {
		case "last_value":
			at = hi - 1
		case "nth_value":
			n, ok := int64(0), false
			if len(args) > 1 {
				n, ok = whole(&args[1], row)
			}
			if !ok || n < 1 {
				return vec{}, faultf("nth_value needs a number of at least 1")
			}
			at = lo + int(min(n-1, int64(len(p.order))))
		}
		from[row] = -1
		if at >= lo && at < hi {
			from[row] = p.order[at]
		}
	}
	return args[0].gather(from), nil
}

// beside is the relation with a window column beside it, for functions that are computed of one.
func (p *partitions) beside(ctx context.Context, w query.WindowColumn) (*table.Table, error) {
	w.As = keyPrefix
	col, arr, err := p.column(ctx, w)
	if err != nil {
		return nil, err
	}
	return p.r.made(append(p.rel.Columns(), col), append(arraysOf(p.rel), arr))
}

// change is the difference to the row before, or that by the value before.
func (p *partitions) change(ctx context.Context, w query.WindowColumn) (vec, string, error) {
	lag := w
	lag.Func = "lag"
	t, err := p.beside(ctx, lag)
	if err != nil {
		return vec{}, "", err
	}
	e, unit := query.Do("sub", w.Args[0], query.Col(keyPrefix)), t.Column(t.NumCols()-1).Unit
	if w.Func == "change_ratio" {
		e, unit = query.Do("div", e, query.Do("abs", query.Col(keyPrefix))), ""
	}
	vs, err := p.r.evaluate(ctx, t, []query.Expr{e})
	if err != nil {
		return vec{}, "", err
	}
	return vs[0], unit, nil
}

// share is a value by the sum of its partition.
func (p *partitions) share(ctx context.Context, w query.WindowColumn) (vec, error) {
	all := w
	all.Func, all.Frame = "sum", query.Frame{
		Unit:  query.Rows,
		Start: query.Bound{Unbounded: true},
		End:   query.Bound{Unbounded: true},
	}
	t, err := p.beside(ctx, all)
	if err != nil {
		return vec{}, err
	}
	vs, err := p.r.evaluate(ctx, t, []query.Expr{query.Do("div", w.Args[0], query.Col(keyPrefix))})
	if err != nil {
		return vec{}, err
	}
	return vs[0], nil
}
