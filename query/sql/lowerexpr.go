package sql

import (
	"strings"

	"catena/query"
	"catena/table"
)

// expr lowers an expression of the text in a scope.
func (l *lowerer) expr(n node, s *scope) query.Expr {
	l.nodes++
	if l.tooMany(l.nodes, maxNodes, n.start(), "parts in the statement, names that stand for others counted") {
		return query.Literal{}
	}
	l.operands(n, s)
	switch x := n.(type) {
	case nameNode:
		return l.name(x, s)
	case valueNode:
		return query.Lit(x.value)
	case *callNode:
		return l.call(x, s)
	case binaryNode:
		return l.binary(x, s)
	case logicNode:
		args := make([]query.Expr, len(x.args))
		for i, a := range x.args {
			args[i] = l.condition(a, s)
		}
		return query.Do(strings.ToLower(x.op), args...)
	case unaryNode:
		return l.unary(x, s)
	case caseNode:
		return l.caseOf(x, s)
	case castNode:
		return l.cast(x, s)
	}
	return l.predicate(n, s)
}

// predicate lowers what compares, and what is left.
func (l *lowerer) predicate(n node, s *scope) query.Expr {
	switch x := n.(type) {
	case isNode:
		return l.is(x, s)
	case sameNode:
		return negated(l.compareNodes("same", x.x, x.y, s, x.start()), x.not)
	case likeNode:
		return l.like(x, s)
	case betweenNode:
		return l.between(x, s)
	case inNode:
		return l.in(x, s)
	case anyNode:
		return l.any(x, s)
	case existsNode:
		q, _ := l.subquery(x.query, s)
		return query.Exists{Query: q}
	case scalarNode:
		return l.scalar(x, s)
	case collateNode:
		return l.collated(x, l.expr(x.x, s), s)
	}
	return l.rest(n, s)
}

func (l *lowerer) rest(n node, s *scope) query.Expr {
	switch x := n.(type) {
	case intervalNode:
		return l.length(x)
	case zoneNode:
		if v, is := x.zone.(valueNode); is && utc[strings.ToLower(v.value.Text())] {
			return l.moment(l.expr(x.x, s), x.start(), s)
		}
		return l.refuse(x.start(), "leave the zone out: times are as the table has them",
			"AT TIME ZONE is read for UTC alone")
	case rowNode:
		return l.refuse(x.start(), "compare the columns one by one, with AND", "rows of values are not read here")
	case starNode:
		return l.refuse(x.start(), "name the columns", "* is no value")
	}
	return query.Literal{}
}

var utc = set("utc", "z", "gmt", "etc/utc", "+00", "+00:00")

// subquery lowers a query that is a value: it sees the names around it.
func (l *lowerer) subquery(q *queryNode, s *scope) (query.Query, query.Schema) {
	l.another(q.start())
	if l.relations > maxRelations {
		return query.Query{}, nil
	}
	return l.query(q, surroundings{outer: s, level: s.level + 1, views: s.views})
}

func (l *lowerer) scalar(x scalarNode, s *scope) query.Expr {
	q, schema := l.subquery(x.query, s)
	if len(schema) > 1 {
		l.find(query.Shape, x.start(), "list one column", "a subquery that is a value has one column, and this has %d",
			len(schema))
	}
	return query.Scalar{Query: q}
}

func (l *lowerer) unary(x unaryNode, s *scope) query.Expr {
	switch x.op {
	case "NOT":
		return negated(l.condition(x.x, s), true)
	case "~":
		return l.refuse(x.start(), "", "operations on bits are not read here")
	}
	if parts, is := l.interval(x.x, s); is {
		return l.lengthOf(parts, -1, x.start())
	}
	return query.Do("neg", l.number(l.expr(x.x, s), s))
}

// negated is the opposite of a condition.
func negated(e query.Expr, not bool) query.Expr {
	if !not {
		return e
	}
	if c, is := e.(query.Call); is && c.Func == "not" {
		return c.Args[0]
	}
	return query.Do("not", e)
}

// operators of two numbers, by the sign.
var operators = map[string]string{"+": "add", "-": "sub", "*": "mul", "/": "div", "%": "mod", "^": "power"}

