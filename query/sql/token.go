package sql

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// What a statement may have, so that reading one is bounded.
const (
	maxText   = 64 << 10
	maxTokens = 16 << 10
)

type tokenKind uint8

const (
	tokenEnd    tokenKind = iota
	tokenWord             // a name or keyword
	tokenQuoted           // a quoted name
	tokenText             // '...'
	tokenNumber
	tokenSign // an operator or a bracket
)

// token is one piece of the text. A word's key is the word in upper case, a sign's the sign; others have none, so
// that a quoted
// name is never taken for a keyword.
type token struct {
	kind  tokenKind
	quote byte   // of tokenQuoted: " ` or [
	at    int    // its first byte
	end   int    // the byte after its last
	text  string // without quotes
	key   string
}

// signs are the operators of more than one character, the longest first.
var signs = []string{
	"!~~*", "!~*", "!~~", "~~*", "->>", "#>>", "<=>", "||", "::", "<=", ">=", "<>", "!=", "==", "->", "#>", "@>", "<@",
	"!~", "~~", "~*", "<<", ">>", ":=", "=>",
}

type lexer struct {
	text   string
	at     int
	tokens []token
}

// scan cuts a text into tokens; the last one is tokenEnd.
func scan(text string) ([]token, *Error) {
	if len(text) > maxText {
		return nil, newError(text, 0, "Write a shorter one.", "A statement has at most %d bytes; this one has %d.",
			maxText, len(text))
	}
	if !utf8.ValidString(text) {
		return nil, newError(text, 0, "", "The text is not UTF-8.")
	}
	l := lexer{text: text}
	for {
		if err := l.skipBlank(); err != nil {
			return nil, err
		}
		if l.at == len(text) {
			break
		}
		if len(l.tokens) >= maxTokens {
			return nil, newError(text, l.at, "Write a shorter one.", "A statement has at most %d words and signs.", maxTokens)
		}
		if err := l.next(); err != nil {
			return nil, err
		}
	}
	return append(l.tokens, token{at: l.at, end: l.at}), nil
}

// skipBlank passes white space and comments.
func (l *lexer) skipBlank() *Error {
	for l.at < len(l.text) {
		rest := l.text[l.at:]
		r, size := utf8.DecodeRuneInString(rest)
		switch {
		case unicode.IsSpace(r) || r == '\ufeff':
			l.at += size
		case strings.HasPrefix(rest, "--"):
			if end := strings.IndexByte(rest, '\n'); end >= 0 {
				l.at += end + 1
			} else {
				l.at = len(l.text)
			}
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest[2:], "*/")
			if end < 0 {
				return newError(l.text, l.at, "Write */ at its end.", "A comment does not end.")
			}
			l.at += end + 4
		default:
			return nil
		}
	}
	return nil
}

func (l *lexer) next() *Error {
	rest := l.text[l.at:]
	c := rest[0]
	pointed := c == '.' && len(rest) > 1 && isDigit(rest[1])
	switch {
	case c == '\'':
		return l.quoted(tokenText, '\'', 1)
	case strings.IndexByte("\"`", c) >= 0:
		return l.quoted(tokenQuoted, c, 1)
	case c == '[' && l.opensName():
		return l.quoted(tokenQuoted, ']', 1)
	case isDigit(c), pointed:
		return l.number()
	case strings.HasPrefix(rest[1:], "'"):
		if prefixed, err := l.prefixed(c); prefixed {
			return err
		}
	}
	if size := wordSize(rest); size > 0 {
		word := rest[:size]
		l.add(token{kind: tokenWord, at: l.at, end: l.at + size, text: word, key: strings.ToUpper(word)})
		return nil
	}
	return l.sign(rest)
}

// prefixed reads a text with a letter before it: E'...' of PostgreSQL, and nothing else that has one.
func (l *lexer) prefixed(letter byte) (is bool, err *Error) {
	switch {
	case strings.IndexByte("Ee", letter) >= 0:
		return true, l.escaped()
	case strings.IndexByte("XxBbUuNn", letter) >= 0:
		return true, newError(l.text, l.at, "Write a plain text: '...'.", "Bytes and bits (%c'...') cannot be read here.",
			letter)
	}
	return false, nil
}

