package columnar

import (
	"context"
	"database/sql"
	"strings"

	"catena/internal/text"
)

// SQLite asks whether it goes on between its instructions, and a call of a function is one. Some functions take time by
// the product of their arguments' lengths: trim(x, y), instr, replace, json_patch. Where a database computes with any
// function that is not known to take time by the length alone, its values have slowCell bytes at most, so that one call
// of any function takes less than a second.
const slowCell = 8 << 10

// likePattern bounds the patterns of LIKE and GLOB, which take time by the product of both lengths.
const likePattern = 256

// linearSQL are functions that take time by the length of their arguments, and words that a bracket may follow.
var linearSQL = text.Set("abs|avg|cast|char|coalesce|count|cume_dist|date|datetime|dense_rank|first_value|format|group_concat|hex|ifnull|iif|julianday|lag|last_value|" +
	"lead|length|lower|max|min|nth_value|ntile|nullif|octet_length|percent_rank|printf|quote|rank|round|row_number|sign|strftime|string_agg|substr|substring|sum|" +
	"time|total|typeof|unicode|unixepoch|upper|zeroblob|" +
	"all|always|and|as|between|by|case|check|distinct|else|except|exists|filter|from|having|in|intersect|is|join|like|limit|not|offset|on|or|over|partition|" +
	"recursive|select|then|union|using|values|when|where|with|decimal|numeric|varchar|character|integer|int|text|real|float|double|key|unique|references")

// computedCell is how many bytes a value may have that the views and generated columns of a database make.
func computedCell(ctx context.Context, db *sql.Conn) (int, error) {
	rows, err := db.QueryContext(ctx, `SELECT name, sql FROM `+strangerSchema+
		`.sqlite_master WHERE sql IS NOT NULL AND type IN ('view', 'table')`)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	cell := viewCell
	for rows.Next() {
		var name, text string
		if err := rows.Scan(&name, &text); err != nil {
			return 0, err
		}
		if callsOthers(text, name) {
			cell = slowCell
		}
	}
	return cell, rows.Err()
}

// callsOthers reports whether a statement may call a function that is not in linearSQL. It looks at what stands before
// each bracket, and takes what it cannot tell for such a call.
func callsOthers(statement, name string) bool {
	if strings.Contains(statement, "--") || strings.Contains(statement, "/*") {
		return strings.Contains(statement, "(")
	}
	before, rest, more := strings.Cut(statement, "(")
	if head := strings.Join(strings.Fields(before), " "); isHead(head, name) || isHead(head, quoteIdent(name)) {
		before, rest, more = strings.Cut(rest, "(") // behind the name stand its columns
	}
	for ; more; before, rest, more = strings.Cut(rest, "(") {
		before = strings.TrimRight(before, " \t\r\n\f")
		word := before[strings.LastIndexFunc(before, func(r rune) bool { return !wordRune(r) })+1:]
		switch {
		case word != "" && !linearSQL[strings.ToLower(word)]:
			return true
		case word == "" && before != "" && strings.IndexByte("=<>+-*/%|&~,;", before[len(before)-1]) < 0:
			return true
		}
	}
	return false
}

// isHead reports whether a statement's text before its first bracket says what it makes, and no more.
func isHead(head, name string) bool {
	return strings.EqualFold(head, "CREATE TABLE "+name) || strings.EqualFold(head, "CREATE VIEW "+name)
}

// wordRune reports whether a character may stand in a name without quotes.
func wordRune(r rune) bool {
	const plain = "_$0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	return r > 127 || strings.ContainsRune(plain, r)
}
