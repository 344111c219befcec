package crm_test

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/internal/access"
	"catena/table"
	"catena/tools"
	"catena/tools/crm"
)

var ann = access.Caller{ID: "ann"}

func registry(t testing.TB) *tools.Registry {
	t.Helper()
	r := tools.NewRegistry(tools.Options{})
	if err := r.Register(crm.Tools()...); err != nil {
		t.Fatal(err)
	}
	return r
}

func call(t testing.TB, name string, args map[string]any) tools.Result {
	t.Helper()
	res, err := registry(t).Call(t.Context(), tools.Call{Caller: ann, Tool: name, Args: args})
	if err != nil {
		t.Fatalf("%s %v: %v", name, args, err)
	}
	return res
}

// column gives a column's cells as text.
func column(t testing.TB, tab *table.Table, name string) []string {
	t.Helper()
	c, err := tab.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]string, tab.NumRows())
	for i := range out {
		out[i] = tab.Value(i, c).Text()
	}
	return out
}

// yearToDate sums revenue_usd of the as-of year out of the file itself, exactly, by client.
func yearToDate(t testing.TB) map[string]*big.Rat {
	t.Helper()
	out := map[string]*big.Rat{}
	for _, row := range load(t, "revenue.csv") {
		if row["revenue_usd"] == "" || !strings.HasPrefix(row["month"], asOf[:4]) {
			continue
		}
		r, ok := new(big.Rat).SetString(row["revenue_usd"])
		if !ok {
			t.Fatalf("%q is no number", row["revenue_usd"])
		}
		if out[row["client_id"]] == nil {
			out[row["client_id"]] = new(big.Rat)
		}
		out[row["client_id"]].Add(out[row["client_id"]], r)
	}
	return out
}

func TestTopClients(t *testing.T) {
	res := call(t, "get_top_clients", map[string]any{"region": "USA", "limit": 5})
	if res.Title != "Top 5 clients in the USA by revenue this year" || res.Total != 112 || res.Table.NumRows() != 5 {
		t.Errorf("%q, %d of %d", res.Title, res.Table.NumRows(), res.Total)
	}
	if d := cmp.Diff([]string{"client_id", "client", "revenue_ytd_usd", "share_of_usa", "gross_margin", "contracts"}, res.Table.Names()); d != "" {
		t.Error(d)
	}
	if !slices.Equal(res.Hide, []string{"client_id"}) || !slices.Contains(res.Notes, "Demo data as of 2026-11-15.") || res.AsOf.Format("2006-01-02") != asOf {
		t.Errorf("%q %q %s", res.Hide, res.Notes, res.AsOf)
	}
	ytd, usa := yearToDate(t), map[string]bool{}
	whole := new(big.Rat)
	for _, row := range load(t, "clients.csv") {
		if row["region"] == "USA" {
			usa[row["client_id"]] = true
			if ytd[row["client_id"]] != nil {
				whole.Add(whole, ytd[row["client_id"]])
			}
		}
	}
	ids, amounts, shares := column(t, res.Table, "client_id"), column(t, res.Table, "revenue_ytd_usd"), column(t, res.Table, "share_of_usa")
	for i, id := range ids {
		if ytd[id].FloatString(2) != amounts[i] || !usa[id] {
			t.Errorf("client %s: %s, the file says %s", id, amounts[i], ytd[id].FloatString(2))
		}
		share := new(big.Rat).Quo(new(big.Rat).Mul(ytd[id], big.NewRat(100, 1)), whole)
		if share.FloatString(1) != shares[i] {
			t.Errorf("client %s: share %s, want %s", id, shares[i], share.FloatString(1))
		}
		better := 0
		for other := range usa {
			if ytd[other] != nil && ytd[other].Cmp(ytd[id]) > 0 {
				better++
			}
		}
		if better != i {
			t.Errorf("client %s has place %d, and %d have more", id, i+1, better)
		}
	}
	if all := call(t, "get_top_clients", nil); all.Total != 412 || all.Table.NumRows() != 10 || all.Title != "Top 10 clients by revenue this year" {
		t.Errorf("all: %q %d", all.Title, all.Total)
	}
	if few := call(t, "get_top_clients", map[string]any{"region": "Kenya", "limit": 50}); few.Total != 0 || few.Table.NumRows() != 3 || !strings.HasPrefix(few.Title, "Top 3 ") {
		t.Errorf("Kenya: %q %d", few.Title, few.Total)
	}
}

