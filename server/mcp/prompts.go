package mcp

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"catena/server"
	"catena/tools"
)

// listPrompts replaces mcp-go's list by what the registry gives this caller, in its order.
func (m *Server) listPrompts(ctx context.Context, _ []mcp.Prompt) []mcp.Prompt {
	list := m.opt.Tools.Prompts(callerOf(ctx))
	out := make([]mcp.Prompt, len(list))
	for i, p := range list {
		out[i] = p.Def
	}
	return out
}

// introducePrompt tells mcp-go of a prompt that it has not met, so that it calls getPrompt. A prompt that is not the
// caller's to get is refused here.
func (m *Server) introducePrompt(ctx context.Context, id any, r *mcp.GetPromptRequest) {
	for _, p := range m.opt.Tools.Prompts(callerOf(ctx)) {
		if p.Def.Name == r.Params.Name {
			m.meetPrompts(p)
			return
		}
	}
	if to := lineOf(ctx); to != nil && m.refuses(ctx, to, id, tools.AskedPrompt, tools.Call{Tool: r.Params.Name}) {
		r.Params.Name = "" // others may have got it before
	} else if to != nil {
		to.refuse(id, noPrompt(r.Params.Name))
		r.Params.Name = ""
	}
}

// meetPrompts tells mcp-go of those prompts that it has not met, and reports whether there were any. The definition
// only has to have the name: lists come from the registry, and the registry validates.
func (m *Server) meetPrompts(list ...tools.Prompt) bool {
	m.meeting.Lock()
	defer m.meeting.Unlock()
	var fresh []mcpserver.ServerPrompt
	for _, p := range list {
		if name := p.Def.Name; !m.prompts[name] {
			m.prompts[name] = true
			fresh = append(fresh, mcpserver.ServerPrompt{Prompt: mcp.Prompt{Name: name}, Handler: m.getPrompt})
		}
	}
	if len(fresh) > 0 {
		m.server.AddPrompts(fresh...)
	}
	return len(fresh) > 0
}

// getPrompt is the handler of every prompt.
func (m *Server) getPrompt(ctx context.Context, r mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	ctx, done := m.track(ctx)
	defer done()
	ctx, told := m.message(ctx, mcp.MethodPromptsGet, r.Params.Name, r.Params.Meta)
	res, err := m.promptTraced(ctx, r)
	told(err, false)
	return res, err
}

// promptTraced is getPrompt within the context that hooks gave it.
func (m *Server) promptTraced(ctx context.Context, r mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	call := tools.PromptCall{Caller: callerOf(ctx), Args: r.Params.Arguments, Client: clientOf(ctx)}
	given := make(map[string]any, len(call.Args))
	for k, v := range call.Args {
		given[k] = v
	}
	of := func() (trip, error) { return newTrip("prompt", r.Params.Name, call.Caller.ID, given) }
	var out *mcp.GetPromptResult
	ask, err := m.converse(ctx, r.Params.Name, of, r.Params.MultiRoundTripParams,
		func(answers mcp.InputResponses, state string) (*tools.Needs, error) {
			call.Answers, call.State = answers, state
			var err error
			if out, err = m.opt.Tools.GetPrompt(ctx, r.Params.Name, call); err != nil || !out.NeedsInput() {
				return nil, err
			}
			return &tools.Needs{Requests: out.InputRequests, State: out.RequestState}, nil
		})
	switch {
	case err == nil && ask != nil:
		return &mcp.GetPromptResult{Result: mcp.Result{ResultType: mcp.ResultTypeInputRequired},
			MultiRoundTripResult: *ask}, nil
	case err == nil:
		return out, nil
	}
	if errors.Is(err, fs.ErrNotExist) && !m.sees(ctx, r.Params.Name) { // it went while it was asked for
		return nil, noPrompt(r.Params.Name)
	}
	return nil, m.refusal(ctx, "a prompt failed", r.Params.Name, err)
}

func noPrompt(name string) *rpcError {
	return &rpcError{code: mcp.INVALID_PARAMS,
		text: fmt.Sprintf("There is no prompt %q. prompts/list has those that there are.", server.Clip(name, 200))}
}

func (m *Server) sees(ctx context.Context, prompt string) bool {
	for _, p := range m.opt.Tools.Prompts(callerOf(ctx)) {
		if p.Def.Name == prompt {
			return true
		}
	}
	return false
}

// refusal words what a prompt or a resource gave as an error: what the asker can mend with the reason (-32602),
// anything else as internal (-32603), without what is inside.
func (m *Server) refusal(ctx context.Context, what, name string, err error) *rpcError {
	var wrong *rpcError
	if short := unanswerable(err); short != nil {
		return short
	} else if errors.As(err, &wrong) {
		return wrong
	} else if shut := forbidden(err); shut != nil {
		return shut
	}
	var unanswered *tools.UnansweredError
	if errors.As(err, &unanswered) {
		return &rpcError{code: mcp.INTERNAL_ERROR, text: unanswered.Error()}
	}
	var arg *tools.ArgumentError
	if errors.As(err, &arg) {
		text := strings.TrimSuffix(arg.Error(), ".") + "."
		if !strings.HasPrefix(text, name+" ") { // it says of what it speaks already
			text = name + ": " + text
		}
		return &rpcError{code: mcp.INVALID_PARAMS, text: text,
			data: map[string]any{"argument": arg.Argument, "code": arg.Code}}
	}
	p, text := m.explain(ctx, what, name, err)
	code := mcp.INTERNAL_ERROR
	if p.Status >= 400 && p.Status < 499 {
		code = mcp.INVALID_PARAMS
	}
	return &rpcError{code: code, text: text}
}

// maxSuggestions is how many values one answer may suggest, by the protocol.
const maxSuggestions = 100

// completions suggest values, for mcp-go.
type completions struct{ m *Server }

// CompletePromptArgument suggests values for an argument of a prompt.
func (c completions) CompletePromptArgument(
	ctx context.Context, name string, argument mcp.CompleteArgument, given mcp.CompleteContext,
) (*mcp.Completion, error) {
	return c.complete(ctx, name, true, argument, given)
}

// CompleteResourceArgument suggests values for a variable of a resource template.
func (c completions) CompleteResourceArgument(
	ctx context.Context, uri string, argument mcp.CompleteArgument, given mcp.CompleteContext,
) (*mcp.Completion, error) {
	return c.complete(ctx, uri, false, argument, given)
}

func (c completions) complete(
	ctx context.Context, ref string, prompt bool, argument mcp.CompleteArgument, given mcp.CompleteContext,
) (*mcp.Completion, error) {
	call := tools.CompleteCall{Caller: callerOf(ctx), Argument: argument.Name, Value: argument.Value,
		Given: given.Arguments}
	all, err := c.m.opt.Tools.Complete(ctx, ref, prompt, call)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &rpcError{code: mcp.INVALID_PARAMS,
			text: "There is nothing here of the name " + server.Clip(ref, 200) + "."}
	case err != nil:
		return nil, c.m.refusal(ctx, "a completion failed", server.Clip(ref, 200), err)
	}
	n := len(all.Values)
	return &mcp.Completion{Values: all.Values[:min(n, maxSuggestions)], Total: all.Total, HasMore: all.HasMore ||
		n > maxSuggestions}, nil
}
