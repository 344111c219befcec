package data_test

import (
	"errors"
	"io/fs"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"catena/internal/access"
	"catena/query"
	"catena/table"
	"catena/tools"
)

// ratOf is a number as it is written.
func ratOf(t *testing.T, v table.Value) *big.Rat {
	t.Helper()
	r, ok := new(big.Rat).SetString(v.Text())
	if !ok {
		t.Fatalf("%v is no number", v)
	}
	return r
}

// folds compute an aggregate of the rows that a cell is of, apart from the algebra: in rational numbers.
var folds = map[string]func(t *testing.T, values []table.Value) *big.Rat{
	"total": func(t *testing.T, values []table.Value) *big.Rat {
		sum := new(big.Rat)
		for _, v := range values {
			sum.Add(sum, ratOf(t, v))
		}
		return sum
	},
	"n": func(_ *testing.T, values []table.Value) *big.Rat { return big.NewRat(int64(len(values)), 1) },
	"high": func(t *testing.T, values []table.Value) *big.Rat {
		return ratOf(t, slices.MaxFunc(values, table.Compare))
	},
	"mid": func(t *testing.T, values []table.Value) *big.Rat {
		slices.SortFunc(values, table.Compare)
		a, b := ratOf(t, values[(len(values)-1)/2]), ratOf(t, values[len(values)/2])
		return a.Add(a, b).Quo(a, big.NewRat(2, 1))
	},
}

// Random cells of an answer are what their rows give, taken page by page and folded here.
func TestTraceCellRecomputes(t *testing.T) {
	reg, kit := kitchen(t, nil)
	res := call(t, reg, "query_table", `{"sql": "SELECT r.country, r.month, SUM(r.revenue_usd) AS total, COUNT(r.revenue_usd) AS n, MAX(r.revenue_usd) AS high, MEDIAN(r.revenue_usd) AS mid FROM revenue r JOIN clients c ON c.client_id = r.client_id WHERE c.contracts > 1 AND r.revenue_usd IS NOT NULL GROUP BY r.country, r.month HAVING COUNT(*) > 2 ORDER BY total DESC"}`)
	if res.IsError {
		t.Fatal(res.Text)
	}
	g := rand.New(rand.NewPCG(19, 2))
	names := []string{"total", "n", "high", "mid"}
	for i := range 60 {
		row, column := g.IntN(res.Table.NumRows()), names[g.IntN(len(names))]
		limit := []int{500, 7}[i/54] // each page runs the question again
		var values []table.Value
		for offset := 0; ; {
			got, err := kit.TraceCell(t.Context(), ann, tools.CellPage{Handle: res.Handle, Row: row, Column: column, Offset: offset, Limit: limit})
			if err != nil {
				t.Fatal(err)
			}
			for i := range got.Rows.NumRows() {
				values = append(values, got.Rows.Value(i, got.Rows.Index("revenue_usd")))
				if c := got.Rows.Value(i, got.Rows.Index("r.country")); !table.Equal(c, res.Table.Value(row, 0)) {
					t.Fatalf("a row of %v for a cell of %v", c, res.Table.Value(row, 0))
				}
			}
			if offset += got.Rows.NumRows(); offset >= got.Total {
				break
			}
		}
		want, _ := res.Table.Value(row, res.Table.Index(column)).Float()
		got, _ := folds[column](t, values).Float64()
		if diff := want - got; diff > 1e-6 || diff < -1e-6 {
			t.Errorf("%s of row %d: %v of its rows, %v in the answer", column, row, got, want)
		}
	}
}

