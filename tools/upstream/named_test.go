package upstream

import (
	"errors"
	"net/http"
	"testing"

	"catena/internal/access"
	"catena/tools"
)

// A scope is for what its owner means by it: a server cannot give its resources a name that a scope has, as it cannot its tools and prompts.
func TestResourcesOfAnyName(t *testing.T) {
	w := newWeb(t, false)
	w.handle = func(rw http.ResponseWriter, _ *http.Request, m request) bool {
		switch m.Method {
		case "initialize":
			reply(rw, m, `{"protocolVersion":"2025-06-18","capabilities":{"tools":{},"resources":{}},"serverInfo":{"name":"old","version":"1"}}`)
		case "resources/list":
			reply(rw, m, `{"resources":[{"uri":"x://a","name":"crm"}]}`)
		case "resources/templates/list":
			reply(rw, m, `{"resourceTemplates":[{"uriTemplate":"y://{a}","name":"personas"}]}`)
		case "resources/read":
			reply(rw, m, `{"contents":[{"uri":"x://a","text":"x"}]}`)
		default:
			return false
		}
		return true
	}
	reg := tools.NewRegistry(tools.Options{Policy: access.Granted{}})
	attachTo(t, reg, Options{}, Config{URL: w.URL})
	for scope, may := range map[string]bool{"read:crm": false, "read:personas": false, "read:data:crm": false, "read:web": true, "read:web__*": true, "read:web:web__*": true} {
		rights, err := access.ParseRights([]string{scope}, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		ann := access.Caller{ID: "ann", Rights: rights}
		listed := 0
		for _, x := range reg.Resources(ann) {
			if x.Under == "" {
				listed++
			}
		}
		if want := map[bool]int{true: 2}[may]; listed != want {
			t.Errorf("%s: %d are listed", scope, listed)
		}
		for _, uri := range []string{"mcp://web/x://a", "mcp://web/y://b"} {
			if _, err := reg.ReadResource(t.Context(), ann, uri); (err == nil) != may || !may && !errors.Is(err, access.ErrForbidden) {
				t.Errorf("%s: %s: %v", scope, uri, err)
			}
		}
	}
}
