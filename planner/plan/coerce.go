package plan

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// value brings a value into the type that its schema wants where the value has one reading in it.
func (r *repairing) value(v any, s *schema, depth int) any {
	if depth > maxNesting {
		return v
	}
	want := allowed(s, 0)
	if x, ok := v.(string); ok && (want&kindText == 0 || format(s) == TableRef) {
		if ref, ok := r.wanted(x); ok {
			r.note(BadReference, x, ref, "a reference written as a text")
			v = ref
		}
	}
	if ref, ok := v.(Ref); ok {
		return r.only(r.result(ref), s)
	}
	if want&valueKind(v) == 0 {
		if to, why := convert(v, s, want); why != "" {
			r.note(TypeMismatch, v, to, why)
			v = to
		}
	}
	switch x := v.(type) {
	case string:
		return r.word(x, s)
	case []any:
		return r.list(x, s, depth)
	case map[string]any:
		out := make(map[string]any, len(x))
		path := r.path
		for _, k := range sortedKeys(x) {
			out[k] = x[k]
			if found, _ := property(s, k); len(found) == 1 {
				r.path = path + "/" + escapePointer(k)
				out[k] = r.value(x[k], found[0], depth+1)
			}
		}
		r.path = path
		return out
	}
	return v
}

func (r *repairing) list(x []any, s *schema, depth int) any {
	out := slices.Clone(x)
	path := r.path
	for i, e := range x {
		if found := element(s, i); len(found) == 1 {
			r.path = path + "/" + strconv.Itoa(i)
			out[i] = r.value(e, found[0], depth+1)
		}
	}
	r.path = path
	return out
}

// convert reads a value as one of the wanted kinds. why is empty when there is not exactly one reading.
func convert(v any, s *schema, want kinds) (to any, why string) {
	switch x := v.(type) {
	case string:
		return convertText(x, want)
	case json.Number:
		if want&^kindNull == kindText && s.Enum == nil {
			return x.String(), "a number where a text is wanted"
		}
	case []any:
		if _, ref := x0(x).(Ref); ref || len(x) == 1 && want&kindOf1(x[0]) != 0 {
			return x[0], "a list of one element where one value is wanted"
		}
		return nil, ""
	}
	if want&kindList == 0 || want&kindObject != 0 || v == nil {
		return nil, ""
	}
	for _, e := range element(s, 0) {
		if allowed(e, 0)&kindOf1(v) != 0 {
			return []any{v}, "one value where a list is wanted"
		}
	}
	return nil, ""
}

// x0 is the only element of a list, nil when it has not one.
func x0(list []any) any {
	if len(list) != 1 {
		return nil
	}
	return list[0]
}

// kindOf1 is the kind of a scalar; other values have none, so that they are never wrapped or unwrapped.
func kindOf1(v any) kinds {
	if k := valueKind(v); k&(kindText|kindNumber|kindBool) == k {
		return k
	}
	return 0
}

var (
	plainNumber   = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]{1,3})?$`)
	groupedNumber = regexp.MustCompile(`^-?[1-9][0-9]{0,2}((,[0-9]{3}){2,}(\.[0-9]+)?|,[0-9]{3}\.[0-9]+)$`) // with one comma alone it may be a decimal
)

// convertText reads a text as a number, a boolean, or the JSON of a list or object.
func convertText(s string, want kinds) (any, string) {
	t := strings.TrimSpace(s)
	low := strings.ToLower(t)
	if want&kindNumber != 0 {
		n := t
		if groupedNumber.MatchString(t) {
			n = strings.ReplaceAll(t, ",", "")
		}
		if plainNumber.MatchString(n) && badNumber(n) == "" {
			return json.Number(n), "a number written as a text"
		}
	}
	if want&kindBool != 0 && (low == "true" || low == "false") {
		return low == "true", "a boolean written as a text"
	}
	if want&kindNull != 0 && (low == "null" || t == "None") && want&kindText == 0 {
		return nil, "null written as a text"
	}
	if want&(kindList|kindObject) != 0 && t != "" && (t[0] == '[' || t[0] == '{') {
		if read, ok := oneReading(t, DefaultLimits); ok && want&valueKind(read.Value) != 0 {
			d := decoder{lim: DefaultLimits}
			if v := d.value(read.Value, top, 1); len(d.found) == 0 {
				return v, "JSON written as a text"
			}
		}
	}
	if want&kindList != 0 && want&kindObject == 0 && t != "" && !strings.ContainsAny(t, ",;[{\n") {
		return []any{s}, "one value where a list is wanted"
	}
	return nil, ""
}

// word corrects a text within its type: the case of an enum's word, and a date that was written with midnight.
func (r *repairing) word(x string, s *schema) any {
	if only := enumWord(x, s); only != x {
		r.note(Enum, x, only, "the only allowed word that it can be")
		return only
	}
	if format(s) == "date" {
		if d := date(x); d != "" {
			r.note(Format, x, d, "a date written otherwise")
			return d
		}
	}
	return x
}

// enumWord is the one word of an enum that a text is but for case and separators; the text itself where there is none, or more than one.
func enumWord(x string, s *schema) string {
	for _, p := range parts(s, 0, nil) {
		if p.Enum == nil {
			continue
		}
		only := ""
		for _, e := range p.Enum.Values {
			w, ok := e.(string)
			if w == x && ok {
				return x
			}
			if ok && fold(w) == fold(strings.TrimSpace(x)) {
				if only != "" {
					return x
				}
				only = w
			}
		}
		if only != "" {
			return only
		}
	}
	return x
}

// WithEnums is a copy of arguments in which each text that is a word of an enum but for case and separators is that word, where only one can be
// meant, at every depth. The arguments are not changed.
func WithEnums(args map[string]any, in *jsonschema.Schema) map[string]any {
	out, _ := withEnums(args, in, 0).(map[string]any)
	return out
}

func withEnums(v any, s *schema, depth int) any {
	if depth > maxNesting {
		return v
	}
	switch x := v.(type) {
	case string:
		return enumWord(x, s)
	case []any:
		out := slices.Clone(x)
		for i, e := range x {
			if found := element(s, i); len(found) == 1 {
				out[i] = withEnums(e, found[0], depth+1)
			}
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(x))
		for k, e := range x {
			out[k] = e
			if found, _ := property(s, k); len(found) == 1 {
				out[k] = withEnums(e, found[0], depth+1)
			}
		}
		return out
	}
	return v
}

// dateLayouts are ways to write a date in which neither the order nor anything but the date is open.
var dateLayouts = []string{"2006/1/2", "2006.1.2", "2006-1-2", "2006-01-02 00:00:00", "2006-01-02T00:00:00", "2 January 2006", "2 Jan 2006", "January 2, 2006", "Jan 2, 2006"}

// date writes a date that has one reading as ISO 8601 does, "" when it is written so or has none.
func date(x string) string {
	t, err := time.Parse(time.RFC3339, x)
	if err != nil || t.Hour()+t.Minute()+t.Second()+t.Nanosecond() != 0 {
		for _, layout := range dateLayouts {
			if t, err = time.Parse(layout, strings.TrimSpace(x)); err == nil {
				break
			}
		}
	}
	if err != nil || t.Format(time.DateOnly) == x || t.Hour()+t.Minute()+t.Second()+t.Nanosecond() != 0 {
		return ""
	}
	return t.Format(time.DateOnly)
}
