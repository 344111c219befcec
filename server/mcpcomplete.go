package server

import (
	"context"
	"errors"
	"io/fs"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/tools"
)

// maxSuggestions is how many values one answer may suggest, by the protocol.
const maxSuggestions = 100

// completions suggest values, for mcp-go.
type completions struct{ m *mcpServer }

// CompletePromptArgument suggests values for an argument of a prompt.
func (c completions) CompletePromptArgument(ctx context.Context, name string, argument mcp.CompleteArgument, given mcp.CompleteContext) (*mcp.Completion, error) {
	return c.complete(ctx, name, true, argument, given)
}

// CompleteResourceArgument suggests values for a variable of a resource template.
func (c completions) CompleteResourceArgument(ctx context.Context, uri string, argument mcp.CompleteArgument, given mcp.CompleteContext) (*mcp.Completion, error) {
	return c.complete(ctx, uri, false, argument, given)
}

func (c completions) complete(ctx context.Context, ref string, prompt bool, argument mcp.CompleteArgument, given mcp.CompleteContext) (*mcp.Completion, error) {
	call := tools.CompleteCall{Caller: mcpCaller(ctx), Argument: argument.Name, Value: argument.Value, Given: given.Arguments}
	all, err := c.m.s.opt.Tools.Complete(ctx, ref, prompt, call)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &rpcError{code: mcp.INVALID_PARAMS, text: "There is nothing here of the name " + Clip(ref, 200) + "."}
	case err != nil:
		return nil, c.m.refusal(ctx, "a completion failed", Clip(ref, 200), err)
	}
	n := len(all.Values)
	return &mcp.Completion{Values: all.Values[:min(n, maxSuggestions)], Total: all.Total, HasMore: all.HasMore || n > maxSuggestions}, nil
}
