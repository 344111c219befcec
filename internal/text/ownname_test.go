package text

import (
	"strings"
	"testing"
)

func TestOwnName(t *testing.T) {
	for _, tt := range []struct{ tool, server, name, words, title string }{
		{"json_list", "json", "list", "list", "List"},
		{"json__list", "json", "list", "list", "List"},
		{"JSON-list", "json", "list", "list", "List"},
		{"json", "json", "json", "json", "Json"},
		{"json_", "json", "json", "json", "Json"},
		{"jsonify_list", "json", "jsonify_list", "jsonify list", "Jsonify list"},
		{"my_json__list_all", "my_json", "list_all", "list all", "List all"},
		{"my-json.list", "my_json", "list", "list", "List"},
		{"list__all__towns", "my_json", "list__all__towns", "list all towns", "List all towns"},
		{"_echo_", "wx-station", "echo", "echo", "Echo"},
		{"wx_station_open", "wx-station", "open", "open", "Open"},
		{"wx", "wx-station", "wx", "wx", "Wx"},
	} {
		if got := OwnName(tt.tool, tt.server); got != tt.name {
			t.Errorf("OwnName(%q, %q) = %q, want %q", tt.tool, tt.server, got, tt.name)
		}
		if got := OwnWords(tt.tool, tt.server); got != tt.words {
			t.Errorf("OwnWords(%q, %q) = %q, want %q", tt.tool, tt.server, got, tt.words)
		}
		if got := OwnTitle("", tt.tool, tt.server); got != "" {
			t.Errorf("OwnTitle of none = %q", got)
		}
		if got := OwnTitle(tt.tool, tt.tool, tt.server); got != tt.title {
			t.Errorf("OwnTitle(%q, %q) = %q, want %q", tt.tool, tt.server, got, tt.title)
		}
	}
	for title, want := range map[string]string{"Create Entities": "Create Entities", "My  Json Create.Entities": "Create Entities"} {
		if got := OwnTitle(title, strings.ToLower(strings.Join(nameWords(title), "_")), "my_json"); got != want {
			t.Errorf("OwnTitle(%q) = %q, want %q", title, got, want)
		}
	}
	if got := OwnTitle("Lists  all\ttowns", "json_list", "json"); got != "Lists all towns" {
		t.Errorf("a title = %q", got)
	}
}
