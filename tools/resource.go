package tools

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/internal/access"
)

// Resource is something an MCP client can read by URI: one URI, all that a template matches, or all that begin in one way.
type Resource struct {
	Toolset  string
	Def      *mcp.Resource         // a fixed URI; or
	Template *mcp.ResourceTemplate // a template (RFC 6570); or
	Under    string                // the beginning of all URIs that nothing else serves; it stands in no list
	// As is the name by which policies and the audit know it, where that is not its own: another server gives its resources any name.
	As   string
	Read func(ctx context.Context, call ResourceCall) ([]mcp.ResourceContents, error)
	// Known says what Read's error would be, without making the content; nil: Read itself is asked. Give it where Read is dear.
	Known func(ctx context.Context, call ResourceCall) error
	// Complete suggests values for a template's variables; nil suggests none.
	Complete Completer
	// Listed are the resources of a template that an owner has, as resources/list names them beside the fixed ones; nil lists none. It is
	// bounded, and makes no content.
	Listed  func(owner string) []mcp.Resource
	Suggest Suggester // goes before Complete
	// Subscribable says why nobody can hear of changes; nil: everybody can.
	Subscribable func() error
	// Subscribed is told that somebody wants to hear when what is under a URI changes, or that nobody does any more. It must not block.
	// Nil: the toolkit tells of changes unasked.
	Subscribed func(uri string, on bool)
	Timeout    time.Duration // 0 means the registry's
}

// ResourceCall is one reading of a resource.
type ResourceCall struct {
	Caller access.Caller
	URI    string
	Vars   map[string]string // the template's variables
	// Client, Answers and State are those of Call, for a resource that asks before it is read: it gives a *NeedsError.
	Client  *mcp.ClientCapabilities
	Answers mcp.InputResponses
	State   string
}

// Name is what policies know the resource by.
func (x Resource) Name() string {
	if x.As != "" {
		return x.As
	}
	if x.Def != nil {
		return x.Def.Name
	}
	if x.Template != nil {
		return x.Template.Name
	}
	if x.Under != "" {
		return x.Toolset
	}
	return ""
}

// where is the URI, or the template as it was written.
func (x Resource) where() string {
	if x.Def != nil {
		return x.Def.URI
	}
	if x.Template == nil {
		return x.Under
	}
	return x.Template.URITemplate.Raw()
}

// Serves reports whether the resource has a URI: its own, or one that its template matches.
func (x Resource) Serves(uri string) bool {
	_, ok := x.match(uri)
	return ok
}

// match returns the variables of a URI when the resource has it.
func (x Resource) match(uri string) (map[string]string, bool) {
	if x.Def != nil {
		return nil, x.Def.URI == uri
	}
	if x.Under != "" {
		return nil, strings.HasPrefix(uri, x.Under)
	}
	if vars, ok := x.matchAs(uri, uri); ok {
		return vars, true
	}
	return x.matchAs(uri, percentEncoded(uri))
}

// matchAs matches a URI as it is written. Clients write characters that a template's variable has only with a percent sign, such as +
// or a space, as they are, so that there are two ways to read a URI.
func (x Resource) matchAs(uri, written string) (map[string]string, bool) {
	// The regular expressions behind a match are slow and allocate, so that what a template begins with is looked at first.
	if x.Template == nil || !strings.HasPrefix(uri, literal(x.Template.URITemplate.Raw())) {
		return nil, false
	}
	found := x.Template.URITemplate.Match(written)
	if found == nil {
		return nil, false
	}
	vars := map[string]string{}
	for _, name := range x.Template.URITemplate.Varnames() {
		vars[name] = found.Get(name).String()
	}
	return vars, true
}

// RegisterResources adds resources, all of them or none. Each needs a toolset, a name, a reader, and either a URI or a template,
// which must be free.
func (r *Registry) RegisterResources(list ...Resource) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	old := r.snap.Load()
	next := *old
	next.resources = slices.Clone(old.resources)
	taken := next.places()
	for _, x := range r.hiddenResources(list) {
		if err := next.addResource(x, taken); err != nil {
			return err
		}
	}
	r.snap.Store(&next)
	return nil
}

// places are where the resources are.
func (s *snapshot) places() map[string]bool {
	at := make(map[string]bool, len(s.resources))
	for _, x := range s.resources {
		at[x.where()] = true
	}
	return at
}

