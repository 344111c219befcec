package main

import (
	"encoding/json"
	"regexp"
	"strings"
)

// kind is one way in which models write plans otherwise.
type kind struct {
	name  string
	token string // what a correction must name for the model to see it; "" for whatever it says
	of    func(b base) (text string, made bool)
}

// around is a kind that writes something around the whole plan.
func around(name, before, after string) kind {
	return kind{name: name, of: func(b base) (string, bool) { return before + b.plan("") + after, true }}
}

// words is a kind that writes other words in the whole plan.
func words(name, token string, pairs ...string) kind {
	return kind{name, token, func(b base) (string, bool) { return b.swap(pairs...) }}
}

// inSQL is a kind that writes other words in the statement.
func inSQL(name, token string, pairs ...string) kind {
	return kind{name, token, func(b base) (string, bool) { return b.swapSQL(pairs...) }}
}

// matching is a kind that writes what a pattern matches in the statement otherwise.
func matching(name, token, pattern, to string) kind {
	re := regexp.MustCompile(pattern)
	return kind{name, token, func(b base) (string, bool) {
		sql := re.ReplaceAllString(b.sql, to)
		return b.plan(sql), sql != b.sql
	}}
}

// single makes a kind of what is written for a plan of one step.
func single(name, token string, write func(sql string) string) kind {
	return kind{name, token, func(b base) (string, bool) { return write(b.sql), b.before == "" }}
}

func quoted(s string) string {
	text, _ := json.Marshal(s) // a text always has JSON
	return string(text)
}

