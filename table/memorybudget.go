package table

import (
	"context"
	"fmt"
	"math"
	"sync"
	"time"

	"catena/internal/text"
)

// MemoryBudget is memory, in bytes, that all readings and all verbs of a process share (see Work). Who draws from it
// does so before it allocates, and gives everything back when it ends. So however many sources are read at once, and
// whatever they unfold to, the process does not grow beyond it. It is safe for concurrent use. The zero value holds
// nothing and refuses everything: use NewMemoryBudget.
type MemoryBudget struct {
	mu    sync.Mutex
	size  int64
	taken int64
	freed chan struct{} // closed when some is given back; nil while nobody waits
}

// NewMemoryBudget makes a budget of size bytes. One reading may have three quarters of it at most, so that there is
// always some for others.
func NewMemoryBudget(size int64) *MemoryBudget { return &MemoryBudget{size: max(size, 0)} }

// DefaultMemoryBudget is the budget of the process: half of the memory that it may use (GOMEMLIMIT, its control group,
// the machine's memory, whichever is least), 768 MiB at most. Limits without a budget use it.
func DefaultMemoryBudget() *MemoryBudget { return processBudget() }

const (
	largestBudget = 768 << 20
	leastBudget   = 64 << 20
)

var processBudget = sync.OnceValue(func() *MemoryBudget {
	return NewMemoryBudget(max(leastBudget, min(largestBudget, UsableMemory()/2)))
})

// Size is how many bytes the budget has in all.
func (b *MemoryBudget) Size() int64 { return b.size }

// Taken is how many bytes of it are drawn now.
func (b *MemoryBudget) Taken() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.taken
}

// most is what one reading may have at once.
func (b *MemoryBudget) most() int64 { return b.size / 4 * 3 }

// take draws n bytes. Where there are not so many it waits for what others give back, so long as wait says or until ctx
// ends; false says that there were none. It is no queue: whoever comes when there is some may have it before those who
// wait.
func (b *MemoryBudget) take(ctx context.Context, n int64, wait time.Duration) bool {
	if b.takeNow(n) {
		return true
	}
	if wait <= 0 {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	for {
		freed := b.whenFreed()
		if b.takeNow(n) {
			return true
		}
		select {
		case <-freed:
		case <-ctx.Done():
			return false
		}
	}
}

func (b *MemoryBudget) takeNow(n int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if n > b.size-b.taken {
		return false
	}
	b.taken += n
	return true
}

// Take draws n bytes for what is neither a reading nor a verb, and waits for them as these do, until ctx ends; false
// says that there were none. What was drawn is given back by Give.
func (b *MemoryBudget) Take(ctx context.Context, n int64) bool {
	return n <= b.most() && b.take(ctx, n, budgetWait)
}

// Give gives back what Take drew.
func (b *MemoryBudget) Give(n int64) { b.give(n) }

// whenFreed is a channel that is closed when some is given back.
func (b *MemoryBudget) whenFreed() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.freed == nil {
		b.freed = make(chan struct{})
	}
	return b.freed
}

func (b *MemoryBudget) give(n int64) {
	if n == 0 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.taken -= n
	if b.freed != nil {
		close(b.freed)
		b.freed = nil
	}
}

// budgetWait is how long one reading waits in all for memory that other readings have.
const budgetWait = 10 * time.Second

// reservation is what one reading, or one Work, has drawn of the budget. It is safe for concurrent use.
type reservation struct {
	budget *MemoryBudget
	ctx    context.Context
	texts  *reservationTexts

	mu    sync.Mutex
	held  int64
	total int64         // drawn so far, for tests
	wait  time.Duration // that is left to wait for others
	ended bool
}

// reservationTexts say why memory is refused: more than one may have, and what others have. Each has room for the
// limit.
type reservationTexts struct{ own, others string }

var readingTexts = reservationTexts{
	own:    "it unfolds to more than the %s of memory that one source may take",
	others: "the %s of memory for reading are in use by other sources",
}

