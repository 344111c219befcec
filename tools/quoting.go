package tools

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
)

// Bounds of what a person is shown of one value that is to be decided about.
const (
	shownHead  = 220 // characters from the beginning of a text
	shownTail  = 80  // characters from its end: what a long text is for may stand there
	shownMarks = 3   // accents on one letter; more of them would cover the lines around it
)

// Shown writes a text or scalar so that nothing in it is taken for anything but a value: a text stands in quotes, in one line, with escapes for
// quotes, line breaks and characters that are not seen. Of a long text beginning and end are shown and what is between is counted; a word of
// letters of several alphabets, which may only look like another word, is told.
func Shown(v any) string {
	switch x := v.(type) {
	case nil:
		return "nothing"
	case string:
		return shownText(x)
	case json.Number:
		return shownWord(x.String())
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return "a value that is no JSON"
	}
	return string(raw)
}

func shownText(s string) string {
	r := []rune(s)
	out := quoted(r)
	if over := len(r) - shownHead - shownTail; over > 0 {
		out = fmt.Sprintf("%s … %d characters are not shown … %s", quoted(r[:shownHead]), over, quoted(r[len(r)-shownTail:]))
	}
	if word := mixedWord(s); word != "" {
		out += fmt.Sprintf(" (letters of several alphabets in %s)", quoted([]rune(word)))
	}
	return out
}

// shownWord is a name as it is where it is a plain one, else as a text.
func shownWord(s string) string {
	plain := func(r rune) bool {
		return r == '_' || r == '-' || r == '.' || r == ' ' || r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r))
	}
	const longest = 80
	if s == "" || len(s) > longest || strings.ContainsFunc(s, func(r rune) bool { return !plain(r) }) {
		return shownText(s)
	}
	return s
}

// quoted writes characters in quotes.
func quoted(r []rune) string {
	var b strings.Builder
	b.WriteByte('"')
	marks := 0
	for i, c := range r {
		if unicode.In(c, unicode.Mn, unicode.Me) {
			marks++
		} else {
			marks = 0
		}
		switch {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteRune(c)
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\t':
			b.WriteString(`\t`)
		case unseen(c) || marks > shownMarks || i == 0 && marks > 0:
			fmt.Fprintf(&b, `\u{%x}`, c)
		default:
			b.WriteRune(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// unseen reports whether a character leaves no mark of its own: controls, format characters, fillers, blanks other than the plain one.
func unseen(c rune) bool {
	return c != ' ' && !unicode.IsPrint(c) || unicode.In(c, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// alphabets have letters that look like those of another.
var alphabets = []*unicode.RangeTable{unicode.Latin, unicode.Cyrillic, unicode.Greek, unicode.Armenian, unicode.Cherokee, unicode.Coptic, unicode.Lisu}

// mixedWord is the first word with letters of more than one alphabet, "" where there is none.
func mixedWord(s string) string {
	for word := range strings.FieldsFuncSeq(s, func(c rune) bool { return !unicode.IsLetter(c) }) {
		found := 0
		for _, table := range alphabets {
			if strings.ContainsFunc(word, func(c rune) bool { return unicode.Is(table, c) }) {
				found++
			}
		}
		if found > 1 {
			return word
		}
	}
	return ""
}

// SeenJSON is a JSON text of the same value in which characters that are not seen, or turn the writing, stand as escapes.
func SeenJSON(raw string) string {
	if !strings.ContainsFunc(raw, hiddenInJSON) {
		return raw
	}
	var b strings.Builder
	for _, c := range raw {
		if !hiddenInJSON(c) {
			b.WriteRune(c)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, c) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}

func hiddenInJSON(c rune) bool { return unseen(c) && c != '\n' && c != '\t' && c != '\r' }
