package crm

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"catena/internal/text"
	"catena/table"
	"catena/tools"
)

const (
	defaultTop = 10
	maxTop     = 1000
	maxFound   = 50
)

func topClientsTool() tools.Tool {
	return define("get_top_clients", "Top clients",
		"The clients with the highest revenue this year (year to date), of a region or country or of all: client, revenue, share of the region, gross margin, contracts. Use it for top, best, biggest or largest clients or customers.",
		object{"properties": object{
			"region": object{"type": "string", "description": "A region (" + strings.Join(regions, ", ") + ") or a country, in any usual spelling. All clients when it is not given."},
			"limit":  object{"type": "integer", "minimum": 1, "maximum": maxTop, "default": defaultTop, "description": "How many clients."},
		}},
		[]table.Column{{Name: "client_id", Type: table.Text}, {Name: "client", Type: table.Text}, ytdColumn, {Name: "gross_margin", Type: table.Decimal}, {Name: "contracts", Type: table.Int}},
		topClients)
}

func topClients(d *demo, call tools.Call) (answer, error) {
	df, limit := d.clients, call.Int("limit", defaultTop)
	share, where := "share_of_total", ""
	if region := strings.TrimSpace(call.Text("region")); region != "" {
		p, err := d.findPlace(region)
		if err != nil {
			return answer{}, err
		}
		df, share, where = inPlace(df, p), p.column(), " in "+p.in
	}
	total, err := sum(df, "ytd_cents")
	if err != nil {
		return answer{}, err
	}
	all := df.Nrow()
	df = first(df.Arrange(dataframe.RevSort("ytd_cents"), dataframe.Sort("client_id")), limit)
	amounts := df.Col("ytd_cents")
	shares := make([]string, df.Nrow())
	for i := range shares {
		n, err := amounts.Elem(i).Int()
		if err != nil {
			return answer{}, fmt.Errorf("crm: ytd_cents: %w", err)
		}
		shares[i] = percent(n, total)
	}
	df = df.Mutate(texts(share, shares)).Select([]string{"client_id", "client", "revenue_ytd_usd", share, "gross_margin", "contracts"})
	title := fmt.Sprintf("Top %d clients%s by revenue this year", df.Nrow(), where)
	if df.Nrow() == 1 {
		title = fmt.Sprintf("Top client%s by revenue this year", where)
	}
	return answer{frame: df, types: hints(df, d.columns[clientsTable], ytdColumn, percentColumn(share)),
		name: "top_clients", title: title, total: all, hide: []string{"client_id"}}, nil
}

// inPlace keeps the rows of a place.
func inPlace(df dataframe.DataFrame, p place) dataframe.DataFrame {
	if p.country != "" {
		return df.Filter(dataframe.F{Colname: "country", Comparator: series.Eq, Comparando: p.country})
	}
	return df.Filter(dataframe.F{Colname: "region", Comparator: series.In, Comparando: p.regions})
}

func clientRevenueTool() tools.Tool {
	return define("get_client_revenue", "Revenue of clients by month",
		"The monthly revenue in US dollars of given clients, with costs and orders, over all months there are. Use it with the client_id column of another step to see how revenue develops.",
		object{"properties": object{
			"client_ids": object{"type": "array", "minItems": 1, "maxItems": maxTop, "items": object{"type": []string{"string", "integer"}}, "description": "Client ids (or exact client names)."},
		}, "required": []string{"client_ids"}},
		[]table.Column{{Name: "client_id", Type: table.Text}, {Name: "client", Type: table.Text}, {Name: "month", Type: table.Date}, {Name: "revenue_usd", Type: table.Decimal}, {Name: "cost_usd", Type: table.Decimal}, {Name: "orders", Type: table.Int}},
		clientRevenue)
}

func clientRevenue(d *demo, call tools.Call) (answer, error) {
	var rows []int
	var unknown []string
	seen := map[string]bool{}
	for _, given := range call.Texts("client_ids") {
		id, ok := d.clientID(given)
		switch {
		case !ok:
			unknown = append(unknown, given)
		case !seen[id]:
			seen[id] = true
			rows = append(rows, d.months[id]...)
		}
	}
	if len(rows) == 0 {
		return answer{}, &tools.ArgumentError{Argument: "client_ids", Code: tools.CodeNotFound,
			Reason: fmt.Sprintf("there is no client %s; ids have six digits, as in 000101, and find_clients looks for names", quoteAll(unknown, 5))}
	}
	df := d.revenue.Subset(rows).Select([]string{"client_id", "client", "month", "revenue_usd", "cost_usd", "orders"})
	a := answer{frame: df, types: hints(df, d.columns[revenueTable]), name: "client_revenue", hide: []string{"client_id"},
		title: "Monthly revenue of " + text.Count(len(seen), "client")}
	if len(unknown) > 0 {
		a.notes = append(a.notes, fmt.Sprintf("There is no client %s.", quoteAll(unknown, 5)))
	}
	return a, nil
}

