package parse_test

import (
	"context"
	"fmt"

	"catena/tools/code/parse"
)

func ExampleParse() {
	src := `package pay

import "errors"

// Pay pays what is due.
func Pay(due int) error {
	if due < 0 {
		return errors.New("nothing is due")
	}
	return nil
}
`
	file, err := parse.Parse(context.Background(), "pay/pay.go", []byte(src))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range file.Symbols {
		fmt.Printf("%s:%d-%d %s\n%s\ncyclomatic %d, cognitive %d\n", file.Path, s.Start, s.End, s.Signature, s.Doc, s.Metrics.Cyclomatic, s.Metrics.Cognitive)
	}
	for _, c := range file.Chunks {
		fmt.Println("chunk", c.Start, "to", c.End)
	}
	// Output:
	// pay/pay.go:6-11 func Pay(due int) error
	// Pay pays what is due.
	// cyclomatic 2, cognitive 1
	// chunk 1 to 3
	// chunk 5 to 11
}
