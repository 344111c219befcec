package runs

import (
	"catena/chat"
	"catena/chat/chattest"
	"testing"
)

// TestFormIsKept: a run that another process goes on with has the schema still, and a key is of one schema.
func TestFormIsKept(t *testing.T) {
	req := chat.Request{Message: "top", Form: []byte(`{"type":"array"}`)}
	stored := newStored(&liveRun{}, req, chattest.Clock)
	if got := stored.request(); string(got.Form) != string(req.Form) {
		t.Errorf("%s", got.Form)
	}
	one, err := digest(req)
	if err != nil {
		t.Fatal(err)
	}
	req.Form = nil
	if other, err := digest(req); err != nil || one == other {
		t.Errorf("%s %s %v", one, other, err)
	}
}
