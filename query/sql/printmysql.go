package sql

import (
	"maps"
	"strconv"
	"strings"

	"catena/table"
)

var mysqlLetters = marksOf{"Y": "%Y", "m": "%m", "d": "%d", "H": "%H", "M": "%i", "S": "%S", "j": "%j", "F": "%Y-%m-%d",
	"T": "%H:%i:%S", "V": "%v", "G": "%x"}

// mysqlWriter writes for MySQL and MariaDB. Texts compare by their bytes where the session's collation does, and that in
// which columns are read.
func mysqlWriter() *writer {
	return &writer{
		dialect: DialectMySQL, quote: "`", same: "(%s <=> %s)", allRows: "18446744073709551615",
		number: "CAST({0} AS SIGNED)", noFull: true, noSetAll: true, noNullsOrder: true, noFilter: true, noDefault: true,
		types: map[table.Type]string{
			table.Bool: "({0})", table.Int: "CAST({0} AS SIGNED)", table.Float: "({0} + 0e0)",
			table.Decimal: "CAST({0} AS DECIMAL(38, {s}))", table.Text: "{0}", table.Date: "CAST({0} AS DATE)",
			table.DateTime: "CAST({0} AS DATETIME(6))", table.Time: "CAST({0} AS TIME(6))",
		},
		casts: map[[2]table.Type]string{
			{table.Int, table.Float}: "({0} + 0e0)", {table.Int, table.Text}: "CAST({0} AS CHAR)",
			{table.Int, table.Bool}: "({0} <> 0)", {table.Int, table.Decimal}: "CAST({0} AS DECIMAL(65, {s}))",
			{table.Decimal, table.Float}: "({0} + 0e0)", {table.Decimal, table.Int}: "TRUNCATE({0}, 0)",
			{table.Decimal, table.Decimal}: "CAST({0} AS DECIMAL(65, {s}))", {table.Float, table.Bool}: "({0} <> 0)",
			{table.Bool, table.Int}: "({0} + 0)", {table.Bool, table.Float}: "({0} + 0e0)",
			{table.Date, table.DateTime}: "CAST({0} AS DATETIME(6))", {table.DateTime, table.Date}: "DATE({0})",
			{table.Date, table.Text}: "DATE_FORMAT({0}, '%Y-%m-%d')",
		},
		forms: mysqlForms(), aggregates: mysqlAggregates(),
	}
}

// mysqlArithmetic are the forms of an operator on exact numbers, and on others.
func mysqlArithmetic(op string) []form {
	return []form{
		{types: "##", literal: mysqlDigits, text: "({0} " + op + " {1})"},
		{types: "f+", text: "(({0} + 0e0) " + op + " ({1} + 0e0))"}, {types: "+f", text: "(({0} + 0e0) " + op + " ({1} + 0e0))"},
	}
}

// mysqlDigits asks for no more digits behind the point than the server keeps.
func mysqlDigits(args []cell) bool {
	const most = 30
	return args[0].Scale+args[1].Scale <= most
}

func mysqlForms() map[string][]form {
	forms := mysqlNumbers()
	maps.Copy(forms, mysqlTexts())
	maps.Copy(forms, mysqlTimes())
	return forms
}

func mysqlNumbers() map[string][]form {
	return map[string][]form{
		"add": append(mysqlArithmetic("+"), form{types: "Di", text: "DATE_ADD({0}, INTERVAL {1} DAY)"},
			form{types: "iD", text: "DATE_ADD({1}, INTERVAL {0} DAY)"}),
		"sub": append(mysqlArithmetic("-"), form{types: "Di", text: "DATE_SUB({0}, INTERVAL {1} DAY)"},
			form{types: "DD", text: "DATEDIFF({0}, {1})"}),
		"mul":  mysqlArithmetic("*"),
		"div":  {{types: "++", text: "(({0} + 0e0) / ({1} + 0e0))"}},
		"idiv": {{types: "ii", text: "({0} DIV {1})"}}, "mod": {{types: "##", text: "({0} % {1})"}},
		"neg": {{types: "+", text: "(- {0})"}}, "abs": {{types: "+", text: "ABS({0})"}}, "sign": {{types: "+", text: "SIGN({0})"}},
		"floor": {{types: "i", text: "{0}"}, {types: "+", text: "FLOOR({0})"}},
		"ceil":  {{types: "i", text: "{0}"}, {types: "+", text: "CEIL({0})"}},
		"round": {
			{types: "i", text: "{0}"}, {types: "d", text: "ROUND({0})"}, {types: "ii", literal: isCounted(0), text: "{0}"},
			{types: "di", literal: isCounted(0), write: mysqlRound},
		},
		"sqrt": {{types: "+", text: "SQRT({0} + 0e0)"}},
	}
}

// mysqlRound has its digits in the text: they decide how many the result has.
func mysqlRound(_ *printer, args []cell) (string, bool) {
	n, _ := literalInt(args[1])
	return "ROUND(" + args[0].text + ", " + strconv.FormatInt(min(n, table.MaxDigits), 10) + ")", true
}

