package memory

import (
	"context"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/tools"
)

// Prompts returns venom_identity: who the assistant is, from the personality file.
func (k *Toolkit) Prompts() []tools.Prompt {
	const description = "Who the assistant is and how it uses its memory."
	return []tools.Prompt{{
		Toolset: Toolset,
		Def:     mcp.Prompt{Name: "venom_identity", Title: "Who Venom is", Description: description},
		Get: func(context.Context, tools.PromptCall) (*mcp.GetPromptResult, error) {
			said, err := k.personality.Text(k.opt.Variant)
			if err != nil {
				return nil, err // not after New, which has tried it
			}
			return mcp.NewGetPromptResult(description, []mcp.PromptMessage{
				mcp.NewPromptMessage(mcp.RoleUser, mcp.NewTextContent(said)),
			}), nil
		},
	}}
}
