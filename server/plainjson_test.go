package server

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// What is plain is right when it is read value by value too.
func FuzzPlainJSON(f *testing.F) {
	for _, s := range []string{`{}`, `{"a":1,"a":2}`, `{"a":{"b":[{"c":1},{"c":2}]},"d":"\"a\":"}`, `{"a":1,"\u0061":2}`, `"a"`, `["a",{"a" : 1 , "a":2}]`, `{"a":{"a":1},"b":{"a":1}}`, `[[[[[[[[[1]]]]]]]]]`, ` 1 `} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if body := []byte(s); utf8.Valid(body) && strings.TrimSpace(s) != "" && plainJSON(body) {
			if err := scanJSON("It", body); err != nil {
				t.Errorf("%s: %v", s, err)
			}
		}
	})
}

// Calls are plain; what is twice is not.
func TestPlainJSON(t *testing.T) {
	for text, want := range map[string]bool{
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"message":"a \"b\": c"}}}`: true,
		`[{"a":1},{"a":1}]`: true, `{"a":{"a":1}}`: true, `{"a":1 , "a" : 2}`: false, `{"a":{"b":1,"b":2}}`: false, `{"\u0061":1}`: false, `{"a":1}}`: false, `{`: false,
	} {
		if got := plainJSON([]byte(text)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
