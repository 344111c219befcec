package loosejson

import (
	"fmt"
	"strings"
)

// Limits bound what Read takes. A field that is zero or negative has the value of DefaultLimits.
type Limits struct {
	Bytes int // of the text
	Depth int // how deep values may be nested
}

// DefaultLimits are generous for people and small for machines.
var DefaultLimits = Limits{Bytes: 1 << 20, Depth: 68}

func (l Limits) within() Limits {
	if l.Bytes <= 0 {
		l.Bytes = DefaultLimits.Bytes
	}
	if l.Depth <= 0 {
		l.Depth = DefaultLimits.Depth
	}
	return l
}

// JSON is what Read made of a text.
type JSON struct {
	Value  any      // nil, bool, string, json.Number, []any or map[string]any
	Faults []string // what was not strict JSON, in words; nil for strict JSON
	// Guess says that the text has no one reading, and that Value is the most likely one.
	Guess bool
	// Cut says that the text was cut off or abbreviated: something may be missing in Value.
	Cut bool
}

// Read reads the one JSON value of a text that a model or a person wrote: alone, in a code fence, or inside prose. Faults
// with one reading are cured; what has none is guessed, and said to be (see JSON). It is for values whose
// reader can check them against a schema, never for plans.
//
// The error is a *Problem: a text without any JSON, one over lim.Bytes, control characters, and values nested deeper than
// lim.Depth. The time is linear in the length of the text.
func Read(text string, lim Limits) (JSON, error) {
	lim = lim.within()
	if f := CheckText(text, lim.Bytes); f != nil {
		return JSON{}, f
	}
	for i := range len(text) {
		if c := text[i]; c < ' ' && strings.IndexByte("\b\f\n\r\t", c) < 0 || c == 0x7f {
			return JSON{}, &Problem{Code: ControlChar, Why: fmt.Sprintf("the text holds the control character %q at byte %d; leave it out", c, i)}
		}
	}
	plain, _ := Unwrap(text)
	plain = strings.TrimSpace(plain)
	wrapped := plain != text
	if in, ok := fenced(plain); ok {
		plain, wrapped = in, true
	}
	if out, ok := oneReading(plain, lim); ok {
		return out.note(wrapped), nil
	}
	if at, end := onlyValue(plain, lim); end > at {
		if out, ok := oneReading(plain[at:end], lim); ok {
			return out.note(true), nil
		}
	}
	v, f, err := guess(plain, lim.Depth)
	if err != nil {
		return JSON{}, err
	}
	return JSON{Value: v, Faults: f.list(), Guess: true, Cut: f&(cutOff|leftOut) != 0}.note(wrapped), nil
}

func (j JSON) note(wrapped bool) JSON {
	if wrapped && !strings.Contains(strings.Join(j.Faults, ","), around.String()) {
		j.Faults = append(j.Faults, around.String())
	}
	return j
}

// oneReading reads a text that is one value and nothing else, if it has one reading.
func oneReading(text string, lim Limits) (JSON, bool) {
	p := scanner{s: text, opt: Options{Depth: lim.Depth, Feeds: true}}
	v := p.value()
	p.space()
	if p.stop != nil || len(p.found) > 0 || p.i < len(text) {
		return JSON{}, false
	}
	return JSON{Value: v, Faults: p.faults.list()}, true
}

// fenced returns what the only code fence of a text holds.
func fenced(text string) (string, bool) {
	parts := strings.Split(text, "```")
	if len(parts) != 3 {
		return "", false
	}
	in := strings.TrimSpace(parts[1])
	if lang, rest, ok := strings.Cut(in, "\n"); ok && !strings.ContainsAny(lang, "{[\"'( ") {
		in = strings.TrimSpace(rest)
	}
	if k := strings.IndexAny(in, "{[(\""); k < 0 || strings.ContainsAny(parts[0], "{[\"'") {
		return "", false
	}
	return in, true
}

// onlyValue finds the one object or list that stands in a text of words.
func onlyValue(text string, lim Limits) (start, end int) {
	at := strings.IndexAny(text, "{[")
	if at < 0 || strings.ContainsAny(text[:at], "\"'`:,\n") && !strings.HasSuffix(strings.TrimSpace(text[:at]), ":") {
		return 0, 0
	}
	p := scanner{s: text, i: at, opt: Options{Depth: lim.Depth}}
	p.value()
	if p.stop != nil || strings.ContainsAny(text[p.i:], "{}[]\"'`,:") {
		return 0, 0
	}
	return at, p.i
}
