package sizetest_test

import (
	"fmt"
	"go/parser"
	"go/token"

	"catena/internal/archtest/sizetest"
)

func Example() {
	source := []byte("package p\n\nvar x = a && (b || !c) && d\n")
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, "p.go", source, parser.ParseComments)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range sizetest.Excesses(fset, tree, source) {
		fmt.Printf("line %d: %d %s, at most %d\n", e.Line, e.Size, e.Limit, sizetest.Most[e.Limit])
	}
	// Output: line 3: 4 terms, at most 3
}
