package redact

import "strings"

// flagged reports whether the name is a flag's: --password, -Dpassword.
func (n *naming) flagged() bool {
	i := n.lo
	for i > 0 && n.lo-i < 80 && (isWord(n.s[i-1]) || n.s[i-1] == '.') {
		i--
	}
	return i > 0 && n.s[i-1] == '-' && (i < 2 || !isWord(n.at(i-2)))
}

// setters are parts of the names of functions that are given a name and a value.
var setters = []string{"set", "put", "env", "header", "prop", "add", "config", "option", "default", "store", "credential"}

// argument is Setenv("name", "x"), and ["--name", "x"].
func (n *naming) argument() (stretch, bool) {
	i, quoted := n.quoteAt(n.hi)
	if i = n.blanks(i); !quoted || n.at(i) != ',' || !isQuote(n.at(n.lo-1)) && n.at(n.lo-1) != '-' {
		return stretch{}, false
	}
	x, ok := n.anyLiteral(n.blanks(i + 1))
	if value := n.s[x.lo:x.hi]; ok && strings.Contains(value, "_") && strings.ToUpper(value) == value { // another name
		return stretch{}, false
	}
	if !ok || n.flagged() || len(n.s[x.lo:x.hi]) >= 8 && looksMadeUp(n.s[x.lo:x.hi]) {
		return x, ok
	}
	call := strings.TrimRight(n.s[max(0, n.lo-60):n.lo], "\\\"'` ")
	if !strings.HasSuffix(call, "(") {
		return stretch{}, false
	}
	call = strings.ToLower(call[:len(call)-1])
	call = call[strings.LastIndexFunc(call, func(r rune) bool { return r > 0x7f || !isWord(byte(r)) })+1:]
	for _, word := range setters {
		if strings.Contains(call, word) {
			return x, true
		}
	}
	return stretch{}, false
}

// flag is --password x, in a command.
func (n *naming) flag() (stretch, bool) {
	lo := n.blanks(n.hi)
	if !n.flagged() || lo == n.hi || n.means == innocent {
		return stretch{}, false
	}
	lo, _ = n.quoteAt(lo)
	hi := n.bareEnd(lo, "\"'`;,)")
	x := n.s[lo:hi]
	if x == "" || x[0] == '-' || x[0] == '|' || x[0] == '>' || x[0] == '\\' || reference(x) || n.itself(x) || proseWords[strings.ToLower(strings.Trim(x, ".:"))] {
		return stretch{}, false
	}
	return stretch{lo, hi}, n.means != weak || looksMadeUp(x)
}

// environment is ENV name x, as Dockerfiles have it.
func (n *naming) environment() (stretch, bool) {
	lo := n.blanks(n.hi)
	from := max(strings.LastIndexByte(n.s[max(0, n.lo-20):n.lo], '\n')+1+max(0, n.lo-20), 0)
	if word := strings.TrimSpace(n.s[from:n.lo]); lo == n.hi || !strings.EqualFold(word, "env") && !strings.EqualFold(word, "setenv") {
		return stretch{}, false
	}
	if x, ok := n.anyLiteral(lo); ok {
		return x, true
	}
	hi := n.bareEnd(lo, "\"'`")
	return stretch{lo, hi}, hi > lo && n.s[lo] != '=' && !reference(n.s[lo:hi])
}
