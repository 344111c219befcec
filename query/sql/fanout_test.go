package sql_test

import (
	"strings"
	"testing"

	"catena/query"
	"catena/query/run"
	"catena/query/sql"
	"catena/table"
	"catena/table/csv"
)

// held are tables that are catalog and content.
type held map[string]*table.Table

func (h held) Schema(name string) (query.Schema, bool) {
	t, ok := h[name]
	if !ok {
		return nil, false
	}
	return query.SchemaOf(t), true
}

func (h held) Tables() []string { return nil }

func holds(t *testing.T, text string) *table.Table {
	t.Helper()
	named, err := csv.Read(strings.NewReader(text), "t", table.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return named.Table
}

// Rows that a join repeats within a group are counted, however the tables hang together, and those that it does not
// are not.
func TestProbes(t *testing.T) {
	tables := held{
		"orders":  holds(t, "order_id,client,freight\n1,a,10\n2,a,5\n3,b,7\n"),
		"items":   holds(t, "item_id,of_order,sku,amount\n1,1,x,2\n2,1,y,3\n3,2,x,4\n4,3,x,1\n"),
		"skus":    holds(t, "code,kind\nx,tool\ny,tool\n"),
		"papers":  holds(t, "paper,cited\n1,50\n2,8\n"),
		"writes":  holds(t, "who,what\nann,1\nbob,1\nann,2\n"),
		"returns": holds(t, "ret,ret_order\n1,1\n2,1\n"),
	}
	tests := []struct {
		sql  string
		want int64 // rows that count again, all together
	}{
		{"SELECT SUM(freight) FROM orders JOIN items ON of_order = order_id", 1},
		{"SELECT client, SUM(freight) FROM orders JOIN items ON of_order = order_id GROUP BY client", 1},
		{"SELECT sku, SUM(freight) FROM orders JOIN items ON of_order = order_id GROUP BY sku", 0},
		{"SELECT kind, SUM(freight) FROM orders JOIN items ON of_order = order_id JOIN skus ON code = sku GROUP BY kind", 1},
		{"SELECT SUM(amount) FROM orders JOIN items ON of_order = order_id JOIN skus ON code = sku", 0},
		{"SELECT SUM(amount) FROM items JOIN returns ON ret_order = of_order", 2},
		{"SELECT SUM(freight * amount) FROM orders JOIN items ON of_order = order_id", 0},
		{"SELECT SUM(freight * amount) FROM orders JOIN items ON of_order = order_id JOIN returns ON ret_order = order_id", 2},
		{"SELECT COUNT(order_id) FROM orders LEFT JOIN items ON of_order = order_id", 1},
		{"SELECT COUNT(DISTINCT order_id), MAX(freight), COUNT(*) FROM orders LEFT JOIN items ON of_order = order_id", 0},
		{"SELECT COUNT(item_id) FROM orders LEFT JOIN items ON of_order = order_id AND amount > 99", 0},
		{"SELECT who, SUM(cited) FROM writes JOIN papers ON what = paper GROUP BY who", 0},
		{"SELECT SUM(cited) FROM writes JOIN papers ON what = paper", 1},
		{"SELECT SUM(freight) FROM orders WHERE EXISTS (SELECT 1 FROM items WHERE of_order = order_id)", 0},
		{"SELECT SUM(freight) FROM orders WHERE order_id IN (SELECT of_order FROM items)", 0},
		{"SELECT SUM(freight) FILTER (WHERE client = 'b') FROM orders JOIN items ON of_order = order_id", 0},
		{"SELECT SUM(f) FROM (SELECT freight AS f FROM orders JOIN items ON of_order = order_id) AS t", 1},
		{"SELECT AVG(s) FROM (SELECT client, SUM(freight) AS s FROM orders JOIN items ON of_order = order_id GROUP BY client) AS t", 1},
		{"WITH t AS (SELECT of_order, SUM(amount) AS n FROM items GROUP BY of_order) SELECT SUM(freight), SUM(n) FROM orders JOIN t ON of_order = order_id", 0},
		{"SELECT SUM(a.freight) FROM orders a JOIN orders b ON a.client = b.client", 2},
	}
	for _, test := range tests {
		q, findings, err := sql.Parse(test.sql, tables, sql.Options{})
		if err != nil || len(findings) > 0 {
			t.Fatalf("%s: %v %v", test.sql, findings, err)
		}
		var got int64
		for _, p := range query.Probes(q, tables) {
			res, err := run.Run(t.Context(), p.Query, run.TableMap(tables))
			if err != nil {
				t.Fatalf("%s: %v", test.sql, err)
			}
			if res.Table.NumCols() != len(p.Of) || res.Table.NumRows() != 1 {
				t.Fatalf("%s: %d rows of %d columns", test.sql, res.Table.NumRows(), res.Table.NumCols())
			}
			for c := range p.Of {
				n, _ := res.Table.Value(0, c).Int()
				got += n
			}
		}
		if got != test.want {
			t.Errorf("%s: %d rows count again, want %d", test.sql, got, test.want)
		}
	}
}
