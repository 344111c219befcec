package parse

import "strings"

// markdown makes a Module of each heading, which goes as far as the next one of its rank, and a Module's container of the headings
// around it. Fenced code has no headings.
func (l *lexical) markdown() {
	type heading struct{ symbol, level int }
	var open []heading
	fence := ""
	for n := 1; n <= l.src.lines(); n++ {
		line := strings.TrimRight(l.src.at(n), " \t")
		if f := fenceOf(line); f != "" && (fence == "" || strings.HasPrefix(f, fence)) {
			if fence == "" {
				fence = f
			} else {
				fence = ""
			}
			continue
		}
		if fence != "" {
			continue
		}
		level, title := l.heading(n, line)
		if title == "" {
			continue
		}
		for len(open) > 0 && open[len(open)-1].level >= level {
			l.file.Symbols[open[len(open)-1].symbol].End = n - 1
			open = open[:len(open)-1]
		}
		s := Symbol{Name: clip(title, signatureBytes), Kind: Module, Signature: clip(line, signatureBytes), Exported: true, Start: n, End: l.src.lines()}
		if len(open) > 0 {
			s.Container = join(l.file.Symbols[open[len(open)-1].symbol].Container, l.file.Symbols[open[len(open)-1].symbol].Name)
		}
		if i := l.symbol(s); i >= 0 {
			open = append(open, heading{i, level})
		}
	}
	for i := range l.file.Symbols {
		s := &l.file.Symbols[i]
		for s.End > s.Start && l.src.blank(s.End) {
			s.End--
		}
	}
}

// fenceOf is the run of marks that starts or ends fenced code.
func fenceOf(line string) string {
	line = strings.TrimLeft(line, " ")
	for _, mark := range []byte{'`', '~'} {
		n := 0
		for n < len(line) && line[n] == mark {
			n++
		}
		if n >= 3 {
			return line[:n]
		}
	}
	return ""
}

// heading is the rank and the title of the heading on line n; no title where there is none.
func (l *lexical) heading(n int, line string) (int, string) {
	level := 0
	for level < len(line) && line[level] == '#' {
		level++
	}
	if level > 0 && level <= 6 && level < len(line) && (line[level] == ' ' || line[level] == '\t') {
		return level, strings.TrimSpace(strings.TrimRight(line[level:], "# \t"))
	}
	if n == l.src.lines() || line == "" || l.src.indent(n) > 3 || strings.ContainsAny(line[:1], ">-*|+#=`") {
		return 0, ""
	}
	switch under := strings.TrimRight(l.src.at(n+1), " \t"); {
	case len(under) > 1 && strings.Trim(under, "=") == "":
		return 1, strings.TrimSpace(line)
	case len(under) > 1 && strings.Trim(under, "-") == "" && (n == 1 || l.src.blank(n-1)):
		return 2, strings.TrimSpace(line)
	}
	return 0, ""
}
