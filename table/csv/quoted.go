package csv

import (
	"strings"

	"catena/table/content"
)

// quoted reads a cell that begins with a quote at pos; clean is false where it does not follow RFC 4180.
func (p *csvParser) quoted(pos int) (cell string, next, lines int, clean bool) {
	var parts strings.Builder // only for cells with doubled quotes
	text := p.text
	if p.scanned > scanMost {
		text = text[:p.lineEnd(pos)]
	}
	pos++
	from, start := pos, pos
	clean = true
	for {
		i := strings.IndexByte(text[pos:], p.quote)
		if i < 0 {
			rest := text[from:]
			p.scanned += len(text) - start
			return p.unescape(joined(&parts, rest)), len(text), content.LineEnds(text[start:]), false
		}
		pos += i + 1
		if p.escape != 0 && oddEscapes(text[start:pos-1], p.escape) {
			continue
		}
		end, closed := p.closes(pos)
		if closed {
			cell = joined(&parts, text[from:pos-1])
			return p.unescape(cell), end, content.LineEnds(text[start : pos-1]), clean
		}
		if text[pos] == p.quote {
			parts.WriteString(text[from:pos])
			pos++
			from = pos
			continue
		}
		clean = false
	}
}

// scanMost is how many bytes are looked through in vain for closing quotes; from then on cells do not go on over lines,
// so that no text takes long.
const scanMost = 64 << 20

// lineEnd gives the end of the line at pos, however long it is.
func (p *csvParser) lineEnd(pos int) int {
	for pos < len(p.text) && !p.atEnd(pos) {
		pos++
	}
	return pos
}

// closes reports whether a cell can end at pos, behind a quote, and where what follows begins: spaces there are left
// out.
func (p *csvParser) closes(pos int) (end int, ok bool) {
	for at := pos; ; at++ {
		if at >= len(p.text) || p.atEnd(at) || p.atComma(at) {
			return at, true
		}
		if p.text[at] != ' ' {
			return pos, false
		}
	}
}

// oddEscapes reports whether s ends in an odd number of escape characters.
func oddEscapes(s string, escape byte) bool {
	n := 0
	for n < len(s) && s[len(s)-1-n] == escape {
		n++
	}
	return n%2 == 1
}

func joined(parts *strings.Builder, last string) string {
	if parts.Len() == 0 {
		return last
	}
	parts.WriteString(last)
	return parts.String()
}

// unwrapLines takes off the quotes around each line of a text, as programs write that take lines for cells; false where
// a line has none, or one ends inside. Empty lines stay.
func unwrapLines(s string) (string, bool) {
	if s[0] != '"' {
		return "", false
	}
	var b strings.Builder
	for line := range strings.Lines(s) {
		text := strings.TrimRight(line, "\r\n")
		if text == "" {
			b.WriteString(line)
			continue
		}
		if len(text) < 2 || text[0] != '"' || text[len(text)-1] != '"' {
			return "", false
		}
		inner := strings.ReplaceAll(text[1:len(text)-1], `""`, "\x00")
		if strings.Contains(inner, `"`) {
			return "", false
		}
		b.WriteString(strings.ReplaceAll(inner, "\x00", `"`))
		b.WriteString(line[len(text):])
	}
	return b.String(), true
}
