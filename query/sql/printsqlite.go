package sql

import (
	"strings"

	"catena/table"
)

var sqliteLetters = marksOf{"Y": "%Y", "m": "%m", "d": "%d", "w": "%w", "j": "%j", "H": "%H", "M": "%M", "S": "%S"}

// sqliteWriter writes for SQLite, which has no decimals, and whose dates are texts: those as YYYY-MM-DD alone are said.
func sqliteWriter() *writer {
	return &writer{
		dialect: DialectSQLite, quote: `"`, mark1: "?", same: "(%s IS %s)", collate: " COLLATE BINARY", allRows: "-1",
		noSetAll: true, firstOfMany: true, exactMixed: true,
		number: "CAST({0} AS INTEGER)",
		types: map[table.Type]string{
			table.Int: "{0}", table.Float: "{0}", table.Text: "{0}", table.Date: "{0}", table.Bool: "{0}",
			table.Decimal: "CAST({0} AS REAL)",
		},
		casts: map[[2]table.Type]string{
			{table.Int, table.Float}: "CAST({0} AS REAL)", {table.Int, table.Text}: "CAST({0} AS TEXT)",
			{table.Int, table.Bool}: "({0} <> 0)", {table.Float, table.Int}: "CAST({0} AS INTEGER)",
			{table.Float, table.Bool}: "({0} <> 0)", {table.Bool, table.Int}: "({0})", {table.Bool, table.Float}: "CAST({0} AS REAL)",
			{table.Date, table.Text}: "{0}",
		},
		forms: sqliteForms(), aggregates: sqliteAggregates(),
	}
}

// floating are the forms of an operator on integers and floats.
func sqliteArithmetic(text string) []form {
	var out []form
	for _, types := range []string{"ii", "if", "fi", "ff"} {
		out = append(out, form{types: types, text: text})
	}
	return out
}

// eachOf is a form for one argument of each of some types.
func eachOf(types, text string) []form {
	var out []form
	for _, t := range types {
		out = append(out, form{types: string(t), text: text})
	}
	return out
}

