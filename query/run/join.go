package run

import (
	"context"
	"fmt"
	"slices"

	"catena/query"
	"catena/table"
)

// join puts the columns of another relation beside those of l.
func (r *runner) join(ctx context.Context, l *table.Table, s query.Join, needs needed) (*table.Table, error) {
	right, err := r.query(ctx, s.With)
	if err != nil {
		return nil, at("with", err)
	}
	if right, err = withoutRow(right); err != nil {
		return nil, err
	}
	j := &joining{r: r, l: l, right: right}
	if err := j.columns(); err != nil {
		return nil, err
	}
	lrows, rrows, err := j.pairs(ctx, s)
	if err != nil {
		return nil, at("on", err)
	}
	switch s.Kind {
	case query.Semi, query.Anti:
		return l.Take(matched(lrows, l.NumRows(), s.Kind == query.Semi))
	case query.Left, query.Full:
		lrows, rrows = withUnmatched(lrows, rrows, l.NumRows())
	}
	if s.Kind == query.Right || s.Kind == query.Full {
		for _, row := range matched(rrows, right.NumRows(), false) {
			lrows, rrows = append(lrows, -1), append(rrows, row)
		}
	}
	if needs != nil {
		needs = needed{}.and(needs)
	}
	return j.put(lrows, rrows, needs)
}

// joining is a join under way.
type joining struct {
	r        *runner
	l, right *table.Table
}

// columns refuses names that both sides have.
func (j *joining) columns() error {
	for _, name := range j.right.Names() {
		if slices.Contains(j.l.Names(), name) {
			return faultf("both sides have a column %q; project one side to other names", name)
		}
	}
	return nil
}

// put makes the relation of pairs of rows; -1 stands for nulls. Columns that nothing needs are left out.
func (j *joining) put(lrows, rrows []int, needs needed) (*table.Table, error) {
	l, err := j.r.pruned(j.l, needs)
	if err != nil {
		return nil, err
	}
	right, err := j.r.pruned(j.right, needs)
	if err != nil {
		return nil, err
	}
	if !isIdentity(lrows, l.NumRows()) {
		if l, err = l.Take(lrows); err != nil {
			return nil, err
		}
	}
	if right, err = right.Take(rrows); err != nil {
		return nil, err
	}
	return j.r.made(append(l.Columns(), right.Columns()...), append(arraysOf(l), arraysOf(right)...))
}

func isIdentity(rows []int, n int) bool {
	if len(rows) != n {
		return false
	}
	for i, row := range rows {
		if i != row {
			return false
		}
	}
	return true
}

// matched are the rows of n that are among those given, or those that are not.
func matched(rows []int, n int, is bool) []int {
	seen := make([]bool, n)
	for _, row := range rows {
		if row >= 0 {
			seen[row] = true
		}
	}
	out := make([]int, 0, n)
	for row, s := range seen {
		if s == is {
			out = append(out, row)
		}
	}
	return out
}

// withUnmatched puts the left rows that have no pair where they belong, with -1 on the right.
func withUnmatched(lrows, rrows []int, n int) ([]int, []int) {
	l, r := make([]int, 0, max(n, len(lrows))), make([]int, 0, max(n, len(lrows)))
	at := 0
	for row := range n {
		if at == len(lrows) || lrows[at] != row {
			l, r = append(l, row), append(r, -1)
		}
		for ; at < len(lrows) && lrows[at] == row; at++ {
			l, r = append(l, row), append(r, rrows[at])
		}
	}
	return l, r
}

