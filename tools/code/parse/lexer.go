package parse

import "strings"

type tokenKind uint8

const (
	tokenEnd tokenKind = iota
	tokenWord
	tokenNumber
	tokenString
	tokenComment
	tokenOp
)

// lexeme is a piece of a text, by byte offsets.
type lexeme struct {
	kind       tokenKind
	start, end int
}

// lexer cuts a text into tokens by the words of a syntax. It never fails: an open comment ends with the text, a quote that is not
// closed where it must be is an operator of one byte. It reads each byte a bounded number of times.
type lexer struct {
	syntax *syntax
	text   string
	pos    int
	last   lexeme // the one before, comments not counting
}

func (l *lexer) next() lexeme {
	t := l.scan()
	if t.kind != tokenComment {
		l.last = t
	}
	l.pos = t.end
	return t
}

func (l *lexer) scan() lexeme {
	text, i := l.text, l.pos
	for i < len(text) && (text[i] == ' ' || text[i] == '\n' || text[i] == '\t' || text[i] == '\f' || text[i] == '\v') {
		i++
	}
	if i >= len(text) {
		return lexeme{tokenEnd, len(text), len(text)}
	}
	c := text[i]
	if l.syntax.special[c] {
		if t, ok := l.special(i); ok {
			return t
		}
	}
	switch {
	case wordByte(c) && !digit(c), l.privateName(i):
		return l.word(i)
	case digit(c):
		return lexeme{tokenNumber, i, i + number(text[i:])}
	}
	return lexeme{tokenOp, i, i + operator(text[i:])}
}

// privateName reports whether a private name of a JavaScript class begins at i: #count.
func (l *lexer) privateName(i int) bool {
	return l.syntax.templates && l.text[i] == '#' && i+1 < len(l.text) && wordByte(l.text[i+1])
}

// special reads what starts with a byte that may start a comment or a string.
func (l *lexer) special(i int) (lexeme, bool) {
	rest := l.text[i:]
	for _, c := range l.syntax.comments {
		if strings.HasPrefix(rest, c.open) && (!c.first || i == 0 || l.text[i-1] == '\n' || c.spaced && blankByte(l.text[i-1])) {
			return lexeme{tokenComment, i, i + c.length(rest)}, true
		}
	}
	if rest[0] == '\'' && l.syntax.templates && i > 0 && i == l.last.end && l.last.kind == tokenWord && !l.syntax.keywords[l.text[l.last.start:i]] {
		return lexeme{}, false // the text of an element: <p>Don't</p>
	}
	for _, q := range l.syntax.quotes {
		if strings.HasPrefix(rest, q.open) {
			if n := q.length(rest); n > 0 {
				return lexeme{tokenString, i, i + n}, true
			}
			return lexeme{}, false
		}
	}
	switch {
	case rest[0] == '`' && l.syntax.templates:
		return lexeme{tokenString, i, i + template(rest)}, true
	case rest[0] == '/' && l.syntax.regexps && l.before():
		if n := regexpLength(rest); n > 0 {
			return lexeme{tokenString, i, i + n}, true
		}
	case rest[0] == '\'' && l.syntax.lifetimes:
		if n := runeLength(rest); n > 0 {
			return lexeme{tokenString, i, i + n}, true
		}
	}
	return lexeme{}, false
}

// before says that an operand may come next, so that a slash starts a regular expression.
func (l *lexer) before() bool {
	switch l.last.kind {
	case tokenEnd, tokenComment:
		return true
	case tokenNumber, tokenString:
		return false
	case tokenWord:
		return l.syntax.keywords[l.text[l.last.start:l.last.end]] && l.text[l.last.start:l.last.end] != "this"
	}
	c := l.text[l.last.end-1]
	return c != ')' && c != ']' && c != '}'
}

// word reads an identifier, and a string where the word is its prefix: r"..." in Python, r#"..."# in Rust, R"x(...)x" in C++.
func (l *lexer) word(i int) lexeme {
	end := i + 1
	for end < len(l.text) && wordByte(l.text[end]) {
		end++
	}
	if end-i > 2 || end == len(l.text) || l.syntax.prefixes == "" || strings.Trim(l.text[i:end], l.syntax.prefixes) != "" {
		return lexeme{tokenWord, i, end}
	}
	rest := l.text[end:]
	if l.syntax.raw != nil {
		if n := l.syntax.raw(l.text[i:end], rest); n > 0 {
			return lexeme{tokenString, i, end + n}
		}
	}
	if rest[0] == '"' || rest[0] == '\'' && !l.syntax.lifetimes {
		for _, q := range l.syntax.quotes {
			if strings.HasPrefix(rest, q.open) {
				if n := q.length(rest); n > 0 {
					return lexeme{tokenString, i, end + n}
				}
				break
			}
		}
	}
	return lexeme{tokenWord, i, end}
}

func digit(c byte) bool     { return '0' <= c && c <= '9' }
func blankByte(c byte) bool { return c == ' ' || c == '\t' || c == ';' }

func wordByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c == '$' || digit(c) || c >= 0x80
}

// number is the length of the number that text starts with. A dot belongs to it only before a digit: 1..2 is a range.
func number(text string) int {
	i := 1
	for i < len(text) {
		c := text[i]
		switch {
		case wordByte(c):
		case c == '.' && i+1 < len(text) && digit(text[i+1]):
		case (c == '+' || c == '-') && (text[i-1] == 'e' || text[i-1] == 'E') && !strings.HasPrefix(text, "0x") && i+1 < len(text) && digit(text[i+1]):
		default:
			return i
		}
		i++
	}
	return i
}

// operators of several bytes, longest first.
var operators = [][]string{
	{">>>="},
	{"<<=", ">>=", "...", "===", "!==", "**=", "??=", "&&=", "||=", "&^=", "<=>", "..=", ">>>", "//="},
	{"&&", "||", "==", "!=", "<=", ">=", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<", ">>", "->", "=>", "::", ":=",
		"<-", "&^", "??", "?.", "..", "**", "//"},
}

// operator is the length of the operator that text starts with.
func operator(text string) int {
	if len(text) < 2 || !operatorByte(text[1]) || !operatorByte(text[0]) {
		return 1
	}
	for i, list := range operators {
		n := 4 - i
		if len(text) < n {
			continue
		}
		for _, op := range list {
			if text[:n] == op {
				return n
			}
		}
	}
	return 1
}

func operatorByte(c byte) bool {
	switch c {
	case '<', '>', '=', '!', '.', '*', '?', '&', '|', '^', '+', '-', '/', '%', ':':
		return true
	}
	return false
}
