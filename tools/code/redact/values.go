package redact

import (
	"strings"
)

// longestValue bounds how far a value is looked at.
const longestValue = 512

// naming is a name that says secret, at its place in a text.
type naming struct {
	s      string
	lo, hi int // of the name
	means  meaning
}

// value finds the literal that the name is given.
func (n *naming) value() (stretch, bool) {
	for _, form := range []func() (stretch, bool){n.header, n.assigned, n.element, n.attribute, n.argument, n.flag, n.environment, n.below} {
		if x, ok := form(); ok {
			return x, true
		}
	}
	return stretch{}, false
}

// at is the byte at i, 0 outside of the text.
func (n *naming) at(i int) byte {
	if i < 0 || i >= len(n.s) {
		return 0
	}
	return n.s[i]
}

func (n *naming) blanks(i int) int { return skip(n.s, i, isBlank) }

// quoteAt skips a quote, which may be escaped itself: `\"`.
func (n *naming) quoteAt(i int) (after int, ok bool) {
	i = skip(n.s, i, func(c byte) bool { return c == '\\' })
	if c := n.at(i); isQuote(c) {
		return i + 1, true
	}
	return i, false
}

// afterName is where what follows the name begins, without its closing quote and bracket; whether there was a quote.
func (n *naming) afterName() (i int, quoted bool) {
	i, quoted = n.quoteAt(n.hi)
	if !quoted {
		return n.hi, false
	}
	if c := n.at(i); c == ']' || c == ')' {
		i++
	}
	return i, true
}

// header is Authorization: Bearer x, and the same in quotes.
func (n *naming) header() (stretch, bool) {
	if !n.isHeader() {
		return stretch{}, false
	}
	i, _ := n.afterName()
	i = skip(n.s, i, func(c byte) bool { return isBlank(c) || strings.IndexByte(`:=>,`, c) >= 0 })
	i, _ = n.quoteAt(i)
	lo := i
	scheme := strings.ToLower(n.s[i:skip(n.s, i, isLetter)])
	known := scheme == "bearer" || scheme == "basic" || scheme == "token" || scheme == "apikey"
	if known && isBlank(n.at(i+len(scheme))) {
		lo = n.blanks(i + len(scheme))
	} else {
		known = false
	}
	hi := n.bareEnd(lo, "\"'`,;)")
	x := n.s[lo:hi]
	return stretch{lo, hi}, lo < hi && !reference(x) && (known && (lastIn(n.s, hi, "\"'`\n") || looksMadeUp(x)) || len(x) >= 12 && looksMadeUp(x))
}

// lastIn reports whether the text ends at i, or one of those bytes stands there.
func lastIn(s string, i int, these string) bool {
	return i >= len(s) || strings.IndexByte(these, s[i]) >= 0 || s[i] == '\r' || s[i] == '\\'
}

// assigned is name = x, name: x, name := "x", "name": "x", env["name"] = "x", and with a type between: name string =
// "x".
func (n *naming) assigned() (stretch, bool) {
	after, quoted := n.afterName()
	i := n.blanks(after)
	op := skip(n.s, i, func(c byte) bool { return strings.IndexByte("=:!?>|", c) >= 0 })
	if n.typed(i, op) {
		return n.typedValue(i, op)
	}
	if op == i || op > i+3 || strings.IndexByte("=:", n.s[i]) < 0 && n.s[op-1] != '=' || n.s[i:op] == "::" {
		return stretch{}, false
	}
	value := n.blanks(op)
	if x, ok := n.literal(value); ok {
		return x, true
	}
	if quoted && (n.s[after-1] == ']' || n.s[after-1] == ')') {
		return stretch{}, false
	}
	return n.bare(i, op, value)
}

// typed reports whether a type seems to stand between the name and its value.
func (n *naming) typed(i, op int) bool {
	return op == i && i > n.hi && isLetter(n.at(i)) || op == i+1 && n.s[i] == ':' && isLetter(n.at(n.blanks(op)))
}

func (n *naming) typedValue(i, op int) (stretch, bool) {
	typ := n.blanks(op)
	end := skip(n.s[:min(len(n.s), typ+60)], typ, func(c byte) bool { return isWord(c) || strings.IndexByte(".[]|?&*", c) >= 0 })
	at := n.blanks(end)
	if n.at(at) == '=' && n.at(at+1) != '=' {
		if x, ok := n.literal(n.blanks(at + 1)); ok {
			return x, true
		}
	}
	if op == i {
		return stretch{}, false
	}
	return n.bare(i, op, typ)
}

