//go:build ignore

// Command generate writes the demo CRM as CSV files, the same bytes on every
// run and every platform. To that end all arithmetic is on integers: floats may
// differ in the last bit between processors, and one bit moves a cent.
//
// Empty cells are nulls. These are meant:
//   - 15 clients start after the first month; until then their revenue rows
//     hold no amounts, for zero would claim that they were billed nothing;
//   - 10 more rows lack revenue_usd alone, as if the conversion was not posted;
//   - some clients lack an owner, a margin or a credit limit.
//
// Also meant: 6 months at twelve times the usual revenue, and 8 clients whose
// country is misspelt in clients.csv (revenue.csv has the clean name).
//
// The word lists are in generate_names.go:
//
//	go run generate.go generate_names.go
package main

import (
	"bytes"
	"encoding/csv"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	asOf        = "2026-11-15"
	months      = 36
	ticketCount = 1960
	lateClients = 15
	outliers    = 6
	strayNulls  = 10
	clock       = "2006-01-02T15:04:05Z"
)

var firstMonth = time.Date(2023, 12, 1, 0, 0, 0, 0, time.UTC)

// seasons holds, by industry, the percentages for January to December.
var seasons = [][12]int64{
	{96, 98, 104, 103, 102, 101, 94, 88, 104, 107, 105, 98}, {92, 93, 98, 99, 100, 101, 97, 96, 103, 108, 113, 100},
	{106, 104, 103, 100, 98, 96, 94, 94, 99, 102, 103, 101}, {82, 80, 90, 95, 96, 97, 95, 98, 97, 102, 126, 142},
	{97, 98, 105, 98, 98, 104, 96, 95, 103, 99, 100, 107}, {122, 117, 108, 96, 88, 84, 86, 87, 90, 99, 109, 114},
	{90, 91, 95, 99, 103, 108, 110, 108, 99, 96, 98, 103}, {74, 79, 94, 105, 113, 116, 114, 112, 110, 104, 94, 85},
	{101, 99, 103, 99, 99, 102, 98, 97, 101, 100, 99, 102}, {108, 104, 98, 95, 93, 84, 78, 104, 128, 114, 102, 92},
}

type client struct {
	id, name, website, shownCountry, owner, segment string
	country                                         country
	industry                                        int
	since                                           time.Time
	contracts, margin, creditCents                  int64 // margin in 1/10000
	startMonth                                      int
	usdCents, growth, orderCents                    int64 // usual month at the start, growth in ppm a month, value of an order
	noMargin, noLimit                               bool
}

// stream returns a random source per file, so that a change to one file does
// not reshuffle the others.
func stream(n uint64) *rand.Rand { return rand.New(rand.NewPCG(20261115, n)) }

// between returns a number in lo..hi, both included.
func between(r *rand.Rand, lo, hi int64) int64 { return lo + r.Int64N(hi-lo+1) }

func pick(r *rand.Rand, list []string) string { return list[r.IntN(len(list))] }

// weighted picks from "name weight name weight ...".
func weighted(r *rand.Rand, table string) string {
	f := strings.Fields(table)
	total := 0
	for i := 1; i < len(f); i += 2 {
		n, _ := strconv.Atoi(f[i])
		total += n
	}
	at := r.IntN(total)
	for i := 1; ; i += 2 {
		n, _ := strconv.Atoi(f[i])
		if at -= n; at < 0 {
			return f[i-1]
		}
	}
}

// fixed writes n, a count of 10^-digits, as a decimal. No amount is negative.
func fixed(n int64, digits int) string {
	if digits == 0 {
		return strconv.FormatInt(n, 10)
	}
	s := fmt.Sprintf("%0*d", digits+1, n)
	return s[:len(s)-digits] + "." + s[len(s)-digits:]
}

func blankIf(null bool, s string) string {
	if null {
		return ""
	}
	return s
}

func currencyDigits(currency string) int {
	if currency == "JPY" {
		return 0
	}
	return 2
}

// toUSD converts an amount in the currency's smallest unit to cents, rounding
// halves away from zero; rate is in millionths of a dollar per whole unit.
func toUSD(amount, rate int64, currency string) int64 {
	div := int64(1_000_000)
	if currencyDigits(currency) == 0 {
		div = 10_000
	}
	return (amount*rate + div/2) / div
}

// makeRates walks each currency at random and pulls it back to its anchor, so
// that no rate drifts out of the plausible over three years.
func makeRates() map[string][]int64 {
	r := stream(1)
	rates := map[string][]int64{}
	for _, c := range []struct {
		code   string
		anchor int64
	}{{"USD", 1_000_000}, {"EUR", 1_085_000}, {"GBP", 1_268_000}, {"JPY", 6_720}, {"CHF", 1_142_000}} {
		rate := c.anchor
		for range months {
			rates[c.code] = append(rates[c.code], rate)
			if c.code != "USD" {
				rate += rate*between(r, -180, 180)/10_000 + (c.anchor-rate)/8
			}
		}
	}
	return rates
}

