package sql

import "strings"

// expr reads an expression of operators that bind at least as tightly as prec.
func (p *parser) expr(prec int) node {
	p.enter()
	defer p.leave()
	x := p.prefix()
	for chain := 0; ; chain++ {
		op := p.peek()
		in, is := infixes[op.key]
		if !is || in.prec < prec || !p.operates(op.key) {
			return x
		}
		if chain >= maxDepth {
			p.fail(op.at, "Use IN for many values, or WITH for the parts.", "More than %d operators stand in a row.", maxDepth)
		}
		p.next()
		x = in.read(p, x, op, in.prec)
	}
}

// operates tells whether a word is an operator here: NOT and AT need another word behind them.
func (p *parser) operates(key string) bool {
	switch key {
	case "AT":
		return p.peekAt(1).key == "TIME"
	case "NOT":
		return negatable[p.peekAt(1).key]
	}
	return true
}

// negatable are the words that may follow NOT behind an operand.
var negatable = set("IN", "LIKE", "ILIKE", "BETWEEN", "GLOB", "REGEXP", "RLIKE", "SIMILAR", "NULL")

// list reads expressions between commas.
func (p *parser) list() []node {
	list := []node{p.expr(precOr)}
	for p.accept(",") {
		list = append(list, p.expr(precOr))
	}
	return list
}

// prefix reads operators that stand before their operand, and what they stand before.
func (p *parser) prefix() node {
	t := p.peek()
	switch {
	case p.accept("NOT"):
		return unaryNode{at(t.at), "NOT", p.expr(precNot)}
	case p.accept("-"):
		if n := p.peek(); n.kind == tokenNumber && p.peekAt(1).key != "::" {
			p.next()
			return valueNode{at(t.at), p.numberValue(n, "-")}
		}
		return unaryNode{at(t.at), "-", p.expr(precSign)}
	case p.accept("+"):
		return p.expr(precSign)
	case p.accept("~"):
		return unaryNode{at(t.at), "~", p.expr(precSign)}
	}
	return p.primary()
}

// readLogic reads a chain of one of AND and OR as one node.
func (p *parser) readLogic(x node, op token, prec int) node {
	n := logicNode{at: at(x.start()), op: op.key, args: []node{x, p.expr(prec + 1)}}
	for p.accept(op.key) {
		n.args = append(n.args, p.expr(prec+1))
	}
	return n
}

func (p *parser) readBinary(x node, op token, prec int) node {
	return binaryNode{at(op.at), op.key, x, p.expr(prec + 1)}
}

// compares are the algebra's names of comparisons.
var compares = map[string]string{"=": "eq", "==": "eq", "<>": "ne", "!=": "ne", "<": "lt", "<=": "le", ">": "gt",
	">=": "ge"}

func (p *parser) readCompare(x node, op token, prec int) node {
	name := compares[op.key]
	for _, word := range []string{"ANY", "SOME", "ALL"} {
		if !p.is(word, "(") {
			continue
		}
		p.next()
		p.next()
		if !p.begins() && !p.is("(") {
			p.fail(op.at, "Write IN (...), or NOT IN (...).", "%s needs a SELECT here.", word)
		}
		n := anyNode{at(op.at), name, word == "ALL", x, p.query()}
		p.expect(")")
		return n
	}
	return binaryNode{at(op.at), name, x, p.expr(prec + 1)}
}

func (p *parser) readSame(x node, op token, prec int) node {
	return sameNode{at(op.at), x, p.expr(prec + 1), false}
}

// readIs reads IS [NOT] NULL, TRUE, FALSE, UNKNOWN, DISTINCT FROM x, and SQLite's IS x.
func (p *parser) readIs(x node, op token, prec int) node {
	not := p.accept("NOT")
	switch t := p.peek(); {
	case p.accept("NULL"), p.accept("TRUE"), p.accept("FALSE"), p.accept("UNKNOWN"):
		return isNode{at(op.at), x, t.key, not}
	case p.accept("DISTINCT", "FROM"):
		return sameNode{at(op.at), x, p.expr(prec + 1), !not}
	}
	return sameNode{at(op.at), x, p.expr(prec + 1), not}
}

func (p *parser) readIsNull(x node, op token, _ int) node {
	return isNode{at(op.at), x, "NULL", op.key == "NOTNULL"}
}

// readNot reads the operators that NOT may stand before.
func (p *parser) readNot(x node, not token, prec int) node {
	op := p.next()
	switch op.key {
	case "NULL":
		return isNode{at(not.at), x, "NULL", true}
	case "IN":
		n := p.readIn(x, op, prec).(inNode)
		n.not = true
		return n
	case "BETWEEN":
		n := p.readBetween(x, op, prec).(betweenNode)
		n.not = true
		return n
	}
	n := p.readLike(x, op, prec).(likeNode)
	n.not = !n.not
	return n
}

func (p *parser) readIn(x node, op token, _ int) node {
	n := inNode{at: at(op.at), x: x}
	if !p.is("(") {
		p.unexpected("( and a list or a SELECT")
	}
	p.next()
	switch {
	case p.begins() || p.queryInside():
		n.query = p.query()
	case !p.is(")"):
		n.list = p.list()
	}
	p.expect(")")
	return n
}

func (p *parser) readBetween(x node, op token, _ int) node {
	n := betweenNode{at: at(op.at), x: x}
	n.symmetric = p.accept("SYMMETRIC")
	if !n.symmetric {
		p.accept("ASYMMETRIC")
	}
	n.low = p.expr(precBits)
	p.expect("AND")
	n.high = p.expr(precBits)
	return n
}

// likes are signs that say LIKE and its kin.
var likes = map[string]string{"~": "REGEXP", "!~": "REGEXP", "~*": "REGEXP*", "!~*": "REGEXP*", "~~": "LIKE",
	"!~~": "LIKE", "~~*": "ILIKE", "!~~*": "ILIKE", "RLIKE": "REGEXP"}

func (p *parser) readLike(x node, op token, prec int) node {
	n := likeNode{at: at(op.at), op: op.key, x: x, not: strings.HasPrefix(op.key, "!")}
	if name, is := likes[op.key]; is {
		n.op = name
	}
	if op.key == "SIMILAR" {
		p.fail(op.at, "Write LIKE, or ~ with a regular expression.", "SIMILAR TO is not read here.")
	}
	p.postgres = p.postgres || postgres[op.key] || op.kind == tokenSign
	n.y = p.expr(prec + 1)
	if p.accept("ESCAPE") {
		n.esc = p.expr(prec + 1)
	}
	return n
}

func (p *parser) readCollate(x node, op token, _ int) node {
	return collateNode{at(op.at), x, p.identifier("a collation")}
}

func (p *parser) readZone(x node, op token, prec int) node {
	p.expect("TIME")
	p.expect("ZONE")
	return zoneNode{at(op.at), x, p.expr(prec + 1)}
}

func (p *parser) readCast(x node, op token, _ int) node {
	p.postgres = true
	return castNode{at: at(op.at), x: x, typ: p.typeName()}
}

func (p *parser) readIndex(_ node, op token, _ int) node {
	p.fail(op.at, "Use SPLIT_PART or SUBSTR on a text.", "Arrays are not read here.")
	return nil
}