func sqliteForms() map[string][]form {
	forms := map[string][]form{
		"add": append(sqliteArithmetic("({0} + {1})"), form{types: "Di", text: "date({0}, ({1}) || ' days')"}),
		"sub": append(
			sqliteArithmetic("({0} - {1})"),
			form{types: "Di", text: "date({0}, -({1}) || ' days')"},
			form{types: "DD", text: "CAST(julianday({0}) - julianday({1}) AS INTEGER)"},
		),
		"mul":  sqliteArithmetic("({0} * {1})"),
		"div":  sqliteArithmetic("(CAST({0} AS REAL) / {1})"),
		"idiv": {{types: "ii", text: "({0} / {1})"}}, "mod": {{types: "ii", text: "({0} % {1})"}},
		"neg": eachOf("if", "(- {0})"), "abs": eachOf("if", "abs({0})"), "sign": eachOf("if", "sign({0})"),
		"floor": {{types: "i", text: "{0}"}, {types: "f", text: "floor({0})"}},
		"ceil":  {{types: "i", text: "{0}"}, {types: "f", text: "ceil({0})"}},
		"round": {
			{types: "i", text: "{0}"},
			{types: "f", text: "round({0})"},
			{types: "ii", literal: isCounted(0), text: "{0}"},
			{types: "fi", literal: isCounted(0), text: "round({0}, {1})"},
		},
		"sqrt": eachOf("if", "(CASE WHEN {0} >= 0 THEN sqrt({0}) END)"),

		"concat": {
			{types: ".*", write: sqliteConcat},
		}, "join_text": {{types: ".*", literal: textsAndInts, text: "({||})"}},
		"length": {{types: "t", text: "length({0})"}},
		"substring": {
			{
				types:   "ti",
				literal: isPlace,
				text:    "substr({0}, {1})",
			}, {types: "tii", literal: isPlace, text: "substr({0}, {1}, {2})"},
		},
		"replace": {{types: "ttt", text: "replace({*})"}}, "position": {{types: "tt", text: "instr({0}, {1})"}},
		"contains":    {{types: "tt", text: "(instr({0}, {1}) > 0)"}},
		"starts_with": {{types: "tt", text: "(substr({0}, 1, length({1})) = {1})"}},
		"trim":        {{types: "t", text: "trim({0})"}, {types: "tt", text: "trim({0}, {1})"}},
		"ltrim":       {{types: "t", text: "ltrim({0})"}, {types: "tt", text: "ltrim({0}, {1})"}},
		"rtrim":       {{types: "t", text: "rtrim({0})"}, {types: "tt", text: "rtrim({0}, {1})"}},
		"like":        {{types: "tt", write: sqliteGlob}},
		"ilike":       {{types: "tt", literal: isASCII, text: "({0} LIKE {1})"}},

		"days": {
			{types: "D", text: "julianday({0})"},
		}, "epoch": {{types: "D", text: "CAST(strftime('%s', {0}) AS REAL)"}},
		"diff":        byUnit("tDD", "CAST(julianday({2}) - julianday({1}) AS INTEGER)", same("day")),
		"shift":       byUnit("tiD", "date({2}, ({1}){unit} || ' days')", map[string]string{"day": "", "week": " * 7"}),
		"format_time": {{types: "tD", write: sqliteLayout}},
	}
	forms["trunc"] = append(
		byUnit(
			"tD",
			"date({1}, '{unit}')",
			map[string]string{"year": "start of year", "month": "start of month", "week": "-6 days', 'weekday 1"},
		),
		form{types: "tD", literal: unitIs("day"), text: "{1}"},
		form{
			types:   "tD",
			literal: unitIs("quarter"),
			text:    "date({1}, 'start of month', '-' || ((strftime('%m', {1}) - 1) % 3) || ' months')",
		},
	)
	forms["part"] = append(
		byUnit(
			"tD",
			"CAST(strftime('{unit}', {1}) AS INTEGER)",
			map[string]string{"year": "%Y", "month": "%m", "day": "%d", "weekday": "%w", "yearday": "%j"},
		),
		form{types: "tD", literal: unitIs("quarter"), text: "((strftime('%m', {1}) + 2) / 3)"},
		form{types: "tD", literal: unitIs("isoweekday"), text: "((strftime('%w', {1}) + 6) % 7 + 1)"},
	)
	return forms
}

// isPlace asks for a constant place, which is not 0, and for a length that is not below it.
func isPlace(args []cell) bool {
	at, ok := literalInt(args[1])
	return ok && at != 0 && isCounted(0)(args[1:])
}

// sqliteConcat leaves nulls out.
func sqliteConcat(_ *printer, args []cell) (string, bool) {
	if !textsAndInts(args) {
		return "", false
	}
	parts := make([]string, len(args))
	for i, a := range args {
		parts[i] = "coalesce(" + a.text + ", '')"
	}
	return "(" + strings.Join(parts, " || ") + ")", true
}

// sqliteGlob is LIKE with the case that counts: GLOB, whose signs are others.
func sqliteGlob(p *printer, args []cell) (string, bool) {
	l := args[1].literal
	if l == nil {
		return "", false
	}
	glob := strings.NewReplacer("*", "[*]", "?", "[?]", "[", "[[]", "%", "*", "_", "?").Replace(l.Text())
	return "(" + args[0].text + " GLOB " + p.mark(table.TextValue(glob)) + ")", true
}

func sqliteLayout(p *printer, args []cell) (string, bool) {
	layout, ok := sqliteLetters.layoutOf(args[0], func(s string) (string, bool) { return s, !strings.Contains(s, "%") })
	return "strftime(" + p.mark(table.TextValue(layout)) + ", " + args[1].text + ")", ok
}

func sqliteAggregates() map[string][]form {
	return map[string][]form{
		"count": {{types: "", text: "COUNT(*){where}{over}"}, {types: ".", text: "COUNT({0}){where}{over}"}},
		"sum":   eachOf("if", "SUM({0}){where}{over}"), "mean": eachOf("if", "AVG({0}){where}{over}"),
		"min": eachOf("iftDbd", "MIN({0}){where}{over}"), "max": eachOf("iftDbd", "MAX({0}){where}{over}"),
		"any": {{types: "b", text: "MAX({0}){where}{over}"}}, "every": {{types: "b", text: "MIN({0}){where}{over}"}},
	}
}
