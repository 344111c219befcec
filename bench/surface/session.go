package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"time"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

// surface is what one transport offers.
type surface struct {
	tools     map[string]schema
	prompts   map[string][]argument
	resources map[string]bool
	templates map[string]bool
	faults    map[string]string // of what is listed and cannot be used: by kind and name
}

// argument is one argument of a prompt.
type argument struct {
	Name     string `json:"name"`
	Required bool   `json:"required"`
}

// check says what is wrong with a row.
func (s *surface) check(r row) []string {
	faults := s.listed(r)
	if f := s.faults[r.Kind+" "+r.Name]; f != "" {
		faults = append(faults, f)
	}
	return faults
}

// listed says how the list differs from a row.
func (s *surface) listed(r row) []string {
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
	wire   transport.Interface
	modern bool // without initialize, by the protocol of 2026-07-28
	id     int
}

// list asks for everything that is listed, and uses it. repo is a folder to index.
func list(ctx context.Context, wire transport.Interface, modern bool, repo string) (*surface, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	if err := wire.Start(ctx); err != nil {
		return nil, err
	}
	defer func() { _ = wire.Close() }()
	s := &session{wire: wire, modern: modern}
	has, err := s.initialize(ctx)
	if err != nil {
		return nil, err
	}
	out, err := s.lists(ctx, has)
	if err == nil {
		s.use(ctx, out, repo)
	}
	return out, err
}

// capabilities are the kinds of lists that a server has.
type capabilities struct{ Tools, Prompts, Resources *struct{} }

func (s *session) initialize(ctx context.Context) (capabilities, error) {
	var init struct {
		Capabilities capabilities
		Version      string `json:"protocolVersion"`
	}
	if s.modern {
		if h, ok := s.wire.(transport.HTTPConnection); ok {
			h.SetProtocolVersion(mcp.ProtocolVersion20260728)
		}
		return init.Capabilities, s.get(ctx, "server/discover", map[string]any{}, &init)
	}
	err := s.get(ctx, "initialize", map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "surface", "version": "1"}}, &init)
	if err != nil {
		return init.Capabilities, err
	}
	if h, ok := s.wire.(transport.HTTPConnection); ok {
		h.SetProtocolVersion(init.Version)
	}
	ready := mcp.JSONRPCNotification{JSONRPC: mcp.JSONRPC_VERSION}
	ready.Method = "notifications/initialized"
	return init.Capabilities, s.wire.SendNotification(ctx, ready)
}

func (s *session) lists(ctx context.Context, has capabilities) (*surface, error) {
	out := &surface{faults: map[string]string{}, tools: map[string]schema{}, prompts: map[string][]argument{}, resources: map[string]bool{}, templates: map[string]bool{}}
	err := s.pages(ctx, "tools/list", has.Tools != nil, func(p page) {
		for _, t := range p.Tools {
			out.tools[t.Name] = t.InputSchema
		}
	})
	err = errors.Join(err, s.pages(ctx, "prompts/list", has.Prompts != nil, func(p page) {
		for _, x := range p.Prompts {
			out.prompts[x.Name] = x.Arguments
		}
	}))
	err = errors.Join(err, s.pages(ctx, "resources/list", has.Resources != nil, func(p page) {
		for _, x := range p.Resources {
			out.resources[x.URI] = true
		}
	}))
	err = errors.Join(err, s.pages(ctx, "resources/templates/list", has.Resources != nil, func(p page) {
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

func (s *session) get(ctx context.Context, method string, params map[string]any, into any) error {
	s.id++
	header := http.Header{}
	if s.modern {
		params = maps.Clone(params)
		params["_meta"] = map[string]any{mcp.MetaKeyProtocolVersion: mcp.ProtocolVersion20260728, mcp.MetaKeyClientCapabilities: map[string]any{}}
		body, err := json.Marshal(params)
		if err != nil {
			return fmt.Errorf("%s: %w", method, err)
		}
		for name, value := range mcp.StandardHeaders(mcp.ProtocolVersion20260728, mcp.MCPMethod(method), body) {
			header.Set(name, value)
		}
	}
	resp, err := s.wire.SendRequest(ctx, transport.JSONRPCRequest{JSONRPC: mcp.JSONRPC_VERSION, ID: mcp.NewRequestId(int64(s.id)), Method: method, Params: params, Header: header})
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
