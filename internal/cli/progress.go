package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/mattn/go-runewidth"

	"catena/chat"
	"catena/internal/text"
)

// progress shows the steps of a run on stderr as they happen, a line each. It is used by one goroutine.
type progress struct {
	w      io.Writer
	quiet  bool
	live   bool              // a terminal: show what runs now on a line that is wiped
	args   map[string]string // by tool call
	onLine bool
}

func newProgress(w io.Writer, quiet bool) *progress {
	return &progress{w: w, quiet: quiet, live: liveOn(w), args: map[string]string{}}
}

// liveOn reports whether lines can be written over on w: it is a terminal.
func liveOn(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && isTerminal(f)
}

// event shows one event of the run's log.
func (p *progress) event(e chat.Payload) {
	if p.quiet {
		return
	}
	switch e.Type {
	case chat.ToolCallArgs:
		p.args[e.ToolCallID] = brief(e.Delta)
	case chat.StepStarted:
		if p.live && e.Metadata != nil {
			p.clear()
			fmt.Fprintf(p.w, " %-6s %-25s …", e.StepName, e.Metadata.Catena.Tool)
			p.onLine = true
		}
	case chat.StepFinished:
		if e.Metadata != nil {
			p.clear()
			p.step(e.Metadata.Catena, p.args[e.ToolCallID], e)
		}
	}
}

// clear wipes the line of what runs now.
func (p *progress) clear() {
	if p.onLine {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.onLine = false
	}
}

func (p *progress) step(m chat.StepMetadata, _ string, e chat.Payload) {
	name, detail := e.StepName, m.Detail
	if m.Kind == "tool" {
		detail = p.callArgs(m.StepID)
	}
	if m.Kind == "plan" {
		name = "plan"
	}
	end := ""
	switch {
	case m.Error != "":
		end = m.Status + ": " + m.Error
	case m.Rows != nil:
		end = text.Count(*m.Rows, "row")
	case m.Status != "done":
		end = m.Status
	}
	left := fmt.Sprintf(" %-6s ", name)
	if m.Tool != "" {
		left += runewidth.FillRight(m.Tool, 25) + " "
	}
	left += detail
	fmt.Fprintln(p.w, strings.TrimRight(fmt.Sprintf("%s %8.1f ms   %s",
		runewidth.FillRight(runewidth.Truncate(left, 68, "…"), 68), m.DurMS, end), " "))
}

// callArgs finds the arguments of a step's call: the call's id ends with the step's.
func (p *progress) callArgs(step string) string {
	for id, args := range p.args {
		if strings.HasSuffix(id, "-"+step) {
			return args
		}
	}
	return ""
}

// brief says arguments in few words: region=USA limit=5.
func brief(raw string) string {
	var args map[string]any
	if err := json.Unmarshal([]byte(raw), &args); err != nil {
		return ""
	}
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(args)) {
		switch v := args[k].(type) {
		case []any:
			parts = append(parts, fmt.Sprintf("%d %s", len(v), k))
		case map[string]any:
			parts = append(parts, k)
		case string:
			if strings.HasPrefix(v, "tbl_") {
				continue // the table of the step before: the steps say it by their order
			}
			parts = append(parts, k+"="+v)
		default:
			parts = append(parts, fmt.Sprintf("%s=%v", k, v))
		}
	}
	return printable(strings.Join(parts, " "))
}
