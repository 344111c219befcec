package reader

import (
	"strconv"
	"strings"
	"testing"

	"catena/planner/plan"
	"catena/planner/reader/link"
	"catena/query"
	"catena/query/semantic"
	"catena/table"
)

// shop is a model of three related tables.
func shop() *semantic.Model {
	m := &semantic.Model{Entities: []semantic.Entity{
		{
			Table:    "clients",
			Singular: "client",
			Plural:   "clients",
			Key:      []string{"id"},
			Name:     "name",
			Fields: []semantic.Field{
				{Name: "id", Type: table.Int, Role: semantic.Identifier, Adds: query.AddsIdentifier},
				{Name: "name", Type: table.Text, Role: semantic.Dimension},
				{Name: "country", Type: table.Text, Role: semantic.Dimension},
				{Name: "age", Type: table.Int, Role: semantic.Measure, Adds: query.AddsRate},
			},
		},
		{
			Table:    "orders",
			Singular: "order",
			Plural:   "orders",
			Key:      []string{"id"},
			Time:     "day",
			Fields: []semantic.Field{
				{Name: "id", Type: table.Int, Role: semantic.Identifier, Adds: query.AddsIdentifier},
				{Name: "client_id", Type: table.Int, Role: semantic.Identifier, Adds: query.AddsIdentifier},
				{Name: "amount", Type: table.Decimal, Role: semantic.Measure, Adds: query.AddsFlow, Unit: "USD"},
				{Name: "day", Type: table.Date, Role: semantic.Time},
			},
		},
	}}
	m.Relationships = []semantic.Relationship{{
		Left: "orders", LeftColumns: []string{"client_id"}, Right: "clients", RightColumns: []string{"id"},
		Cardinality: semantic.ManyToOne, Known: semantic.Declared, Score: 1,
	}}
	return m
}

// said makes the tokens and spans of a message that is written with its spans: "average/agg:mean age/F:clients.age".
// Several spans of one token stand behind further bars.
func said(t *testing.T, s *scope, text string) ([]link.Token, []link.Span) {
	t.Helper()
	var toks []link.Token
	var spans []link.Span
	for i, w := range strings.Fields(text) {
		parts := strings.Split(w, "/")
		toks = append(toks, link.Token{Text: parts[0]})
		for _, p := range parts[1:] {
			sp := link.Span{From: i, To: i + 1, Score: 1}
			kind, rest, _ := strings.Cut(p, ":")
			switch kind {
			case "E":
				n, _ := s.index(rest)
				sp.Category, sp.Meaning, sp.How = link.CatEntity, link.EntityRef{Table: n}, link.HowName
			case "F":
				sp.Category, sp.Meaning, sp.How = link.CatField, fieldNamed(t, s, rest), link.HowName
			case "Denied":
				sp.Category, sp.Meaning, sp.How = link.CatDenied, fieldNamed(t, s, rest), link.HowStem
			case "V":
				col, value, _ := strings.Cut(rest, "=")
				sp.Category, sp.Meaning, sp.How = link.CatValue, link.ValueRef{
					Field:  fieldNamed(t, s, col),
					Values: []string{value},
				}, link.HowExact
			case "N":
				n, _ := strconv.ParseInt(rest, 10, 64)
				sp.Category, sp.Meaning, sp.How = link.CatNumber, link.NumberRef{Value: table.IntValue(n)}, link.HowForm
			case "T":
				sp.Category, sp.Meaning, sp.How = link.CatText, rest, link.HowForm
			case "S", "C":
				op, col, _ := strings.Cut(rest, "=")
				sp.Category, sp.Meaning, sp.How = map[string]link.Category{"S": "Super", "C": "Comp"}[kind], scaled{
					of: column{FieldRef: fieldNamed(t, s, col)},
					op: op,
				}, link.HowWord
			default:
				sp.Category, sp.Sense, sp.How, sp.Fixed = link.Category(kind), rest, link.HowWord, kind == "share"
			}
			spans = append(spans, sp)
		}
	}
	return toks, spans
}

func fieldNamed(t *testing.T, s *scope, name string) link.FieldRef {
	t.Helper()
	tab, col, _ := strings.Cut(name, ".")
	n, ok := s.index(tab)
	if !ok {
		t.Fatalf("no table %s", tab)
	}
	for i, f := range s.Entity(n).Fields {
		if f.Name == col {
			return link.FieldRef{Table: n, Field: i}
		}
	}
	t.Fatalf("no field %s", name)
	return link.FieldRef{}
}

