package table_test

import (
	"strings"
	"testing"

	"catena/table"
	"catena/table/load"
)

// A column's name has no control characters, wherever it comes from: no plan could name the column, so that each question about the table was
// refused.
func TestNamesWithControlCharacters(t *testing.T) {
	for name, text := range map[string]string{
		"a.csv": "a\x01b,a\x02b,c\n1,2,3\n", "a.json": `[{"a\u0001b":1,"a\u0002b":2,"c":3}]`, "a.md": "|a\x01b|a\x02b|c|\n|-|-|-|\n|1|2|3|\n",
	} {
		named, err := load.Bytes([]byte(text), name, table.Limits{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var names []string
		for _, c := range named.Table.Columns() {
			names = append(names, c.Name)
		}
		if got := strings.Join(names, ","); got != "a\ufffdb,a\ufffdb_2,c" || !strings.Contains(strings.Join(named.Report.Notes, ";"), "has control characters") {
			t.Errorf("%s: %q, %q", name, got, named.Report.Notes)
		}
	}
}