func makeClients() []*client {
	r := stream(2)
	var all []*client
	for _, c := range countries {
		for range c.clients {
			all = append(all, &client{country: c, shownCountry: c.name})
		}
	}
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	used := map[string]bool{}
	id := int64(100)
	for _, c := range all {
		id += between(r, 1, 9)
		c.id = fmt.Sprintf("%06d", id)
		c.industry = r.IntN(len(industries))
		c.setName(r, used)
		c.setTerms(r)
	}
	for n := 0; n < lateClients; {
		if c := all[r.IntN(len(all))]; c.startMonth == 0 {
			c.startMonth = int(between(r, 2, 22))
			c.since = firstMonth.AddDate(0, c.startMonth, int(between(r, 0, 24)))
			n++
		}
	}
	for i, odd := range oddCountries {
		for j := i * 43; ; j++ {
			if c := all[j%len(all)]; c.shownCountry == odd[0] {
				c.shownCountry = odd[1]
				break
			}
		}
	}
	return all
}

func (c *client) setName(r *rand.Rand, used map[string]bool) {
	st := styles[c.country.style]
	for {
		word := pick(r, strings.Fields(st.heads)) + pick(r, strings.Fields(st.tails))
		site := ascii.Replace(strings.ToLower(word)) + ".example"
		if used[site] {
			continue
		}
		used[site] = true
		c.website = site
		trade := strings.Fields(st.trades)[c.industry]
		form := pick(r, strings.Split(c.country.forms, ";"))
		c.name = strings.NewReplacer("*", word, "+", trade).Replace(form)
		return
	}
}

// setTerms sizes the client. Dividing by a uniform number gives the heavy tail
// of real customer lists, where a few clients bring most of the revenue.
func (c *client) setTerms(r *rand.Rand) {
	c.segment = weighted(r, "Enterprise 15 Mid-market 35 Small 50")
	floor, contracts := int64(150_000), int64(2)
	switch c.segment {
	case "Enterprise":
		floor, contracts = 4_000_000, 18
	case "Mid-market":
		floor, contracts = 800_000, 7
	}
	c.usdCents = floor * 1000 / between(r, 60, 1000) * between(r, 90, 110) / 100
	c.orderCents = c.usdCents / between(r, 3, 40)
	c.contracts = between(r, 1, contracts)
	switch weighted(r, "steady 62 decline 24 boom 14") {
	case "steady":
		c.growth = between(r, -2_000, 12_000)
	case "decline":
		c.growth = between(r, -30_000, -6_000)
	case "boom":
		c.growth = between(r, 16_000, 38_000)
	}
	c.margin = between(r, 1200, 4200) + between(r, 0, 2600)
	c.creditCents = max(500_000, c.usdCents*between(r, 2, 5)/500_000*500_000)
	c.noMargin, c.noLimit = r.IntN(24) == 0, r.IntN(8) == 0
	c.owner = blankIf(r.IntN(16) == 0, pick(r, owners))
	c.since = time.Date(2009, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, int(between(r, 0, 5440)))
}

func clientRows(all []*client) [][]string {
	rows := [][]string{{"client_id", "client", "country", "region", "industry", "segment", "currency",
		"account_owner", "since", "contracts", "gross_margin", "credit_limit_usd", "website"}}
	for _, c := range all {
		margin := strings.TrimSuffix(fixed(c.margin, 4), "0")
		rows = append(rows, []string{c.id, c.name, c.shownCountry, c.country.region, industries[c.industry], c.segment,
			c.country.currency, c.owner, c.since.Format(time.DateOnly), fixed(c.contracts, 0),
			blankIf(c.noMargin, margin), blankIf(c.noLimit, fixed(c.creditCents, 2)), c.website})
	}
	return rows
}

// marks chooses n distinct client-months to spoil, away from the ends and from
// months before a client starts, where the mark would not show.
func marks(r *rand.Rand, all []*client, n int) map[[2]int]bool {
	m := map[[2]int]bool{}
	for len(m) < n {
		i, month := r.IntN(len(all)), int(between(r, 3, months-4))
		if all[i].startMonth < month-1 && all[i].segment != "Enterprise" {
			m[[2]int{i, month}] = true
		}
	}
	return m
}

func revenueRows(all []*client, rates map[string][]int64) [][]string {
	r := stream(3)
	spikes, gaps := marks(r, all, outliers), marks(r, all, strayNulls)
	rows := [][]string{{"client_id", "client", "region", "country", "month", "revenue", "currency",
		"revenue_usd", "cost_usd", "orders"}}
	for i, c := range all {
		cur := c.country.currency
		digits := currencyDigits(cur)
		level := c.usdCents * 1_000_000 / rates[cur][0]
		if digits == 0 {
			level /= 100
		}
		for m := range months {
			month := firstMonth.AddDate(0, m, 0)
			row := []string{c.id, c.name, c.country.region, c.country.name, month.Format(time.DateOnly), "", cur, "", "", ""}
			rows = append(rows, row)
			if m < c.startMonth {
				continue
			}
			amount := level * seasons[c.industry][month.Month()-1] / 100 * (between(r, 860, 1140) + between(r, -60, 60)) / 1000
			level += level * c.growth / 1_000_000
			if spikes[[2]int{i, m}] {
				amount *= 12
			}
			if m == months-1 {
				amount = amount * 15 / 30 // the as-of day is the 15th of 30
			}
			usd := toUSD(amount, rates[cur][m], cur)
			row[5], row[7] = fixed(amount, digits), blankIf(gaps[[2]int{i, m}], fixed(usd, 2))
			row[8] = fixed(usd*(10_000-c.margin+between(r, -300, 300))/10_000, 2)
			row[9] = fixed(max(1, usd*between(r, 85, 115)/100/c.orderCents), 0)
		}
	}
	return rows
}

