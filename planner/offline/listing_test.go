package offline

import (
	"strings"
	"testing"

	"catena/planner/plan"
)

// races is a table of a few rows, as people copy them from a page: text that holds numbers, no caption.
var races = plan.TableInfo{Name: "races", Rows: 24, Columns: []plan.ColumnInfo{
	{Name: "Rider", Type: "text", Role: "dimension", Distinct: 24},
	{Name: "Club", Type: "text", Role: "dimension", Distinct: 6},
	{Name: "Points", Type: "integer", Role: "measure", Min: "2", Max: "90", Distinct: 20},
	{Name: "Time", Type: "text", Role: "dimension", Distinct: 23},
	{Name: "Year", Type: "integer", Role: "time", Min: "1990", Max: "2013", Distinct: 12, NoSum: "a date"},
	{Name: "Heat", Type: "integer", Role: "measure", Min: "1", Max: "24", Distinct: 24},
	{Name: "Doped", Type: "boolean", Role: "dimension", Distinct: 2},
	{Name: "Rate", Type: "decimal", Role: "measure", Min: "0.02", Max: "0.40", Distinct: 22, NoSum: "a rate"},
}}

var raceValues = fakeValues{
	"ana ruiz": {Table: "races", Column: "Rider", Value: "Ana Ruiz", Match: plan.Exact, Score: 1, Rows: 1, Values: 1},
	"ben hall": {Table: "races", Column: "Rider", Value: "Ben Hall", Match: plan.Exact, Score: 1, Rows: 1, Values: 1},
	"vela":     {Table: "races", Column: "Club", Value: "Vela", Match: plan.Exact, Score: 1, Rows: 4, Values: 1},
	"orca":     {Table: "races", Column: "Club", Value: "Orca", Match: plan.Exact, Score: 1, Rows: 5, Values: 1},
}

