package index_test

import (
	"context"
	"fmt"

	"catena/tools/code/index"
	"catena/tools/code/parse"
)

func Example() {
	ctx := context.Background()
	files := map[string]string{
		"go.mod":     "module example.org/shop\n",
		"pay/pay.go": "package pay\n\n// Charge takes money from a customer.\nfunc Charge(customer string) error { return nil }\n",
		"main.go":    "package main\n\nimport \"example.org/shop/pay\"\n\nfunc main() { _ = pay.Charge(\"Globex\") }\n",
	}
	b := index.NewBuilder(index.Options{})
	for name, text := range files {
		f, err := parse.Parse(ctx, name, []byte(text))
		if err != nil {
			fmt.Println(err)
			return
		}
		if err := b.Add(f, []byte(text), index.Stamp{}); err != nil {
			fmt.Println(err)
			return
		}
	}
	snap, err := b.Build(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	hits, err := snap.Search(ctx, index.Query{Text: "where are customers charged?", Limit: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s:%d %s\n", hits[0].Path, hits[0].Start, hits[0].Signature)
	dependents, err := snap.Dependents("pay/pay.go")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, d := range dependents {
		fmt.Printf("%s depends on it by line %d\n", d.Path, d.Line)
	}
	// Output:
	// pay/pay.go:1 func Charge(customer string) error
	// main.go depends on it by line 3
}
