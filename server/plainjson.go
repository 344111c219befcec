package server

import (
	"bytes"
	"encoding/json"
)

const (
	// plainKeys bounds the keys of an object that are compared one with the other.
	plainKeys = 16
	// plainDepth bounds the nesting of what is looked at quickly.
	plainDepth = 8
)

// plainJSON reports whether a text is one JSON value, not deep, with no key twice in an object. It is quick, and false also for much that is
// right: keys with escapes, objects with many keys, deep nesting. scan tells of those.
func plainJSON(body []byte) bool {
	if !json.Valid(body) {
		return false
	}
	// From here on the text is JSON, so that a quote, a bracket, a colon and a comma mean what they are.
	var keys [plainDepth][plainKeys][]byte
	var count [plainDepth]int
	depth := -1
	for i := 0; i < len(body); i++ {
		switch body[i] {
		case '{', '[':
			if depth++; depth == plainDepth {
				return false
			}
			count[depth] = 0
		case '}', ']':
			depth--
		case '"':
			from := i + 1
			for i++; body[i] != '"'; i++ {
				if body[i] == '\\' {
					i++
				}
			}
			if !isKey(body[i+1:]) {
				continue
			}
			key := body[from:i]
			if count[depth] == plainKeys || bytes.IndexByte(key, '\\') >= 0 {
				return false
			}
			for _, other := range keys[depth][:count[depth]] {
				if bytes.Equal(other, key) {
					return false
				}
			}
			keys[depth][count[depth]] = key
			count[depth]++
		}
	}
	return true
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
