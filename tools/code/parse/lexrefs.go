package parse

import "strings"

// references notes what looks like a use of a name from elsewhere: what is called, what is taken out of something by a dot or a
// double colon, and names that start with a capital, which are types in most languages. In SQL the names that follow from, join
// and the like count too, in shell scripts the commands.
func (l *lexical) references() {
	for i := range l.toks {
		if !l.name(i) || l.declared[i] || builtins[l.file.Language][l.word(i)] {
			continue
		}
		w := l.word(i)
		r := Ref{Name: w, Line: l.lines[i], Call: l.byteAt(i+1) == '(' || l.byteAt(i+1) == '!' && l.byteAt(i+2) == '(' && l.syntax.lifetimes}
		member := l.member(i)
		if member && (l.name(i-2) || l.word(i-2) == "this" || l.word(i-2) == "self") {
			r.Qualifier = l.word(i - 2)
		}
		switch {
		case member || r.Call:
			l.ref(r)
		case l.syntax.rules == rulesSQL:
			if sqlBefore[strings.ToLower(l.word(i-1))] {
				l.ref(r)
			}
		case l.syntax.rules == rulesShell:
			if i > 0 && l.lines[i-1] == l.lines[i] && l.word(i-1) != "|" && l.word(i-1) != "&&" && l.word(i-1) != "||" || l.byteAt(i+1) == '=' {
				continue
			}
			r.Call = true
			l.ref(r)
		case w[0] >= 'A' && w[0] <= 'Z' && len(w) > 1:
			l.ref(r)
		}
	}
	l.required()
}

var sqlBefore = set("from join into update references table")

// member says that token i is taken out of something.
func (l *lexical) member(i int) bool {
	switch l.word(i - 1) {
	case ".", "::", "?.", "&.":
		return true
	case "->":
		return l.file.Language == "c" || l.file.Language == "cpp" || l.file.Language == "php"
	}
	return false
}

// required notes JavaScript's const x = require("y") and import("y"), wherever they stand.
func (l *lexical) required() {
	if l.file.Language != "javascript" && l.file.Language != "typescript" {
		return
	}
	for i := range l.toks {
		w := l.word(i)
		if w != "require" && w != "import" || l.byteAt(i+1) != '(' || i+3 >= len(l.toks) || l.toks[i+2].kind != tokenString || l.byteAt(i+3) != ')' || l.byteAt(i-1) == '.' {
			continue
		}
		im := Import{Path: unquoted(l.word(i + 2)), Line: l.lines[i]}
		if l.byteAt(i-1) == '=' {
			if l.name(i - 2) {
				im.Alias = l.word(i - 2)
			} else if l.byteAt(i-2) == '}' {
				im.Names = l.listed(l.match[i-2]+1, i-2)
			}
		}
		l.addImport(im)
	}
}
