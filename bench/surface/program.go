package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"time"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

// program is catena, running.
type program struct {
	bin, dir, url string
	cmd           *exec.Cmd
}

var address = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)

// start builds catena, unless bin names it, and serves on a free port.
func start(ctx context.Context, bin string) (*program, error) {
	dir, err := os.MkdirTemp("", "surface")
	if err != nil {
		return nil, err
	}
	p := &program{bin: bin, dir: dir}
	if err := p.serve(ctx); err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

func (p *program) serve(ctx context.Context) error {
	if p.bin == "" {
		p.bin = filepath.Join(p.dir, "catena")
		if out, err := exec.CommandContext(ctx, "go", "build", "-o", p.bin, "catena").CombinedOutput(); err != nil {
			return fmt.Errorf("go build: %w\n%s", err, out)
		}
	}
	p.cmd = exec.CommandContext(ctx, p.bin, "serve", "--listen", "127.0.0.1:0")
	p.cmd.Env, p.cmd.Stderr, p.cmd.WaitDelay = p.environ(), os.Stderr, time.Second
	p.cmd.Cancel = func() error { return p.cmd.Process.Signal(os.Interrupt) }
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := p.cmd.Start(); err != nil {
		return err
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if p.url = address.FindString(lines.Text()); p.url != "" {
			go func() { _, _ = io.Copy(io.Discard, out) }() // ends with the process
			return nil
		}
	}
	return errors.New("catena ended without saying where it listens")
}

// environ keeps what a person has configured, and their data, out of the check.
func (p *program) environ() []string {
	return append(os.Environ(), "CATENA_STORE_DIR="+p.dir, "CATENA_CONFIG=", "CATENA_LLM_PROVIDER=", "CATENA_DATA_DEMO=on", "CATENA_LOG_LEVEL=warn")
}

func (p *program) close() {
	if p.cmd != nil && p.cmd.Process != nil {
		_ = p.cmd.Process.Signal(os.Interrupt) // it may have ended already
		_ = p.cmd.Wait()
	}
	_ = os.RemoveAll(p.dir)
}

// ask reads the lists of tools, prompts and resources over each transport.
func (p *program) ask(ctx context.Context) (map[string]*surface, error) {
	sse, err := transport.NewSSE(p.url + "/sse")
	if err != nil {
		return nil, err
	}
	old, err := transport.NewSSE(p.url + "/mcp")
	if err != nil {
		return nil, err
	}
	streamable, err := transport.NewStreamableHTTP(p.url + "/mcp")
	if err != nil {
		return nil, err
	}
	env := append(p.environ(), "CATENA_STORE_DIR="+filepath.Join(p.dir, "stdio"))
	stdio := transport.NewStdio(p.bin, env, "mcp")
	out := map[string]*surface{}
	for way, t := range map[string]transport.Interface{"stdio": stdio, "legacy SSE": sse, "legacy SSE at /mcp": old, "Streamable HTTP": streamable} {
		s, err := list(ctx, t)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", way, err)
		}
		out[way] = s
	}
	return out, nil
}

// surface is what one transport offers.
type surface struct {
	tools     map[string]schema
	prompts   map[string][]argument
	resources map[string]bool
	templates map[string]bool
}

// argument is one argument of a prompt.
type argument struct {
	Name     string `json:"name"`
	Required bool   `json:"required"`
}

// check says what is wrong with a row.
func (s *surface) check(r row) []string {
	switch r.Kind {
	case "tool":
		in, ok := s.tools[r.Name]
		if !ok {
			return []string{"no such tool"}
		}
		return compare(r.Params, in)
	case "prompt":
		args, ok := s.prompts[r.Name]
		if !ok {
			return []string{"no such prompt"}
		}
		in := schema{Properties: map[string]schema{}}
		for _, a := range args {
			in.Properties[a.Name] = schema{}
			if a.Required {
				in.Required = append(in.Required, a.Name)
			}
		}
		params := make([]param, len(r.Params))
		for i, p := range r.Params {
			params[i] = param{Name: p.Name, Required: p.Required} // prompts know neither types nor defaults
		}
		return compare(params, in)
	case "resource":
		if !s.resources[r.Name] {
			return []string{"no such resource"}
		}
	case "template":
		if !s.templates[r.Name] {
			return []string{"no such resource template"}
		}
	default:
		return []string{"unknown kind " + r.Kind}
	}
	return nil
}

