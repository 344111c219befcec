package json

import (
	"bytes"
	"encoding/json"
	"iter"
)

// Elements gives the elements of a list, each as it is written, one after another: nothing is allocated for them. The
// text must be sound JSON; of any other, and of what is no list, it gives what is found, or nothing.
func Elements(data []byte) iter.Seq[json.RawMessage] {
	return func(yield func(json.RawMessage) bool) {
		rest, ok := bytes.CutPrefix(spaceless(data), []byte("["))
		for ok {
			var one []byte
			if one, rest = firstValue(rest); len(one) == 0 || !yield(one) {
				return
			}
			rest, ok = bytes.CutPrefix(spaceless(rest), []byte(","))
		}
	}
}

// Members gives the members of an object, the names with their quotation marks, as Elements does.
func Members(data []byte) iter.Seq2[json.RawMessage, json.RawMessage] {
	return func(yield func(name, value json.RawMessage) bool) {
		rest, ok := bytes.CutPrefix(spaceless(data), []byte("{"))
		for ok {
			var name, value []byte
			name, rest = firstValue(rest)
			if rest, ok = bytes.CutPrefix(spaceless(rest), []byte(":")); !ok || len(name) == 0 {
				return
			}
			if value, rest = firstValue(rest); len(value) == 0 || !yield(name, value) {
				return
			}
			rest, ok = bytes.CutPrefix(spaceless(rest), []byte(","))
		}
	}
}

// Member gives what stands under a name in an object, as it is written; nil where there is nothing. Of several, the
// last counts, as in encoding/json.
func Member(data []byte, name string) (value json.RawMessage) {
	for quoted, v := range Members(data) {
		if isName(quoted, name) {
			value = v
		}
	}
	return value
}

// isName reports whether a text, with its quotation marks, is a name.
func isName(quoted []byte, name string) bool {
	if !bytes.ContainsRune(quoted, '\\') {
		return len(quoted) == len(name)+2 && string(quoted[1:len(quoted)-1]) == name
	}
	const longest = 6 // bytes of an escape
	var own string
	return len(quoted) <= longest*len(name)+2 && json.Unmarshal(quoted, &own) == nil && own == name
}

// firstValue parts the value that a text begins with from what stands behind it. It is empty where there is none.
func firstValue(data []byte) (value, rest []byte) {
	data = spaceless(data)
	depth, i := 0, 0
	for ; i < len(data); i++ {
		switch data[i] {
		case '"':
			if i = textEnd(data, i); depth == 0 {
				return data[:i+1], data[i+1:]
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return data[:i+1], data[i+1:]
			}
		case ',', ':', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return data[:i], data[i:]
			}
			continue
		}
		if depth < 0 {
			break
		}
	}
	return data[:i], data[i:]
}

// textEnd is where the text that begins at a place ends: at its closing quotation mark, or the last byte.
func textEnd(data []byte, from int) int {
	for i := from + 1; i < len(data); i++ {
		switch data[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return len(data) - 1
}

func spaceless(data []byte) []byte { return bytes.TrimLeft(data, " \t\r\n") }
