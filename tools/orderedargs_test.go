package tools

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/tools/handle"
)

// The columns of a list of objects stand as they were sent, whatever Go's maps make of them.
func TestArgumentsKeepOrder(t *testing.T) {
	for raw, want := range map[string][]string{
		`{"data":[{"zeta":1,"alpha":"x"}]}`:                  {"zeta", "alpha"},
		`{"data":[{"b":1},{"c":2,"a":3}]}`:                   {"b", "c", "a"},
		`{"data":{"rows":[{"zeta":1,"alpha":"x","mid":0}]}}`: {"zeta", "alpha", "mid"},
		`{"data":{"zeta":[1,2],"alpha":[3,4]}}`:              {"zeta", "alpha"},
		`{"data":"[{\"zeta\":1,\"alpha\":2}]"}`:              {"zeta", "alpha"},
	} {
		var args map[string]any
		if err := json.Unmarshal([]byte(raw), &args); err != nil {
			t.Fatal(err)
		}
		got, err := TableArg(t.Context(), handle.New(handle.Options{}), Call{Args: args, Raw: json.RawMessage(raw)}, "data")
		if err != nil {
			t.Errorf("%s: %v", raw, err)
			continue
		}
		if d := cmp.Diff(want, got.Table.Names()); d != "" {
			t.Errorf("%s (-want +got):\n%s", raw, d)
		}
	}
}
