package upstream

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/table"
	tablejson "catena/table/json"
	"catena/tools"
)

// offerPrompts puts the server's prompts in the registry, as <server>__<prompt>.
func (s *server) offerPrompts(ctx context.Context, c *conn) error {
	var list []json.RawMessage
	var short error
	if c.offers.Prompts != nil {
		var err error
		if list, short, err = c.list(ctx, "prompts/list", "prompts"); err != nil {
			return err
		}
	}
	if now := digest(list); now == s.offer.prompts {
		return short
	} else {
		s.offer.prompts = now
	}
	var d door
	var out []tools.Prompt
	for _, raw := range list {
		raw, ok := d.admit(raw, "name", maxKey)
		if !ok {
			continue
		}
		var def mcp.Prompt
		if err := json.Unmarshal(raw, &def); err != nil {
			d.refused.add("a prompt: %v", err)
			continue
		}
		out = append(out, s.prompt(def))
	}
	errs := []error{short, d.told()}
	errs = append(errs, s.host.registry.ReplacePrompts(s.Name, out...))
	s.amend(func(st *tools.ServerStatus) { st.Prompts = len(out) })
	return errors.Join(errs...)
}

func (s *server) prompt(def mcp.Prompt) tools.Prompt {
	own := def.Name
	def.Name = exportName(s.Name, own)
	return tools.Prompt{
		Toolset: s.Name, Def: def, Timeout: s.timeout(own),
		Get: func(ctx context.Context, call tools.PromptCall) (*mcp.GetPromptResult, error) {
			raw, needs, err := s.converse(ctx, wanted{method: "prompts/get", caller: call.Caller.ID,
				client: call.Client, answers: call.Answers, state: call.State},
				map[string]any{"name": own, "arguments": call.Args})
			if err != nil {
				return nil, s.readError("prompt", err)
			}
			if needs != nil {
				return &mcp.GetPromptResult{Result: mcp.Result{ResultType: mcp.ResultTypeInputRequired},
					MultiRoundTripResult: mcp.MultiRoundTripResult{InputRequests: needs.Requests,
						RequestState: needs.State}}, nil
			}
			if err := drawParts(ctx, raw); err != nil {
				return nil, err
			}
			res, err := mcp.ParseGetPromptResult(&raw)
			if err != nil {
				return nil, fmt.Errorf("the server %s: prompts/get: %w", s.Name, err)
			}
			for i, m := range res.Messages {
				res.Messages[i].Content = s.ourContent(m.Content)
			}
			return res, nil
		},
		Suggest: s.suggester(map[string]any{"type": "ref/prompt", "name": own}),
	}
}

// offerResources puts the server's resources and templates in the registry, under URIs of ours.
func (s *server) offerResources(ctx context.Context, c *conn) error {
	if c.offers.Resources == nil && s.offer.resources == "" {
		return nil
	}
	var errs []error
	var out []tools.Resource
	var listed []json.RawMessage
	var d door
	for _, kind := range []struct{ method, key, field string }{
		{"resources/list", "resources", "uri"}, {"resources/templates/list", "resourceTemplates", "uriTemplate"},
	} {
		if c.offers.Resources == nil {
			break
		}
		list, short, err := c.list(ctx, kind.method, kind.key)
		if short != nil {
			errs = append(errs, short)
		}
		listed = append(listed, list...)
		var refused *protocolError
		if err != nil && !(errors.As(err, &refused) && kind.field == "uriTemplate") {
			// some have no templates, and say so by an error
			errs = append(errs, err)
		}
		for _, raw := range list {
			raw, ok := d.admit(raw, kind.field, maxAddress)
			if !ok {
				continue
			}
			x, err := s.resource(raw, kind.field)
			if err != nil {
				errs = append(errs, err)
				continue
			}
			out = append(out, x)
		}
	}
	if err := d.told(); err != nil {
		errs = append(errs, err)
	}
	now, n := digest(listed), len(out)
	if c.offers.Resources != nil {
		now = "offered\n" + now // a server that lists none may have some
	}
	if now == s.offer.resources {
		return errors.Join(errs...)
	}
	s.offer.resources = now
	if c.offers.Resources != nil { // what links name need not be listed
		for _, base := range []string{uriBase, uiBase} {
			out = append(out, tools.Resource{Toolset: s.Name, Under: base + s.Name + "/", Read: s.read,
				Subscribed: s.want, Subscribable: s.subscribable, Timeout: s.timeout("")})
		}
	}
	errs = append(errs, s.host.registry.ReplaceResources(s.Name, out...))
	s.amend(func(st *tools.ServerStatus) { st.Resources = n })
	return errors.Join(errs...)
}

