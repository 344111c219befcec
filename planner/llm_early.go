package planner

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"catena/planner/plan"
)

// watch returns what reads a plan while it is written, where steps of it may start early: on the first try only, since a
// correction changes a plan that was thrown away. nil asks for no stream.
func (l *LLM) watch(ctx context.Context, b *brief, round int) func(string) {
	may := func(t plan.Tool) bool { return t.ReadOnly && t.Idempotent }
	if b.req.Early == nil || round > 0 || !slices.ContainsFunc(b.req.Tools, may) {
		return nil
	}
	w := &stepWatcher{step: func(raw string) {
		s, ok := l.startable(ctx, raw, b)
		if t, found := plan.FindTool(b.req.Tools, s.Tool); ok && found && may(t) {
			b.req.Early.Start(s)
		}
	}}
	return w.write
}

// startable reads a step that may run before the plan is whole: it refers to nothing, and it is valid by itself.
func (l *LLM) startable(ctx context.Context, raw string, b *brief) (plan.Step, bool) {
	var s plan.Step
	if json.Unmarshal([]byte(raw), &s) != nil || s.Each != nil || s.When != nil {
		return s, false
	}
	for _, v := range s.Args {
		if len(plan.Refs(v)) > 0 {
			return s, false
		}
	}
	p := b.names.restore(plan.Plan{Steps: []plan.Step{s}})
	if p, _ = l.checker.Mend(p, b.req.Tools); len(l.checker.Validate(p, b.req.Tools, b.req.Tables, l.Limits.WithContext(ctx), b.req.Message)) > 0 {
		return s, false
	}
	return p.Steps[0], true
}

// drop cancels what was started of a plan that is not to be.
func (b *brief) drop() {
	if b.req.Early != nil {
		b.req.Early.Cancel()
	}
}

// maxWatched bounds how much of an answer is watched for steps, in bytes.
const maxWatched = 256 << 10

// stepWatcher finds the objects in the list "steps" of a JSON text that comes in pieces, and gives each to step as soon as it is
// closed. A text that is no JSON gives none, or what looks like it: whoever takes the steps checks them.
type stepWatcher struct {
	step   func(raw string)
	text   strings.Builder
	at     int // how much of text has been looked at
	inside bool
	depth  int // of brackets inside the list
	from   int // where the object at depth 1 begins
	quoted bool
	escape bool
	over   bool
}

func (w *stepWatcher) write(piece string) {
	if w.over || w.text.Len()+len(piece) > maxWatched {
		w.over = true
		return
	}
	w.text.WriteString(piece)
	text := w.text.String()
	if !w.inside && !w.open(text) {
		return
	}
	for ; w.at < len(text) && !w.over; w.at++ {
		w.next(text, text[w.at])
	}
}

// open looks for the beginning of the list of steps.
func (w *stepWatcher) open(text string) bool {
	const key = `"steps"`
	i := strings.Index(text, key)
	if i < 0 {
		return false
	}
	rest := strings.TrimLeft(text[i+len(key):], " \t\r\n:")
	if rest == "" {
		return false
	}
	if rest[0] != '[' {
		w.over = true
		return false
	}
	w.inside, w.at = true, len(text)-len(rest)+1
	return true
}

func (w *stepWatcher) next(text string, c byte) {
	if w.quoted {
		switch {
		case w.escape:
			w.escape = false
		case c == '\\':
			w.escape = true
		case c == '"':
			w.quoted = false
		}
		return
	}
	switch c {
	case '"':
		w.quoted = true
	case '{', '[':
		if w.depth++; w.depth == 1 {
			w.from = w.at
		}
	case '}', ']':
		if w.depth--; w.depth < 0 {
			w.over = true // the end of the list
		} else if w.depth == 0 && c == '}' {
			w.step(text[w.from : w.at+1])
		}
	}
}