// kinds are the slips.
var kinds = []kind{
	// prose and envelopes
	around("prose around", "Sure! Here is the plan for your question:\n\n",
		"\n\nLet me know if you need anything else."),
	around("a fence", "```json\n", "\n```"),
	around("thoughts", "<think>The user wants a table. I could use {\"tool\": ...}.</think>\n", ""),
	around("in a list", "[", "]"),
	around("in an object plan", `{"plan":`, `}`),
	around("an array of plans in a fence", "Plan:\n```\n", "\n```\nThis plan answers the question."),
	{"encoded twice", "", func(b base) (string, bool) { return quoted(b.plan("")), true }},
	{"a trailing comma", "", func(b base) (string, bool) {
		return strings.Replace(b.plan(""), "}]}", "},]}", 1), true
	}},
	{"no answer", "", func(b base) (string, bool) {
		head, _, ok := strings.Cut(b.plan(""), `,"answer"`)
		return head + "}", ok
	}},
	single("the statement alone", "", func(sql string) string { return sql }),
	single("the statement in a fence", "", func(sql string) string { return "```sql\n" + sql + ";\n```" }),
	single("the statement in prose", "", func(sql string) string {
		return "You can answer this with the following query:\n\n```sql\n" + sql + "\n```\n\nIt groups the rows."
	}),
	single("an object with the statement", "", func(sql string) string { return `{"sql":` + quoted(sql) + `}` }),
	single("a lone step", "", func(sql string) string {
		return `{"id":"s1","tool":"query_table","args":{"sql":` + quoted(sql) + `}}`
	}),
	single("native calls of OpenAI", "", func(sql string) string {
		return `{"tool_calls":[{"id":"call_a1","type":"function","function":{"name":"query_table","arguments":` +
			quoted(`{"sql":`+quoted(sql)+`}`) + `}}]}`
	}),
	single("native calls of Anthropic", "", func(sql string) string {
		return `{"type":"tool_use","id":"toolu_1","name":"query_table","input":{"sql":` + quoted(sql) + `}}`
	}),
	single("native calls of Qwen and Hermes", "", func(sql string) string {
		return "<tool_call>\n" + `{"name":"query_table","arguments":{"sql":` + quoted(sql) + `}}` + "\n</tool_call>"
	}),
	single("native calls of Mistral", "", func(sql string) string {
		return `[TOOL_CALLS] [{"name":"query_table","arguments":{"sql":` + quoted(sql) + `}}]`
	}),
	single("a call as Python writes it", "", func(sql string) string { return `query_table(sql=` + quoted(sql) + `)` }),
	single("action of ReAct", "", func(sql string) string {
		return "Thought: I need to query.\nAction: query_table\nAction Input: " + `{"sql":` + quoted(sql) + `}`
	}),
	// names of tools, arguments and references
	words("tool in camel case", "querytable", `"query_table"`, `"queryTable"`),
	words("tool with a prefix", "functions", `"query_table"`, `"functions.query_table"`),
	words("tool of its toolset", "data", `"query_table"`, `"data.query_table"`),
	words("tool called sql", "sql", `"query_table"`, `"sql"`),
	words("tool called execute_sql", "execute_sql", `"query_table"`, `"execute_sql"`),
	words("tool called run_query", "run_query", `"query_table"`, `"run_query"`),
	words("argument called query", "query", `"args":{"sql"`, `"args":{"query"`),
	words("argument called statement", "statement", `"args":{"sql"`, `"args":{"statement"`),
	words("argument called sql_query", "sql_query", `"args":{"sql"`, `"args":{"sql_query"`),
	words("args called parameters", "parameters", `"args"`, `"parameters"`),
	words("args called arguments, tool function", "", `"args"`, `"arguments"`, `"tool"`, `"function"`),
	words("wrapped arguments", "args", `"args":{"sql"`, `"args":{"query_table":{"sql"`, `}}],"answer"`,
		`}}}],"answer"`),
	words("references as $ref", "", `"ref"`, `"$ref"`),
	words("references as texts", "", `{"ref":"s1.rows[*].client_id"}`, `"s1.rows[*].client_id"`),
	words("references as templates", "", `{"ref":"s1.rows[*].client_id"}`, `"{{s1.rows[*].client_id}}"`),
	words("references in dollars", "", `{"ref":"s1.rows[*].client_id"}`, `"${s1.rows[*].client_id}"`),
	words("references by column", "", `s1.rows[*].client_id`, `s1.client_id`),
	words("references with output", "", `s1.rows[*].client_id`, `s1.output.rows[*].client_id`),
	words("answer as a text", "", `"answer":[{"ref":"s1"}]`, `"answer":"s1"`, `"answer":[{"ref":"s3"}]`,
		`"answer":"s3"`),
	words("ids that are numbers", "", `"id":"s1"`, `"id":1`, `"s1.rows`, `"1.rows`, `"id":"s2"`, `"id":2`, `FROM s2`,
		`FROM s2`),
	words("numbers as texts", "", `"limit":5`, `"limit":"5"`),
	words("a word for a number", "limit", `"limit":5`, `"limit":"five"`),
	words("an argument too many", "", `"limit":5`, `"limit":5,"sort":null`),
	words("an argument in camel case", "", `"client_ids"`, `"clientIds"`),
	words("an argument in the singular", "", `"client_ids"`, `"client_id"`),
	words("a tool that is misspelt", "get_top_client", `get_top_clients`, `get_top_client`),
	words("a step given as data, too", "", `"sql":"SELECT client, SUM(revenue_usd) AS revenue FROM s2`,
		`"data":{"ref":"s2"},"sql":"SELECT client, SUM(revenue_usd) AS revenue FROM s2`),
	words("a step given as data, by another name", "", `"sql":"SELECT client, SUM(revenue_usd) AS revenue FROM s2`,
		`"data":{"ref":"s2"},"sql":"SELECT client, SUM(revenue_usd) AS revenue FROM data`),
	words("a table given twice", "", `"args":{"sql":"SELECT priority`,
		`"args":{"table":"tickets","sql":"SELECT priority`),
	// names of tables and columns
	inSQL("columns in camel case", "revenueusd", "revenue_usd", "revenueUsd", "first_response_minutes",
		"firstResponseMinutes", "client_id", "clientId"),
	inSQL("columns in capitals", "", "revenue_usd", "REVENUE_USD", "priority", "PRIORITY", "industry", "INDUSTRY"),
	inSQL("columns with blanks", "revenue usd", "revenue_usd", `"Revenue USD"`, "first_response_minutes",
		`"First Response Minutes"`),
	inSQL("columns that are misspelt", "reveneu_usd", "revenue_usd", "reveneu_usd"),
	inSQL("columns without their unit", "first_response", "first_response_minutes", "first_response"),
	inSQL("columns of another table", "client_name", "SELECT client,", "SELECT client_name,", "GROUP BY client ",
		"GROUP BY client_name "),
	inSQL("a table in the singular", "ticket", "FROM tickets", "FROM ticket", "FROM clients", "FROM client"),
	inSQL("a table with a schema", "public", "FROM ", "FROM public.", "JOIN ", "JOIN public."),
	inSQL("a table in capitals", "", "FROM tickets", "FROM TICKETS", "FROM revenue", "FROM REVENUE", "FROM clients",
		"FROM Clients"),
	inSQL("backticks", "", "revenue_usd", "`revenue_usd`", "FROM tickets", "FROM `tickets`"),
	inSQL("brackets", "", "revenue_usd", "[revenue_usd]", "FROM tickets", "FROM [tickets]"),
	inSQL("a step in quotes", "", "FROM s2", `FROM "s2"`),
	inSQL("a step in braces", "", "FROM s2", `FROM {s2}`),
	inSQL("a step as a template", "", "FROM s2", `FROM {{s2}}`),
	inSQL("rows of a step", "", "FROM s2", `FROM s2.rows`),
	// values
	inSQL("a value in capitals", "", "'open'", "'OPEN'"),
	inSQL("a value as a title", "", "'open'", "'Open'"),
	inSQL("a value in double quotes", "", "'open'", `"open"`),
	words("a value that people say", "", `"USA"`, `"United States"`),
	// dialects
	inSQL("a semicolon", "", "GROUP BY", "GROUP BY", "DESC", "DESC;"),
	inSQL("year of MySQL", "year", "EXTRACT(YEAR FROM month)", "YEAR(month)"),
	inSQL("year of SQLite", "", "EXTRACT(YEAR FROM month) = 2025", "strftime('%Y', month) = '2025'"),
	inSQL("year as a number of a text", "", "EXTRACT(YEAR FROM month)", "CAST(strftime('%Y', month) AS INTEGER)"),
	inSQL("date_part", "", "EXTRACT(YEAR FROM month)", "DATE_PART('year', month)"),
	inSQL("year as the beginning of a text", "", "EXTRACT(YEAR FROM month) = 2025", "SUBSTR(month, 1, 4) = '2025'"),
	inSQL("a date like a text", "", "EXTRACT(YEAR FROM month) = 2025", "month LIKE '2025%'"),
	inSQL("date literals", "", "'2025-01-01'", "DATE '2025-01-01'", "'2026-01-01'", "DATE '2026-01-01'"),
	inSQL("casts of PostgreSQL", "", "SUM(revenue_usd)", "SUM(revenue_usd)::numeric"),
	inSQL("TOP of SQL Server", "top", "SELECT client,", "SELECT TOP 5 client,", " LIMIT 5", ""),
	inSQL("FETCH FIRST", "", "LIMIT 5", "FETCH FIRST 5 ROWS ONLY"),
	inSQL("grouped by place", "", "GROUP BY region", "GROUP BY 1", "GROUP BY priority", "GROUP BY 1",
		"GROUP BY category", "GROUP BY 1"),
	inSQL("ordered by place", "", "ORDER BY revenue", "ORDER BY 2", "ORDER BY tickets", "ORDER BY 2"),
	inSQL("ordered by the aggregate", "", "ORDER BY revenue DESC", "ORDER BY SUM(revenue_usd) DESC",
		"ORDER BY tickets DESC", "ORDER BY COUNT(*) DESC"),
	inSQL("grouped by the alias", "", "GROUP BY EXTRACT(YEAR FROM month)", "GROUP BY year"),
	inSQL("equals twice", "", "status = 'open'", "status == 'open'"),
	inSQL("MEAN for AVG", "mean", "AVG(", "MEAN("),
	inSQL("COUNT of nothing", "count", "COUNT(*)", "COUNT()"),
	inSQL("COUNT of one", "", "COUNT(*)", "COUNT(1)"),
	inSQL("IFNULL", "", "SUM(revenue_usd)", "SUM(IFNULL(revenue_usd, 0))"),
	inSQL("NVL", "nvl", "SUM(revenue_usd)", "SUM(NVL(revenue_usd, 0))"),
	inSQL("ILIKE", "", "status = 'open'", "status ILIKE 'open'"),
	inSQL("LOWER", "", "status = 'open'", "LOWER(status) = 'open'"),
	inSQL("a quoted number", "", "= 2025", "= '2025'"),
	inSQL("BETWEEN dates", "", "month >= '2025-01-01' AND month < '2026-01-01'",
		"month BETWEEN '2025-01-01' AND '2025-12-31'"),
	inSQL("a CTE", "", "SELECT region, SUM", "WITH r AS (SELECT * FROM revenue) SELECT region, SUM",
		"FROM revenue WHERE", "FROM r WHERE"),
	inSQL("NULLS LAST", "", "DESC", "DESC NULLS LAST"),
	inSQL("USING", "", "ON c.client_id = t.client_id", "USING (client_id)"),
	matching("line breaks", "", ` (FROM|WHERE|GROUP|ORDER)`, "\n$1"),
	matching("a comment", "", ` FROM`, " -- the table\nFROM"),
	// the grammar in JSON
	single("a table and avg", "avg", func(string) string {
		return `{"steps":[{"id":"s1","tool":"query_table","args":{"table":"tickets","group_by":["category"],` +
			`"select":["category",{"expr":"avg","column":"first_response_minutes"}]}}]}`
	}),
}

