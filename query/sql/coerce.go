package sql

import (
	"strings"

	"catena/query"
	"catena/table"
	"catena/table/infer"
)

// comparisons are the algebra's operators that compare two values.
var comparisons = map[string]bool{"eq": true, "ne": true, "lt": true, "le": true, "gt": true, "ge": true,
	"same": true}

// compareNodes compares two expressions of the text; a collation on either side counts for both.
func (l *lowerer) compareNodes(op string, x, y node, s *scope, at int) query.Expr {
	for _, n := range []node{x, y} {
		if c, is := n.(collateNode); is {
			a, b := l.expr(uncollated(x), s), l.expr(uncollated(y), s)
			return l.compare(op, l.collated(c, a, s), l.collated(c, b, s), s, at)
		}
	}
	if _, row := x.(rowNode); row {
		return l.rows(op, x, y, s, at)
	}
	return l.compare(op, l.expr(x, s), l.expr(y, s), s, at)
}

// uncollated is an expression without its collation.
func uncollated(n node) node {
	if c, is := n.(collateNode); is {
		return c.x
	}
	return n
}

// rows compares (a, b) with (c, d), for equality alone.
func (l *lowerer) rows(op string, x, y node, s *scope, at int) query.Expr {
	a, _ := x.(rowNode)
	b, is := y.(rowNode)
	if !is || op != "eq" || len(a.items) != len(b.items) {
		return l.refuse(at, "compare the columns one by one, with AND", "rows of values are not read here")
	}
	var parts []query.Expr
	for i := range a.items {
		parts = append(parts, l.compareNodes("eq", a.items[i], b.items[i], s, at))
	}
	return all(parts)
}

func (l *lowerer) compare(op string, a, b query.Expr, s *scope, at int) query.Expr {
	if orders[op] {
		l.inOrder(a, b, s, at)
	}
	a, b = l.alike(a, b, s, at)
	return query.Do(op, a, b)
}

// orders are the comparisons that need an order.
var orders = map[string]bool{"lt": true, "le": true, "gt": true, "ge": true}

// inOrder refuses the order of a text beside a number: "99" comes behind "100" by its letters, which nobody means who
// writes 100.
func (l *lowerer) inOrder(a, b query.Expr, s *scope, at int) {
	if l.isTextValue(b, s) {
		a, b = b, a
	}
	if l.isTextValue(a, s) && l.typ(b, s).Numeric() {
		l.find(query.TypeMismatch, at, "write CAST(... AS DECIMAL) for its number, or the number in quotes",
			"a text is ordered by its letters, and stands beside a number here")
	}
}

// isTextValue reports whether an expression is a text that is not written in the statement.
func (l *lowerer) isTextValue(e query.Expr, s *scope) bool {
	return !isLiteral(e) && !isWhole(e) && l.typ(e, s) == table.Text
}

// alike makes two values comparable, as SQL does: a literal takes the type of what it is compared with, a
// condition is 1 or 0
// beside a number, and a text is a number or time beside one.
func (l *lowerer) alike(a, b query.Expr, s *scope, at int) (query.Expr, query.Expr) {
	return l.alikeAs(a, l.typ(a, s), b, s, at)
}

// alikeAs is alike where the type of the first is known.
func (l *lowerer) alikeAs(a query.Expr, ta table.Type, b query.Expr, s *scope, at int) (query.Expr, query.Expr) {
	tb := l.typ(b, s)
	if ta == tb || ta == table.Null || tb == table.Null {
		return a, b
	}
	if tb.Numeric() && isWhole(a) { // strftime('%m', t) = 1
		return l.textNumber(a), b
	}
	if ta.Numeric() && isWhole(b) {
		return a, l.textNumber(b)
	}
	if isLiteral(a) && !isLiteral(b) {
		return l.literal(a, b, tb, s, at), b
	}
	if isLiteral(b) && !isLiteral(a) {
		return a, l.literal(b, a, ta, s, at)
	}
	return l.castBeside(a, ta, tb), l.castBeside(b, tb, ta)
}

