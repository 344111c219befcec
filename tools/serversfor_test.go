package tools

import (
	"context"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/internal/access"
)

// What a server is down for, and what it has, is for those who may use it.
func TestServersFor(t *testing.T) {
	r := NewRegistry(Options{Policy: access.Granted{}})
	def := mcp.NewToolWithRawSchema("far__echo", "", []byte(`{"type":"object"}`))
	err := r.Register(Tool{Def: def, Toolset: "far", Handler: func(context.Context, Call) (Result, error) { return Result{}, nil }})
	if err != nil {
		t.Fatal(err)
	}
	const why = "it cannot start /opt/bin/far"
	r.SetServer(ServerStatus{Name: "far", Phase: PhaseResting, Detail: why, Tools: 1, Notes: []string{"a note"}, Quarantined: []string{"far__x"}})
	for scopes, knows := range map[string]bool{"admin": true, "chat tools:*": true, "read:far": true, "write:far:far__echo": true, "tools:far__echo": true, "chat": false, "tools:crm": false, "read:far__echo": false} {
		rights, err := access.ParseRights(strings.Fields(scopes), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		c := access.Caller{ID: "x", Rights: rights}
		got := r.ServersFor(c)[0]
		if told := got.Detail == why && got.Tools == 1 && len(got.Notes) == 1; told != knows || !told && (got.Detail != "resting" || len(got.Notes)+len(got.Quarantined) > 0) {
			t.Errorf("%s sees %+v", scopes, got)
		}
		if told := strings.Contains(r.Unknown(c, "far__other").Error(), why); told != knows || r.DownFor(c)["far"] == "" {
			t.Errorf("%s is told %v", scopes, r.Unknown(c, "far__other"))
		}
	}
}