func TestTraceCell(t *testing.T) {
	reg, kit := kitchen(t, nil)
	bySegment := call(t, reg, "query_table", `{"sql": "SELECT segment, SUM(contracts) AS contracts FROM clients WHERE region = 'USA' GROUP BY segment ORDER BY segment"}`)
	pivot := call(t, reg, "pivot_table", `{"data": "clients", "rows": ["segment"], "columns": "region"}`)
	again := call(t, reg, "query_table", `{"sql": "SELECT MAX(contracts) AS most FROM s", "tables": {"s": "`+bySegment.Handle+`"}}`)
	inline := call(t, reg, "query_table", `{"sql": "SELECT SUM(a) AS a FROM x", "tables": {"x": "a\n1\n2\n"}}`)
	top := call(t, reg, "get_top_clients", `{"region": "USA"}`)
	page := func(handle, column string, row int) tools.CellPage {
		return tools.CellPage{Handle: handle, Column: column, Row: row, Limit: 1000}
	}
	got, err := kit.TraceCell(t.Context(), ann, page(bySegment.Handle, "contracts", 0))
	if err != nil || got.Table != "clients" || got.Expression != `sum of Contracts of all clients where Region is "USA"` || !strings.Contains(got.Filter, `Segment is "Enterprise"`) {
		t.Errorf("%+v %v", got, err)
	}
	if got.Total != got.Rows.NumRows() || got.Rows.Column(0).Name != "row" {
		t.Errorf("%d rows of %d, %v", got.Rows.NumRows(), got.Total, got.Rows.Names())
	}
	cell, err := kit.TraceCell(t.Context(), ann, page(pivot.Handle, "USA", 0))
	if err != nil || cell.Total != got.Total {
		t.Errorf("a pivot's cell: %d rows, want %d, %v", cell.Total, got.Total, err)
	}
	if got, err = kit.TraceCell(t.Context(), ann, page(again.Handle, "0", 0)); err != nil || got.Total != 3 {
		t.Errorf("of a result: %+v %v", got, err)
	}
	for name, p := range map[string]tools.CellPage{
		"were not kept":      page(inline.Handle, "a", 0),
		"not made by":        page(top.Handle, "client", 0),
		"there is no column": page(bySegment.Handle, "contract", 0),
		"from 0 on":          page(bySegment.Handle, "contracts", 99),
	} {
		if _, err := kit.TraceCell(t.Context(), ann, p); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := kit.TraceCell(t.Context(), access.Caller{ID: "somebody else"}, page(bySegment.Handle, "contracts", 0)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("somebody else: %v", err)
	}
}

// A cell of a union is one of its side, and a group over a union has rows of both tables.
func TestTraceCellUnion(t *testing.T) {
	reg, kit := kitchen(t, nil)
	union := call(t, reg, "query_table", `{"sql": "SELECT 'clients' AS what, COUNT(*) AS n FROM clients WHERE region = 'USA' UNION ALL SELECT 'tickets', COUNT(*) FROM tickets WHERE status = 'open' ORDER BY what DESC"}`)
	over := call(t, reg, "query_table", `{"sql": "SELECT COUNT(*) AS n FROM (SELECT client_id FROM clients WHERE region = 'USA' UNION ALL SELECT client_id FROM tickets WHERE status = 'open')"}`)
	if union.IsError || over.IsError {
		t.Fatal(union.Text, over.Text)
	}
	counts := map[string]int{}
	for row := range 2 {
		name := union.Table.Value(row, 0).Text()
		n, _ := union.Table.Value(row, 1).Int()
		got, err := kit.TraceCell(t.Context(), ann, tools.CellPage{Handle: union.Handle, Row: row, Column: "n", Limit: 10})
		if err != nil || got.Table != name || got.Total != int(n) {
			t.Errorf("%s: %d rows of %s, want %d, %v", name, got.Total, got.Table, n, err)
		}
		counts[name] = int(n)
	}
	got, err := kit.TraceCell(t.Context(), ann, tools.CellPage{Handle: over.Handle, Column: "n", Limit: 100_000})
	if err != nil {
		t.Fatal(err)
	}
	for row := range got.Rows.NumRows() {
		counts[got.Rows.Value(row, got.Rows.Index(query.TableName)).Text()]--
	}
	if counts["clients"] != 0 || counts["tickets"] != 0 {
		t.Errorf("rows of the tables are missing, or too many: %v", counts)
	}
}

// Cells of answers in query_table's JSON, which planners and older clients write, are what their rows give.
func TestTraceCellJSON(t *testing.T) {
	reg, kit := kitchen(t, nil)
	part := func(region string) string {
		res := call(t, reg, "query_table", `{"sql": "SELECT * FROM clients WHERE region = '`+region+`'"}`)
		return res.Handle
	}
	for _, query := range []string{
		`{"table": "revenue", "group_by": ["region"], "select": ["region", {"expr": "sum", "column": "revenue_usd", "as": "total"}, {"expr": "count", "column": "revenue_usd", "as": "n"}]}`,
		`{"table": "revenue", "filter": [{"column": "month", "op": "ge", "value": "2025-01"}, {"column": "revenue_usd", "op": "not_null"}], "group_by": ["country", {"column": "month", "period": "quarter", "as": "q"}],
			"select": ["country", "q", {"expr": "sum", "column": "revenue_usd", "as": "total"}, {"expr": "max", "column": "revenue_usd", "as": "high"}, {"expr": "median", "column": "revenue_usd", "as": "mid"}],
			"having": [{"column": "total", "op": "gt", "value": 1000}], "order_by": [{"column": "total", "desc": true}], "limit": 15}`,
		`{"table": "revenue", "join": [{"table": "clients", "on": [["client_id", "client_id"]]}], "filter": [{"column": "contracts", "op": "gt", "value": 4}], "group_by": ["segment"], "select": ["segment", {"expr": "sum", "column": "revenue_usd", "as": "total"}]}`,
		`{"table": "clients", "join": [{"table": "tickets", "on": [["client_id", "client_id"]]}], "group_by": ["priority"], "select": ["priority", {"expr": "sum", "column": "contracts", "as": "contracts"}]}`,
		`{"table": "clients", "filter": [{"column": "region", "op": "eq", "value": "USA"}], "select": ["client", "contracts"], "order_by": [{"column": "contracts", "desc": true}], "limit": 5}`,
		`{"table": "clients", "select": ["segment"], "distinct": true}`,
		`{"table": "revenue", "group_by": ["region"], "select": ["region", {"expr": "sum", "column": "revenue_usd", "as": "total"}], "share_of_total": "total", "rank_by": "total"}`,
		`{"table": "revenue", "derive": [{"as": "margin", "op": "sub", "left": "revenue_usd", "right": "cost_usd"}], "group_by": ["region"], "select": ["region", {"expr": "sum", "column": "margin", "as": "margin"}]}`,
		`{"table": "` + part("USA") + `", "union": ["` + part("Canada") + `"], "group_by": ["region"], "select": ["region", {"expr": "count", "as": "n"}]}`,
	} {
		res := call(t, reg, "query_table", query)
		if res.IsError {
			t.Fatalf("%s: %s", query, res.Text)
		}
		cells := 0
		for row := range min(res.Table.NumRows(), 8) {
			for i, name := range res.Table.Names() {
				got, err := kit.TraceCell(t.Context(), ann, tools.CellPage{Handle: res.Handle, Row: row, Column: name, Limit: 100_000})
				if err != nil {
					t.Errorf("%s of row %d of %s: %v", name, row, query, err)
					continue
				}
				if told := got.Expression + got.Filter + strings.Join(got.Rows.Names(), " "); strings.Contains(told, "\x00") {
					t.Errorf("%s of %s: %q", name, query, told)
				}
				cells++
				fold, of := folds[name], got.Rows.Index("revenue_usd")
				if fold == nil || of < 0 {
					continue
				}
				var values []table.Value
				for r := range got.Rows.NumRows() {
					if v := got.Rows.Value(r, of); !v.IsNull() {
						values = append(values, v)
					}
				}
				want, _ := res.Table.Value(row, i).Float()
				if f, _ := fold(t, values).Float64(); f-want > 1e-6 || want-f > 1e-6 {
					t.Errorf("%s of row %d of %s: %v of its rows, %v in the answer", name, row, query, f, want)
				}
			}
		}
		if cells == 0 {
			t.Errorf("no cell of %s", query)
		}
	}
}
