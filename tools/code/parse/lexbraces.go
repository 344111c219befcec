package parse

import "strings"

// scope is where declarations are found.
type scope struct {
	name     string // of the container, with those around it
	class    bool   // members are methods
	public   bool   // members are visible unless they say otherwise
	function bool   // only named functions and classes are declarations
	depth    int
}

// maxScopes bounds how deep blocks are looked into.
const maxScopes = 100

// block reads the statements of tokens from to to.
func (l *lexical) block(from, to int, in scope) {
	if in.depth > maxScopes {
		return
	}
	in.depth++
	to = min(to, len(l.toks))
	for i := from; i < to && l.ctx.Err() == nil; {
		i = l.statement(i, to, in)
	}
}

// statement is one statement or declaration while it is read.
type statement struct {
	from  int // first token
	code  int // first token after annotations
	to    int // first token beyond
	open  int // its body's opening brace; -1 for none
	equal int // the first = that is in no bracket; -1 for none
	value bool
}

// statement reads one from token i on and says where the next one starts.
func (l *lexical) statement(i, to int, in scope) int {
	if next := l.directive(i, to); next > i {
		return next
	}
	st := statement{from: i, code: l.annotations(i, to), open: -1, equal: -1}
	declares := false
	for j := st.code; j < to; {
		if j > st.code && l.syntax.lines && l.breaks(j) {
			return l.end(st, j, j, in)
		}
		switch w := l.byteAt(j); {
		case w == ';':
			return l.end(st, j, j+1, in)
		case w == '}':
			return l.end(st, j, j+1, in)
		case w == '(' || w == '[':
			l.inner(j, in)
			j = l.skip(j, to)
			continue
		case w == '{':
			if l.valueBrace(st, j, declares) {
				l.inner(j, in)
				j = l.skip(j, to)
				continue
			}
			st.open = j
			return l.end(st, j, min(l.match[j]+1, to), in)
		case w == '=' && st.equal < 0 && l.word(j-1) != "operator":
			st.equal = j
			st.value = !declares || l.file.Language == "kotlin"
		case w == ':' && j == st.code+1 && accessWord(l.word(st.code)):
			return j + 1
		case l.isWord(j) && st.equal < 0:
			kind, ok := l.syntax.declares[l.word(j)]
			declares = declares || ok && kind != Constant && kind != Variable && kind != Type
		}
		j++
	}
	return l.end(st, to, to, in)
}

// valueBrace says that a brace opens a value or a list rather than a body.
func (l *lexical) valueBrace(st statement, j int, declares bool) bool {
	if st.value || st.equal >= 0 && !declares {
		return true
	}
	switch l.word(j - 1) {
	case ":", "::", "=", ",", "=>", "import", "default", "return", "&":
		return j > st.code && !(l.word(j-1) == "=>" && declares)
	case "export", "type":
		return j > st.code
	}
	first := l.word(st.code)
	return first == "import" || first == "use" && l.file.Language != "swift"
}

// inner looks for named functions in a bracket, in the languages where they are found there.
func (l *lexical) inner(open int, in scope) {
	if l.file.Language == "javascript" || l.file.Language == "typescript" {
		in.function, in.class = true, false
		l.block(open+1, l.match[open], in)
	}
}

func accessWord(w string) bool {
	return w == "public" || w == "private" || w == "protected" || w == "signals" || w == "slots"
}

// breaks says that the line's end before token j ends a statement.
func (l *lexical) breaks(j int) bool {
	if l.lines[j] == l.lines[j-1] || l.src.line(l.toks[j-1].end-1) == l.lines[j] {
		return false
	}
	if l.toks[j-1].kind == tokenOp {
		switch l.word(j - 1) {
		case ")", "]", "}", "++", "--", ">", "?", "!", "*", ">>":
		default:
			return false
		}
	}
	switch w := l.word(j); {
	case l.toks[j].kind == tokenOp:
		return w == "@" || w == "(" || w == "[" || w == "++" || w == "--" || w == "}" || w == "*" || w == "!" || w == "<-" || w == "&"
	case w == "extends", w == "implements", w == "where", w == "throws", w == "with" && l.file.Language != "kotlin", w == "instanceof", w == "as":
		return false
	}
	return true
}

