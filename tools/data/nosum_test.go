package data

import (
	"strings"
	"testing"

	"catena/internal/access"
	"catena/planner/plan"
	"catena/table"
	"catena/table/load"
	"catena/table/loadtest"
	"catena/tools/data/pipeline"
	"catena/tools/handle"
)

func TestWhatDoesNotAddUp(t *testing.T) {
	info := Describe("t", loadtest.ReadCSV(t, `country,gdp_growth,rating,score,latitude,avg_temp_c,age,phone,day_no,interest_rate,revenue_usd,units,home_goals
A,2.5,4.5,80,52.5,20.5,33,4930123456,20250101,4.5,100,3,1
B,1.5,3.5,90,48.9,25.0,44,4933123456,20250301,3.9,200,4,2
C,0.7,4.1,70,40.1,13.0,51,4943123456,20250701,2.1,300,5,0
`).Table)
	want := map[string]string{"gdp_growth": "a rate of change", "rating": "a rating", "score": "a score", "latitude": "a position", "avg_temp_c": "a temperature",
		"age": "an age", "phone": "a phone number", "interest_rate": "a rate"}
	for _, c := range info.Columns {
		if c.Name == "day_no" { // an identifier or a date: not to be folded at all
			if !c.NoMean {
				t.Errorf("%s may be folded", c.Name)
			}
			continue
		}
		if c.NoSum != want[c.Name] || c.NoMean != (c.Name == "phone") {
			t.Errorf("%s is %q (no mean: %v), want %q", c.Name, c.NoSum, c.NoMean, want[c.Name])
		}
	}
}

// A word that names a level counts where it is what the values are, not where it only tells which things are counted.
func TestLevelIsTheHead(t *testing.T) {
	for what, names := range map[string]string{
		"": "temp_workers pressure_cookers_sold position_count growth_customers rate_increases humidity_alerts age_claims grade_a_eggs average_customers median_home_count " +
			"tempWorkers2024 rating_count ratings_total number_of_ratings customers_by_age average_number_of_guests score_changes average_sold revenue year",
		"a rating":            "rating Rating avg_rating_2024 rating_2024 rating_out_of_5 rating_of_hotel ratings rating_food rating_value stars",
		"a temperature":       "temperature temperature_max temp_c temp_c_max avg_temp_c avgTempC temp_jan temp_night temp_in_july",
		"a score":             "score score_q1 score_math score_pct home_score_fy2024",
		"an age":              "age age_years age_in_years age_at_death age_group median_age",
		"a rate":              "rate rate_per_100k interest_rate_on_loans churn_monthly out_of_stock_rate opt_in_rate_2024",
		"a rate of change":    "growth gdp_growth growth_2024 year_on_year_growth growth_yoy growth_of_customers",
		"a speed":             "speed_2024_kmh average_speed_kmh speed_km/h",
		"an average":          "average avg_order_value average_wait_minutes avg_response_time_ms averageHours average_hours_per_week mean_income",
		"a reading":           "pressure_hpa humidity_level humidity",
		"a position":          "lat lat_deg longitude",
		"a place in an order": "rank position position_2024 world_rank",
	} {
		for name := range strings.FieldsSeq(names) {
			if got := level(name); got != what {
				t.Errorf("%s is %q, want %q", name, got, what)
			}
		}
	}
	for _, name := range []string{"Temperature (°C)", "Age [years]", "Average hours per week"} {
		if level(name) == "" {
			t.Errorf("%s is no level", name)
		}
	}
}

func TestDatesThatStayText(t *testing.T) {
	info := Describe("t", loadtest.ReadCSV(t, "a,b,c,d\n01/02/2025,13/02/2025,2025-01-02,x1\n03/04/2025,02/13/2025,2025-01-03,x2\n05/06/2024,05/03/2025,2025-01-04,x3\n07/08/2024,2025-03-07,2025-01-05,x4\n").Table)
	for i, want := range []string{"ambiguous", "mixed", "", ""} {
		if got := info.Columns[i].Unread; got != want {
			t.Errorf("column %s is %q, want %q", info.Columns[i].Name, got, want)
		}
	}
}

// One bad cell leaves a column of numbers one that can be computed with; many do not.
func TestCellsThatAreNoNumbers(t *testing.T) {
	tab := loadtest.ReadCSV(t, "item,qty,half,name\na,10,1,x1\nb,20,2,y\nc,unknown,no,z\nd,30,3,u\ne,5,abc,v\nf,7,late,w\n").Table
	info := Describe("t", tab)
	for i, want := range []struct {
		role string
		not  int
	}{{"dimension", 0}, {"measure", 1}, {"dimension", 3}, {"dimension", 0}} {
		if c := info.Columns[i]; c.Role != want.role || c.NotNumbers != want.not {
			t.Errorf("%s: %s with %d cells that are no numbers, want %s with %d", c.Name, c.Role, c.NotNumbers, want.role, want.not)
		}
	}
	out, notes, _, err := pipeline.Run(t.Context(), plan.Query{Table: "t", Select: []plan.Select{{Expr: "sum", Column: "qty"}}}, func(string) (*table.Table, error) { return tab, nil }, nil)
	if err != nil || out.Value(0, 0).Text() != "72" {
		t.Fatal(out, err)
	}
	if want := "1 cell of qty is no number and was left out: “unknown” in row 3."; len(notes) != 1 || notes[0] != want {
		t.Errorf("notes are %q, want %q", notes, want)
	}
}

// How the numbers of a file are written is known to planners.
func TestDecimalComma(t *testing.T) {
	for text, want := range map[string]bool{"k;sales\na;1.500,50\nb;999,00\n": true, "k,sales\na,1500.50\nb,999.00\n": false} {
		src := NewSources(handle.New(handle.Options{}), table.Limits{})
		named, err := load.Tables([]byte(text), "s.csv", table.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		src.Add(SourceTable{Name: "s", Table: named[0].Table, Notes: notesOf(named[0].Report)})
		infos, err := New(Options{Sources: src}).Describe(t.Context(), access.Local("x"), "")
		if err != nil || infos[0].DecimalComma != want {
			t.Errorf("%q: decimal comma %v, want %v (%v)", text, infos[0].DecimalComma, want, err)
		}
	}
}
