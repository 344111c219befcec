package reader

import (
	"strings"
	"testing"

	"catena/planner/plan"
	"catena/planner/reader/link"
	"catena/query"
	"catena/query/semantic"
	"catena/table"
)

// workshop is jobs, the customers whose keys a column of jobs has that is called as they are, and the workers of jobs.
func workshop() (*semantic.Model, []plan.TableInfo) {
	field := func(name string, t table.Type, role semantic.Role) semantic.Field {
		return semantic.Field{Name: name, Label: strings.ReplaceAll(name, "_", " "), Role: role, Type: t, Kind: t.String()}
	}
	to := func(left, column, right, key string) semantic.Relationship {
		return semantic.Relationship{
			Left: left, LeftColumns: []string{column}, Right: right, RightColumns: []string{key},
			Cardinality: semantic.ManyToOne, Known: semantic.Declared,
		}
	}
	price := field("price", table.Float, semantic.Measure)
	price.Adds = query.AddsFlow
	model := &semantic.Model{
		Entities: []semantic.Entity{
			{
				Table: "customers", Singular: "customer", Plural: "customers", Key: []string{"customer_id"}, Name: "full_name",
				Fields: []semantic.Field{
					field("customer_id", table.Int, semantic.Identifier), field("full_name", table.Text, semantic.Dimension),
					field("town", table.Text, semantic.Dimension),
				},
			},
			{
				Table: "jobs", Singular: "job", Plural: "jobs", Key: []string{"job_no"}, Name: "title", Fields: []semantic.Field{
					field("job_no", table.Int, semantic.Identifier), field("customer", table.Int, semantic.Identifier),
					field("title", table.Text, semantic.Dimension), price, field("booked_on", table.Date, semantic.Time),
				},
			},
			{
				Table: "workers", Singular: "worker", Plural: "workers", Key: []string{"worker_id"}, Name: "worker_name",
				Fields: []semantic.Field{
					field("worker_id", table.Int, semantic.Identifier), field("worker_name", table.Text, semantic.Dimension),
				},
			},
			{
				Table: "crew", Singular: "crew", Plural: "crews", Fields: []semantic.Field{
					field("job_no", table.Int, semantic.Identifier), field("worker_id", table.Int, semantic.Identifier),
				},
			},
		},
		Relationships: []semantic.Relationship{
			to("jobs", "customer", "customers", "customer_id"), to("crew", "job_no", "jobs", "job_no"),
			to("crew", "worker_id", "workers", "worker_id"),
		},
	}
	return model, []plan.TableInfo{
		{Name: "customers", Rows: 9}, {Name: "jobs", Rows: 90}, {Name: "workers", Rows: 5}, {Name: "crew", Rows: 140},
	}
}

// A row that another refers to is shown by its name, and a word for it is no word for its key.
func TestReferredByName(t *testing.T) {
	wantFirst(t, workshop, map[string]string{
		"number of jobs per customer":                    "number of rows for each full_name, of jobs",
		"which customer is most common":                  "number of rows for each full_name, of jobs",
		"how many customers in each town":                "number of rows for each town, of customers",
		"customers with more than two jobs and how many": "number of rows for each full_name, of jobs, with customers where customer is customer_id where number of rows is more than 2",
		"number of jobs with a price over 40":            "number of rows of all jobs where price is more than 40",
		"most expensive job of each customer":            "full_name, title, price of jobs, with customers where customer is customer_id where rank within each full_name along price",
		"who has the most jobs":                          "number of rows for each full_name",
	})
}

// A job of two workers is one of each where its price is averaged; added up, it would count twice.
func TestManyToMany(t *testing.T) {
	wantFirst(t, workshop, map[string]string{
		"average price per worker": "average of price for each worker_name, of (worker_name, job_no, price of jobs",
		"number of jobs by worker": "number of different job_no for each worker_name",
	})
	model, tables := workshop()
	list, err := New().Readings(t.Context(), plan.Request{Message: "total price per worker", Tables: tables}, model)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range list {
		if words := query.Words(r.Query, scopeOf(model, tables), "en"); strings.Contains(words, "for each worker_name") {
			t.Errorf("prices count twice: %s", words)
		}
	}
}

