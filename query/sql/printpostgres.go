package sql

import (
	"maps"
	"strings"

	"catena/table"
)

// writers are the dialects that queries are written in.
var writers = map[Dialect]*writer{DialectSQLite: sqliteWriter(), DialectPostgreSQL: postgresWriter(), DialectMySQL: mysqlWriter()}

// marksOf are the letters of strftime that a dialect says as it is said here, by its own letters.
type marksOf map[string]string

// layoutOf is a constant layout of strftime in another dialect's letters; plain quotes what is no letter.
func (m marksOf) layoutOf(c cell, plain func(string) (string, bool)) (string, bool) {
	if c.literal == nil || c.Type != table.Text {
		return "", false
	}
	var b strings.Builder
	for text := c.literal.Text(); text != ""; {
		if text[0] != '%' || len(text) < 2 {
			end := strings.IndexByte(text[1:], '%') + 1
			if end == 0 {
				end = len(text)
			}
			quoted, ok := plain(text[:end])
			if !ok {
				return "", false
			}
			b.WriteString(quoted)
			text = text[end:]
			continue
		}
		letter, ok := m[text[1:2]]
		if !ok {
			return "", false
		}
		b.WriteString(letter)
		text = text[2:]
	}
	return b.String(), true
}

// unitIs asks that the first argument is a unit of time.
func unitIs(name string) func([]cell) bool {
	return func(args []cell) bool {
		return args[0].literal != nil && strings.EqualFold(args[0].literal.Text(), name)
	}
}

// isCounted asks that arguments behind the first are constants of at least a number.
func isCounted(least int64) func([]cell) bool {
	return func(args []cell) bool {
		for _, a := range args[1:] {
			if n, ok := literalInt(a); !ok || n < least {
				return false
			}
		}
		return true
	}
}

// ofTexts asks for texts and integers, one text at least: what joins without a cast.
func textsAndInts(args []cell) bool {
	texts := 0
	for _, a := range args {
		switch a.Type {
		case table.Text:
			texts++
		case table.Int:
		default:
			return false
		}
	}
	return texts > 0
}

// isASCII asks that the second argument is a constant of ASCII, whose case has one meaning.
func isASCII(args []cell) bool {
	l := args[1].literal
	return l != nil && strings.IndexFunc(l.Text(), func(r rune) bool { return r >= 128 }) < 0
}

// isEscape asks that the third argument is one constant character.
func isEscape(args []cell) bool {
	l := args[2].literal
	return l != nil && len(l.Text()) == 1
}

// byUnit are forms of one text for each unit, {unit} being what the dialect calls it.
func byUnit(types, text string, units map[string]string) []form {
	var out []form
	for name, to := range units {
		out = append(out, form{types: types, literal: unitIs(name), text: strings.ReplaceAll(text, "{unit}", to)})
	}
	return out
}

func same(names ...string) map[string]string {
	out := map[string]string{}
	for _, n := range names {
		out[n] = n
	}
	return out
}

var postgresLetters = marksOf{"Y": "YYYY", "m": "MM", "d": "DD", "H": "HH24", "M": "MI", "S": "SS", "j": "DDD",
	"F": "YYYY-MM-DD", "T": "HH24:MI:SS", "V": "IW", "G": "IYYY", "u": "ID", "q": "Q"}

func postgresWriter() *writer {
	w := &writer{
		dialect: DialectPostgreSQL, quote: `"`, mark1: "$", same: "(%s IS NOT DISTINCT FROM %s)", collate: ` COLLATE "C"`,
		allRows: "ALL", number: "({0})::int8",
		types: map[table.Type]string{
			table.Bool: "({0})::boolean", table.Int: "({0})::int8", table.Float: "({0})::float8", table.Decimal: "({0})::numeric",
			table.Text: "({0})::text", table.Date: "({0})::date", table.DateTime: "({0})::timestamp", table.Time: "({0})::time",
		},
		casts: map[[2]table.Type]string{
			{table.Int, table.Float}: "({0})::float8", {table.Int, table.Text}: "({0})::text", {table.Int, table.Bool}: "({0} <> 0)",
			{table.Int, table.Decimal}: "round(({0})::numeric, {s})", {table.Decimal, table.Float}: "({0})::float8",
			{table.Decimal, table.Int}: "trunc({0})::int8", {table.Decimal, table.Decimal}: "({0})::numeric(38, {s})",
			{table.Float, table.Int}: "trunc({0})::int8", {table.Float, table.Decimal}: "round(({0})::text::numeric, {s})",
			{table.Float, table.Bool}: "({0} <> 0)", {table.Bool, table.Int}: "({0})::int4::int8",
			{table.Bool, table.Float}: "({0})::int4::float8", {table.Date, table.DateTime}: "({0})::timestamp",
			{table.DateTime, table.Date}: "({0})::date", {table.DateTime, table.Time}: "({0})::time",
			{table.Date, table.Text}: "to_char({0}, 'YYYY-MM-DD')",
		},
		forms: postgresForms(), aggregates: postgresAggregates(),
	}
	return w
}

