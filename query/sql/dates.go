package sql

import (
	"math"
	"strconv"
	"strings"

	"catena/query"
	"catena/table"
)

// Dates as SQLite has them: a value and modifiers, such as date('now', '-7 days', 'start of month').

func dateOf(l *lowerer, c *callNode, args []query.Expr, s *scope) query.Expr {
	return l.asMoment(l.modified(c, args, s), table.Date, s)
}

func dateTimeOf(l *lowerer, c *callNode, args []query.Expr, s *scope) query.Expr {
	return l.asMoment(l.modified(c, args, s), table.DateTime, s)
}

func timeOf(l *lowerer, c *callNode, args []query.Expr, s *scope) query.Expr {
	return formatted("%H:%M:%S", l.modified(c, args, s))
}

func julianDay(l *lowerer, c *callNode, args []query.Expr, s *scope) query.Expr {
	return query.Do("days", l.modified(c, args, s))
}

func unixEpoch(l *lowerer, c *callNode, args []query.Expr, s *scope) query.Expr {
	return query.Cast{Expr: query.Do("epoch", l.modified(c, args, s)), Type: table.Int}
}

func formatted(layout string, e query.Expr) query.Expr {
	return query.Do("format_time", query.Lit(table.TextValue(layout)), e)
}

// strftimeLetters are those that SQLite has; %s, %J and %f are other functions of the algebra.
const strftimeLetters = "YmdHMSwujWUVGFTRpIeklygP%"

func strftime(l *lowerer, c *callNode, args []query.Expr, s *scope) query.Expr {
	lit, is := args[0].(query.Literal)
	if !is || lit.Value.Type() != table.Text {
		return l.refuse(c.args[0].start(), "write it in quotes: '%Y-%m'", "the layout of STRFTIME is not a text in quotes")
	}
	rest := *c
	rest.args = c.args[1:]
	e := l.modified(&rest, args[1:], s)
	layout := lit.Value.Text()
	switch layout {
	case "%s":
		return query.Cast{Expr: query.Cast{Expr: query.Do("epoch", e), Type: table.Int}, Type: table.Text}
	case "%J":
		return query.Cast{Expr: query.Do("days", e), Type: table.Text}
	}
	for i := 0; i+1 < len(layout); i++ {
		if layout[i] != '%' {
			continue
		}
		i++
		if strings.IndexByte(strftimeLetters, layout[i]) < 0 {
			return l.refuse(c.args[0].start(), "write %Y, %m, %d, %H, %M, %S, %w, %j or %W",
				"%%%c in a layout is not read here", layout[i])
		}
	}
	return formatted(layout, e)
}

// asMoment is a date as a date and time, or the other way.
func (l *lowerer) asMoment(e query.Expr, to table.Type, s *scope) query.Expr {
	if lit, is := e.(query.Literal); is {
		return query.Lit(asType(lit.Value, to))
	}
	if t := l.typ(e, s); t == to || t == table.Null {
		return e
	}
	return query.Cast{Expr: e, Type: to}
}

// modified is the value of a date function with its modifiers applied.
func (l *lowerer) modified(c *callNode, args []query.Expr, s *scope) query.Expr {
	if len(args) == 0 {
		return l.now(c.start())
	}
	e, rest, nodes := args[0], args[1:], c.args[1:]
	lit, is := e.(query.Literal)
	switch {
	case is && strings.EqualFold(lit.Value.Text(), "now"):
		e = l.now(c.start())
	case len(rest) > 0 && isText(rest[0]) && rest[0].(query.Literal).Value.Text() == "unixepoch":
		e = sinceEpoch(l.number(e, s))
		rest, nodes = rest[1:], nodes[1:]
	default:
		e = l.moment(e, c.args[0].start(), s)
	}
	for i, m := range rest {
		e = l.modify(e, m, nodes[i].start(), s)
	}
	return e
}

// sinceEpoch is so many seconds from the beginning of 1970.
func sinceEpoch(seconds query.Expr) query.Expr {
	epoch, _ := moment("1970-01-01 00:00:00")
	return query.Do("shift", unitLiteral("second"), query.Cast{Expr: seconds, Type: table.Int}, query.Lit(asType(epoch,
		table.DateTime)))
}

