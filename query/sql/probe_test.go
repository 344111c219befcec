package sql_test

import (
	"strings"
	"testing"

	"catena/query"
	"catena/query/sql"
)

// What asks whether a join counts rows more than once can be asked of a database, too.
func TestPrintProbes(t *testing.T) {
	const text = "SELECT s.town, COUNT(*) AS n, SUM(s.rent) AS rent FROM shop s JOIN sale x ON x.shop_id = s.id WHERE x.price > 1 GROUP BY s.town ORDER BY 3"
	q, findings, err := sql.Parse(text, printed, sql.Options{})
	if err != nil || len(findings) > 0 {
		t.Fatal(err, findings)
	}
	probes := query.Probes(q, printed)
	if len(probes) == 0 {
		t.Fatal("no probe")
	}
	for _, p := range probes {
		s, err := sql.Print(p.Query, stored{printed}, sql.DialectPostgreSQL)
		if err != nil || !strings.Contains(s.Text, "ROW_NUMBER() OVER ()") {
			t.Errorf("%v: %s", err, s.Text)
		}
	}
}
