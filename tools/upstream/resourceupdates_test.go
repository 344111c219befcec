package upstream

import (
	"encoding/json"
	"errors"
	"testing"

	"catena/internal/access"
	"catena/tools"
)

// A server that tells of no changes is not subscribed to in silence.
func TestUnwatched(t *testing.T) {
	reg := tools.NewRegistry(tools.Options{})
	run(t, reg, Options{}, tiny("unwatched"))
	var wrong *tools.ArgumentError
	if err := reg.CanSubscribe(t.Context(), access.Local("test"), "mcp://tiny/note://one"); !errors.As(err, &wrong) || wrong.Argument != "uri" {
		t.Errorf("%v", err)
	}
}

// A subscription that failed is tried again while the server lives.
func TestSubscribedLater(t *testing.T) {
	reg := tools.NewRegistry(tools.Options{})
	run(t, reg, Options{}, tiny("later"))
	reg.Subscribed("mcp://tiny/note://one", true)
	eventually(t, "the subscription arrives", func() bool { return do(t, reg, "tiny__touch", nil).Text == "1" })
}

// A tool's view has the URI under which it can be read here; all else of the definition is its server's.
func TestViews(t *testing.T) {
	s := &server{Config: Config{Name: "v"}}
	for raw, want := range map[string]string{
		`{"name":"a","inputSchema":{"type":"object","x":1.0},"_meta":{"ui":{"resourceUri":"ui://v/view.html","visibility":["app"]},"ui/resourceUri":"ui://v/view.html","k":2.50}}`: `{"_meta":{"k":2.50,"ui":{"resourceUri":"ui://v/v/view.html","visibility":["app"]},"ui/resourceUri":"ui://v/v/view.html"},"inputSchema":{"type":"object","x":1.0},"name":"v__a"}`,
		`{"name":"a","inputSchema":{"type":"object"},"_meta":{"ui":{"resourceUri":"https://h/x"}}}`:                                                                                `{"_meta":{"ui":{"resourceUri":"https://h/x"}},"inputSchema":{"type":"object"},"name":"v__a"}`,
		`{"name":"a","inputSchema":{"type":"object"},"_meta":{"ui":"ui://x"}}`:                                                                                                     `{"_meta":{"ui":"ui://x"},"inputSchema":{"type":"object"},"name":"v__a"}`,
		`{"name":"a","inputSchema":{"type":"object"}}`:                                                                                                                             `{"inputSchema":{"type":"object"},"name":"v__a"}`,
	} {
		var def remoteTool
		if err := json.Unmarshal([]byte(raw), &def); err != nil {
			t.Fatal(err)
		}
		if got := string(s.tool(def).Raw); got != want {
			t.Errorf("%s became %s, want %s", raw, got, want)
		}
	}
	for _, uri := range []string{"ui://v/view.html", "file:///x", "ui://other/x?a=1"} {
		if back, err := s.theirURI(s.ourURI(uri)); err != nil || back != uri {
			t.Errorf("%s came back as %s, %v", uri, back, err)
		}
	}
	if _, err := s.theirURI("ui://other/v/x"); err == nil {
		t.Error("another server's URI was taken")
	}
}
