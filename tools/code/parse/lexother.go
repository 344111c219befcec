package parse

import "strings"

// firsts are the tokens that their lines start with.
func (l *lexical) firsts(yield func(i, end int) bool) {
	for i := 0; i < len(l.toks); {
		end := i + 1
		for end < len(l.toks) && l.lines[end] == l.lines[i] {
			end++
		}
		if !yield(i, end) {
			return
		}
		i = end
	}
}

// rubyBlock is a module, class or method that is open while lines pass by.
type rubyBlock struct {
	indent, symbol, body int
	kind                 SymbolKind
	name                 string // with those of the blocks around it
	private              bool
}

// ruby finds modules, classes and methods: each ends at the end that is as much indented as it.
func (l *lexical) ruby() {
	var open []rubyBlock
	for i, end := range l.firsts {
		indent := l.src.indent(l.lines[i])
		switch w := l.word(i); w {
		case "end":
			for n := len(open) - 1; n >= 0 && open[n].indent >= indent; n-- {
				l.closeRuby(open[n], i)
				open = open[:n]
			}
		case "private", "protected", "public":
			if n := len(open); n > 0 && end == i+1 {
				open[n-1].private = w != "public"
			}
		case "require", "require_relative", "load":
			if p := i + 1; p < end && l.toks[min(l.skipOne(p, '('), end-1)].kind == tokenString {
				path := unquoted(l.word(l.skipOne(p, '(')))
				if w == "require_relative" && !strings.HasPrefix(path, ".") {
					path = "./" + path
				}
				l.addImport(Import{Path: path, Line: l.lines[i]})
			}
		case "class", "module", "def":
			open = l.defineRuby(open, i, end, indent)
		default:
			if l.isWord(i) && l.byteAt(i+1) == '=' && w[0] >= 'A' && w[0] <= 'Z' {
				l.declare(Symbol{Name: w, Container: rubyContainer(open), Kind: Constant, Exported: true}, i, i, i, end, end-1)
			}
		}
	}
	for _, o := range open {
		l.closeRuby(o, len(l.toks)-1)
	}
}

func (l *lexical) skipOne(p int, c byte) int {
	if l.byteAt(p) == c {
		return p + 1
	}
	return p
}

// rubyContainer is the name of the innermost open block, with those around it.
func rubyContainer(open []rubyBlock) string {
	if len(open) == 0 {
		return ""
	}
	return open[len(open)-1].name
}

func (l *lexical) defineRuby(open []rubyBlock, i, end, indent int) []rubyBlock {
	p := i + 1
	for p+2 < end && (l.byteAt(p+1) == '.' || l.word(p+1) == "::") && l.isWord(p+2) {
		p += 2
	}
	if p >= end || !l.isWord(p) {
		return open
	}
	s := Symbol{Name: l.word(p), Container: rubyContainer(open), Kind: Class, Exported: true}
	switch l.word(i) {
	case "module":
		s.Kind = Module
	case "def":
		s.Kind = Function
		if n := len(open); n > 0 {
			s.Kind = Method
			s.Exported = !open[n-1].private
		}
		if c := l.byteAt(p + 1); (c == '?' || c == '!' || c == '=') && l.toks[p+1].start == l.toks[p].end && p+1 < end {
			s.Name += string(c)
		}
	}
	before := len(l.file.Symbols)
	l.declare(s, p, i, i, end, end-1)
	if len(l.file.Symbols) == before || len(open) >= maxScopes || l.word(end-1) == "end" || s.Kind != Class && s.Kind != Module && l.hasEqual(p+1, end) {
		return open
	}
	return append(open, rubyBlock{indent: indent, symbol: before, body: p + 1, kind: s.Kind, name: join(s.Container, s.Name)})
}

// hasEqual says that a method is given in one line: def twice(x) = 2 * x.
func (l *lexical) hasEqual(p, end int) bool {
	p = l.skip(p, end)
	return l.byteAt(p) == '=' && p < end
}

