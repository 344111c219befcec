package tools

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"catena/internal/access"
	"catena/planner/plan"
	"catena/table"
	"catena/tools/handle"
)

// DefaultTimeout is how long a call may take where neither the tool nor Options says otherwise.
const DefaultTimeout = 60 * time.Second

// Options are the parts a registry is made of. The zero value permits every named caller, keeps no journal and keeps
// tables in memory.
type Options struct {
	Policy access.Policy
	// Present is who a caller is by now, asked for each call, so that work that goes on has no rights that its key
	// has lost. An *access.CredentialError is that of a key that is gone. Nil takes callers as they come. It must be
	// quick.
	Present func(ctx context.Context, c access.Caller) (access.Caller, error)
	Journal Journal
	Tables  *handle.Tables // where results go; nil makes handle.New(handle.Options{})
	Hooks   Hooks
	Timeout time.Duration // of a call whose tool has none; 0 means DefaultTimeout
	// Memory is what all calls together may take for tables that they make; nil is table.DefaultMemoryBudget.
	Memory *table.MemoryBudget
	// Render writes the text of a result that has none, for direct calls (an MCP client's content). Nil gives JSON.
	Render func(Result) string
	// HasColumn reports whether a table has a column that is shown under a name; nil is none.
	HasColumn func(t *table.Table, name string) bool
	// TableNames names the tables that a caller could give in a session, for calls that lack one; nil names none.
	TableNames func(c access.Caller, session string) []string
	// Hide replaces secrets of the program in the texts of results and errors; nil replaces nothing.
	Hide func(string) string
	Log  *slog.Logger // takes the stacks of handlers that broke; nil means slog.Default()
}

// Registry holds the tools and resources and is the one way to call them. It is safe for concurrent use; tools may
// come and go while calls run.
type Registry struct {
	opt     Options
	mu      sync.Mutex // guards changes; readers take the snapshot
	snap    atomic.Pointer[snapshot]
	downMu  sync.RWMutex
	servers map[string]ServerStatus

	latencies latencies
	off       atomic.Pointer[Off]

	watchMu  sync.RWMutex
	watchers []func(owner, uri string)
}

// snapshot is an immutable state of the registry.
type snapshot struct {
	byName    map[string]*entry
	sorted    []*entry // by name
	resources []Resource
	prompts   []Prompt // by name
	live      []Live
}

// entry is a registered tool with what is computed once.
type entry struct {
	Tool
	in, out  *jsonschema.Schema
	defaults map[string]any
	props    []string
	required map[string]bool
	facts    plan.Tool
	sinks    *sinkTree
	said     rowSchemas // of an upstream's tool
}

// NewRegistry makes an empty registry.
func NewRegistry(opt Options) *Registry {
	if opt.Policy == nil {
		opt.Policy = access.AllowAll{}
	}
	if opt.Tables == nil {
		opt.Tables = handle.New(handle.Options{})
	}
	if opt.Timeout <= 0 {
		opt.Timeout = DefaultTimeout
	}
	if opt.Log == nil {
		opt.Log = slog.Default()
	}
	r := &Registry{opt: opt, servers: map[string]ServerStatus{}}
	r.snap.Store(&snapshot{byName: map[string]*entry{}})
	r.off.Store(&Off{})
	return r
}

// Tables is where the registry puts the tables that tools give.
func (r *Registry) Tables() *handle.Tables { return r.opt.Tables }

// How the tools of other servers are called: see package plan.
const (
	LongestName = plan.LongestToolName
	upstreamSep = plan.ServerSeparator
)

// ServerTool is the name of a server's tool in the registry.
func ServerTool(server, tool string) string { return plan.ServerTool(server, tool) }

var toolName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// Register adds tools, all of them or none. It refuses names outside [A-Za-z0-9_-]{1,64}, names that are taken, schemas
// that do not compile or take no object, tools without a handler, and a server that is named like a toolset; the error
// joins all that is wrong.
func (r *Registry) Register(tools ...Tool) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	old := r.snap.Load()
	next := old.clone()
	if err := next.addAll(r.hiddenTools(tools)); err != nil {
		return err
	}
	next.sort()
	r.snap.Store(next)
	return nil
}

// Replace puts tools in the place of those that a configured server has, in one step: nobody finds the toolset empty
// meanwhile. A toolset of our own is never touched. What Register would refuse is left out, and the error joins why;
// the rest is there.
func (r *Registry) Replace(toolset string, tools ...Tool) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	old := r.snap.Load()
	next := old.clone()
	maps.DeleteFunc(next.byName, func(_ string, e *entry) bool { return e.Toolset == toolset && e.upstream() })
	err := next.addAll(r.hiddenTools(tools))
	next.sort()
	r.snap.Store(next)
	return err
}

