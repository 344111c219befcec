package parse

// controls are the words that steer, in any of the languages.
var controls = set("if for while switch match catch except foreach unless until guard when select loop do rescue repeat with case try")

// measure approximates the complexity of the function of which tokens from to to are the body: cyclomatic complexity by the words
// and operators that decide, cognitive complexity by those that steer and the braces that they open.
func (l *lexical) measure(s *Symbol, from, to int) *Metrics {
	to = min(to, len(l.toks)-1)
	m := &Metrics{Cyclomatic: 1}
	c := cognition{l: l, name: s.Name, m: m}
	l.halstead.start()
	for i := from; i <= to; i++ {
		w := l.word(i)
		if l.syntax.decides(w) && l.toks[i].kind != tokenString && !(w == "?" && l.optional(i)) && !(w == "case" && l.soft(i)) {
			m.Cyclomatic++
		}
		c.token(i, w)
		l.halstead.count(l.syntax, l.toks[i].kind, w)
	}
	m.Halstead = l.halstead.result()
	return m
}

// soft says that a word is a keyword only at the start of a line, and is not there: Python's case. The case that takes all
// other values adds no path.
func (l *lexical) soft(i int) bool {
	return l.syntax.rules == rulesIndent && (i > 0 && l.lines[i-1] == l.lines[i] || l.word(i+1) == "_")
}

// optional says that a question mark belongs to a type or an access: x?: T, T?, x?.y.
func (l *lexical) optional(i int) bool {
	switch l.word(i + 1) {
	case ":", ",", ")", "=", ">", ".", ";", "{", "":
		return l.file.Language != "rust"
	}
	return false
}

// cognition counts cognitive complexity while tokens pass by.
type cognition struct {
	l       *lexical
	name    string
	m       *Metrics
	blocks  []bool // open braces: whether they nest
	nesting int
	pending bool   // a word that steers waits for its brace
	logical string // the last logical operator of this expression
	called  bool
	indents []int // open blocks of Python
}

func (c *cognition) token(i int, w string) {
	l := c.l
	if l.toks[i].kind == tokenString || l.toks[i].kind == tokenNumber {
		return
	}
	first := i > 0 && l.lines[i] > l.lines[i-1]
	if c.indented() && first {
		c.dedent(l.src.indent(l.lines[i]))
	}
	switch w {
	case "{":
		nests := c.pending || l.word(i-1) == "=>"
		c.blocks = append(c.blocks, nests)
		c.enter(nests)
		c.pending, c.logical = false, ""
	case "}":
		if n := len(c.blocks); n > 0 {
			if c.blocks[n-1] {
				c.nesting--
			}
			c.blocks = c.blocks[:n-1]
		}
		c.logical = ""
	case ";", "(", ",", "!", "not":
		c.logical = ""
	case "&&", "||", "and", "or":
		if c.logical != w {
			c.m.Cognitive++
		}
		c.logical = w
	case "else", "elif", "elsif", "elseif":
		c.m.Cognitive++
		c.block(i, first)
	case "?":
		if l.syntax.decisions["?"] && !l.optional(i) {
			c.m.Cognitive += 1 + c.nesting
		}
	case c.name:
		if l.byteAt(i+1) == '(' && !c.called && l.byteAt(i-1) != '.' {
			c.called = true
			c.m.Cognitive++
		}
	default:
		c.control(i, w, first)
	}
}

func (c *cognition) control(i int, w string, first bool) {
	if !controls[w] || !c.l.isWord(i) || !c.l.syntax.keywords[w] {
		return
	}
	switch w {
	case "case", "try", "with", "do":
		if w == "case" && c.l.syntax.rules == rulesIndent && first || w == "do" && c.l.syntax.rules == rulesBraces {
			c.pending = true
		}
		return
	case "while":
		if c.l.byteAt(i-1) == '}' && c.l.byteAt(i+1) == '(' && c.l.byteAt(c.l.skip(i+1, len(c.l.toks))) == ';' {
			c.m.Cognitive += 1 + c.nesting
			return
		}
	case "for":
		if c.l.syntax.rules == rulesIndent && !first {
			return // a comprehension
		}
	}
	if c.l.word(i-1) != "else" || c.l.lines[i-1] != c.l.lines[i] {
		c.m.Cognitive += 1 + c.nesting
	}
	c.block(i, first)
}

// indented says that nesting shows by indentation rather than by braces.
func (c *cognition) indented() bool {
	return c.l.syntax.rules == rulesIndent || c.l.syntax.rules == rulesRuby || c.l.syntax.rules == rulesShell
}

// block notes that a block follows.
func (c *cognition) block(i int, first bool) {
	if !c.indented() {
		c.pending = true
		return
	}
	if first {
		c.indents = append(c.indents, c.l.src.indent(c.l.lines[i]))
		c.enter(true)
	}
}

func (c *cognition) enter(nests bool) {
	if nests {
		c.nesting++
		c.m.Nesting = max(c.m.Nesting, c.nesting)
	}
}

// dedent leaves the blocks that are not around a line of that indentation.
func (c *cognition) dedent(indent int) {
	for n := len(c.indents); n > 0 && c.indents[n-1] >= indent; n-- {
		c.indents = c.indents[:n-1]
		c.nesting--
	}
	c.logical = ""
}
