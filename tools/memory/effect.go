package memory

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"time"
	"unicode/utf8"

	"catena/internal/text"
	"catena/tools"
)

// deleteEffect says which memory would be gone: its text, how much it is, where it stands.
func (k *Toolkit) deleteEffect(ctx context.Context, call tools.Call) (tools.Effect, error) {
	effect := tools.Effect{What: "Delete a memory for good"}
	m, ok, err := k.affected(ctx, call, &effect)
	if !ok {
		return effect, err
	}
	size := text.CountOf(utf8.RuneCountInString(m.Content), "character", "characters")
	if m.Version > 1 {
		size += ", and " + text.CountOf(m.Version-1, "former version", "former versions")
	}
	effect.Lines = append(effect.Lines, tools.Line("text", m.Content), tools.EffectLine{Name: "size", Value: size})
	if len(m.Tags) > 0 {
		effect.Lines = append(effect.Lines, tools.Line("tags", strings.Join(m.Tags, ", ")))
	}
	effect.Lines = append(effect.Lines, tools.Line("namespace", m.Namespace), tools.EffectLine{Name: "kept since", Value: m.Created.Format(time.DateOnly)})
	return effect, nil
}

// updateEffect says what a memory says now and what it would say.
func (k *Toolkit) updateEffect(ctx context.Context, call tools.Call) (tools.Effect, error) {
	effect := tools.Effect{What: "Update a memory"}
	m, ok, err := k.affected(ctx, call, &effect)
	if !ok {
		return effect, err
	}
	if content, given := call.Args["content"].(string); given {
		effect.Lines = append(effect.Lines, tools.Change("text", m.Content, content))
	} else {
		effect.Lines = append(effect.Lines, tools.Line("text", m.Content))
	}
	if list, given := call.Args["tags"].([]any); given {
		var tags []string
		for _, tag := range list {
			text, _ := tag.(string) // by the schema
			tags = append(tags, text)
		}
		effect.Lines = append(effect.Lines, tools.Change("tags", strings.Join(m.Tags, ", "), strings.Join(tags, ", ")))
	}
	return effect, nil
}

// affected reads the memory that a call is about. ok is false where there is none, which the effect says, or where it cannot be read.
func (k *Toolkit) affected(ctx context.Context, call tools.Call, effect *tools.Effect) (m Memory, ok bool, err error) {
	id := textArg(call.Args, "memory_id")
	if err = fs.ErrNotExist; isID(id) {
		m, err = k.opt.Store.GetMemory(ctx, call.Caller.ID, id)
	}
	if errors.Is(err, fs.ErrNotExist) {
		effect.Lines = append(effect.Lines, tools.Line("not there", id))
		return m, false, nil
	}
	return m, err == nil, err
}
