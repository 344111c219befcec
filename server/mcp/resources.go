package mcp

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"catena/server"
	"catena/tools"
)

// anyURI stands before the URIs that are read, for mcp-go, which would match them with templates that it knows, and
// answer itself where a URI has characters that belong percent-encoded. Which URIs are served, and to whom, the
// registry knows.
const anyURI = "any:"

// anyResource makes mcp-go ask readResource for every URI that introduceURI has seen.
func (m *Server) anyResource() {
	m.server.AddResourceTemplate(mcp.NewResourceTemplate(anyURI+"{uri}", "any"), m.readResource)
}

// introduceURI writes a URI in the way that mcp-go knows.
func (m *Server) introduceURI(ctx context.Context, id any, r *mcp.ReadResourceRequest) {
	if to := lineOf(ctx); to != nil && r.Params.URI == "" {
		to.refuse(id, &rpcError{code: mcp.INVALID_PARAMS, text: "resources/read needs uri, as resources/list has it."})
		return // there is none of the name ""
	}
	r.Params.URI = anyURI + base64.RawURLEncoding.EncodeToString([]byte(r.Params.URI))
}

// listResources replaces mcp-go's list by what the registry gives this caller, in its order.
func (m *Server) listResources(ctx context.Context, cursor mcp.Cursor, out *mcp.ListResourcesResult) {
	all := []mcp.Resource{}
	caller := callerOf(ctx)
	for _, x := range m.opt.Tools.Resources(caller) {
		if x.Def != nil {
			all = append(all, *x.Def)
		}
		if x.Listed != nil {
			all = append(all, x.Listed(caller.ID)...)
		}
	}
	out.Resources, out.NextCursor = page(all, cursor, func(r mcp.Resource) string { return r.URI })
}

// listTemplates does the same for templates.
func (m *Server) listTemplates(ctx context.Context, cursor mcp.Cursor, out *mcp.ListResourceTemplatesResult) {
	all := []mcp.ResourceTemplate{}
	for _, x := range m.opt.Tools.Resources(callerOf(ctx)) {
		if x.Template != nil {
			all = append(all, *x.Template)
		}
	}
	out.ResourceTemplates, out.NextCursor = page(all, cursor, func(t mcp.ResourceTemplate) string {
		return t.URITemplate.Raw()
	})
}

// page is the part of a list that comes after what a cursor names, and the cursor of what comes after that. A cursor is
// made as mcp-go makes those of tools and prompts, and it has refused what is none. What the cursor names may be gone:
// the list then begins anew, for something twice is better than something missing.
func page[T any](all []T, cursor mcp.Cursor, name func(T) string) ([]T, mcp.Cursor) {
	if after, err := base64.StdEncoding.DecodeString(string(cursor)); err == nil && cursor != "" {
		all = all[1+slices.IndexFunc(all, func(x T) bool { return name(x) == string(after) }):]
	}
	if len(all) <= pageSize {
		return all, ""
	}
	return all[:pageSize], mcp.Cursor(base64.StdEncoding.EncodeToString([]byte(name(all[pageSize-1]))))
}

// readResource reads any resource of the registry.
func (m *Server) readResource(ctx context.Context, r mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
	uri, err := base64.RawURLEncoding.DecodeString(strings.TrimPrefix(r.Params.URI, anyURI))
	if err != nil {
		return nil, fmt.Errorf("server: %w", err)
	}
	ctx, done := m.track(ctx)
	defer done()
	ctx, told := m.message(ctx, mcp.MethodResourcesRead, "", r.Params.Meta)
	out, ask, err := m.readAsking(ctx, string(uri), r.Params.MultiRoundTripParams)
	told(err, false)
	switch {
	case err != nil:
		return nil, m.unreadable(ctx, string(uri), err)
	case ask != nil:
		return []mcp.ResourceContents{questions{MultiRoundTripResult: *ask}}, nil
	}
	return out, nil
}

// readAsking reads a resource that may have questions. It gives one of the two.
func (m *Server) readAsking(
	ctx context.Context, uri string, in mcp.MultiRoundTripParams,
) (out []mcp.ResourceContents, ask *mcp.MultiRoundTripResult, err error) {
	call := tools.ResourceCall{Caller: callerOf(ctx), URI: uri, Client: clientOf(ctx)}
	of := func() (trip, error) {
		return newTrip("resource", server.Clip(uri, 200), call.Caller.ID, map[string]any{"uri": uri})
	}
	ask, err = m.converse(ctx, server.Clip(uri, 200), of, in,
		func(answers mcp.InputResponses, state string) (*tools.Needs, error) {
			call.Answers, call.State = answers, state
			var err error
			var needs *tools.NeedsError
			if out, err = m.opt.Tools.Read(ctx, call); errors.As(err, &needs) {
				return needs.Needs, nil
			}
			return nil, err
		})
	return out, ask, err
}

// questions stand in the place of what a resource has to say, on their way through mcp-go, whose handlers of resources
// give contents only: asksFirst takes them out again.
type questions struct {
	mcp.TextResourceContents
	mcp.MultiRoundTripResult
}

// asksFirst makes a result of questions.
func (m *Server) asksFirst(_ context.Context, _ any, _ *mcp.ReadResourceRequest, out *mcp.ReadResourceResult) {
	if len(out.Contents) != 1 {
		return
	}
	if q, ok := out.Contents[0].(questions); ok {
		out.ResultType, out.MultiRoundTripResult, out.Contents = mcp.ResultTypeInputRequired, q.MultiRoundTripResult,
			[]mcp.ResourceContents{}
	}
}

// unreadable words why a URI cannot be read. What is another's is answered like what is not there.
func (m *Server) unreadable(ctx context.Context, uri string, err error) *rpcError {
	if errors.Is(err, fs.ErrNotExist) {
		code := mcp.RESOURCE_NOT_FOUND
		if mcp.IsModernProtocol(mcpserver.RequestProtocolVersion(ctx)) {
			code = mcp.INVALID_PARAMS
		}
		return &rpcError{code: code, text: "Resource not found: " + server.Clip(uri, 200),
			data: map[string]any{"uri": server.Clip(uri, 200)}}
	}
	return m.refusal(ctx, "a resource failed", server.Clip(uri, 200), err)
}
