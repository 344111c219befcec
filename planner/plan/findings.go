package plan

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Error lists the findings, one sentence each, the first ten of them.
func (f Findings) Error() string {
	const most = 10
	var b strings.Builder
	for i, x := range f {
		if i == most {
			fmt.Fprintf(&b, "; and %d more", len(f)-most)
			break
		}
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(string(x.Code))
		if x.Path != "" {
			b.WriteString(" at ")
			b.WriteString(x.Path)
		}
		b.WriteString(": ")
		b.WriteString(x.Message)
	}
	return b.String()
}

// Has reports whether one of the findings has the code.
func (f Findings) Has(c Code) bool {
	for _, x := range f {
		if x.Code == c {
			return true
		}
	}
	return false
}

// FindingsOf returns the findings that err is or wraps, nil when it holds none.
func FindingsOf(err error) Findings {
	var f Findings
	if errors.As(err, &f) {
		return f
	}
	return nil
}

// within returns the limits with each field that is zero or negative replaced by DefaultLimits'.
func (l Limits) within() Limits {
	d := DefaultLimits
	if l.Steps > 0 {
		d.Steps = l.Steps
	}
	if l.Depth > 0 {
		d.Depth = l.Depth
	}
	if l.Each > 0 {
		d.Each = l.Each
	}
	if l.FanOut > 0 {
		d.FanOut = l.FanOut
	}
	if l.Bytes > 0 {
		d.Bytes = l.Bytes
	}
	return d
}

// location is a JSON pointer that is only written out when a finding needs it: a linked list on the stack, as long as no recursive
// call makes it longer.
type location struct {
	up    *location
	key   string
	index int // used when key is "" and up is not nil
	root  bool
}

var top = &location{root: true}

func (l *location) field(key string) *location { return &location{up: l, key: key} }
func (l *location) item(i int) *location       { return &location{up: l, index: i} }

// String writes the JSON pointer (RFC 6901).
func (l *location) String() string {
	if l == nil || l.root {
		return ""
	}
	part := l.key
	if part == "" {
		part = strconv.Itoa(l.index)
	}
	return l.up.String() + "/" + escapePointer(part)
}

var pointerEscaper = strings.NewReplacer("~", "~0", "/", "~1")

func escapePointer(s string) string {
	if !strings.ContainsAny(s, "~/") {
		return s
	}
	return pointerEscaper.Replace(strings.Clone(s)) // a copy, so that locations with their keys can stay on the stack
}

// pointerTo is where a walk is: a JSON pointer that is only written out when there is something to report.
type pointerTo []part

type part struct {
	key   string
	index int // when key is ""
}

func (p *pointerTo) push(key string, index int) { *p = append(*p, part{key, index}) }
func (p *pointerTo) pop()                       { *p = (*p)[:len(*p)-1] }

// String writes the JSON pointer (RFC 6901).
func (p pointerTo) String() string {
	var b strings.Builder
	for _, x := range p {
		b.WriteByte('/')
		if x.key != "" {
			b.WriteString(escapePointer(x.key))
		} else {
			b.WriteString(strconv.Itoa(x.index))
		}
	}
	return b.String()
}
