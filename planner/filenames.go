package planner

import (
	"regexp"
	"slices"
	"strings"

	"catena/planner/plan"
)

// fileName is what may end a file's name in a message: the name's last word and its ending.
var fileName = regexp.MustCompile(`(?i)([\p{L}\p{N}_-]+)((?:\.(?:csv|tsv|txt|xlsx|jsonl?|ndjson|parquet|arrow|` +
	`feather|html?|md|db|sqlite3?))(?:\.gz|\.zip)?)\b`)

// withoutEndings is a message without the endings of files' names where the name before them is a table's: "sum of
// clients.csv" asks of the table clients. A table of the demo is nobody's file.
func withoutEndings(message string, tables []plan.TableInfo) string {
	found := fileName.FindAllStringSubmatchIndex(message, -1)
	for _, at := range slices.Backward(found) {
		end, rest := at[3], at[1]
		before := nameKey(message[:end])
		named := func(t plan.TableInfo) bool {
			name := nameKey(t.Name)
			return !isDemo(t) && strings.TrimSpace(name) != "" && strings.HasSuffix(before, name)
		}
		if slices.ContainsFunc(tables, named) {
			message = message[:end] + message[rest:]
		}
	}
	return message
}