// arithmetic are the forms of an operator on integers, on numbers of which none is a float, and on others.
func postgresArithmetic(op string) []form {
	return []form{
		{types: "ii", text: "({0} " + op + " {1})"}, {types: "##", text: "(({0})::numeric " + op + " ({1})::numeric)"},
		{types: "++", text: "(({0})::float8 " + op + " ({1})::float8)"},
	}
}

// postgresForms are the forms of all functions.
func postgresForms() map[string][]form {
	forms := map[string][]form{}
	for _, some := range []map[string][]form{postgresNumbers(), postgresTexts(), postgresTimes()} {
		maps.Copy(forms, some)
	}
	return forms
}

func postgresNumbers() map[string][]form {
	return map[string][]form{
		"add": append(
			postgresArithmetic("+"),
			form{types: "Di", text: "({0} + ({1})::int4)"},
			form{types: "iD", text: "({1} + ({0})::int4)"},
		),
		"sub": append(postgresArithmetic("-"), form{types: "Di", text: "({0} - ({1})::int4)"},
			form{types: "DD", text: "({0} - {1})::int8"}, form{types: "TT", text: "({0} - {1})"}),
		"mul": postgresArithmetic("*"),
		"div": {
			{types: "ii", text: "(({0})::float8 / NULLIF(({1})::float8, 0))"},
			{types: "##", text: "(({0})::numeric / NULLIF(({1})::numeric, 0))::float8"},
			{types: "++", text: "(({0})::float8 / NULLIF(({1})::float8, 0))"},
		},
		"idiv": {{types: "ii", text: "({0} / NULLIF({1}, 0))"}},
		"mod": {
			{types: "ii", text: "({0} % NULLIF({1}, 0))"},
			{types: "##", text: "(({0})::numeric % NULLIF(({1})::numeric, 0))"},
		},
		"neg": {{types: "+", text: "(- {0})"}}, "abs": {{types: "+", text: "abs({0})"}},
		"sign":  {{types: "+", text: "sign({0})::int8"}},
		"floor": {{types: "i", text: "{0}"}, {types: "d", text: "floor({0})::int8"}, {types: "f", text: "floor({0})"}},
		"ceil":  {{types: "i", text: "{0}"}, {types: "d", text: "ceil({0})::int8"}, {types: "f", text: "ceil({0})"}},
		"round": {
			{types: "i", text: "{0}"}, {types: "d", text: "round({0})"},
			{
				types:   "ii",
				literal: isCounted(0),
				text:    "{0}",
			}, {types: "di", literal: isCounted(0), text: "round({0}, ({1})::int4)"},
		},
		"sqrt":  {{types: "+", text: "(CASE WHEN {0} >= 0 THEN sqrt(({0})::float8) END)"}},
		"least": {{}}, "greatest": {{}},
	}
}

func postgresTexts() map[string][]form {
	return map[string][]form{
		"concat": {
			{types: ".*", literal: textsAndInts, text: "concat({*})"},
		}, "join_text": {{types: ".*", literal: textsAndInts, text: "({||})"}},
		"length": {{types: "t", text: "length({0})::int8"}}, "reverse": {{types: "t", text: "reverse({0})"}},
		"substring": {
			{types: "ti", literal: isCounted(0), text: "substr({0}, ({1})::int4)"},
			{types: "tii", literal: isCounted(0), text: "substr({0}, ({1})::int4, ({2})::int4)"},
		},
		"replace": {{types: "ttt", text: "replace({*})"}}, "position": {{types: "tt", text: "strpos({0}, {1})::int8"}},
		"contains":    {{types: "tt", text: "(strpos({0}, {1}) > 0)"}},
		"starts_with": {{types: "tt", text: "starts_with({0}, {1})"}},
		"ends_with":   {{types: "tt", text: "(right({0}, length({1})) = {1})"}},
		"trim":        {{types: "t", text: "btrim({0}, ' ')"}, {types: "tt", text: "btrim({0}, {1})"}},
		"ltrim":       {{types: "t", text: "ltrim({0}, ' ')"}, {types: "tt", text: "ltrim({0}, {1})"}},
		"rtrim":       {{types: "t", text: "rtrim({0}, ' ')"}, {types: "tt", text: "rtrim({0}, {1})"}},
		"like": {
			{
				types: "tt",
				text:  "({0} LIKE {1} ESCAPE '')",
			}, {types: "ttt", literal: isEscape, text: "({0} LIKE {1} ESCAPE {2})"},
		},
		"ilike": {{types: "tt", literal: isASCII, text: `({0} COLLATE "C" ILIKE {1} ESCAPE '')`}},
	}
}