func (l *lowerer) binary(x binaryNode, s *scope) query.Expr {
	if _, is := comparisons[x.op]; is {
		return l.compareNodes(x.op, x.x, x.y, s, x.start())
	}
	if x.op == "||" {
		return query.Do("join_text", append(joined(l.expr(x.x, s)), l.expr(x.y, s))...)
	}
	do, is := operators[x.op]
	if !is {
		return l.refuse(x.start(), "", "the operator %s is not read here", x.op)
	}
	if e, is := l.shifted(x, s); is {
		return e
	}
	a, b := l.number(l.expr(x.x, s), s), l.number(l.expr(x.y, s), s)
	if do == "div" && l.typ(a, s) == table.Int && l.typ(b, s) == table.Int {
		do = "idiv"
	}
	return l.arithmetic(do, a, b, s)
}

// arithmetic is an operation of two operands; a text beside a time is a time.
func (l *lowerer) arithmetic(do string, a, b query.Expr, s *scope) query.Expr {
	if do == "add" || do == "sub" {
		ta, tb := l.typ(a, s), l.typ(b, s)
		switch {
		case ta.Temporal() && isText(b):
			b = l.literalAs(b, ta, 0)
		case tb.Temporal() && isText(a):
			a = l.literalAs(a, tb, 0)
		}
	}
	return query.Do(do, a, b)
}

// joined are the texts that a || b || c joins, so that a chain is one call.
func joined(e query.Expr) []query.Expr {
	if c, is := e.(query.Call); is && c.Func == "join_text" {
		return c.Args[:len(c.Args):len(c.Args)]
	}
	return []query.Expr{e}
}

func (l *lowerer) caseOf(x caseNode, s *scope) query.Expr {
	var out query.Case
	for _, b := range x.branches {
		var when query.Expr
		if x.operand != nil {
			when = l.compareNodes("eq", x.operand, b.when, s, b.when.start())
		} else {
			when = l.condition(b.when, s)
		}
		out.Branches = append(out.Branches, query.Branch{When: when, Then: l.expr(b.then, s)})
	}
	if x.other != nil {
		out.Else = l.expr(x.other, s)
	}
	return l.unifiedCase(out, s)
}

func (l *lowerer) is(x isNode, s *scope) query.Expr {
	if x.what == "NULL" || x.what == "UNKNOWN" {
		return negated(query.Do("is_null", l.expr(x.x, s)), x.not)
	}
	e := query.Do("coalesce", l.condition(x.x, s), query.Lit(table.BoolValue(x.what != "TRUE")))
	return negated(e, x.not == (x.what == "TRUE"))
}

func (l *lowerer) between(x betweenNode, s *scope) query.Expr {
	e, low, high := l.expr(x.x, s), l.expr(x.low, s), l.expr(x.high, s)
	l.inOrder(e, low, s, x.low.start())
	l.inOrder(e, high, s, x.high.start())
	e, low = l.alike(e, low, s, x.low.start())
	e, high = l.alike(e, high, s, x.high.start())
	out := query.Do("between", e, low, high)
	if x.symmetric {
		out = query.Do("or", out, query.Do("between", e, high, low))
	}
	return negated(out, x.not)
}

func (l *lowerer) in(x inNode, s *scope) query.Expr {
	if row, is := x.x.(rowNode); is {
		return l.rowIn(row, x, s)
	}
	e := l.expr(x.x, s)
	if x.query != nil {
		q, schema := l.subquery(x.query, s)
		if len(schema) > 1 {
			l.find(query.Shape, x.start(), "list one column", "the SELECT of IN has one column, and this has %d", len(schema))
		}
		e, q = l.alikeColumn(e, q, schema, s, x.start())
		return negated(query.In{Expr: e, Query: q}, x.not)
	}
	if len(x.list) == 0 {
		return query.Lit(table.BoolValue(x.not))
	}
	args := []query.Expr{e}
	t := l.typ(e, s)
	for i, item := range x.list {
		a, b := l.alikeAs(args[0], t, l.expr(item, s), s, item.start())
		args = append(args, b)
		if args[0] = a; i == 0 {
			t = l.typ(a, s) // the first value may have made it another type
		}
	}
	return negated(query.Do("in", args...), x.not)
}

// alikeColumn makes a value and the one column of a query comparable.
func (l *lowerer) alikeColumn(e query.Expr, q query.Query, schema query.Schema, s *scope, at int) (query.Expr,
	query.Query) {
	if len(schema) != 1 {
		return e, q
	}
	inner := &scope{outer: s, level: s.level + 1, schema: schema}
	column := query.Col(schema[0].Name)
	a, b := l.alike(raised(e), column, inner, at)
	if b != column {
		q = q.With(query.Project{Columns: []query.Named{{As: schema[0].Name, Expr: b}}})
	}
	return replace(a, func(e query.Expr, depth int) (query.Expr, bool) {
		c, is := e.(query.Column)
		if is && c.Out > depth {
			c.Out--
		}
		return c, is
	}), q
}

