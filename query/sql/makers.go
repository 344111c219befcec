package sql

import (
	"strings"

	"catena/query"
	"catena/table"
)

// The functions here make the algebra of SQL functions that are not one function there.

func truncated(_ *lowerer, _ *callNode, args []query.Expr, _ *scope) query.Expr {
	return query.Do("mul", query.Do("sign", args[0]), query.Do("floor", query.Do("abs", args[0])))
}

// logarithm is to base 10 in both dialects; LOG(b, x) has its base first.
func logarithm(_ *lowerer, _ *callNode, args []query.Expr, _ *scope) query.Expr {
	if len(args) == 1 {
		return query.Do("log10", args[0])
	}
	return query.Do("log", args...)
}

// extremeOf is SQLite's MAX or MIN of several values: null where one of them is.
func extremeOf(do string) func(*lowerer, *callNode, []query.Expr, *scope) query.Expr {
	return func(_ *lowerer, _ *callNode, args []query.Expr, _ *scope) query.Expr {
		nulls := make([]query.Expr, 0, len(args))
		for _, a := range args {
			switch lit, is := a.(query.Literal); {
			case !is:
				nulls = append(nulls, query.Do("is_null", a))
			case lit.Value.IsNull():
				return lit
			}
		}
		e := query.Do(do, args...)
		if len(nulls) == 0 {
			return e
		}
		some := nulls[0]
		if len(nulls) > 1 {
			some = query.Do("or", nulls...)
		}
		return query.Case{Branches: []query.Branch{{When: query.Do("not", some), Then: e}}}
	}
}

func leftOf(_ *lowerer, _ *callNode, args []query.Expr, _ *scope) query.Expr {
	return query.Do("substring", args[0], query.Lit(one), args[1])
}

func rightOf(_ *lowerer, _ *callNode, args []query.Expr, _ *scope) query.Expr {
	if lit, is := args[1].(query.Literal); is {
		return query.Do("substring", args[0], query.Lit(negative(lit.Value)))
	}
	return query.Do("substring", args[0], query.Do("neg", args[1]))
}

// regexpReplace replaces all matches: PostgreSQL's flag g. Without it only the first one would go, which has no
// counterpart.
func regexpReplace(l *lowerer, c *callNode, args []query.Expr, _ *scope) query.Expr {
	flags := ""
	if len(args) == 4 {
		if lit, is := args[3].(query.Literal); is {
			flags = lit.Value.Text()
		}
	}
	pattern := args[1]
	if strings.Contains(flags, "i") {
		pattern = query.Do("concat", query.Lit(table.TextValue("(?i)")), pattern)
	}
	if !strings.Contains(flags, "g") {
		l.find(Unsupported, c.start(), "all matches are replaced: add 'g' to say so",
			"REGEXP_REPLACE without 'g' replaces one match").Doubt = true
	}
	return query.Do("regexp_replace", args[0], pattern, args[2])
}

// concatWith is CONCAT_WS: each text that is not null with the separator before it, less the first separator.
func concatWith(_ *lowerer, _ *callNode, args []query.Expr, _ *scope) query.Expr {
	parts := make([]query.Expr, 0, len(args)-1)
	for _, a := range args[1:] {
		parts = append(parts, query.Do("join_text", args[0], a))
	}
	from := query.Do("add", query.Do("length", args[0]), query.Lit(one))
	return query.Do("substring", query.Do("concat", parts...), from)
}

func firstKnown(l *lowerer, _ *callNode, args []query.Expr, s *scope) query.Expr {
	return query.Do("coalesce", l.unified(args, s)...)
}

func nullIf(l *lowerer, c *callNode, args []query.Expr, s *scope) query.Expr {
	a, b := l.alike(args[0], args[1], s, c.start())
	return query.Do("nullif", a, b)
}

func ifElse(l *lowerer, _ *callNode, args []query.Expr, s *scope) query.Expr {
	out := query.Case{Branches: []query.Branch{{When: args[0], Then: args[1]}}}
	if len(args) == 3 {
		out.Else = args[2]
	}
	return l.unifiedCase(out, s)
}

