package server_test

import (
	"context"
	"fmt"

	"catena/server"
)

// The table of routes is data: documentation and the OpenAPI document are made from it.
func ExampleRoutes() {
	for _, r := range server.Routes() {
		if r.Tag == "aliases" {
			fmt.Println(r.Method, r.Path, "-", r.Summary)
		}
	}
	// Output:
	// POST /stream - POST /api/v1/chat as events
	// POST /execute - Call one tool: {tool_name, arguments}
}

// A port that is in use is said in words that help.
func ExampleListen() {
	first, err := server.Listen(context.Background(), "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = first.Close() }()
	_, err = server.Listen(context.Background(), first.Addr().String())
	fmt.Println(err != nil)
	// Output: true
}

// NewCore names the parts that are missing.
func ExampleNewCore() {
	_, err := server.NewCore(server.Options{})
	fmt.Println(err)
	// Output:
	// server: Options.Runs is missing
	// server: Options.Planner is missing
	// server: Options.Tools is missing
	// server: Options.Sessions is missing
	// server: Options.Data is missing
	// server: Options.Tables is missing
}