// Exchange puts tools in the place of all that a toolset of our own has, in one step. What Register would refuse is
// an error, and nothing is changed then. Calls that run go on.
func (r *Registry) Exchange(toolset string, tools ...Tool) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	next := r.snap.Load().clone()
	maps.DeleteFunc(next.byName, func(_ string, e *entry) bool { return e.Toolset == toolset && !e.upstream() })
	if err := next.addAll(r.hiddenTools(tools)); err != nil {
		return err
	}
	next.sort()
	r.snap.Store(next)
	return nil
}

// Toolsets names the toolsets of our own that have tools, sorted: no configured server may have one of these names.
func (r *Registry) Toolsets() []string {
	own := map[string]bool{}
	for _, e := range r.snap.Load().sorted {
		if !e.upstream() {
			own[e.Toolset] = true
		}
	}
	return slices.Sorted(maps.Keys(own))
}

func newEntry(t Tool) (*entry, error) {
	switch {
	case !toolName.MatchString(t.Def.Name):
		return nil, errors.New("a name is 1 to 64 of letters, digits, _ and -")
	case t.Toolset == "":
		return nil, errors.New("the toolset is missing")
	case t.Handler == nil:
		return nil, errors.New("the handler is missing")
	}
	in, out, err := rawSchemas(t.Def)
	if err != nil {
		return nil, err
	}
	e := &entry{Tool: t, defaults: map[string]any{}, required: map[string]bool{}}
	compile := plan.CompileSchema
	if e.upstream() {
		compile = plan.CompileTolerant // others' mistakes are not ours to refuse a tool for
	}
	if e.in, err = compile(in); err != nil {
		return nil, fmt.Errorf("input schema: %w", err)
	}
	if e.in.Types == nil || !slices.Equal(e.in.Types.ToStrings(), []string{"object"}) {
		return nil, errors.New("input schema: its type must be object")
	}
	if out != nil {
		if e.out, err = compile(out); err != nil {
			return nil, fmt.Errorf("output schema: %w", err)
		}
	}
	for name, s := range e.in.Properties {
		e.props = append(e.props, name)
		if s.Default != nil {
			e.defaults[name] = *s.Default
		}
	}
	slices.Sort(e.props)
	for _, name := range e.in.Required {
		e.required[name] = true
	}
	if e.upstream() {
		e.said = readRowSchemas(out)
	}
	planned := out
	if t.Columns != nil {
		planned = TableSchema(t.Columns...)
	}
	e.facts = facts(t, in, planned)
	e.sinks = sinksFor(t, in)
	return e, nil
}

// facts gives what planners and policies go by. Hints that are missing mean what MCP says: neither read-only nor
// idempotent, and destructive unless read-only.
func facts(t Tool, in, out json.RawMessage) plan.Tool {
	a := t.Def.Annotations
	title := cmp.Or(t.Def.Title, a.Title)
	readOnly := a.ReadOnlyHint != nil && *a.ReadOnlyHint
	return plan.Tool{
		Name: t.Def.Name, Toolset: t.Toolset, Title: title, Description: t.Def.Description,
		InputSchema: in, OutputSchema: out, Phrases: t.Phrases,
		ReadOnly:    readOnly,
		Destructive: !readOnly && (a.DestructiveHint == nil || *a.DestructiveHint),
		Idempotent:  a.IdempotentHint != nil && *a.IdempotentHint,
	}
}

// upstream reports whether the tool belongs to a configured server: its name is <toolset>__<tool>.
func (e *entry) upstream() bool { return strings.HasPrefix(e.Def.Name, e.Toolset+upstreamSep) }

// target is what policies are asked about.
func (e *entry) target() access.Target {
	return access.Target{Toolset: e.Toolset, Name: e.Def.Name, ReadOnly: e.facts.ReadOnly}
}

// reading is what policies are asked about where something is only read: prompts, resources, live tables.
func reading(toolset, name string) access.Target {
	return access.Target{Toolset: toolset, Name: name, ReadOnly: true}
}

// again reports whether the tool may be called a second time with the same arguments.
func (e *entry) again() bool { return e.facts.ReadOnly || e.facts.Idempotent }

// clone is a copy whose tools may be changed; the other lists are replaced, never changed.
func (s *snapshot) clone() *snapshot {
	next := *s
	next.byName = maps.Clone(s.byName)
	return &next
}

