package loosejson

import (
	"strings"
	"unicode/utf8"
)

func (p *scanner) abbreviated() {
	p.add(Truncated, "... stands for what was left out; write the whole plan")
}

// ellipsis skips "..." where a member should be.
func (p *scanner) ellipsis() bool {
	if p.i < len(p.s) && p.s[p.i] != '.' && p.s[p.i] < utf8.RuneSelf {
		return false
	}
	for _, dots := range []string{"...", "…"} {
		if strings.HasPrefix(p.s[p.i:], dots) {
			p.i += len(dots)
			p.abbreviated()
			return true
		}
	}
	return false
}

// commas skips those that nothing stands between.
func (p *scanner) commas() {
	p.space()
	for p.take(',') {
		p.faults |= extraComma
		p.space()
	}
}

// doubled takes a second opening brace: templates double them, and no key starts with one.
func (p *scanner) doubled() bool {
	if !p.take('{') {
		return false
	}
	p.faults |= doubleBrace
	return true
}

// colon takes what stands between a key and its value.
func (p *scanner) colon(key string) {
	if p.stop != nil {
		return
	}
	p.space()
	switch {
	case p.take(':'):
	case p.i >= len(p.s):
		p.fail(Truncated, "the text ends after a key; write the whole plan")
	case p.quote() != "" || strings.IndexByte("{[=", p.s[p.i]) >= 0:
		p.faults |= missingColon
		if p.take('=') {
			p.take('>')
		}
	default:
		p.fail(Syntax, "after the key %s a : must follow", Shown(key))
	}
}

// due is the closing bracket of the innermost open one.
func (p *scanner) due() byte { return p.open[len(p.open)-1] }

// outer is the closing bracket of the one around it, 0 when there is none.
func (p *scanner) outer() byte {
	if n := len(p.open); n > 1 {
		return p.open[n-2]
	}
	return 0
}

// ended takes the closing bracket. After a comma it is a fault; at the end of the text it is Truncated.
func (p *scanner) ended(afterComma bool) bool {
	if p.stop != nil {
		return true
	}
	if p.i >= len(p.s) {
		p.fail(Truncated, "the text ends before %q; write the whole plan", p.due())
		return true
	}
	if p.take(p.due()) {
		if afterComma {
			p.faults |= trailingComma
		}
		return true
	}
	return false
}

// comma takes what follows a member and reports whether another may come.
func (p *scanner) comma() bool {
	for {
		p.space()
		switch {
		case p.i >= len(p.s):
			p.faults |= unclosed // candidates decides whether nothing but closers is missing
			p.fail(Truncated, "the text ends before %q; write the whole plan", p.due())
			return false
		case p.s[p.i] == ',':
			if p.endedBefore() {
				p.faults |= missingCloser
				return false
			}
			p.i++
			return true
		case p.s[p.i] == p.due() && len(p.open) == 1 && p.due() == '}' && p.extra():
			p.faults |= extraCloser // the plan goes on behind its end
			p.i++
		case p.take(p.due()):
			return false
		case strings.IndexByte("}])", p.s[p.i]) >= 0:
			if p.outer() == p.s[p.i] && !p.extra() {
				p.faults |= missingCloser
				return false
			}
			if !p.extra() {
				p.unexpected()
				return false
			}
			p.faults |= extraCloser
			p.i++
		case p.nextMember():
			p.faults |= missingComma
			return true
		default:
			p.unexpected()
			return false
		}
	}
}

func (p *scanner) unexpected() {
	p.fail(Syntax, "unexpected %s; a comma or %q must follow", Shown(p.s[p.i:min(len(p.s), p.i+8)]), p.due())
}

// nextMember reports whether the next member starts here without a comma: a key, or in a list a value that is no text in
// Python's quotes, where two texts side by side are one.
func (p *scanner) nextMember() bool {
	c := p.s[p.i]
	switch {
	case p.due() == '}':
		return p.quote() != ""
	case c == '{' || c == '[':
		return true
	}
	return p.due() == ']' && (c == '"' || c >= '0' && c <= '9') && p.faults&(otherQuotes|pythonWord) == 0 && strings.IndexByte(" \t\r\n", p.s[p.i-1]) >= 0
}

// endedBefore reports whether a container was closed in mind before the comma at the cursor: an object of a list before the
// next object, a list before the next key of the object around it.
func (p *scanner) endedBefore() bool {
	if p.outer() == p.due() || p.outer() == 0 {
		return false
	}
	q := scanner{s: p.s, i: p.i + 1}
	q.space()
	if q.i >= len(q.s) {
		return false
	}
	switch {
	case p.due() == '}' && p.outer() == ']':
		return q.s[q.i] == '{'
	case p.due() == ']' && p.outer() == '}':
		return q.keyHere()
	}
	return false
}

// extra reports whether the closing bracket at the cursor, which closes nothing that is open here, is one too many: what
// follows goes on with the innermost open one.
func (p *scanner) extra() bool {
	q := scanner{s: p.s, i: p.i + 1}
	q.space()
	if q.i >= len(q.s) {
		return false
	}
	if q.s[q.i] == p.due() {
		return true
	}
	if !q.take(',') {
		return false
	}
	q.space()
	return q.i < len(q.s) && q.keyHere() == (p.due() == '}')
}

// keyHere reports whether a key in quotes and its colon stand at the cursor. The cursor moves.
func (p *scanner) keyHere() bool {
	end := p.quote()
	if end == "" {
		return false
	}
	const most = 200 // no key is longer
	text := p.s[p.i+1 : min(len(p.s), p.i+most)]
	k := strings.Index(text, end)
	if k < 0 {
		return false
	}
	p.i += 1 + k + len(end)
	p.space()
	return p.i < len(p.s) && p.s[p.i] == ':'
}
