package chat

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"catena/internal/text"
	"catena/tools"
)

// Bounds of a tool call's result in its event; the whole is behind the link.
const (
	resultBytes   = 2 << 10
	resultRows    = 5
	resultColumns = 12
	resultCell    = 60 // characters
)

// tablePath is where a table of a run can be read, below the server's root.
func tablePath(handle string) string { return "/api/v1/tables/" + handle }

// callResult is what the event of a finished call says: how it went, the first rows of its table or the start of its
// text, and where the rest is.
func callResult(ev tools.StepEvent) string {
	status := string(ev.Status)
	if ev.Error != "" {
		status += ": " + ev.Error
	}
	status = shorten(status, argText)
	r := ev.Result
	switch {
	case r == nil:
		return status
	case r.Table != nil:
		return status + ": " + tableStart(r)
	}
	text := r.Text
	if text == "" {
		text = fieldsText(r.AsWritten())
	}
	if len(text) > resultBytes {
		text = clip(text, resultBytes) + "…"
	}
	if text = strings.Map(printable, text); text == "" {
		return status
	}
	return status + ": " + text
}

// tableStart writes the first rows of a table as Markdown, with the values as they are.
func tableStart(r *tools.Result) string {
	t := r.Table
	rows, columns := min(t.NumRows(), resultRows), min(t.NumCols(), resultColumns)
	var b strings.Builder
	b.Grow(resultBytes)
	b.WriteString(text.Count(t.NumRows(), "row"))
	b.WriteString("\n\n|")
	for c := range columns {
		writeCell(&b, t.Column(c).Name)
	}
	b.WriteString("\n|" + strings.Repeat("---|", columns))
	written := 0
	for ; written < rows && b.Len() < resultBytes; written++ {
		b.WriteString("\n|")
		for c := range columns {
			writeCell(&b, t.Value(written, c).Text())
		}
	}
	if written < t.NumRows() || columns < t.NumCols() {
		fmt.Fprintf(&b, "\n\n%s of %s and %s of %s.", text.Thousands(written), text.Count(t.NumRows(), "row"),
			text.Thousands(columns), text.Count(t.NumCols(), "column"))
	}
	if r.Handle != "" {
		b.WriteString("\n\nThe whole table: " + tablePath(r.Handle))
	}
	return b.String()
}

// writeCell writes a text as one cell of a Markdown table.
func writeCell(b *strings.Builder, s string) {
	b.WriteByte(' ')
	if plainCell(s) {
		b.WriteString(s)
	} else {
		b.WriteString(escape(shorten(s, resultCell)))
	}
	b.WriteString(" |")
}

// plainCell reports whether a text can stand in a cell as it is.
func plainCell(s string) bool {
	if len(s) > resultCell {
		return false
	}
	for i := range len(s) {
		if c := s[i]; c >= utf8.RuneSelf || c < ' ' || strings.IndexByte("\\*`[]<>|", c) >= 0 {
			return false
		}
	}
	return true
}