// addResource adds a resource whose place is not among those that are taken.
func (s *snapshot) addResource(x Resource, taken map[string]bool) error {
	ways := 0
	for _, way := range []bool{x.Def != nil, x.Template != nil && x.Template.URITemplate != nil, x.Under != ""} {
		if way {
			ways++
		}
	}
	if x.Toolset == "" || x.Name() == "" || x.Read == nil || ways != 1 || x.Template != nil && x.Template.URITemplate == nil {
		return fmt.Errorf("resource %q: a toolset, a name, a reader and one of a URI, a template and a beginning are needed", x.Name())
	}
	if taken[x.where()] {
		return fmt.Errorf("resource %q: %s is taken", x.Name(), x.where())
	}
	s.resources = append(s.resources, x)
	taken[x.where()] = true
	return nil
}

// ReplaceResources puts resources in the place of those that a toolset has, in one step. What RegisterResources would refuse is left
// out, and the error joins why; the rest is there.
func (r *Registry) ReplaceResources(toolset string, list ...Resource) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	next := *r.snap.Load()
	next.resources = slices.DeleteFunc(slices.Clone(next.resources), func(x Resource) bool { return x.Toolset == toolset })
	var errs []error
	taken := next.places()
	for _, x := range r.hiddenResources(list) {
		errs = append(errs, next.addResource(x, taken))
	}
	r.snap.Store(&next)
	return errors.Join(errs...)
}

// Subscribed tells the resource that serves a URI that there is a subscriber, or none any more. It does not block.
func (r *Registry) Subscribed(uri string, on bool) {
	if x, _, ok := r.serving(uri); ok && x.Subscribed != nil {
		x.Subscribed(uri, on)
	}
}

// Resources returns what a caller may read, in the order of registration.
func (r *Registry) Resources(c access.Caller) []Resource {
	return slices.DeleteFunc(slices.Clone(r.snap.Load().resources), func(x Resource) bool {
		return !r.offers(c, reading(x.Toolset, x.Name()))
	})
}

// maxURI bounds a URI, in bytes.
const maxURI = 4096

// ReadResource reads a URI through the same gate as a tool: policy, timeout, a handler that may break, hooks. A URI of its own goes
// before a template that matches it too. A URI that nothing serves, or that the reader does not have, gives an error that wraps
// fs.ErrNotExist; one that is too long an *ArgumentError; a reader that takes too long context.DeadlineExceeded; one that has a
// question a *NeedsError.
func (r *Registry) ReadResource(ctx context.Context, c access.Caller, uri string) ([]mcp.ResourceContents, error) {
	return r.Read(ctx, ResourceCall{Caller: c, URI: uri})
}

// Read is ReadResource for a caller whose client may be able to answer questions. The variables of call are set here.
func (r *Registry) Read(ctx context.Context, call ResourceCall) ([]mcp.ResourceContents, error) {
	var out []mcp.ResourceContents
	var needs *NeedsError
	err := r.atURI(ctx, call, func(ctx context.Context, x Resource, call ResourceCall) error {
		var err error
		if out, err = x.Read(ctx, call); errors.As(err, &needs) {
			return nil // a question is no failure
		}
		return err
	})
	switch {
	case err != nil:
		return nil, err
	case needs != nil:
		return nil, r.hiddenNeeds(needs)
	}
	return hiddenData(r, out), nil
}

// HasResource returns the error that reading a URI would give, nil when it can be read, through the same gate.
func (r *Registry) HasResource(ctx context.Context, c access.Caller, uri string) error {
	return r.atURI(ctx, ResourceCall{Caller: c, URI: uri}, func(ctx context.Context, x Resource, call ResourceCall) error {
		if x.Known != nil {
			return x.Known(ctx, call)
		}
		_, err := x.Read(ctx, call)
		return err
	})
}

// CanSubscribe returns the error that subscribing to a URI would give: that of HasResource, or why nobody would hear of changes.
func (r *Registry) CanSubscribe(ctx context.Context, c access.Caller, uri string) error {
	if err := r.HasResource(ctx, c, uri); err != nil {
		return err
	}
	if x, _, ok := r.serving(uri); ok && x.Subscribable != nil {
		return x.Subscribable()
	}
	return nil
}