// opensName tells [a name] from the index of an array, which stands behind a name or bracket without a space.
func (l *lexer) opensName() bool {
	if len(l.tokens) == 0 {
		return true
	}
	last := l.tokens[len(l.tokens)-1]
	if last.key == "ARRAY" {
		return false
	}
	if last.end < l.at {
		return true
	}
	return last.kind == tokenSign && last.key != ")" && last.key != "]"
}

func (l *lexer) sign(rest string) *Error {
	for _, s := range signs {
		if strings.HasPrefix(rest, s) {
			l.add(token{kind: tokenSign, at: l.at, end: l.at + len(s), text: s, key: s})
			return nil
		}
	}
	c := rest[:1]
	switch {
	case strings.Contains("()+-*/%,.;<>=~&|^[]", c):
		l.add(token{kind: tokenSign, at: l.at, end: l.at + 1, text: c, key: c})
		return nil
	case strings.Contains("?:@$", c):
		return newError(l.text, l.at, "Write the value itself.", "A parameter (%s) has no value here.", c)
	}
	r, _ := utf8.DecodeRuneInString(rest)
	return newError(l.text, l.at, "", "The character %q means nothing here.", r)
}

// quoted reads up to the closing quote; two of them stand for one.
func (l *lexer) quoted(kind tokenKind, quote byte, open int) *Error {
	var b strings.Builder
	for i := l.at + open; i < len(l.text); i++ {
		if l.text[i] != quote {
			b.WriteByte(l.text[i])
			continue
		}
		if i+1 < len(l.text) && l.text[i+1] == quote {
			b.WriteByte(quote)
			i++
			continue
		}
		l.add(token{kind: kind, quote: l.text[l.at], at: l.at, end: i + 1, text: b.String()})
		return nil
	}
	what := "A quoted name"
	if kind == tokenText {
		what = "A text"
	}
	return newError(l.text, l.at, "Write "+string(quote)+" at its end; inside it, write it twice.", "%s does not end.",
		what)
}

var escapes = map[byte]byte{'n': '\n', 't': '\t', 'r': '\r', '\\': '\\', '\'': '\''}

// escaped reads PostgreSQL's E'...'.
func (l *lexer) escaped() *Error {
	var b strings.Builder
	for i := l.at + 2; i < len(l.text); i++ {
		c := l.text[i]
		switch {
		case c == '\'' && strings.HasPrefix(l.text[i+1:], "'"):
			b.WriteByte(c)
			i++
		case c == '\'':
			l.add(token{kind: tokenText, at: l.at, end: i + 1, text: b.String()})
			return nil
		case c == '\\' && i+1 < len(l.text):
			i++
			plain, known := escapes[l.text[i]]
			if !known {
				return newError(l.text, i, `Write \n, \t, \r, \\ or \'.`, "The escape is not known.")
			}
			b.WriteByte(plain)
		default:
			b.WriteByte(c)
		}
	}
	return newError(l.text, l.at, "Write ' at its end.", "A text does not end.")
}

// number reads digits with a point and an exponent.
func (l *lexer) number() *Error {
	start, i := l.at, l.at
	digits := func() {
		for i < len(l.text) && strings.IndexByte("0123456789_", l.text[i]) >= 0 {
			i++
		}
	}
	digits()
	if i < len(l.text) && l.text[i] == '.' {
		i++
		digits()
	}
	if i < len(l.text) && (l.text[i] == 'e' || l.text[i] == 'E') {
		exponent := i + 1
		if exponent < len(l.text) && strings.IndexByte("+-", l.text[exponent]) >= 0 {
			exponent++
		}
		if exponent < len(l.text) && isDigit(l.text[exponent]) {
			i = exponent
			digits()
		}
	}
	if wordSize(l.text[i:]) > 0 {
		return newError(l.text, start, "Quote names that begin with a digit: \"2nd\".", "A number runs into a word.")
	}
	l.add(token{kind: tokenNumber, at: start, end: i, text: strings.ReplaceAll(l.text[start:i], "_", "")})
	return nil
}

func (l *lexer) add(t token) {
	l.tokens = append(l.tokens, t)
	l.at = t.end
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// wordSize is how many bytes of a word the text begins with.
func wordSize(s string) int {
	for i, r := range s {
		begins := r == '_' || unicode.IsLetter(r)
		goesOn := r == '$' || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r)
		if !begins && (i == 0 || !goesOn) {
			return i
		}
	}
	return len(s)
}
