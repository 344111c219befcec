package cli

import (
	"strings"
	"testing"

	"catena/tools"
)

// What a server says of itself, and of a failure, does not work the terminal of who lists the servers.
func TestServersDoNotWorkTerminals(t *testing.T) {
	const bad = "HTTP 400 \x1b]0;title\x07 \x1b[2J\r\u009b31m \u202egnp"
	var out strings.Builder
	if err := writeServers(&out, []tools.ServerStatus{{Name: "crm", Phase: "down", Detail: bad, Notes: []string{bad}}}); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(out.String(), "\x1b\x07\r\u009b\u202e") || strings.Count(out.String(), `\u001b[2J`) != 2 {
		t.Errorf("%q", out.String())
	}
	if got := harmless("two\nlines\tand über"); got != "two\nlines\tand über" {
		t.Errorf("%q", got)
	}
}
