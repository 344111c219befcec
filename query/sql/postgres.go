package sql

import (
	"strings"

	"catena/query"
	"catena/table"
)

// Dates as PostgreSQL has them.

func instant(l *lowerer, c *callNode, _ []query.Expr, _ *scope) query.Expr { return l.now(c.start()) }

func today(l *lowerer, c *callNode, _ []query.Expr, s *scope) query.Expr {
	return l.asMoment(l.now(c.start()), table.Date, s)
}

func clock(l *lowerer, c *callNode, _ []query.Expr, _ *scope) query.Expr {
	return formatted("%H:%M:%S", l.now(c.start()))
}

// unitOf is the unit of time that an argument names in quotes.
func (l *lowerer) unitOf(e query.Expr, known map[string]string, at int) (string, bool) {
	if lit, is := e.(query.Literal); is {
		if unit, is := known[strings.ToLower(strings.TrimSpace(lit.Value.Text()))]; is {
			return unit, true
		}
		l.find(query.Arguments, at, "write year, quarter, month, week, day, hour, minute or second",
			"the part of time %q is not known", short(lit.Value.Text()))
		return "", false
	}
	l.find(query.Arguments, at, "write it in quotes: 'month'", "the part of time is not a text in quotes")
	return "", false
}

var truncs = map[string]string{"year": "year", "quarter": "quarter", "month": "month", "week": "week", "day": "day",
	"hour": "hour", "minute": "minute", "second": "second"}

func dateTrunc(l *lowerer, c *callNode, args []query.Expr, _ *scope) query.Expr {
	unit, is := l.unitOf(args[0], truncs, c.args[0].start())
	if !is {
		return query.Literal{}
	}
	return query.Do("trunc", unitLiteral(unit), args[1])
}

// fields are the parts of a date that EXTRACT knows.
var fields = map[string]string{
	"year": "year", "years": "year", "quarter": "quarter", "month": "month", "months": "month", "week": "week",
	"day": "day", "days": "day",
	"hour": "hour", "hours": "hour", "minute": "minute", "minutes": "minute", "second": "second", "seconds": "second",
	"dow": "weekday", "isodow": "isoweekday", "doy": "yearday", "isoyear": "isoyear", "epoch": "epoch",
	"julian": "julian",
}

func partOf(unit string) func(*lowerer, *callNode, []query.Expr, *scope) query.Expr {
	return func(_ *lowerer, _ *callNode, args []query.Expr, _ *scope) query.Expr {
		return query.Do("part", unitLiteral(unit), args[0])
	}
}

// extract is EXTRACT(field FROM x), of a date or of a length of time.
func extract(l *lowerer, c *callNode, args []query.Expr, s *scope) query.Expr {
	unit, is := l.unitOf(args[0], fields, c.args[0].start())
	if !is {
		return query.Literal{}
	}
	if between, is := c.args[1].(*callNode); is && between.name == "age" {
		return l.partOfAge(unit, between, s)
	}
	switch l.typ(args[1], s) {
	case table.Int: // days between two dates
		return l.partOfLength(unit, query.Do("mul", args[1], query.Lit(table.IntValue(86400))), c.start())
	case table.Duration:
		if unit == "epoch" {
			return query.Do("epoch", args[1])
		}
		return l.partOfLength(unit, query.Cast{Expr: query.Do("epoch", args[1]), Type: table.Int}, c.start())
	}
	e := l.moment(args[1], c.args[1].start(), s)
	switch unit {
	case "epoch":
		return query.Do("epoch", e)
	case "julian":
		return query.Do("days", e)
	}
	return query.Do("part", unitLiteral(unit), e)
}

// lengthFields are what a field of a length is: seconds in it, and how many of it make the next one; 0 is no end.
var lengthFields = map[string]struct{ seconds, most int64 }{"day": {86400, 0}, "hour": {3600, 24}, "minute": {60,
	60}, "second": {1, 60}, "epoch": {1, 0}}

func (l *lowerer) partOfLength(unit string, seconds query.Expr, at int) query.Expr {
	f, is := lengthFields[unit]
	if !is {
		return l.refuse(at, "write EXTRACT(... FROM AGE(a, b))", "a length of time has no %s", unit)
	}
	e := query.Do("idiv", seconds, query.Lit(table.IntValue(f.seconds)))
	if f.most > 0 {
		e = query.Do("mod", e, query.Lit(table.IntValue(f.most)))
	}
	return e
}

// partOfAge is the whole years, or the months beside them, between two dates.
func (l *lowerer) partOfAge(unit string, c *callNode, s *scope) query.Expr {
	args := make([]query.Expr, len(c.args))
	for i, a := range c.args {
		args[i] = l.moment(l.expr(a, s), a.start(), s)
	}
	if len(args) == 1 {
		args = []query.Expr{l.asMoment(l.now(c.start()), table.Date, s), args[0]}
	}
	if len(args) != 2 {
		return l.refuse(c.start(), "", "AGE takes 1 or 2 arguments")
	}
	switch unit {
	case "year":
		return query.Do("diff", unitLiteral("year"), args[1], args[0])
	case "month":
		return query.Do("mod", query.Do("diff", unitLiteral("month"), args[1], args[0]), query.Lit(table.IntValue(12)))
	case "epoch":
		return query.Do("sub", query.Do("epoch", args[0]), query.Do("epoch", args[1]))
	}
	return l.refuse(c.start(), "subtract the dates: a - b", "this part of an AGE is not read here")
}

// age is the time between two dates.
func age(l *lowerer, c *callNode, args []query.Expr, s *scope) query.Expr {
	if len(args) == 1 {
		args = []query.Expr{l.now(c.start()), args[0]}
	}
	return query.Do("sub", l.asMoment(args[0], table.DateTime, s), l.asMoment(args[1], table.DateTime, s))
}

