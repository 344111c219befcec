package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

const (
	// maxDepth is how deep JSON may be nested.
	maxDepth = 64
	// maxValues is how many values a request may have: each takes some 50 bytes once it is read, and a table of more is
	// sent as a file.
	maxValues = 1 << 18
	// ShownKey is how many runes of a client's key stand in an error.
	ShownKey = 64
	// fewKeys are compared one with the other; the keys of an object that has more are looked up.
	fewKeys = 16
	// fewLevels of nesting need no memory of their own.
	fewLevels = 8
)

// rules are what a JSON text is held to beside being one. The zero value is for a table: as many values as it has,
// under any keys.
type rules struct {
	values int // it may have at most; 0 for any number
	// folded is at how many levels from the top a key that differs from another in case alone stands twice:
	// encoding/json takes "Method" for method, so that the program would read another message than a gateway before it.
	folded int
}

// The rules of requests, of JSON-RPC messages with their parameters, and of values within a request.
var (
	ofRequest = rules{values: maxValues, folded: 1}
	OfMessage = rules{values: maxValues, folded: 2}
	ofValue   = rules{values: maxValues}
)

// CheckJSON says what is wrong with a JSON text, nil when nothing is; what names the text in a sentence. Keys that
// stand twice are refused: readers differ in which of the two they take. Its time and memory grow with the length of
// the text and the number of keys of one object, not with how they are nested.
func CheckJSON(what string, body []byte, r rules) error {
	bad := func(code, detail string) error {
		return NewProblem(http.StatusBadRequest, code, detail,
			"Send one JSON value in UTF-8, for example {\"message\": \"...\"}.")
	}
	if len(bytes.TrimSpace(body)) == 0 {
		return NewProblem(http.StatusBadRequest, "empty_body", "The request has no body.",
			`Send JSON, for example {"message": "..."}.`)
	}
	if !utf8.Valid(body) {
		return bad("invalid_utf8", what+" is not UTF-8.")
	}
	if json.Valid(body) {
		return r.check(body)
	}
	err := json.Unmarshal(body, &json.RawMessage{}) // which tells where it breaks
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return bad("malformed_json", what+" is not JSON.")
	}
	sound := body[:syntax.Offset]
	if !strings.HasPrefix(syntax.Error(), "unexpected end") {
		sound = sound[:len(sound)-1] // without the byte that does not belong there
	}
	if err := r.check(sound); err != nil {
		return err // it comes first
	}
	if strings.HasSuffix(syntax.Error(), "after top-level value") {
		return bad("malformed_json", "There is more after the JSON value.")
	}
	return bad("malformed_json", fmt.Sprintf("%s is not JSON: %s at byte %d.", what, syntax.Error(), syntax.Offset))
}

// check looks at the depth, the number of values and the keys of a text that is JSON as far as it goes, so that a
// quote, a bracket and a colon mean what they are.
func (r rules) check(body []byte) error {
	var first [fewLevels]keys
	open, values, texts := first[:0], 1, keyTexts{}
	for i := 0; i < len(body); i++ {
		switch body[i] {
		case ',':
			values++
		case '{', '[':
			if len(open) == maxDepth {
				return NewProblem(http.StatusBadRequest, "too_deep",
					fmt.Sprintf("The JSON is nested deeper than %d.", maxDepth),
					"Send it flatter, or as text inside a string.")
			}
			if open = append(open, keys{}); !isEmpty(body[i+1:]) {
				values++ // its first; a comma stands before each further one
			}
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
			if key := body[from+1 : i]; !open[len(open)-1].add(texts.hash(key, len(open) <= r.folded)) {
				return NewProblem(http.StatusBadRequest, "duplicate_key",
					fmt.Sprintf("The key %.*q stands twice in one object.", ShownKey, appendUnescaped(nil, key)),
					"Leave one of the two out: which one was meant cannot be told.")
			}
		}
		if r.values > 0 && values > r.values {
			return NewProblem(http.StatusBadRequest, "too_many_values",
				fmt.Sprintf("The JSON has more than %d values; send a large table as one text, CSV for example, or "+
					"as a file.", r.values), "POST /api/v1/tables takes files.")
		}
	}
	return nil
}

