package parse

// readLexical finds declarations by rules over tokens, lines and brackets, comments and strings set aside. It is right for
// source that is written as usual, and never lost for long in any other.
func (b *builder) readLexical() {
	l := &lexical{builder: b, syntax: syntaxOf(b.file.Language)}
	if l.syntax.rules == rulesNone {
		return
	}
	if l.syntax.rules == rulesMarkdown {
		l.markdown()
		return
	}
	l.lex()
	l.pair()
	switch l.syntax.rules {
	case rulesBraces:
		l.block(0, len(l.toks), scope{})
	case rulesIndent:
		l.python()
	case rulesRuby:
		l.ruby()
	case rulesShell:
		l.shell()
	case rulesSQL:
		l.sql()
	}
	l.references()
}

// lexical reads one file.
type lexical struct {
	*builder
	syntax   *syntax
	toks     []lexeme // without comments
	lines    []int    // of each of toks
	match    []int    // of each bracket in toks, the index of its partner; of an open one len(toks)
	remarks  remarks
	declared []bool // of each of toks: it is the name of a declaration, or belongs to an import
	halstead halstead
}

// checkEvery is after how many tokens, or statements, it is looked whether somebody still waits.
const checkEvery = 1 << 12

// lex cuts the text into tokens and comments.
func (l *lexical) lex() {
	lx := lexer{syntax: l.syntax, text: l.src.text}
	likely := min(len(l.src.text)/5, MaxTokens)
	l.toks, l.lines = make([]lexeme, 0, likely), make([]int, 0, likely)
	for t := lx.next(); t.kind != tokenEnd; t = lx.next() {
		if len(l.toks) >= MaxTokens || len(l.toks)%checkEvery == 0 && l.ctx.Err() != nil {
			l.file.Truncated = true
			break
		}
		if t.kind == tokenComment {
			l.remarks.add(l.src, t.start, t.end)
			continue
		}
		l.toks, l.lines = append(l.toks, t), append(l.lines, l.src.line(t.start))
	}
	l.declared = make([]bool, len(l.toks))
}

// pair finds the partner of each bracket. A brace closes everything within it; a stray closing bracket is left alone.
func (l *lexical) pair() {
	l.match = make([]int, len(l.toks))
	var open []int
	braces := 0
	for i := range l.toks {
		l.match[i] = i
		switch w := l.byteAt(i); w {
		case '(', '[', '{':
			l.match[i] = len(l.toks)
			open = append(open, i)
			if w == '{' {
				braces++
			}
		case ')', ']':
			want := byte('(')
			if w == ']' {
				want = '['
			}
			n := len(open)
			for n > 0 && l.byteAt(open[n-1]) != want && l.byteAt(open[n-1]) != '{' && len(open)-n < 4 {
				n--
			}
			if n > 0 && l.byteAt(open[n-1]) == want {
				open = l.closeAll(open, n-1, i)
			}
		case '}':
			if braces > 0 {
				n := len(open)
				for l.byteAt(open[n-1]) != '{' {
					n--
				}
				open = l.closeAll(open, n-1, i)
				braces--
			}
		}
	}
	l.file.Broken = len(open) > 0 && l.syntax.rules == rulesBraces && l.file.Language != "c" && l.file.Language != "cpp"
}

// closeAll gives the brackets from n on the partner at i.
func (l *lexical) closeAll(open []int, n, i int) []int {
	for _, o := range open[n:] {
		l.match[o] = i
	}
	l.match[i] = open[n]
	return open[:n]
}

// word is the text of token i; "" beyond the last.
func (l *lexical) word(i int) string {
	if i < 0 || i >= len(l.toks) {
		return ""
	}
	return l.src.text[l.toks[i].start:l.toks[i].end]
}

// byteAt is the operator at token i, where that is of one byte; else 0.
func (l *lexical) byteAt(i int) byte {
	if i < 0 || i >= len(l.toks) || l.toks[i].kind != tokenOp || l.toks[i].end-l.toks[i].start != 1 {
		return 0
	}
	return l.src.text[l.toks[i].start]
}

func (l *lexical) isWord(i int) bool { return i >= 0 && i < len(l.toks) && l.toks[i].kind == tokenWord }

// name says that token i may be a declared name.
func (l *lexical) name(i int) bool { return l.isWord(i) && !l.syntax.keyword(l.word(i)) }

// skip is the index after the bracket at i and what is in it; after i for any other token. At most to.
func (l *lexical) skip(i, to int) int {
	switch l.byteAt(i) {
	case '(', '[', '{':
		return min(l.match[i]+1, to)
	}
	return i + 1
}

// lastLine is the line that token i ends on; that of the last token beyond it.
func (l *lexical) lastLine(i int) int {
	i = min(i, len(l.toks)-1)
	return l.src.line(l.toks[i].end - 1)
}

// declare adds a symbol whose tokens are from to to, to included; its head ends before token head. It tells the symbol's index.
func (l *lexical) declare(s Symbol, name, from, code, head, to int) *Symbol {
	l.declared[name] = true
	to = min(to, len(l.toks)-1)
	s.Start, s.End = l.lines[from], l.lastLine(to)
	if s.Signature == "" {
		end := l.toks[max(min(head, len(l.toks))-1, code)].end
		s.Signature = oneLine(l.src.text[l.toks[code].start:end], signatureBytes)
	}
	l.remarks.document(l.src, &s)
	n := l.symbol(s)
	if n < 0 {
		return &Symbol{}
	}
	return &l.file.Symbols[n]
}

// join puts a name into a container. A container that would be very long stays as it is.
func join(container, name string) string {
	if len(container)+len(name) > nameBytes {
		return container
	}
	if container == "" || name == "" {
		return container + name
	}
	return container + "." + name
}
