package parse

import (
	"slices"
	"strings"
)

// keyword reads a declaration whose name follows a word such as class or fn.
func (l *lexical) keyword(st statement, in scope) bool {
	for p := st.code; p < st.to && (st.equal < 0 || p < st.equal); p = l.skip(p, st.to) {
		if l.byteAt(p) == '(' && l.syntax.calls && p > st.code {
			return false
		}
		kind, ok := l.syntax.declares[l.word(p)]
		if !ok || !l.isWord(p) || l.byteAt(p-1) == '.' && p > st.code || p+1 < st.to && l.byteAt(p+1) == ':' {
			continue
		}
		for p+1 < st.to {
			next, again := l.syntax.declares[l.word(p+1)]
			if !again || !l.isWord(p+1) {
				break
			}
			if kind != Enum {
				kind = next
			}
			p++
		}
		return l.named(st, p, kind, in)
	}
	return false
}

// angles is the index after the angle brackets at p.
func (l *lexical) angles(p, to int) int {
	depth := 0
	for ; p < to; p++ {
		switch l.word(p) {
		case "<":
			depth++
		case ">":
			depth--
		case ">>":
			depth -= 2
		}
		if depth <= 0 {
			return p + 1
		}
	}
	return to
}

// named reads the declaration of which token p is the telling word.
func (l *lexical) named(st statement, p int, kind SymbolKind, in scope) bool {
	if kind == "impl" {
		name, trait := l.implemented(p+1, st.to)
		in.name, in.class, in.public = join(in.name, name), true, trait
		if st.open >= 0 {
			l.block(st.open+1, l.match[st.open], in)
		}
		return true
	}
	if in.function && kind != Function && kind != Class {
		return false
	}
	if (l.file.Language == "c" || l.file.Language == "cpp") && kind != Type && kind != Module {
		if l.hasCall(p, st.to) {
			return false // struct line *make_line(void)
		}
		if st.open < 0 {
			return true
		}
	}
	s := Symbol{Kind: kind, Container: in.name}
	at := l.nameAfter(&s, p, st.to)
	if l.word(p) == "init" {
		at, s.Name = p, "init"
	}
	if s.Name == "" && l.defaults(st.code, p) {
		s.Name = "default"
	}
	if s.Name == "" {
		if st.open >= 0 {
			l.block(st.open+1, l.match[st.open], in)
		}
		return true
	}
	if kind == Function && (in.class || s.Container != in.name) {
		s.Kind = Method
	}
	if in.class && (kind == Constant || kind == Variable) {
		return true
	}
	s.Exported = l.exported(st, s.Name, in)
	l.define(s, st, at, in)
	return true
}

// defaults says that tokens from to to are JavaScript's export default.
func (l *lexical) defaults(from, to int) bool {
	return l.word(from) == "export" && from+1 < to && l.word(from+1) == "default"
}

func (l *lexical) hasCall(p, to int) bool {
	for ; p < to; p = l.skip(p, to) {
		if l.byteAt(p) == '(' {
			return true
		}
	}
	return false
}

// nameAfter finds the name that follows token p, and for methods outside of their types its container.
func (l *lexical) nameAfter(s *Symbol, p, to int) int {
	q := p + 1
	if l.file.Language == "go" && l.byteAt(q) == '(' { // the receiver: (e *Engine)
		for r := q + 1; r < l.match[q] && r < to; r++ {
			if l.byteAt(r) == '[' {
				break
			}
			if l.isWord(r) {
				s.Container = l.word(r)
			}
		}
		q = l.skip(q, to)
	}
	for q < to && (l.byteAt(q) == '*' || l.byteAt(q) == '&' || l.byteAt(q) == '!') {
		q++
	}
	if l.word(q) == "<" { // fun <T> name
		q = l.angles(q, to)
	}
	if q < to && s.Kind == Module && l.toks[q].kind == tokenString { // declare module "x"
		s.Name = unquoted(l.word(q))
		return q
	}
	if q >= to || !l.isWord(q) || l.syntax.keywords[l.word(q)] && l.byteAt(q+1) != '(' && s.Kind != Module {
		return p
	}
	s.Name = l.word(q)
	for q+2 < to && l.isWord(q+2) && (l.byteAt(q+1) == '.' || l.word(q+1) == "::" || l.byteAt(q+1) == '\\') {
		if s.Kind == Module {
			s.Name += "." + l.word(q+2)
		} else {
			s.Container, s.Name = join(s.Container, s.Name), l.word(q+2)
		}
		q += 2
	}
	return q
}