// rowIn lowers (a, b) IN (SELECT x, y ...): there is a row that equals both.
func (l *lowerer) rowIn(row rowNode, x inNode, s *scope) query.Expr {
	if x.query == nil || x.not {
		return l.refuse(x.start(), "write NOT EXISTS, or compare the columns one by one",
			"rows of values are not read here")
	}
	q, schema := l.subquery(x.query, s)
	if len(schema) != len(row.items) {
		l.find(query.Shape, x.start(), "", "IN compares %d values with %d columns", len(row.items), len(schema))
		return query.Literal{}
	}
	inner := &scope{outer: s, level: s.level + 1, schema: schema}
	var parts []query.Expr
	for i, item := range row.items {
		parts = append(parts, l.compare("eq", query.Col(schema[i].Name), raised(l.expr(item, s)), inner, item.start()))
	}
	return query.Exists{Query: l.filtered(q, parts)}
}

// any lowers x op ANY (SELECT ...) and ALL: there is such a row, or none for which it is not so.
func (l *lowerer) any(x anyNode, s *scope) query.Expr {
	if x.op == "eq" && !x.all {
		return l.in(inNode{at: x.at, x: x.x, query: x.query}, s)
	}
	if x.op == "ne" && x.all {
		return l.in(inNode{at: x.at, x: x.x, query: x.query, not: true}, s)
	}
	q, schema := l.subquery(x.query, s)
	if len(schema) != 1 {
		return query.Literal{}
	}
	inner := &scope{outer: s, level: s.level + 1, schema: schema}
	e := l.compare(x.op, raised(l.expr(x.x, s)), query.Col(schema[0].Name), inner, x.start())
	if !x.all {
		return query.Exists{Query: q.With(query.Filter{Where: e})}
	}
	fails := query.Do("not", query.Do("coalesce", e, query.Lit(table.BoolValue(false))))
	return query.Do("not", query.Exists{Query: q.With(query.Filter{Where: fails})})
}

// collations that tell upper case from lower as comparisons do here.
var collations = set("binary", "c", "posix", "ucs_basic", "default")

// collated is a text as a collation compares it.
func (l *lowerer) collated(x collateNode, e query.Expr, s *scope) query.Expr {
	switch name := strings.ToLower(x.name); {
	case name == "nocase":
		return query.Do("lower", l.textual(e, s))
	case !collations[name]:
		l.find(Unsupported, x.start(), "write LOWER(...) to leave case aside", "the collation %q is not known",
			short(x.name))
	}
	return e
}

// like lowers LIKE, GLOB and regular expressions. SQLite's LIKE leaves case aside.
func (l *lowerer) like(x likeNode, s *scope) query.Expr {
	e, pattern := l.textual(l.expr(x.x, s), s), l.expr(x.y, s)
	args := []query.Expr{e, pattern}
	if x.esc != nil {
		args = append(args, l.expr(x.esc, s))
	}
	do := "like"
	switch {
	case x.op == "ILIKE", x.op == "LIKE" && !l.postgres():
		do = "ilike"
	case x.op == "GLOB":
		do, args[1] = "matches", l.glob(pattern, x.y.start())
	case x.op == "REGEXP":
		do = "matches"
	case x.op == "REGEXP*":
		do, args[1] = "matches", query.Do("concat", query.Lit(table.TextValue("(?i)")), pattern)
		if lit, is := pattern.(query.Literal); is {
			args[1] = query.Lit(table.TextValue("(?i)" + lit.Value.Text()))
		}
	}
	return negated(query.Do(do, args...), x.not)
}

// globSigns are what GLOB's signs are in a regular expression.
var globSigns = map[rune]string{'*': "(?s:.*)", '?': "(?s:.)", '[': "[", ']': "]"}

// glob makes a regular expression of a pattern of GLOB.
func (l *lowerer) glob(pattern query.Expr, at int) query.Expr {
	lit, is := pattern.(query.Literal)
	if !is || lit.Value.Type() != table.Text {
		return l.refuse(at, "write LIKE", "GLOB is read with a pattern in quotes alone")
	}
	var b strings.Builder
	b.WriteByte('^')
	for _, r := range lit.Value.Text() {
		if sign, is := globSigns[r]; is {
			b.WriteString(sign)
			continue
		}
		if strings.ContainsRune(`\.+(){}|$`, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	b.WriteByte('$')
	return query.Lit(table.TextValue(b.String()))
}
