package plan

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"catena/planner/loosejson"
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

// Bounds of the text of an error, in characters.
const (
	longestQuote = 200     // of what stands in quotes, and of a word
	LongestError = 2000    // of the whole text where programs read it
	LongestLines = 16_000  // of the whole text where people read it on a terminal
	mostFindings = 20      // that a list shows
	cutMark      = "…"     // where something was left out
	cutMiddle    = " […] " // where the middle of a text was left out
)

// Bounded is the text of an error with what it quotes bounded: texts in quotes, and words, have 200 characters at most,
// and the whole has so many as are said. Errors quote what was sent, which may be of any length. Every text of an error
// passes here on its way out: of a problem, of an error of JSON-RPC, of a tool, of a command.
func Bounded(text string, most int) string {
	if len(text) <= longestQuote {
		return text
	}
	text = boundedQuotes(text)
	n := utf8.RuneCountInString(text)
	if n <= most {
		return text
	}
	runes := []rune(text)
	end := most / 4
	return string(runes[:most-end]) + cutMiddle + string(runes[n-end:])
}

// quoting is where in a text a reader stands.
type quoting struct {
	in      bool // between quotes
	escaped bool // behind a backslash there
	run     int  // characters since the quote, or the blank
}

// boundedQuotes cuts what stands in quotes, and words.
func boundedQuotes(text string) string {
	var b strings.Builder
	var q quoting
	for _, r := range text {
		ends := q.next(r)
		switch {
		case ends || q.run <= longestQuote:
			b.WriteRune(r)
		case q.run == longestQuote+1:
			b.WriteString(cutMark)
		}
	}
	return b.String()
}

// next takes a character, and reports whether it ends what is counted.
func (q *quoting) next(r rune) bool {
	switch {
	case q.escaped:
		q.escaped = false
	case q.in && r == '\\':
		q.escaped = true
	case r == '"':
		q.in, q.run = !q.in, 0
		return true
	case !q.in && unicode.IsSpace(r):
		q.run = 0
		return true
	}
	q.run++
	return false
}

// Bounded are the findings as answers show them: the first of them, with bounded texts.
func (f Findings) Bounded() Findings {
	if len(f) == 0 {
		return f
	}
	out := make(Findings, 0, min(len(f), mostFindings))
	for _, x := range f[:min(len(f), mostFindings)] {
		x.Message = Bounded(x.Message, LongestError/4)
		x.Path, x.Step = Bounded(x.Path, longestQuote), Bounded(x.Step, longestQuote)
		out = append(out, x)
	}
	return out
}