func TestChart(t *testing.T) {
	s := scopeOf(shop(), []plan.TableInfo{{Name: "clients"}, {Name: "orders"}})
	for _, tt := range []struct{ message, words string }{
		{"average/agg:mean age/F:clients.age by/by country/F:clients.country", "average of age for each country, of clients"},
		{"how_many/count clients/E:clients in/of germany/V:clients.country=Germany", "number of rows of all clients where country is \"Germany\""},
		{"clients/E:clients older/C:gt=clients.age than/than 30/N:30", "name, age of clients where age is more than 30"},
		{"total/agg:sum amount/F:orders.amount of/of german/V:clients.country=Germany clients/E:clients", "sum of amount of all orders, with clients where client_id is id where country is \"Germany\""},
		{"amount/F:orders.amount by/by month/grain:month", "sum of amount for each month of day, of orders, by month of day from the earliest"},
		{"oldest/S:max=clients.age client/E:clients in/of germany/V:clients.country=Germany", "name, age of clients where country is \"Germany\", by age from the highest, the first one and those equal to the last"},
		{"top/top:top 5/N:5 clients/E:clients by/by age/F:clients.age", "average of age for each name, of clients, by average of age from the highest, the first 5"},
		{"top/top:top 5/N:5 clients/E:clients by/by amount/F:orders.amount", "sum of amount for each name, of orders, with clients where client_id is id, by sum of amount from the highest, the first 5"},
		{"which/ask:which country/F:clients.country has/be the most/super:max clients/E:clients", "number of rows for each country, of clients, by number of rows from the highest, the first one and those equal to the last"},
		{"clients/E:clients without/not:without orders/E:orders", "name of clients where id is not among (client_id of orders)"},
		{"country/F:clients.country of/of anna/V:clients.name=Anna", "country of clients where name is \"Anna\", each once"},
		{"number_of/count orders/E:orders per/by client/E:clients", "number of rows for each name, of orders, with clients where client_id is id"},
		{"clients/E:clients with/of more_than/cmp:gt 3/N:3 orders/E:orders", "name of clients where id is among (each client_id, of orders where number of rows is more than 3)"},
		{"client/E:clients after/neighbor:after anna/V:clients.name=Anna", "name of clients where row number is among (row number plus 1 of clients where name is \"Anna\")"},
		{"first/neighbor:first client/E:clients listed", "name of clients, by row number from the lowest, the first one"},
		{"who is older/C:gt=clients.age anna/V:clients.name=Anna or/or bert/V:clients.name=Bert", "name of clients where name is one of \"Anna\", \"Bert\", by age from the highest, the first one"},
		{"difference/diff amount/F:orders.amount between/between anna/V:clients.name=Anna and/and bert/V:clients.name=Bert", "sum of amount only where name is \"Anna\" minus sum of amount only where name is \"Bert\" of all orders, with clients where client_id is id"},
		{"what percentage/share of/of clients/E:clients are/be german/V:clients.country=Germany", "(number of rows only where country is \"Germany\" times 100) divided by number of rows of all clients"},
		{"clients/E:clients in/of the same/same country/F:clients.country as/as anna/V:clients.name=Anna", "name of clients where country is among (country of clients where name is \"Anna\")"},
		{"average/agg:mean number_of/count orders/E:orders per/by client/E:clients", "average of number of rows of all (number of rows for each name, of orders, with clients where client_id is id)"},
		{"clients/E:clients older/C:gt=clients.age than/than the average/agg:mean", "name, age of clients where age is more than (average of age of all clients)"},
		{"clients/E:clients with/of orders/E:orders over/cmp:gt 100/N:100 dollars/F:orders.amount", "name of clients where id is among (client_id of orders where amount is more than 100)"},
		{"countries/F:clients.country with/of more_than/cmp:gt 3/N:3 clients/E:clients", "number of rows for each country, of clients where number of rows is more than 3"},
		{"clients/E:clients and/and their amount/F:orders.amount", "name, amount of clients, with orders where id is client_id, each once"},
		{"share/share of/of amount/F:orders.amount by/by country/F:clients.country", "share of sum of amount in the total times 100 for each country, of orders, with clients where client_id is id"},
		{"most_common/frequent:max country/F:clients.country", "number of rows for each country, of clients, by number of rows from the highest, the first one and those equal to the last"},
		{"youngest/S:min=clients.age 3/N:3 clients/E:clients with/of country/F:clients.country", "name, country, age of clients, by age from the lowest, the first 3"},
		{"name/F:clients.name and/and number_of/count orders/E:orders", "number of rows for each name, of orders, with clients where client_id is id"},
		{"minimum/agg:min and/and maximum/agg:max amount/F:orders.amount by/by month/grain:month", "lowest amount, highest amount for each month of day, of orders, by month of day from the earliest"},
		{"orders/E:orders with/of negative/sign:lt amount/F:orders.amount", "orders where amount is less than 0"},
		{"clients/E:clients whose name/F:clients.name starts_with/holds:starts_with J/T:J", "name of clients where name in lower case begins with \"j\""},
		{"amount/F:orders.amount over_time/trend", "sum of amount for each month of day, of orders, by month of day from the earliest"},
		{"running_total/running amount/F:orders.amount by/by month/grain:month", "sum of amount, sum of sum of amount along month of day from the earliest for each month of day, of orders, by month of day from the earliest"},
		{"german/V:clients.country=Germany over/cmp:gt 30/N:30", "name, age of clients where country is \"Germany\" and age is more than 30"},
		{"number_of/count different/distinct countries/F:clients.country", "number of different country of all clients"},
		{"rank/rank clients/E:clients by/by amount/F:orders.amount", "sum of amount, rank along sum of amount from the highest for each name, of orders, with clients where client_id is id, by sum of amount from the highest"},
	} {
		words := bestWords(t, s, tt.message)
		if words != tt.words {
			t.Errorf("{%q, %q},", tt.message, words)
		}
	}
}

