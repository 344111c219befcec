package chat

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
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

// recordsIn finds the rows in a structured result.
func recordsIn(v any) (load.Listing, bool) {
	raw, err := json.Marshal(v)
	if err != nil {
		return load.Listing{}, false
	}
	return load.ReadListing(raw, "result", table.Limits{})
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
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprintf("The result is no JSON value: %v.", err)
	}
	lines := fieldLines(nil, "", load.Sole(raw), 0)
	if len(lines) == 0 {
		return "The result is empty."
	}
	var b strings.Builder
	b.WriteString("|Field|Value|\n|-|-|")
	for _, l := range lines[:min(len(lines), maxFields)] {
		fmt.Fprintf(&b, "\n|%s|%s|", escape(l.name), l.said())
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

// said is the value in the cell of a table.
func (l fieldLine) said() string {
	switch l.value.(type) {
	case []any, map[string]any:
		return escapeValue(shorten(l.text, maxCell))
	}
	return escape(shorten(l.text, maxCell))
}

// fieldLines appends a line for each field of a JSON value, in their order. Objects in objects have dotted names; lists
// are written in their line.
func fieldLines(lines []fieldLine, name string, raw json.RawMessage, depth int) []fieldLine {
	if fields := load.FieldsOf(raw); len(fields) > 0 && depth < fieldDepth {
		for _, f := range fields {
			inner := f.Name
			if name != "" {
				inner = name + "." + f.Name
			}
			lines = fieldLines(lines, inner, f.Value, depth+1)
		}
		return lines
	}
	var list []json.RawMessage
	if name == "" {
		_ = json.Unmarshal(raw, &list) // what is no list has no elements
		for i, element := range list {
			lines = fieldLines(lines, strconv.Itoa(i+1), element, depth+1)
		}
		return lines
	}
	value, err := jsonValue(raw)
	if err != nil {
		return lines // it is of a JSON value
	}
	return append(lines, fieldLine{name, cellText(value, raw), value})
}

// cellText writes a JSON value, which raw is as it was written, in one line.
func cellText(v any, raw json.RawMessage) string {
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
		if parts, single := singleTexts(x); single {
			return strings.Join(parts, ", ")
		}
	}
	var line bytes.Buffer
	if json.Compact(&line, raw) != nil {
		return "" // it was decoded
	}
	return line.String()
}

// singleTexts are the first elements of a list of single values, with how many there are more; false is a list that
// holds others.
func singleTexts(list []any) (parts []string, single bool) {
	for i, element := range list {
		switch element.(type) {
		case []any, map[string]any:
			return nil, false
		}
		if i < listInCell {
			parts = append(parts, cellText(element, nil))
		}
	}
	if more := len(list) - len(parts); more > 0 {
		parts = append(parts, fmt.Sprintf("… and %d more", more))
	}
	return parts, true
}

// toolText is a tool's text as the answer shows it: cut at maxText, which is said. What a server that we do not run has
// written stands in a block that names its tool, where nothing is read as Markdown, links or HTML. What a tool of ours
// has put together of untrusted words is Markdown without links, images and HTML.
func (t *turn) toolText(r *tools.Result, tool string, remote bool) string {
	body := strings.TrimSpace(r.Text)
	if body == "" {
		return ""
	}
	said := ""
	if n := utf8.RuneCountInString(body); n > maxText {
		body = strings.TrimSpace(string([]rune(body)[:maxText])) + " …"
		cut := fmt.Sprintf("%s of %s characters of the text of %s are shown.", text.Thousands(maxText),
			text.Thousands(n), tool)
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

// printable drops what could steer a terminal, turn the direction of writing, or is not seen, but for the joiners that
// some scripts and pictures are written with. Signs that stand before Arabic numbers are seen.
func printable(r rune) rune {
	const seen = "\n\t\u200c\u200d" // line breaks and joiners
	if strings.ContainsRune(seen, r) || unicode.Is(unicode.Prepended_Concatenation_Mark, r) ||
		!unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
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
