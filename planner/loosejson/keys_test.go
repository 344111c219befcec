package loosejson

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestKeys(t *testing.T) {
	for raw, want := range map[string]string{
		"": "", "[1]": "", "true": "", "{}": "", `{"b":1,"a":{"c":2},"b":3}`: "b a", `{"b":1,"a":`: "b", `{"b":1,}`: "b",
	} {
		if got := strings.Join(Keys(json.RawMessage(raw)), " "); got != want {
			t.Errorf("%s: %q, want %q", raw, got, want)
		}
	}
}
