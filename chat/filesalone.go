package chat

import (
	"fmt"
	"slices"
	"strings"

	"catena/internal/text"
)

// maxColumnsTold is how many columns of a table are named where files came without a message.
const maxColumnsTold = 12

// fileNames is the message of files that came without one.
func fileNames(files []Attachment) string { return strings.Join(namesOf(files), ", ") }

// namesOf are the names of files, each as one line.
func namesOf(files []Attachment) []string {
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = Title(f.Name)
	}
	return names
}

// tellFiles answers files that came without a message, or with their names for one: which tables they are, and what
// these have. Nothing is planned.
func (t *turn) tellFiles() bool {
	if len(t.req.Attachments) == 0 || t.req.Message != fileNames(t.req.Attachments) {
		return false
	}
	var lines []string
	for _, info := range slices.Backward(t.ask.Tables) { // uploads are listed newest first
		if !info.Attached {
			continue
		}
		var columns []string
		for _, c := range info.Columns[:min(len(info.Columns), maxColumnsTold)] {
			columns = append(columns, escape(c.Name))
		}
		if more := len(info.Columns) - len(columns); more > 0 {
			columns = append(columns, fmt.Sprintf("%d more", more))
		}
		lines = append(lines, fmt.Sprintf("- **%s**: %s, %s: %s", escape(info.Name), text.Count(info.Rows, "row"),
			text.Count(len(info.Columns), "column"), strings.Join(columns, ", ")))
	}
	t.say("The files are loaded; ask about them.\n\n" + strings.Join(lines, "\n"))
	t.resp.Outcome, t.resp.Intent, t.resp.PromptType = OutcomeAnswer, "direct", "general"
	t.resp.Title = shorten(t.req.Message, 80)
	t.resp.Completeness = t.completeness(nil)
	return true
}
