package signature

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"catena/planner/loosejson"
)

// Options say how much of a schema is written. The zero value writes names and types alone.
type Options struct {
	// Describe is how many bytes of an argument's description are written behind its type; 0 writes none.
	Describe int
	// Most is how many bytes a line has at most; arguments that do not fit are listed by their names. 0 is no limit.
	Most int
	// Only are the arguments that are written; nil writes all.
	Only []string
}

// Writer writes schemas. Types that come again and again in those that it was shown are written once, as Types, and by
// a name everywhere else. The zero value knows no such names. A Writer is safe for concurrent use once Show is not
// called any more.
type Writer struct {
	names map[string]string // type -> its name
	list  []string          // types in the order of their names
}

// The types that get a name: longer than shortType, and written at least oftenType times.
const (
	shortType = 30
	oftenType = 3
)

// Show tells the Writer all schemas at once, so that it can name what they share. Earlier names are forgotten.
func (w *Writer) Show(schemas []json.RawMessage) {
	w.names, w.list = nil, nil
	for range 3 { // a later time finds types that hold those of the one before
		count := map[string]int{}
		first := map[string]int{}
		for _, raw := range schemas {
			x := writing{w: w, count: count, first: first, left: maxNodes}
			x.args(decode(raw), Options{})
		}
		w.name(count, first)
	}
}

// name gives names to the types that are worth one.
func (w *Writer) name(count, first map[string]int) {
	if w.names == nil {
		w.names = map[string]string{}
	}
	found := slices.DeleteFunc(slices.Collect(maps.Keys(count)), func(t string) bool {
		return count[t] < oftenType || len(t) < shortType || w.names[t] != ""
	})
	slices.SortFunc(found, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(first[a], first[b]))
	})
	for _, t := range found {
		inner := slices.ContainsFunc(found, func(in string) bool { return holds(t, in) && count[in] > count[t] })
		if !inner && !alwaysIn(t, count) {
			w.list = append(w.list, t)
			w.names[t] = fmt.Sprintf("T%d", len(w.list))
		}
	}
}

func holds(t, in string) bool { return in != t && strings.Contains(t, in) }

// alwaysIn reports whether a type stands only within a larger one.
func alwaysIn(t string, count map[string]int) bool {
	for out, n := range count {
		if holds(out, t) && n == count[t] {
			return true
		}
	}
	return false
}

// Types are the named types, one to a line: "T1 = string|number". They are empty where nothing was worth a name.
func (w *Writer) Types() []string {
	out := make([]string, len(w.list))
	for i, t := range w.list {
		out[i] = w.names[t] + " = " + t
	}
	return out
}

// Args writes the arguments that a schema declares: those that must be given first, and otherwise in the schema's
// order. What is no schema of an object takes no arguments.
func (w *Writer) Args(schema json.RawMessage, o Options) string {
	x := writing{w: w, left: maxNodes}
	return "(" + x.args(decode(schema), o) + ")"
}

// writing is one schema on its way to a line.
type writing struct {
	w     *Writer
	defs  map[string]json.RawMessage
	count map[string]int // how often each type was written, while names are looked for
	first map[string]int
	left  int // schemas that may still be looked at
}

func (x *writing) args(s node, o Options) string {
	x.defs = s.members(s.Defs)
	maps.Copy(x.defs, s.members(s.Definitions))
	return x.fields(s, o, 0)
}

// fields writes the properties of an object.
func (x *writing) fields(s node, o Options, depth int) string {
	must := s.texts(s.Required)
	names := loosejson.Keys(s.Properties)
	if o.Only != nil {
		names = slices.DeleteFunc(names, func(name string) bool { return !slices.Contains(o.Only, name) })
	}
	slices.SortStableFunc(names, func(a, b string) int {
		return cmp.Compare(place(slices.Contains(must, a)), place(slices.Contains(must, b)))
	})
	fields := s.members(s.Properties)
	var out strings.Builder
	for i, name := range names {
		text := x.field(name, decode(fields[name]), slices.Contains(must, name), o, depth)
		if o.Most > 0 && out.Len()+len(text) > o.Most {
			rest := make([]string, 0, len(names)-i)
			for _, name := range names[i:] {
				rest = append(rest, word(name))
			}
			return cut(strings.TrimPrefix(out.String()+", and "+strings.Join(rest, ", "), ", "), 2*o.Most)
		}
		if i > 0 {
			out.WriteString(", ")
		}
		out.WriteString(text)
	}
	return out.String()
}

func place(first bool) int {
	if first {
		return 0
	}
	return 1
}

// field writes one property: region?: string = "USA" "where clients are".
func (x *writing) field(name string, s node, must bool, o Options, depth int) string {
	t := x.typeOf(s, depth+1)
	out := word(name)
	if !must {
		out += "?"
	}
	out += ": " + t
	if given := compact(s.Default); given != "" && given != "null" && len(given) <= shortType {
		out += " = " + given
	}
	if about := s.text(s.Description); o.Describe > 0 && about != "" && t != "table" {
		out += " " + quoted(cut(strings.Join(strings.Fields(about), " "), o.Describe))
	}
	return out
}

// cut shortens a text to n bytes without splitting a character.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}

// word is a name as it stands, or in quotes where it holds more than a name does.
func word(name string) string {
	const most = 64
	odd := func(r rune) bool {
		const plain = "_-0123456789abcdefghijklmnopqrstuvwxyz"
		return !strings.ContainsRune(plain, unicode.ToLower(r))
	}
	if name == "" || len(name) > most || strings.ContainsFunc(name, odd) {
		return quoted(cut(name, most))
	}
	return name
}

// quoted is a text in JSON's quotes: on one line, whatever it holds.
func quoted(s string) string { return compact(encode(s)) }

func encode(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil { // no value that JSON gave
		return nil
	}
	return b.Bytes()
}

func compact(raw json.RawMessage) string {
	var b bytes.Buffer
	if len(raw) == 0 || json.Compact(&b, raw) != nil {
		return ""
	}
	return b.String()
}
