// Command mcpclient lets the protocol's own conformance suite (npm's @modelcontextprotocol/conformance) test Catena as a client. The
// suite starts it for each of its scenarios, with the address of a server of its own:
//
//	conformance client --command mcpclient --suite all
//
// It attaches that server the way the program attaches a configured one, by tools/upstream and a registry of tools, and then uses what
// the server offers: it calls each tool that there is a call for, reads each resource, gets each prompt. Whatever the suite checks is
// the doing of tools/upstream and its oauth; here is only a person who agrees to everything: a browser that follows the authorization
// server's redirect, and accepts what is asked, with no value of his own.
//
// MCP_CONFORMANCE_SCENARIO and MCP_CONFORMANCE_CONTEXT are the suite's. The exit status is 1 when the server could not be attached, or
// refused something.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/internal/access"
	"catena/tools"
	"catena/tools/upstream"
	"catena/tools/upstream/oauth"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, 25*time.Second) // the suite gives 30 s
	defer cancel()
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: mcpclient URL")
		os.Exit(2)
	}
	if err := run(ctx, os.Args[1], os.Getenv("MCP_CONFORMANCE_SCENARIO"), os.Getenv("MCP_CONFORMANCE_CONTEXT")); err != nil {
		fmt.Fprintln(os.Stderr, "mcpclient:", err)
		os.Exit(1)
	}
}

// given is what the suite says beside the address.
type given struct {
	ClientID     string `json:"client_id"`
	ClientSecret string `json:"client_secret"`
	PrivateKey   string `json:"private_key_pem"`
	ToolCalls    []struct {
		Name      string         `json:"name"`
		Arguments map[string]any `json:"arguments"`
	} `json:"toolCalls"`
}

// name is what the server is called here.
const name = "suite"

var person = access.Local("person")

// run attaches the server and uses it.
func run(ctx context.Context, address, scenario, about string) error {
	var g given
	if about != "" {
		if err := json.Unmarshal([]byte(about), &g); err != nil {
			return fmt.Errorf("MCP_CONFORMANCE_CONTEXT: %w", err)
		}
	}
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelDebug}))
	registry := tools.NewRegistry(tools.Options{Log: log})
	servers, err := upstream.New(registry, upstream.Options{Log: log, Login: browser{}}, upstream.Config{
		Name: name, URL: address, Timeout: 20 * time.Second,
		OAuth: oauth.Config{
			ClientID: g.ClientID, ClientSecret: g.ClientSecret, PrivateKey: g.PrivateKey, ClientIDMetadata: "https://conformance-test.local/client-metadata.json",
			Machine: strings.HasPrefix(scenario, "auth/client-credentials"),
			// The suite's authorization servers are on this machine, at ports that nobody knows before.
			Allowed: []string{"http://localhost:*", "http://127.0.0.1:*"},
		},
	})
	if err != nil {
		return err
	}
	servers.Start(ctx)
	err = servers.Wait(ctx)
	if down := registry.Down()[name]; err == nil && down != "" {
		err = errors.New(down)
	}
	if err == nil {
		err = use(ctx, registry, g)
	}
	return errors.Join(err, servers.Close())
}

// use does with the server what there is to do.
func use(ctx context.Context, registry *tools.Registry, g given) error {
	var errs []error
	for _, tool := range registry.List(person) {
		own := strings.TrimPrefix(tool.Def.Name, name+"__")
		args := arguments(tool.Def.RawInputSchema)
		for _, c := range g.ToolCalls {
			if c.Name == own {
				args = c.Arguments
			}
		}
		if other, ok := registry.Lookup(name + "__json_schema_2020_12_tool"); ok { // what became of this one's schema is wanted, not a call
			if own != "json_schema_echo" {
				continue
			}
			var schema any
			if err := json.Unmarshal(other.Def.RawInputSchema, &schema); err != nil {
				return err
			}
			args["schema"] = schema
		}
		errs = append(errs, call(ctx, registry, tools.Call{Caller: person, Tool: tool.Def.Name, Args: args, Approve: true}))
	}
	for _, r := range registry.Resources(person) {
		if r.Def != nil {
			_, err := registry.ReadResource(ctx, person, r.Def.URI)
			errs = append(errs, err)
		}
	}
	for _, p := range registry.Prompts(person) {
		_, err := registry.GetPrompt(ctx, p.Def.Name, tools.PromptCall{Caller: person})
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// call calls a tool and accepts whatever it asks.
func call(ctx context.Context, registry *tools.Registry, c tools.Call) error {
	c.Client = &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapability{}}
	for range 10 {
		res, err := registry.Call(ctx, c)
		switch {
		case err != nil:
			return err
		case res.IsError:
			return fmt.Errorf("%s: %s: %s", c.Tool, res.Code, res.Text)
		case res.Needs == nil:
			return nil
		}
		c.State, c.Answers = res.Needs.State, mcp.InputResponses{}
		for id := range res.Needs.Requests {
			c.Answers[id] = mcp.InputResponse{Elicitation: &mcp.ElicitationResult{ElicitationResponse: mcp.ElicitationResponse{
				Action: mcp.ElicitationResponseActionAccept, Content: map[string]any{},
			}}}
		}
	}
	return fmt.Errorf("%s asks without an end", c.Tool)
}

// arguments makes up what a schema requires.
func arguments(schema json.RawMessage) map[string]any {
	var s struct {
		Required   []string `json:"required"`
		Properties map[string]struct {
			Type string `json:"type"`
		} `json:"properties"`
	}
	_ = json.Unmarshal(schema, &s) // then none are made up
	args := map[string]any{}
	for _, key := range s.Required {
		switch s.Properties[key].Type {
		case "number", "integer":
			args[key] = json.Number("2")
		case "boolean":
			args[key] = true
		case "object":
			args[key] = map[string]any{}
		case "array":
			args[key] = []any{}
		default:
			args[key] = "text"
		}
	}
	return args
}

// browser is a person who agrees: the suite's authorization servers redirect at once.
type browser struct{}

// Redirect is where the answer would be brought.
func (browser) Redirect() string { return "http://localhost:3000/callback" }

// Ask opens the address and takes the answer from the redirect, which is not followed.
func (browser) Ask(ctx context.Context, address string) (url.Values, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }() // read only
	to, err := url.Parse(resp.Header.Get("Location"))
	if err != nil {
		return nil, err
	}
	return to.Query(), nil
}
