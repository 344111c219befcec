package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"

	"catena/planner/plan"
)

// waits reports whether a tool's calls wait for a decision in a run.
func (e *entry) waits(req RunRequest) bool {
	return !req.Approve && (e.facts.Destructive || e.Small != nil)
}

// ordered reports whether the user's own words ordered a call, so that nobody need be asked again: the plan was read from the message without
// a model, each value of the arguments stands there, and the change is a small one.
func (r *run) ordered(e *entry, args map[string]any) bool {
	if e == nil || e.facts.Destructive || e.Small == nil {
		return false
	}
	if !r.req.ByRules || !e.Small(args) {
		return false
	}
	for name, v := range args {
		if same, err := sameJSON(v, e.defaults[name]); (err != nil || !same) && r.orderedBy(v) == "" {
			return false
		}
	}
	return true
}

// changesNothing reports whether a call would leave what is there as it is, by what its tool says of it.
func (r *run) changesNothing(e *entry, args map[string]any) bool {
	if e == nil || e.facts.Destructive || e.Effect == nil {
		return false
	}
	ctx, cancel := context.WithTimeout(r.ctx, effectTime)
	defer cancel()
	return r.x.effect(ctx, r.newCall(plan.Step{Tool: e.Def.Name}, "", args), e).Nothing
}

// whyUnasked says to who ordered a change why nobody was asked before it was made, and which of their words ordered it.
func (r *run) whyUnasked(e *entry, args map[string]any) string {
	const most = 200 // bytes of the words
	if !r.ordered(e, args) {
		return "Called without asking: it changed nothing of what was there."
	}
	var said []string
	for _, name := range sortedNames(args) {
		if same, err := sameJSON(args[name], e.defaults[name]); err == nil && same {
			continue // nobody has to have said it
		}
		if words := r.orderedBy(args[name]); words != "" {
			said = append(said, fmt.Sprintf("%s %s", strings.ReplaceAll(name, "_", " "), Shown(words)))
		}
	}
	words := plan.Bounded(strings.Join(said, ", "), most)
	return fmt.Sprintf("Changed without asking: the change is a small one, and words of your message order it (%s).", words)
}

func sameJSON(a, b any) (bool, error) {
	if a == nil || b == nil {
		return false, nil
	}
	x, err := canonical(a)
	if err != nil {
		return false, err
	}
	y, err := canonical(b)
	return string(x) == string(y), err
}

// orderedBy is what of the message says a value, as it stands there: a text as words of its own, a number in figures, whose sign is in the verb. It is ""
// where nothing does.
func (r *run) orderedBy(v any) string {
	switch x := v.(type) {
	case string:
		return r.userWords(x)
	case json.Number:
		if f, err := x.Float64(); err == nil {
			return r.figureInMessage(f)
		}
	case float64:
		return r.figureInMessage(x)
	case int:
		return r.figureInMessage(float64(x))
	}
	return ""
}

func (r *run) figureInMessage(want float64) string {
	for word := range strings.FieldsFuncSeq(r.req.Message, func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune("+-.,", c)
	}) {
		word = strings.TrimRight(word, ".,")
		if f, err := strconv.ParseFloat(word, 64); err == nil && math.Abs(f) == math.Abs(want) {
			return word
		}
	}
	return ""
}
