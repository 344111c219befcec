package sql

import (
	"strconv"
	"strings"

	"catena/table"
)

var one = table.IntValue(1)

// forms are words that begin an expression of their own grammar. Those of calls count with a bracket behind them
// alone.
var forms map[string]func(p *parser, t token) node

func init() { // the readers call the parser, which looks here
	forms = map[string]func(*parser, token) node{
		"CASE": (*parser).caseForm, "NULL": (*parser).constant, "TRUE": (*parser).constant, "FALSE": (*parser).constant,
		"CAST(": (*parser).castForm, "TRY_CAST(": (*parser).castForm, "EXISTS(": (*parser).existsForm,
		"EXTRACT(":  (*parser).extractForm,
		"POSITION(": (*parser).positionForm, "SUBSTRING(": (*parser).substringForm, "TRIM(": (*parser).trimForm,
		"ROW(": (*parser).rowForm, "ARRAY(": (*parser).arrayForm, "ARRAY[": (*parser).arrayForm,
		"OVERLAY(": (*parser).overlayForm,
	}
}

// bare are functions that are written without brackets.
var bare = set("CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP", "LOCALTIME", "LOCALTIMESTAMP")

// literals are types that stand before a text, with the words that may stand between.
var literals = map[string]typeName{"DATE": {name: "DATE"}, "TIMESTAMP": {name: "TIMESTAMP"},
	"DATETIME": {name: "TIMESTAMP"}, "TIMESTAMPTZ": {name: "TIMESTAMPTZ"}, "TIME": {name: "TIME"}}

func (p *parser) primary() node {
	t := p.peek()
	switch t.kind {
	case tokenNumber:
		p.next()
		return valueNode{at(t.at), p.numberValue(t, "")}
	case tokenText:
		p.next()
		return valueNode{at(t.at), table.TextValue(t.text)}
	case tokenQuoted:
		return p.name()
	case tokenWord:
		return p.word(t)
	}
	if p.is("(") {
		return p.brackets()
	}
	p.unexpected("a value")
	return nil
}

// word reads what begins with a word: a form, a typed literal, a function or a name.
func (p *parser) word(t token) node {
	after := p.peekAt(1)
	if form, is := forms[t.key]; is {
		p.next()
		return form(p, t)
	}
	if form, is := forms[t.key+after.key]; is {
		p.next()
		p.next()
		return form(p, t)
	}
	typ, typed := literals[t.key]
	isValue := after.kind == tokenText || after.kind == tokenNumber
	switch {
	case typed && after.kind == tokenText:
		p.next()
		p.next()
		return castNode{at: at(t.at), x: valueNode{at(after.at), table.TextValue(after.text)}, typ: typ}
	case t.key == "INTERVAL" && isValue:
		p.next()
		return p.interval(t)
	case bare[t.key] && after.key != "(":
		p.next()
		return &callNode{at: at(t.at), name: strings.ToLower(t.key), bare: true}
	case reserved[t.key]:
		p.unexpected("a value")
	}
	if after.key == "(" {
		p.next()
		return p.call(t)
	}
	return p.name()
}

// numberValue is a number: an integer where 64 bits hold it, a decimal with a point, a float with an exponent.
func (p *parser) numberValue(t token, sign string) table.Value {
	if strings.ContainsAny(t.text, "eE") {
		f, err := strconv.ParseFloat(sign+t.text, 64)
		if err != nil {
			p.fail(t.at, "", "The number is too large.")
		}
		return table.FloatValue(f)
	}
	if !strings.Contains(t.text, ".") {
		if n, err := strconv.ParseInt(sign+t.text, 10, 64); err == nil {
			return table.IntValue(n)
		}
	}
	text := strings.TrimSuffix(t.text, ".")
	if strings.HasPrefix(text, ".") {
		text = "0" + text
	}
	v, err := table.ParseDecimal(sign + text)
	if err == nil {
		return v
	}
	f, err := strconv.ParseFloat(sign+text, 64)
	if err != nil {
		p.fail(t.at, "", "The number cannot be read.")
	}
	return table.FloatValue(f)
}

