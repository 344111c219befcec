package data_test

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"

	"catena/table"
	"catena/tools/data/verbs"
)

// sold are a few sales: amounts with cents, one of them missing, one negative; a kind that is missing; prices and a
// stock, which do not add up.
const sold = `day,region,kind,amount,items,price,stock
2025-01-05,EU,a,10.10,2,5.05,7
2025-01-20,EU,b,0.20,1,0.20,6
2025-02-03,US,a,30.00,3,10.00,5
2025-04-01,US,,5.00,5,1.00,4
2025-04-09,EU,a,,4,,3
2025-05-30,APAC,b,-4.30,1,4.30,2
`

// abroad are amounts in two currencies.
const abroad = `who,amount,currency
ann,10.00,EUR
bob,20.00,USD
eve,5.50,EUR
dan,1.00,USD
`

// people and orders refer to each other: one order is of nobody, one person has no order, one has two.
const (
	people = "person_id,name,age\n1,Ann,30\n2,Bob,41\n3,Eve,25\n"
	orders = "order_id,person_id,total\n10,1,5.50\n11,1,4.50\n12,2,7.00\n13,9,1.00\n"
	was    = "id,name,price,gone\n1,tea,1.50,x\n2,rum,9.00,x\n3,gin,,x\n4,ale,2.00,x\n"
	is     = "id,name,price,new\n4,ale,2.00,y\n1,tea,1.75,y\n3,Gin,8.00,y\n5,rye,7.00,y\n"
)

// Customers of two systems.
const (
	crmNames = "id,customer\n1,ACME LTD.\n2,Acme\n3,Nordlicht\n4,Zeta\n5,\n6,Acme Inc\n"
	erpNames = "name,city\nAcme Ltd,Rome\nAcme Inc,Oslo\nNordlicht GmbH,Kiel\nNordlicht GmbH,Bonn\n"
)

