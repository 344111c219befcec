package loosejson

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The codes of problems.
const (
	TypeMismatch = "type_mismatch" // a value that JSON does not have, such as NaN
	OutOfRange   = "out_of_range"  // a text, a number or a list that is too long
	DuplicateKey = "duplicate_key" // an object has a key twice
	TooDeep      = "too_deep"      // values are nested deeper than they may be
	Truncated    = "truncated"     // the text was cut off or abbreviated
	ControlChar  = "control_char"  // a text holds a control character
	Syntax       = "syntax"        // no JSON, in any reading
)

// Problem is what is wrong with a text.
type Problem struct {
	Code string // one of the codes above
	Path string // the JSON pointer (RFC 6901) to where it is; "" for the whole text
	Why  string // what is wrong, and what to do
}

// Error says what is wrong.
func (p *Problem) Error() string {
	if p.Path == "" {
		return p.Code + ": " + p.Why
	}
	return p.Code + " at " + p.Path + ": " + p.Why
}

// Problems are all that is wrong with a text.
type Problems []Problem

// CheckText finds a text over a limit of bytes, and one that is no text; nil where it is neither.
func CheckText(text string, most int) *Problem {
	switch {
	case len(text) > most:
		return &Problem{Code: OutOfRange, Why: fmt.Sprintf("the text has %d bytes; %d are allowed", len(text), most)}
	case !utf8.ValidString(text):
		return &Problem{Code: ControlChar, Why: "the text is not valid UTF-8"}
	}
	return nil
}

// Pointer is where a walk over a value is: a JSON pointer that is only written out when there is something to report.
type Pointer []Part

// Part is one step of a Pointer: into an object by Key, or into a list by Index where Key is "".
type Part struct {
	Key   string
	Index int
}

// Push goes into a part.
func (p *Pointer) Push(key string, index int) { *p = append(*p, Part{key, index}) }

// Pop goes back to what the part is in.
func (p *Pointer) Pop() { *p = (*p)[:len(*p)-1] }

// String writes the JSON pointer (RFC 6901).
func (p Pointer) String() string {
	var b strings.Builder
	for _, x := range p {
		b.WriteByte('/')
		if x.Key != "" {
			b.WriteString(Escape(x.Key))
		} else {
			b.WriteString(strconv.Itoa(x.Index))
		}
	}
	return b.String()
}

var escaper = strings.NewReplacer("~", "~0", "/", "~1")

// Escape writes a key as a JSON pointer has it.
func Escape(key string) string {
	if !strings.ContainsAny(key, "~/") {
		return key
	}
	return escaper.Replace(strings.Clone(key)) // a copy, so that pointers with their keys can stay on the stack
}
