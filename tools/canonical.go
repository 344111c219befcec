package tools

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

// ArgsHash is what an approval is bound to and what the journal keeps of arguments: the SHA-256 of their canonical JSON, in
// hex. Canonical means: keys sorted, no spaces, no HTML escapes, whole numbers without point or exponent, other numbers in
// the shortest form that gives the same double; digits that no double holds are kept.
func ArgsHash(args map[string]any) (string, error) {
	if args == nil {
		args = map[string]any{}
	}
	var room [512]byte
	b, ok := appendPlain(room[:0], args, 0)
	if !ok {
		var err error
		if b, err = canonical(plainNumbers(args)); err != nil {
			return "", fmt.Errorf("the arguments have no JSON: %w", err)
		}
	}
	sum := sha256.Sum256(b)
	var text [2 * sha256.Size]byte
	hex.Encode(text[:], sum[:])
	return string(text[:]), nil
}

// appendPlain writes what canonical writes of plainNumbers(v), without making either, for what arguments mostly are: texts without
// anything to escape, whole numbers. It is false for anything else.
func appendPlain(b []byte, v any, depth int) (out []byte, ok bool) {
	const deepest = 64
	switch x := v.(type) {
	case nil:
		return append(b, "null"...), true
	case bool:
		return strconv.AppendBool(b, x), true
	case int:
		return strconv.AppendInt(b, int64(x), 10), true
	case int64:
		return strconv.AppendInt(b, x, 10), true
	case float64:
		if x != math.Trunc(x) || math.Abs(x) >= 1<<53 {
			return b, false
		}
		return strconv.AppendInt(b, int64(x), 10), true
	case json.Number:
		n, err := strconv.ParseInt(string(x), 10, 64)
		from := len(b)
		b = strconv.AppendInt(b, n, 10)
		return b, err == nil && string(b[from:]) == string(x)
	case string:
		return appendText(b, x)
	case []any:
		b = append(b, '[')
		for i, e := range x {
			if i > 0 {
				b = append(b, ',')
			}
			if b, ok = appendPlain(b, e, depth+1); !ok {
				return b, false
			}
		}
		return append(b, ']'), depth < deepest
	case map[string]any:
		b = append(b, '{')
		for i, name := range sortedNames(x) {
			if i > 0 {
				b = append(b, ',')
			}
			if b, ok = appendText(b, name); !ok {
				return b, false
			}
			if b, ok = appendPlain(append(b, ':'), x[name], depth+1); !ok {
				return b, false
			}
		}
		return append(b, '}'), depth < deepest
	}
	return b, false
}

// appendText writes a text of printable ASCII without quotes and backslashes.
func appendText(b []byte, s string) ([]byte, bool) {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' {
			return b, false
		}
	}
	return append(append(append(b, '"'), s...), '"'), true
}

// canonical encodes a value with sorted keys and no HTML escapes.
func canonical(v any) ([]byte, error) {
	if b, ok := appendPlain(nil, v, 0); ok {
		return b, nil
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// plainNumbers brings the spellings of one number together: 5, 5.0 and 5e0 are 5.
func plainNumbers(v any) any {
	switch x := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(x))
		for k, e := range x {
			out[k] = plainNumbers(e)
		}
		return out
	case []any:
		out := make([]any, len(x))
		for i, e := range x {
			out[i] = plainNumbers(e)
		}
		return out
	case float64:
		return plainFloat(x)
	case json.Number:
		s := x.String()
		if _, err := strconv.ParseInt(s, 10, 64); err == nil {
			return x
		}
		f, err := strconv.ParseFloat(s, 64)
		if err != nil || digits(s) > 15 {
			return x
		}
		return plainFloat(f)
	}
	return v
}

// plainFloat writes whole doubles below 2^53 as integers.
func plainFloat(f float64) any {
	if f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		return json.Number(strconv.FormatInt(int64(f), 10))
	}
	return f
}

// digits counts the significant digits of a number's text, zeros at its front left out.
func digits(s string) int {
	n := 0
	for i := range len(s) {
		switch c := s[i]; {
		case c == 'e' || c == 'E':
			return n
		case c > '0' && c <= '9' || c == '0' && n > 0:
			n++
		}
	}
	return n
}

// jsonValue gives v as the values that decoding its JSON gives, numbers as json.Number. Values that are such already are
// returned as they are.
func jsonValue(v any) (any, error) {
	if isJSONValue(v, 0) {
		return v, nil
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var out any
	if err := dec.Decode(&out); err != nil {
		return nil, err
	}
	return out, nil
}

// isJSONValue reports whether v is made of what package plan calls JSON values.
func isJSONValue(v any, depth int) bool {
	if depth > 64 {
		return false
	}
	switch x := v.(type) {
	case nil, bool, string, float64, int, int64, json.Number:
		return true
	case []any:
		for _, e := range x {
			if !isJSONValue(e, depth+1) {
				return false
			}
		}
		return true
	case map[string]any:
		for _, e := range x {
			if !isJSONValue(e, depth+1) {
				return false
			}
		}
		return true
	}
	return false
}
