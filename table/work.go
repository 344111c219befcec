package table

import (
	"context"
	"errors"
	"iter"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow/memory"
)

// Work bounds what the verbs over some tables take: memory, which they draw from a budget before they allocate it, and
// time, which ends with a context. Tables that are put In its context, and all that is made of them, belong to it. It
// fails for good when it is refused memory or its context ends: each further verb gives that error. When it has ended,
// its tables are as all others. It is safe for concurrent use; a nil Work bounds nothing.
type Work struct {
	state atomic.Pointer[workState] // nil when it has ended, so that tables which stay do not keep the context
}

type workState struct {
	ctx    context.Context
	memory *reservation

	mu      sync.Mutex
	failed  error
	verbs   int   // that run now
	scratch int64 // of those verbs
	sources map[*memory.Buffer]bool
}

// workStopped is what a verb panics with where its work does not go on; run makes an error of it.
type workStopped struct{ cause error }

// Error is that of the cause.
func (s *workStopped) Error() string { return s.cause.Error() }

type workKey struct{}

// workTexts refuse memory to verbs.
var workTexts = reservationTexts{
	own: "the result takes more than the %s of memory that one call may take; ask for fewer rows or columns, or " +
		"filter first",
	others: "the %s of memory for tables are in use by other calls; ask again shortly, or for fewer rows or columns",
}

// WithWork begins a work that draws from the budget, DefaultMemoryBudget where it is nil, and ends when ctx does. End
// must be called: it gives back what was drawn.
func WithWork(ctx context.Context, budget *MemoryBudget) (context.Context, *Work) {
	if budget == nil {
		budget = DefaultMemoryBudget()
	}
	w := &Work{}
	w.state.Store(&workState{ctx: ctx, sources: map[*memory.Buffer]bool{},
		memory: &reservation{budget: budget, ctx: ctx, wait: budgetWait, texts: &workTexts}})
	return context.WithValue(ctx, workKey{}, w), w
}

// WorkOf is the work of a context, nil where it has none.
func WorkOf(ctx context.Context) *Work {
	w, _ := ctx.Value(workKey{}).(*Work)
	return w
}

// End gives back all that was drawn.
func (w *Work) End() {
	if w == nil {
		return
	}
	if s := w.state.Swap(nil); s != nil {
		s.memory.end()
	}
}

