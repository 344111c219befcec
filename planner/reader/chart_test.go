package reader

import (
	"strconv"
	"strings"
	"testing"

	"catena/planner/plan"
	"catena/query"
	"catena/query/semantic"
	"catena/table"
)

// shop is a model of three related tables.
func shop() *semantic.Model {
	m := &semantic.Model{Entities: []semantic.Entity{
		{Table: "clients", Singular: "client", Plural: "clients", Key: []string{"id"}, Name: "name", Fields: []semantic.Field{
			{Name: "id", Type: table.Int, Role: semantic.Identifier, Adds: query.AddsIdentifier},
			{Name: "name", Type: table.Text, Role: semantic.Dimension},
			{Name: "country", Type: table.Text, Role: semantic.Dimension},
			{Name: "age", Type: table.Int, Role: semantic.Measure, Adds: query.AddsRate},
		}},
		{Table: "orders", Singular: "order", Plural: "orders", Key: []string{"id"}, Time: "day", Fields: []semantic.Field{
			{Name: "id", Type: table.Int, Role: semantic.Identifier, Adds: query.AddsIdentifier},
			{Name: "client_id", Type: table.Int, Role: semantic.Identifier, Adds: query.AddsIdentifier},
			{Name: "amount", Type: table.Decimal, Role: semantic.Measure, Adds: query.AddsFlow, Unit: "USD"},
			{Name: "day", Type: table.Date, Role: semantic.Time},
		}},
	}}
	m.Relationships = []semantic.Relationship{{
		Left: "orders", LeftColumns: []string{"client_id"}, Right: "clients", RightColumns: []string{"id"},
		Cardinality: semantic.ManyToOne, Known: semantic.Declared, Score: 1,
	}}
	return m
}

// said makes the tokens and spans of a message that is written with its spans: "average/agg:mean age/F:clients.age".
// Several spans of one token stand behind further bars.
func said(t *testing.T, s *scope, text string) ([]token, []span) {
	t.Helper()
	var toks []token
	var spans []span
	for i, w := range strings.Fields(text) {
		parts := strings.Split(w, "/")
		toks = append(toks, token{text: parts[0], fold: parts[0], stem: parts[0]})
		for _, p := range parts[1:] {
			sp := span{from: i, to: i + 1, score: 1}
			kind, rest, _ := strings.Cut(p, ":")
			switch kind {
			case "E":
				n, _ := s.index(rest)
				sp.cat, sp.mean, sp.how = catEntity, entityRef{n}, howName
			case "F":
				sp.cat, sp.mean, sp.how = catField, fieldNamed(t, s, rest), howName
			case "V":
				col, value, _ := strings.Cut(rest, "=")
				sp.cat, sp.mean, sp.how = catValue, valueRef{field: fieldNamed(t, s, col), values: []string{value}}, howExact
			case "N":
				n, _ := strconv.ParseInt(rest, 10, 64)
				sp.cat, sp.mean, sp.how = catNumber, numberRef{value: table.IntValue(n)}, howForm
			case "S", "C":
				op, col, _ := strings.Cut(rest, "=")
				sp.cat, sp.mean, sp.how = map[string]category{"S": "Super", "C": "Comp"}[kind], scaled{of: column{fieldRef: fieldNamed(t, s, col)}, op: op}, howWord
			default:
				sp.cat, sp.sense, sp.how = category(kind), rest, howWord
			}
			spans = append(spans, sp)
		}
	}
	return toks, spans
}

func fieldNamed(t *testing.T, s *scope, name string) fieldRef {
	t.Helper()
	tab, col, _ := strings.Cut(name, ".")
	n, ok := s.index(tab)
	if !ok {
		t.Fatalf("no table %s", tab)
	}
	for i, f := range s.entity(n).Fields {
		if f.Name == col {
			return fieldRef{n, i}
		}
	}
	t.Fatalf("no field %s", name)
	return fieldRef{}
}

func TestChart(t *testing.T) {
	s := scopeOf(shop(), []plan.TableInfo{{Name: "clients"}, {Name: "orders"}})
	w := learnt()
	g, err := theGrammar()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ message, words string }{
		{"average/agg:mean age/F:clients.age by/by country/F:clients.country", ""},
		{"how_many/count clients/E:clients in/of germany/V:clients.country=Germany", ""},
		{"clients/E:clients older/C:gt=clients.age than/than 30/N:30", ""},
		{"total/agg:sum amount/F:orders.amount of/of german/V:clients.country=Germany clients/E:clients", ""},
		{"amount/F:orders.amount by/by month/grain:month", ""},
		{"oldest/S:max=clients.age client/E:clients in/of germany/V:clients.country=Germany", ""},
		{"top/top:top 5/N:5 clients/E:clients by/by age/F:clients.age", ""},
		{"top/top:top 5/N:5 clients/E:clients by/by amount/F:orders.amount", ""},
		{"which/ask:which country/F:clients.country has/be the most/super:max clients/E:clients", ""},
		{"clients/E:clients without/not:without orders/E:orders", ""},
		{"country/F:clients.country of/of anna/V:clients.name=Anna", ""},
		{"number_of/count orders/E:orders per/by client/E:clients", ""},
		{"clients/E:clients with/of more_than/cmp:gt 3/N:3 orders/E:orders", ""},
		{"client/E:clients after/neighbor:after anna/V:clients.name=Anna", ""},
		{"first/neighbor:first client/E:clients listed", ""},
		{"who is older/C:gt=clients.age anna/V:clients.name=Anna or/or bert/V:clients.name=Bert", ""},
		{"difference/diff amount/F:orders.amount between/between anna/V:clients.name=Anna and/and bert/V:clients.name=Bert", ""},
		{"what percentage/share of/of clients/E:clients are/be german/V:clients.country=Germany", ""},
		{"clients/E:clients in/of the same/same country/F:clients.country as/as anna/V:clients.name=Anna", ""},
		{"average/agg:mean number_of/count orders/E:orders per/by client/E:clients", ""},
		{"clients/E:clients older/C:gt=clients.age than/than the average/agg:mean", ""},
		{"clients/E:clients with/of orders/E:orders over/cmp:gt 100/N:100 dollars/F:orders.amount", ""},
		{"countries/F:clients.country with/of more_than/cmp:gt 3/N:3 clients/E:clients", ""},
		{"clients/E:clients and/and their amount/F:orders.amount", ""},
		{"youngest/S:min=clients.age 3/N:3 clients/E:clients with/of country/F:clients.country", ""},
	} {
		toks, spans := said(t, s, tt.message)
		kinds := skips(toks, spans)
		c := &chart{g: g, scope: s, weigh: w.of, toks: toks, skip: make([]float64, len(toks)+1)}
		for i, k := range kinds {
			c.skip[i+1] = c.skip[i] + w.of(featSkip+k)
		}
		c.parse(spans)
		got := New().readings(s, c.roots(catQuery), toks, kinds, spans)
		t.Logf("== %s: %d readings, %d nodes, %d pairs", tt.message, len(got), c.nodes, c.combined)
		for _, r := range got[:min(2, len(got))] {
			t.Logf("   %.2f %s", r.Score, query.Words(r.Query, s, "en"))
		}
	}
}
