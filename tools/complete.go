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

// Complete suggests values for an argument of the prompt of a name, or of the resource template that is written like ref. Both pass
// the same gate as getting and reading. What is not there, or not the caller's to see, gives an error that wraps fs.ErrNotExist; what
// has no suggestions gives none.
func (r *Registry) Complete(ctx context.Context, ref string, prompt bool, call CompleteCall) ([]string, error) {
	complete, toolset, known := r.completer(ref, prompt, call)
	if !known {
		return nil, fmt.Errorf("%q: %w", ref, fs.ErrNotExist)
	}
	if complete == nil {
		return nil, nil
	}
	var out []string
	err := r.read(ctx, Call{Caller: call.Caller, Tool: ref}, toolset, 0, func(ctx context.Context) error {
		var err error
		out, err = complete(ctx, call)
		return err
	})
	if err != nil {
		return nil, err
	}
	typed := strings.ToLower(call.Value)
	return slices.DeleteFunc(slices.Clone(out), func(s string) bool { return !strings.HasPrefix(strings.ToLower(s), typed) }), nil
}

// completer finds who suggests, and reports whether the caller sees what is asked about.
func (r *Registry) completer(ref string, prompt bool, call CompleteCall) (c Completer, toolset string, known bool) {
	if prompt {
		for _, p := range r.Prompts(call.Caller) {
			if p.Def.Name == ref {
				return p.Complete, p.Toolset, true
			}
		}
		return nil, "", false
	}
	for _, x := range r.Resources(call.Caller) {
		if x.where() == ref {
			return x.Complete, x.Toolset, true
		}
	}
	return nil, "", false
}
