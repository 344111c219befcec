package parse

import (
	"bytes"
	"sort"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Text returns src as Parse reads it, so that the lines of a File can be cut out of it: UTF-8 without a byte order mark, decoded
// from UTF-16 where its mark says so, every line ending in LF (CRLF and lone CR become LF), NUL turned to a space and each run of
// invalid bytes to U+FFFD. A source that is so already is returned as it is, not copied.
func Text(src []byte) []byte {
	switch {
	case bytes.HasPrefix(src, []byte{0xEF, 0xBB, 0xBF}):
		src = src[3:]
	case bytes.HasPrefix(src, []byte{0xFF, 0xFE}):
		src = fromUTF16(src[2:], 0)
	case bytes.HasPrefix(src, []byte{0xFE, 0xFF}):
		src = fromUTF16(src[2:], 1)
	}
	if bytes.IndexByte(src, '\r') >= 0 {
		src = bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n"))
		src = bytes.ReplaceAll(src, []byte("\r"), []byte("\n"))
	}
	if bytes.IndexByte(src, 0) >= 0 {
		src = bytes.ReplaceAll(src, []byte{0}, []byte(" "))
	}
	if !utf8.Valid(src) {
		src = bytes.ToValidUTF8(src, []byte("\uFFFD"))
	}
	return src
}

// fromUTF16 decodes UTF-16; high is the index of the more significant byte of each unit. An odd byte at the end is dropped.
func fromUTF16(b []byte, less int) []byte {
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = uint16(b[2*i+less]) | uint16(b[2*i+1-less])<<8
	}
	return []byte(string(utf16.Decode(units)))
}

// source is a text with the places where its lines start. It is not safe for concurrent use: line remembers where it was.
type source struct {
	text   string
	starts []int // of each line, in bytes
	last   int   // index of the line that was asked for last
}

func newSource(text string) *source {
	s := &source{text: text}
	if text == "" {
		return s
	}
	s.starts = make([]int, 1, strings.Count(text, "\n")+1)
	for i := 0; ; {
		n := strings.IndexByte(text[i:], '\n')
		if n < 0 || i+n+1 == len(text) {
			return s
		}
		i += n + 1
		s.starts = append(s.starts, i)
	}
}

// lines is how many there are. A line feed at the end does not start another one.
func (s *source) lines() int { return len(s.starts) }

// line is the number of the line, from 1, that the byte at offset is on. Asking in rising order is cheap.
func (s *source) line(offset int) int {
	if len(s.starts) == 0 {
		return 1
	}
	for range 8 {
		switch {
		case offset < s.starts[s.last]:
			return s.seek(offset)
		case s.last+1 == len(s.starts) || offset < s.starts[s.last+1]:
			return s.last + 1
		}
		s.last++
	}
	return s.seek(offset)
}

func (s *source) seek(offset int) int {
	s.last = max(0, sort.SearchInts(s.starts, offset+1)-1)
	return s.last + 1
}

// at is the text of line n, without its line feed.
func (s *source) at(n int) string {
	end := len(s.text)
	if n < len(s.starts) {
		end = s.starts[n]
	}
	return strings.TrimSuffix(s.text[s.starts[n-1]:end], "\n")
}

func (s *source) blank(n int) bool { return strings.TrimSpace(s.at(n)) == "" }

// indent is the width of the white space that line n starts with; a tab goes to the next multiple of four.
func (s *source) indent(n int) int { return indentOf(s.at(n)) }

func indentOf(line string) int {
	width := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ' ':
			width++
		case '\t':
			width += 4 - width%4
		default:
			return width
		}
	}
	return width
}

// oneLine joins the lines of a declaration: comments out, runs of white space to one space, at most limit bytes.
func oneLine(text string, limit int) string {
	b := make([]byte, 0, min(len(text), limit+1))
	space := false
	for i := 0; i < len(text) && len(b) <= limit; {
		c := text[i]
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\v':
			space = true
			i++
			continue
		case strings.HasPrefix(text[i:], "//"):
			i += lengthTo(text[i:], "\n")
			continue
		case strings.HasPrefix(text[i:], "/*"):
			i += 2 + lengthTo(text[i+2:], "*/")
			space = true
			continue
		}
		last := byte('(')
		if len(b) > 0 {
			last = b[len(b)-1]
		}
		if last == ',' && c == ')' { // the comma that lists over lines end with
			b = b[:len(b)-1]
		} else if space && !tight(last, c) {
			b = append(b, ' ')
		}
		space = false
		n := 1
		if c == '"' || c == '`' || c == '\'' {
			n = quoted(text[i:])
			if strings.IndexByte(text[i:i+n], '\n') >= 0 {
				n = 1
			}
		}
		b = append(b, text[i:i+n]...)
		i += n
	}
	return clip(string(b), limit)
}

// tight says that no space is wanted between what was written and the next byte: after an opening bracket, before a closing one.
func tight(last, next byte) bool {
	return last == '(' || last == '[' || next == ')' || next == ']' || next == ',' || next == ';'
}

// lengthTo is how far it is to the end of stop in text; all of it when stop is not there.
func lengthTo(text, stop string) int {
	if n := strings.Index(text, stop); n >= 0 {
		return n + len(stop)
	}
	return len(text)
}

// quoted is the length of the literal that text starts with, on one line unless its quote is a backquote.
func quoted(text string) int {
	q := text[0]
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '\\' && q != '`':
			i++
		case text[i] == q:
			return i + 1
		case text[i] == '\n' && q != '`':
			return 1
		}
	}
	return 1
}

// clip cuts a text to at most limit bytes, not within a rune, and says so by three dots.
func clip(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	n := limit - len("…")
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return strings.TrimRight(s[:n], " ") + "…"
}
