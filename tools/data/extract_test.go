package data_test

import (
	"encoding/json"
	"testing"

	"catena/tools"
)

// Values of every kind fit what extract declares, and stand for themselves where no protocol wants an object.
func TestExtractKinds(t *testing.T) {
	for schema, reply := range map[string]string{
		`{"type":"object"}`: `{"n":12}`, `{"type":"array"}`: `["a","b"]`, `{"type":"string"}`: `"Ann"`, `{"type":"integer"}`: `9007199254740993`,
		`{"type":"boolean"}`: `true`, `{"type":["string","null"]}`: `null`,
	} {
		var asked []string
		reg, _ := kitchen(t, answers(&asked, reply))
		res := call(t, reg, "extract", `{"text":"x","schema":`+schema+`}`)
		b, err := json.Marshal(res.Structured)
		if err != nil || res.IsError || string(b) != reply || res.Text != reply {
			t.Errorf("%s: %+v, %s, %v", schema, res, b, err)
		}
		tool, ok := reg.Lookup("extract")
		if !ok {
			t.Fatal("no extract")
		}
		if err := tools.CheckJSON(t.Context(), tool.Def.RawOutputSchema, res.Structured); err != nil {
			t.Errorf("%s: %v", schema, err)
		}
	}
}
