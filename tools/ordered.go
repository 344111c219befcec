package tools

import (
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
		if same, err := sameJSON(v, e.defaults[name]); (err != nil || !same) && !r.inMessage(v) {
			return false
		}
	}
	return true
}

// whyUnasked says to who ordered a change why nobody was asked before it was made.
func whyUnasked(args map[string]any) string {
	const most = 200 // bytes of the values
	var said []string
	for _, name := range sortedNames(args) {
		said = append(said, fmt.Sprintf("%s %v", strings.ReplaceAll(name, "_", " "), args[name]))
	}
	return fmt.Sprintf("Changed without asking: the change is a small one, and your message itself orders it (%s).", plan.Bounded(strings.Join(said, ", "), most))
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

// inMessage reports whether a value stands in the message: a text as words of its own, a number in figures. Its sign is in the verb.
func (r *run) inMessage(v any) bool {
	switch x := v.(type) {
	case string:
		return r.saidByUser(x)
	case json.Number:
		f, err := x.Float64()
		return err == nil && r.figureInMessage(f)
	case float64:
		return r.figureInMessage(x)
	case int:
		return r.figureInMessage(float64(x))
	}
	return false
}

func (r *run) figureInMessage(want float64) bool {
	for word := range strings.FieldsFuncSeq(r.req.Message, func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune("+-.,", c)
	}) {
		if f, err := strconv.ParseFloat(strings.TrimRight(word, ".,"), 64); err == nil && math.Abs(f) == math.Abs(want) {
			return true
		}
	}
	return false
}
