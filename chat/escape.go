package chat

import (
	"strings"

	"catena/internal/text"
)

// escape keeps a text, which it puts on one line, from being read as Markdown or HTML, or by a terminal.
func escape(s string) string {
	return text.Markdown(oneLine.Replace(strings.Map(printable, s)))
}

// escapeValue is escape for what may be a JSON object or list.
func escapeValue(s string) string {
	return string(text.AppendMarkdownJSON(nil, oneLine.Replace(strings.Map(printable, s))))
}

var oneLine = strings.NewReplacer("\n", " ", "\r", " ")
