package upstream_test

import (
	"context"
	"fmt"

	"catena/tools"
	"catena/tools/upstream"
)

// A server that cannot be started is noted as down; nothing else is held up.
func Example() {
	registry := tools.NewRegistry(tools.Options{})
	servers, err := upstream.New(registry, upstream.Options{}, upstream.Config{Name: "bad name", Command: "npx"})
	fmt.Println(servers == nil, err)

	servers, err = upstream.New(registry, upstream.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = servers.Close() }()
	servers.Start(context.Background())
	fmt.Println("down:", len(registry.Down()))
	// Output:
	// true mcpServers: "bad name": a name is 1 to 32 of letters, digits, _ and -, without two underscores in a row
	// down: 0
}
