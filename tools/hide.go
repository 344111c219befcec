package tools

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/table"
)

// mostLooked is how many cells of a result's table are looked at for secrets of the program: what tools read of texts and repositories is
// smaller; what is larger are data, which come from files that hold no secrets of the program.
const mostLooked = 200_000

// hidden is a result without secrets of the program. A table that holds one is refused as a whole: a cell cannot be told from data.
func (r *Registry) hidden(e *entry, res Result) Result {
	hide := r.opt.Hide
	if hide == nil {
		return res
	}
	res.Text, res.Title, res.Name = hide(res.Text), hide(res.Title), hide(res.Name)
	for i, note := range res.Notes {
		if clean := hide(note); clean != note {
			res.Notes = append(append(append([]string{}, res.Notes[:i]...), clean), res.Notes[i+1:]...)
		}
	}
	if res.Structured != nil {
		res.Structured = hiddenValue(res.Structured, hide)
	}
	for i, c := range res.Content {
		if clean, ok := hiddenContent(c, hide); ok {
			res.Content = append(append(append([]mcp.Content{}, res.Content[:i]...), clean), res.Content[i+1:]...)
		}
	}
	if res.Table != nil && tells(res.Table, hide) {
		return Failed(CodeWithheld, e.Def.Name+" gave a table that holds a secret of this program's settings, so it is not given out. Take the secret out of what it reads.")
	}
	return res
}

// CodeWithheld is the code of a result that holds a secret of the program.
const CodeWithheld = "withheld"

// hiddenValue is a value without secrets. One that has none is returned as it is.
func hiddenValue(v any, hide func(string) string) any {
	if !mayHold(v, hide) {
		return v
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return v
	}
	text := string(raw)
	clean := hide(text)
	if clean == text {
		return v
	}
	dec := json.NewDecoder(bytes.NewReader([]byte(clean)))
	dec.UseNumber()
	var out any
	if dec.Decode(&out) != nil {
		return map[string]any{"error": "it holds a secret of this program's settings"}
	}
	return out
}

// mayHold reports whether a value holds a secret; of what is no plain JSON value it says so unseen.
func mayHold(v any, hide func(string) string) bool {
	switch v := v.(type) {
	case nil, bool, json.Number, float64, int, int64:
		return false
	case string:
		return hide(v) != v
	case []any:
		return slices.ContainsFunc(v, func(x any) bool { return mayHold(x, hide) })
	case map[string]any:
		for key, x := range v {
			if hide(key) != key || mayHold(x, hide) {
				return true
			}
		}
		return false
	}
	return true
}

// hiddenParts are the contents of a resource without secrets.
func (r *Registry) hiddenParts(list []mcp.ResourceContents) []mcp.ResourceContents {
	if r.opt.Hide == nil {
		return list
	}
	for i, c := range list {
		if t, ok := c.(mcp.TextResourceContents); ok {
			if clean := r.opt.Hide(t.Text); clean != t.Text {
				list = slices.Clone(list)
				t.Text = clean
				list[i] = t
			}
		}
	}
	return list
}

// hiddenPrompt is a prompt without secrets.
func (r *Registry) hiddenPrompt(p *mcp.GetPromptResult) *mcp.GetPromptResult {
	if r.opt.Hide == nil || p == nil {
		return p
	}
	for i := range p.Messages {
		if clean, ok := hiddenContent(p.Messages[i].Content, r.opt.Hide); ok {
			p.Messages = slices.Clone(p.Messages)
			p.Messages[i].Content = clean
		}
	}
	return p
}

// hiddenContent is a text without secrets, and whether it had any.
func hiddenContent(c mcp.Content, hide func(string) string) (mcp.Content, bool) {
	t, ok := c.(mcp.TextContent)
	if !ok {
		return c, false
	}
	clean := hide(t.Text)
	if clean == t.Text {
		return c, false
	}
	t.Text = clean
	return t, true
}

// tells reports whether a cell of a table holds a secret.
func tells(t *table.Table, hide func(string) string) bool {
	rows, cols := t.NumRows(), t.NumCols()
	if rows*cols > mostLooked {
		return false
	}
	for c := range cols {
		if t.Column(c).Type != table.Text {
			continue
		}
		for i := range rows {
			if text := t.Value(i, c).Text(); hide(text) != text {
				return true
			}
		}
	}
	return false
}

// hidingError is an error whose text has no secrets. It unwraps to the error as it was.
type hidingError struct {
	text string
	err  error
}

// Error is the text without secrets.
func (e *hidingError) Error() string { return e.text }

// Unwrap is the error as it was.
func (e *hidingError) Unwrap() error { return e.err }

// hiddenError is an error whose text has no secrets.
func (r *Registry) hiddenError(err error) error {
	if err == nil || r.opt.Hide == nil {
		return err
	}
	text := err.Error()
	if clean := r.opt.Hide(text); clean != text {
		return &hidingError{clean, err}
	}
	return err
}
