package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"
)

const (
	// maxDepth is how deep JSON may be nested.
	maxDepth = 64
	// fewKeys are compared one with the other; the keys of an object that has more are looked up.
	fewKeys = 16
	// fewLevels of nesting need no memory of their own.
	fewLevels = 8
)

// checkJSON says what is wrong with a JSON text, nil when nothing is; what names the text in a sentence. Keys that stand twice are
// refused: readers differ in which of the two they take. Its time grows with the length of the text alone, whatever stands in it.
func checkJSON(what string, body []byte) error {
	bad := func(code, detail string) error {
		return newProblem(http.StatusBadRequest, code, detail, "Send one JSON value in UTF-8, for example {\"message\": \"...\"}.")
	}
	if len(bytes.TrimSpace(body)) == 0 {
		return newProblem(http.StatusBadRequest, "empty_body", "The request has no body.", `Send JSON, for example {"message": "..."}.`)
	}
	if !utf8.Valid(body) {
		return bad("invalid_utf8", what+" is not UTF-8.")
	}
	if json.Valid(body) {
		return checkNesting(body)
	}
	err := json.Unmarshal(body, &json.RawMessage{}) // which tells where it breaks
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return bad("malformed_json", what+" is not JSON.")
	}
	if err := checkNesting(body[:syntax.Offset]); err != nil {
		return err // it comes first
	}
	if strings.HasSuffix(syntax.Error(), "after top-level value") {
		return bad("malformed_json", "There is more after the JSON value.")
	}
	return bad("malformed_json", fmt.Sprintf("%s is not JSON: %s at byte %d.", what, syntax.Error(), syntax.Offset))
}

// checkNesting looks at the depth and at the keys of a text that is JSON as far as it goes, so that a quote, a bracket and a colon mean
// what they are.
func checkNesting(body []byte) error {
	var first [fewLevels]keys
	open := first[:0]
	for i := 0; i < len(body); i++ {
		switch body[i] {
		case '{', '[':
			if len(open) == maxDepth {
				return newProblem(http.StatusBadRequest, "too_deep", fmt.Sprintf("The JSON is nested deeper than %d.", maxDepth), "Send it flatter, or as text inside a string.")
			}
			open = append(open, keys{})
		case '}', ']':
			if len(open) == 0 {
				return nil // where the text breaks
			}
			open = open[:len(open)-1]
		case '"':
			from := i
			if i = textEnd(body, from+1); i == len(body) || len(open) == 0 || !isKey(body[i+1:]) {
				continue
			}
			if key := unescaped(body[from : i+1]); !open[len(open)-1].add(key) {
				return newProblem(http.StatusBadRequest, "duplicate_key", fmt.Sprintf("The key %q stands twice in one object.", key), "Leave one of the two out: which one was meant cannot be told.")
			}
		}
	}
	return nil
}

// keys are those of one object.
type keys struct {
	few  [fewKeys][]byte
	n    int                 // of few
	many map[string]struct{} // all of them, once there are more
}

// add takes a key, and reports whether it is a new one. The caller does not change it afterwards.
func (k *keys) add(key []byte) bool {
	if k.many == nil {
		for _, other := range k.few[:k.n] {
			if bytes.Equal(other, key) {
				return false
			}
		}
		if k.n < fewKeys {
			k.few[k.n] = key
			k.n++
			return true
		}
		k.many = make(map[string]struct{}, 4*fewKeys)
		for _, other := range k.few {
			k.many[string(other)] = struct{}{}
		}
	}
	if _, twice := k.many[string(key)]; twice {
		return false
	}
	k.many[string(key)] = struct{}{}
	return true
}

// textEnd is the index of the quote that ends the text beginning at from, or the length of the body.
func textEnd(body []byte, from int) int {
	for i := from; ; i++ {
		n := bytes.IndexByte(body[i:], '"')
		if n < 0 {
			return len(body)
		}
		i += n
		escapes := i
		for escapes > from && body[escapes-1] == '\\' {
			escapes--
		}
		if (i-escapes)%2 == 0 {
			return i
		}
	}
}

// unescaped is what a text in quotes says.
func unescaped(quoted []byte) []byte {
	if bytes.IndexByte(quoted, '\\') >= 0 {
		var text string
		if json.Unmarshal(quoted, &text) == nil { // it is JSON
			return []byte(text)
		}
	}
	return quoted[1 : len(quoted)-1]
}

// isKey reports whether what follows a text makes it a key.
func isKey(rest []byte) bool {
	for _, c := range rest {
		switch c {
		case ' ', '\t', '\r', '\n':
		default:
			return c == ':'
		}
	}
	return false
}
