package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// codeOf is the code of what checkJSON found.
func codeOf(err error) string {
	var p *problem
	if errors.As(err, &p) {
		return p.Code
	}
	return ""
}

// walk reads a value token by token, as slow as it is plain, and gives the code of what is wrong with it first.
func walk(d *json.Decoder, depth int) string {
	t, err := d.Token()
	if err != nil {
		return "malformed_json"
	}
	open, ok := t.(json.Delim)
	if !ok {
		return ""
	}
	if depth == 0 {
		return "too_deep"
	}
	seen := map[string]bool{}
	for d.More() {
		if open == '{' {
			key, err := d.Token()
			if err != nil {
				return "malformed_json"
			}
			name := fmt.Sprint(key)
			if seen[name] {
				return "duplicate_key"
			}
			seen[name] = true
		}
		if code := walk(d, depth-1); code != "" {
			return code
		}
	}
	if _, err = d.Token(); err != nil {
		return "malformed_json"
	}
	return ""
}

// What is JSON is judged as encoding/json's tokens have it; what is none is refused, with one of the codes.
func FuzzCheckJSON(f *testing.F) {
	for _, s := range []string{
		`{}`, `{"a":1,"a":2}`, `{"a":{"b":[{"c":1},{"c":2}]},"d":"\"a\":"}`, `{"a":1,"\u0061":2}`, `{"\\":1,"\\\\":2}`, `"a"`, `["a",{"a" : 1 , "a":2}]`, `{"a":{"a":1},"b":{"a":1}}`,
		`[[[[[[[[[1]]]]]]]]]`, ` 1 `, `{"a":1}}`, `{"a":"`, `]`, `{"a":1,"a"`, `1 2`, "\xff", ``, wide(40, ""), wide(40, "17"), strings.Repeat("[", 65), strings.Repeat(`{"a":`, 64) + "1" + strings.Repeat("}", 64),
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := codeOf(checkJSON("It", []byte(s)))
		if !json.Valid([]byte(s)) || got == "invalid_utf8" {
			switch got {
			case "empty_body", "invalid_utf8", "malformed_json", "too_deep", "duplicate_key":
			default:
				t.Errorf("%q: %q", s, got)
			}
			return
		}
		d := json.NewDecoder(strings.NewReader(s))
		d.UseNumber()
		if want := walk(d, maxDepth); got != want {
			t.Errorf("%q: %q, not %q", s, got, want)
		}
	})
}

// wide is an object of n keys, and one more.
func wide(n int, more string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"%d":%d,`, i, i)
	}
	return `{` + b.String() + `"` + more + `":0}`
}

func TestCheckJSON(t *testing.T) {
	for text, want := range map[string]string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"message":"a \"b\": c"}}}`: "",
		`[{"a":1},{"a":1}]`: "", `{"a":{"a":1}}`: "", `{"a":1 , "a" : 2}`: "duplicate_key", `{"a":{"b":1,"b":2}}`: "duplicate_key", `{"\u0061":1}`: "", `{"\u0061":1,"a":2}`: "duplicate_key",
		`{"a":1}}`: "malformed_json", `{`: "malformed_json", " \n": "empty_body", "\xff": "invalid_utf8", `{"a":1,"a":2`: "duplicate_key", wide(1000, "x"): "", wide(1000, "999"): "duplicate_key",
		strings.Repeat("[", 64) + strings.Repeat("]", 64): "", strings.Repeat("[", 65) + strings.Repeat("]", 65): "too_deep", strings.Repeat("[", 100_000): "too_deep",
		`{"a":"` + strings.Repeat(`\\`, 99) + `\"","a":1}`: "duplicate_key",
	} {
		if got := codeOf(checkJSON("It", []byte(text))); got != want {
			t.Errorf("%.80s: %q, not %q", text, got, want)
		}
	}
}

// What a call costs, and what a megabyte does of what is dear to read: many numbers, many keys, much nesting.
func BenchmarkCheckJSON(b *testing.B) {
	const size = 1 << 20
	for name, text := range map[string]string{
		"call":    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"message":"hello"}}}`,
		"numbers": `[0` + strings.Repeat(",0", size/2) + `]`,
		"keys":    wide(size/14, "x"),
		"nested":  strings.Repeat("[", 60) + `[]` + strings.Repeat(",[]", size/3) + strings.Repeat("]", 60),
		"text":    `{"a":"` + strings.Repeat("words ", size/6) + `"}`,
	} {
		b.Run(name, func(b *testing.B) {
			body := bytes.Clone([]byte(text))
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				if err := checkJSON("It", body); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