func (l *lexical) closeRuby(o rubyBlock, last int) {
	s := &l.file.Symbols[o.symbol]
	s.End = max(s.Start, l.lastLine(last))
	if o.kind == Method || o.kind == Function {
		s.Metrics = l.measure(s, o.body, last)
		s.Metrics.Params, s.Metrics.Lines = l.params(o.body-1, min(o.body+1, last)), s.End-s.Start+1
	}
}

// shell finds functions, name() {...} and function name {...}, and what is sourced.
func (l *lexical) shell() {
	done := -1
	for i, end := range l.firsts {
		if i <= done {
			continue
		}
		if w := l.word(i); (w == "source" || w == "." && l.byteAt(i) == '.') && i+1 < end {
			path := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(l.src.at(l.lines[i])), w))
			path, _, _ = strings.Cut(path, " ")
			l.addImport(Import{Path: unquoted(path), Line: l.lines[i]})
			continue
		}
		p := i
		if l.word(p) == "function" {
			p++
		}
		name := p
		for p+2 < end && l.toks[p+1].start == l.toks[p].end && l.toks[p+2].start == l.toks[p+1].end && (l.byteAt(p+1) == '-' || l.byteAt(p+1) == ':' || l.byteAt(p+1) == '.') {
			p += 2
		}
		if p >= end || !l.isWord(p) || p == i && !(l.byteAt(p+1) == '(' && l.byteAt(p+2) == ')') {
			continue
		}
		brace := p + 1
		for brace < len(l.toks) && (l.byteAt(brace) == '(' || l.byteAt(brace) == ')') && l.byteAt(brace) != '{' {
			brace++
		}
		if l.byteAt(brace) != '{' {
			continue
		}
		done = min(l.match[brace], len(l.toks)-1)
		s := Symbol{Name: l.src.text[l.toks[name].start:l.toks[p].end], Kind: Function, Exported: true}
		d := l.declare(s, name, i, i, brace, done)
		d.Metrics = l.measure(&s, brace, done)
		d.Metrics.Lines = d.End - d.Start + 1
	}
}

// sqlKinds are what CREATE makes.
var sqlKinds = map[string]SymbolKind{"table": Type, "view": Type, "type": Type, "domain": Type, "function": Function, "procedure": Function, "trigger": Function, "schema": Module}

// sql finds what CREATE statements make.
func (l *lexical) sql() {
	start := 0
	for i := 0; i <= len(l.toks); i++ {
		if i < len(l.toks) && l.byteAt(i) != ';' {
			continue
		}
		if strings.EqualFold(l.word(start), "create") && start < i {
			l.create(start, i)
		}
		start = i + 1
	}
}

func (l *lexical) create(from, to int) {
	for p := from + 1; p < to && p < from+6; p++ {
		kind, ok := sqlKinds[strings.ToLower(l.word(p))]
		if !ok {
			continue
		}
		p++
		for p < to && (strings.EqualFold(l.word(p), "if") || strings.EqualFold(l.word(p), "not") || strings.EqualFold(l.word(p), "exists")) {
			p++
		}
		s := Symbol{Kind: kind, Exported: true}
		for p+2 < to && l.byteAt(p+1) == '.' {
			s.Container = join(s.Container, sqlName(l.word(p)))
			p += 2
		}
		if s.Name = sqlName(l.word(p)); p >= to || s.Name == "" {
			return
		}
		if l.byteAt(p) == '"' && l.isWord(p+1) {
			s.Name = l.word(p + 1)
		}
		head := p + 1
		if kind == Function && l.byteAt(head) == '(' {
			head = l.skip(head, to)
		}
		last := to
		if l.byteAt(to) != ';' {
			last = to - 1
		}
		l.declare(s, p, from, from, head, last)
		return
	}
}

func sqlName(s string) string { return strings.Trim(s, "`\"[]'") }