// session is an MCP session over a transport. The results are taken as they were written: a client of the library would
// decode schemas and drop what it does not know.
type session struct {
	wire transport.Interface
	id   int
}

// list asks for everything that is listed.
func list(ctx context.Context, wire transport.Interface) (*surface, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	if err := wire.Start(ctx); err != nil {
		return nil, err
	}
	defer func() { _ = wire.Close() }()
	s := &session{wire: wire}
	var init struct {
		Capabilities struct{ Tools, Prompts, Resources *struct{} }
		Version      string `json:"protocolVersion"`
	}
	err := s.get(ctx, "initialize", map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "surface", "version": "1"}}, &init)
	if err != nil {
		return nil, err
	}
	if h, ok := wire.(transport.HTTPConnection); ok {
		h.SetProtocolVersion(init.Version)
	}
	ready := mcp.JSONRPCNotification{JSONRPC: mcp.JSONRPC_VERSION}
	ready.Method = "notifications/initialized"
	if err := wire.SendNotification(ctx, ready); err != nil {
		return nil, err
	}
	out := &surface{tools: map[string]schema{}, prompts: map[string][]argument{}, resources: map[string]bool{}, templates: map[string]bool{}}
	err = s.pages(ctx, "tools/list", init.Capabilities.Tools != nil, func(p page) {
		for _, t := range p.Tools {
			out.tools[t.Name] = t.InputSchema
		}
	})
	err = errors.Join(err, s.pages(ctx, "prompts/list", init.Capabilities.Prompts != nil, func(p page) {
		for _, x := range p.Prompts {
			out.prompts[x.Name] = x.Arguments
		}
	}))
	err = errors.Join(err, s.pages(ctx, "resources/list", init.Capabilities.Resources != nil, func(p page) {
		for _, x := range p.Resources {
			out.resources[x.URI] = true
		}
	}))
	err = errors.Join(err, s.pages(ctx, "resources/templates/list", init.Capabilities.Resources != nil, func(p page) {
		for _, x := range p.Templates {
			out.templates[x.URI] = true
		}
	}))
	return out, err
}

// page is a page of any of the lists.
type page struct {
	Tools []struct {
		Name        string `json:"name"`
		InputSchema schema `json:"inputSchema"`
	} `json:"tools"`
	Prompts []struct {
		Name      string     `json:"name"`
		Arguments []argument `json:"arguments"`
	} `json:"prompts"`
	Resources []struct {
		URI string `json:"uri"`
	} `json:"resources"`
	Templates []struct {
		URI string `json:"uriTemplate"`
	} `json:"resourceTemplates"`
	Next string `json:"nextCursor"`
}

// pages reads all pages of a list, none when the server does not have it.
func (s *session) pages(ctx context.Context, method string, has bool, take func(page)) error {
	params := map[string]any{}
	for has {
		var p page
		if err := s.get(ctx, method, params, &p); err != nil {
			return err
		}
		take(p)
		if p.Next == "" {
			return nil
		}
		params = map[string]any{"cursor": p.Next}
	}
	return nil
}

func (s *session) get(ctx context.Context, method string, params, into any) error {
	s.id++
	resp, err := s.wire.SendRequest(ctx, transport.JSONRPCRequest{JSONRPC: mcp.JSONRPC_VERSION, ID: mcp.NewRequestId(int64(s.id)), Method: method, Params: params})
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	if resp.Error != nil {
		return fmt.Errorf("%s: %s (%d)", method, resp.Error.Message, resp.Error.Code)
	}
	if err := json.Unmarshal(resp.Result, into); err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	return nil
}
