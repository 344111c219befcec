package retrieval_test

import (
	"fmt"

	"catena/planner/plan"
	"catena/planner/retrieval"
)

func Example() {
	tools := []plan.Tool{
		{Name: "harbour_tides", Description: "High and low water at a harbour."},
		{Name: "film_showings", Description: "Showings of films at picture houses."},
	}
	for _, hit := range retrieval.New(tools).Search("Is there a movie on tonight?", 1) {
		fmt.Println(tools[hit.Tool].Name)
	}
	// Output: film_showings
}
