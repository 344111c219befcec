package loosejson

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// guesser reads JSON that no single reading cures, by the most likely one: texts without quotes or without an end, values
// left out, a text that was cut off. Its rules are those of jsonrepair (github.com/josdejong/jsonrepair), whose pairs of broken
// and repaired texts it is measured on; they are kept to linear time by a budget.
type guesser struct {
	s      string
	i      int
	depth  int
	max    int
	work   int // characters that may still be looked at
	size   int // see scanner
	faults Faults
	err    error
}

func (g *guesser) fail(format string, args ...any) {
	if g.err == nil {
		g.err = &Problem{Code: Syntax, Why: fmt.Sprintf(format, args...)}
	}
	g.i = len(g.s) // nothing is read any more
}

// guess reads the one value of a text, or several in lines as a list.
func guess(s string, maxDepth int) (any, Faults, error) {
	g := guesser{s: s, max: maxDepth, work: 64*len(s) + 1<<16}
	g.fence("```", "[```", "{```")
	v, ok := g.value()
	if !ok && g.err == nil {
		g.fail("the text holds no JSON")
	}
	g.fence("```", "```]", "```}")
	comma := g.take(',')
	g.space()
	if g.more() && g.startsValue() && (comma || g.afterBreak()) {
		v = g.lines(v)
	} else if comma {
		g.faults |= trailingComma
	}
	for g.at("}]") {
		g.faults |= extraCloser
		g.i++
		g.space()
	}
	if g.more() {
		g.fail("text follows the JSON value")
	}
	return v, g.faults, g.err
}

func (g *guesser) more() bool { return g.i < len(g.s) && g.err == nil }

func (g *guesser) at(chars string) bool { return g.more() && strings.IndexByte(chars, g.s[g.i]) >= 0 }

func (g *guesser) take(c byte) bool {
	if g.more() && g.s[g.i] == c {
		g.i++
		return true
	}
	return false
}

// fence skips the mark of a code fence in one of its forms, and the language after it.
func (g *guesser) fence(marks ...string) {
	g.space()
	for _, m := range marks {
		if rest, ok := strings.CutPrefix(g.s[g.i:], m); ok && g.err == nil {
			g.i += len(m)
			if strings.HasSuffix(m, "`") {
				g.i += len(rest) - len(strings.TrimLeftFunc(rest, unicode.IsLetter))
			}
			g.faults |= around
			g.space()
			return
		}
	}
}

// afterBreak reports whether a line ended before the cursor.
func (g *guesser) afterBreak() bool {
	before := strings.TrimRight(g.s[:g.i], " \t\r")
	return strings.HasSuffix(before, "\n") || strings.HasSuffix(before, "*/")
}

// lines reads on where several values stand one after the other.
func (g *guesser) lines(first any) any {
	list := []any{first}
	for g.more() {
		v, ok := g.value()
		if !ok {
			break
		}
		list = append(list, v)
		g.take(',')
		g.space()
	}
	g.faults |= several
	return list
}

// space skips white space and comments.
func (g *guesser) space() {
	for g.more() {
		from := g.i
		p := scanner{s: g.s, i: g.i, opt: Options{Hash: true}}
		p.space()
		g.i, g.faults = p.i, g.faults|p.faults
		if g.spend(g.i-from+1) && g.i == from {
			return
		}
	}
}

// spend counts work and ends the reading when it is used up.
func (g *guesser) spend(n int) bool {
	if g.work -= n; g.work < 0 {
		g.fail("the text is too tangled to be read as JSON")
		return false
	}
	return true
}

func (g *guesser) startsValue() bool {
	return g.at("{[_-$+.") || g.more() && (IsQuote(g.rune()) || isWord(g.rune()))
}

func (g *guesser) rune() rune {
	r, _ := utf8.DecodeRuneInString(g.s[g.i:])
	return r
}

func isWord(r rune) bool { return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// value reads any value; false when none starts at the cursor.
func (g *guesser) value() (v any, ok bool) {
	g.space()
	defer g.space()
	if g.size++; g.size > maxValues {
		g.fail("the text holds more than %d values", maxValues)
	}
	switch {
	case !g.more():
		return nil, false
	case g.s[g.i] == '{' || g.s[g.i] == '[':
		g.size += 3
		if g.depth++; g.depth > g.max {
			g.err = &Problem{Code: TooDeep, Why: fmt.Sprintf("values are nested deeper than %d", g.max)}
			g.i = len(g.s)
			return nil, false
		}
		defer func() { g.depth-- }()
		if g.s[g.i] == '{' {
			return g.object(), true
		}
		return g.array(), true
	case IsQuote(g.rune()) || g.escapedQuote():
		return g.joined(g.text()), true
	}
	if n, ok := g.number(); ok {
		return n, true
	}
	if g.take('/') {
		return g.regexp(), true
	}
	return g.bare(false)
}

func (g *guesser) object() any {
	g.i++
	m := map[string]any{}
	g.space()
	if g.take(',') {
		g.faults |= trailingComma
		g.space()
	}
	for first := true; g.more() && !g.at("}"); first = false {
		if !first && !g.take(',') {
			g.faults |= missingComma
		}
		g.ellipsis()
		key, ok := g.key()
		if !ok {
			if g.more() && !g.at("}{][") {
				g.fail("a key is missing before %s", Shown(g.s[g.i:min(len(g.s), g.i+8)]))
			}
			g.faults |= trailingComma
			break
		}
		g.member(m, key)
	}
	g.close('}')
	return m
}

func (g *guesser) key() (string, bool) {
	g.space()
	if g.more() && (IsQuote(g.rune()) || g.escapedQuote()) {
		return g.text(), true
	}
	v, ok := g.bare(true)
	key, _ := v.(string)
	if v == nil && ok {
		key = "undefined"
	}
	return key, ok
}

func (g *guesser) member(m map[string]any, key string) {
	g.space()
	colon := g.take(':')
	cut := !g.more()
	if !colon {
		if !cut && !g.startsValue() {
			g.fail("after the key %s a : is missing", Shown(key))
			return
		}
		g.faults |= missingColon
	}
	v, ok := g.value()
	if !ok {
		if !colon && !cut {
			g.fail("after the key %s a value is missing", Shown(key))
			return
		}
		g.faults |= emptyMember
	}
	if _, twice := m[key]; twice {
		g.faults |= keyTwice
	}
	m[key] = v
}

// close takes the closing bracket, or does without.
func (g *guesser) close(c byte) {
	if g.take(c) {
		return
	}
	if g.more() {
		g.faults |= missingCloser
	} else {
		g.faults |= cutOff
	}
}

func (g *guesser) array() any {
	g.i++
	list := []any{}
	g.space()
	if g.take(',') {
		g.faults |= trailingComma
		g.space()
	}
	for first := true; g.more() && !g.at("]"); first = false {
		if !first && !g.take(',') {
			g.faults |= missingComma
		}
		g.ellipsis()
		v, ok := g.value()
		if !ok {
			g.faults |= trailingComma
			break
		}
		list = append(list, v)
	}
	g.close(']')
	return list
}

// ellipsis skips "..." and the comma after it.
func (g *guesser) ellipsis() {
	g.space()
	if g.err == nil && strings.HasPrefix(g.s[g.i:], "...") {
		g.i += 3
		g.faults |= leftOut
		g.space()
		g.take(',')
	}
}