// literal is a value in quotes without spaces. A letter before the quote is of a kind of texts, as in Python.
func (n *naming) literal(i int) (stretch, bool) {
	if c := n.at(i); (isLetter(c) || c == '@') && isQuote(n.at(i+1)) {
		i++
	}
	lo, ok := n.quoteAt(i)
	if !ok {
		return stretch{}, false
	}
	quote := n.s[lo-1]
	hi := skip(n.s[:min(len(n.s), lo+longestValue)], lo, func(c byte) bool { return c > ' ' && c != quote && c != '\\' })
	end, ok := n.quoteAt(hi)
	if !ok || n.s[end-1] != quote || hi == lo {
		return stretch{}, false
	}
	x := n.s[lo:hi]
	if reference(x) || n.joins(x) || n.itself(x) {
		return stretch{}, false
	}
	return stretch{lo, hi}, n.means == password || n.means == strong && (len(x) >= 8 || looksMadeUp(x) || n.configured()) ||
		len(x) >= 8 && looksMadeUp(x)
}

// configured reports whether the name is one of the environment or of a header: API_KEY, X-Api-Key.
func (n *naming) configured() bool {
	name := n.s[n.lo:n.hi]
	return strings.Contains(name, "-") || strings.ToUpper(name) == name
}

// joins reports whether a text between quotes is code between two texts: "password="+x+"&b".
func (n *naming) joins(x string) bool {
	return strings.IndexByte("+,);&|", x[0]) >= 0 && strings.IndexByte("+,(&|.", x[len(x)-1]) >= 0
}

// itself reports whether a value is the name again, or only says what it is: "password": "password", DB_PASSWORD:
// "DB_PASSWORD".
func (n *naming) itself(x string) bool {
	if len(x) > 80 {
		return false
	}
	plain := func(s string) string { return strings.Join(wordsOf(s), "") }
	name, value := plain(n.s[n.lo:n.hi]), plain(x)
	return strings.HasSuffix(name, value) && value != "" || strings.ToUpper(x) == x && strings.Contains(x, "_") && meaningOf(x) != innocent
}

// bareEnd is where a value without quotes ends: at a space, or one of those bytes.
func (n *naming) bareEnd(i int, ends string) int {
	return skip(n.s[:min(len(n.s), i+longestValue)], i, func(c byte) bool { return c > ' ' && c != '\\' && strings.IndexByte(ends, c) < 0 })
}

// lineStart reports whether only what declares stands before the name on its line: export, set, ENV, a hyphen. It gives
// the indentation too.
func (n *naming) lineStart() (ok bool, indent int) {
	from := n.lo
	for from > 0 && n.s[from-1] != '\n' && n.lo-from < 120 {
		from--
	}
	line := n.s[from:n.lo]
	rest := strings.TrimLeft(line, " \t")
	indent = len(line) - len(rest)
	for _, word := range []string{"- ", "export ", "set ", "env ", "ENV ", "ARG ", "RUN ", "$ ", "> "} {
		rest = strings.TrimPrefix(rest, word)
	}
	rest = strings.TrimLeft(rest, "\"' ")
	return strings.IndexFunc(rest, func(r rune) bool { return r > 0x7f || !isWord(byte(r)) && r != '.' && r != '-' }) < 0, indent
}

// bare is a value without quotes, as in settings, the environment, YAML, the command line, URLs and connection strings.
// Code looks much like it: there, a value is a name, a call or a number.
func (n *naming) bare(op, opEnd, lo int) (stretch, bool) {
	hi := n.bareEnd(lo, "\"'`<>;&,")
	if hi > lo && n.at(hi) == '&' && lo > opEnd { // ini files have no other parameter after it
		hi = n.bareEnd(lo, "\"'`<>;,")
	}
	x := n.s[lo:hi]
	if x == "" || reference(x) || n.itself(x) || strings.ContainsAny(x, "()[]{}") || n.s[op:opEnd] != "=" && n.s[op:opEnd] != ":" {
		return stretch{}, false
	}
	end := n.blanks(hi)
	endsLine := lastIn(n.s, end, "\n\"'`#") && n.at(end) != '#' || n.at(end) == '#' && end > hi
	start, indent := n.lineStart()
	ok := false
	switch tight := lo == opEnd && op == n.hi; {
	case strings.HasPrefix(n.s[n.hi:], "="+x) && n.flagged():
		ok = n.means != weak || looksMadeUp(x)
	case n.s[op] == '=' && tight:
		ok = n.tight(x, hi, start && indent == 0, endsLine)
	case n.s[op] == '=':
		ok = start && endsLine && n.opaqueBare(x)
	case lo > opEnd:
		ok = endsLine && (n.opaqueBare(x) || n.yaml(x, start))
	}
	return stretch{lo, hi}, ok
}