// literal is a literal beside a value of a type.
func (l *lowerer) literal(lit, beside query.Expr, to table.Type, s *scope, at int) query.Expr {
	v := lit.(query.Literal).Value
	switch {
	case to == table.Text && v.Type().Numeric():
		return query.Lit(table.TextValue(v.String()))
	case to == table.Bool && v.Type().Numeric():
		return query.Lit(table.BoolValue(v.Sign() != 0))
	case to == table.Float && v.Type() == table.Decimal:
		if f, ok := v.Float(); ok {
			return query.Lit(table.FloatValue(f))
		}
	case v.Type() == table.Text:
		return l.literalAs(lit, to, at)
	}
	return l.castBeside(lit, v.Type(), to)
}

// literalAs reads a literal of text as a value of a type.
func (l *lowerer) literalAs(lit query.Expr, to table.Type, at int) query.Expr {
	text := strings.TrimSpace(lit.(query.Literal).Value.Text())
	switch {
	case to.Numeric():
		if v, ok := numeric(text); ok {
			return query.Lit(v)
		}
		return l.mismatch(at, text, "number")
	case to == table.Date || to == table.DateTime:
		if v, ok := moment(text); ok {
			return query.Lit(v)
		}
		return l.mismatch(at, text, "date")
	case to == table.Bool:
		if v, is := booleans[strings.ToLower(text)]; is {
			return query.Lit(table.BoolValue(v))
		}
		return l.mismatch(at, text, "condition")
	case to == table.Time:
		if v, err := infer.Parse(text, table.Column{Type: table.Time}); err == nil {
			return query.Lit(v)
		}
		return l.mismatch(at, text, "time of day")
	}
	return lit
}

func (l *lowerer) mismatch(at int, text, what string) query.Expr {
	l.find(query.TypeMismatch, at, "", "%q is no %s, and it is compared with one", short(text), what)
	return query.Literal{}
}

var booleans = map[string]bool{"true": true, "t": true, "yes": true, "1": true, "false": false, "f": false,
	"no": false, "0": false}

func numeric(text string) (table.Value, bool) {
	for _, t := range []table.Type{table.Int, table.Decimal, table.Float} {
		if v, err := infer.Parse(text, table.Column{Type: t}); err == nil && !v.IsNull() {
			return v, true
		}
	}
	return table.Value{}, false
}

// moment reads a date, or a date with a time.
func moment(text string) (table.Value, bool) {
	for _, t := range []table.Type{table.Date, table.DateTime} {
		if v, err := infer.Parse(text, table.Column{Type: t}); err == nil && !v.IsNull() {
			return v, true
		}
	}
	return table.Value{}, false
}

// castBeside casts a value that is compared with one of another type, where one of them is a text or a condition.
func (l *lowerer) castBeside(e query.Expr, from, to table.Type) query.Expr {
	switch {
	case from == table.Bool && to.Numeric():
		return oneOrZero(e)
	case from == table.Text && to.Numeric():
		return l.textNumber(e)
	case from == table.Text && to.Temporal():
		return query.Cast{Expr: e, Type: to}
	}
	return e
}

// oneOrZero is a condition as a number.
func oneOrZero(e query.Expr) query.Expr {
	return query.Case{Branches: []query.Branch{
		{When: e, Then: query.Lit(one)}, {When: query.Do("not", e), Then: query.Lit(table.IntValue(0))},
	}}
}

// textNumber is the number that a text says: whole where it is one part of a date.
func (l *lowerer) textNumber(e query.Expr) query.Expr {
	if lit, is := e.(query.Literal); is {
		if v, ok := numeric(strings.TrimSpace(lit.Value.Text())); ok {
			return query.Lit(v)
		}
	}
	if isWhole(e) {
		return query.Cast{Expr: e, Type: table.Int}
	}
	return query.Cast{Expr: e, Type: table.Float}
}

// isWhole tells whether a text is a part of a date that is a whole number.
func isWhole(e query.Expr) bool {
	c, is := e.(query.Call)
	if !is || c.Func != "format_time" {
		return false
	}
	layout, is := c.Args[0].(query.Literal)
	return is && wholeLayouts[layout.Value.Text()]
}