func fxRows(rates map[string][]int64) [][]string {
	rows := [][]string{{"month", "currency", "usd_per_unit"}}
	for m := range months {
		for _, cur := range []string{"CHF", "EUR", "GBP", "JPY", "USD"} {
			rows = append(rows, []string{firstMonth.AddDate(0, m, 0).Format(time.DateOnly), cur, fixed(rates[cur][m], 6)})
		}
	}
	return rows
}

// ticketTimes draws office hours, more of them lately and few at weekends.
func ticketTimes(r *rand.Rand, end time.Time) []time.Time {
	days := int64(end.Sub(firstMonth)/(24*time.Hour)) - 1
	var at []time.Time
	for len(at) < ticketCount {
		day := between(r, 0, days)
		if r.IntN(2) == 0 {
			day = max(day, between(r, 0, days))
		}
		t := firstMonth.Add(time.Duration(day*86_400+between(r, 7*3600, 18*3600)) * time.Second)
		if wd := t.Weekday(); (wd == time.Saturday || wd == time.Sunday) && r.IntN(8) > 0 {
			continue
		}
		at = append(at, t)
	}
	slices.SortFunc(at, time.Time.Compare)
	return at
}

func ticketRows(all []*client) [][]string {
	r := stream(4)
	last, _ := time.Parse(time.DateOnly, asOf)
	end := last.AddDate(0, 0, 1)
	weights := map[string]int{"Enterprise": 6, "Mid-market": 3, "Small": 1}
	var pool []*client
	for _, c := range all {
		pool = append(pool, slices.Repeat([]*client{c}, weights[c.segment])...)
	}
	rows := [][]string{{"ticket_id", "client_id", "client", "opened", "closed", "status", "priority", "category",
		"subject", "assignee", "first_response_minutes", "satisfaction"}}
	for i, opened := range ticketTimes(r, end) {
		c := pool[r.IntN(len(pool))]
		for c.since.After(opened) {
			c = pool[r.IntN(len(pool))]
		}
		priority := weighted(r, "low 25 normal 50 high 18 urgent 7")
		category := weighted(r, "billing 28 delivery 27 quality 18 access 17 other 10")
		scale := map[string]int64{"urgent": 1, "high": 3, "normal": 9, "low": 20}[priority]
		response := scale * between(r, 8, 90)
		answered := opened.Add(time.Duration(response) * time.Minute)
		closed := answered.Add(time.Duration(scale*between(r, 45*60, 25*3600)) * time.Second)
		status, closedCell, satisfaction := "closed", closed.Format(clock), ""
		linger := 200 // one in so many stays unresolved, more of the recent ones
		if end.Sub(opened) < 90*24*time.Hour {
			linger = 4
		}
		if !closed.Before(end) || r.IntN(linger) == 0 {
			status, closedCell = weighted(r, "open 55 pending 45"), ""
		} else if r.IntN(20) < 9 {
			satisfaction = weighted(r, "5 36 4 31 3 17 2 9 1 7")
		}
		unanswered := !answered.Before(end)
		if unanswered {
			status = "open" // nobody can wait for a client who was not answered
		}
		subject := strings.Replace(pick(r, subjects[category]), "#", fixed(between(r, 10_000, 99_999), 0), 1)
		rows = append(rows, []string{fmt.Sprintf("T-%06d", i+1), c.id, c.name, opened.Format(clock), closedCell, status,
			priority, category, subject, blankIf(r.IntN(30) == 0, pick(r, agents)),
			blankIf(unanswered || r.IntN(30) == 0, fixed(response, 0)), satisfaction})
	}
	return rows
}

func write(dir, name string, rows [][]string) {
	var b bytes.Buffer
	if err := csv.NewWriter(&b).WriteAll(rows); err != nil {
		log.Fatal(err)
	}
	save(dir, name, b.Bytes())
}

func save(dir, name string, data []byte) {
	if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
		log.Fatal(err)
	}
}

func main() {
	log.SetFlags(0)
	dir := flag.String("out", "demo", "directory to write to")
	flag.Parse()
	if err := os.MkdirAll(*dir, 0o755); err != nil {
		log.Fatal(err)
	}
	rates, all := makeRates(), makeClients()
	write(*dir, "clients.csv", clientRows(all))
	write(*dir, "revenue.csv", revenueRows(all, rates))
	write(*dir, "fx.csv", fxRows(rates))
	write(*dir, "tickets.csv", ticketRows(all))
	save(*dir, "asof.txt", []byte(asOf))
}
