package sql

import (
	"math"
	"strconv"
	"strings"

	"catena/table"
	"catena/table/infer"
)

// call reads a function behind its name.
func (p *parser) call(name token) node {
	c := &callNode{at: at(name.at), name: strings.ToLower(name.text)}
	p.postgres = p.postgres || postgresFunctions[c.name]
	p.expect("(")
	if !p.accept("ALL") {
		c.distinct = p.accept("DISTINCT")
	}
	switch {
	case p.is("*"):
		c.args = []node{starNode{at: at(p.next().at)}}
	case !p.is(")"):
		c.args = p.list()
	}
	if p.accept("ORDER", "BY") {
		c.order = p.orders()
	}
	p.expect(")")
	p.callRest(c)
	return c
}

// callRest reads WITHIN GROUP, FILTER and OVER.
func (p *parser) callRest(c *callNode) {
	if p.accept("WITHIN", "GROUP") {
		p.expect("(")
		p.expect("ORDER")
		p.expect("BY")
		c.within = p.orders()
		p.expect(")")
	}
	if p.is("FILTER", "(") {
		p.next()
		p.next()
		p.expect("WHERE")
		c.filter = p.expr(precOr)
		p.expect(")")
	}
	for _, word := range []string{"IGNORE", "RESPECT"} {
		if t := p.peek(); p.accept(word, "NULLS") && word == "IGNORE" {
			p.fail(t.at, "Leave out the nulls by FILTER or WHERE.", "IGNORE NULLS is not read here.")
		}
	}
	if p.accept("OVER") {
		if p.is("(") {
			c.over = p.window()
			return
		}
		t := p.peek()
		c.over = &windowNode{at: at(t.at), base: p.identifier("the name of a window")}
	}
}

func (p *parser) window() *windowNode {
	w := &windowNode{at: at(p.expect("(").at)}
	if t := p.peek(); t.kind == tokenQuoted || t.kind == tokenWord && !windowWords[t.key] {
		w.base = p.next().text
	}
	if p.accept("PARTITION", "BY") {
		w.partition = p.list()
	}
	if p.accept("ORDER", "BY") {
		w.order = p.orders()
	}
	if p.is("ROWS") || p.is("RANGE") || p.is("GROUPS") {
		w.frame = p.frame()
	}
	p.expect(")")
	return w
}

var windowWords = set("PARTITION", "ORDER", "ROWS", "RANGE", "GROUPS")

func (p *parser) frame() *frameNode {
	t := p.next()
	f := &frameNode{at: at(t.at), unit: strings.ToLower(t.key)}
	if p.accept("BETWEEN") {
		f.start = p.bound()
		p.expect("AND")
		f.end = p.bound()
	} else {
		f.start = p.bound()
		f.end = boundNode{at: f.start.at}
	}
	if t := p.peek(); p.accept("EXCLUDE") && !p.accept("NO", "OTHERS") {
		p.fail(t.at, "Take the current row off the result.", "EXCLUDE is not read here.")
	}
	return f
}

func (p *parser) bound() boundNode {
	b := boundNode{at: at(p.peek().at)}
	switch {
	case p.accept("CURRENT", "ROW"):
		return b
	case p.accept("UNBOUNDED"):
		b.unbounded = true
	default:
		b.offset = p.expr(precBits)
	}
	switch {
	case p.accept("PRECEDING"):
		b.before = true
	case !p.accept("FOLLOWING"):
		p.unexpected("PRECEDING or FOLLOWING")
	}
	return b
}

// extractForm reads EXTRACT(field FROM x).
func (p *parser) extractForm(t token) node {
	p.postgres = true
	field := p.peek()
	if field.kind != tokenWord && field.kind != tokenText {
		p.unexpected("a part of a date")
	}
	p.next()
	if !p.accept("FROM") {
		p.expect(",")
	}
	x := p.expr(precOr)
	p.expect(")")
	return &callNode{at: at(t.at), name: "extract", args: []node{textNode(field), x}}
}

func textNode(t token) node { return valueNode{at(t.at), table.TextValue(strings.ToLower(t.text))} }

// positionForm reads POSITION(a IN b) as strpos(b, a).
func (p *parser) positionForm(t token) node {
	a := p.expr(precOrdered) // not IN
	if !p.accept(",") {
		p.expect("IN")
	}
	b := p.expr(precOr)
	p.expect(")")
	return &callNode{at: at(t.at), name: "strpos", args: []node{b, a}}
}