// digest is a list in a few bytes, to be compared.
func digest(list []json.RawMessage) string {
	h := sha256.New()
	for _, raw := range list {
		fmt.Fprintf(h, "%d\n%s", len(raw), raw)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// resource makes a resource, or a template, of what the server lists; its URI stands in field.
func (s *server) resource(raw json.RawMessage, field string) (tools.Resource, error) {
	var def map[string]json.RawMessage
	var uri string
	err := json.Unmarshal(raw, &def)
	if err == nil {
		err = json.Unmarshal(def[field], &uri)
	}
	if err == nil {
		def[field], err = json.Marshal(s.ourURI(uri))
	}
	if err == nil {
		raw, err = json.Marshal(def)
	}
	if err != nil {
		return tools.Resource{}, fmt.Errorf("a resource: %w", err)
	}
	x := tools.Resource{Toolset: s.Name, Read: s.read, Subscribed: s.want, Subscribable: s.subscribable,
		Timeout: s.timeout("")}
	if field == "uri" {
		x.Def = &mcp.Resource{}
		x.Known = func(context.Context, tools.ResourceCall) error { return nil } // it is listed
		err = json.Unmarshal(raw, x.Def)
	} else {
		x.Template = &mcp.ResourceTemplate{}
		x.Suggest = s.suggester(map[string]any{"type": "ref/resource", "uri": uri})
		err = json.Unmarshal(raw, x.Template)
	}
	if err != nil {
		return tools.Resource{}, fmt.Errorf("the resource %s: %w", cut(uri, 200), err)
	}
	if own := x.Name(); own != "" { // a name that scopes have may not be the server's to choose
		x.As = exportName(s.Name, own)
	}
	return x, nil
}

// read reads a resource of the server.
func (s *server) read(ctx context.Context, call tools.ResourceCall) ([]mcp.ResourceContents, error) {
	uri, err := s.theirURI(call.URI)
	if err != nil {
		return nil, err
	}
	raw, needs, err := s.converse(ctx, wanted{method: "resources/read", caller: call.Caller.ID, client: call.Client,
		answers: call.Answers, state: call.State}, map[string]any{"uri": uri})
	if err != nil {
		return nil, s.readError("uri", err)
	}
	if needs != nil {
		return nil, &tools.NeedsError{Name: call.URI, Needs: needs}
	}
	if err := drawParts(ctx, raw); err != nil {
		return nil, err
	}
	res, err := mcp.ParseReadResourceResult(&raw)
	if err != nil {
		return nil, fmt.Errorf("the server %s: resources/read: %w", s.Name, err)
	}
	for i, c := range res.Contents {
		res.Contents[i] = s.ourContents(c)
	}
	return res.Contents, nil
}

// converse sends a request that may come back with questions to the server, when it is there.
func (s *server) converse(ctx context.Context, w wanted, params map[string]any) (json.RawMessage, *tools.Needs, error) {
	c, end, why := s.begin(ctx)
	if c == nil {
		return nil, nil, fmt.Errorf("the server %s is not there now: %s: %w", s.Name, why, tools.ErrTransient)
	}
	leave := c.audiences.join(&audience{caller: w.caller})
	raw, needs, err := s.roundTrip(ctx, c, w, params)
	leave()
	end(err)
	if err == nil {
		c.answered.Store(true)
	}
	return raw, needs, err
}

// ask sends a request of a caller's that nobody can be asked about.
func (s *server) ask(ctx context.Context, method, caller string, params map[string]any) (json.RawMessage, error) {
	raw, needs, err := s.converse(ctx, wanted{method: method, caller: caller}, params)
	if err == nil && needs != nil {
		return nil, &tools.UnansweredError{Reason: fmt.Sprintf("The server %s asks a question first (%s), and nobody "+
			"can be asked.", s.Name, method)}
	}
	return raw, err
}

// Codes of the protocol for what is not there.
const (
	codeNotFound      = -32002
	codeInvalidParams = -32602
)

// readError tells what the asker can mend from what is broken.
func (s *server) readError(argument string, err error) error {
	var refused *protocolError
	var unanswered *unansweredError
	switch {
	case errors.As(err, &unanswered):
		return &tools.UnansweredError{Reason: fmt.Sprintf("The server %s: %v.", s.Name, unanswered)}
	case errors.As(err, &refused) && refused.code == codeNotFound:
		return fmt.Errorf("%s: %w", cut(refused.message, 500), fs.ErrNotExist)
	case errors.As(err, &refused) && refused.code == codeInvalidParams:
		return &tools.ArgumentError{Argument: argument, Code: tools.CodeBadValue, Reason: cut(refused.message, 500)}
	}
	return err
}

// suggester asks the server for suggestions. One that is idle is started for it.
func (s *server) suggester(ref map[string]any) tools.Suggester {
	return func(ctx context.Context, call tools.CompleteCall) (tools.Completion, error) {
		c, end, _ := s.begin(ctx)
		if c == nil {
			return tools.Completion{}, ctx.Err()
		}
		end(nil)
		if c.offers.Completions == nil {
			return tools.Completion{}, nil
		}
		params := map[string]any{"ref": ref, "argument": map[string]any{"name": call.Argument, "value": call.Value}}
		if len(call.Given) > 0 {
			params["context"] = map[string]any{"arguments": call.Given}
		}
		raw, err := s.ask(ctx, "completion/complete", call.Caller.ID, params)
		if err != nil {
			return tools.Completion{}, s.readError(call.Argument, err)
		}
		out, err := completionIn(raw)
		if err != nil {
			return tools.Completion{}, fmt.Errorf("the server %s: completion/complete: %w", s.Name, err)
		}
		return out, nil
	}
}

// maxSuggested is how many suggestions one answer has, by the protocol.
const maxSuggested = 100

// completionIn reads suggestions. Of more than the protocol allows the first are taken.
func completionIn(raw json.RawMessage) (tools.Completion, error) {
	var res struct {
		Completion struct {
			Values  json.RawMessage
			Total   int
			HasMore bool
		}
	}
	if err := json.Unmarshal(raw, &res); err != nil {
		return tools.Completion{}, err
	}
	out := tools.Completion{Total: res.Completion.Total, HasMore: res.Completion.HasMore}
	for one := range tablejson.Elements(res.Completion.Values) {
		if len(out.Values) == maxSuggested {
			out.HasMore = true
			break
		}
		var text string
		if err := json.Unmarshal(one, &text); err != nil {
			return tools.Completion{}, err
		}
		out.Values = append(out.Values, text)
	}
	return out, nil
}

// drawParts draws what the parts of a prompt or a resource take, decoded into maps and then as what they are, before
// they are.
func drawParts(ctx context.Context, raw json.RawMessage) error {
	elements, decoded := tablejson.Shape(raw)
	return table.WorkOf(ctx).Draw(decoded + elements*partMemory)
}

// ourContent writes a part of an answer with the URIs that resources of the server have here.
func (s *server) ourContent(part mcp.Content) mcp.Content {
	switch p := part.(type) {
	case mcp.ResourceLink:
		p.URI = s.linked(p.URI)
		return link{p}
	case mcp.EmbeddedResource:
		p.Resource = s.ourContents(p.Resource)
		return p
	}
	return part
}

func (s *server) ourContents(c mcp.ResourceContents) mcp.ResourceContents {
	switch r := c.(type) {
	case mcp.TextResourceContents:
		r.URI = s.linked(r.URI)
		return r
	case mcp.BlobResourceContents:
		r.URI = s.linked(r.URI)
		return r
	}
	return c
}

// linked is what a URI that the server names is here. Addresses of the web, and URIs of a server that has no resources,
// are not read through it.
func (s *server) linked(uri string) string {
	for _, web := range []string{"http://", "https://", "data:", uriBase} {
		if len(uri) >= len(web) && uri[:len(web)] == web {
			return uri
		}
	}
	s.mu.Lock()
	c := s.conn
	s.mu.Unlock()
	if c == nil || c.offers.Resources == nil {
		return uri
	}
	return s.ourURI(uri)
}