// implemented is the name of the type that an impl or an extension is for, and whether it is of a trait.
func (l *lexical) implemented(q, to int) (name string, trait bool) {
	for q < to {
		switch w := l.word(q); {
		case w == "<":
			q = l.angles(q, to)
			continue
		case w == "for":
			trait = true
		case w == "where" || w == ":":
			return name, trait
		case l.isWord(q):
			name = w
		}
		q = l.skip(q, to)
	}
	return name, trait
}

// define adds a symbol and what is declared within it.
func (l *lexical) define(s Symbol, st statement, at int, in scope) {
	if s.Kind == Constant || s.Kind == Variable || s.Kind == Type {
		first, _, _ := strings.Cut(l.src.text[l.toks[st.code].start:], "\n")
		s.Signature = strings.TrimSuffix(oneLine(first, signatureBytes), ";")
	}
	body, head := st.open, st.head()
	if body < 0 && st.equal >= 0 {
		body = st.equal
		if a := l.arrowAt(st.equal+1, st.to); a >= 0 {
			body, head = a+1, a
		}
	}
	d := l.declare(s, at, st.from, st.code, head, l.last(st))
	if (s.Kind == Function || s.Kind == Method) && body >= 0 {
		d.Metrics = l.measure(&s, body, l.last(st))
		d.Metrics.Lines = d.End - d.Start + 1
		d.Metrics.Params = l.params(at, body)
	}
	if st.open < 0 {
		return
	}
	inner := scope{name: join(s.Container, s.Name), depth: in.depth}
	switch s.Kind {
	case Class, Interface, Enum:
		inner.class, inner.public = true, s.Kind == Interface
	case Function, Method:
		inner.function = true
		if l.syntax.calls {
			return
		}
	}
	l.block(st.open+1, l.match[st.open], inner)
}

// params counts those of the first round bracket after a name.
func (l *lexical) params(at, to int) int {
	for at < to && l.byteAt(at) != '(' {
		at++
	}
	if at >= to || l.match[at] <= at+1 {
		return 0
	}
	n, some := 0, false
	angle := 0
	for i := at + 1; i < l.match[at] && i < len(l.toks); i = l.skip(i, l.match[at]) {
		switch w := l.word(i); w {
		case "<":
			angle++
		case ">":
			angle--
		case ">>":
			angle -= 2
		case ",":
			if angle <= 0 && some {
				n++
				some = false
			}
		case "self", "&", "mut", "void", "this", "cls", "*", "/":
		default:
			some = true
		}
	}
	if some {
		n++
	}
	return n
}

// typedef reads typedef struct {...} Name; and typedef int name;
func (l *lexical) typedef(st statement, in scope) bool {
	if l.word(st.code) != "typedef" || !l.syntax.calls {
		return false
	}
	s := Symbol{Kind: Type, Container: in.name, Exported: true}
	at, last := l.pointer(st.code, st.to), st.to
	if st.open >= 0 {
		s.Kind = Class
		at = l.match[st.open] + 1
		last = at + 1
	}
	if !l.name(at) {
		return st.open < 0
	}
	s.Name = l.word(at)
	if st.open >= 0 {
		s.Signature = oneLine(l.src.text[l.toks[st.code].start:l.toks[st.open].start], signatureBytes-nameBytes/2) + " " + clip(s.Name, nameBytes/2-1)
	}
	l.declare(s, at, st.from, st.code, st.to, last)
	return true
}