func TestRegionsInAnySpelling(t *testing.T) {
	for spelling, want := range map[string]string{
		"USA": "the USA", "usa": "the USA", "U.S.": "the USA", "US": "the USA", "United States": "the USA", "the United States of America": "the USA", "American": "the USA",
		"Germany": "Germany", "german": "Germany", "Deutschland": "Germany", "DACH": "DACH", "uk": "the United Kingdom", "Great Britain": "the United Kingdom",
		"UK & Ireland": "UK & Ireland", "uk and ireland": "UK & Ireland", "europe": "Europe", "EMEA": "EMEA", "latam": "Latin America", "APAC": "Asia Pacific",
		"Middle East and Africa": "the Middle East & Africa", "north america": "North America", "canada": "Canada", " brasil ": "Brazil", "UAE": "the United Arab Emirates",
	} {
		res := call(t, "get_top_clients", map[string]any{"region": spelling, "limit": 2})
		if want := fmt.Sprintf("Top 2 clients in %s by revenue this year", want); res.Title != want {
			t.Errorf("%q: %q %s", spelling, res.Title, res.Text)
		}
	}
	for _, unknown := range []string{"Atlantis", "Europ", "xx", "🌍", strings.Repeat("a", 5000)} {
		res := call(t, "get_top_clients", map[string]any{"region": unknown})
		if res.Code != "unknown_region" || !strings.Contains(res.Text, "USA, Canada, Latin America, DACH") || len(res.Text) > 600 {
			t.Errorf("%.20q: %s %s", unknown, res.Code, res.Text)
		}
	}
	// Countries count by what the client is, however clients.csv spells it.
	if res := call(t, "get_top_clients", map[string]any{"region": "Germany", "limit": 1}); res.Total != 38 {
		t.Errorf("Germany has %d clients", res.Total)
	}
}

func TestClientRevenue(t *testing.T) {
	res := call(t, "get_client_revenue", map[string]any{"client_ids": []any{"000101", 106, "nobody", "000101"}})
	if res.Table.NumRows() != 72 || res.Title != "Monthly revenue of 2 clients" {
		t.Errorf("%d rows, %q", res.Table.NumRows(), res.Title)
	}
	if d := cmp.Diff([]string{"client_id", "client", "month", "revenue_usd", "cost_usd", "orders"}, res.Table.Names()); d != "" {
		t.Error(d)
	}
	if !slices.Contains(res.Notes, `There is no client "nobody".`) {
		t.Errorf("notes: %q", res.Notes)
	}
	for i, want := range map[string]table.Type{"client_id": table.Text, "month": table.Date, "revenue_usd": table.Decimal, "orders": table.Int} {
		if got := res.Table.Column(res.Table.Index(i)); got.Type != want {
			t.Errorf("%s is %s", i, got.Type)
		}
	}
	var want []string
	for _, row := range load(t, "revenue.csv") {
		if row["client_id"] == "000101" {
			want = append(want, row["revenue_usd"])
		}
	}
	if d := cmp.Diff(want, column(t, res.Table, "revenue_usd")[:36]); d != "" {
		t.Error(d)
	}
	if byName := call(t, "get_client_revenue", map[string]any{"client_ids": []any{"zephcombe machining ltd."}}); byName.Table.NumRows() != 36 {
		t.Error("a client's name is not taken")
	}
	if res := call(t, "get_client_revenue", map[string]any{"client_ids": []any{"x"}}); res.Code != tools.CodeNotFound || !strings.Contains(res.Text, "find_clients") {
		t.Errorf("%+v", res)
	}
	if one := call(t, "get_client_revenue", map[string]any{"client_ids": "000101"}); one.Table == nil || one.Table.NumRows() != 36 {
		t.Errorf("a single id: %+v", one)
	}
	for _, bad := range []map[string]any{nil, {"client_ids": []any{}}, {"client_ids": []any{true}}} {
		if res := call(t, "get_client_revenue", bad); res.Code != tools.CodeInvalidArguments {
			t.Errorf("%v: %+v", bad, res)
		}
	}
}

