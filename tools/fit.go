package tools

import (
	"context"
	"errors"
	"maps"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"catena/planner/plan"
)

// complete returns the arguments with the schema's defaults, and without nulls for optional arguments that take no null:
// models write them for "not given". The caller's map is not changed.
func (e *entry) complete(ctx context.Context, args map[string]any) map[string]any {
	out := args
	own := false
	change := func() map[string]any {
		if !own {
			out, own = maps.Clone(args), true
			if out == nil {
				out = map[string]any{}
			}
		}
		return out
	}
	if args == nil {
		change()
	}
	for name, v := range args {
		if s := e.in.Properties[name]; v == nil && s != nil && !e.required[name] && plan.Check(ctx, s, nil) != nil {
			delete(change(), name)
		}
	}
	for name, v := range e.defaults {
		if _, given := out[name]; !given {
			change()[name] = v
		}
	}
	return out
}

// validate checks complete arguments against the input schema. The planner's validator words the findings, so that a person
// reads the same sentence whoever found the fault, but for what only a plan can do.
func (e *entry) validate(ctx context.Context, args map[string]any) (Result, bool) {
	if fit(ctx, args, e.in) == nil {
		return Result{}, true
	}
	const prefix = "/steps/0/args"
	one := plan.Plan{Steps: []plan.Step{{ID: "call", Tool: e.Def.Name, Args: args}}}
	var found plan.Findings
	for _, f := range plan.Validate(one, []plan.Tool{e.facts}, nil, plan.Limits{}.WithContext(ctx)) {
		if path, ok := strings.CutPrefix(f.Path, prefix); ok && f.Code != plan.ReferenceType && f.Code != plan.PlaceholderValue {
			found = append(found, plan.Finding{Code: f.Code, Path: path, Message: strings.TrimSuffix(f.Message, plan.OrClarify)})
		}
	}
	if len(found) == 0 {
		found = plan.Findings{{Code: plan.TypeMismatch, Message: "the arguments do not fit the tool's schema"}}
	}
	lines := make([]string, len(found))
	for i, f := range found {
		lines[i] = f.Message
	}
	found = found.Bounded()
	text := strings.Join(lines, "; ")
	if !strings.HasPrefix(text, e.Def.Name+" ") { // a finding may begin with the tool
		text = e.Def.Name + ": " + text
	}
	if !strings.HasSuffix(text, "?") {
		text += "."
	}
	res := Failed(CodeInvalidArguments, text)
	s := map[string]any{"findings": found}
	if e.JSON { // its clients read these
		s["error"], s["code"], s["hint"] = plan.Bounded(res.Text, plan.LongestError), CodeInvalidArguments, "Send arguments that fit the tool's input schema; findings say which do not."
	}
	res.Structured = s
	return res, false
}

// fitted checks a result against the tool's output schema. One that does not fit is kept: it came, and a client may still read it. The tool's
// owner finds the fault in the log. The executor asks once more where that is allowed.
func (r *Registry) fitted(ctx context.Context, e *entry, res *Result) {
	if e.out == nil || res.Structured == nil {
		return
	}
	v, err := jsonValue(res.Structured)
	if err == nil {
		err = fit(ctx, v, e.out)
	}
	switch {
	case err == nil:
		res.Structured = v
	case unchecked(err):
		res.Structured = v
		r.opt.Log.WarnContext(ctx, "a result was not checked against its tool's output schema", "tool", e.Def.Name, "error", err.Error())
	default:
		res.misfit = true
		r.opt.Log.WarnContext(ctx, "a result does not fit its tool's output schema", "tool", e.Def.Name, "error", plan.FirstFault(err))
	}
}

// asFailure says of a failed result whether what is in it is of the tool's output schema.
func (e *entry) asFailure(ctx context.Context, res Result) Result {
	if e.out == nil || res.Structured == nil {
		return res
	}
	v, err := jsonValue(res.Structured)
	res.Unfit = err != nil || fit(ctx, v, e.out) != nil
	return res
}

// fit is the schema's error about a value, which is asked for only where it is not plain that the value fits.
func fit(ctx context.Context, v any, s *jsonschema.Schema) error {
	if isJSONValue(v, 0) && plan.Fits(v, s) {
		return nil
	}
	return plan.Check(ctx, s, v)
}

// unchecked reports whether a value was not checked: that would cost too much, or its request was over.
func unchecked(err error) bool {
	return errors.As(err, new(*plan.BoundError)) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
