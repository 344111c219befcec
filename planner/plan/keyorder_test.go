package plan

import (
	"strings"
	"testing"
)

func TestKeyOrder(t *testing.T) {
	got := KeyOrder([]byte(`{"b":"x","a\u00e9":{"q\"r":1},"b":2,"open`))
	for text, at := range map[string]int{"b": 1, "x": 5, "aé": 9, `q"r`: 20} {
		if got[text] != at {
			t.Errorf("%q is at %d, want %d", text, got[text], at)
		}
	}
	if _, there := got["open"]; there || len(got) != 4 {
		t.Errorf("too many: %v", got)
	}
	if n := len(KeyOrder([]byte(`"` + strings.Repeat("x", 2000) + `"`))); n != 0 {
		t.Errorf("a text that is no name: %d", n)
	}
}