// keys are the hashes of those of one object. Of 64 bits and a seed that nobody knows they tell keys apart: among the
// keys of the largest upload, three million, two have the same by chance in one of four million uploads.
type keys struct {
	few  [fewKeys]uint64
	n    int                 // of few
	many map[uint64]struct{} // all of them, once there are more
}

// add takes a key, and reports whether it is a new one.
func (k *keys) add(key uint64) bool {
	if k.many == nil {
		if slices.Contains(k.few[:k.n], key) {
			return false
		}
		if k.n < fewKeys {
			k.few[k.n] = key
			k.n++
			return true
		}
		k.many = make(map[uint64]struct{}, 4*fewKeys)
		for _, other := range k.few {
			k.many[other] = struct{}{}
		}
	}
	before := len(k.many)
	k.many[key] = struct{}{}
	return len(k.many) > before
}

// keyTexts reads keys into memory that they share. The zero value is ready.
type keyTexts struct{ plain, folded []byte }

var keySeed = maphash.MakeSeed()

// hash is that of what a key says, between its quotes, whatever the case of its letters when fold is set.
func (t *keyTexts) hash(key []byte, fold bool) uint64 {
	if bytes.IndexByte(key, '\\') >= 0 {
		t.plain = appendUnescaped(t.plain[:0], key)
		key = t.plain
	}
	if fold {
		t.folded = appendFolded(t.folded[:0], key)
		key = t.folded
	}
	return maphash.Bytes(keySeed, key)
}

// appendFolded appends a key with each letter in the one case that encoding/json compares it in: the least of its
// simple folding.
func appendFolded(to, key []byte) []byte {
	for i := 0; i < len(key); {
		r, size := utf8.DecodeRune(key[i:])
		for i += size; ; {
			next := unicode.SimpleFold(r)
			if next <= r {
				to = utf8.AppendRune(to, next)
				break
			}
			r = next
		}
	}
	return to
}

// appendUnescaped appends what the text of a JSON string says, as encoding/json reads it: half of a surrogate pair is
// U+FFFD.
func appendUnescaped(to, text []byte) []byte {
	for {
		i := bytes.IndexByte(text, '\\')
		if i < 0 || i+1 == len(text) {
			return append(to, text...)
		}
		to = append(to, text[:i]...)
		c := text[i+1]
		text = text[i+2:]
		switch c {
		case 'b':
			c = '\b'
		case 'f':
			c = '\f'
		case 'n':
			c = '\n'
		case 'r':
			c = '\r'
		case 't':
			c = '\t'
		case 'u':
			r := codeUnit(text)
			text = text[4:]
			if utf16.IsSurrogate(r) {
				if r = utf16.DecodeRune(r, low(text)); r != utf8.RuneError {
					text = text[6:]
				}
			}
			to = utf8.AppendRune(to, r)
			continue
		}
		to = append(to, c)
	}
}

// codeUnit is the UTF-16 code unit of four digits.
func codeUnit(digits []byte) rune {
	n, _ := strconv.ParseUint(string(digits[:4]), 16, 16) // they are digits: the text is JSON
	return rune(n)
}

// low is the code unit that follows as an escape, 0 when none does.
func low(text []byte) rune {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0
	}
	return codeUnit(text[2:])
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

// isEmpty reports whether a list or object has nothing in it, by what follows its bracket.
func isEmpty(rest []byte) bool {
	c := following(rest)
	return c == ']' || c == '}'
}

// isKey reports whether what follows a text makes it a key.
func isKey(rest []byte) bool { return following(rest) == ':' }

// following is the first byte that is no blank, 0 where there is none.
func following(rest []byte) byte {
	for _, c := range rest {
		switch c {
		case ' ', '\t', '\r', '\n':
		default:
			return c
		}
	}
	return 0
}
