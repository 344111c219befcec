package main

import (
	"encoding/json"
	"strings"
)

// base is a question over the demo with a right plan.
type base struct {
	question string
	sql      string // of its last step
	before   string // steps before that, each with a comma behind it
	id       string // of the last step
}

// bases are questions as people ask them.
var bases = []base{
	{question: "total revenue in US dollars of each region in 2025",
		sql: "SELECT region, SUM(revenue_usd) AS revenue FROM revenue " +
			"WHERE month >= '2025-01-01' AND month < '2026-01-01' GROUP BY region ORDER BY revenue DESC"},
	{question: "the five clients with the highest revenue in 2025",
		sql: "SELECT client, SUM(revenue_usd) AS revenue FROM revenue " +
			"WHERE EXTRACT(YEAR FROM month) = 2025 GROUP BY client ORDER BY revenue DESC LIMIT 5"},
	{question: "open tickets by priority",
		sql: "SELECT priority, COUNT(*) AS tickets FROM tickets " +
			"WHERE status = 'open' GROUP BY priority ORDER BY tickets DESC"},
	{question: "average first response time of each ticket category",
		sql: "SELECT category, AVG(first_response_minutes) AS minutes FROM tickets GROUP BY category"},
	{question: "how many clients are there in each industry?",
		sql: "SELECT industry, COUNT(*) AS clients FROM clients WHERE industry IS NOT NULL GROUP BY industry"},
	{question: "revenue of each year",
		sql: "SELECT EXTRACT(YEAR FROM month) AS year, SUM(revenue_usd) AS revenue FROM revenue " +
			"GROUP BY EXTRACT(YEAR FROM month) ORDER BY year"},
	{question: "monthly revenue of the top 5 clients in the USA, summed",
		before: `{"id":"s1","tool":"get_top_clients","args":{"region":"USA","limit":5}},` +
			`{"id":"s2","tool":"get_client_revenue","args":{"client_ids":{"ref":"s1.rows[*].client_id"}}},`,
		id: "s3", sql: "SELECT client, SUM(revenue_usd) AS revenue FROM s2 " +
			"GROUP BY client ORDER BY revenue DESC"},
	{question: "tickets of each client's region",
		sql: "SELECT c.region, COUNT(*) AS tickets FROM tickets t " +
			"JOIN clients c ON c.client_id = t.client_id GROUP BY c.region ORDER BY tickets DESC"},
}

// plan is the right plan, with another statement where one is given.
func (b base) plan(sql string) string {
	if sql == "" {
		sql = b.sql
	}
	id := b.id
	if id == "" {
		id = "s1"
	}
	text, _ := json.Marshal(sql) // a text always has JSON
	return `{"title":"Answer","confidence":0.9,"steps":[` + b.before +
		`{"id":"` + id + `","tool":"query_table","args":{"sql":` +
		string(text) + `}}],"answer":[{"ref":"` + id + `"}]}`
}

// swap writes the plan with other words; false where the words are not there.
func (b base) swap(pairs ...string) (string, bool) {
	was := b.plan("")
	to := strings.NewReplacer(pairs...).Replace(was)
	return to, to != was
}

// swapSQL does the same within the statement.
func (b base) swapSQL(pairs ...string) (string, bool) {
	to := strings.NewReplacer(pairs...).Replace(b.sql)
	return b.plan(to), to != b.sql
}