func TestListingQuestions(t *testing.T) {
	self := `{"column":"Rider","op":"eq","value":"Ben Hall"}`
	for message, want := range map[string]string{
		"which rider is listed after ben hall?":                 `{"beside":{"filter":[` + self + `],"offset":1},"select":["Rider"],"table":"races"}`,
		"what is the club of the rider before ben hall?":        `{"beside":{"filter":[` + self + `],"offset":-1},"select":["Club","Rider"],"table":"races"}`,
		"how many riders of vela are there?":                    `{"filter":[{"column":"Club","op":"eq","value":"Vela"}],"select":[{"as":"count","expr":"count"}],"table":"races"}`,
		"how many more points did ana ruiz have than ben hall?": `{"select":[{"as":"ana ruiz","column":"Points","expr":"sum","filter":[{"column":"Rider","op":"eq","value":"Ana Ruiz"}]},{"as":"ben hall","column":"Points","expr":"sum","filter":[` + self + `]}],"table":"races"}`,
		"who has more points, ana ruiz or ben hall?":            `{"filter":[{"any":[{"column":"Rider","op":"eq","value":"Ana Ruiz"},` + self + `]},{"column":"Points","op":"not_null"}],"limit":1,"order_by":[{"column":"Points","desc":true}],"select":["Rider","Points"],"table":"races"}`,
		"which club is listed the most?":                        `{"filter":[{"column":"Club","op":"not_null"}],"group_by":["Club"],"limit":1,"order_by":[{"column":"count","desc":true}],"select":["Club",{"as":"count","expr":"count"}],"table":"races"}`,
		"who had more points than ben hall?":                    `{"filter":[{"column":"Points","op":"gt","value":{"column":"Points","expr":"first","filter":[` + self + `]}},{"column":"Rider","op":"ne","value":"Ben Hall"}],"select":["Rider","Points"],"table":"races"}`,
		"how many heats did vela ride":                          `{"filter":[{"column":"Club","op":"eq","value":"Vela"}],"select":[{"as":"count","expr":"count"}],"table":"races"}`,
		"how many riders are doped":                             `{"filter":[{"column":"Doped","op":"eq","value":true}],"select":[{"as":"count","expr":"count"}],"table":"races"}`,
		"how many riders are not doped":                         `{"filter":[{"column":"Doped","op":"eq","value":false}],"select":[{"as":"count","expr":"count"}],"table":"races"}`,
		"which riders have a rate over 10%":                     `{"distinct":true,"filter":[{"column":"Rate","op":"gt","value":0.1}],"select":["Rider"],"table":"races"}`,
		"which riders have a rate over 10 percent":              `{"distinct":true,"filter":[{"column":"Rate","op":"gt","value":0.1}],"select":["Rider"],"table":"races"}`,
		"who is the last rider on the list?":                    `{"derive":[{"as":"row","op":"row"}],"filter":[{"column":"Year","op":"not_null"}],"limit":1,"order_by":[{"column":"row","desc":true}],"select":["Rider","Year"],"table":"races"}`,
		"top 25% by points":                                     `{"limit":6,"order_by":[{"column":"Points","desc":true}],"select":["Rider","Points"],"table":"races"}`,
		"show all":                                              `{"table":"races"}`,
		"Punkte":                                                "refuse",
		"Summe Points pro Club":                                 `{"group_by":["Club"],"select":["Club",{"column":"Points","expr":"sum"}],"table":"races"}`,
		"Anzahl Riders":                                         `{"select":[{"as":"count","expr":"count"}],"table":"races"}`,
		"difference between ana ruiz and ben hall":              "clarify: The difference of which column: Points, Heat, Rate?",
		"what is the average weight of the riders?":             "refuse",
		"how many riders are left-handed?":                      "refuse",
		"how many electric bikes are there?":                    "refuse",
		"which rider has the highest heart rate variability?":   "",
		"who is the oldest?":                                    "refuse",
		"how many riders from Madrid?":                          "refuse",
		"what did the sponsor of vela pay?":                     "",
		"which rider is the most popular?":                      "clarify",
		"points of the riders in Lisbon":                        "refuse",
		"top 10% of the riders of vela by points":               "refuse: How many 10 % of these are is not known",
		"share of points by club":                               `{"group_by":["Club"],"order_by":[{"column":"sum_Points","desc":true}],"select":["Club",{"column":"Points","expr":"sum"}],"share_of_total":"sum_Points","table":"races"}`,
	} {
		req := plan.Request{Message: message, Now: testNow, Tables: []plan.TableInfo{races}, Values: raceValues, Tools: testTools}
		resp, err := New().Plan(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		if got := stepsOf(resp.Plan); !strings.HasPrefix(got, want) {
			t.Errorf("%q gave\n%s, want\n%s", message, got, want)
		}
	}
}

// A few values over many rows are observations, not a list: what the table does not have is not counted there.
func TestObservationsAreNoListing(t *testing.T) {
	power := plan.TableInfo{Name: "power", Rows: 51, Columns: []plan.ColumnInfo{
		{Name: "year", Type: "integer", Role: "time", Min: "2001", Max: "2017", Distinct: 17, NoSum: "a date"},
		{Name: "source", Type: "text", Role: "dimension", Distinct: 3},
		{Name: "output", Type: "integer", Role: "measure", Min: "1437", Max: "42750", Distinct: 51},
	}}
	values := fakeValues{"hydro": {Table: "power", Column: "source", Value: "Hydro", Match: plan.Exact, Score: 1, Rows: 17, Values: 1}}
	for _, message := range []string{"how many households got hydro in 2016?", "how many women work with hydro?", "which minister liked hydro the most?", "what did hydro cost in 2010?"} {
		req := plan.Request{Message: message, Now: testNow, Tables: []plan.TableInfo{power}, Values: values, Tools: testTools}
		resp, err := New().Plan(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		if len(resp.Plan.Steps) > 0 {
			t.Errorf("%q gave %s", message, stepsOf(resp.Plan))
		}
	}
}

func TestGerman(t *testing.T) {
	sales := plan.TableInfo{Name: "sales", Rows: 500, Columns: []plan.ColumnInfo{
		{Name: "Kunde", Type: "text", Role: "dimension", Distinct: 30},
		{Name: "Umsatz", Type: "decimal", Role: "measure", Min: "1.00", Max: "900.00", Distinct: 400},
		{Name: "Datum", Type: "date", Role: "time", Min: "2025-01-01", Max: "2025-12-31", Distinct: 300},
	}}
	byCustomer := `{"group_by":["Kunde"],"select":["Kunde",{"column":"Umsatz","expr":"sum"}],"table":"sales"}`
	for message, want := range map[string]string{
		"Umsatz nach Kunde":              byCustomer,
		"Summe Umsatz pro Kunde":         byCustomer,
		"Durchschnitt Umsatz je Kunde":   `{"group_by":["Kunde"],"select":["Kunde",{"column":"Umsatz","expr":"mean"}],"table":"sales"}`,
		"Gesamtumsatz":                   `{"select":[{"column":"Umsatz","expr":"sum"}],"table":"sales"}`,
		"Anzahl Kunden":                  `{"select":[{"as":"count","column":"Kunde","expr":"count_distinct"}],"table":"sales"}`,
		"wie viele Zeilen gibt es?":      `{"select":[{"as":"count","expr":"count"}],"table":"sales"}`,
		"Top 3 Kunden nach Umsatz":       `{"group_by":["Kunde"],"limit":3,"order_by":[{"column":"sum_Umsatz","desc":true}],"select":["Kunde",{"column":"Umsatz","expr":"sum"}],"table":"sales"}`,
		"größter Umsatz":                 `{"select":[{"column":"Umsatz","expr":"max"}],"table":"sales"}`,
		"Umsatz nach Gewicht":            "refuse",
		"the price of a pro plan by war": "refuse",
	} {
		req := plan.Request{Message: message, Now: testNow, Tables: []plan.TableInfo{sales}, Values: fakeValues{}, Tools: testTools}
		resp, err := New().Plan(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		if got := stepsOf(resp.Plan); got != want && !(want == "refuse" && len(resp.Plan.Steps) == 0) {
			t.Errorf("%q gave\n%s, want\n%s", message, got, want)
		}
	}
}
