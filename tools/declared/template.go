package declared

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// place fits a parameter in a text: {name}.
var place = regexp.MustCompile(`\{([A-Za-z_][A-Za-z0-9_]{0,63})\}`)

// placed are the parameters that stand in a text.
func placed(text string) []string {
	var out []string
	for _, m := range place.FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
	}
	return out
}

// fill puts values in the places of a text, each as escape has it. What is no parameter stays.
func fill(text string, values map[string]any, escape func(string) string) string {
	return place.ReplaceAllStringFunc(text, func(found string) string {
		v, ok := values[found[1:len(found)-1]]
		if !ok {
			return found
		}
		return escape(valueText(v))
	})
}

func plainText(s string) string { return s }

// valueText is a value as it stands in an address, a header or a text.
func valueText(v any) string {
	switch x := v.(type) {
	case string:
		return x
	case json.Number:
		return x.String()
	case float64:
		return strconv.FormatFloat(x, 'f', -1, 64)
	case bool:
		return strconv.FormatBool(x)
	case []any:
		parts := make([]string, len(x))
		for i, part := range x {
			parts[i] = valueText(part)
		}
		return strings.Join(parts, ",")
	}
	return fmt.Sprint(v)
}

// only is the parameter that a text is and nothing else, "" for none.
func only(text string) string {
	m := place.FindStringSubmatch(text)
	if m == nil || m[0] != text {
		return ""
	}
	return m[1]
}

// absent stands for a value that was left out; the member or element that it would be is left out, too.
type absent struct{}

func isAbsent(v any) bool { _, ok := v.(absent); return ok }

// filled is a JSON value with values in its places: a text that is one place becomes the value with its type.
func filled(body any, values map[string]any) any {
	switch x := body.(type) {
	case string:
		if name := only(x); name != "" {
			if v, ok := values[name]; ok {
				return v
			}
			return absent{}
		}
		return fill(x, values, plainText)
	case map[string]any:
		out := make(map[string]any, len(x))
		for key, v := range x {
			if v = filled(v, values); !isAbsent(v) {
				out[key] = v
			}
		}
		return out
	case []any:
		out := make([]any, 0, len(x))
		for _, v := range x {
			if v = filled(v, values); !isAbsent(v) {
				out = append(out, v)
			}
		}
		return out
	}
	return body
}

// eachText calls f for every text of a JSON value.
func eachText(body any, depth int, f func(text string)) error {
	const deepest = 32
	if depth > deepest {
		return fmt.Errorf("nests deeper than %d", deepest)
	}
	switch x := body.(type) {
	case string:
		f(x)
	case map[string]any:
		for _, v := range x {
			if err := eachText(v, depth+1, f); err != nil {
				return err
			}
		}
	case []any:
		for _, v := range x {
			if err := eachText(v, depth+1, f); err != nil {
				return err
			}
		}
	}
	return nil
}
