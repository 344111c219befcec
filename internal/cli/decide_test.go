package cli

import (
	"bufio"
	"strings"
	"testing"

	"catena/chat"
	"catena/tools"
)

func TestDecide(t *testing.T) {
	waits := chat.Pending{Step: "s1", Tool: "shred", Args: map[string]any{"path": "old.txt\x1b[2J\u202e"}}
	unknown := waits
	unknown.Reason = tools.CodeOutcomeUnknown
	for _, tc := range []struct {
		step       chat.Pending
		line, want string
	}{
		{waits, "y\n", "run"}, {waits, " YES \n", "run"}, {waits, "\n", "skip"}, {waits, "n\n", "skip"}, {waits, "maybe\n", ""}, {waits, "", ""}, {waits, "y", "run"},
		{unknown, "r\n", "run"}, {unknown, "y\n", ""}, {unknown, "d\n", "done"}, {unknown, "\n", "skip"},
	} {
		var out strings.Builder
		if got := decide(tc.step, bufio.NewReader(strings.NewReader(tc.line)), &out); got != tc.want {
			t.Errorf("%q gave %q, not %q", tc.line, got, tc.want)
		}
		if !strings.Contains(out.String(), "old.txt") || strings.ContainsAny(out.String(), "\x1b\u202e") {
			t.Errorf("it asked %q", out.String())
		}
	}
}
