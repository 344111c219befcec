package parse

import "strings"

// pythonBlock is a class or function that is open while lines pass by.
type pythonBlock struct {
	indent int
	symbol int // in File.Symbols
	name   string
	class  bool
	body   int // first token of its body
	last   int // its last token so far
}

// python finds classes, functions, constants and imports by lines and their indentation.
func (l *lexical) python() {
	var open []pythonBlock
	first := -1 // of the decorators before a declaration
	for i := 0; i < len(l.toks); {
		end := l.logicalLine(i)
		indent := l.src.indent(l.lines[i])
		for n := len(open); n > 0 && open[n-1].indent >= indent; n = len(open) {
			l.closeBlock(open[n-1])
			open = open[:n-1]
		}
		for n := range open {
			open[n].last = end - 1
		}
		switch w := l.word(i); {
		case l.byteAt(i) == '@':
			if first < 0 {
				first = i
			}
			i = end
			continue
		case w == "import" || w == "from":
			l.importPython(i, end)
			for p := i; p < end; p++ {
				l.declared[p] = true
			}
		case w == "class" || w == "def" || w == "async" && l.word(i+1) == "def":
			if first < 0 {
				first = i
			}
			open = l.definePython(open, first, i, end, indent)
		case indent == 0 && l.name(i) && (l.byteAt(i+1) == '=' || l.byteAt(i+1) == ':'):
			l.constantPython(i, end)
		}
		first = -1
		i = end
	}
	for n := len(open) - 1; n >= 0; n-- {
		l.closeBlock(open[n])
	}
}

// logicalLine is the token after the line that starts at token i, brackets and trailing backslashes joining lines.
func (l *lexical) logicalLine(i int) int {
	j := l.skip(i, len(l.toks))
	for j < len(l.toks) && (l.lines[j] == l.src.line(l.toks[j-1].end-1) || l.byteAt(j-1) == '\\') {
		j = l.skip(j, len(l.toks))
	}
	return j
}

func (l *lexical) definePython(open []pythonBlock, first, i, end, indent int) []pythonBlock {
	p := i
	if l.word(p) == "async" {
		p++
	}
	if !l.isWord(p + 1) {
		return open
	}
	s := Symbol{Name: l.word(p + 1), Kind: Function, Exported: l.word(p + 1)[0] != '_' || strings.HasSuffix(l.word(p+1), "__")}
	if n := len(open); n > 0 {
		s.Container = open[n-1].name
	}
	class := l.word(p) == "class"
	switch {
	case class:
		s.Kind = Class
	case len(open) > 0 && open[len(open)-1].class:
		s.Kind = Method
	}
	colon := p
	for colon < end && l.byteAt(colon) != ':' {
		colon = l.skip(colon, end)
	}
	before := len(l.file.Symbols)
	d := l.declare(s, p+1, first, i, min(colon, end), end-1)
	if len(l.file.Symbols) == before || len(open) >= maxScopes {
		return open
	}
	if colon+1 < len(l.toks) && l.toks[colon+1].kind == tokenString && d.Doc == "" {
		d.Doc = docstring(l.word(colon + 1))
	}
	if !class {
		d.Metrics = &Metrics{Params: l.params(p+1, colon)}
	}
	return append(open, pythonBlock{indent, before, join(s.Container, s.Name), class, colon + 1, end - 1})
}

// docstring is the text of a string that documents what it stands in.
func docstring(s string) string {
	s = strings.TrimLeft(s, "rbfuRBFU")
	for _, q := range []string{`"""`, `'''`, `"`, `'`} {
		if strings.HasPrefix(s, q) {
			s = strings.TrimSuffix(s[len(q):], q)
			break
		}
	}
	var b strings.Builder
	for line := range strings.Lines(s) {
		b.WriteString(strings.TrimSpace(line))
		b.WriteByte('\n')
		if b.Len() > docBytes {
			break
		}
	}
	return clip(strings.TrimSpace(b.String()), docBytes)
}

// closeBlock gives a class or function its last line and its measures.
func (l *lexical) closeBlock(o pythonBlock) {
	s := &l.file.Symbols[o.symbol]
	s.End = max(s.Start, l.lastLine(o.last))
	if s.Metrics == nil {
		return
	}
	params := s.Metrics.Params
	s.Metrics = l.measure(s, o.body, o.last)
	s.Metrics.Params, s.Metrics.Lines = params, s.End-s.Start+1
}

func (l *lexical) constantPython(i, end int) {
	for p := i + 1; p < end; p = l.skip(p, end) {
		if l.byteAt(p) != '=' {
			continue
		}
		name := l.word(i)
		kind := Variable
		if strings.ToUpper(name) == name {
			kind = Constant
		}
		first, _, _ := strings.Cut(l.src.text[l.toks[i].start:], "\n")
		l.declare(Symbol{Name: name, Kind: kind, Exported: name[0] != '_', Signature: oneLine(first, signatureBytes)}, i, i, i, p, end-1)
		return
	}
}

// importPython reads import a.b as c, d and from a import (b as c, d).
func (l *lexical) importPython(i, end int) {
	line := l.lines[i]
	if l.word(i) == "import" {
		for p := i + 1; p < end; {
			q := p
			for q < end && l.byteAt(q) != ',' {
				q++
			}
			im := Import{Line: line, Path: l.path(p, q)}
			if q-p > 2 && l.word(q-2) == "as" {
				im.Path, im.Alias = l.path(p, q-2), l.word(q-1)
			}
			if im.Path != "" {
				l.addImport(im)
			}
			p = q + 1
		}
		return
	}
	p := i + 1
	for p < end && l.word(p) != "import" {
		p++
	}
	im := Import{Line: line, Path: l.path(i+1, p)}
	from, to := p+1, end
	if l.byteAt(p+1) == '(' {
		from, to = p+2, min(l.match[p+1], end)
	}
	im.Names = l.listed(from, to)
	if l.byteAt(from) == '*' {
		im.Names = nil
	}
	if to-from == 3 && l.word(from+1) == "as" {
		im.Alias = l.word(from + 2)
	}
	if im.Path != "" && p < end {
		l.addImport(im)
	}
}