// pointer is the name that a typedef without a body gives: the last word, or that of a pointer to a function.
func (l *lexical) pointer(from, to int) int {
	for p := from; p+3 < to; p++ {
		if l.byteAt(p) == '(' && l.byteAt(p+1) == '*' && l.byteAt(p+3) == ')' {
			return p + 2
		}
	}
	for to > from+1 && l.byteAt(to-1) == ']' {
		to = l.match[to-1]
	}
	return to - 1
}

// call reads a function as C, Java and the classes of JavaScript have it: a name, a bracket, a body.
func (l *lexical) call(st statement, in scope) bool {
	if in.function || !l.syntax.calls && (!in.class || l.syntax.declares["function"] == "") {
		return false
	}
	for p := st.code; p < st.to && (st.equal < 0 || p < st.equal); p = l.skip(p, st.to) {
		if l.byteAt(p) != '(' || p == st.code {
			continue
		}
		name := p - 1
		if l.word(name) == ">" { // name<T>(
			for name > st.code && l.word(name) != "<" {
				name--
			}
			name--
		}
		s := Symbol{Name: l.word(name), Container: in.name, Kind: Function}
		if l.toks[max(name, 0)].kind == tokenOp || l.word(name-1) == "operator" {
			if l.word(name-1) != "operator" {
				return false
			}
			s.Name = "operator" + s.Name
			name--
		} else if !l.isWord(name) || l.syntax.keywords[s.Name] && !(in.class && l.word(name) != "if" && !l.syntax.calls) {
			return false
		}
		if name == st.code && strings.ToUpper(s.Name) == s.Name && p < st.to-2 && l.isWord(l.skip(p, st.to)) {
			continue // a macro before the declaration
		}
		return l.function(s, st, name, in)
	}
	return false
}

// function adds what call has found, if it has what a function must have.
func (l *lexical) function(s Symbol, st statement, name int, in scope) bool {
	at := name
	var outer []string // what the name is qualified by, innermost first
	for name >= 2 && name > st.code && (l.word(name-1) == "::" || l.byteAt(name-1) == '~') {
		if l.byteAt(name-1) == '~' {
			s.Name = "~" + s.Name
			name--
			continue
		}
		q := l.beforeAngles(name - 2)
		if !l.isWord(q) || q < st.code {
			break
		}
		outer = append(outer, l.word(q))
		name = q
	}
	for _, o := range slices.Backward(outer) {
		s.Container = join(s.Container, o)
	}
	if st.open < 0 && !in.class && name == st.code {
		return false // a call, or a macro
	}
	switch l.word(st.code) {
	case "return", "else", "new", "throw", "delete", "goto", "case", "await", "yield":
		return false
	}
	if in.class || s.Container != in.name {
		s.Kind = Method
	}
	s.Exported = l.exported(st, s.Name, in)
	l.define(s, st, at, in)
	return true
}

// beforeAngles is the token before the angle brackets that end at p; p where none do.
func (l *lexical) beforeAngles(p int) int {
	depth := 0
	for q := p; q > 0 && p-q < 50; q-- {
		switch l.word(q) {
		case ">":
			depth++
		case "<":
			depth--
		}
		if depth == 0 {
			if q < p {
				return q - 1
			}
			return p
		}
	}
	return p
}

// exported says that a declaration is seen from outside, by the words before its name.
func (l *lexical) exported(st statement, name string, in scope) bool {
	has := func(words ...string) bool {
		for p := st.code; p < st.to; p = l.skip(p, st.to) {
			if l.byteAt(p) == '=' || l.word(p) == name {
				break
			}
			for _, w := range words {
				if l.word(p) == w {
					return true
				}
			}
		}
		return false
	}
	switch l.file.Language {
	case "go":
		return name[0] >= 'A' && name[0] <= 'Z'
	case "javascript", "typescript":
		if in.class {
			return !has("private", "protected") && name[0] != '#'
		}
		return has("export")
	case "java", "csharp":
		return has("public", "protected") || in.public && !has("private", "internal") || has("namespace")
	case "rust":
		return has("pub") || in.public
	case "c", "cpp":
		return !has("static")
	}
	return !has("private", "fileprivate", "protected")
}
