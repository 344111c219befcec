package crm_test

import (
	"bytes"
	"encoding/csv"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

const asOf = "2026-11-15"

// cleanCountry undoes the misspellings planted in clients.csv.
var cleanCountry = map[string]string{
	"U.S.A.": "United States", "united states": "United States", "Untied Kingdom": "United Kingdom",
	"Deutschland": "Germany", "Brasil": "Brazil",
}

// load reads a demo file as one map per row, keyed by column.
func load(t testing.TB, name string) []map[string]string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("demo", name))
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(data, []byte("\r")) {
		t.Errorf("%s holds a carriage return", name)
	}
	all, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	rows := make([]map[string]string, 0, len(all)-1)
	for _, cells := range all[1:] {
		row := map[string]string{}
		for i, cell := range cells {
			row[all[0][i]] = cell
		}
		rows = append(rows, row)
	}
	return rows
}

func byID(rows []map[string]string) map[string]map[string]string {
	m := map[string]map[string]string{}
	for _, row := range rows {
		m[row["client_id"]] = row
	}
	return m
}

// count tells how often each value occurs in a column, nulls under "".
func count(rows []map[string]string, column string) map[string]int {
	m := map[string]int{}
	for _, row := range rows {
		m[row[column]]++
	}
	return m
}

func equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func rat(t *testing.T, s string) *big.Rat {
	t.Helper()
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		t.Fatalf("not a number: %q", s)
	}
	return r
}

func TestClients(t *testing.T) {
	clients := load(t, "clients.csv")
	equal(t, "clients", len(clients), 412)
	regions := count(clients, "region")
	equal(t, "regions", len(regions), 8)
	equal(t, "clients in USA", regions["USA"], 112)
	equal(t, "currencies", len(count(clients, "currency")), 5)
	equal(t, "distinct ids", len(byID(clients)), 412)
	equal(t, "distinct names", len(count(clients, "client")), 412)
	equal(t, "distinct websites", len(count(clients, "website")), 412)
	shape := regexp.MustCompile(`^0\d{5}$`)
	site := regexp.MustCompile(`^[a-z]+\.example$`)
	countries, odd := map[string]bool{}, 0
	for _, c := range clients {
		if !shape.MatchString(c["client_id"]) || !site.MatchString(c["website"]) {
			t.Errorf("odd id or website: %v", c)
		}
		country := strings.TrimSpace(c["country"])
		if clean, ok := cleanCountry[country]; ok {
			country = clean
		}
		if country != c["country"] {
			odd++
		}
		countries[country] = true
		equal(t, "USA for "+c["client_id"], c["region"] == "USA", country == "United States")
		if m := c["gross_margin"]; m != "" && (rat(t, m).Sign() <= 0 || rat(t, m).Cmp(big.NewRat(1, 1)) >= 0) {
			t.Errorf("margin %s of %s", m, c["client_id"])
		}
	}
	equal(t, "countries", len(countries), 30)
	equal(t, "odd spellings", odd, 8)
	for _, column := range []string{"account_owner", "gross_margin", "credit_limit_usd"} {
		if n := count(clients, column)[""]; n == 0 || n > 80 {
			t.Errorf("%d nulls in %s", n, column)
		}
	}
}

func TestRevenueMatchesClients(t *testing.T) {
	clients := byID(load(t, "clients.csv"))
	revenue := load(t, "revenue.csv")
	equal(t, "rows", len(revenue), 14832)
	equal(t, "countries", len(count(revenue, "country")), 30)
	months := count(revenue, "month")
	equal(t, "months", len(months), 36)
	equal(t, "rows of the first month", months["2023-12-01"], 412)
	equal(t, "rows of the last month", months["2026-11-01"], 412)
	late := map[string]bool{}
	stray := 0
	for _, row := range revenue {
		c := clients[row["client_id"]]
		for _, column := range []string{"client", "region", "currency"} {
			equal(t, column+" of "+row["client_id"], row[column], c[column])
		}
		before := row["month"][:7] < c["since"][:7]
		for _, column := range []string{"revenue", "cost_usd", "orders"} {
			if (row[column] == "") != before {
				t.Errorf("%s is %q for a client since %s: %v", column, row[column], c["since"], row)
			}
		}
		switch {
		case before:
			equal(t, "revenue_usd before the start", row["revenue_usd"], "")
			late[row["client_id"]] = true
		case row["revenue_usd"] == "":
			stray++
		}
	}
	equal(t, "late starters", len(late), 15)
	equal(t, "unexplained nulls in revenue_usd", stray, 10)
}

