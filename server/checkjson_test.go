package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// codeOf is the code of what checkJSON found.
func codeOf(err error) string {
	var p *Problem
	if errors.As(err, &p) {
		return p.Code
	}
	return ""
}

// walk reads a value token by token, as slow as it is plain, and gives the code of what is wrong with it first. In folded levels keys are
// compared as encoding/json compares them with fields.
func walk(d *json.Decoder, depth, folded int) string {
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
	var seen []string
	for d.More() {
		if open == '{' {
			key, err := d.Token()
			if err != nil {
				return "malformed_json"
			}
			name := fmt.Sprint(key)
			if slices.ContainsFunc(seen, func(other string) bool { return other == name || folded > 0 && strings.EqualFold(other, name) }) {
				return "duplicate_key"
			}
			seen = append(seen, name)
		}
		if code := walk(d, depth-1, folded-1); code != "" {
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
		f.Add(s, 0)
	}
	for _, s := range []string{`{"a":1,"A":2}`, `{"k":1,"\u212a":{"\u017f":1,"S":2}}`, `{"":1,"":2}`, `{"\ud83d\ude00":1,"\ud83d":2,"\ude00":3}`, `{"\"\\\/\b\f\n\r\t":1}`, `{"ß":1,"ẞ":2,"SS":3}`} {
		f.Add(s, 1)
		f.Add(s, 2)
	}
	f.Fuzz(func(t *testing.T, s string, folded int) {
		got := codeOf(CheckJSON("It", []byte(s), rules{folded: folded}))
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
		if want := walk(d, maxDepth, folded); got != want {
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
		if got := codeOf(CheckJSON("It", []byte(text), OfMessage)); got != want {
			t.Errorf("%.80s: %q, not %q", text, got, want)
		}
	}
}

// The keys of messages are those that a gateway reads, too; what a client sends under keys of its own is its own.
func TestKeysThatDifferInCase(t *testing.T) {
	for text, want := range map[string]map[int]string{
		`{"method":"ping","Method":"tools/call"}`:                                         {0: "", 1: "duplicate_key", 2: "duplicate_key"},
		`{"params":{"name":"a","NAME":"b"}}`:                                              {0: "", 1: "", 2: "duplicate_key"},
		`{"params":{"name":"a","arguments":{"a":1,"A":2}}}`:                               {0: "", 1: "", 2: ""},
		`{"key":1,"\u212aey":2}`:                                                          {0: "", 1: "duplicate_key"},
		`{"a":1,"b":2,` + strings.TrimPrefix(wide(40, "x"), `{`):                          {0: "", 1: ""},
		`{"a":1,` + strings.TrimSuffix(strings.TrimPrefix(wide(40, "A"), `{`), `}`) + `}`: {0: "", 1: "duplicate_key"},
	} {
		for folded, want := range want {
			if got := codeOf(CheckJSON("It", []byte(text), rules{folded: folded})); got != want {
				t.Errorf("%.80s at %d: %q, not %q", text, folded, got, want)
			}
		}
	}
}

func TestValuesAndLongKeys(t *testing.T) {
	many := []byte(`[0` + strings.Repeat(",0", maxValues) + `]`)
	if got := codeOf(CheckJSON("It", many, ofRequest)); got != "too_many_values" {
		t.Errorf("%q", got)
	}
	if err := CheckJSON("It", many, rules{}); err != nil {
		t.Errorf("a table: %v", err)
	}
	for text, n := range map[string]int{`1`: 1, `[]`: 1, `[1]`: 2, `[[],[ ]]`: 3, `{"a":{},"b":[1,{"c":2}]}`: 6, `[1,2,3]`: 4, "[\n{}\n]": 2, `["[","{",","]`: 4} {
		if got := codeOf(CheckJSON("It", []byte(text), rules{values: n})); got != "" {
			t.Errorf("%s has %d: %q", text, n, got)
		}
		if got := codeOf(CheckJSON("It", []byte(text), rules{values: n - 1})); got != "too_many_values" && n > 1 {
			t.Errorf("%s has %d: %q", text, n, got)
		}
	}
	long := strings.Repeat("\x7f", 1<<20)
	for what, body := range map[string]string{"twice": `{"` + long + `":1,"` + long + `":2}`, "unknown": `{"` + long + `":1}`} {
		err := CheckJSON("It", []byte(body), ofRequest)
		if err == nil {
			err = decodeBytes([]byte(body), &struct{}{}, false)
		}
		if err == nil || len(err.Error()) > 1000 {
			t.Errorf("%s: %.100v", what, err)
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
		"escaped": strings.ReplaceAll(wide(size/16, "x"), `,"`, `,"\n`),
		"nested":  strings.Repeat("[", 60) + `[]` + strings.Repeat(",[]", size/3) + strings.Repeat("]", 60),
		"text":    `{"a":"` + strings.Repeat("words ", size/6) + `"}`,
	} {
		b.Run(name, func(b *testing.B) {
			body := bytes.Clone([]byte(text))
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				if err := CheckJSON("It", body, rules{folded: 1}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
