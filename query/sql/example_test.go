package sql_test

import (
	"fmt"

	"catena/query"
	"catena/query/sql"
	"catena/table"
)

// cities is a catalog of one table.
type cities struct{}

func (cities) Tables() []string { return []string{"city"} }

func (cities) Schema(name string) (query.Schema, bool) {
	s := query.Schema{{Column: table.Column{Name: "state", Type: table.Text}},
		{Column: table.Column{Name: "population", Type: table.Int}}}
	return s, name == "city"
}

func Example() {
	q, _, _ := sql.Parse("SELECT state, SUM(population) AS people FROM city GROUP BY state ORDER BY people DESC LIMIT 3", cities{}, sql.Options{})
	fmt.Println(query.Words(q, cities{}, "en"))

	_, findings, _ := sql.Parse("SELECT stat FROM city", cities{}, sql.Options{})
	fmt.Println(findings[0])

	_, _, err := sql.Parse("DELETE FROM city", cities{}, sql.Options{})
	fmt.Println(err)
	// Output:
	// sum of population for each state, of city, by sum of population from the highest, the first 3
	// 1:8: there is no column "stat"; did you mean state?
	// line 1, column 1: DELETE is not allowed. Only SELECT can be asked here: nothing is written.
}
