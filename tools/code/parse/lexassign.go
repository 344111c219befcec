package parse

// assigned reads JavaScript's and TypeScript's functions and constants that are given to names: const f = () => {}, exports.f =
// function () {}, F.prototype.g = ..., and in classes f = () => {}.
func (l *lexical) assigned(st statement, in scope) bool {
	if l.file.Language != "javascript" && l.file.Language != "typescript" || st.equal < 0 || in.function {
		return false
	}
	at, s := l.assignee(st, in)
	if s.Name == "" {
		return false
	}
	switch {
	case l.arrow(st.equal+1, st.to):
		if s.Kind != Method {
			s.Kind = Function
		}
	case l.word(st.equal+1) == "class":
		s.Kind = Class
	case in.class || s.Kind == Method:
		return false
	}
	l.define(s, st, at, in)
	return true
}

// assignee is what stands before the = of a statement.
func (l *lexical) assignee(st statement, in scope) (int, Symbol) {
	p := st.code
	s := Symbol{Container: in.name}
	if l.word(p) == "export" {
		s.Exported = true
		p++
	}
	switch l.word(p) {
	case "const":
		s.Kind = Constant
	case "let", "var":
		s.Kind = Variable
	}
	if s.Kind != "" {
		p++
		if l.isWord(p) {
			s.Name = l.word(p)
		}
		return p, s
	}
	if in.class {
		for p+1 < st.equal && l.syntax.keywords[l.word(p)] {
			p++
		}
		s.Kind, s.Name, s.Exported = Method, l.word(p), l.word(st.code) != "private"
		return p, s
	}
	// a.b.c = ...
	for ; p < st.equal; p += 2 {
		if !l.isWord(p) || p+1 < st.equal && l.byteAt(p+1) != '.' {
			return p, Symbol{}
		}
		w := l.word(p)
		last := p+1 >= st.equal
		switch {
		case w == "module", w == "exports", w == "window", w == "global", w == "globalThis":
			s.Exported = true
			if last {
				return p, Symbol{}
			}
		case last:
			s.Name, s.Kind = w, Method
			if s.Container == "" {
				s.Kind = Function
				if !s.Exported {
					return p, Symbol{}
				}
			}
			return p, s
		case w != "prototype":
			s.Container, s.Exported = join(s.Container, w), true
		}
	}
	return p, Symbol{}
}

// arrow says that a function's value starts at token p.
func (l *lexical) arrow(p, to int) bool {
	return l.word(p) == "function" || l.word(p) == "async" && l.word(p+1) == "function" || l.arrowAt(p, to) >= 0
}

// arrowAt is the => of the arrow function that starts at token p; -1 where none does.
func (l *lexical) arrowAt(p, to int) int {
	if l.word(p) == "async" {
		p++
	}
	if l.word(p) == "<" {
		p = l.angles(p, to)
	}
	if p >= to || l.byteAt(p) != '(' && !l.isWord(p) {
		return -1
	}
	p = l.skip(p, to)
	if l.byteAt(p) == ':' { // a type, up to the arrow
		for p++; p < to && (l.isWord(p) || l.word(p) == "<" || l.word(p) == ">" || l.byteAt(p) == '[' || l.byteAt(p) == '|' || l.byteAt(p) == '.'); {
			p = l.skip(p, to)
		}
	}
	if l.word(p) == "=>" && p < to {
		return p
	}
	return -1
}