// wholeLayouts are the layouts of strftime that give a whole number.
var wholeLayouts = set("%Y", "%m", "%d", "%H", "%M", "%S", "%w", "%u", "%j", "%W", "%U", "%V", "%G", "%s", "%Y%m",
	"%Y%m%d")

func isLiteral(e query.Expr) bool {
	_, is := e.(query.Literal)
	return is
}

// isText tells whether an expression is a literal of text.
func isText(e query.Expr) bool {
	lit, is := e.(query.Literal)
	return is && lit.Value.Type() == table.Text
}

// condition lowers what must be true or false. A number is true unless it is 0, as SQLite has it.
func (l *lowerer) condition(n node, s *scope) query.Expr {
	l.misread(n, s)
	e := l.expr(n, s)
	t := l.typ(e, s)
	if lit, is := e.(query.Literal); is && t.Numeric() {
		return query.Lit(table.BoolValue(lit.Value.Sign() != 0))
	}
	if t.Numeric() {
		return query.Do("ne", e, query.Lit(table.IntValue(0)))
	}
	return e
}

// number is a value in arithmetic: conditions are 1 or 0, texts are the numbers they say. Times and lengths stay.
func (l *lowerer) number(e query.Expr, s *scope) query.Expr {
	return l.castBeside(e, l.typ(e, s), table.Float)
}

// textual is a value in a function of texts.
func (l *lowerer) textual(e query.Expr, s *scope) query.Expr {
	switch l.typ(e, s) {
	case table.Text, table.Null, table.JSON:
		return e
	}
	return query.Cast{Expr: e, Type: table.Text}
}

// unifiedCase makes the values of a CASE one type.
func (l *lowerer) unifiedCase(c query.Case, s *scope) query.Expr {
	values := make([]query.Expr, 0, len(c.Branches)+1)
	for _, b := range c.Branches {
		values = append(values, b.Then)
	}
	if c.Else != nil {
		values = append(values, c.Else)
	}
	values = l.unified(values, s)
	for i := range c.Branches {
		c.Branches[i].Then = values[i]
	}
	if c.Else != nil {
		c.Else = values[len(values)-1]
	}
	return c
}

// unified makes values one type, as SQL does for what may stand for each other: texts in quotes are dates or numbers
// beside such, where they say one; conditions are numbers beside numbers; else all are texts where one is.
func (l *lowerer) unified(values []query.Expr, s *scope) []query.Expr {
	types := make([]table.Type, len(values))
	for i, e := range values {
		types[i] = l.typ(e, s)
	}
	to := unifiedType(values, types)
	for i, e := range values {
		values[i] = l.standIn(e, types[i], to)
	}
	return values
}

// unifiedType is the type that values become; Null where each may stay what it is.
func unifiedType(values []query.Expr, types []table.Type) table.Type {
	to, text := table.Null, false
	for i, t := range types {
		switch {
		case t == table.Null || t == table.Text && isText(values[i]):
		case t == table.Text:
			text = true
		case to == table.Null || to == table.Bool:
			to = t
		}
	}
	for i, t := range types {
		if t == table.Text && isText(values[i]) && !says(values[i], to) {
			text = true
		}
	}
	if text && to != table.Null {
		return table.Text
	}
	return to
}

// says tells whether a literal of text is a value of a type.
func says(lit query.Expr, t table.Type) bool {
	text := strings.TrimSpace(lit.(query.Literal).Value.Text())
	ok := t == table.Null
	switch {
	case t.Numeric():
		_, ok = numeric(text)
	case t == table.Date, t == table.DateTime:
		_, ok = moment(text)
	}
	return ok
}

// standIn makes a value one of a type.
func (l *lowerer) standIn(e query.Expr, have, to table.Type) query.Expr {
	switch {
	case have == table.Null || have == to || to == table.Null:
		return e
	case to.Numeric() && have == table.Bool:
		return oneOrZero(e)
	case to == table.Text:
		return query.Cast{Expr: e, Type: table.Text}
	case isText(e):
		return l.literalAs(e, to, 0)
	}
	return e
}
