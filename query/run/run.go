package run

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"catena/query"
	"catena/table"
)

// Tables gives the tables that a query names.
type Tables interface {
	// Table is the table of a name or handle. It is the same for as long as a query runs.
	Table(ctx context.Context, name string) (*table.Table, error)
}

// TableMap is tables by their names.
type TableMap map[string]*table.Table

// Table is the table of that name.
func (m TableMap) Table(_ context.Context, name string) (*table.Table, error) {
	if t, ok := m[name]; ok {
		return t, nil
	}
	return nil, faultf("there is no table %q; the tables are %v", name, slices.Sorted(keysOf(m)))
}

// Result is what a query gives.
type Result struct {
	Table *table.Table
	Notes []string // what a reader of the figures should know, a sentence each
}

// Limits bound work that does not go by the size of tables.
type Limits struct {
	Pairs      int64 // of rows that a join without equal keys, or a window whose frame moves, looks at
	Subqueries int64 // runs of subqueries that refer to the query around them
	Rows       int64 // of a result of one stage
}

// DefaultLimits are those of a run that is given none.
var DefaultLimits = Limits{Pairs: 200_000_000, Subqueries: 20_000, Rows: int64(table.DefaultLimits.Rows)}

// Option changes how a query runs.
type Option func(*runner)

// WithLimits bounds the work; fields that are zero are those of DefaultLimits.
func WithLimits(l Limits) Option {
	return func(r *runner) {
		for _, f := range []struct{ to, from *int64 }{
			{&r.limits.Pairs, &l.Pairs}, {&r.limits.Subqueries, &l.Subqueries}, {&r.limits.Rows, &l.Rows},
		} {
			if *f.from > 0 {
				*f.to = *f.from
			}
		}
	}
}

// Plain runs each stage as it is written: no subquery becomes a join, no order is cut short. The rows are the same.
func Plain() Option { return func(r *runner) { r.plain = true } }

// runner runs one query.
type runner struct {
	tables Tables
	limits Limits
	plain  bool
	work   *table.Work

	mu         sync.Mutex
	notes      []string
	drawn      int64
	pairs      int64
	subqueries int64
	loaded     map[string]*table.Table
	busy       atomic.Int32 // what computes beside something else
	sources    map[*memory.Buffer]bool
}

// Run computes a query. The result belongs to the table.Work of the context, or to none where it has none. Errors are
// *Error with the stage's path; they wrap *table.UnknownColumnError, *table.LimitError, *BoundError and the context's
// error. One run at a time may draw from a Work.
func Run(ctx context.Context, q query.Query, tables Tables, opts ...Option) (*Result, error) {
	q = query.Lower(q)
	r := &runner{
		tables:  tables,
		limits:  DefaultLimits,
		loaded:  map[string]*table.Table{},
		sources: map[*memory.Buffer]bool{},
	}
	for _, opt := range opts {
		opt(r)
	}
	own := table.WorkOf(ctx) == nil
	if own {
		ctx, r.work = table.WithWork(ctx, nil)
		defer r.work.End()
	} else {
		r.work = table.WorkOf(ctx)
	}
	t, err := r.query(ctx, q)
	r.work.Release(r.drawn)
	if err != nil {
		return nil, err
	}
	if t, err = withoutRow(t); err != nil {
		return nil, err
	}
	if own {
		t = t.Free()
	}
	return &Result{Table: t, Notes: r.notes}, nil
}

// draw takes memory for what is made beside tables. It is given back when the query has run.
func (r *runner) draw(n int64) error {
	if err := r.work.Draw(n); err != nil {
		return err
	}
	r.mu.Lock()
	r.drawn += n
	r.mu.Unlock()
	return nil
}

// release gives back what draw took, for what is let go before.
func (r *runner) release(n int64) {
	r.mu.Lock()
	r.drawn -= n
	r.mu.Unlock()
	r.work.Release(n)
}

// note says something once.
func (r *runner) note(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !slices.Contains(r.notes, text) {
		r.notes = append(r.notes, text)
	}
}

// oneRow is the column that a relation without columns has, so that its rows are counted.
const oneRow = "\x00row"

