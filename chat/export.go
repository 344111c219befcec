package chat

import (
	"fmt"
	"strings"
)

// ExportedSession is a session as its JSON export has it: all turns of all branches.
type ExportedSession struct {
	SessionInfo
	Turns []StoredTurn `json:"turns"`
	// Path names the runs of the turns that lead to the newest one, oldest first: what a reader sees where turns were
	// edited or asked again.
	Path []string `json:"path"`
}

// Export makes a session's JSON export.
func Export(s SessionInfo, turns []StoredTurn) ExportedSession {
	out := ExportedSession{SessionInfo: s, Turns: turns, Path: pathRuns(turns)}
	if out.Turns == nil {
		out.Turns = []StoredTurn{}
	}
	return out
}

// ExportMarkdown writes what a reader sees of a session: its title, and of each turn on its Path the message, the
// answer and the notes.
func ExportMarkdown(s SessionInfo, turns []StoredTurn) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\nSession %s, begun %s\n", escape(s.Title), s.ID,
		s.Created.UTC().Format("2 January 2006 15:04 MST"))
	for _, t := range Path(turns) {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n", t.At.UTC().Format("2 January 2006 15:04 MST"), quote(t.Message))
		b.WriteString(strings.TrimSpace(t.Response) + "\n")
		for _, note := range t.Notes {
			if strings.Contains(t.Response, plainLine(note)) {
				continue // most answers say their notes themselves
			}
			fmt.Fprintf(&b, "\n*%s*\n", escape(note))
		}
	}
	return b.String()
}

// quote writes a message as Markdown shows what somebody said.
func quote(message string) string {
	lines := strings.Split(strings.TrimSpace(message), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight("> "+escape(line), " ")
	}
	return strings.Join(lines, "\n")
}

// pathRuns names the runs on the Path.
func pathRuns(turns []StoredTurn) []string {
	runs := []string{}
	for _, t := range Path(turns) {
		runs = append(runs, t.RunID)
	}
	return runs
}