func mysqlTexts() map[string][]form {
	return map[string][]form{
		"concat":    {{types: ".*", literal: textsAndInts, text: "CONCAT_WS('', {*})"}},
		"join_text": {{types: ".*", literal: textsAndInts, text: "CONCAT({*})"}},
		"length":    {{types: "t", text: "CHAR_LENGTH({0})"}}, "reverse": {{types: "t", text: "REVERSE({0})"}},
		"substring": {
			{types: "ti", literal: isCounted(1), text: "SUBSTRING({0}, {1})"},
			{types: "tii", literal: isCounted(1), text: "SUBSTRING({0}, {1}, {2})"},
		},
		"replace": {{types: "ttt", text: "REPLACE({*})"}}, "position": {{types: "tt", text: "LOCATE({1}, {0})"}},
		"contains":    {{types: "tt", text: "(LOCATE({1}, {0}) > 0)"}},
		"starts_with": {{types: "tt", text: "(LEFT({0}, CHAR_LENGTH({1})) = {1})"}},
		"ends_with":   {{types: "tt", text: "(RIGHT({0}, CHAR_LENGTH({1})) = {1})"}},
		"trim":        {{types: "t", text: "TRIM({0})"}}, "ltrim": {{types: "t", text: "LTRIM({0})"}}, "rtrim": {{types: "t", text: "RTRIM({0})"}},
		"like": {{types: "tt", text: "({0} LIKE {1} ESCAPE '')"}},
	}
}

func mysqlTimes() map[string][]form {
	forms := map[string][]form{
		"days": {{types: "D", text: "(DATEDIFF({0}, '1970-01-01') + 2440587.5e0)"}},
		"epoch": {{types: "D", text: "(DATEDIFF({0}, '1970-01-01') * 86400e0)"},
			{types: "T", text: "(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', {0}) / 1e6)"}},
		"format_time": {{types: "tD", write: mysqlLayout}, {types: "tT", write: mysqlLayout}},
		"trunc": append(byUnit("tD", "CAST(DATE_FORMAT({1}, '{unit}') AS DATE)", map[string]string{"year": "%Y-01-01", "month": "%Y-%m-01"}),
			form{types: "tD", literal: unitIs("day"), text: "{1}"},
			form{types: "tD", literal: unitIs("week"), text: "DATE_SUB({1}, INTERVAL WEEKDAY({1}) DAY)"},
			form{types: "tD", literal: unitIs("quarter"),
				text: "DATE_ADD(CAST(DATE_FORMAT({1}, '%Y-01-01') AS DATE), INTERVAL (QUARTER({1}) - 1) QUARTER)"}),
	}
	parts := map[string]string{
		"year": "YEAR({1})", "quarter": "QUARTER({1})", "month": "MONTH({1})", "day": "DAYOFMONTH({1})", "yearday": "DAYOFYEAR({1})",
		"weekday": "(DAYOFWEEK({1}) - 1)", "isoweekday": "(WEEKDAY({1}) + 1)", "week": "WEEK({1}, 3)", "isoyear": "(YEARWEEK({1}, 3) DIV 100)",
	}
	clock := map[string]string{"hour": "HOUR({1})", "minute": "MINUTE({1})", "second": "SECOND({1})"}
	forms["part"] = append(byUnit("tD", "{unit}", parts), byUnit("tT", "{unit}", parts)...)
	forms["part"] = append(forms["part"], append(byUnit("tT", "{unit}", clock), byUnit("tC", "{unit}", clock)...)...)
	units := same("year", "quarter", "month", "week", "day")
	forms["diff"] = append(byUnit("tDD", "DATEDIFF({2}, {1})", same("day")),
		byUnit("tTT", "TIMESTAMPDIFF({unit}, {1}, {2})", same("week", "day", "hour", "minute", "second"))...)
	forms["shift"] = append(byUnit("tiD", "DATE_ADD({2}, INTERVAL {1} {unit})", units), byUnit("tiT", "DATE_ADD({2}, INTERVAL {1} {unit})", units)...)
	return forms
}

func mysqlLayout(p *printer, args []cell) (string, bool) {
	layout, ok := mysqlLetters.layoutOf(args[0], func(s string) (string, bool) { return s, !strings.Contains(s, "%") })
	return "DATE_FORMAT(" + args[1].text + ", " + p.mark(table.TextValue(layout)) + ")", ok
}

func mysqlAggregates() map[string][]form {
	out := map[string][]form{
		"count": {{types: "", text: "COUNT(*){where}{over}"}, {types: ".", text: "COUNT({0}){where}{over}"}},
		"sum":   {{types: "+", text: "SUM({0}){where}{over}"}}, "mean": {{types: "+", text: "AVG({0} + 0e0){where}{over}"}},
		"any": {{types: "b", text: "MAX({0}){where}{over}"}}, "every": {{types: "b", text: "MIN({0}){where}{over}"}},
	}
	for name, f := range map[string]string{"stddev": "STDDEV_SAMP", "stddev_pop": "STDDEV_POP", "variance": "VAR_SAMP", "variance_pop": "VAR_POP"} {
		out[name] = []form{{types: "#", text: f + "({0} + 0e0){where}{over}"}}
	}
	for _, name := range []string{"min", "max"} {
		for _, t := range "ifdtDTC" {
			out[name] = append(out[name], form{types: string(t), text: strings.ToUpper(name) + "({0}){where}{over}"})
		}
	}
	return out
}
