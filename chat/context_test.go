package chat

import (
	"slices"
	"strings"
	"testing"

	"catena/chat/chattest"
)

// TestUnknownContext: an answer says that what was said before is not known.
func TestUnknownContext(t *testing.T) {
	w := newWorld(t)
	for _, unknown := range []bool{true, false} {
		resp, err := w.engine().Turn(t.Context(), chattest.Ann, Request{Message: "top clients", ContextUnknown: unknown}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if slices.Contains(resp.Notes, unknownContext) != unknown || strings.Contains(resp.Response, unknownContext) != unknown {
			t.Errorf("unknown %v: %v %s", unknown, resp.Notes, resp.Response)
		}
	}
}
