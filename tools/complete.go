package tools

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"catena/internal/access"
)

// Completer suggests values for an argument of a prompt, or a variable of a resource template, that begin with what is there already.
// The likeliest comes first. It may suggest more than fit: Registry.Complete leaves out what begins otherwise.
type Completer func(ctx context.Context, call CompleteCall) ([]string, error)

// CompleteCall is one asking for suggestions.
type CompleteCall struct {
	Caller   access.Caller
	Argument string            // its name
	Value    string            // what is there already
	Given    map[string]string // the arguments that are filled in
}

// Completion is what is suggested.
type Completion struct {
	Values  []string
	Total   int  // how many there are altogether, 0 where that is not known
	HasMore bool // there are more than Values
}

// Suggester is a Completer whose suggestions stay as they are: those of other servers, which know what fits.
type Suggester func(ctx context.Context, call CompleteCall) (Completion, error)

// Complete suggests values for an argument of the prompt of a name, or of the resource template that is written like ref. Both pass
// the same gate as getting and reading. What is not there, or not the caller's to see, gives an error that wraps fs.ErrNotExist; what
// has no suggestions gives none.
func (r *Registry) Complete(ctx context.Context, ref string, prompt bool, call CompleteCall) (Completion, error) {
	suggest, toolset, known := r.completer(ref, prompt, call)
	if !known {
		return Completion{}, fmt.Errorf("%q: %w", ref, fs.ErrNotExist)
	}
	if suggest == nil {
		return Completion{}, nil
	}
	var out Completion
	err := r.read(ctx, Call{Caller: call.Caller, Tool: ref}, toolset, 0, func(ctx context.Context) error {
		var err error
		out, err = r.hideSuggestions(suggest)(ctx, call)
		return err
	})
	if err != nil {
		return Completion{}, err
	}
	return out, nil
}

// suggester keeps what begins with what was typed; nil stays nil.
func (c Completer) suggester() Suggester {
	if c == nil {
		return nil
	}
	return func(ctx context.Context, call CompleteCall) (Completion, error) {
		all, err := c(ctx, call)
		typed := strings.ToLower(call.Value)
		fit := slices.DeleteFunc(slices.Clone(all), func(s string) bool { return !strings.HasPrefix(strings.ToLower(s), typed) })
		return Completion{Values: fit, Total: len(fit)}, err
	}
}

// completer finds who suggests, and reports whether the caller sees what is asked about.
func (r *Registry) completer(ref string, prompt bool, call CompleteCall) (c Suggester, toolset string, known bool) {
	if prompt {
		for _, p := range r.Prompts(call.Caller) {
			if p.Def.Name == ref {
				return p.suggester(), p.Toolset, true
			}
		}
		return nil, "", false
	}
	for _, x := range r.Resources(call.Caller) {
		if x.where() == ref {
			return x.suggester(), x.Toolset, true
		}
	}
	return nil, "", false
}

func (p Prompt) suggester() Suggester {
	if p.Suggest != nil {
		return p.Suggest
	}
	return p.Complete.suggester()
}

func (x Resource) suggester() Suggester {
	if x.Suggest != nil {
		return x.Suggest
	}
	return x.Complete.suggester()
}
