package loosejson

import "strings"

// Faults is a set of what was not strict JSON. Its zero value is strict JSON.
type Faults uint32

const (
	trailingComma Faults = 1 << iota
	extraComma
	missingComma
	missingColon
	otherQuotes
	innerQuote
	bareKey
	pythonWord
	tuple
	comment
	oddSpace
	rawBreak
	unclosed
	missingCloser
	extraCloser
	doubleBrace
	oddEscape
	oddNumber
	around
	several // from here on the reading is a guess
	bareText
	missingQuote
	cutOff
	emptyMember
	keyTwice
	leftOut
	called
	concatenated
)

var faultNames = []struct {
	f   Faults
	why string
}{
	{trailingComma, "a trailing comma"}, {extraComma, "a comma too many"}, {missingComma, "a missing comma"}, {missingColon, "a missing colon"}, {otherQuotes, "quotes other than \""},
	{innerQuote, "a quote inside a text"}, {bareKey, "a key without quotes"}, {pythonWord, "Python's or JavaScript's words"}, {tuple, "a tuple"},
	{comment, "a comment"}, {oddSpace, "white space that JSON does not have"}, {rawBreak, "a line break or tab inside a text"},
	{unclosed, "closing brackets missing at the end"}, {missingCloser, "a closing bracket missing"}, {extraCloser, "a closing bracket too many"},
	{doubleBrace, "an opening bracket too many"}, {oddEscape, "an escape that JSON does not have"}, {oddNumber, "a number that JSON writes otherwise"},
	{around, "text around it"}, {several, "several values"}, {bareText, "a text without quotes"}, {missingQuote, "a quote missing"}, {cutOff, "a text cut off"},
	{emptyMember, "a value missing"}, {keyTwice, "a key twice"}, {leftOut, "..."}, {called, "a call around a value"}, {concatenated, "texts joined by +"},
}

// Unbalanced reports whether a bracket is missing, or one too many.
func (f Faults) Unbalanced() bool { return f&(unclosed|missingCloser|extraCloser|doubleBrace) != 0 }

// Unclosed reports whether closing brackets are missing at the end.
func (f Faults) Unclosed() bool { return f&unclosed != 0 }

// list gives the faults in words.
func (f Faults) list() []string {
	var out []string
	for _, n := range faultNames {
		if f&n.f != 0 {
			out = append(out, n.why)
		}
	}
	return out
}

// String lists the faults in words.
func (f Faults) String() string { return strings.Join(f.list(), ", ") }
