package loosejson

import (
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"
)

// number reads a number; one that is cut off behind its sign, point or e is completed by a zero. What is none is left to bare.
func (g *guesser) number() (any, bool) {
	start := g.i
	text, cut, ok := g.numeral()
	if !ok || !g.ends() {
		g.i = start
		return nil, false
	}
	if cut {
		g.faults |= cutOff
	} else if !json.Valid([]byte(g.s[start:g.i])) {
		g.faults |= oddNumber
	}
	if !json.Valid([]byte(text)) || BadNumber(text) != "" {
		g.faults |= bareText // leading zeros, or too large: the digits as they are
		return g.s[start:g.i], true
	}
	return json.Number(text), true
}

// numeral reads the parts of a number and writes it as JSON does. cut says that a part was completed.
func (g *guesser) numeral() (text string, cut, ok bool) {
	if g.take('-') {
		text = "-"
	}
	whole := g.digits()
	if whole == "" {
		cut, whole = !g.at("."), "0"
	}
	text += whole
	if cut {
		return text, true, text == "-0"
	}
	if g.take('.') {
		part := g.digits()
		if cut = part == ""; cut {
			part = "0"
		}
		text += "." + part
	}
	if !cut && g.at("eE") {
		from := g.i
		g.i++
		if !g.take('-') {
			g.take('+')
		}
		text += g.s[from:g.i]
		part := g.digits()
		if cut = part == ""; cut {
			part = "0"
		}
		text += part
	}
	return text, cut, true
}

func (g *guesser) digits() string {
	from := g.i
	for g.at("0123456789") {
		g.i++
	}
	return g.s[from:g.i]
}

// ends reports whether a number ends here.
func (g *guesser) ends() bool {
	return !g.more() || isDelimiter(g.rune()) || unicode.IsSpace(g.rune())
}

// regexp reads JavaScript's /.../ as a text.
func (g *guesser) regexp() any {
	start := g.i - 1
	for g.more() && (g.s[g.i] != '/' || g.s[g.i-1] == '\\') {
		g.i++
	}
	g.take('/')
	g.faults |= bareText
	return g.s[start:min(g.i, len(g.s))]
}

// bare reads what has no quotes: words of JSON, Python and JavaScript, a call around a value, a text up to the next delimiter.
func (g *guesser) bare(key bool) (any, bool) {
	start := g.i
	for g.more() && isWord(g.rune()) {
		g.i += utf8.RuneLen(g.rune())
	}
	if g.i > start && !key {
		word := g.s[start:g.i]
		if v, ok := g.call(); ok {
			return v, true
		}
		if !g.more() || isDelimiter(g.rune()) || unicode.IsSpace(g.rune()) {
			if v, known := bareWords[word]; known && !g.goesOn() {
				if word[0] < 'a' || word == "undefined" {
					g.faults |= pythonWord
				}
				return v, true
			}
		}
	}
	for g.more() && !isTextEnd(g.rune()) && !IsQuote(g.rune()) && (!key || g.s[g.i] != ':') {
		g.i += len(string(g.rune()))
	}
	g.url(start)
	g.spend(g.i - start)
	text := strings.TrimRightFunc(g.s[start:g.i], unicode.IsSpace)
	if text == "" {
		g.i = start
		return nil, false
	}
	if g.at(`"`) { // the quote before it is missing
		g.i++
	}
	if key {
		g.faults |= bareKey
	} else {
		g.faults |= bareText
	}
	return text, true
}

// Word is what a bare word says as JSON, as Python or as JavaScript: true, False, null, None, undefined. known is false for others.
func Word(word string) (value any, known bool) {
	value, known = bareWords[word]
	return value, known
}

var bareWords = map[string]any{"true": true, "false": false, "null": nil, "True": true, "False": false, "None": nil, "undefined": nil}

// goesOn reports whether more words of an unquoted text follow on the line.
func (g *guesser) goesOn() bool {
	rest := strings.TrimLeft(g.s[g.i:min(len(g.s), g.i+64)], " \t")
	r, _ := utf8.DecodeRuneInString(rest)
	return rest != "" && len(rest) < len(g.s[g.i:]) && g.i < len(g.s) && g.s[g.i] == ' ' && unicode.IsLetter(r)
}

// call reads the value in callback(...), ObjectId(...).
func (g *guesser) call() (any, bool) {
	at := g.i
	for g.at(" \t\r\n") {
		g.i++
	}
	if !g.take('(') {
		g.i = at
		return nil, false
	}
	if g.depth++; g.depth > g.max {
		g.fail("calls are nested deeper than %d", g.max)
		return nil, false
	}
	defer func() { g.depth-- }()
	v, _ := g.value()
	if g.take(')') {
		g.take(';')
	}
	g.faults |= called
	return v, true
}

// url takes an address that started with https: on, whose slashes would be a comment.
func (g *guesser) url(start int) {
	for _, scheme := range []string{"http:", "https:", "ftp:", "mailto:", "file:", "data:", "irc:"} {
		if g.err == nil && strings.HasSuffix(g.s[start:g.i], scheme) && strings.HasPrefix(g.s[g.i:], "//") {
			for g.more() && (isWord(g.rune()) || strings.ContainsRune("-._~:/?#@!&'()*+;=%", g.rune())) {
				g.i += utf8.RuneLen(g.rune())
			}
			return
		}
	}
}

func isDelimiter(r rune) bool { return strings.ContainsRune(",:[]/{}()\n+", r) }

func isTextEnd(r rune) bool { return strings.ContainsRune(",[]/{}\n+", r) }

// IsQuote reports whether a character is a quote, of a keyboard or of a printer.
func IsQuote(r rune) bool { return strings.ContainsRune("\"'`´‘’“”", r) }
