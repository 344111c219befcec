package plan

import (
	"catena/planner/loosejson"
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
		for _, rule := range valueRules {
			if rule.from&jsonKind(v) == 0 || rule.to&want == 0 {
				continue
			}
			if to, ok := rule.read(v, s); ok {
				r.note(TypeMismatch, v, to, rule.why)
				v = to
				break
			}
		}
	}
	switch x := v.(type) {
	case string:
		return r.word(x, s)
	case []any:
		return r.list(x, s, depth)
	case map[string]any:
		path := r.path
		out := r.object(x, s, path, depth+1)
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

// valueRules read a value of one kind as one of another that the schema wants, where it has exactly one reading and nothing is lost. The
// first that reads it holds. Numbers with units, words for numbers, and texts that hold several values have none.
var valueRules = []struct {
	family   string
	why      string
	from, to kinds
	read     func(v any, s *schema) (any, bool)
}{
	{"type", "a number written as a text", kindText, kindNumber, readNumber},
	{"type", "a boolean written as a text", kindText, kindBool, readBool},
	{"type", "null written as a text", kindText, kindNull, readNull},
	{"type", "a number where a text is wanted", kindNumber, kindText, readText},
	{"type", "JSON written as a text", kindText, kindList | kindObject, readInner},
	{"list or one", "one value where a list is wanted", kindText | kindNumber | kindBool, kindList, readOne},
	{"list or one", "a list of one element where one value is wanted", kindList, kindText | kindNumber | kindBool | kindNull | kindObject, readOnly},
}

// jsonKind is the kind of a value; a Concat has none that a rule reads.
func jsonKind(v any) kinds {
	if _, ok := v.(Concat); ok {
		return 0
	}
	return valueKind(v)
}

func readOnly(v any, s *schema) (any, bool) {
	x, _ := v.([]any)
	only := x0(x)
	_, ref := only.(Ref)
	return only, ref || len(x) == 1 && allowed(s, 0)&kindOf1(only) != 0
}

func readOne(v any, s *schema) (any, bool) {
	if text, ok := v.(string); ok {
		t := strings.TrimSpace(text)
		return []any{v}, allowed(s, 0)&kindObject == 0 && t != "" && !strings.ContainsAny(t, ",;[{\n") && strings.IndexByte("(\"'-*", t[0]) < 0
	}
	fits := slices.ContainsFunc(element(s, 0), func(e *schema) bool { return allowed(e, 0)&kindOf1(v) != 0 })
	return []any{v}, allowed(s, 0)&kindObject == 0 && fits
}

func readText(v any, s *schema) (any, bool) {
	n, ok := v.(json.Number)
	return n.String(), ok && allowed(s, 0)&^kindNull == kindText && s.Enum == nil
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

func readNumber(v any, _ *schema) (any, bool) {
	n := strings.TrimSpace(v.(string))
	if groupedNumber.MatchString(n) {
		n = strings.ReplaceAll(n, ",", "")
	}
	return json.Number(n), plainNumber.MatchString(n) && loosejson.BadNumber(n) == ""
}

func readBool(v any, _ *schema) (any, bool) {
	low := strings.ToLower(strings.TrimSpace(v.(string)))
	return low == "true", low == "true" || low == "false"
}

func readNull(v any, _ *schema) (any, bool) {
	t := strings.TrimSpace(v.(string))
	return nil, strings.EqualFold(t, "null") || t == "None"
}

func readInner(v any, s *schema) (any, bool) {
	t := strings.TrimSpace(v.(string))
	if t == "" || t[0] != '[' && t[0] != '{' {
		return nil, false
	}
	read := loosejson.Alone(t, loosejson.Options{Depth: DefaultLimits.Depth + planDepth, Feeds: true})
	if read.Stop != nil || len(read.Found) > 0 || allowed(s, 0)&valueKind(read.Value) == 0 {
		return nil, false
	}
	d := decoder{lim: DefaultLimits}
	out := d.value(read.Value, top, 1)
	return out, len(d.found) == 0
}

// word corrects a text within its type: the case of an enum's word, and a date that was written with midnight.
func (r *repairing) word(x string, s *schema) any {
	likes := []likeness{otherSpelling, slipInWord}
	if r.destructive {
		likes = likes[:1]
	}
	if only := r.enumWord(x, s, likes...); only != x {
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

// enumWord is the one word of an enum that a text is like; the text itself where there is none, or more than one.
func (c *comparisons) enumWord(x string, s *schema, likes ...likeness) string {
	for _, p := range parts(s, 0, nil) {
		if p.Enum == nil || len(x) > longestName {
			continue
		}
		if !c.take(len(p.Enum.Values)) {
			return x
		}
		var words []string
		for _, e := range p.Enum.Values {
			if w, ok := e.(string); ok {
				words = append(words, w)
			}
		}
		if slices.Contains(words, x) {
			return x
		}
		if only := c.onlyLike(strings.TrimSpace(x), words, likes...); only != "" {
			return only
		}
	}
	return x
}

// WithEnums is a copy of arguments in which each text that is a word of an enum but for case and separators is that word, where only one can be
// meant, at every depth. The arguments are not changed.
func WithEnums(args map[string]any, in *jsonschema.Schema) map[string]any {
	c := comparisons{left: maxComparisons}
	out, _ := c.withEnums(args, in, 0).(map[string]any)
	return out
}

func (c *comparisons) withEnums(v any, s *schema, depth int) any {
	if depth > maxNesting {
		return v
	}
	switch x := v.(type) {
	case string:
		return c.enumWord(x, s, otherSpelling)
	case []any:
		out := slices.Clone(x)
		for i, e := range x {
			if found := element(s, i); len(found) == 1 {
				out[i] = c.withEnums(e, found[0], depth+1)
			}
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(x))
		for k, e := range x {
			out[k] = e
			if found, _ := property(s, k); len(found) == 1 {
				out[k] = c.withEnums(e, found[0], depth+1)
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