// atURI does something with the resource that serves a URI, through the gate.
func (r *Registry) atURI(ctx context.Context, what ResourceCall, do func(context.Context, Resource, ResourceCall) error) error {
	if len(what.URI) > maxURI {
		return &ArgumentError{Argument: "uri", Code: CodeTooLarge, Reason: fmt.Sprintf("a URI may have %d bytes at most", maxURI)}
	}
	x, vars, ok := r.serving(what.URI)
	if !ok {
		return fmt.Errorf("nothing is served under this URI: %w", fs.ErrNotExist)
	}
	what.Vars = vars
	call := Call{Caller: what.Caller, Tool: x.Name(), Args: map[string]any{"uri": what.URI}}
	return r.read(ctx, call, x.Toolset, x.Timeout, func(ctx context.Context) error {
		return do(ctx, x, what)
	})
}

// serving finds the resource that has a URI.
func (r *Registry) serving(uri string) (Resource, map[string]string, bool) {
	list := r.snap.Load().resources
	for _, x := range list {
		if x.Def != nil && x.Def.URI == uri {
			return x, nil, true
		}
	}
	for _, written := range []string{uri, percentEncoded(uri)} { // what fits as it is goes first: a?b=1 has a query, or is a name
		for _, x := range list {
			if vars, ok := x.matchAs(uri, written); ok {
				return x, vars, true
			}
		}
	}
	for _, x := range list {
		if x.Under != "" && strings.HasPrefix(uri, x.Under) {
			return x, nil, true
		}
	}
	return Resource{}, nil, false
}

// read is the gate of what is read by a URI or a name: policy, timeout, panics, hooks. What do leaves behind may only be used
// when there is no error.
func (r *Registry) read(ctx context.Context, call Call, toolset string, timeout time.Duration, do func(context.Context) error) error {
	e := &entry{Tool: Tool{Toolset: toolset, Timeout: timeout, Handler: func(ctx context.Context, _ Call) (Result, error) {
		return Result{}, do(ctx)
	}}}
	e.Def.Name = call.Tool
	if err := r.authorize(ctx, &call, reading(toolset, call.Tool)); err != nil {
		return err
	}
	if r.off.Load().Has(reading(toolset, call.Tool)) {
		return fmt.Errorf("%s is switched off by the administrator: %w", toolset, fs.ErrNotExist)
	}
	start := time.Now()
	res, err := r.run(ctx, e, call)
	if r.opt.Hooks.Called != nil {
		r.opt.Hooks.Called(ctx, call, e.Tool, res, err, time.Since(start))
	}
	switch {
	case err != nil || !res.IsError:
		return err
	case res.Code == CodeTooLarge:
		return &ArgumentError{Argument: call.Tool, Code: res.Code, Reason: res.Text}
	}
	// For all else do gives errors.
	return fmt.Errorf("%s did not answer in time: %w", call.Tool, context.DeadlineExceeded)
}

// OnUpdated adds a listener for resources that change: f is called with the owner of the change, "" for everybody, and the URI.
// It must not block. There is no way to remove one: listeners live as long as the registry.
func (r *Registry) OnUpdated(f func(owner, uri string)) {
	r.watchMu.Lock()
	defer r.watchMu.Unlock()
	r.watchers = append(r.watchers, f)
}

// Updated tells the listeners that what is under a URI has changed for an owner, or for everybody when owner is "". Toolkits
// call it after a write, also outside of a call.
func (r *Registry) Updated(owner, uri string) {
	r.watchMu.RLock()
	defer r.watchMu.RUnlock()
	for _, f := range r.watchers {
		f(owner, uri)
	}
}

// literal is what every URI of a template begins with, in whatever form: its beginning up to the first variable, or the
// first character that can be written with a percent sign too.
func literal(template string) string {
	for i := range len(template) {
		if c := template[i]; c != ':' && !plain(c) {
			return template[:i]
		}
	}
	return template
}

// plain reports whether a character of a URI stands for itself: it is unreserved, or a slash.
func plain(c byte) bool {
	letter := c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9'
	return letter || strings.IndexByte("-._~/", c) >= 0
}

// percentEncoded writes all of a URI after its scheme but unreserved characters (RFC 3986), slashes and what is encoded
// already with percent signs.
func percentEncoded(uri string) string {
	scheme, rest, ok := strings.Cut(uri, "://")
	if !ok {
		return uri
	}
	var b strings.Builder
	b.WriteString(scheme + "://")
	for i := range len(rest) {
		c := rest[i]
		encoded := false
		if c == '%' && i+2 < len(rest) {
			_, err := hex.DecodeString(rest[i+1 : i+3])
			encoded = err == nil
		}
		if encoded || plain(c) {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
