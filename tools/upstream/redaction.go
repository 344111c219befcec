package upstream

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"catena/internal/text"
)

// words are the values that are hidden in all that a server sends: those named like secrets, and passwords in
// addresses. Others, as a folder or a region, may well stand in what its tools answer.
func (c Config) words() []string {
	var out []string
	add := func(values ...string) {
		for _, v := range values {
			if len(v) >= leastSecret && !slices.Contains(out, v) {
				out = append(out, v)
			}
		}
	}
	for _, given := range []map[string]string{c.Env, c.Headers} {
		for _, name := range slices.Sorted(maps.Keys(given)) {
			value := given[name]
			if u, err := url.Parse(value); err == nil && u.User != nil {
				if password, ok := u.User.Password(); ok {
					add(value, password)
					continue
				}
			}
			if !text.Secret(name, value) {
				continue
			}
			add(value)
			if token, ok := credentials(value); ok {
				add(token)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b string) int { return len(b) - len(a) }) // a value before its part
	return out
}

// scheme fits a value that names how it is to be used before the secret itself, as headers of HTTP do.
var scheme = regexp.MustCompile(`(?i)^(bearer|basic|token)\s+(\S+)$`)

// credentials are the secret of a value that has a scheme before it.
func credentials(value string) (string, bool) {
	m := scheme.FindStringSubmatch(value)
	if m == nil {
		return "", false
	}
	return m[2], true
}

// marked is a result that says of itself that something in it was hidden, in a field that goes no further than here.
func marked(result json.RawMessage) json.RawMessage {
	body, ok := bytes.CutPrefix(bytes.TrimSpace(result), []byte("{"))
	if !ok {
		return result
	}
	out := []byte(`{"catena/hidden":true`)
	if body = bytes.TrimSpace(body); len(body) > 0 && body[0] != '}' {
		out = append(out, ',')
	}
	return append(out, body...)
}

// noteHidden is what readers of a result are told: what they see is not what the server wrote.
const noteHidden = "Values that this server was given as secrets stand here as ***."

// hidden hides the words in the texts of JSON. The zero value hides nothing.
type hidden struct {
	words   [][]byte
	escapes [][]byte // what a text has that may hold a word in another writing
}

func newHidden(words []string) hidden {
	h := hidden{escapes: [][]byte{[]byte(`\u`)}}
	for _, w := range words {
		h.words = append(h.words, []byte(w))
		if strings.Contains(w, "/") {
			h.escapes = append(h.escapes, []byte(`\/`))
		}
		// A text may be JSON itself, in which the word is escaped.
		if escaped, err := json.Marshal(w); err == nil && string(escaped) != `"`+w+`"` {
			h.words = append(h.words, escaped[1:len(escaped)-1])
			h.escapes = [][]byte{[]byte(`\`)}
		}
	}
	return h
}

// in returns raw without the words. A message that has none is returned as it is; only those with escaped characters
// are read for it.
func (h hidden) in(raw []byte) []byte {
	if len(h.words) == 0 || !has(raw, h.words) && !has(raw, h.escapes) {
		return raw
	}
	var out []byte // nil while nothing was replaced
	done := 0
	for i := 0; i < len(raw); {
		at := bytes.IndexByte(raw[i:], '"')
		if at < 0 {
			break
		}
		start := i + at
		i = textEnd(raw, start)
		if clean, ok := h.text(raw[start:i]); ok {
			out = append(append(out, raw[done:start]...), clean...)
			done = i
		}
	}
	if out == nil {
		return raw
	}
	return append(out, raw[done:]...)
}

// text returns a JSON text without the words, and whether it had any.
func (h hidden) text(quoted []byte) ([]byte, bool) {
	if !has(quoted, h.words) && !has(quoted, h.escapes) {
		return nil, false
	}
	var s string
	if json.Unmarshal(quoted, &s) != nil || !has([]byte(s), h.words) {
		return nil, false
	}
	for _, w := range h.words {
		s = strings.ReplaceAll(s, string(w), "***")
	}
	clean, err := json.Marshal(s)
	return clean, err == nil
}

// has reports whether a text holds one of some others.
func has(text []byte, parts [][]byte) bool {
	return slices.ContainsFunc(parts, func(p []byte) bool { return bytes.Contains(text, p) })
}

// textEnd is the place after a JSON text that begins at start.
func textEnd(raw []byte, start int) int {
	for i := start + 1; i < len(raw); i++ {
		switch raw[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(raw)
}
