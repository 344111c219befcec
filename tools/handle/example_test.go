package handle_test

import (
	"context"
	"fmt"
	"strings"

	"catena/internal/access"
	"catena/table"
	"catena/table/load"
	"catena/tools/handle"
)

// A table is kept for its owner, and nobody else gets it.
func Example() {
	tables := handle.New(handle.Options{})
	defer tables.Close()
	ctx, ann, bob := context.Background(), access.Caller{ID: "ann"}, access.Caller{ID: "bob"}
	orders, err := load.Text("id,total\n1,20\n2,30\n", table.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	h, err := tables.Put(ctx, ann, handle.Meta{Name: "orders"}, orders)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, meta, err := tables.Get(ctx, ann, h)
	fmt.Println(strings.HasPrefix(h, handle.Prefix), meta.Name, meta.Rows, err)
	_, _, err = tables.Get(ctx, bob, h)
	fmt.Println(err != nil)
	// Output:
	// true orders 2 <nil>
	// true
}