// bestWords is the best reading of a message that is written with its spans, by what a person gave the weights.
func bestWords(t *testing.T, s *scope, message string) string {
	t.Helper()
	w := &weights{byName: PriorWeights()}
	g, err := theGrammar()
	if err != nil {
		t.Fatal(err)
	}
	toks, spans := said(t, s, message)
	spans = s.scales(spans)
	kinds := link.Skips(toks, spans)
	spans = alone(spans, kinds)
	c := &chart{g: g, scope: s, weigh: w.of, toks: toks, skip: make([]float64, len(toks)+1)}
	for i, k := range kinds {
		c.skip[i+1] = c.skip[i] + w.of(featSkip+k)
	}
	c.parse(spans)
	got := (&Reader{weights: w}).readings(s, c.roots(catQuery), toks, kinds, spans)
	if len(got) == 0 {
		return "no reading"
	}
	return query.Words(got[0].Query, s, "en")
}

// stays is a table of what begins and ends, with yes and no, counts, and a limit.
func stays() *scope {
	m := &semantic.Model{
		Entities: []semantic.Entity{
			{
				Table:    "stays",
				Singular: "stay",
				Plural:   "stays",
				Key:      []string{"id"},
				Time:     "arrived",
				Fields: []semantic.Field{
					{Name: "id", Type: table.Int, Role: semantic.Identifier, Adds: query.AddsIdentifier},
					{Name: "ward", Type: table.Text, Role: semantic.Dimension},
					{Name: "status", Type: table.Text, Role: semantic.Dimension},
					{Name: "arrived", Type: table.Date, Role: semantic.Time},
					{Name: "left", Type: table.Date, Role: semantic.Time},
					{Name: "private", Type: table.Bool, Role: semantic.Dimension},
					{Name: "age", Type: table.Int, Role: semantic.Measure, Adds: query.AddsRate},
					{Name: "visits", Type: table.Int, Role: semantic.Measure, Adds: query.AddsFlow},
					{Name: "calls", Type: table.Int, Role: semantic.Measure, Adds: query.AddsFlow},
					{Name: "cost", Type: table.Decimal, Role: semantic.Measure, Adds: query.AddsFlow, Unit: "USD"},
					{Name: "budget", Type: table.Decimal, Role: semantic.Measure, Adds: query.AddsFlow, Unit: "USD"},
				},
			},
		},
	}
	return scopeOf(m, []plan.TableInfo{{Name: "stays", Rows: 100, Columns: []plan.ColumnInfo{
		{Name: "ward", Distinct: 4},
		{Name: "arrived", Min: "2024-01-01", Max: "2024-12-01"},
		{Name: "left", Min: "2024-01-03", Max: "2024-12-09", Nulls: 7},
		{Name: "visits", Min: "0", Max: "90", Distinct: 60, Role: "measure", Semantic: "Integer"},
		{Name: "calls", Min: "0", Max: "9", Distinct: 9, Role: "measure", Semantic: "Integer"},
		{
			Name:     "cost",
			Distinct: 90,
			Role:     "measure",
			Semantic: "Currency",
		},
		{Name: "budget", Distinct: 90, Role: "measure", Semantic: "Currency"},
	}}})
}

