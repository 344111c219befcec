package tools

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/internal/access"
)

// Prompt is a prompt that MCP clients can get by name.
type Prompt struct {
	Toolset string
	Def     mcp.Prompt // name, title, description, arguments
	Get     func(ctx context.Context, call PromptCall) (*mcp.GetPromptResult, error)
	// Complete suggests values for the arguments; nil suggests none.
	Complete Completer
	Suggest  Suggester     // goes before Complete
	Timeout  time.Duration // 0 means the registry's
}

// PromptCall is one getting of a prompt. Args have been checked: those that are required are there, no other than the declared
// ones are, and none is longer than maxPromptArgument.
type PromptCall struct {
	Caller access.Caller
	Args   map[string]string
	// Client, Answers and State are those of Call, for a prompt whose result asks for input (mcp.ResultTypeInputRequired).
	Client  *mcp.ClientCapabilities
	Answers mcp.InputResponses
	State   string
}

// maxPromptArgument bounds one argument of a prompt, in bytes.
const maxPromptArgument = 64 << 10

// RegisterPrompts adds prompts, all of them or none. Each needs a toolset, a name as tools have it that is not taken, and Get.
func (r *Registry) RegisterPrompts(list ...Prompt) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	next := *r.snap.Load()
	next.prompts = slices.Clone(next.prompts)
	taken := next.promptNames()
	for _, p := range r.hiddenPrompts(list) {
		if err := next.addPrompt(p, taken); err != nil {
			return err
		}
	}
	next.sortPrompts()
	r.snap.Store(&next)
	return nil
}

func (s *snapshot) promptNames() map[string]bool {
	names := make(map[string]bool, len(s.prompts))
	for _, p := range s.prompts {
		names[p.Def.Name] = true
	}
	return names
}

// addPrompt adds a prompt whose name is not among those that are taken.
func (s *snapshot) addPrompt(p Prompt, taken map[string]bool) error {
	name := p.Def.Name
	if p.Toolset == "" || p.Get == nil || !toolName.MatchString(name) || taken[name] {
		return fmt.Errorf("prompt %q: a toolset, a reader and a name that is free, of letters, digits, _ and -, are needed", name)
	}
	s.prompts = append(s.prompts, p)
	taken[name] = true
	return nil
}

func (s *snapshot) sortPrompts() {
	slices.SortFunc(s.prompts, func(a, b Prompt) int { return cmp.Compare(a.Def.Name, b.Def.Name) })
}

// ReplacePrompts puts prompts in the place of those that a toolset has, in one step. What RegisterPrompts would refuse is left out,
// and the error joins why; the rest is there.
func (r *Registry) ReplacePrompts(toolset string, list ...Prompt) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	next := *r.snap.Load()
	next.prompts = slices.DeleteFunc(slices.Clone(next.prompts), func(p Prompt) bool { return p.Toolset == toolset })
	var errs []error
	taken := next.promptNames()
	for _, p := range r.hiddenPrompts(list) {
		errs = append(errs, next.addPrompt(p, taken))
	}
	next.sortPrompts()
	r.snap.Store(&next)
	return errors.Join(errs...)
}

// Prompts returns what a caller may get, by name.
func (r *Registry) Prompts(c access.Caller) []Prompt {
	return slices.DeleteFunc(slices.Clone(r.snap.Load().prompts), func(p Prompt) bool {
		return !r.offers(c, reading(p.Toolset, p.Def.Name))
	})
}

// GetPrompt gets a prompt through the same gate as a tool: policy, arguments, timeout, a handler that may break, hooks. A name
// that is not there gives an error that wraps fs.ErrNotExist; an argument that cannot be used is an *ArgumentError; a reader that
// takes too long gives context.DeadlineExceeded.
func (r *Registry) GetPrompt(ctx context.Context, name string, call PromptCall) (*mcp.GetPromptResult, error) {
	list := r.snap.Load().prompts
	i := slices.IndexFunc(list, func(p Prompt) bool { return p.Def.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("there is no prompt of this name: %w", fs.ErrNotExist)
	}
	p := list[i]
	given := make(map[string]any, len(call.Args))
	for k, v := range call.Args {
		given[k] = v
	}
	var out *mcp.GetPromptResult
	err := r.read(ctx, Call{Caller: call.Caller, Tool: name, Args: given}, p.Toolset, p.Timeout, func(ctx context.Context) error {
		if err := p.check(call.Args); err != nil {
			return err
		}
		var err error
		out, err = p.Get(ctx, call)
		return err
	})
	if err != nil {
		return nil, err
	}
	return hiddenData(r, out), nil
}

// check holds arguments against the declared ones.
func (p Prompt) check(args map[string]string) error {
	known := map[string]bool{}
	for _, a := range p.Def.Arguments {
		known[a.Name] = true
		if a.Required && strings.TrimSpace(args[a.Name]) == "" {
			return &ArgumentError{Argument: a.Name, Code: CodeInvalidArguments, Reason: "it is required"}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(args)) {
		switch v := args[name]; {
		case !known[name]:
			return &ArgumentError{Argument: name, Code: CodeInvalidArguments, Reason: fmt.Sprintf("%s has no such argument", p.Def.Name)}
		case len(v) > maxPromptArgument:
			return &ArgumentError{Argument: name, Code: CodeTooLarge, Reason: fmt.Sprintf("it has %d bytes; %d are allowed", len(v), maxPromptArgument)}
		case !utf8.ValidString(v) || strings.ContainsRune(v, 0):
			return &ArgumentError{Argument: name, Code: CodeBadValue, Reason: "it is not valid text (UTF-8 without NUL)"}
		}
	}
	return nil
}