func dateDiff(_ *lowerer, _ *callNode, args []query.Expr, _ *scope) query.Expr {
	return query.Do("diff", unitLiteral("day"), args[1], args[0])
}

// patterns are those of TO_CHAR, the longest of a beginning first; pad is the width that PostgreSQL fills.
var patterns = []struct {
	pattern, layout, do string
	pad                 int64
}{
	{"YYYY", "%Y", "", 0}, {"IYYY", "%G", "", 0}, {"YY", "%y", "", 0}, {"FMMonth", "%B", "", 0}, {"FMMONTH", "%B",
		"upper", 0}, {"FMmonth", "%B", "lower", 0},
	{"Month", "%B", "", 9}, {"MONTH", "%B", "upper", 9}, {"month", "%B", "lower", 9}, {"Mon", "%b", "", 0}, {"MON",
		"%b", "upper", 0}, {"mon", "%b", "lower", 0},
	{"MM", "%m", "", 0}, {"DDD", "%j", "", 0}, {"DD", "%d", "", 0}, {"FMDay", "%A", "", 0}, {"Day", "%A", "", 9},
	{"DAY", "%A", "upper", 9}, {"day", "%A", "lower", 9},
	{"Dy", "%a", "", 0}, {"DY", "%a", "upper", 0}, {"HH24", "%H", "", 0}, {"HH12", "%I", "", 0}, {"HH", "%I", "", 0},
	{"MI", "%M", "", 0}, {"SS", "%S", "", 0},
	{"IW", "%V", "", 0}, {"ID", "%u", "", 0}, {"AM", "%p", "", 0}, {"PM", "%p", "", 0},
	{"yyyy", "%Y", "", 0}, {"mm", "%m", "", 0}, {"dd", "%d", "", 0}, {"hh24", "%H", "", 0}, {"mi", "%M", "", 0}, {"ss",
		"%S", "", 0}, {"Q", "", "quarter", 0},
}

func toChar(l *lowerer, c *callNode, args []query.Expr, s *scope) query.Expr {
	lit, is := args[1].(query.Literal)
	if !is || lit.Value.Type() != table.Text {
		return l.refuse(c.start(), "write it in quotes: 'YYYY-MM'", "the layout of TO_CHAR is not a text in quotes")
	}
	if l.typ(args[0], s).Numeric() {
		return l.refuse(c.start(), "write ROUND(...)", "TO_CHAR of a number is not read here")
	}
	e := l.moment(args[0], c.args[0].start(), s)
	var parts []query.Expr
	plain := "" // the layout so far, which one call of format_time says
	flush := func() {
		if plain != "" {
			parts = append(parts, formatted(plain, e))
		}
		plain = ""
	}
	for text := lit.Value.Text(); text != ""; {
		size, layout, other := pattern(text, e)
		if size == 0 {
			return l.refuse(c.args[1].start(), "write YYYY, MM, DD, HH24, MI, SS, Mon or Q",
				"the layout %q is not read here", short(text))
		}
		if plain += layout; other != nil {
			flush()
			parts = append(parts, other)
		}
		text = text[size:]
	}
	flush()
	switch len(parts) {
	case 0:
		return query.Lit(table.TextValue(""))
	case 1:
		return parts[0]
	}
	return query.Do("concat", parts...)
}

// pattern reads one pattern or sign of TO_CHAR: its size, and its letters of strftime or the expression that it is.
func pattern(text string, e query.Expr) (size int, layout string, other query.Expr) {
	for _, p := range patterns {
		switch {
		case !strings.HasPrefix(text, p.pattern):
			continue
		case p.do == "quarter":
			return 1, "", query.Cast{Expr: query.Do("part", unitLiteral("quarter"), e), Type: table.Text}
		case p.do == "" && p.pad == 0:
			return len(p.pattern), p.layout, nil
		}
		out := formatted(p.layout, e)
		if p.do != "" {
			out = query.Do(p.do, out)
		}
		if p.pad > 0 {
			out = query.Do("rpad", out, query.Lit(table.IntValue(p.pad)))
		}
		return len(p.pattern), "", out
	}
	switch c := text[0]; {
	case c == '"':
		if end := strings.IndexByte(text[1:], '"'); end >= 0 {
			return end + 2, strings.ReplaceAll(text[1:end+1], "%", "%%"), nil
		}
	case c == '%':
		return 1, "%%", nil
	case isDigit(c), strings.IndexByte(" -/.,:;_()", c) >= 0:
		return 1, text[:1], nil
	}
	return 0, "", nil
}

// isoLayouts are those that a date in a text has by itself.
var isoLayouts = set("YYYY-MM-DD", "YYYY-MM-DD HH24:MI:SS", "YYYY/MM/DD")

// toDate is TO_DATE and TO_TIMESTAMP.
func toDate(l *lowerer, c *callNode, args []query.Expr, s *scope) query.Expr {
	to := table.Date
	if c.name == "to_timestamp" {
		to = table.DateTime
	}
	if len(args) == 1 {
		return sinceEpoch(l.number(args[0], s))
	}
	lit, is := args[1].(query.Literal)
	if !is || !isoLayouts[strings.ToUpper(lit.Value.Text())] {
		return l.refuse(c.start(), "write 'YYYY-MM-DD'", "the layout of %s is not read here", strings.ToUpper(c.name))
	}
	if isText(args[0]) {
		return l.dateLiteral(args[0], to, c.args[0].start())
	}
	return query.Cast{Expr: l.textual(args[0], s), Type: to, Strict: true}
}