// Reserve draws n more bytes. An error is a *LimitError, or that of the context that ended while it waited.
func (r *reservation) reserve(n int64) error {
	if n <= 0 {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if n > r.budget.most()-r.held || r.ended {
		return r.refused(r.texts.own, r.budget.most())
	}
	began := time.Now()
	if !r.budget.take(r.ctx, n, r.wait) {
		if err := r.ctx.Err(); err != nil {
			return err
		}
		r.wait = 0
		return r.refused(r.texts.others, r.budget.size)
	}
	r.held += n
	r.total += n
	r.wait = max(0, r.wait-time.Since(began))
	return nil
}

func (r *reservation) refused(given string, limit int64) *LimitError {
	return &LimitError{What: LimitMemory, Limit: limit, Text: fmt.Sprintf(given, text.Bytes(limit))}
}

// GiveBack returns some of what was drawn, such as that of a buffer that is let go before the reading ends.
func (r *reservation) giveBack(n int64) {
	r.mu.Lock()
	n = max(0, min(n, r.held))
	r.held -= n
	r.mu.Unlock()
	r.budget.give(n)
}

// keep returns all but n bytes.
func (r *reservation) keep(n int64) {
	r.mu.Lock()
	over := max(0, r.held-n)
	r.held -= over
	r.mu.Unlock()
	r.budget.give(over)
}

// end returns all. After it nothing can be drawn.
func (r *reservation) end() {
	r.mu.Lock()
	n := r.held
	r.held, r.ended = 0, true
	r.mu.Unlock()
	r.budget.give(n)
}

// WithContext gives limits whose readings end when the context ends, with its error; the budget of its Work is theirs
// unless they have one. File's context comes before it.
func (l Limits) WithContext(ctx context.Context) Limits {
	l.ctx = ctx
	return l
}

// Begin fills in the defaults and begins a reading: what is reserved by the limits that it returns is given back by
// end, which must be called, and ended tells of the deadline, too. Within a reading that has begun it is that reading.
func (l Limits) Begin() (reading Limits, end func()) {
	if s := WorkOf(l.Context()).now(); s != nil && l.Memory == nil {
		l.Memory = s.memory.budget
	}
	l = l.WithDefaults()
	if l.memory != nil {
		return l, func() {}
	}
	l.deadline = time.Now().Add(l.Time)
	ctx, cancel := context.WithDeadline(l.Context(), l.deadline)
	l.memory = &reservation{budget: l.Memory, ctx: ctx, wait: budgetWait, texts: &readingTexts}
	return l, func() {
		l.memory.end()
		cancel()
	}
}

// Reserve draws n bytes of the memory budget for the reading; they are given back when it ends. Call it before memory
// is allocated whose size the source decides. An error is a *LimitError whose What is "memory", or that of the context.
// Limits of no reading reserve nothing.
func (l *Limits) Reserve(n int64) error {
	if l.memory == nil {
		return nil
	}
	return l.memory.reserve(n)
}

// MayReserve refuses n bytes that no reading may have at once, and reserves nothing.
func (l *Limits) MayReserve(n int64) error {
	if l.memory == nil || n <= l.memory.budget.most() {
		return nil
	}
	return l.Reserve(n)
}

// GiveBack returns some of what was reserved before the reading ends.
func (l *Limits) GiveBack(n int64) {
	if l.memory != nil {
		l.memory.giveBack(n)
	}
}

// ReserveEach is reserve for n things of size bytes each. A product that no number holds is refused as well.
func (l *Limits) ReserveEach(n, size int64) error {
	if size > 0 && n > math.MaxInt64/size {
		return l.Reserve(math.MaxInt64)
	}
	return l.Reserve(n * size)
}

// Meter draws from the memory budget for what a reader counts piece by piece, such as cells and rows: in steps, so that
// counting is cheap. A meter without limits draws nothing. It is for one goroutine. What it has drawn is given back
// when the reading ends.
type Meter struct {
	Lim  *Limits
	Left int64
}

// meterStep is how many bytes a meter draws at once.
const meterStep = 256 << 10

// Add counts n bytes.
func (m *Meter) Add(n int64) error {
	if m.Left -= n; m.Left >= 0 || m.Lim == nil {
		return nil
	}
	step := max(-m.Left, meterStep)
	m.Left += step
	return m.Lim.Reserve(step)
}

// What things take while a text is read, in bytes: with what grows, and is copied as it grows.
const (
	TypedCellMemory = 12 // of a typed column, without its text
	NameCopies      = 4  // of a column's name: joined, made unique, in notes
)
