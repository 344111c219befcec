package plan

import (
	"encoding/json"
	"testing"
)

// TestDialects: a schema is read by the dialect that it names, 2020-12 where it names none. In draft-07 a list under items is a
// tuple and what stands beside $ref has no meaning; 2020-12 has prefixItems and takes both.
func TestDialects(t *testing.T) {
	const (
		old  = `"$schema":"http://json-schema.org/draft-07/schema#",`
		pair = `"type":"object","properties":{"p":{"type":"array","items":[{"type":"string"},{"type":"integer"}]}}`
		next = `"type":"object","properties":{"p":{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}]}}`
		ref  = `"type":"object","properties":{"p":{"$ref":"#/definitions/s","maxLength":2}},"definitions":{"s":{"type":"string"}}`
		far  = `"type":"object","properties":{"p":{"$ref":"https://example.com/s.json"}}`
	)
	for name, tt := range map[string]struct {
		schema, arg string
		code        Code // "" where it fits
	}{
		"tuple of draft-07, fits":       {old + pair, `["a",1]`, ""},
		"tuple of draft-07":             {old + pair, `["a","b"]`, TypeMismatch},
		"prefixItems, fits":             {next, `["a",1]`, ""},
		"prefixItems":                   {next, `["a","b"]`, TypeMismatch},
		"prefixItems in draft-07":       {old + next, `["a","b"]`, ""},
		"beside $ref in draft-07":       {old + ref, `"abc"`, ""},
		"beside $ref":                   {ref, `"abc"`, OutOfRange},
		"a schema elsewhere, not there": {far, `{"x":1}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			tool := Tool{Name: "t", InputSchema: json.RawMessage(`{` + tt.schema + `}`)}
			p, err := Parse(`{"steps":[{"id":"s1","tool":"t","args":{"p":`+tt.arg+`}}]}`, Limits{})
			if err != nil {
				t.Fatal(err)
			}
			found := Validate(p, []Tool{tool}, nil, Limits{})
			if tt.code == "" && len(found) > 0 || tt.code != "" && !found.Has(tt.code) {
				t.Errorf("found %v, want %q", found, tt.code)
			}
		})
	}
}
