package loosejson

import (
	"bytes"
	"encoding/json"
	"slices"
)

// Keys are the keys of a JSON object in the order in which it was written, each once; nil where raw is no object. Of a
// broken object they are those before the fault.
func Keys(raw json.RawMessage) []string {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	var out []string
	for d.More() {
		t, err := d.Token()
		name, ok := t.(string)
		var skip json.RawMessage
		if err != nil || !ok || d.Decode(&skip) != nil {
			return out
		}
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}