// pairs are the rows that belong together, in the order of the left and then of the right.
func (j *joining) pairs(ctx context.Context, s query.Join) (lrows, rrows []int, err error) {
	if s.On == nil {
		return j.each(ctx, nil)
	}
	var left, right, rest []query.Expr
	for _, e := range query.Conjuncts(s.On) {
		if a, b, ok := j.equality(e); ok {
			left, right = append(left, a), append(right, b)
		} else {
			rest = append(rest, e)
		}
	}
	condition := query.Conjunction(rest)
	if len(left) == 0 {
		return j.each(ctx, condition)
	}
	lk, rk, ok, err := j.r.keysOfBoth(ctx, j.l, j.right, left, right)
	if err != nil {
		return nil, nil, err
	}
	if !ok {
		return j.each(ctx, s.On)
	}
	if isSemi := s.Kind == query.Semi || s.Kind == query.Anti; isSemi && condition == nil {
		if rk, err = rk.Distinct(); err != nil { // which right row it is does not matter, only that there is one
			return nil, nil, err
		}
	}
	all := identity(len(left))
	if lrows, rrows, err = table.Matches(lk, rk, all, all); err != nil || condition == nil {
		return lrows, rrows, err
	}
	return j.satisfying(ctx, lrows, rrows, condition)
}

// equality takes an equality apart of which one side is of the left columns alone and the other of the right ones.
func (j *joining) equality(e query.Expr) (left, right query.Expr, ok bool) {
	call, ok := e.(query.Call)
	if !ok || call.Func != "eq" || len(call.Args) != 2 {
		return nil, nil, false
	}
	a, b := j.sides(call.Args[0]), j.sides(call.Args[1])
	switch {
	case a == leftSide && b == rightSide:
		return call.Args[0], call.Args[1], true
	case a == rightSide && b == leftSide:
		return call.Args[1], call.Args[0], true
	}
	return nil, nil, false
}

// Which relations an expression reads. Bits.
const (
	leftSide = 1 << iota
	rightSide
	unknownSide
)

// sides says which relations the columns of an expression are of. A name is looked for as it is written before it is
// without regard to case, as the joined relation would find it.
func (j *joining) sides(e query.Expr) int {
	out := 0
	if hasSubquery(e) {
		return unknownSide
	}
	query.OfColumns(func(c query.Column, _ int) query.Expr {
		l, r := j.l.Index(c.Name), j.right.Index(c.Name)
		switch {
		case l >= 0 && (r < 0 || j.l.Column(l).Name == c.Name):
			out |= leftSide
		case r >= 0 && (l < 0 || j.right.Column(r).Name == c.Name):
			out |= rightSide
		default:
			out |= unknownSide
		}
		return c
	}).Expr(e, 0)
	return out
}

// keysOfBoth are the tables of keys of both sides, pairwise of types that match; false where some do not, so that the
// comparison itself decides or says what is wrong.
func (r *runner) keysOfBoth(
	ctx context.Context,
	l, right *table.Table,
	lkeys, rkeys []query.Expr,
) (lk, rk *table.Table, ok bool, err error) {
	if lk, err = r.keyed(ctx, l, lkeys); err != nil {
		return nil, nil, false, err
	}
	if rk, err = r.keyed(ctx, right, rkeys); err != nil {
		return nil, nil, false, err
	}
	for i := range lkeys {
		a, b := lk.Column(i), rk.Column(i)
		if !matchable(a.Type, b.Type) {
			return nil, nil, false, nil
		}
		if a.Type == b.Type && a.Scale == b.Scale || !exactNumber(a.Type) || !exactNumber(b.Type) {
			continue
		}
		to := query.Cast{Type: table.Decimal, Scale: max(a.Scale, b.Scale), Strict: true}
		if lk, err = r.recast(ctx, lk, i, to); err == nil {
			rk, err = r.recast(ctx, rk, i, to)
		}
		if err != nil {
			return nil, nil, false, err
		}
	}
	return lk, rk, true, nil
}

func matchable(a, b table.Type) bool {
	switch {
	case a == b, a == table.Null, b == table.Null:
		return true
	case a.Numeric():
		return b.Numeric()
	}
	return a.Temporal() && b.Temporal()
}

func exactNumber(t table.Type) bool { return t == table.Int || t == table.Decimal }

