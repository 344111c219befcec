package formatter

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"catena/internal/text"
)

// cut shortens text to limit characters and marks the cut.
func cut(s string, limit int) string {
	if limit < 0 || len(s) <= limit || utf8.RuneCountInString(s) <= limit {
		return s
	}
	n := 0
	for i := range s {
		if n == limit-1 {
			return strings.TrimRightFunc(s[:i], unicode.IsSpace) + "…"
		}
		n++
	}
	return s
}

// plain makes one line of visible characters: line breaks and tabs become spaces, other control characters and those
// that turn the reading direction go.
func plain(s string) string {
	if allSafe(s, &plainSafe) {
		return s
	}
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\ufffd")
	}
	if strings.IndexFunc(s, odd) < 0 {
		return s
	}
	return strings.Map(func(r rune) rune {
		switch {
		case !odd(r):
			return r
		case strings.ContainsRune("\n\t\u2028\u2029\u0085", r):
			return ' '
		}
		return -1
	}, s)
}

// odd are the characters that plain replaces.
func odd(r rune) bool {
	return r < ' ' || r >= 0x7f && r < 0xa0 || r >= '\u2028' && r <= '\u202e' ||
		r >= '\u2066' && r <= '\u2069' || r == '\ufeff'
}

// bytesBut are the visible ASCII characters but those of marks: a text of them alone is written as it is.
func bytesBut(marks string) (safe [256]bool) {
	for c := ' '; c < 0x7f; c++ {
		safe[c] = !strings.ContainsRune(marks, c)
	}
	return safe
}

var (
	plainSafe    = bytesBut("")
	markdownSafe = bytesBut("\\|`*_[]<>&~")
	htmlSafe     = bytesBut(`<>&'"`)
)

func allSafe(s string, safe *[256]bool) bool {
	for i := range len(s) {
		if !safe[s[i]] {
			return false
		}
	}
	return true
}

// escape is appendEscaped as a string.
func escape(s string) string { return string(appendEscaped(make([]byte, 0, len(s)+8), s)) }

// escapeLine is escape for a text that begins a line, where more characters would be markup: headings, lists, rules.
func escapeLine(s string) string {
	s = strings.TrimLeft(escape(s), " ")
	digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
	switch {
	case s == "":
	case strings.IndexByte("#+-=", s[0]) >= 0:
		return `\` + s
	case digits > 0 && digits < len(s) && (s[digits] == '.' || s[digits] == ')'):
		return s[:digits] + `\` + s[digits:]
	}
	return s
}

// appendEscaped writes text as Markdown that shows it, in a cell of a table, too.
func appendEscaped(b []byte, s string) []byte {
	if allSafe(s, &markdownSafe) {
		return append(b, s...)
	}
	return text.AppendMarkdown(b, plain(s))
}

// appendHTML writes text as the content of an element or of a quoted attribute.
func appendHTML(b []byte, s string) []byte {
	if allSafe(s, &htmlSafe) {
		return append(b, s...)
	}
	s = plain(s)
	start := 0
	for i := range len(s) {
		var ref string
		switch s[i] {
		case '<':
			ref = "&lt;"
		case '>':
			ref = "&gt;"
		case '&':
			ref = "&amp;"
		case '"':
			ref = "&#34;"
		case '\'':
			ref = "&#39;"
		default:
			continue
		}
		b = append(append(b, s[start:i]...), ref...)
		start = i + 1
	}
	return append(b, s[start:]...)
}