// printed is PRINTF with %d, %s, %f and %%.
func printed(l *lowerer, c *callNode, args []query.Expr, s *scope) query.Expr {
	const hint = "write ROUND(...) and ||"
	lit, is := args[0].(query.Literal)
	if !is || lit.Value.Type() != table.Text {
		return l.refuse(c.start(), hint, "the layout of %s is not a text in quotes", strings.ToUpper(c.name))
	}
	var parts []query.Expr
	layout, used := lit.Value.Text(), 1
	for layout != "" {
		at := strings.IndexByte(layout, '%')
		if at != 0 {
			if at < 0 {
				at = len(layout)
			}
			parts = append(parts, query.Lit(table.TextValue(layout[:at])))
			layout = layout[at:]
			continue
		}
		if strings.HasPrefix(layout, "%%") {
			parts, layout = append(parts, query.Lit(table.TextValue("%"))), layout[2:]
			continue
		}
		size, scale, kind := verb(layout)
		if size == 0 || used >= len(args) {
			return l.refuse(c.start(), hint, "the layout %q is not read here", short(layout))
		}
		parts = append(parts, l.printedValue(args[used], scale, kind, s))
		layout, used = layout[size:], used+1
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return query.Do("concat", parts...)
}

// verb reads %d, %s, %f and %.2f: its size, the digits behind the point and its letter; size 0 is none of these.
func verb(layout string) (size int, scale int32, kind byte) {
	scale, i := 6, 1
	if strings.HasPrefix(layout[i:], ".") && len(layout) > i+1 && isDigit(layout[i+1]) {
		scale = int32(layout[i+1] - '0')
		i += 2
	}
	if i < len(layout) && strings.IndexByte("dsf", layout[i]) >= 0 {
		return i + 1, scale, layout[i]
	}
	return 0, 0, 0
}

func (l *lowerer) printedValue(e query.Expr, scale int32, kind byte, s *scope) query.Expr {
	switch kind {
	case 'f':
		e = query.Cast{Expr: l.number(e, s), Type: table.Decimal, Scale: scale}
	case 'd':
		e = query.Cast{Expr: l.number(e, s), Type: table.Int}
	}
	return l.textual(e, s)
}

// types are the types of CAST.
var types = map[string]table.Type{
	"INT": table.Int, "INTEGER": table.Int, "BIGINT": table.Int, "SMALLINT": table.Int, "TINYINT": table.Int,
	"INT2": table.Int,
	"INT4": table.Int, "INT8": table.Int, "SIGNED": table.Int, "UNSIGNED": table.Int, "SIGNED INTEGER": table.Int,
	"MEDIUMINT":        table.Int,
	"UNSIGNED INTEGER": table.Int,
	"REAL":             table.Float, "FLOAT": table.Float, "DOUBLE": table.Float, "DOUBLE PRECISION": table.Float,
	"FLOAT4": table.Float, "FLOAT8": table.Float,
	"DECIMAL": table.Decimal, "NUMERIC": table.Decimal, "DEC": table.Decimal, "NUMBER": table.Decimal,
	"MONEY": table.Decimal,
	"TEXT":  table.Text, "VARCHAR": table.Text, "CHAR": table.Text, "CHARACTER": table.Text,
	"CHARACTER VARYING": table.Text,
	"STRING":            table.Text, "NVARCHAR": table.Text, "CLOB": table.Text, "NAME": table.Text,
	"BPCHAR": table.Text,
	"UUID":   table.Text,
	"DATE":   table.Date, "TIMESTAMP": table.DateTime, "DATETIME": table.DateTime, "TIMESTAMPTZ": table.DateTime,
	"TIME": table.Time, "BOOLEAN": table.Bool, "BOOL": table.Bool,
}

func (l *lowerer) cast(x castNode, s *scope) query.Expr {
	if parts, is := l.interval(x, s); is {
		return l.lengthOf(parts, 1, x.start())
	}
	to, is := types[x.typ.name]
	if !is {
		return l.refuse(x.typ.at, "write INTEGER, REAL, DECIMAL(p, s), TEXT, DATE, TIMESTAMP or BOOLEAN",
			"the type %s is not known", short(x.typ.name))
	}
	e := l.expr(x.x, s)
	if isText(e) && (to.Temporal() || to == table.Bool) {
		return l.dateLiteral(e, to, x.x.start())
	}
	from := l.typ(e, s)
	if from == table.Bool && to.Numeric() {
		return oneOrZero(e)
	}
	out := query.Cast{Expr: e, Type: to, Strict: l.postgres() && !x.try}
	switch to {
	case table.Decimal:
		out.Scale = scaleOf(x.typ)
	case table.Text:
		return l.cutText(out, x.typ)
	case from:
		return e
	case table.Int:
		if l.postgres() && from.Numeric() {
			out.Expr = query.Do("round", e) // PostgreSQL rounds, SQLite cuts
		}
	}
	return out
}

// scaleOf is the digits behind the point: those of DECIMAL(p, s), none of DECIMAL(p), all that there are of DECIMAL.
func scaleOf(t typeName) int32 {
	switch len(t.args) {
	case 0:
		return -1
	case 1:
		return 0
	}
	return int32(t.args[1])
}

// cutText is a text of a type such as VARCHAR(3), which PostgreSQL cuts.
func (l *lowerer) cutText(e query.Expr, t typeName) query.Expr {
	if !l.postgres() || len(t.args) != 1 || t.args[0] < 1 {
		return e
	}
	return query.Do("substring", e, query.Lit(one), query.Lit(table.IntValue(t.args[0])))
}

// dateLiteral is a text in quotes as a date or time of a type.
func (l *lowerer) dateLiteral(e query.Expr, to table.Type, at int) query.Expr {
	e = l.literalAs(e, to, at)
	lit, is := e.(query.Literal)
	if !is || lit.Value.IsNull() {
		return e
	}
	return query.Lit(asType(lit.Value, to))
}

// asType is a date as a date and time, or the other way.
func asType(v table.Value, to table.Type) table.Value {
	t, ok := v.Time()
	switch {
	case !ok || v.Type() == to:
		return v
	case to == table.Date:
		return table.DateValue(t.Year(), t.Month(), t.Day())
	case to == table.DateTime:
		return table.DateTimeValue(t)
	}
	return v
}
