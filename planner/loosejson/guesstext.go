package loosejson

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// How a text is read again when its end quote is missing.
const (
	toQuote     = -1 // up to its end quote
	toDelimiter = -2 // up to the first delimiter
)

// escapedQuote reports whether an escaped quote stands at the cursor: a text that was encoded once too often.
func (g *guesser) escapedQuote() bool {
	return g.more() && g.s[g.i] == '\\' && g.i+1 < len(g.s) && IsQuote(rune(g.s[g.i+1]))
}

// text reads the text in quotes at the cursor.
func (g *guesser) text() string {
	start := g.i
	s, again := g.quoted(toQuote)
	if again != 0 {
		g.i = start
		g.faults |= missingQuote
		s, _ = g.quoted(again)
	}
	return s
}

// ending reports whether a rune ends the text that another opened.
func ending(open, r rune) bool {
	switch open {
	case '"', '\'':
		return r == open
	case '“', '”':
		return strings.ContainsRune("\"“”", r)
	}
	return strings.ContainsRune("'‘’`´", r)
}

// quoted reads a text up to a place, or in one of the ways above; again is the way in which to read it once more.
func (g *guesser) quoted(until int) (s string, again int) {
	escaped := g.take('\\')
	if escaped {
		g.faults |= oddEscape
	}
	open := g.rune()
	if open != '"' {
		g.faults |= otherQuotes
	}
	start := g.i
	g.i += utf8.RuneLen(open)
	var b strings.Builder
	for {
		if !g.more() {
			return g.cutText(&b, until)
		}
		if g.i == until {
			return strings.TrimRightFunc(b.String(), unicode.IsSpace), 0
		}
		g.spend(1)
		r := g.rune()
		switch {
		case ending(open, r):
			end, again := g.endQuote(until)
			if end || again != 0 {
				return b.String(), again
			}
			b.WriteRune(r)
		case until == toDelimiter && isTextEnd(r):
			from := g.i
			if g.url(start + 1); g.i > from {
				b.WriteString(g.s[from:g.i])
			}
			return strings.TrimRightFunc(b.String(), unicode.IsSpace), 0
		case r == '\\':
			g.escape(&b)
		default:
			if r < ' ' {
				g.faults |= rawBreak
			}
			_, n := utf8.DecodeRuneInString(g.s[g.i:])
			b.WriteString(g.s[g.i : g.i+n])
			g.i += n
		}
		if escaped && g.at(`\`) {
			g.i++
		}
	}
}

// cutText ends a text that has no end quote before the end. One that ends in a delimiter ended before it.
func (g *guesser) cutText(b *strings.Builder, until int) (string, int) {
	text := strings.TrimRightFunc(b.String(), unicode.IsSpace)
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRightFunc(g.s, unicode.IsSpace))
	if until == toQuote && g.err == nil && isDelimiter(last) {
		return "", toDelimiter
	}
	g.faults |= missingQuote | cutOff
	return text, 0
}

// endQuote judges a quote that may end the text, by what stands behind and before it. The cursor moves behind it.
func (g *guesser) endQuote(until int) (end bool, again int) {
	at := g.i
	g.i += utf8.RuneLen(g.rune())
	after := g.i
	for g.at(" \t") {
		g.i++
	}
	if inches := at > 0 && g.s[at-1] >= '0' && g.s[at-1] <= '9' && (g.s[after:] == `"` || g.at(")")); inches && until == toQuote {
		g.i = after
		g.faults |= innerQuote
		return false, 0
	}
	if until == toDelimiter || !g.more() || isDelimiter(g.rune()) || IsQuote(g.rune()) || unicode.IsDigit(g.rune()) {
		return true, 0
	}
	before := strings.TrimRightFunc(g.s[:at], unicode.IsSpace)
	prev, n := utf8.DecodeLastRuneInString(before)
	switch {
	case prev == ',':
		return false, len(before) - n
	case isDelimiter(prev):
		return false, toDelimiter
	}
	g.i = after
	g.faults |= innerQuote
	return false, 0
}

// escape reads one escape; one that JSON does not have stands for its character.
func (g *guesser) escape(b *strings.Builder) {
	p := scanner{s: g.s, i: g.i, opt: Options{Feeds: true}}
	if g.i+1 >= len(g.s) {
		g.i = len(g.s)
		g.faults |= cutOff
		return
	}
	from := b.Len()
	p.escape(b)
	switch {
	case p.stop == nil && len(p.found) == 0:
		g.i, g.faults = p.i, g.faults|p.faults
	case g.s[g.i+1] == 'u' && p.stop != nil && p.stop.Code == Truncated:
		g.i = len(g.s)
		g.faults |= cutOff
	case g.s[g.i+1] == 'u':
		g.fail(`\u needs four hexadecimal digits that stand for a character`)
	default:
		text := b.String()[:from]
		b.Reset()
		b.WriteString(text)
		g.i++ // the character after it is read as any other
		g.faults |= oddEscape
		_, n := utf8.DecodeRuneInString(g.s[g.i:])
		b.WriteString(g.s[g.i : g.i+n])
		g.i += n
	}
}

// joined appends the texts that + joins to the one before.
func (g *guesser) joined(s string) string {
	for {
		at := g.i
		g.space()
		if !g.take('+') {
			g.i = at
			return s
		}
		g.faults |= concatenated
		g.space()
		if !g.more() || !IsQuote(g.rune()) {
			return s
		}
		s += g.text()
	}
}
