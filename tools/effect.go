package tools

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"catena/internal/text"
	"catena/planner/plan"
)

// Effect says in words what a call would change or delete, for who decides about it.
type Effect struct {
	What  string       `json:"what"` // what kind of change it is, in our own words: Delete a memory
	Lines []EffectLine `json:"lines"`

	// Nothing says that what is there would be as it is now. Nobody is asked about such a call, unless its tool deletes.
	Nothing bool `json:"-"`
}

// EffectLine is one thing about it. Its texts are fit to be shown as they are: in one line, bounded, values in quotes (Shown).
type EffectLine struct {
	Name   string `json:"name"`
	Before string `json:"before,omitempty"` // what it is now, where Value is what it would be
	Value  string `json:"value"`
}

// Line makes a line about a value.
func Line(name string, value any) EffectLine {
	return EffectLine{Name: shownWord(name), Value: Shown(value)}
}

// Change makes a line about a value that becomes another.
func Change(name string, before, after any) EffectLine {
	return EffectLine{Name: shownWord(name), Before: Shown(before), Value: Shown(after)}
}

// Said is the line without its name.
func (l EffectLine) Said() string {
	if l.Before != "" {
		return l.Before + " → " + l.Value
	}
	return l.Value
}

// String writes the effect as text: a line for what it is, and one for each thing about it.
func (e *Effect) String() string {
	if e == nil {
		return ""
	}
	var b strings.Builder
	b.WriteString(e.What)
	for _, l := range e.Lines {
		fmt.Fprintf(&b, "\n- %s: %s", l.Name, l.Said())
	}
	return b.String()
}

// Bounds of an effect.
const (
	effectHead     = 24              // lines from its beginning
	effectTail     = 6               // and from its end
	effectDepth    = 6               // values in values that get lines of their own
	effectElements = 10              // calls of an each that are told one by one
	effectTime     = 2 * time.Second // for reading what is there
)

// bounded leaves out lines in the middle where there are too many, and says how many.
func (e *Effect) bounded() {
	if over := len(e.Lines) - effectHead - effectTail; over > 0 {
		tail := e.Lines[len(e.Lines)-effectTail:]
		e.Lines = append(e.Lines[:effectHead:effectHead], EffectLine{Name: "…", Value: fmt.Sprintf("%d more lines are not shown", over)})
		e.Lines = append(e.Lines, tail...)
	}
}

// tellEffect notes in words what a step that waits would do.
func (r *run) tellEffect(i int) {
	s := &r.steps[i]
	entry, found := r.x.reg.snap.Load().find(s.Tool)
	if !found {
		return
	}
	ctx, cancel := context.WithTimeout(r.ctx, effectTime)
	defer cancel()
	elements, _ := s.Args["each"].([]any)
	told := func(args map[string]any) Effect {
		return r.x.effect(ctx, r.newCall(plan.Step{Tool: entry.Def.Name}, "", args), entry)
	}
	if r.req.Plan.Steps[i].Each == nil {
		effect := told(s.Args)
		effect.bounded()
		s.Effect = &effect
		return
	}
	all := Effect{}
	for n, element := range elements[:min(len(elements), effectElements)] {
		args, _ := element.(map[string]any)
		one := told(args)
		all.What = fmt.Sprintf("%d times: %s", len(elements), one.What)
		for _, l := range one.Lines {
			l.Name = fmt.Sprintf("%d, %s", n+1, l.Name)
			all.Lines = append(all.Lines, l)
		}
	}
	all.bounded()
	if more := len(elements) - effectElements; more > 0 {
		all.Lines = append(all.Lines, EffectLine{Name: "…", Value: fmt.Sprintf("%d more of them are not shown", more)})
	}
	s.Effect = &all
}

// effect is what one call would do: what the tool says, or what it is called with.
func (x *Executor) effect(ctx context.Context, call Call, e *entry) Effect {
	args := call.Args
	call.Args = e.complete(ctx, args)
	var effect Effect
	err := ctx.Err()
	if may := x.reg.opt.Policy.Allow(call.Caller, e.target()) == nil; may && e.Effect != nil && err == nil {
		if effect, err = e.Effect(ctx, call); err == nil {
			return hiddenData(x.reg, effect)
		}
	}
	effect = e.plainEffect(args)
	if err != nil {
		effect.Lines = append(effect.Lines, EffectLine{Name: "what is there now", Value: "could not be read"})
	}
	return hiddenData(x.reg, effect)
}

// plainEffect says what a call is and what it is called with. What another server calls its tool stands in quotes, behind the name that
// nobody else's tool has.
func (e *entry) plainEffect(args map[string]any) Effect {
	effect := Effect{What: cmp.Or(e.facts.Title, e.Def.Name)}
	if e.upstream() {
		name := strings.TrimPrefix(e.Def.Name, e.Toolset+upstreamSep)
		effect.What = fmt.Sprintf("Call %s of the server %s", name, e.Toolset)
		// Many frameworks make the title of the name.
		if title := e.facts.Title; title != "" && !slices.Equal(text.Words(title), text.Words(name)) {
			effect.Lines = append(effect.Lines, Line("which it calls", title))
		}
	}
	effect.Lines = argumentLines(effect.Lines, "", args, 0)
	return effect
}

// argumentLines adds a line for each scalar of the arguments. Their names are those of the schema, in words.
func argumentLines(lines []EffectLine, name string, v any, depth int) []EffectLine {
	switch x := v.(type) {
	case map[string]any:
		if len(x) == 0 || depth > effectDepth {
			break
		}
		for _, key := range sortedNames(x) {
			inner := key
			if name != "" {
				inner = name + "." + key
			}
			lines = argumentLines(lines, inner, x[key], depth+1)
		}
		return lines
	case []any:
		if len(x) == 0 || depth > effectDepth {
			break
		}
		for n, element := range x {
			lines = argumentLines(lines, fmt.Sprintf("%s %d", name, n+1), element, depth+1)
		}
		return lines
	case plan.Ref:
		return append(lines, EffectLine{Name: shownWord(inWords(name)), Value: "taken from " + shownWord(x.String())})
	case string, json.Number, nil, bool, float64, int:
		return append(lines, Line(inWords(name), v))
	}
	if name == "" {
		return lines // a call without arguments
	}
	raw, err := canonical(v)
	if err != nil {
		return append(lines, EffectLine{Name: shownWord(inWords(name)), Value: "a value that is no JSON"})
	}
	return append(lines, Line(inWords(name), string(raw)))
}

func inWords(name string) string { return strings.ReplaceAll(name, "_", " ") }

// shownHash is what a decision about a step that waits is bound to: its arguments, and what they would do where the tool has looked at that.
func (r *run) shownHash(i int) (string, error) {
	s := &r.steps[i]
	hash, err := ArgsHash(s.Args)
	entry, found := r.x.reg.snap.Load().find(s.Tool)
	if err != nil || !found || entry.Effect == nil {
		return hash, err
	}
	r.tellEffect(i)
	raw, err := json.Marshal(s.Effect)
	sum := sha256.Sum256(append([]byte(hash), raw...))
	return hex.EncodeToString(sum[:]), err
}
