package signature_test

import (
	"fmt"

	"catena/planner/signature"
)

func ExampleWriter_Args() {
	var w signature.Writer
	fmt.Println(w.Args([]byte(`{"type": "object", "required": ["data"], "properties": {
		"limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 10},
		"data": {"type": "string", "format": "table-ref"}}}`), signature.Options{}))
	// Output: (data: table, limit?: 1..100 = 10)
}
