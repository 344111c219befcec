package parse

import "strings"

// imports reads a statement that imports, or names the package.
func (l *lexical) imports(st statement, in scope) bool {
	first, line := l.word(st.code), l.lines[st.code]
	switch l.file.Language {
	case "java", "kotlin", "swift", "csharp", "go":
		return l.dotted(st, first, line)
	case "javascript", "typescript":
		return l.importJS(st, first, line)
	case "rust":
		return l.importRust(st)
	case "php":
		return !in.class && l.importPHP(st, first, line)
	}
	return false
}

// unquoted is a string without its quotes and their prefixes.
func unquoted(s string) string {
	s = strings.TrimLeft(s, "rbfuRBFU@$")
	return strings.Trim(s, "\"'`")
}

// path is what tokens from to to say when written without spaces.
func (l *lexical) path(from, to int) string {
	var b strings.Builder
	for ; from < to; from++ {
		b.WriteString(l.word(from))
	}
	return b.String()
}

// dotted reads import a.b.c; package a.b; using a.b;
func (l *lexical) dotted(st statement, first string, line int) bool {
	p := st.code + 1
	switch {
	case first == "package":
		l.file.Package = l.path(p, st.to)
		return true
	case first == "import", first == "using" && l.file.Language == "csharp" && l.byteAt(p) != '(' && !l.isWord(p+1):
	case first == "global" && l.word(p) == "using":
		p++
	default:
		return false
	}
	if l.file.Language == "go" {
		for ; p < st.to || l.byteAt(st.code+1) == '(' && p < l.match[st.code+1]; p++ {
			if p < len(l.toks) && l.toks[p].kind == tokenString {
				l.addImport(Import{Path: unquoted(l.word(p)), Line: l.lines[p]})
			}
		}
		return true
	}
	i := Import{Line: line}
	for l.word(p) == "static" || l.word(p) == "struct" || l.word(p) == "class" || l.word(p) == "func" {
		p++
	}
	to := st.to
	for q := p; q < st.to; q++ {
		switch l.word(q) {
		case "as":
			i.Alias, to = l.word(q+1), q
		case "=":
			i.Alias, p = l.word(q-1), q+1
		}
		if to < st.to {
			break
		}
	}
	i.Path = l.path(p, to)
	if i.Path != "" {
		l.addImport(i)
	}
	return true
}

// importJS reads import ... from "x" and export ... from "x".
func (l *lexical) importJS(st statement, first string, line int) bool {
	if first != "import" && first != "export" || l.byteAt(st.code+1) == '(' || l.byteAt(st.code+1) == '.' {
		return false
	}
	i := Import{Line: line}
	for p := st.code + 1; p < st.to; p++ {
		switch w := l.word(p); {
		case l.toks[p].kind == tokenString:
			if l.word(p-1) == "from" || p == st.code+1 {
				i.Path = unquoted(w)
				l.addImport(i)
				return true
			}
		case w == "{":
			i.Names = l.listed(p+1, min(l.match[p], st.to))
			p = l.match[p]
		case w == "=" || w == "(":
			return false
		case l.name(p) && first == "import" && i.Alias == "" && w != "as" && w != "type":
			i.Alias = w
		}
	}
	return first == "import"
}

// listed are the names of a, b as c, without what they are called here.
func (l *lexical) listed(from, to int) []string {
	var out []string
	for p := from; p < to; p++ {
		if l.isWord(p) && (p == from || l.byteAt(p-1) == ',' || l.word(p-1) == "type") && (l.word(p) != "type" || l.byteAt(p+1) == ',') {
			out = append(out, l.word(p))
		}
	}
	return out
}

// importRust reads use a::{b, c as d}; and mod name; which brings a file in.
func (l *lexical) importRust(st statement) bool {
	p := st.code
	for l.word(p) == "pub" || l.byteAt(p) == '(' {
		p = l.skip(p, st.to)
	}
	switch {
	case l.word(p) == "use":
		l.useTree(p+1, st.to, "", 0)
		return true
	case l.word(p) == "mod" && st.open < 0 && l.isWord(p+1):
		l.addImport(Import{Path: "self::" + l.word(p+1), Line: l.lines[p]})
		return true
	case l.word(p) == "extern" && l.word(p+1) == "crate":
		l.addImport(Import{Path: l.word(p + 2), Line: l.lines[p]})
		return true
	}
	return false
}

// useTree reads what stands between from and to, after prefix.
func (l *lexical) useTree(from, to int, prefix string, depth int) {
	if depth > maxScopes {
		return
	}
	for p := from; p < to; {
		end, brace := p, -1
		for end < to && l.byteAt(end) != ',' {
			if l.byteAt(end) == '{' && brace < 0 {
				brace = end
			}
			end = l.skip(end, to)
		}
		if brace >= 0 {
			l.useTree(brace+1, min(l.match[brace], to), prefix+l.path(p, brace), depth+1)
		} else if p < end {
			i := Import{Line: l.lines[p]}
			last := end
			if end-p > 2 && l.word(end-2) == "as" {
				i.Alias, last = l.word(end-1), end-2
			}
			i.Path = prefix + l.path(p, last)
			l.addImport(i)
		}
		p = end + 1
	}
}

// importPHP reads use A\B as C; and require "x".
func (l *lexical) importPHP(st statement, first string, line int) bool {
	switch first {
	case "namespace":
		if st.open < 0 {
			l.file.Package = l.path(st.code+1, st.to)
			return true
		}
	case "use":
		i := Import{Path: l.path(st.code+1, st.to), Line: line}
		if l.word(st.to-2) == "as" {
			i.Path, i.Alias = l.path(st.code+1, st.to-2), l.word(st.to-1)
		}
		l.addImport(i)
		return true
	case "require", "require_once", "include", "include_once":
		for p := st.code; p < st.to; p++ {
			if l.toks[p].kind == tokenString {
				l.addImport(Import{Path: unquoted(l.word(p)), Line: line})
			}
		}
		return true
	}
	return false
}