func unitLiteral(unit string) query.Expr { return query.Lit(table.TextValue(unit)) }

// now is the present, which the caller says.
func (l *lowerer) now(at int) query.Expr {
	if l.opts.Now.IsZero() {
		return l.refuse(at, "write the date", "there is no present here")
	}
	return query.Lit(table.DateTimeValue(l.opts.Now))
}

// modify applies one modifier: a text in quotes, or one that is put together of a sign, a number and a unit.
func (l *lowerer) modify(e, modifier query.Expr, at int, s *scope) query.Expr {
	if lit, is := modifier.(query.Literal); is {
		return l.modifyBy(e, strings.ToLower(strings.TrimSpace(lit.Value.Text())), at, s)
	}
	c, is := modifier.(query.Call)
	if !is || c.Func != "join_text" {
		return l.refuse(at, "write it in quotes: '-7 days'", "a modifier that is not a text in quotes is not read here")
	}
	parts := c.Args
	sign := int64(1)
	if isText(parts[0]) {
		switch strings.TrimSpace(parts[0].(query.Literal).Value.Text()) {
		case "-":
			sign = -1
		case "+", "":
		default:
			return l.refuse(at, "write '-' || n || ' days'", "the modifier is not read here")
		}
		parts = parts[1:]
	}
	if len(parts) != 2 || !isText(parts[1]) {
		return l.refuse(at, "write '-' || n || ' days'", "the modifier is not read here")
	}
	u, is := units[singular(strings.TrimSpace(parts[1].(query.Literal).Value.Text()))]
	if !is {
		return l.refuse(at, "write days, months or years", "the unit of the modifier is not known")
	}
	n := parts[0]
	if l.typ(n, s) != table.Int {
		n = query.Cast{Expr: n, Type: table.Int}
	}
	return l.shift(e, lengthPart{u.unit, times(n, sign*u.n)}, s)
}

// times multiplies a count by a constant.
func times(n query.Expr, by int64) query.Expr {
	if lit, is := n.(query.Literal); is {
		if v, ok := lit.Value.Int(); ok {
			return query.Lit(table.IntValue(v * by))
		}
	}
	switch by {
	case 1:
		return n
	case -1:
		return query.Do("neg", n)
	}
	return query.Do("mul", n, query.Lit(table.IntValue(by)))
}

// ignored are modifiers that change nothing here: times are as the tables have them.
var ignored = set("localtime", "utc", "subsec", "subsecond", "auto")

func (l *lowerer) modifyBy(e query.Expr, m string, at int, s *scope) query.Expr {
	unit, isStart := strings.CutPrefix(m, "start of ")
	day, isWeekday := strings.CutPrefix(m, "weekday ")
	switch {
	case ignored[m]:
		return e
	case isStart && starts[unit]:
		return query.Do("trunc", unitLiteral(unit), e)
	case isWeekday && weekdays[day]:
		wanted := table.IntValue(int64(day[0]-'0') + 7)
		ahead := query.Do("mod", query.Do("sub", query.Lit(wanted), query.Do("part", unitLiteral("weekday"), e)),
			query.Lit(table.IntValue(7)))
		return query.Do("shift", unitLiteral("day"), ahead, e)
	}
	if p, is := distance(strings.Fields(m)); is {
		return l.shift(e, p, s)
	}
	return l.refuse(at, "write '-7 days', 'start of month' or 'weekday 0'", "the modifier %q is not read here", short(m))
}

// starts and weekdays are what "start of" and "weekday" take.
var (
	starts   = set("day", "month", "year")
	weekdays = set("0", "1", "2", "3", "4", "5", "6")
)

// distance reads a modifier such as -7 days.
func distance(words []string) (lengthPart, bool) {
	if len(words) != 2 {
		return lengthPart{}, false
	}
	u, known := units[singular(words[1])]
	n, err := strconv.ParseFloat(words[0], 64)
	whole := err == nil && math.Abs(n) < maxInterval && n == math.Trunc(n)
	return lengthPart{u.unit, query.Lit(table.IntValue(int64(n) * u.n))}, known && whole
}

