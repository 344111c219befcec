package link

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"catena/planner/plan"
	"catena/query"
	"catena/query/semantic"
	"catena/table"
)

// shopModel is a small invented shop.
func shopModel() *semantic.Model {
	return &semantic.Model{Entities: []semantic.Entity{
		{
			Table:    "customers",
			Singular: "customer",
			Plural:   "customers",
			Name:     "name",
			Synonyms: []string{"shopper"},
			Fields: []semantic.Field{
				{Name: "id", Label: "ID", Role: semantic.Identifier, Type: table.Int},
				{Name: "name", Label: "Name", Role: semantic.Dimension, Type: table.Text},
				{Name: "city", Label: "City", Role: semantic.Dimension, Type: table.Text},
				{Name: "signup_date", Label: "Signup date", Role: semantic.Time, Type: table.Date},
			},
		},
		{Table: "orders", Singular: "order", Plural: "orders", Time: "ordered_on", Fields: []semantic.Field{
			{Name: "id", Label: "ID", Role: semantic.Identifier, Type: table.Int},
			{Name: "customer_id", Label: "Customer ID", Role: semantic.Identifier, Type: table.Int},
			{Name: "ordered_on", Label: "Ordered on", Role: semantic.Time, Type: table.Date},
			{Name: "unit_price", Label: "Unit price", Role: semantic.Measure, Type: table.Decimal, Unit: "USD"},
			{Name: "qty", Label: "Quantity", Role: semantic.Measure, Type: table.Int},
			{Name: "wt_kg", Label: "Weight", Role: semantic.Measure, Type: table.Float, Unit: "kg"},
			{
				Name:     "status",
				Label:    "Status",
				Role:     semantic.Dimension,
				Type:     table.Text,
				Synonyms: []string{"order state"},
			},
		}},
	}}
}

// shopValues are the values of the shop.
type shopValues map[string]plan.Hit

func (v shopValues) Find(_ context.Context, phrase string) []plan.Hit {
	if h, ok := v[strings.ToLower(phrase)]; ok {
		return []plan.Hit{h}
	}
	return nil
}

var theShopValues = shopValues{
	"new york": {
		Table:  "customers",
		Column: "city",
		Value:  "New York",
		Match:  plan.Exact,
		Score:  1,
		Rows:   3,
		Values: 1,
	},
	"york": {Table: "customers", Column: "city", Value: "York", Match: plan.Exact, Score: 1, Rows: 1, Values: 1},
	"the hague": {
		Table:  "customers",
		Column: "city",
		Value:  "The Hague",
		Match:  plan.Exact,
		Score:  1,
		Rows:   1,
		Values: 1,
	},
	"smith": {
		Table:  "customers",
		Column: "name",
		Value:  "Ann Smith",
		Match:  plan.Word,
		Score:  0.8,
		Rows:   2,
		Values: 2,
	},
	"shipped": {Table: "orders", Column: "status", Value: "shipped", Match: plan.Exact, Score: 1, Rows: 9, Values: 1},
	"o'brien": {
		Table:  "customers",
		Column: "name",
		Value:  "O'Brien",
		Match:  plan.Exact,
		Score:  1,
		Rows:   1,
		Values: 1,
	},
}

func linkShop() *Scope {
	return &Scope{Model: shopModel(), Now: time.Date(2026, 11, 26, 10, 0, 0, 0, time.UTC)}
}

