package chat

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"catena/internal/text"
	"catena/table"
	"catena/table/load"
	"catena/tools"
)

// Bounds of what an answer shows of values and texts that are no tables.
const (
	maxText    = 8000 // characters of a tool's text
	maxFields  = 40   // lines of an object
	maxCell    = 300  // characters of a line's value
	fieldDepth = 4    // objects inside objects that get lines of their own
	listInCell = 20   // elements of a list in a line
)

// recordsIn finds the rows in a structured result. text is the same value as its tool wrote it, or anything else: where it holds the same rows, it gives
// the order of the columns, which maps have not.
func recordsIn(v any, text string) (load.Listing, bool) {
	raw, err := json.Marshal(v)
	if err != nil {
		return load.Listing{}, false
	}
	list, ok := load.ReadListing(raw, "result", table.Limits{})
	if !ok {
		return list, false
	}
	written, same := load.ReadListing([]byte(text), "result", table.Limits{})
	if same && written.Table.NumRows() == list.Table.NumRows() && slices.Equal(sorted(written.Table.Names()), sorted(list.Table.Names())) {
		list.Table = written.Table
	}
	return list, true
}

func sorted(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return list
}

// parseJSON reads a text that is a JSON object or list, nil for any other.
func parseJSON(text string) any {
	text = strings.TrimSpace(text)
	if text == "" || text[0] != '{' && text[0] != '[' {
		return nil
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil || d.More() {
		return nil
	}
	return v
}

// jsonValue is v as decoding its JSON gives it: maps, lists, json.Number.
func jsonValue(v any) (any, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(strings.NewReader(string(b)))
	d.UseNumber()
	var out any
	return out, d.Decode(&out)
}

// fieldsText writes a JSON object or list for people: a line for each field, "" for nothing.
func fieldsText(v any) string {
	if v == nil {
		return ""
	}
	v, err := jsonValue(v)
	if err != nil {
		return fmt.Sprintf("The result is no JSON value: %v.", err)
	}
	lines := fieldLines(nil, "", v, 0)
	if len(lines) == 0 {
		return "The result is empty."
	}
	var b strings.Builder
	b.WriteString("|Field|Value|\n|-|-|")
	for _, l := range lines[:min(len(lines), maxFields)] {
		fmt.Fprintf(&b, "\n|%s|%s|", escape(l.name), escape(shorten(l.text, maxCell)))
	}
	if more := len(lines) - maxFields; more > 0 {
		fmt.Fprintf(&b, "\n\n- %s not shown.", text.Are(more, "more field"))
	}
	return b.String()
}

// fieldLine is one field of a value, its name dotted, and its value in one line.
type fieldLine struct {
	name, text string
	value      any
}

// fieldLines appends a line for each field of v. Objects in objects have dotted names; lists are written in their line.
func fieldLines(lines []fieldLine, name string, v any, depth int) []fieldLine {
	switch x := v.(type) {
	case map[string]any:
		if depth >= fieldDepth || len(x) == 0 {
			break
		}
		for _, key := range slices.Sorted(maps.Keys(x)) {
			inner := key
			if name != "" {
				inner = name + "." + key
			}
			lines = fieldLines(lines, inner, x[key], depth+1)
		}
		return lines
	case []any:
		if name == "" {
			for i, e := range x {
				lines = fieldLines(lines, fmt.Sprint(i+1), e, depth+1)
			}
			return lines
		}
	}
	if name == "" {
		return lines // an empty object
	}
	return append(lines, fieldLine{name, cellText(v), v})
}

// cellText writes a JSON value in one line.
func cellText(v any) string {
	switch x := v.(type) {
	case nil:
		return ""
	case string:
		return x
	case bool:
		return scalarText(x)
	case json.Number:
		return x.String()
	case []any:
		scalar := !slices.ContainsFunc(x, func(e any) bool {
			switch e.(type) {
			case []any, map[string]any:
				return true
			}
			return false
		})
		if scalar {
			parts := make([]string, min(len(x), listInCell))
			for i := range parts {
				parts[i] = cellText(x[i])
			}
			if more := len(x) - len(parts); more > 0 {
				parts = append(parts, fmt.Sprintf("… and %d more", more))
			}
			return strings.Join(parts, ", ")
		}
	}
	b, err := json.Marshal(v)
	if err != nil {
		return "" // it was decoded from JSON
	}
	return string(b)
}

// toolText is a tool's text as the answer shows it: cut at maxText, which is said. What a server that we do not run has written
// stands in a block that names its tool, where nothing is read as Markdown, links or HTML. What a tool of ours has put together of
// untrusted words is Markdown without links, images and HTML.
func (t *turn) toolText(r *tools.Result, tool string, remote bool) string {
	body := strings.TrimSpace(r.Text)
	if body == "" {
		return ""
	}
	said := ""
	if n := utf8.RuneCountInString(body); n > maxText {
		body = strings.TrimSpace(string([]rune(body)[:maxText])) + " …"
		cut := fmt.Sprintf("%s of %s characters of the text of %s are shown.", text.Thousands(maxText), text.Thousands(n), tool)
		t.cut = append(t.cut, cut)
		said = "\n\n- " + escape(cut)
	}
	if !r.Untrusted {
		return body + said
	}
	if !remote {
		return PlainMarkdown(strings.Map(printable, body)) + said
	}
	body = strings.ReplaceAll(strings.Map(printable, body), "```", "'''")
	return "From `" + strings.ReplaceAll(tool, "`", "'") + "`, unchecked:\n\n```text\n" + body + "\n```" + said
}

// printable drops what could steer a terminal, turn the direction of writing, or is not seen, but for the joiners that some scripts and
// pictures are written with. Signs that stand before Arabic numbers are seen.
func printable(r rune) rune {
	const seen = "\n\t\u200c\u200d" // line breaks and joiners
	if strings.ContainsRune(seen, r) || unicode.Is(unicode.Prepended_Concatenation_Mark, r) || !unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
		return r
	}
	return -1
}

// dataToolset is the toolset of queries: what they leave out, the plan has asked them to.
const dataToolset = "data"

// toolset is that of a step's tool, "" when it is not known.
func (t *turn) toolset(step string) string {
	name := t.toolOf(step)
	for _, tool := range t.ask.Tools {
		if tool.Name == name {
			return tool.Toolset
		}
	}
	return ""
}

// described puts to the records of a server's tool what its schema says of them.
func (t *turn) described(tab *table.Table, step string) *table.Table {
	name := t.toolOf(step)
	if !t.remote(step) {
		return tab
	}
	for _, tool := range t.ask.Tools {
		if tool.Name == name {
			return tools.Described(tab, tool.OutputSchema)
		}
	}
	return tab
}

// remote reports whether a step's tool is a server's that we do not run: its name is <toolset>__<tool>.
func (t *turn) remote(step string) bool {
	set := t.toolset(step)
	return set == "" || strings.HasPrefix(t.toolOf(step), set+"__")
}

// toolOf is the tool of a step.
func (t *turn) toolOf(step string) string {
	for _, s := range t.resp.Steps {
		if s.ID == step {
			return s.Tool
		}
	}
	return "a tool"
}