// clientID reads an id, also without its leading zeros, or an exact name.
func (d *demo) clientID(given string) (string, bool) {
	given = strings.TrimSpace(given)
	if n, err := strconv.Atoi(given); err == nil && n >= 0 {
		given = fmt.Sprintf("%06d", n)
	}
	if _, ok := d.months[given]; ok {
		return given, true
	}
	names, ids := d.clients.Col("client"), d.clients.Col("client_id")
	for i := range names.Len() {
		if strings.EqualFold(names.Elem(i).String(), given) {
			return ids.Elem(i).String(), true
		}
	}
	return "", false
}

func findClientsTool() tools.Tool {
	return define("find_clients", "Find clients",
		"Finds clients by name, id, website, industry, country, region or account owner: who they are, their owner, contracts and revenue this year. Use it to look up or search a client or customer.",
		object{"properties": object{
			"query": object{"type": "string", "minLength": 1, "maxLength": 200, "description": "Words to look for; a client must have all of them."},
		}, "required": []string{"query"}},
		[]table.Column{{Name: "client_id", Type: table.Text}, {Name: "client", Type: table.Text}, {Name: "country", Type: table.Text}, {Name: "region", Type: table.Text}, {Name: "industry", Type: table.Text},
			{Name: "segment", Type: table.Text}, {Name: "account_owner", Type: table.Text}, {Name: "contracts", Type: table.Int}, ytdColumn},
		findClients)
}

func findClients(d *demo, call tools.Call) (answer, error) {
	query := strings.TrimSpace(call.Text("query"))
	searched := []string{"client", "client_id", "website", "industry", "country", "region", "segment", "account_owner"}
	cols := make([]series.Series, len(searched))
	for i, name := range searched {
		cols[i] = d.clients.Col(name)
	}
	type match struct{ row, score int }
	var found []match
	words := strings.Fields(fold(query))
	for row := range d.clients.Nrow() {
		cells := make([]string, len(cols))
		for i, c := range cols {
			if !c.Elem(row).IsNA() {
				cells[i] = fold(c.Elem(row).String())
			}
		}
		if score := scoreOf(words, cells); score > 0 {
			found = append(found, match{row, score})
		}
	}
	if len(found) == 0 {
		reason := "no client has all of these words"
		if near := table.Nearest(query, d.clients.Col("client").Records()); len(near) > 0 {
			reason += "; did you mean " + strings.Join(near, ", ") + "?"
		}
		return answer{}, &tools.ArgumentError{Argument: "query", Code: tools.CodeNotFound, Reason: reason}
	}
	slices.SortStableFunc(found, func(a, b match) int { return cmp.Compare(b.score, a.score) })
	rows := make([]int, 0, len(found))
	for _, m := range found[:min(len(found), maxFound)] {
		rows = append(rows, m.row)
	}
	df := d.clients.Subset(rows).Select([]string{"client_id", "client", "country", "region", "industry", "segment", "account_owner", "contracts", "revenue_ytd_usd"})
	return answer{frame: df, types: hints(df, d.columns[clientsTable], ytdColumn), name: "clients_found",
		title: fmt.Sprintf("Clients matching %q", query), total: len(found)}, nil
}

// fold lowers a text and turns punctuation into spaces.
func fold(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return strings.ContainsRune(" .,&-'\"/()", r) }), " ")
}

// scoreOf says how well a client fits: 0 unless each word is in some cell; the whole name or id counts most, then words at
// the front of the name, then the name, then the other cells.
func scoreOf(words, cells []string) int {
	if len(words) == 0 {
		return 0
	}
	whole := strings.Join(words, " ")
	if cells[0] == whole || cells[1] == whole {
		return 1000
	}
	score := 0
	for _, w := range words {
		best := 0
		for i, c := range cells {
			if !strings.Contains(c, w) {
				continue
			}
			switch {
			case i == 0 && strings.HasPrefix(c, w):
				best = max(best, 30)
			case i == 0:
				best = max(best, 20)
			default:
				best = max(best, 10)
			}
		}
		if best == 0 {
			return 0
		}
		score += best
	}
	return score
}
