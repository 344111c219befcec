package main

import (
	"context"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"

	"catena/planner/plan"
)

// control runs the same DAGs without Catena: a goroutine for each step, which waits for those that it needs and calls the tool by
// mcp-go's own client. What it takes longer than the critical path is the machine's, the server's and the client's; what Catena takes longer
// than it is Catena's.
type control struct {
	client   *client.Client
	parallel chan struct{}
}

// newControl connects a client of mcp-go to a server in a process of its own.
func newControl(ctx context.Context, parallel int) (*control, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	c, err := client.NewStdioMCPClient(self, append(os.Environ(), serverEnv+"="+*serverKind))
	if err != nil {
		return nil, err
	}
	var hello mcp.InitializeRequest
	hello.Params.ProtocolVersion = handshake
	hello.Params.ClientInfo = mcp.Implementation{Name: "chains", Version: "1"}
	if _, err := c.Initialize(ctx, hello); err != nil {
		_ = c.Close() // the first error is the one to tell
		return nil, err
	}
	return &control{client: c, parallel: make(chan struct{}, parallel)}, nil
}

// time runs a plan and gives the milliseconds.
func (c *control) time(ctx context.Context, p plan.Plan) (float64, error) {
	needs := plan.GraphOf(p).Needs
	done, results, errs := make([]chan struct{}, len(p.Steps)), make([]any, len(p.Steps)), make([]error, len(p.Steps))
	at := map[string]int{}
	for i, s := range p.Steps {
		done[i], at[s.ID] = make(chan struct{}), i
	}
	start := time.Now()
	var wg sync.WaitGroup
	for i, s := range p.Steps {
		wg.Go(func() {
			defer close(done[i])
			for _, j := range needs[i] {
				<-done[j]
			}
			c.parallel <- struct{}{}
			defer func() { <-c.parallel }()
			args, _ := resolved(s.Args, func(r plan.Ref) any { return results[at[r.Step]] }).(map[string]any)
			var call mcp.CallToolRequest
			call.Params.Name, call.Params.Arguments = "mix", args
			got, err := c.client.CallTool(ctx, call)
			if err != nil {
				errs[i] = err
				return
			}
			m, _ := got.StructuredContent.(map[string]any)
			results[i] = m["value"]
		})
	}
	wg.Wait()
	took := time.Since(start)
	for i, err := range errs {
		if err != nil {
			return 0, fmt.Errorf("%s: %w", p.Steps[i].ID, err)
		}
	}
	return float64(took.Microseconds()) / 1000, nil
}

// resolved is a value with what its references stand for: a step has one result, its value.
func resolved(v any, of func(plan.Ref) any) any {
	switch y := v.(type) {
	case plan.Ref:
		return of(y)
	case []any:
		out := make([]any, len(y))
		for i, e := range y {
			out[i] = resolved(e, of)
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for k, e := range y {
			out[k] = resolved(e, of)
		}
		return out
	}
	return v
}