// name reads name, table.name, schema.table.name or table.*.
func (p *parser) name() node {
	first := p.next()
	n := nameNode{at: at(first.at), name: first.text, quote: first.quote}
	for p.is(".") {
		p.next()
		n.table = n.name // of schema.table.column the schema says nothing more
		if p.accept("*") {
			return starNode{at(first.at), n.table}
		}
		t := p.member()
		n.name, n.quote = t.text, t.quote
	}
	return n
}

// brackets reads (x), (SELECT ...) and (a, b).
func (p *parser) brackets() node {
	open := p.expect("(")
	if p.begins() {
		n := scalarNode{at(open.at), p.query()}
		p.expect(")")
		return n
	}
	x := p.expr(precOr)
	if sub, is := x.(scalarNode); is && !p.is(")") && !p.is(",") { // ((SELECT ...) UNION ...)
		q := &queryNode{at: sub.at, first: sub.query}
		p.queryRest(q)
		x = scalarNode{at(open.at), q}
	}
	if !p.is(",") {
		p.expect(")")
		return x
	}
	row := rowNode{at: at(open.at), items: []node{x}}
	for p.accept(",") {
		row.items = append(row.items, p.expr(precOr))
	}
	p.expect(")")
	return row
}

func (p *parser) constant(t token) node {
	v := table.Value{}
	if t.key != "NULL" {
		v = table.BoolValue(t.key == "TRUE")
	}
	return valueNode{at(t.at), v}
}

func (p *parser) caseForm(t token) node {
	n := caseNode{at: at(t.at)}
	if !p.is("WHEN") {
		n.operand = p.expr(precOr)
	}
	for p.accept("WHEN") {
		when := p.expr(precOr)
		p.expect("THEN")
		n.branches = append(n.branches, branchNode{when, p.expr(precOr)})
	}
	if len(n.branches) == 0 {
		p.unexpected("WHEN")
	}
	if p.accept("ELSE") {
		n.other = p.expr(precOr)
	}
	p.expect("END")
	return n
}

func (p *parser) castForm(t token) node {
	n := castNode{at: at(t.at), try: t.key == "TRY_CAST", x: p.expr(precOr)}
	p.expect("AS")
	n.typ = p.typeName()
	p.expect(")")
	return n
}

// typeWords may stand behind the first word of a type's name.
var typeWords = set("PRECISION", "VARYING", "UNSIGNED", "SIGNED", "INTEGER", "CHARACTER")

func (p *parser) typeName() typeName {
	first := p.peek()
	t := typeName{at: first.at, name: strings.ToUpper(p.member().text)}
	for typeWords[p.peek().key] {
		t.name += " " + p.next().key
	}
	if p.accept("(") {
		for {
			n, err := strconv.ParseInt(p.peek().text, 10, 32)
			if err != nil {
				p.unexpected("a whole number")
			}
			p.next()
			t.args = append(t.args, n)
			if !p.accept(",") {
				break
			}
		}
		p.expect(")")
	}
	for _, zone := range []string{"WITH", "WITHOUT"} {
		if p.accept(zone, "TIME", "ZONE") && zone == "WITH" {
			t.name += "TZ"
		}
	}
	if p.is("[") {
		p.fail(first.at, "Cast to a simple type.", "Arrays are not read here.")
	}
	return t
}

func (p *parser) existsForm(t token) node {
	n := existsNode{at(t.at), p.query()}
	p.expect(")")
	return n
}

func (p *parser) rowForm(t token) node {
	n := rowNode{at(t.at), p.list()}
	p.expect(")")
	return n
}

func (p *parser) arrayForm(t token) node {
	p.fail(t.at, "Write IN (...), or STRING_AGG.", "Arrays are not read here.")
	return nil
}

func (p *parser) overlayForm(t token) node {
	p.fail(t.at, "Write SUBSTR(...) || ... || SUBSTR(...).", "OVERLAY is not read here.")
	return nil
}
