package plan

import (
	"catena/planner/loosejson"
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
	d.ctx = l.ctx
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
	return l.up.String() + "/" + loosejson.Escape(part)
}