// annotations is the index of the first token after @Name(...), [Name] and #[name].
func (l *lexical) annotations(i, to int) int {
	for i < to {
		switch {
		case l.byteAt(i) == '@' && l.isWord(i+1) && l.word(i+1) != "interface":
			i += 2
			for i+1 < to && l.byteAt(i) == '.' && l.isWord(i+1) {
				i += 2
			}
			if l.byteAt(i) == '(' {
				i = l.skip(i, to)
			}
		case l.byteAt(i) == '#' && l.byteAt(i+1) == '[':
			i = l.skip(i+1, to)
		case l.byteAt(i) == '#' && l.byteAt(i+1) == '!' && l.byteAt(i+2) == '[':
			i = l.skip(i+2, to)
		case l.word(i) == "template" && l.word(i+1) == "<":
			i = l.angles(i+1, to)
		case l.byteAt(i) == '<' && l.byteAt(i+1) == '?' && l.file.Language == "php":
			i += 3
		case l.byteAt(i) == '[' && l.file.Language == "csharp":
			i = l.skip(i, to)
		default:
			return i
		}
	}
	return to
}

// directive reads a line of the preprocessor and says where the next one starts.
func (l *lexical) directive(i, to int) int {
	if l.byteAt(i) != '#' || !l.syntax.calls || l.file.Language == "java" {
		return i
	}
	line, next := l.lines[i], i+1
	for next < to && l.lines[next] == line {
		if l.byteAt(next) == '\\' && (next+1 >= to || l.lines[next+1] > line) {
			line++
		}
		next++
	}
	switch l.word(i + 1) {
	case "include", "import":
		text := strings.TrimSpace(l.src.at(l.lines[i]))
		if a := strings.IndexAny(text, `"<`); a >= 0 {
			stop := `"`
			if text[a] == '<' {
				stop = ">"
			}
			if z := strings.Index(text[a+1:], stop); z > 0 {
				l.addImport(Import{Path: strings.Trim(text[a:a+z+2], `"`), Line: l.lines[i]})
			}
		}
	case "define":
		if l.name(i + 2) {
			kind := Constant
			if l.byteAt(i+3) == '(' && l.toks[i+3].start == l.toks[i+2].end {
				kind = Function
			}
			l.declare(Symbol{Name: l.word(i + 2), Kind: kind, Exported: true, Signature: oneLine(l.src.at(l.lines[i]), signatureBytes)}, i+2, i, i, next, next-1)
		}
	}
	return next
}

// end takes a finished statement apart: it ends before token to; the next one starts at next.
func (l *lexical) end(st statement, to, next int, in scope) int {
	st.to = to
	next = max(next, st.from+1)
	if st.code >= to {
		if st.open >= 0 {
			l.block(st.open+1, l.match[st.open], in)
		}
		return next
	}
	if l.imports(st, in) {
		for p := st.code; p < to; p++ {
			l.declared[p] = true
		}
		return next
	}
	if l.typedef(st, in) || l.keyword(st, in) || l.call(st, in) || l.assigned(st, in) {
		return next
	}
	if st.open >= 0 && (in.function || l.word(st.code) == "extern" || l.word(st.code) == "namespace" || !l.syntax.calls && !in.class) {
		l.block(st.open+1, l.match[st.open], in)
	}
	return next
}

// last is the last token of a statement with its body.
func (l *lexical) last(st statement) int {
	if st.open >= 0 {
		return l.match[st.open]
	}
	if l.byteAt(st.to) == ';' {
		return st.to
	}
	return st.to - 1
}

// head is the token that ends a statement's signature.
func (st statement) head() int {
	if st.equal >= 0 && st.value {
		return st.equal
	}
	return st.to
}