func TestRevenueMatchesRates(t *testing.T) {
	fx := load(t, "fx.csv")
	equal(t, "rates", len(fx), 36*5)
	rates := map[string]*big.Rat{}
	for _, row := range fx {
		rates[row["month"]+row["currency"]] = rat(t, row["usd_per_unit"])
	}
	half := big.NewRat(1, 2)
	for _, row := range load(t, "revenue.csv") {
		if row["revenue"] == "" {
			continue
		}
		amount := rat(t, row["revenue"])
		if amount.Sign() <= 0 {
			t.Errorf("not positive: %v", row)
		}
		equal(t, "decimals in "+row["revenue"], strings.Contains(row["revenue"], "."), row["currency"] != "JPY")
		if row["revenue_usd"] == "" {
			continue
		}
		cents := amount.Mul(amount, rates[row["month"]+row["currency"]])
		cents.Mul(cents, big.NewRat(100, 1)).Add(cents, half)
		whole := new(big.Int).Quo(cents.Num(), cents.Denom())
		want := new(big.Rat).SetFrac(whole, big.NewInt(100)).FloatString(2)
		equal(t, row["client_id"]+" in "+row["month"], row["revenue_usd"], want)
	}
}

// An outlier stands out from both neighbouring months; season and noise alone
// stay far below a factor of five.
func TestRevenueOutliers(t *testing.T) {
	rows := load(t, "revenue.csv")
	n := 0
	for i := 1; i < len(rows)-1; i++ {
		if rows[i-1]["client_id"] != rows[i+1]["client_id"] {
			continue
		}
		before, at, after := rows[i-1]["revenue"], rows[i]["revenue"], rows[i+1]["revenue"]
		if before == "" || at == "" {
			continue
		}
		fifth := new(big.Rat).Mul(rat(t, at), big.NewRat(1, 5))
		if fifth.Cmp(rat(t, before)) > 0 && fifth.Cmp(rat(t, after)) > 0 {
			n++
		}
	}
	equal(t, "outliers", n, 6)
}

func TestLastMonthIsPartial(t *testing.T) {
	sums := map[string]*big.Rat{}
	for _, row := range load(t, "revenue.csv") {
		if row["revenue_usd"] == "" {
			continue
		}
		if sums[row["month"]] == nil {
			sums[row["month"]] = new(big.Rat)
		}
		sums[row["month"]].Add(sums[row["month"]], rat(t, row["revenue_usd"]))
	}
	share, _ := new(big.Rat).Quo(sums["2026-11-01"], sums["2026-10-01"]).Float64()
	if share < 0.4 || share > 0.6 {
		t.Errorf("the last month is %.2f of the month before, want about half", share)
	}
}

func TestTickets(t *testing.T) {
	clients := byID(load(t, "clients.csv"))
	tickets := load(t, "tickets.csv")
	equal(t, "tickets", len(tickets), 1960)
	equal(t, "distinct ids", len(count(tickets, "ticket_id")), 1960)
	equal(t, "states", len(count(tickets, "status")), 3)
	equal(t, "priorities", len(count(tickets, "priority")), 4)
	equal(t, "categories", len(count(tickets, "category")), 5)
	equal(t, "satisfaction values and null", len(count(tickets, "satisfaction")), 6)
	shape := regexp.MustCompile(`^T-\d{6}$`)
	last := ""
	for _, row := range tickets {
		id := row["ticket_id"]
		if !shape.MatchString(id) || row["subject"] == "" || strings.Contains(row["subject"], "#") {
			t.Errorf("odd ticket: %v", row)
		}
		opened, err := time.Parse(time.RFC3339, row["opened"])
		if err != nil || row["opened"] < last || row["opened"][:10] > asOf {
			t.Errorf("%s opened %s after %s: %v", id, row["opened"], last, err)
		}
		last = row["opened"]
		c := clients[row["client_id"]]
		equal(t, "client of "+id, row["client"], c["client"])
		if c["since"] > row["opened"][:10] {
			t.Errorf("%s opened before its client's start", id)
		}
		equal(t, "closed time on "+id, row["closed"] != "", row["status"] == "closed")
		if row["closed"] == "" {
			equal(t, "satisfaction on "+id, row["satisfaction"], "")
			continue
		}
		closed, err := time.Parse(time.RFC3339, row["closed"])
		if err != nil || !closed.After(opened) || row["closed"][:10] > asOf {
			t.Errorf("%s closed %s: %v", id, row["closed"], err)
		}
	}
	for _, column := range []string{"closed", "first_response_minutes", "assignee"} {
		if count(tickets, column)[""] == 0 {
			t.Errorf("no nulls in %s", column)
		}
	}
}

func TestGeneratorReproducesDemo(t *testing.T) {
	// The test cache sees only files that the test itself looks at, not those
	// that the command below reads; a changed generator must not count as tested.
	for _, source := range []string{"generate.go", "generate_names.go"} {
		if _, err := os.Stat(source); err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	cmd := exec.Command("go", "run", "generate.go", "generate_names.go", "-out", dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	committed, err := filepath.Glob("demo/*")
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "files in demo", len(committed), 5)
	for _, path := range committed {
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(dir, filepath.Base(path)))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s differs from what the generator writes; run go generate", path)
		}
	}
	asof, err := os.ReadFile("demo/asof.txt")
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "as-of date", strings.TrimSpace(string(asof)), asOf)
}