// Who asks for people: where the tables have some, a title is no answer.
func TestNobody(t *testing.T) {
	model, tables := workshop()
	s := scopeOf(model, tables)
	jobs := &answer{of: &rows{table: 1}, show: []column{{FieldRef: link.FieldRef{Table: 1, Field: 2}}}}
	if got := s.nobody(jobs, asksWho); len(got) != 1 {
		t.Errorf("jobs answer who: %v", got)
	}
	if got := s.nobody(jobs, asksWhich); got != nil {
		t.Errorf("jobs do not answer which: %v", got)
	}
	if got := s.nobody(&answer{of: &rows{table: 0}}, asksWho); got != nil {
		t.Errorf("customers do not answer who: %v", got)
	}
	list := []Reading{{Score: 4, Features: []Feature{fact(doubtNobody)}}}
	if d := New().Decide("who was it", list, 0.9); d.Outcome == Answer {
		t.Error("an answer that shows nobody is given")
	}
}

// Which towns have no customer called Ann asks for those none of whose customers is: the towns of others are no answer.
// Towns that are not Ulm are, and rows may be shown.
func TestNotOfRepeated(t *testing.T) {
	s := scopeOf(workshop())
	s.tables[0].Columns = []plan.ColumnInfo{{Name: "town", Distinct: 3}}
	name, town := column{FieldRef: link.FieldRef{Field: 1}}, column{FieldRef: link.FieldRef{Field: 2}}
	listed := func(of column) *answer {
		not := &condition{op: opNot, parts: []*condition{{op: opAmong, of: of, values: []string{"x"}}}}
		return &answer{of: &rows{where: []*condition{not}}, show: []column{town}}
	}
	if got := s.notOfRepeated(listed(name), asksWhich); len(got) != 1 {
		t.Errorf("the towns of others answer which: %v", got)
	}
	if got := s.notOfRepeated(listed(town), asksWhich); got != nil {
		t.Errorf("other towns do not answer which: %v", got)
	}
	if got := s.notOfRepeated(listed(name), "askwhat"); got != nil {
		t.Errorf("rows may not be shown: %v", got)
	}
	list := []Reading{{Score: 4, Features: []Feature{fact(doubtNot)}}}
	if d := New().Decide("which towns have no customer called Ann", list, 0.9); d.Outcome == Answer {
		t.Error("towns of others are given")
	}
}

// What is done with money is done with the amounts of money that there are, whatever they are called, and the most of
// it is a sum.
func TestMoneyVerbs(t *testing.T) {
	paid := func() (*semantic.Model, []plan.TableInfo) {
		model, tables := workshop()
		model.Entities[1].Fields[3].Kind = semantic.Money
		return model, tables
	}
	wantFirst(t, paid, map[string]string{
		"which customer spent the most":           "sum of price for each full_name",
		"which customer paid the most in total?":  "sum of price for each full_name",
		"who spent the most money overall":        "sum of price for each full_name",
		"how many jobs are there in total":        "number of rows of all jobs",
		"welcher Kunde hat am meisten ausgegeben": "sum of price for each full_name",
		"customers without a single job":          "full_name of customers where customer_id is not among (customer of jobs)",
	})
}

// Two words are a name that writes them together.
func TestWordsTogether(t *testing.T) {
	named := func() (*semantic.Model, []plan.TableInfo) {
		model, tables := workshop()
		booked := &model.Entities[1].Fields[4]
		booked.Name, booked.Label = "signup_date", "signup date"
		return model, tables
	}
	wantFirst(t, named, map[string]string{
		"how many jobs signed up in 2024": "number of rows of all jobs where signup_date is 2024-01-01",
		"sign-up date of each job":        "signup_date",
		"which customer has no jobs":      "full_name of customers where customer_id is not among (customer of jobs)",
	})
}