// lengthPart is so many units of time.
type lengthPart struct {
	unit string
	n    query.Expr
}

// clockUnits are units below a day: a date has a time behind them.
var clockUnits = set("hour", "minute", "second", "microsecond")

// shift moves a moment by a part of an interval.
func (l *lowerer) shift(e query.Expr, p lengthPart, s *scope) query.Expr {
	if clockUnits[p.unit] && l.typ(e, s) == table.Date {
		e = l.asMoment(e, table.DateTime, s)
	}
	if p.unit == "microsecond" {
		return query.Do("add", e, l.microseconds(p.n))
	}
	return query.Do("shift", unitLiteral(p.unit), p.n, e)
}

func (l *lowerer) microseconds(n query.Expr) query.Expr {
	if lit, is := n.(query.Literal); is {
		us, _ := lit.Value.Int()
		return query.Lit(table.DurationOfMicros(us))
	}
	return query.Do("mul", n, query.Lit(table.DurationOfMicros(1)))
}

// interval is a length of time in parts: INTERVAL '1 month', n * INTERVAL '1 day', '1 month'::interval.
func (l *lowerer) interval(n node, s *scope) ([]lengthPart, bool) {
	switch x := n.(type) {
	case intervalNode:
		parts := make([]lengthPart, len(x.parts))
		for i, p := range x.parts {
			parts[i] = lengthPart{p.unit, query.Lit(table.IntValue(p.n))}
		}
		return parts, true
	case castNode:
		v, is := x.x.(valueNode)
		if x.typ.name != "INTERVAL" || !is {
			return nil, false
		}
		var i intervalNode
		words := strings.Fields(strings.ToLower(v.value.Text()))
		for len(words) > 0 {
			used := i.read(words, false)
			if used == 0 {
				return nil, false
			}
			words = words[used:]
		}
		return l.interval(i, s)
	case binaryNode:
		return l.intervalTimes(x, s)
	}
	return nil, false
}

func (l *lowerer) intervalTimes(x binaryNode, s *scope) ([]lengthPart, bool) {
	if x.op != "*" {
		return nil, false
	}
	parts, is := l.interval(x.x, s)
	count := x.y
	if !is {
		parts, is = l.interval(x.y, s)
		count = x.x
	}
	if !is {
		return nil, false
	}
	n := l.number(l.expr(count, s), s)
	for i, p := range parts {
		by, _ := p.n.(query.Literal).Value.Int()
		parts[i].n = times(n, by)
	}
	return parts, true
}

// shifted lowers x + INTERVAL and x - INTERVAL.
func (l *lowerer) shifted(x binaryNode, s *scope) (query.Expr, bool) {
	if x.op != "+" && x.op != "-" {
		return nil, false
	}
	base, sign := x.x, int64(1)
	parts, is := l.interval(x.y, s)
	switch {
	case is && x.op == "-":
		sign = -1
	case !is && x.op == "+":
		parts, is = l.interval(x.x, s)
		base = x.y
	}
	if !is {
		return nil, false
	}
	e := l.expr(base, s)
	if t := l.typ(e, s); t == table.Duration || t == table.Time {
		return query.Do(operators[x.op], e, l.lengthOf(parts, 1, x.start())), true
	}
	e = l.moment(e, base.start(), s)
	for _, p := range parts {
		e = l.shift(e, lengthPart{p.unit, times(p.n, sign)}, s)
	}
	return e, true
}

// length is an interval that stands for itself.
func (l *lowerer) length(x intervalNode) query.Expr {
	parts, _ := l.interval(x, nil)
	return l.lengthOf(parts, 1, x.start())
}

// lengthOf is a length of time in microseconds; months have none.
func (l *lowerer) lengthOf(parts []lengthPart, sign int64, at int) query.Expr {
	total := int64(0)
	for _, p := range parts {
		seconds, known := secondsIn[p.unit]
		lit, is := p.n.(query.Literal)
		if !known || !is {
			return l.refuse(at, "add it to a date, or write days", "an interval of months has no length by itself")
		}
		n, _ := lit.Value.Int()
		total += int64(float64(n) * seconds * 1e6)
	}
	return query.Lit(table.DurationOfMicros(sign * total))
}