// TestSpans says for messages which spans must be among those found, and, behind "no ", which may not.
func TestSpans(t *testing.T) {
	tests := []struct{ message, want string }{
		{"How many orders?", "How many = count\norders = Entity orders, name"},
		{
			"average unit price per city",
			"average = agg mean\nunit price = Field orders.unit_price, name\nper = by per\ncity = Field customers.city, name",
		},
		{
			"the weights in New York",
			"weights = Field orders.wt_kg, name 0.99\nNew York = Value customers.city=New York, exact\nno York = Value",
		},
		{"customers of The Hague", "The Hague = Value customers.city=The Hague, exact"},
		{"orders of Smith", "Smith = Value customers.name=Ann Smith x2, inside 0.80"},
		{"O'Brien's orders", "O'Brien = Value customers.name=O'Brien, exact\n's = poss"},
		{"shoppers", "shoppers = Entity customers, synonym 0.94"},
		{"the city of the customer", "city of the customer = Field customers.city, name 0.94"},
		{"orders over 1,234.5", "over = cmp gt\n1,234.5 = Number 1234.5, form"},
		{"more than 5k or $3m", "more than = cmp gt\n5k = Number 5000, form\n$3m = Number 3000000 USD, form"},
		{"12% and 12 percent", "12% = Number 12 %, form\n12 percent = Number 12 %, form"},
		{"20 kg", "20 = Number 20, form\n20 kg = Number 20 kg, form\nkg = Field orders.wt_kg, unit 0.70"},
		{"three hundred and five", "three hundred and five = Number 305, form"},
		{"2 million", "2 million = Number 2000000, form"},
		{"the 3rd and the second", "3rd = Number 3., form\nsecond = Number 2., form"},
		{"in 2019", "2019 = Number 2019, form\n2019 = Period year 2019-01-01..2020-01-01, form"},
		{"March 2020", "March 2020 = Period month 2020-03-01..2020-04-01, form"},
		{"March 5, 2020", "March 5 , 2020 = Period day 2020-03-05..2020-03-06, form"},
		{"5th of March 2020", "5th of March 2020 = Period day 2020-03-05..2020-03-06, form"},
		{"Q3 2019", "Q3 2019 = Period quarter 2019-07-01..2019-10-01, form"},
		{"third quarter of 2019", "third quarter of 2019 = Period quarter 2019-07-01..2019-10-01, form"},
		{"2019-03", "2019-03 = Period month 2019-03-01..2019-04-01, form"},
		{"the 1990s", "1990s = Period decade 1990-01-01..2000-01-01, form"},
		{"last 3 months", "last 3 months = Period -3 month, form"},
		{"last year", "last year = Period year 2025-01-01..2026-01-01, form"},
		{"this week", "this week = Period week 2026-11-23..2026-11-30, form"},
		{"yesterday", "yesterday = Period day 2026-11-25..2026-11-26, form"},
		{"since 2010", "since 2010 = Period year 2010-01-01.., form"},
		{"before May 2020", "before May 2020 = Period month ..2020-05-01, form"},
		{"after 2010", "after 2010 = Period year 2011-01-01.., form"},
		{"between 2010 and 2015", "between 2010 and 2015 = Period year 2010-01-01..2016-01-01, form"},
		{"2010-2015", "2010 - 2015 = Period year 2010-01-01..2016-01-01, form"},
		{"March to May 2020", "March to May 2020 = Period month 2020-03-01..2020-06-01, form"},
		{"on weekends", "weekends = Period weekday[6 7], form"},
		{"Monday to Wednesday", "Monday to Wednesday = Period weekday[1 2 3], form"},
		{"November to February", "November to February = Period month[11 12 1 2], form"},
		{"May and June 2020", "May and June 2020 = Period month 2020-05-01..2020-07-01, form"},
		{"May, June and July", "May , June and July = Period month[5 6 7], form"},
		{"May and July 2020", "no May and = Period"},
		{"summer 2020", "summer 2020 = Period month 2020-06-01..2020-09-01, form"},
		{"in winter", "winter = Period month[12 1 2], form"},
		{"after 8pm", "after 8pm = Period hour[20 21 22 23], form"},
		{"before noon", "before noon = Period hour[0 1 2 3 4 5 6 7 8 9 10 11], form"},
		{"between 9am and 5 pm", "between 9am and 5 pm = Period hour[9 10 11 12 13 14 15 16], form"},
		{"in the evening", "evening = Period hour[18 19 20 21 22 23], form"},
		{"the last 3 months of 2020", "last 3 months of 2020 = Period month 2020-10-01..2021-01-01, form"},
		{"the first 10 days of May 2020", "first 10 days of May 2020 = Period day 2020-05-01..2020-05-11, form"},
		{"second week of May 2020", "second week of May 2020 = Period week 2020-05-08..2020-05-15, form"},
		{"2010 or later", "2010 or later = Period year 2010-01-01.., form"},
		{"the most expensive orders", "most expensive = superadj max:price,cost,fare,fee"},
		{"staus", "staus = Field orders.status, fuzzy 0.75"},
		{"not shipped", "not = not not\nshipped = Value orders.status=shipped, exact"},
		{`city is "Rome"`, `Rome = Text Rome, form`},
		{"Gesamtumsatz pro Kunde", "Gesamt = agg sum\nKunde = Entity customers, synonym 0.70\npro = by per"},
		{
			"Wie viele Bestellungen seit März 2020?",
			"Wie viele = count\nBestellungen = Entity orders, synonym 0.70\nseit März 2020 = Period month 2020-03-01.., form",
		},
		{"die teuersten nach Monat", "teuersten = superadj max:price,cost\nnach = by by\nMonat = grain month"},
		{"the last 5000 days", "no last = Period\nno last 5000 days = Period"},
		{"the last 99999999999999999999 weeks", "no last = Period\nno last 99999999999999999999 weeks = Period"},
		{"3 months ago", "3 months ago = Period month 2026-08-01..2026-09-01, form"},
		{"in the year 2019", "year 2019 = Period year 2019-01-01..2020-01-01, form"},
		{"order date", "no order date = Field orders.customer_id"},
		{"cost", "cost = Field orders.unit_price, synonym 0.70"},
		{"number of orders", "no number = Field"},
		{"the order number and the city", "order number = Field orders.id, synonym 0.81"},
		{"shipped status orders", "status = Field orders.status, name\norders = Entity orders, name"},
	}
	for _, test := range tests {
		s := linkShop()
		toks := Tokenize(test.message)
		got := strings.Split(s.show(toks, s.Spans(t.Context(), toks, theShopValues)), "\n")
		for _, want := range strings.Split(test.want, "\n") {
			banned, not := strings.CutPrefix(want, "no ")
			has := slices.ContainsFunc(
				got,
				func(line string) bool { return line == want || not && strings.HasPrefix(line, banned) },
			)
			if has == not {
				t.Errorf("%q: want %q in\n%s", test.message, want, strings.Join(got, "\n"))
			}
		}
	}
}

