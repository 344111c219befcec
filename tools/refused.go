package tools

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"catena/internal/access"
)

// RefusedError says that the policy does not let a caller call, get or read something that is there. It wraps what the policy said.
type RefusedError struct {
	What access.Target
	Err  error
}

// Error names what was refused, and why.
func (e *RefusedError) Error() string { return e.What.Name + ": " + e.Err.Error() }

// Unwrap is the policy's error, which wraps access.ErrForbidden.
func (e *RefusedError) Unwrap() error { return e.Err }

// Asked is the kind of what somebody asks for.
type Asked int

// The kinds.
const (
	AskedTool Asked = iota
	AskedPrompt
	AskedResource
)

// Refused returns the *RefusedError that a call of a tool, the getting of a prompt or the reading of a URI would give, and tells the hooks as that
// would; nil where the caller may, and where there is nothing of the name. call.Tool is the name or the URI. It is for transports that have to
// know before they do it.
func (r *Registry) Refused(ctx context.Context, kind Asked, call Call) error {
	what, ok := r.target(kind, call.Tool)
	if !ok {
		return nil
	}
	if kind == AskedResource { // as atURI has it
		call.Tool, call.Args = what.Name, map[string]any{"uri": call.Tool}
	}
	return r.authorize(ctx, &call, what)
}

// target finds what policies are asked about.
func (r *Registry) target(kind Asked, name string) (access.Target, bool) {
	switch kind {
	case AskedTool:
		if e, ok := r.snap.Load().find(name); ok {
			return e.target(), true
		}
	case AskedPrompt:
		for _, p := range r.snap.Load().prompts {
			if p.Def.Name == name {
				return reading(p.Toolset, name), true
			}
		}
	case AskedResource:
		if len(name) > maxURI {
			return access.Target{}, false
		}
		if x, _, ok := r.serving(name); ok {
			return reading(x.Toolset, x.Name()), true
		}
	}
	return access.Target{}, false
}

// authorize asks the policy about who the caller is by now, and tells the hooks of a refusal.
func (r *Registry) authorize(ctx context.Context, call *Call, what access.Target) error {
	err := r.present(ctx, call)
	if err == nil {
		err = r.opt.Policy.Allow(call.Caller, what)
	}
	if err == nil {
		return nil
	}
	if !errors.Is(err, access.ErrForbidden) {
		return fmt.Errorf("%s: who calls it could not be looked up: %w", what.Name, err)
	}
	if r.opt.Hooks.Denied != nil {
		r.opt.Hooks.Denied(ctx, *call, err)
	}
	return &RefusedError{What: what, Err: err}
}

// present gives a call the rights that its caller has by now.
func (r *Registry) present(ctx context.Context, call *Call) error {
	if r.opt.Present == nil {
		return nil
	}
	now, err := r.opt.Present(ctx, call.Caller)
	var gone *access.CredentialError
	if errors.As(err, &gone) {
		return fmt.Errorf("%s: %w", gone.Reason, access.ErrForbidden)
	}
	if err == nil {
		call.Caller = now
	}
	return err
}

// Off is what an administrator has switched off for everybody: tools, by their names, and toolsets with all that they
// offer. Who asks for it is told as if it were not there, and why.
type Off struct{ Tools, Toolsets []string }

// Has reports whether something is switched off.
func (o *Off) Has(what access.Target) bool {
	return slices.Contains(o.Toolsets, what.Toolset) || slices.Contains(o.Tools, what.Name)
}

// SwitchOff has just these be switched off from now on. Calls under way go on.
func (r *Registry) SwitchOff(off Off) { r.off.Store(&off) }

// SwitchedOff returns the tools that a caller might call if they were not switched off, by name.
func (r *Registry) SwitchedOff(c access.Caller) []Tool {
	var out []Tool
	off := r.off.Load()
	for _, e := range r.snap.Load().sorted {
		if off.Has(e.target()) && r.opt.Policy.Allow(c, e.target()) == nil {
			out = append(out, e.Tool)
		}
	}
	return out
}

// Off is what is switched off now.
func (r *Registry) Off() Off { return *r.off.Load() }

// offers reports whether something is there for a caller: permitted, and not switched off.
func (r *Registry) offers(c access.Caller, what access.Target) bool {
	return !r.off.Load().Has(what) && r.opt.Policy.Allow(c, what) == nil
}
