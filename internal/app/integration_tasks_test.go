//go:build integration

package app

import (
	"context"
	"encoding/json"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/tools"
)

// lasting are the tools that the suite asks for in its scenarios of tasks.
func lasting() []tools.Tool {
	tool := func(name, schema string, use tools.TaskUse, h tools.Handler) tools.Tool {
		return tools.Tool{Def: mcp.NewToolWithRawSchema(name, "What the suite asks for as "+name+".", json.RawMessage(schema)), Toolset: "everything", Task: use, Handler: h}
	}
	confirm := `{"confirm":{"type":"boolean"}}`
	return []tools.Tool{
		tool("greet", `{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`, tools.TaskWhenSlow,
			func(_ context.Context, call tools.Call) (tools.Result, error) {
				return said("Hello, %s!", call.Args["name"])
			}),
		tool("slow_compute", `{"type":"object","properties":{"seconds":{"type":"number"},"label":{"type":"string"}}}`, tools.TaskAtOnce,
			func(ctx context.Context, call tools.Call) (tools.Result, error) {
				seconds, _ := call.Args["seconds"].(float64)
				if err := sleep(ctx, time.Duration(seconds*float64(time.Second))); err != nil {
					return tools.Result{}, err
				}
				return said("%v is computed", call.Args["label"])
			}),
		tool("failing_job", noArgs, tools.TaskRequired, func(ctx context.Context, _ tools.Call) (tools.Result, error) {
			err := sleep(ctx, time.Second)
			return tools.Failed("intended", "This tool intentionally fails"), err
		}),
		// What gives an error of the protocol is a question of a kind that the client does not answer.
		tool("protocol_error_job", noArgs, tools.TaskAtOnce, func(context.Context, tools.Call) (tools.Result, error) {
			return needs("", mcp.InputRequests{"folders": mcp.NewRootsInputRequest()})
		}),
		tool("confirm_delete", `{"type":"object","properties":{"filename":{"type":"string"}}}`, tools.TaskAtOnce, elicits("", confirm)),
		tool("multi_input", noArgs, tools.TaskAtOnce, func(_ context.Context, call tools.Call) (tools.Result, error) {
			if tools.Elicited(call.Answers, "first") != nil && tools.Elicited(call.Answers, "second") != nil {
				return said("both are answered")
			}
			return needs("", mcp.InputRequests{"first": form("The first?", confirm), "second": form("The second?", confirm)})
		}),
		// It asks at once, which is before there is a task, and then takes so long that there is one.
		tool("test_tool_with_task", noArgs, tools.TaskWhenSlow, func(ctx context.Context, call tools.Call) (tools.Result, error) {
			name, ok := field(call.Answers, "user_name", "name")
			if !ok {
				return needs("", mcp.InputRequests{"user_name": form("Who are you?", askName, "name")})
			}
			if err := sleep(ctx, 3*time.Second); err != nil {
				return tools.Result{}, err
			}
			return said("Done for %s", name)
		}),
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