// The figures were computed apart, in rational numbers.
func TestVerbs(t *testing.T) {
	reg, _ := kitchen(t, nil)
	for _, test := range []struct {
		name, tool string
		args       map[string]any
		want       []string // rows, cells joined by |
		columns    string
		note       string
		fault      string
	}{
		{
			name: "pivot: nulls of the columns, an absent cell, totals", tool: "pivot_table",
			args:    map[string]any{"data": sold, "rows": []any{"region"}, "columns": "kind", "value": "amount", "totals": true},
			columns: "region|a|b|(missing)|total",
			want:    []string{"APAC||-4.30||-4.30", "EU|10.10|0.20||10.30", "US|30.00||5.00|35.00"},
		},
		{
			name: "pivot: counts by quarter", tool: "pivot_table",
			args:    map[string]any{"data": sold, "rows": []any{"region"}, "columns": map[string]any{"column": "day", "period": "quarter"}},
			columns: "region|2025 Q1|2025 Q2",
			want:    []string{"APAC|0|1", "EU|2|1", "US|1|1"},
		},
		{
			name: "pivot: rates are averaged", tool: "pivot_table",
			args: map[string]any{"data": sold, "rows": []any{"kind"}, "columns": "region", "value": "price"},
			note: "price does not add up, so means are shown",
		},
		{
			name: "pivot: currencies are not put together", tool: "pivot_table",
			args:  map[string]any{"data": abroad, "rows": []any{"who"}, "columns": "who", "value": "amount"},
			fault: "columns: who stands down the side already",
		},
		{
			name: "pivot: totals of currencies", tool: "pivot_table",
			args:  map[string]any{"data": abroad, "rows": []any{"who"}, "columns": "currency", "value": "amount", "totals": true},
			fault: "several units or currencies, named by currency",
		},
		{
			name: "pivot: currencies apart", tool: "pivot_table",
			args:    map[string]any{"data": abroad, "rows": []any{map[string]any{"column": "currency"}}, "columns": "who", "value": "amount"},
			columns: "currency|ann|bob|dan|eve",
			want:    []string{"EUR|10.00|||5.50", "USD||20.00|1.00|"},
		},
		{
			name: "pivot: an unknown column", tool: "pivot_table",
			args:  map[string]any{"data": sold, "rows": []any{"regoin"}, "columns": "kind"},
			fault: `did you mean "region"?`,
		},
		{
			name: "pivot: no rows down the side", tool: "pivot_table",
			args: map[string]any{"data": sold, "rows": []any{}, "columns": "kind"},
			want: []string{"3|2|1"},
		},
		{
			name: "pivot: a sum of names", tool: "pivot_table",
			args:  map[string]any{"data": sold, "rows": []any{"kind"}, "columns": "day", "value": "region"},
			fault: "region holds texts: give aggregate",
		},
		{
			name: "share: of amounts of both signs", tool: "share_of_total",
			args:    map[string]any{"data": sold, "by": []any{"region"}, "value": "amount"},
			columns: "region|sum_amount|share|running_share",
			want: []string{"US|35.00|0.85365853658537|0.85365853658537", "EU|10.30|0.25121951219512|1.1048780487805",
				"APAC|-4.30|-0.10487804878049|1"},
			note: "Some parts are negative",
		},
		{
			name: "share: of rows, within", tool: "share_of_total",
			args: map[string]any{"data": sold, "by": []any{"kind"}, "within": []any{"region"}},
			want: []string{"APAC|b|1|1|1", "EU|a|2|0.66666666666667|0.66666666666667", "EU|b|1|0.33333333333333|1",
				"US|a|1|0.5|0.5", "US||1|0.5|1"},
		},
		{
			name: "share: of prices", tool: "share_of_total",
			args:  map[string]any{"data": sold, "by": []any{"kind"}, "value": "price"},
			fault: "needs amounts whose parts add up",
		},
		{
			name: "share: of what is said to add up", tool: "share_of_total",
			args: map[string]any{"data": sold, "by": []any{"kind"}, "value": "price", "aggregate": "sum"},
			want: []string{"a|15.05|0.7323600973236|0.7323600973236", "b|4.50|0.21897810218978|0.95133819951338", "|1.00|0.048661800486618|1"},
			note: "it is a rate, which does not add up",
		},
		{
			name: "share: of currencies", tool: "share_of_total",
			args:  map[string]any{"data": abroad, "by": []any{"currency"}, "value": "amount"},
			fault: "several units or currencies",
		},
		{
			name: "compare: against all rows", tool: "compare_groups",
			args:    map[string]any{"data": sold, "group": "region", "value": "amount"},
			columns: "region|rows|missing|sum|mean|median|stddev|min|max|difference|difference_ratio",
			want: []string{"APAC|1|0|-4.30|-4.3|-4.3||-4.30|-4.30|-12.5|-1.5243902439024",
				"EU|3|1|10.30|5.15|5.15|7.0003571337468|0.20|10.10|-3.05|-0.3719512195122",
				"US|2|0|35.00|17.5|17.5|17.677669529664|5.00|30.00|9.3|1.1341463414634"},
			note: "3 groups have fewer than 5 values",
		},
		{
			name: "compare: two, one is the baseline", tool: "compare_groups",
			args: map[string]any{"data": sold, "group": "region", "value": "amount", "groups": []any{"EU", "US"}, "baseline": "EU"},
			want: []string{"EU|3|1|10.30|5.15|5.15|7.0003571337468|0.20|10.10|0|0",
				"US|2|0|35.00|17.5|17.5|17.677669529664|5.00|30.00|12.35|2.3980582524272"},
		},
		{
			name: "compare: a group that there is not", tool: "compare_groups",
			args:  map[string]any{"data": sold, "group": "region", "value": "amount", "groups": []any{"EU", "USA"}},
			fault: `no row has region "USA"`,
		},
		{
			name: "explain: exact differences", tool: "explain_change",
			args: map[string]any{"data": sold, "by": []any{"region"}, "value": "amount",
				"over": map[string]any{"column": "day", "period": "quarter"}, "from": "2025 Q1", "to": "2025-Q2"},
			columns: "region|before|after|contribution|share_of_change",
			want: []string{"US|30.00|5.00|-25.00|0.63131313131313", "EU|10.30|0.00|-10.30|0.26010101010101",
				"APAC|0.00|-4.30|-4.30|0.10858585858586"},
			note: "the whole change, which is -39.60",
		},
		{
			name: "explain: mix and rate", tool: "explain_change",
			args: map[string]any{"data": sold, "by": []any{"region"}, "value": "amount", "per": "items",
				"over": map[string]any{"column": "day", "period": "quarter"}, "from": "2025-Q1", "to": "2025-Q2"},
			want: []string{"US|10|1|0.5|0.83333333333333|1.0944444444444|-7.5|-6.4055555555556",
				"APAC||-4.3|0|0.16666666666667|0|-1.8361111111111|-1.8361111111111",
				"EU|3.4333333333333||0.5|0|1.6416666666667|0|1.6416666666667"},
			note: "1 row without Amount or Items is left out",
		},
		{
			name: "explain: a period without rows", tool: "explain_change",
			args: map[string]any{"data": sold, "by": []any{"region"}, "value": "amount",
				"over": map[string]any{"column": "day", "period": "month"}, "from": "2025-03", "to": "2025-04"},
			fault: "from: no row has month_of_day",
		},
		{
			name: "quantiles", tool: "quantiles",
			args:    map[string]any{"data": sold, "value": "amount", "at": []any{0.9, 0.1, 0.25, 0.5, 0.5}},
			columns: "rows|missing|min|p10|p25|p50|p90|max",
			want:    []string{"6|1|-4.30|-2.5|0.2|5|22.04|30.00"},
		},
		{
			name: "histogram: values on bounds, empty intervals", tool: "histogram",
			args: map[string]any{"data": sold, "value": "amount", "width": 10},
			want: []string{"-10|0|1|0.2", "0|10|2|0.4", "10|20|1|0.2", "20|30|0|0", "30|40|1|0.2"},
			note: "1 row without a value of amount is left out",
		},
		{
			name: "histogram: tenths are exact", tool: "histogram",
			args:    map[string]any{"data": "x\n0.1\n0.2\n0.3\n0.7\n", "value": "x", "width": 0.1},
			columns: "lower_bound|upper_bound|rows|share",
			want: []string{"0.1|0.2|1|0.25", "0.2|0.3|1|0.25", "0.3|0.4|1|0.25", "0.4|0.5|0|0", "0.5|0.6|0|0", "0.6|0.7|0|0",
				"0.7|0.8|1|0.25"},
		},
		{
			name: "histogram: one value", tool: "histogram",
			args: map[string]any{"data": "x\n5\n5\n", "value": "x"},
			want: []string{"5.0|5.5|2|1"},
		},
		{
			name: "histogram: too narrow", tool: "histogram",
			args:  map[string]any{"data": sold, "value": "amount", "width": 0.001},
			fault: "give a greater width",
		},
		{
			name: "correlate: rows with both", tool: "correlate",
			args: map[string]any{"data": sold, "columns": []any{"amount", "items"}},
			want: []string{"amount|items|0.36686942245267|5"},
		},
		{
			name: "correlate: one column", tool: "correlate",
			args:  map[string]any{"data": abroad},
			fault: "two columns of numbers are needed",
		},
		{
			name: "regression: a line, a row without a value left out", tool: "regression",
			args:    map[string]any{"data": "x,y\n1,2\n2,3\n3,5\n4,6\n5,\n", "value": "y", "on": []any{"x"}},
			columns: "term|coefficient|standard_error|t_value|p_value",
			want:    []string{"intercept|0.5|0.38729833462074|1.2909944487358|0.32580013753676", "x|1.4|0.14142135623731|9.8994949366117|0.010050506338833"},
			note:    "1 row without a value of one of the columns is left out.\n4 rows, 2 degrees of freedom, R squared 0.98, residual standard deviation 0.3162, F(1, 2) = 98.",
		},
		{
			name: "regression: groups", tool: "regression",
			args: map[string]any{"data": "g,y\na,1\na,3\nb,4\nb,6\nc,9\nc,9\n", "value": "y", "on": []any{"g"}},
			want: []string{"intercept|2|0.81649658092773|2.4494897427832|0.091721113311572", "g = b|3|1.1547005383793|2.5980762113533|0.080509573298499",
				"g = c|7|1.1547005383793|6.0621778264911|0.0090073521102219"},
			note: "F(2, 3) = 18.5.",
		},
		{
			name: "regression: powers", tool: "regression",
			args: map[string]any{"data": "x,y\n0,1\n1,2\n2,5\n3,10\n4,17\n", "value": "y", "on": []any{"x"}, "degree": 2},
			want: []string{"intercept|1|0||", "x|0|0||", "x^2|1|0||"},
		},
		{
			name: "regression: a column twice as another", tool: "regression",
			args:  map[string]any{"data": "x,z,y\n1,2,1\n2,4,3\n3,6,2\n4,8,5\n", "value": "y", "on": []any{"x", "z"}},
			fault: "z says nothing that the terms before it do not say",
		},
		{
			name: "regression: too few rows", tool: "regression",
			args:  map[string]any{"data": "x,y\n1,2\n2,4\n", "value": "y", "on": []any{"x"}},
			fault: "not enough data: 2 rows are too few for 2 coefficients",
		},
		{
			name: "anomalies: far above, and never the minimum", tool: "detect_anomalies",
			args:    map[string]any{"data": "id,x\na,1\nb,2\nc,3\nd,4\ne,5\nf,6\ng,7\nh,8\ni,100\nj,\n", "value": "x"},
			columns: "id|x|lower_bound|upper_bound|distance",
			want:    []string{"i|100|-9|19|20.25"},
			note:    "1 row has no value of x.",
		},
		{
			name: "anomalies: too few in a group, and a group without spread", tool: "detect_anomalies",
			args: map[string]any{"data": "g,x\na,1\na,90\nb,5\nb,5\nb,5\nb,5\nb,5\nb,5\nb,5\nb,5\nb,6\n", "value": "x", "by": []any{"g"}},
			want: []string{},
			note: "2 rows have too few others to be judged: a group needs 8 values.\n9 rows have others of which half are the same",
		},
		{
			name: "join: proposed, what has no match stays", tool: "join_tables",
			args:    map[string]any{"left": orders, "right": people},
			columns: "order_id|person_id|total|name|age",
			want:    []string{"10|1|5.50|Ann|30", "11|1|4.50|Ann|30", "12|2|7.00|Bob|41", "13|9|1.00||"},
			note:    "Without a match: 1 row of left, 1 row of right.",
		},
		{
			name: "join: full", tool: "join_tables",
			args: map[string]any{"left": orders, "right": people, "on": []any{"person_id"}, "how": "full"},
			want: []string{"10|1|5.50|Ann|30", "11|1|4.50|Ann|30", "12|2|7.00|Bob|41", "13|9|1.00||", "|3||Eve|25"},
		},
		{
			name: "join: what multiplies is told", tool: "join_tables",
			args: map[string]any{"left": people, "right": orders, "on": []any{[]any{"person_id", "person_id"}}, "how": "inner"},
			want: []string{"1|Ann|30|10|5.50", "1|Ann|30|11|4.50", "2|Bob|41|12|7.00"},
			note: "1 key of right repeats: rows of left with several matches stand several times",
		},
		{
			name: "join: many to many", tool: "join_tables",
			args:  map[string]any{"left": orders, "right": orders, "on": []any{"person_id"}},
			fault: "rows would multiply",
		},
		{
			name: "join: text with number", tool: "join_tables",
			args:  map[string]any{"left": orders, "right": people, "on": []any{[]any{"person_id", "name"}}},
			fault: "person_id holds integers and name holds texts, which are never equal",
		},
		{
			name: "fuzzy join: alike, ambiguous, none, no name", tool: "fuzzy_join",
			args:    map[string]any{"left": crmNames, "right": erpNames, "on": []any{"customer", "name"}},
			columns: "id|customer|match|match_score|candidates|name|city",
			want: []string{"1|ACME LTD.|alike|0.99||Acme Ltd|Rome", "2|Acme|ambiguous||Acme Ltd; Acme Inc||",
				"3|Nordlicht|ambiguous||Nordlicht GmbH in 2 rows||", "4|Zeta|none||||", "5||none||||", "6|Acme Inc|equal|1||Acme Inc|Oslo"},
			note: "Joined: 1 row with the same name, 1 row with a name that is alike. Not joined: 2 rows with several candidates, 2 rows without one.\n" +
				"Several candidates: Acme (Acme Ltd; Acme Inc); Nordlicht (Nordlicht GmbH in 2 rows).",
		},
		{
			name: "fuzzy join: only those with a match, equal ones", tool: "fuzzy_join",
			args: map[string]any{"left": crmNames, "right": erpNames, "on": []any{"customer", "name"}, "how": "inner", "least": 1},
			want: []string{"6|Acme Inc|equal|1||Acme Inc|Oslo"},
		},
		{
			name: "fuzzy join: numbers", tool: "fuzzy_join",
			args:  map[string]any{"left": crmNames, "right": erpNames, "on": []any{"id", "name"}},
			fault: "id holds integers, and names are needed: join_tables matches others",
		},
		{
			name: "convert: the latest rate on or before, exactly; none before the first", tool: "convert_currency",
			args: map[string]any{"data": "id,paid,currency,day\n1,10.00,EUR,2025-01-31\n2,10.00,EUR,2025-02-01\n3,7.10,USD,2025-02-01\n4,3.00,EUR,2024-12-31\n5,1.00,CHF,2025-02-01\n6,,EUR,2025-02-01\n",
				"value": "paid", "currency": "currency", "date": "day", "rates": "code,since,rate\nEUR,2025-02-01,1.0850\nEUR,2025-01-01,1.03\n",
				"rate": "rate", "rate_currency": "code", "rate_date": "since", "to": "USD"},
			columns: "id|paid|currency|day|exchange_rate|rate_date|paid_usd",
			want: []string{"1|10.00|EUR|2025-01-31|1.0300|2025-01-01|10.300000", "2|10.00|EUR|2025-02-01|1.0850|2025-02-01|10.850000",
				"3|7.10|USD|2025-02-01|1.0000||7.100000", "4|3.00|EUR|2024-12-31|||", "5|1.00|CHF|2025-02-01|||", "6||EUR|2025-02-01|1.0850|2025-02-01|"},
			note: "2 rows have no rate and are not converted.",
		},
		{
			name: "convert: two rates for one currency", tool: "convert_currency",
			args: map[string]any{"data": abroad, "value": "amount", "rates": "code,rate\nEUR,1.1\nEUR,1.2\n", "rate": "rate",
				"rate_currency": "code", "to": "USD"},
			fault: "1 key of the rates repeats, so which one holds is not clear: name rate_date",
		},
		{
			name: "diff: found key, added, removed, changed, a column of one side", tool: "diff_tables",
			args:    map[string]any{"before": was, "after": is},
			columns: "change|id|column|before|after",
			want: []string{"changed|1|price|1.50|1.75", "removed|2|||", "changed|3|name|gin|Gin", "changed|3|price||8.00",
				"added|5|||"},
			note: "1 row added, 1 row removed, 2 rows changed, 1 row the same.",
		},
		{
			name: "diff: a key that repeats", tool: "diff_tables",
			args:  map[string]any{"before": orders, "after": orders, "key": []any{"person_id"}},
			fault: "1 key of before repeats",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			args, err := json.Marshal(test.args)
			if err != nil {
				t.Fatal(err)
			}
			res := call(t, reg, test.tool, string(args))
			if test.fault != "" {
				if !res.IsError || !strings.Contains(res.Text, test.fault) {
					t.Errorf("got %v %q, want %q", res.IsError, res.Text, test.fault)
				}
				return
			}
			if res.IsError {
				t.Fatalf("%s: %s", res.Code, res.Text)
			}
			if names := strings.Join(res.Table.Names(), "|"); test.columns != "" && names != test.columns {
				t.Errorf("columns %s, want %s", names, test.columns)
			}
			if got := shownRows(res.Table); test.want != nil && got != strings.Join(test.want, "\n") {
				t.Errorf("got\n%s\nwant\n%s", got, strings.Join(test.want, "\n"))
			}
			if notes := strings.Join(res.Notes, "\n"); !strings.Contains(notes, test.note) {
				t.Errorf("no %q in %s", test.note, notes)
			}
			if res.Title == "" || strings.Contains(res.Title, "\x00") {
				t.Errorf("title %q", res.Title)
			}
		})
	}
}