func init() {
	// A plan in the grammar answers one question only.
	last := &kinds[len(kinds)-1]
	write := last.of
	last.of = func(b base) (string, bool) {
		text, _ := write(b)
		return text, strings.Contains(b.sql, "AVG(")
	}
	kinds = append(kinds, grammar...)
}

// grammarOf is a kind of plan in query_table's JSON, for the question about open tickets.
func grammarOf(name, token, args string) kind {
	return kind{name, token, func(b base) (string, bool) {
		text := `{"steps":[{"id":"s1","tool":"query_table","args":` + args + `}]}`
		return text, b.question == "open tickets by priority"
	}}
}

// grammar are slips in the JSON of query_table.
var grammar = []kind{
	grammarOf("op as a sign", "",
		`{"table":"tickets","select":["priority",{"expr":"count"}],"filter":[{"column":"status","op":"="`+
			`,"value":"open"}],"group_by":["priority"]}`),
	grammarOf("op twice a sign", "",
		`{"table":"tickets","select":["priority",{"expr":"count"}],"filter":[{"column":"status","op":"=="`+
			`,"value":"open"}],"group_by":["priority"]}`),
	grammarOf("op in words", "",
		`{"table":"tickets","select":["priority",{"expr":"count"}],"filter":[{"column":"status"`+
			`,"op":"equals","value":"open"}],"group_by":["priority"]}`),
	grammarOf("a filter as a map", "",
		`{"table":"tickets","select":["priority",{"expr":"count"}],"filter":{"status":"open"},`+
			`"group_by":["priority"]}`),
	grammarOf("a filter as one condition", "",
		`{"table":"tickets","select":["priority",{"expr":"count"}],"filter":{"column":"status","op":"eq"`+
			`,"value":"open"},"group_by":["priority"]}`),
	grammarOf("filters", "filters",
		`{"table":"tickets","select":["priority",{"expr":"count"}],"filters":[{"column":"status","op":"eq"`+
			`,"value":"open"}],"group_by":["priority"]}`),
	grammarOf("where", "where",
		`{"table":"tickets","select":["priority",{"expr":"count"}],"where":[{"column":"status","op":"eq"`+
			`,"value":"open"}],"group_by":["priority"]}`),
	grammarOf("group as a text", "",
		`{"table":"tickets","select":["priority",{"expr":"count"}],"filter":[{"column":"status","op":"eq"`+
			`,"value":"open"}],"group_by":"priority"}`),
	grammarOf("order with desc in the text", "",
		`{"table":"tickets","select":["priority",{"expr":"count","as":"n"}],"filter":[{"column":"status"`+
			`,"op":"eq","value":"open"}],"group_by":["priority"],"order_by":["n desc"]}`),
	grammarOf("order with direction", "direction",
		`{"table":"tickets","select":["priority",{"expr":"count","as":"n"}],"filter":[{"column":"status"`+
			`,"op":"eq","value":"open"}],"group_by":["priority"],"order_by":[{"column":"n","direction":"desc"}]}`),
	grammarOf("an aggregate as a call", "",
		`{"table":"tickets","select":["priority","count(*)"],"filter":[{"column":"status","op":"eq"`+
			`,"value":"open"}],"group_by":["priority"]}`),
	grammarOf("agg for expr", "agg",
		`{"table":"tickets","select":["priority",{"agg":"count"}],"filter":[{"column":"status","op":"eq"`+
			`,"value":"open"}],"group_by":["priority"]}`),
	grammarOf("func for expr", "func",
		`{"table":"tickets","select":["priority",{"func":"count"}],"filter":[{"column":"status","op":"eq"`+
			`,"value":"open"}],"group_by":["priority"]}`),
	grammarOf("alias for as", "alias",
		`{"table":"tickets","select":["priority",{"expr":"count","alias":"n"}],`+
			`"filter":[{"column":"status","op":"eq","value":"open"}],"group_by":["priority"]}`),
	grammarOf("count of a star", "",
		`{"table":"tickets","select":["priority",{"expr":"count","column":"*"}],`+
			`"filter":[{"column":"status","op":"eq","value":"open"}],"group_by":["priority"]}`),
	grammarOf("field for column", "field",
		`{"table":"tickets","select":["priority",{"expr":"count"}],"filter":[{"field":"status","op":"eq"`+
			`,"value":"open"}],"group_by":["priority"]}`),
	grammarOf("a value in capitals, JSON", "",
		`{"table":"tickets","select":["priority",{"expr":"count"}],"filter":[{"column":"status","op":"eq"`+
			`,"value":"OPEN"}],"group_by":["priority"]}`),
	grammarOf("a value that is not there", "",
		`{"table":"tickets","select":["priority",{"expr":"count"}],"filter":[{"column":"status","op":"eq"`+
			`,"value":"opened"}],"group_by":["priority"]}`),
	grammarOf("a column that is misspelt", "prioritty",
		`{"table":"tickets","select":["prioritty",{"expr":"count"}],"filter":[{"column":"status","op":"eq"`+
			`,"value":"open"}],"group_by":["prioritty"]}`),
}