// tight judges name=x.
func (n *naming) tight(x string, hi int, atStart, endsLine bool) bool {
	after := n.at(hi)
	name := n.s[n.lo:n.hi]
	environment := strings.ToUpper(name) == name
	before := n.at(n.lo - 1)
	pair := (before == ';' || before == '&' || before == '?' || before == ' ' && n.pairBefore()) && after != ','
	switch {
	case after == ',' || identifierPath(x) && meaningOf(x) != innocent:
		return environment && looksMadeUp(x)
	case n.means == weak:
		return len(x) >= 6 && looksMadeUp(x)
	case environment || pair || before == '"' || before == '\'':
		return !strings.ContainsAny(x, "+") || !identifierPath(strings.ReplaceAll(x, "+", ""))
	}
	return n.opaqueBare(x) || atStart && endsLine && !strings.Contains(x, ".")
}

// pairBefore reports whether another name=value stands before the name: host=db password=x.
func (n *naming) pairBefore() bool {
	word := n.lo - 1
	for word > 0 && n.lo-word < 100 && n.s[word-1] > ' ' {
		word--
	}
	return strings.IndexByte(n.s[word:n.lo-1], '=') > 0
}

// opaqueBare reports whether a value can be no name of code: it has letters and digits, or signs that names have not.
func (n *naming) opaqueBare(x string) bool {
	if strings.HasSuffix(x, ".") || identifierPath(x) && meaningOf(x) != innocent {
		return false
	}
	if n.means == password && isDigit(x[0]) && strings.Trim(x, "0123456789") == "" {
		return len(x) >= 6
	}
	switch {
	case len(x) < 6:
		return false
	case looksMadeUp(x):
		return !strings.Contains(x, ".") || !identifierPath(x)
	}
	return n.means != weak && strings.ContainsAny(x, "!@#%^&*?~$") && strings.ContainsAny(x, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") && isWord(x[0])
}

// yaml judges name: x at the end of a line, where x has only letters: a type of TypeScript or a word of prose looks
// like it.
func (n *naming) yaml(x string, start bool) bool {
	if strings.Contains(n.s[n.lo:n.hi], "-") && n.means != weak { // a header, or a name that no programming language has
		return true
	}
	return start && n.means == password && len(x) >= 6 && strings.ToLower(x) == x && strings.ToLower(n.s[n.lo:n.hi]) == n.s[n.lo:n.hi] && strings.Trim(x, "abcdefghijklmnopqrstuvwxyz_-") == "" &&
		meaningOf(x) == innocent && !strings.HasSuffix(x, "-")
}

// element is <name>x</name>.
func (n *naming) element() (stretch, bool) {
	open := n.lo - 1
	for open > 0 && n.lo-open < 80 && (isWord(n.s[open]) || n.s[open] == ':' || n.s[open] == '.') {
		open--
	}
	if n.at(open) != '<' || n.at(n.hi) != '>' {
		return stretch{}, false
	}
	lo := n.hi + 1
	hi := skip(n.s[:min(len(n.s), lo+longestValue)], lo, func(c byte) bool { return c != '<' && c != '\n' && c != '{' })
	x := n.s[lo:hi]
	return stretch{lo, hi}, n.at(hi) == '<' && n.at(hi+1) == '/' && strings.TrimSpace(x) != "" && !reference(strings.TrimSpace(x)) &&
		(n.means != weak || looksMadeUp(x))
}

// attribute is key="name" value="x".
func (n *naming) attribute() (stretch, bool) {
	i, quoted := n.afterName()
	if !quoted || !isBlank(n.at(i)) {
		return stretch{}, false
	}
	i = n.blanks(i)
	if !strings.HasPrefix(strings.ToLower(n.s[i:min(len(n.s), i+5)]), "value") {
		return stretch{}, false
	}
	i = n.blanks(i + len("value"))
	if n.at(i) != '=' {
		return stretch{}, false
	}
	return n.anyLiteral(n.blanks(i + 1))
}

// anyLiteral is a value in quotes in a place that holds nothing but values.
func (n *naming) anyLiteral(i int) (stretch, bool) {
	if n.means == strong {
		m := *n
		m.means = password
		return m.literal(i)
	}
	return n.literal(i)
}

// below is the value in the line after "name: DB_PASSWORD", as Kubernetes has it.
func (n *naming) below() (stretch, bool) {
	i, _ := n.quoteAt(n.hi)
	i = n.blanks(i)
	if n.at(i) == '\r' {
		i++
	}
	before := strings.TrimRight(n.s[max(0, n.lo-20):n.lo], "\"' ")
	if n.at(i) != '\n' || !strings.HasSuffix(before, "name:") && !strings.HasSuffix(before, "key:") {
		return stretch{}, false
	}
	i = n.blanks(i + 1)
	if !strings.HasPrefix(n.s[i:], "value:") {
		return stretch{}, false
	}
	i = n.blanks(i + len("value:"))
	if x, ok := n.anyLiteral(i); ok {
		return x, true
	}
	hi := n.bareEnd(i, "\"'`")
	return stretch{i, hi}, hi > i && !reference(n.s[i:hi]) && (n.means != weak || looksMadeUp(n.s[i:hi]))
}
