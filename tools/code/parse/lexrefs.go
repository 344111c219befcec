package parse

// references notes what looks like a use of a name from elsewhere: what is called, what is taken out of something by a dot or a
// double colon, and names that start with a capital, which are types in most languages.
func (l *lexical) references() {
	for i := range l.toks {
		if !l.name(i) || l.declared[i] {
			continue
		}
		w := l.word(i)
		r := Ref{Name: w, Line: l.lines[i], Call: l.byteAt(i+1) == '(' || l.byteAt(i+1) == '!' && l.byteAt(i+2) == '(' && l.syntax.lifetimes}
		member := false
		switch l.word(i - 1) {
		case ".", "::", "->", "?.", "&.":
			member = true
			if l.isWord(i - 2) {
				r.Qualifier = l.word(i - 2)
			}
		}
		if member || r.Call || w[0] >= 'A' && w[0] <= 'Z' {
			l.ref(r)
		}
	}
}