func TestRevenueByRegion(t *testing.T) {
	res := call(t, "get_revenue_by_region", nil)
	sum, byRegion := new(big.Rat), map[string]*big.Rat{}
	ytd := yearToDate(t)
	for _, row := range load(t, "clients.csv") {
		if v := ytd[row["client_id"]]; v != nil {
			if byRegion[row["region"]] == nil {
				byRegion[row["region"]] = new(big.Rat)
			}
			byRegion[row["region"]].Add(byRegion[row["region"]], v)
			sum.Add(sum, v)
		}
	}
	names, amounts := column(t, res.Table, "region"), column(t, res.Table, "revenue_ytd_usd")
	if len(names) != 8 || len(byRegion) != 8 {
		t.Fatalf("%d regions, the files have %d", len(names), len(byRegion))
	}
	for i, name := range names {
		if byRegion[name].FloatString(2) != amounts[i] {
			t.Errorf("%s: %s, want %s", name, amounts[i], byRegion[name].FloatString(2))
		}
		if i > 0 && byRegion[name].Cmp(byRegion[names[i-1]]) > 0 {
			t.Errorf("%s is out of order", name)
		}
	}
	shares := new(big.Rat)
	for _, s := range column(t, res.Table, "share_of_total") {
		r, _ := new(big.Rat).SetString(s)
		shares.Add(shares, r)
	}
	if f, _ := shares.Float64(); f < 99.6 || f > 100.4 {
		t.Errorf("the shares add up to %v", f)
	}
}

func TestFindClients(t *testing.T) {
	for query, want := range map[string]string{"000101": "000101", "saveurs hautmerand": "000101", "ZEPHCOMBE": "000106", "hautmerand.example": "000101"} {
		res := call(t, "find_clients", map[string]any{"query": query})
		if res.IsError || column(t, res.Table, "client_id")[0] != want {
			t.Errorf("%q: %+v", query, res)
		}
	}
	if res := call(t, "find_clients", map[string]any{"query": "usa"}); res.Table.NumRows() != 50 || res.Total < 112 {
		t.Errorf("usa: %d of %d", res.Table.NumRows(), res.Total)
	}
	for _, q := range []string{"no such client at all", "%", "..."} {
		if res := call(t, "find_clients", map[string]any{"query": q}); res.Code != tools.CodeNotFound {
			t.Errorf("%q: %+v", q, res)
		}
	}
	if res := call(t, "find_clients", map[string]any{"query": ""}); res.Code != tools.CodeInvalidArguments {
		t.Errorf("%+v", res)
	}
}

func TestOpenTickets(t *testing.T) {
	res := call(t, "get_open_tickets", nil)
	want := 0
	for _, row := range load(t, "tickets.csv") {
		if row["status"] != "closed" {
			want++
		}
	}
	if res.Table.NumRows() != want {
		t.Errorf("%d tickets, the file has %d", res.Table.NumRows(), want)
	}
	rank := map[string]int{"urgent": 0, "high": 1, "normal": 2, "low": 3}
	priority, opened := column(t, res.Table, "priority"), column(t, res.Table, "opened")
	for i := 1; i < len(priority); i++ {
		a, b := priority[i-1], priority[i]
		known := a != "" && b != ""
		if known && (rank[a] > rank[b] || rank[a] == rank[b] && opened[i-1] > opened[i]) {
			t.Errorf("row %d is out of order: %s %s, then %s %s", i+1, a, opened[i-1], b, opened[i])
		}
	}
}

func TestTables(t *testing.T) {
	list, err := crm.Tables(t.Context())
	if err != nil || len(list) != 4 || list[0].Name != "clients" || list[1].Table.NumRows() != 14832 {
		t.Error(len(list), err)
	}
	if at, err := crm.AsOf(); err != nil || at.Format("2006-01-02") != asOf {
		t.Error(at, err)
	}
}

func ExampleTools() {
	for _, tool := range crm.Tools() {
		fmt.Println(tool.Def.Name)
	}
	// Output:
	// get_top_clients
	// get_client_revenue
	// get_revenue_by_region
	// find_clients
	// get_open_tickets
}

func BenchmarkTopClients(b *testing.B) {
	r := registry(b)
	b.ReportAllocs()
	for b.Loop() {
		if res, err := r.Call(b.Context(), tools.Call{Caller: ann, Tool: "get_top_clients", Args: map[string]any{"region": "USA", "limit": 5}, Run: "r"}); err != nil || res.IsError {
			b.Fatal(err, res.Text)
		}
	}
}
