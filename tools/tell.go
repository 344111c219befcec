package tools

import (
	"context"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
)

// Tell adds a note to a result, for all who get it: MCP clients get the parts of another server's answer without our notes, and a failure is
// its text.
func (res *Result) Tell(note string) {
	res.Notes = append(res.Notes, note)
	if res.IsError {
		res.Text = strings.TrimLeft(res.Text+"\n"+note, "\n")
	}
	if len(res.Content) > 0 || len(res.Foreign) > 0 {
		res.Content = append(res.Content, mcp.NewTextContent(note))
	}
}

// noteMisfit marks what another server gave against its own word.
const noteMisfit = "What the server gave does not fit the output schema that it declares for this tool."

// misfits reports whether what another server gave is not of the schema that it declares: another thing, or nothing.
func (e *entry) misfits(ctx context.Context, res Result) bool {
	if e.out == nil || e.Raw == nil {
		return false
	}
	if len(res.Foreign) == 0 {
		return true
	}
	v, err := jsonValue(res.Foreign)
	return err != nil || fit(ctx, v, e.out) != nil
}