// source is the relation that a query starts from.
func (r *runner) source(ctx context.Context, q query.Query) (*table.Table, error) {
	switch {
	case q.Of != nil:
		t, err := r.query(ctx, *q.Of)
		return t, at("of", err)
	case q.From == "":
		v := literal(table.NullValue)
		return r.made([]table.Column{{Name: oneRow}}, []arrow.Array{v.array(1)})
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if t, ok := r.loaded[q.From]; ok {
		return t, nil
	}
	t, err := r.tables.Table(ctx, q.From)
	if err != nil {
		return nil, at("from", err)
	}
	t = t.In(ctx)
	for i := range t.NumCols() {
		for _, b := range t.Array(i).Data().Buffers() {
			r.sources[b] = true
		}
	}
	r.loaded[q.From] = t
	return t, nil
}

// query runs a query whose outer columns have been bound.
func (r *runner) query(ctx context.Context, q query.Query) (*table.Table, error) {
	t, err := r.source(ctx, q)
	if err != nil {
		return nil, err
	}
	return r.stages(ctx, t, q)
}

// stages runs the stages of a query over its source.
func (r *runner) stages(ctx context.Context, t *table.Table, q query.Query) (*table.Table, error) {
	needs, before := r.needs(q.Stages), r.mark()
	for i := range q.Stages {
		err := ctx.Err()
		if err == nil {
			t, err = r.pruned(t, needs[i])
		}
		if err == nil {
			t, err = r.stage(ctx, t, q.Stages[i:], needs[i+1])
		}
		if err != nil {
			return nil, at(fmt.Sprintf("stages[%d]", i), err)
		}
		r.settle(before, t)
	}
	return t, nil
}

// mark is how much was drawn at a time: by the work, and by the run beside tables.
type mark struct{ work, run int64 }

func (r *runner) mark() mark {
	r.mu.Lock()
	defer r.mu.Unlock()
	return mark{r.work.Drawn(), r.drawn}
}

// settle gives back what was drawn since, but for what a table holds that is not of the sources: nothing else that
// was made is in use any more. Where something computes at the same time it does nothing: it is given back later.
func (r *runner) settle(since mark, t *table.Table) {
	if r.busy.Load() > 0 {
		return
	}
	live := int64(0)
	seen := map[*memory.Buffer]bool{}
	for i := range t.NumCols() {
		for _, b := range t.Array(i).Data().Buffers() {
			if b != nil && !seen[b] && !r.sources[b] {
				seen[b] = true
				live += int64(b.Cap())
			}
		}
	}
	r.work.Release(r.work.Drawn() - since.work - live)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.drawn = since.run
}

// stage runs the first of the stages. needs are the columns that the others need.
func (r *runner) stage(ctx context.Context, t *table.Table, stages []query.Stage, needs needed) (*table.Table, error) {
	switch s := stages[0].(type) {
	case query.Filter:
		return r.filter(ctx, t, s)
	case query.Derive:
		return r.derive(ctx, t, s)
	case query.Project:
		return r.project(ctx, t, s)
	case query.Group:
		return r.group(ctx, t, s)
	case query.Window:
		return r.window(ctx, t, s)
	case query.Join:
		return r.join(ctx, t, s, needs)
	case query.Set:
		return r.set(ctx, t, s)
	case query.Distinct:
		return t.Distinct()
	case query.Sort:
		t, err := r.candidates(ctx, t, s, stages[1:])
		if err != nil {
			return nil, err
		}
		return r.sort(ctx, t, s.Keys, r.sorted(t, stages[1:]))
	case query.Take:
		return r.take(ctx, t, s)
	}
	return nil, faultf("there is no stage %T", stages[0])
}

// made is a table for the run's work.
func (r *runner) made(cols []table.Column, arrays []arrow.Array) (*table.Table, error) {
	t, err := table.New(cols, arrays)
	if err != nil {
		return nil, err
	}
	return r.work.Made(t), nil
}

// withoutRow leaves out the column that stands for none, where there are others.
func withoutRow(t *table.Table) (*table.Table, error) {
	if t.NumCols() < 2 || t.Index(oneRow) < 0 {
		return t, nil
	}
	names := slices.DeleteFunc(t.Names(), func(n string) bool { return n == oneRow })
	return t.Select(names...)
}

// lookup finds a column of a relation.
func lookup(t *table.Table, name string) (int, error) {
	i := t.Index(name)
	if i >= 0 {
		return i, nil
	}
	have := slices.DeleteFunc(t.Names(), func(n string) bool { return n == oneRow })
	return -1, &table.UnknownColumnError{Name: name, Nearest: table.Nearest(name, have), Have: have}
}
