package load

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
)

// pythonWords are the words of Python's literals as JSON writes them.
var pythonWords = map[string]string{"True": "true", "False": "false", "None": "null", "nan": "null"}

// pythonCall is a value as Python's repr calls it, up to its closing bracket: Decimal('1.5'), datetime.date(2025, 1,
// 2), UUID('...').
var pythonCall = regexp.MustCompile(`^(?:[A-Za-z_]\w*\.)*([A-Za-z_]\w*)\(([^()]*)\)`)

// pythonNumber is a number of Python that JSON has too.
var pythonNumber = regexp.MustCompile(`^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?`)

// pythonJSON writes a literal of Python as JSON: other quotes, True, False, None, tuples, and the values that have a
// repr of their own. False where the text is none. Nothing is evaluated.
func pythonJSON(s string) (string, bool) {
	p := pythonLiteral{s: s}
	p.b.Grow(len(s))
	for p.i < len(s) {
		if !p.token() {
			return "", false
		}
	}
	out := p.b.String()
	return out, len(p.open) == 0 && json.Valid([]byte(out))
}

type pythonLiteral struct {
	s    string
	i    int
	open []byte // the brackets that are open
	b    strings.Builder
}

func (p *pythonLiteral) token() bool {
	switch c := p.s[p.i]; c {
	case ' ', '\t', '\r', '\n', ':':
		p.b.WriteByte(c)
		p.i++
	case ',':
		rest := strings.TrimLeft(p.s[p.i+1:], " \t\r\n")
		if rest == "" || strings.IndexByte(")]}", rest[0]) < 0 { // a comma may end a list
			p.b.WriteByte(c)
		}
		p.i++
	case '[', '{', '(':
		p.open = append(p.open, c)
		p.b.WriteString(map[byte]string{'[': "[", '{': "{", '(': "["}[c])
		p.i++
	case ']', '}', ')':
		n := len(p.open) - 1
		if n < 0 || p.open[n] != map[byte]byte{']': '[', '}': '{', ')': '('}[c] {
			return false
		}
		p.open = p.open[:n]
		p.b.WriteString(map[byte]string{']': "]", '}': "}", ')': "]"}[c])
		p.i++
	case '\'', '"':
		return p.text(c)
	default:
		return p.word()
	}
	return true
}

// text reads a text in quotes.
func (p *pythonLiteral) text(quote byte) bool {
	p.i++
	var b strings.Builder
	for p.i < len(p.s) {
		switch c := p.s[p.i]; c {
		case quote:
			p.i++
			p.b.Write(textJSON(b.String()))
			return true
		case '\n':
			return false
		case '\\':
			r, _, tail, err := strconv.UnquoteChar(p.s[p.i:], quote)
			if err != nil && p.i+1 < len(p.s) && strings.IndexByte(`'"`, p.s[p.i+1]) >= 0 {
				r, tail, err = rune(p.s[p.i+1]), p.s[p.i+2:], nil
			}
			if err != nil {
				return false
			}
			b.WriteRune(r)
			p.i = len(p.s) - len(tail)
		default:
			b.WriteByte(c)
			p.i++
		}
	}
	return false
}

// Word reads a number, a word of Python, or a value with a repr of its own.
func (p *pythonLiteral) word() bool {
	rest := p.s[p.i:]
	if n := pythonNumber.FindString(rest); n != "" {
		p.b.WriteString(n)
		p.i += len(n)
		return true
	}
	if m := pythonCall.FindStringSubmatch(rest[:min(len(rest), 1024)]); m != nil {
		v, ok := pythonValue(m[1], m[2])
		p.b.WriteString(v)
		p.i += len(m[0])
		return ok
	}
	end := 0
	for end < len(rest) && rest[end]|' ' >= 'a' && rest[end]|' ' <= 'z' {
		end++
	}
	w, ok := pythonWords[rest[:end]]
	p.b.WriteString(w)
	p.i += end
	return ok
}

// pythonValue writes a value that Python's repr calls by the name of its type.
func pythonValue(name, args string) (string, bool) {
	parts := strings.Split(args, ",")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	text := strings.Trim(args, `'"`)
	switch name {
	case "Decimal":
		return text, plainJSONNumber.MatchString(text)
	case "UUID", "PosixPath", "WindowsPath", "Path":
		return string(textJSON(text)), true
	case "date", "datetime":
		return pythonTime(name, parts)
	}
	return "", false
}

// pythonTime writes datetime.date(2025, 1, 2) and datetime.datetime(2025, 1, 2, 3, 4, 5) as ISO 8601.
func pythonTime(name string, parts []string) (string, bool) {
	var n [7]int
	for i, p := range parts {
		v, err := strconv.Atoi(p)
		if err != nil || i >= len(n) || v < 0 {
			return "", false
		}
		n[i] = v
	}
	pad := func(v, width int) string {
		s := strconv.Itoa(v)
		return strings.Repeat("0", max(0, width-len(s))) + s
	}
	out := pad(n[0], 4) + "-" + pad(n[1], 2) + "-" + pad(n[2], 2)
	if name == "datetime" {
		out += "T" + pad(n[3], 2) + ":" + pad(n[4], 2) + ":" + pad(n[5], 2)
		if n[6] > 0 {
			out += "." + pad(n[6], 6)
		}
	}
	return string(textJSON(out)), len(parts) >= 3
}