// shownRows are the rows of a table as texts, floats to 14 digits.
func shownRows(t *table.Table) string {
	var out []string
	for row := range t.NumRows() {
		var cells []string
		for _, v := range t.Row(row) {
			text := v.Text()
			if f, ok := v.Float(); ok && v.Type() == table.Float {
				text = strconv.FormatFloat(f, 'g', 14, 64)
			}
			cells = append(cells, text)
		}
		out = append(out, strings.Join(cells, "|"))
	}
	return strings.Join(out, "\n")
}

// Each verb says by an example over the demo tables how it is called; the example gives rows, or none where it compares
// a table with itself.
func TestVerbExamples(t *testing.T) {
	reg, _ := kitchen(t, nil)
	for _, v := range verbs.List() {
		args, err := json.Marshal(v.Example)
		if err != nil {
			t.Fatal(err)
		}
		res := call(t, reg, v.Name, string(args))
		if res.IsError || res.Table == nil || res.Table.NumRows() == 0 && v.Name != "diff_tables" {
			t.Errorf("%s %s: %s %s", v.Name, args, res.Code, res.Text)
		}
		for _, c := range v.Columns {
			if res.Table != nil && res.Table.Index(c.Name) < 0 {
				t.Errorf("%s has no column %s", v.Name, c.Name)
			}
		}
	}
}

