package tools

import (
	"bytes"
	"context"
	"encoding/json"
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

// maxForeign bounds what a run keeps of a value as another server wrote it, in bytes: answers show values with few
// fields.
const maxForeign = 64 << 10

// AsWritten is Structured as the tool of another server wrote it, where that is known: the fields of its objects in
// their order.
func (res *Result) AsWritten() any {
	switch {
	case res.Structured == nil:
		return nil
	case len(res.Foreign) > 0:
		return res.Foreign
	}
	text := strings.TrimSpace(res.Text)
	if text == "" || text[0] != '{' && text[0] != '[' {
		return res.Structured
	}
	raw := json.RawMessage(text)
	written, err := jsonValue(raw)
	if err != nil {
		return res.Structured
	}
	same, err := canonical(written)
	if err != nil {
		return res.Structured
	}
	if value, err := canonical(res.Structured); err != nil || !bytes.Equal(value, same) {
		return res.Structured
	}
	return raw
}

// forRun takes out of a result what only clients of the tool itself get: a run keeps its results until its end.
func (res *Result) forRun() {
	res.Content, res.Meta = nil, nil
	if res.Table != nil || len(res.Foreign) > maxForeign {
		res.Foreign = nil
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
