package wireschema_test

import (
	"fmt"

	"catena/planner/wireschema"
)

func ExamplePlans() {
	schema := wireschema.Plans([]wireschema.Tool{{Name: "list_tables"}}, wireschema.Options{})
	fmt.Printf("%.91s…\n", schema)
	// Output: {"type":"object","properties":{"title":{"type":"string"},"confidence":{"type":"number"},"cl…
}
