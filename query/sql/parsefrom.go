package sql

// source reads a table or subquery with the joins behind it.
func (p *parser) source() source {
	p.enter()
	defer p.leave()
	left := p.simpleSource()
	for n := 0; ; n++ {
		natural := p.accept("NATURAL")
		kind, is := p.joinKind()
		if !is {
			if natural {
				p.unexpected("JOIN")
			}
			return left
		}
		if n >= maxRelations {
			p.fail(p.peek().at, "Ask for less at once.", "A statement joins at most %d tables.", maxRelations)
		}
		j := &joinNode{at: at(p.peek().at), kind: kind, natural: natural, left: left}
		j.right = p.simpleSource()
		p.joinCondition(j)
		left = j
	}
}

func (p *parser) joinKind() (kind string, is bool) {
	switch {
	case p.accept("JOIN"), p.accept("INNER", "JOIN"):
		return "INNER", true
	case p.accept("CROSS", "JOIN"):
		return "CROSS", true
	case p.is("LEFT"), p.is("RIGHT"), p.is("FULL"):
		kind := p.next().key
		p.accept("OUTER")
		p.expect("JOIN")
		return kind, true
	}
	return "", false
}

func (p *parser) joinCondition(j *joinNode) {
	switch {
	case p.accept("ON"):
		j.on = p.expr(precOr)
	case p.is("USING") && p.peekAt(1).key == "(":
		p.next()
		j.using = p.names()
	default:
		return
	}
	if j.natural || j.kind == "CROSS" {
		p.fail(j.start(), "Write JOIN ... ON.", "NATURAL and CROSS joins have no condition.")
	}
}

func (p *parser) simpleSource() source {
	t := p.peek()
	if t.kind == tokenText {
		p.fail(t.at, "Name a table that is listed.", "%q is no table: files are not read by name.", short(t.text))
	}
	if p.is("LATERAL") {
		p.fail(t.at, "Use a window function, or a subquery in the list.", "LATERAL is not read here.")
	}
	if !p.accept("(") {
		return p.table()
	}
	if p.begins() || p.is("(") && p.queryInside() {
		q := p.query()
		p.expect(")")
		s := &subqueryNode{at: at(t.at), query: q}
		s.alias, s.columns = p.sourceAlias()
		return s
	}
	p.enter()
	defer p.leave()
	inside := p.source()
	for p.accept(",") { // (a, b) is a cross join
		inside = &joinNode{at: at(inside.start()), kind: "CROSS", left: inside, right: p.source()}
	}
	p.expect(")")
	return inside
}

// queryInside tells whether brackets that follow each other open a query.
func (p *parser) queryInside() bool {
	n := 0
	for p.peekAt(n).key == "(" {
		n++
	}
	key := p.peekAt(n).key
	return key == "SELECT" || key == "WITH" || key == "VALUES"
}

func (p *parser) table() source {
	start := p.peek().at
	t := &tableNode{at: at(start), name: p.identifier("a table")}
	for p.accept(".") {
		if t.schema != "" {
			t.schema += "."
		}
		t.schema += t.name
		t.name = p.member().text
	}
	if p.is("(") {
		p.fail(start, "Name a table that is listed.", "%s(...) makes a table or reads a file: it is not read here.",
			short(t.name))
	}
	t.alias, t.columns = p.sourceAlias()
	if p.accept("INDEXED", "BY") {
		p.identifier("an index")
	}
	return t
}

// sourceAlias reads [AS] alias [(columns)].
func (p *parser) sourceAlias() (alias string, columns []string) {
	if p.is("INDEXED", "BY") {
		return "", nil
	}
	alias = p.alias()
	if alias != "" && p.is("(") {
		columns = p.names()
	}
	return alias, columns
}
