package planner

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"catena/planner/plan"
)

// Budget counts the tokens that turns and callers use, and refuses calls beyond its limits: a turn that has used up what it may goes
// on without a model. Zero limits count and refuse nothing. It must not be copied after its first use; it is safe for concurrent use.
type Budget struct {
	Turn   int // tokens of one turn, prompts and answers together
	Caller int // tokens of one caller in a day of UTC
	// Cache keeps the callers' counts, so that a restart does not give a day anew. nil keeps them in memory.
	Cache Cache
	// OnError is told of errors of the cache, which never fail a call. It may be nil.
	OnError func(error)
	Now     func() time.Time // nil is the clock

	mu   sync.Mutex
	day  string
	used map[string]int // of the day, by caller
}

// meter counts one turn.
type meter struct {
	budget *Budget
	owner  string

	mu    sync.Mutex
	usage plan.Usage
}

type meterKey struct{}

// Begin makes a context under which the calls of a turn are counted, and the function that says what they were so far: the
// planner's, those of tools, the summary's.
func (b *Budget) Begin(ctx context.Context, owner string) (context.Context, func() plan.Usage) {
	m := &meter{budget: b, owner: owner}
	return context.WithValue(ctx, meterKey{}, m), m.total
}

// Limit returns a Completer that counts, and asks c only within the limits. Beyond them the error is a *CompletionError that says
// which one. Calls whose context no Begin made pass through.
func (b *Budget) Limit(c Completer) Completer { return metered{c} }

type metered struct{ Completer }

// tokenBytes is about how many bytes a token has, for endpoints that do not count: 4 in English text.
const tokenBytes = 4

// Complete asks within the limits.
func (m metered) Complete(ctx context.Context, p Prompt) (Completion, error) {
	t, ok := ctx.Value(meterKey{}).(*meter)
	if !ok {
		return m.Completer.Complete(ctx, p)
	}
	size := len(p.System) + len(p.Schema)
	for _, msg := range p.Messages {
		size += len(msg.Text)
	}
	if err := t.check(ctx, size/tokenBytes); err != nil {
		return Completion{}, err
	}
	done, err := m.Completer.Complete(ctx, p)
	counted := done.Usage
	if counted.PromptTokens+counted.CompletionTokens == 0 && err == nil {
		counted.PromptTokens, counted.CompletionTokens = size/tokenBytes, len(done.Text)/tokenBytes
	}
	t.add(ctx, calls(counted))
	return done, err
}

func (t *meter) total() plan.Usage {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.usage
}

// check refuses a call that would go beyond a limit.
func (t *meter) check(ctx context.Context, prompt int) error {
	used := t.total()
	if limit := t.budget.Turn; limit > 0 && used.PromptTokens+used.CompletionTokens+prompt > limit {
		return &CompletionError{Provider: "budget", Reason: fmt.Sprintf("this turn may use %d tokens: ask in smaller steps, or raise llm.turn_tokens", limit)}
	}
	if limit := t.budget.Caller; limit > 0 && t.budget.of(ctx, t.owner)+prompt > limit {
		return &CompletionError{Provider: "budget", Reason: fmt.Sprintf("you may use %d tokens a day, which begin anew at midnight UTC; llm.caller_tokens is the limit", limit)}
	}
	return nil
}

func (t *meter) add(ctx context.Context, u plan.Usage) {
	t.mu.Lock()
	t.usage = t.usage.Add(u)
	t.mu.Unlock()
	if t.budget.Caller > 0 {
		t.budget.spend(ctx, t.owner, u.PromptTokens+u.CompletionTokens)
	}
}

// of is what a caller has used today.
func (b *Budget) of(ctx context.Context, owner string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.today(ctx, owner)
}

// today reads a caller's count of the day, from the cache the first time. It is called under the lock.
func (b *Budget) today(ctx context.Context, owner string) int {
	now := time.Now
	if b.Now != nil {
		now = b.Now
	}
	if day := now().UTC().Format(time.DateOnly); b.day != day {
		b.day, b.used = day, map[string]int{}
	}
	n, known := b.used[owner]
	if known || b.Cache == nil {
		return n
	}
	raw, ok, err := b.Cache.Get(ctx, b.key(owner))
	if err == nil && ok {
		err = json.Unmarshal(raw, &n)
	}
	if err != nil {
		b.failed(fmt.Errorf("reading what a caller has used: %w", err))
	}
	b.used[owner] = n
	return n
}

// spend adds to a caller's count.
func (b *Budget) spend(ctx context.Context, owner string, tokens int) {
	b.mu.Lock()
	n := b.today(ctx, owner) + tokens
	b.used[owner] = n
	key := b.key(owner)
	b.mu.Unlock()
	if b.Cache == nil {
		return
	}
	if err := b.Cache.Put(context.WithoutCancel(ctx), key, fmt.Append(nil, n), 24*time.Hour); err != nil {
		b.failed(fmt.Errorf("keeping what a caller has used: %w", err))
	}
}

func (b *Budget) key(owner string) string { return "tokens:" + b.day + ":" + owner }

func (b *Budget) failed(err error) {
	if b.OnError != nil {
		b.OnError(err)
	}
}