// recast casts a column of a table: decimals of one scale match by their digits.
func (r *runner) recast(ctx context.Context, t *table.Table, i int, to query.Cast) (*table.Table, error) {
	to.Expr = query.Col(t.Column(i).Name)
	return r.derive(ctx, t, query.Derive{Columns: []query.Named{{As: t.Column(i).Name, Expr: to}}})
}

// each compares every left row with every right one.
func (j *joining) each(ctx context.Context, condition query.Expr) (lrows, rrows []int, err error) {
	n, m := j.l.NumRows(), j.right.NumRows()
	all := int64(n) * int64(m)
	text := "%d pairs of rows would be compared; join by columns that are equal, or filter first"
	if err := j.r.count(&j.r.pairs, all, j.r.limits.Pairs, "pairs", text); err != nil {
		return nil, nil, err
	}
	if condition == nil {
		if all > j.r.limits.Rows {
			return nil, nil, &BoundError{
				What:  "pairs",
				Limit: j.r.limits.Rows,
				Text:  fmt.Sprintf("the join has %d rows; join by columns that are equal, or filter first", all),
			}
		}
		if err := j.r.draw(16 * all); err != nil {
			return nil, nil, err
		}
	}
	step := max(1, pairsAtOnce/max(1, m))
	for lo := 0; lo < n && m > 0; lo += step {
		hi := min(n, lo+step)
		l, r := make([]int, 0, (hi-lo)*m), make([]int, 0, (hi-lo)*m)
		for row := lo; row < hi; row++ {
			for k := range m {
				l, r = append(l, row), append(r, k)
			}
		}
		if condition != nil {
			if l, r, err = j.satisfying(ctx, l, r, condition); err != nil {
				return nil, nil, err
			}
		}
		lrows, rrows = append(lrows, l...), append(rrows, r...)
		if err := j.r.bounded(ctx, len(lrows)); err != nil {
			return nil, nil, err
		}
	}
	return lrows, rrows, nil
}

// bounded refuses more rows than a stage may give.
func (r *runner) bounded(ctx context.Context, rows int) error {
	if int64(rows) > r.limits.Rows {
		return &BoundError{
			What:  "pairs",
			Limit: r.limits.Rows,
			Text:  fmt.Sprintf("the join has more than %d rows; join by more columns, or group or filter first", r.limits.Rows),
		}
	}
	return ctx.Err()
}

// count adds to a counter of bounded work. text has room for the number.
func (r *runner) count(counter *int64, n, limit int64, what, text string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if *counter += n; *counter > limit || n < 0 {
		return &BoundError{
			What:  what,
			Limit: limit,
			Text:  fmt.Sprintf(text, *counter) + fmt.Sprintf("; at most %d are", limit),
		}
	}
	return nil
}

// pairsAtOnce is how many pairs of rows a condition is asked for at a time.
const pairsAtOnce = 1 << 16

// satisfying are the pairs for which a condition is true. Only the columns that it reads are gathered.
func (j *joining) satisfying(ctx context.Context, lrows, rrows []int, condition query.Expr) (l, r []int, err error) {
	reads := needed{}.with(query.Filter{Where: condition})
	for lo := 0; lo < len(lrows); lo += pairsAtOnce {
		hi := min(len(lrows), lo+pairsAtOnce)
		before := j.r.mark()
		t, err := j.put(lrows[lo:hi], rrows[lo:hi], reads)
		if err != nil {
			return nil, nil, err
		}
		rows, err := j.r.selected(ctx, t, condition)
		if err != nil {
			return nil, nil, err
		}
		for _, row := range rows {
			l, r = append(l, lrows[lo+row]), append(r, rrows[lo+row])
		}
		j.r.settle(before, nil)
		if err := j.r.draw(16 * int64(len(rows))); err != nil {
			return nil, nil, err
		}
		if err := j.r.bounded(ctx, len(l)); err != nil {
			return nil, nil, err
		}
	}
	return l, r, nil
}
