package redact

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/tools/code/parse"
)

// TestSecretsByWhatStandsBeside: what is a secret only by its line is hidden in what is kept of the line.
func TestSecretsByWhatStandsBeside(t *testing.T) {
	const secret = "0123456789abcdef"
	f := parse.File{Imports: []parse.Import{{Path: secret, Line: 2}, {Path: "os", Line: 2}, {Path: secret, Line: 1}}, Refs: []parse.Ref{{Name: secret, Qualifier: "api_key", Line: 2}}}
	text := File(&f, []byte(secret+"\nimport os, api_key: \""+secret+"\"\n"))
	if want := secret + "\nimport os, api_key: \"***\"\n"; string(text) != want {
		t.Errorf("%q", text)
	}
	want := parse.File{Imports: []parse.Import{{Path: hidden, Line: 2}, {Path: "os", Line: 2}, {Path: secret, Line: 1}}, Refs: []parse.Ref{{Name: hidden, Qualifier: "api_key", Line: 2}}}
	if diff := cmp.Diff(want, f); diff != "" {
		t.Error(diff)
	}
}