// Contributions of the parts add up to the change of the whole, however it is cut.
func TestContributionsAddUp(t *testing.T) {
	reg, _ := kitchen(t, nil)
	for _, by := range []string{"region", "currency", "country", "client_id"} {
		args := `{"data": "revenue", "value": "revenue_usd", "per": "orders", "by": ["` + by + `"],
			"over": {"column": "month", "period": "year"}, "from": 2024, "to": 2025}`
		res := call(t, reg, "explain_change", args)
		whole := call(t, reg, "query_table", `{"sql": "SELECT SUM(revenue_usd) FILTER (WHERE month >= '2025-01-01') * 1.0 / SUM(orders) FILTER (WHERE month >= '2025-01-01') - SUM(revenue_usd) FILTER (WHERE month < '2025-01-01') * 1.0 / SUM(orders) FILTER (WHERE month < '2025-01-01') FROM revenue WHERE month >= '2024-01-01' AND month < '2026-01-01' AND revenue_usd IS NOT NULL AND orders IS NOT NULL"}`)
		if res.IsError || whole.IsError {
			t.Fatal(res.Text, whole.Text)
		}
		want, _ := whole.Table.Value(0, 0).Float()
		sum := 0.0
		for row := range res.Table.NumRows() {
			f, _ := res.Table.Value(row, res.Table.Index("contribution")).Float()
			sum += f
		}
		if math.Abs(sum-want) > 1e-9 {
			t.Errorf("by %s: %v, want %v", by, sum, want)
		}
	}
}