func postgresTimes() map[string][]form {
	forms := map[string][]form{
		"days": {{types: "D", text: "(({0} - DATE '1970-01-01')::float8 + 2440587.5)"}},
		"epoch": {
			{
				types: "D",
				text:  "EXTRACT(epoch FROM ({0})::timestamp)::float8",
			}, {types: "T", text: "EXTRACT(epoch FROM {0})::float8"},
			{types: "L", text: "EXTRACT(epoch FROM {0})::float8"},
		},
		"format_time": {{types: "tD", write: postgresLayout}, {types: "tT", write: postgresLayout}},
	}
	days := same("year", "quarter", "month", "week", "day")
	forms["trunc"] = append(byUnit("tD", "date_trunc('{unit}', ({1})::timestamp)::date", days),
		byUnit("tT", "date_trunc('{unit}', {1})", same(truncUnitNames...))...)
	fields := same("year", "isoyear", "quarter", "month", "week", "day", "hour", "minute")
	fields["weekday"], fields["isoweekday"], fields["yearday"] = "dow", "isodow", "doy"
	for _, types := range []string{"tD", "tT"} {
		forms["part"] = append(forms["part"], byUnit(types, "EXTRACT({unit} FROM ({1})::timestamp)::int8", fields)...)
	}
	forms["part"] = append(forms["part"], byUnit("tT", "floor(EXTRACT({unit} FROM {1}))::int8", same("second"))...)
	forms["part"] = append(
		forms["part"],
		byUnit("tC", "floor(EXTRACT({unit} FROM {1}))::int8", same("hour", "minute", "second"))...)
	lengths := map[string]string{"week": "604800", "day": "86400", "hour": "3600", "minute": "60", "second": "1"}
	forms["diff"] = append(byUnit("tDD", "({2} - {1})::int8", same("day")),
		byUnit("tTT", "trunc(EXTRACT(epoch FROM ({2} - {1}))::numeric / {unit})::int8", lengths)...)
	steps := map[string]string{
		"year":    "years => ",
		"quarter": "months => 3 * ",
		"month":   "months => ",
		"week":    "weeks => ",
		"day":     "days => ",
	}
	forms["shift"] = append(byUnit("tiD", "({2} + make_interval({unit}({1})::int4))::date", steps),
		byUnit("tiT", "({2} + make_interval({unit}({1})::int4))", steps)...)
	return forms
}

// truncUnitNames are the units that a time is cut to.
var truncUnitNames = []string{"year", "quarter", "month", "week", "day", "hour", "minute", "second"}

// postgresLayout is TO_CHAR with the layout of strftime.
func postgresLayout(p *printer, args []cell) (string, bool) {
	layout, ok := postgresLetters.layoutOf(args[0], func(s string) (string, bool) {
		return `"` + s + `"`, !strings.ContainsAny(s, `"\`)
	})
	if !ok {
		return "", false
	}
	return "to_char(" + args[1].text + ", " + p.castText(p.mark(table.TextValue(layout)), table.Text, 0) + ")", true
}

func postgresAggregates() map[string][]form {
	out := map[string][]form{
		"count":  {{types: "", text: "COUNT(*){where}{over}"}, {types: ".", text: "COUNT({0}){where}{over}"}},
		"sum":    {{types: "i", text: "(SUM({0}){where}{over})::int8"}, {types: "+", text: "SUM({0}){where}{over}"}},
		"mean":   {{types: "#", text: "(AVG({0}){where}{over})::float8"}, {types: "f", text: "AVG({0}){where}{over}"}},
		"median": {{types: "+", text: "PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY ({0})::float8){where}"}},
		"any": {
			{types: "b", text: "BOOL_OR({0}){where}{over}"},
		}, "every": {{types: "b", text: "BOOL_AND({0}){where}{over}"}},
	}
	for name, f := range map[string]string{"stddev": "STDDEV_SAMP", "stddev_pop": "STDDEV_POP", "variance": "VAR_SAMP", "variance_pop": "VAR_POP"} {
		out[name] = []form{{types: "#", text: "(" + f + "({0}){where}{over})::float8"}}
	}
	for _, name := range []string{"min", "max"} {
		for _, t := range "ifdtDTC" {
			out[name] = append(out[name], form{types: string(t), text: strings.ToUpper(name) + "({0}){where}{over}"})
		}
	}
	return out
}