// substringForm reads SUBSTRING(x FROM n FOR m) and SUBSTRING(x, n, m).
func (p *parser) substringForm(t token) node {
	c := &callNode{at: at(t.at), name: "substr", args: []node{p.expr(precOr)}}
	from := valueNode{at(t.at), one}
	switch {
	case p.accept("FROM"):
		c.args = append(c.args, p.expr(precOr))
	case p.is("FOR"):
		c.args = append(c.args, from)
	default:
		p.expect(",")
		c.args = append(c.args, p.expr(precOr))
	}
	if p.accept("FOR") || p.accept(",") {
		c.args = append(c.args, p.expr(precOr))
	}
	p.expect(")")
	return c
}

// trimSides are the functions of TRIM's words.
var trimSides = map[string]string{"LEADING": "ltrim", "TRAILING": "rtrim", "BOTH": "trim"}

// trimForm reads TRIM([side] [what] FROM x) and TRIM(x, what).
func (p *parser) trimForm(t token) node {
	c := &callNode{at: at(t.at), name: "trim"}
	if side, is := trimSides[p.peek().key]; is {
		p.next()
		c.name = side
	}
	if p.accept("FROM") {
		c.args = []node{p.expr(precOr)}
		p.expect(")")
		return c
	}
	c.args = []node{p.expr(precOr)}
	switch {
	case p.accept("FROM"):
		c.args = []node{p.expr(precOr), c.args[0]}
	case p.accept(","):
		c.args = append(c.args, p.expr(precOr))
	}
	p.expect(")")
	return c
}

// units of time as the algebra names them, by what the dialects write; months and seconds stand for the rest.
var units = map[string]struct {
	unit string
	n    int64
}{
	"microsecond": {"microsecond", 1}, "millisecond": {"microsecond", 1000}, "second": {"second", 1}, "sec": {"second",
		1}, "minute": {"minute", 1}, "min": {"minute", 1},
	"hour": {"hour", 1}, "day": {"day", 1}, "week": {"day", 7}, "month": {"month", 1}, "mon": {"month", 1},
	"quarter": {"month", 3}, "year": {"year", 1},
	"decade": {"year", 10}, "century": {"year", 100}, "centurie": {"year", 100},
}

// interval reads INTERVAL '1 year 2 days', INTERVAL '1' DAY, INTERVAL 1 DAY and INTERVAL '01:30:00'.
func (p *parser) interval(t token) node {
	p.postgres = true
	text := p.next()
	n := intervalNode{at: at(t.at)}
	words := strings.Fields(strings.ToLower(text.text))
	if t := p.peek(); len(words) == 1 && t.kind == tokenWord && isUnit(t.text) {
		words = append(words, strings.ToLower(p.next().text))
	}
	negative := false
	if len(words) > 0 && words[len(words)-1] == "ago" {
		negative, words = true, words[:len(words)-1]
	}
	for len(words) > 0 {
		used := n.read(words, negative)
		if used == 0 {
			p.fail(text.at, "Write it like INTERVAL '30 days'.", "The interval %q cannot be read.", short(text.text))
		}
		words = words[used:]
	}
	if len(n.parts) == 0 {
		p.fail(text.at, "Write it like INTERVAL '30 days'.", "The interval is empty.")
	}
	return n
}

// read takes one part from the words and says how many of them it was; 0 when they are none.
func (n *intervalNode) read(words []string, negative bool) int {
	sign := int64(1)
	if negative {
		sign = -1
	}
	if d, err := infer.ReadDuration(words[0]); err == nil && strings.Contains(words[0], ":") {
		n.parts = append(n.parts, intervalPart{"second", sign * int64(d.Seconds())})
		return 1
	}
	if len(words) < 2 {
		return 0
	}
	unit, known := units[singular(strings.TrimSuffix(words[1], ","))]
	count, err := strconv.ParseFloat(words[0], 64)
	if !known || err != nil || math.Abs(count) > maxInterval {
		return 0
	}
	if whole := int64(count); float64(whole) == count {
		n.parts = append(n.parts, intervalPart{unit.unit, sign * whole * unit.n})
		return 2
	}
	return n.readFraction(count, unit.unit, sign*unit.n)
}

// secondsIn are the lengths of the units that have one.
var secondsIn = map[string]float64{"microsecond": 1e-6, "second": 1, "minute": 60, "hour": 3600, "day": 86400}

// readFraction takes a part such as 1.5 hours. A part of a month has no length.
func (n *intervalNode) readFraction(count float64, unit string, times int64) int {
	seconds, known := secondsIn[unit]
	if !known {
		return 0
	}
	n.parts = append(n.parts, intervalPart{"microsecond", int64(count * seconds * float64(times) * 1e6)})
	return 2
}

// maxInterval bounds the count of an interval's part, so that no sum of dates can overflow.
const maxInterval = 1e9

func singular(unit string) string { return strings.TrimSuffix(strings.ToLower(unit), "s") }

func isUnit(word string) bool {
	_, is := units[singular(word)]
	return is
}
