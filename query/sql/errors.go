package sql

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Error is a text that is no SELECT statement of either dialect.
type Error struct {
	Line, Column int    // where it was found, from 1; columns count characters
	Text         string // what is wrong, one sentence
	Hint         string // what to write instead; "" where nothing is known
}

func (e *Error) Error() string {
	text := fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Text)
	if e.Hint != "" {
		text += " " + e.Hint
	}
	return text
}

// place is the line and column of a byte of the text, both from 1.
func place(text string, at int) (line, column int) {
	before := text[:min(at, len(text))]
	line = 1 + strings.Count(before, "\n")
	column = 1 + utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
	return line, column
}

// failure is how the first pass ends early: the parser's entry recovers it. Only fail makes it.
type failure struct{ err *Error }

func newError(text string, at int, hint, format string, args ...any) *Error {
	line, column := place(text, at)
	return &Error{Line: line, Column: column, Text: fmt.Sprintf(format, args...), Hint: hint}
}