// Phrases of several words stand for others, too, in messages and in names; a number is no value that holds it.
func TestConceptPhrases(t *testing.T) {
	s := &Scope{
		Model: &semantic.Model{
			Entities: []semantic.Entity{{Table: "films", Singular: "film", Plural: "films", Fields: []semantic.Field{
				{Name: "duration", Label: "Duration", Role: semantic.Measure, Type: table.Int},
				{Name: "net_income", Label: "Net income", Role: semantic.Measure, Type: table.Int},
				{Name: "title", Label: "Title", Role: semantic.Dimension, Type: table.Text},
			}}},
		},
	}
	values := shopValues{
		"7":      {Table: "films", Column: "title", Value: "Room 7", Match: plan.Word, Score: 0.6, Rows: 1, Values: 1},
		"room 7": {Table: "films", Column: "title", Value: "Room 7", Match: plan.Exact, Score: 1, Rows: 1, Values: 1},
	}
	for message, want := range map[string]string{
		"the running time": "running time = Field films.duration, synonym 0.70",
		"total profit":     "profit = Field films.net_income, synonym 0.70",
		"room 7":           "room 7 = Value films.title=Room 7, exact",
		"rating 7":         "no 7 = Value",
	} {
		toks := Tokenize(message)
		banned, not := strings.CutPrefix(want, "no ")
		got := strings.Split(s.show(toks, s.Spans(t.Context(), toks, values)), "\n")
		has := slices.ContainsFunc(
			got,
			func(line string) bool { return line == want || not && strings.HasPrefix(line, banned) },
		)
		if has == not {
			t.Errorf("%q: want %q in\n%s", message, want, strings.Join(got, "\n"))
		}
	}
}

// Of two amounts with one name, the one in one currency is meant.
func TestMixedAmounts(t *testing.T) {
	field := func(name, unit string, adds query.Adds) semantic.Field {
		return semantic.Field{
			Name:  name,
			Label: "Turnover",
			Role:  semantic.Measure,
			Type:  table.Decimal,
			Unit:  unit,
			Adds:  adds,
		}
	}
	s := &Scope{
		Model: &semantic.Model{
			Entities: []semantic.Entity{{Table: "deals", Singular: "deal", Plural: "deals", Fields: []semantic.Field{
				field("turnover", "", ""), field("turnover_eur", "EUR", query.AddsFlow),
			}}},
		},
	}
	toks := Tokenize("total turnover")
	if got := s.show(
		toks,
		s.Spans(t.Context(), toks, nil),
	); strings.Contains(got, "deals.turnover,") ||
		!strings.Contains(got, "deals.turnover_eur") {
		t.Errorf("%s", got)
	}
}

// TestCalledBy holds that what an adjective measures finds columns by their names, synonyms and units.
func TestCalledBy(t *testing.T) {
	s := linkShop()
	measured := func(f FieldRef) bool { return s.Field(f).Role == semantic.Measure || IsTime(s.Field(f)) }
	for names, want := range map[string]string{"weight": "orders.wt_kg", "price,cost": "orders.unit_price", "speed": "", "time": "customers.signup_date", "name": ""} {
		got := ""
		if list := s.CalledBy(strings.Split(names, ","), measured); len(list) > 0 {
			got = s.showMeaning(list[0].Meaning)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", names, got, want)
		}
	}
}

func BenchmarkSpans(b *testing.B) {
	m := &semantic.Model{}
	words := strings.Fields(
		"unit price order date customer name city region status weight height length total amount discount rate share count supplier product",
	)
	for i := range 10 {
		e := semantic.Entity{Table: words[i] + "s", Singular: words[i], Plural: words[i] + "s"}
		for j := range 10 {
			label := words[(i*3+j)%20] + " " + words[(i+j*7+3)%20]
			e.Fields = append(e.Fields, semantic.Field{Name: strings.ReplaceAll(label, " ", "_"), Label: label})
		}
		m.Entities = append(m.Entities, e)
	}
	s := &Scope{Model: m}
	const message = "what is the average unit price of all orders in New York for each customer since March 2019 with a discount over 5 percent"
	b.ReportAllocs()
	for b.Loop() {
		toks := Tokenize(message)
		s.Spans(b.Context(), toks, theShopValues)
	}
}

// Words of one stem that name somebody and what somebody does are no forms of each other.
func TestApart(t *testing.T) {
	for words, want := range map[[2]string]bool{
		{"applicants", "application"}: true, {"employer", "employment"}: true, {"order", "ordering"}: false, {"visited", "visits"}: false,
	} {
		if got := apart(words[0], words[1]); got != want {
			t.Errorf("%v: %v", words, got)
		}
	}
}
