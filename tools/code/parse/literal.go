package parse

import (
	"strings"
	"unicode/utf8"
)

// comment is a way to write comments. Without close it ends with its line.
type comment struct {
	open, close string
	nest        bool // may hold others of its kind
	first       bool // counts only at the start of a line
	spaced      bool // or, with first, after white space
}

func (c comment) length(text string) int {
	if c.close == "" {
		n := strings.IndexByte(text, '\n')
		if n < 0 {
			return len(text)
		}
		return n
	}
	if !c.nest {
		return len(c.open) + lengthTo(text[len(c.open):], c.close)
	}
	depth := 0
	for i := 0; i < len(text); {
		switch {
		case strings.HasPrefix(text[i:], c.open):
			depth++
			i += len(c.open)
		case strings.HasPrefix(text[i:], c.close):
			depth--
			i += len(c.close)
			if depth == 0 {
				return i
			}
		default:
			i++
		}
	}
	return len(text)
}

// quote is a way to write strings.
type quote struct {
	open, close string
	escape      bool // a backslash takes the next byte's meaning
	double      bool // the closing quote written twice stands for itself
	lines       bool // may go over lines
}

// length is that of the string that text starts with; 0 where it is not closed on its line and must be.
func (q quote) length(text string) int {
	for i := len(q.open); i < len(text); {
		switch c := text[i]; {
		case c == '\\' && q.escape:
			i += 2
		case c == q.close[0] && strings.HasPrefix(text[i:], q.close):
			i += len(q.close)
			if !q.double || !strings.HasPrefix(text[i:], q.close) {
				return i
			}
			i += len(q.close)
		case c == '\n' && !q.lines:
			return 0
		default:
			i++
		}
	}
	if q.lines {
		return len(text)
	}
	return 0
}

// template is the length of a JavaScript template literal, with the expressions and templates in it. What is open at the end of
// the text goes as far.
func template(text string) int {
	var open []byte // ` for a template, { for an expression or a block in one
	for i := 0; i < len(text); i++ {
		inside := len(open) > 0 && open[len(open)-1] == '`'
		switch c := text[i]; {
		case c == '\\':
			i++
		case c == '`' && inside:
			open = open[:len(open)-1]
			if len(open) == 0 {
				return i + 1
			}
		case c == '`':
			open = append(open, '`')
		case inside && c == '$' && i+1 < len(text) && text[i+1] == '{':
			open = append(open, '{')
			i++
		case !inside && c == '{':
			open = append(open, '{')
		case !inside && c == '}':
			open = open[:len(open)-1]
		}
	}
	return len(text)
}

// regexpLength is that of a regular expression literal with its flags; 0 where none ends on this line.
func regexpLength(text string) int {
	class := false
	for i := 1; i < len(text) && text[i] != '\n'; i++ {
		switch text[i] {
		case '\\':
			i++
		case '[':
			class = true
		case ']':
			class = false
		case '/':
			if class {
				continue
			}
			for i++; i < len(text) && 'a' <= text[i] && text[i] <= 'z'; i++ {
			}
			return i
		}
	}
	return 0
}

// runeLength is that of a character literal; 0 for a lifetime or a label, as in 'a.
func runeLength(text string) int {
	if len(text) > 1 && text[1] == '\\' {
		if n := strings.IndexByte(text[min(3, len(text)):], '\''); n >= 0 && n < 12 {
			return min(3, len(text)) + n + 1
		}
		return 0
	}
	if len(text) < 3 {
		return 0
	}
	_, n := utf8.DecodeRuneInString(text[1:])
	if 1+n < len(text) && text[1+n] == '\'' && text[1] != '\n' {
		return n + 2
	}
	return 0
}

// rawRust is the length of what follows the r of r#"..."#; 0 for anything else.
func rawRust(prefix, rest string) int {
	if !strings.HasSuffix(prefix, "r") {
		return 0
	}
	marks := 0
	for marks < len(rest) && rest[marks] == '#' {
		marks++
	}
	if marks >= len(rest) || rest[marks] != '"' {
		return 0
	}
	return marks + 1 + lengthTo(rest[marks+1:], `"`+rest[:marks])
}

// rawCPP is the length of what follows the R of R"x(...)x"; 0 for anything else.
func rawCPP(prefix, rest string) int {
	if !strings.HasSuffix(prefix, "R") || rest[0] != '"' {
		return 0
	}
	n := strings.IndexByte(rest[:min(len(rest), 18)], '(')
	if n < 0 {
		return 0
	}
	return n + 1 + lengthTo(rest[n+1:], ")"+rest[1:n]+`"`)
}