func TestChartOfOneTable(t *testing.T) {
	s := stays()
	for _, tt := range []struct{ message, words string }{
		{"average/agg:mean duration/elapsed by/by ward/F:stays.ward", "average of the day number of left minus the day number of arrived for each ward, of stays"},
		{"stays/E:stays longer/comparative:gt:length,duration than/than 10/N:10 days", "stays where the day number of left minus the day number of arrived is more than 10"},
		{"private/F:stays.private stays/E:stays", "stays where private is true"},
		{"stays/E:stays not/not private/F:stays.private", "stays where private is false"},
		{"share/share of/of private/F:stays.private by/by ward/F:stays.ward", "(number of rows only where private is true times 100) divided by number of rows for each ward, of stays"},
		{"death/V:stays.status=died rate/rate by/by ward/F:stays.ward", "(number of rows only where status is \"died\" times 100) divided by number of rows for each ward, of stays"},
		{"call/F:stays.calls rate/rate by/by ward/F:stays.ward", "(sum of calls times 100) divided by sum of visits for each ward, of stays"},
		{"stays/E:stays over/cmp:gt 65/N:65", "stays where age is more than 65"},
		{"stays/E:stays with/of cost/F:stays.cost above/cmp:gt budget/F:stays.budget", "stays where cost is more than budget"},
		{"stays/E:stays over/cmp:gt budget/F:stays.budget", "stays where cost is more than budget"},
		{"cost/F:stays.cost per/by:per visit/F:stays.visits by/by ward/F:stays.ward", "sum of cost divided by sum of visits for each ward, of stays"},
		{"wards/F:stays.ward that never/not:never died/V:stays.status=died", "number of rows only where status is \"died\" for each ward, of stays where number of rows only where status is \"died\" is 0"},
		{"wards/F:stays.ward with no/none dead/V:stays.status=died stays/E:stays", "number of rows only where status is \"died\" for each ward, of stays where number of rows only where status is \"died\" is 0"},
		{"months/grain:month with no/none dead/V:stays.status=died stays/E:stays", "month of arrived of stays where status is \"died\", each once"}, // refused: nothing may pass over the no
		{"wards/F:stays.ward that did not/not die/V:stays.status=died", "number of rows only where status is \"died\" for each ward, of stays where number of rows only where status is \"died\" is 0"},
		{"average/agg:mean cost/F:stays.cost of private/F:stays.private versus/compare not/not private/F:stays.private", "average of cost for each private, of stays"},
		{"average/agg:mean cost/F:stays.cost of private/F:stays.private and/and other/Denied:stays.private ones", "average of cost for each private, of stays"},
		{"do/begin private/F:stays.private or/or other/Denied:stays.private stays have more/comparative:gt visits/F:stays.visits", "sum of visits for each private, of stays where private is one of true, false, by sum of visits from the highest"},
		{"stays/E:stays with/of more_than/cmp:gt the average/agg:mean cost/F:stays.cost", "stays where cost is more than (average of cost of all stays)"},
		{"how_many/count stays/E:stays have more/comparative:gt calls/F:stays.calls than/than average/agg:mean", "number of rows of all stays where calls is more than (average of calls of all stays)"},
		{"stays/E:stays that had more_than/cmp:gt calls/F:stays.calls the average/agg:mean stay/E:stays", "stays where calls is more than (average of calls of all stays)"},
		{"which/ask:which wards/F:stays.ward were full more_than/cmp:gt 4/N:4 times/arith:mul", "number of rows for each ward, of stays where number of rows is more than 4"},
		{"share/share of/of private/F:stays.private by/by ward/F:stays.ward in_percent/share", "(number of rows only where private is true times 100) divided by number of rows for each ward, of stays"},
		{"how_many/count stays/E:stays with/of more/comparative:gt calls/F:stays.calls than/than visits/F:stays.visits", "number of rows of all stays where calls is more than visits"},
		{"split/parts by ward/F:stays.ward", "number of rows for each ward, of stays"},
		{"average/agg:mean monthly/grain:month cost/F:stays.cost", "average of sum of cost of all (sum of cost for each month of arrived, of stays, by month of arrived from the earliest)"},
		{"open/unfinished stays/E:stays", "stays where left is missing"},
		{"stays/E:stays without/not:without calls/F:stays.calls", "stays where calls is 0"},
		{"cost/F:stays.cost per/by:per stay/E:stays by/by ward/F:stays.ward", "average of cost for each ward, of stays"},
		{"ward/F:stays.ward with/of the highest/super:max share/share of/of private/F:stays.private", "(number of rows only where private is true times 100) divided by number of rows for each ward, of stays, by (number of rows only where private is true times 100) divided by number of rows from the highest, the first one and those equal to the last"},
	} {
		if words := bestWords(t, s, tt.message); words != tt.words {
			t.Errorf("{%q, %q},", tt.message, words)
		}
	}
}