// Err is why the work does not go on: a *LimitError whose What is "memory", or the context's error. Nil while it goes
// on, and when it has ended.
func (w *Work) Err() error {
	s := w.now()
	if s == nil {
		return nil
	}
	if err := s.ctx.Err(); err != nil {
		return s.fail(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failed
}

// Stopped is why a verb or a loop was cut short, nil where none was, and when the work has ended. Unlike Err it does
// not ask the context: what was made whole stays so.
func (w *Work) Stopped() error {
	s := w.now()
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failed
}

// Draw takes n bytes of the work's memory, for what is made beside tables. Call it before they are allocated. They are
// given back when the work ends, or by Keep.
func (w *Work) Draw(n int64) error {
	s := w.now()
	if s == nil {
		return nil
	}
	if err := w.Err(); err != nil {
		return err
	}
	if err := s.memory.reserve(n); err != nil {
		return s.fail(err)
	}
	return nil
}

func (w *Work) now() *workState {
	if w == nil {
		return nil
	}
	return w.state.Load()
}

// fail keeps the first error and gives it.
func (s *workState) fail(err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failed == nil {
		s.failed = err
	}
	return s.failed
}

// In gives the table for the work of ctx. Without one, or where it belongs to it already, it is the table itself.
func (t *Table) In(ctx context.Context) *Table {
	w := WorkOf(ctx)
	s := w.now()
	if s == nil || t == nil || t.work == w {
		return t
	}
	s.mu.Lock()
	for b := range t.buffers() {
		s.sources[b] = true
	}
	s.mu.Unlock()
	return t.of(w)
}

// of is the table as one of a work.
func (t *Table) of(w *Work) *Table {
	if t == nil || t.work == w {
		return t
	}
	out := *t
	out.work, out.cells = w, make([]cells, len(t.cells))
	for i, c := range t.cells {
		c.work = w
		out.cells[i] = c
	}
	return &out
}

// Free is the table as one of no work, for what is kept beyond a call.
func (t *Table) Free() *Table { return t.of(nil) }

// buffers are those of all columns; one that columns share comes more than once.
func (t *Table) buffers() iter.Seq[*memory.Buffer] {
	return func(yield func(*memory.Buffer) bool) {
		for _, arr := range t.arrays {
			for _, b := range arr.Data().Buffers() {
				if b != nil && !yield(b) {
					return
				}
			}
		}
	}
}

// Keep gives back what the table's work has drawn but for what this table holds: call it where nothing else that was
// made is in use any more.
func (t *Table) Keep() {
	if t == nil {
		return
	}
	s := t.work.now()
	if s == nil {
		return
	}
	size, seen := int64(0), map[*memory.Buffer]bool{}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.verbs > 0 {
		return
	}
	for b := range t.buffers() {
		if !seen[b] && !s.sources[b] {
			seen[b] = true
			size += int64(b.Cap())
		}
	}
	s.memory.keep(size)
}

// Work is the work that the table belongs to, nil where it belongs to none: for what is made of the table and is no
// table.
func (t *Table) Work() *Work {
	if t == nil {
		return nil
	}
	return t.work
}

// Rows are the numbers of the rows, for loops over a table. They end early when the table's work does not go on, which
// its next verb, and Err, tell.
func (t *Table) Rows() iter.Seq[int] {
	return func(yield func(int) bool) {
		if t == nil {
			return
		}
		for from := 0; from < t.rows && t.work.Err() == nil; from += askedRows {
			for row := from; row < min(t.rows, from+askedRows); row++ {
				if !yield(row) {
					return
				}
			}
		}
	}
}

// NewValues is a null for each row, drawn from the table's work as Draw does. It is nil where the work does not go on;
// Rows gives no rows then.
func (t *Table) NewValues() []Value {
	n := t.NumRows()
	if t != nil && t.work.Draw(int64(n)*valueMemory) != nil {
		return nil
	}
	return make([]Value, n)
}

// run is where each verb passes: it gives the work's error where that does not go on, gives back the verb's scratch
// memory, and makes the result the work's.
func (w *Work) run(verb func() (*Table, error)) (out *Table, err error) {
	s := w.now()
	if s == nil {
		return verb()
	}
	if err := w.Err(); err != nil {
		return nil, err
	}
	s.begin()
	defer s.finish()
	defer func() {
		if p := recover(); p != nil {
			out, err = nil, stoppedBy(p)
		}
	}()
	if out, err = verb(); err != nil {
		return nil, err
	}
	return out.of(w), nil
}

// stoppedBy is the error of a verb that was stopped. Any other panic goes on.
func stoppedBy(p any) error {
	var stopped *workStopped
	if err, ok := p.(error); ok && errors.As(err, &stopped) {
		return stopped.cause
	}
	panic(p)
}

func (s *workState) begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.verbs++
}

func (s *workState) finish() {
	s.mu.Lock()
	s.verbs--
	n := int64(0)
	if s.verbs == 0 {
		n, s.scratch = s.scratch, 0
	}
	s.mu.Unlock()
	s.memory.giveBack(n)
}

// draw takes memory for a part of a verb's result. It panics where there is none: see run.
func (w *Work) draw(n int64) {
	if err := w.Draw(n); err != nil {
		panic(&workStopped{err})
	}
}

// scratch takes memory that is given back when the verb ends, or by release before.
func (w *Work) scratch(n int64) {
	s := w.now()
	if s == nil || n <= 0 {
		return
	}
	w.draw(n)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.scratch += n
}

// release gives scratch memory back.
func (w *Work) release(n int64) {
	s := w.now()
	if s == nil || n <= 0 {
		return
	}
	s.mu.Lock()
	n = min(n, s.scratch)
	s.scratch -= n
	s.mu.Unlock()
	s.memory.giveBack(n)
}

// askedRows is how many rows a loop takes before it asks whether its work goes on.
const askedRows = 8192

// block gives the next rows of a loop over n rows, from the given one on; none, with lo equal to hi, at the end. This
// is where loops ask whether the work goes on; they panic where it does not: see run.
//
//	for lo, hi := w.block(0, n); lo < hi; lo, hi = w.block(hi, n) {
func (w *Work) block(from, n int) (lo, hi int) {
	if w == nil {
		return from, n
	}
	if err := w.Err(); err != nil {
		panic(&workStopped{err})
	}
	return from, min(n, from+askedRows)
}

// Bytes that things take.
const (
	valueMemory = int64(unsafe.Sizeof(Value{}))
	rowNumber   = 8  // of an int
	shortNumber = 4  // of an int32
	keyedRow    = 16 // of a keyed
)

// cellWidth is what a cell of a type takes in a column, in bits, without the bytes of texts.
func cellWidth(typ Type) int64 {
	switch typ {
	case Null:
		return 0
	case Bool:
		return 2
	case Date:
		return 32 + 1
	case Decimal:
		return 128 + 1
	}
	return 64 + 1
}

// drawColumn takes memory for a column of so many rows, without the bytes of texts.
func (w *Work) drawColumn(typ Type, rows int) {
	const few = 64 // bytes
	w.draw(int64(rows)*cellWidth(typ)/8 + few)
}