// add adds a tool. kinds says of each toolset that has tools whether it is an upstream's.
func (s *snapshot) add(e *entry, kinds map[string]bool) error {
	if _, taken := s.byName[e.Def.Name]; taken {
		return errors.New("the name is taken")
	}
	if upstream, there := kinds[e.Toolset]; there && upstream != e.upstream() {
		return fmt.Errorf("a server may not be named like the toolset %q; rename it under mcpServers", e.Toolset)
	}
	s.byName[e.Def.Name], kinds[e.Toolset] = e, e.upstream()
	return nil
}

// addAll adds what it can; the error joins why the rest cannot be added.
func (s *snapshot) addAll(tools []Tool) error {
	var errs []error
	kinds := map[string]bool{}
	for _, e := range s.byName {
		kinds[e.Toolset] = e.upstream()
	}
	for _, t := range tools {
		e, err := newEntry(t)
		if err == nil {
			err = s.add(e, kinds)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("tool %q: %w", t.Def.Name, err))
		}
	}
	return errors.Join(errs...)
}

func (s *snapshot) sort() {
	s.sorted = slices.SortedFunc(maps.Values(s.byName),
		func(a, b *entry) int { return cmp.Compare(a.Def.Name, b.Def.Name) })
}

// Remove takes away the tools, resources, prompts and live tables of a toolset: a server that went. Calls that run go
// on. It returns how many tools there were.
func (r *Registry) Remove(toolset string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	old := r.snap.Load()
	next := old.clone()
	maps.DeleteFunc(next.byName, func(_ string, e *entry) bool { return e.Toolset == toolset })
	next.resources = slices.DeleteFunc(slices.Clone(old.resources),
		func(x Resource) bool { return x.Toolset == toolset })
	next.prompts = slices.DeleteFunc(slices.Clone(old.prompts), func(x Prompt) bool { return x.Toolset == toolset })
	next.live = slices.DeleteFunc(slices.Clone(old.live), func(x Live) bool { return x.Toolset == toolset })
	next.sort()
	r.snap.Store(next)
	return len(old.byName) - len(next.byName)
}

// List returns the tools that a caller may call, by name.
func (r *Registry) List(c access.Caller) []Tool {
	var out []Tool
	for _, e := range r.snap.Load().sorted {
		if r.offers(c, e.target()) {
			out = append(out, e.Tool)
		}
	}
	return out
}

// Find is List for one tool, by its name or by toolset:tool. It is false for what is not there and for what the
// caller may not call.
func (r *Registry) Find(c access.Caller, name string) (Tool, bool) {
	e, ok := r.snap.Load().find(name)
	if !ok || !r.offers(c, e.target()) {
		return Tool{}, false
	}
	return e.Tool, true
}

// Planning returns the facts about the tools that planners may use for a caller, by name. Schemas are shared: read
// only.
func (r *Registry) Planning(c access.Caller) []plan.Tool {
	var out []plan.Tool
	for _, e := range r.snap.Load().sorted {
		if !e.ServedOnly && r.offers(c, e.target()) {
			out = append(out, e.facts)
		}
	}
	return out
}

// Lookup finds a tool by its name, or by toolset:tool.
func (r *Registry) Lookup(name string) (Tool, bool) {
	e, ok := r.snap.Load().find(name)
	if !ok {
		return Tool{}, false
	}
	return e.Tool, true
}

func (s *snapshot) find(name string) (*entry, bool) {
	if e, ok := s.byName[name]; ok {
		return e, true
	}
	toolset, tool, ok := strings.Cut(name, ":")
	if !ok {
		toolset, tool, ok = strings.Cut(name, upstreamSep)
	}
	if !ok {
		return nil, false
	}
	for _, full := range []string{tool, plan.ServerTool(toolset, tool)} {
		if e, ok := s.byName[full]; ok && e.Toolset == toolset {
			return e, true
		}
	}
	return nil, false
}

// unknown makes the error for a name that is not there, with near names that the caller may know.
func (r *Registry) unknown(c access.Caller, name string) error {
	var names []string
	for _, t := range r.List(c) {
		names = append(names, t.Def.Name)
	}
	e := &UnknownToolError{Name: name, Nearest: table.Nearest(name, names), Quarantined: r.quarantined(name)}
	if e, ok := r.snap.Load().find(name); ok && r.opt.Policy.Allow(c, e.target()) == nil {
		return &UnknownToolError{Name: e.Def.Name, Off: r.off.Load().Has(e.target())}
	}
	for server, detail := range r.DownFor(c) {
		if strings.HasPrefix(name, server+"__") || strings.HasPrefix(name, server+":") {
			e.Server, e.Down = server, cmp.Or(detail, "it is being started")
		}
	}
	return e
}

// Unknown is the error of a call of a tool that there is not, for callers who have to know before they call.
func (r *Registry) Unknown(c access.Caller, name string) error { return r.unknown(c, name) }
