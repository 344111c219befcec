package app

import (
	"context"
	"path/filepath"

	"catena/internal/access"
	"catena/internal/config"
	"catena/server/mcp"
	"catena/tools"
	"catena/tools/code"
	"catena/tools/code/scan"
	"catena/tools/code/workspace"
	"catena/tools/crm"
	"catena/tools/data"
	"catena/tools/handle"
	"catena/tools/memory"
	"catena/tools/persona"
	"catena/tools/persona/neo4j"
	"catena/tools/upstream"
)

// toolkits are all tools: the registry, and who offers what.
type toolkits struct {
	*base
	*observer
	*front
	*stores
	*gate
	*models
	Registry  *tools.Registry
	Sources   *data.Sources
	Personas  *persona.Toolkit // nil where it is turned off
	Code      *code.Toolkit    // nil where it is turned off
	Upstream  *upstream.Servers
	LoadErrs  []error // data files that could not be loaded; the rest were
	databases databases
	unopened  []error // databases of the settings that could not be opened; after the start only the reloader's
	switches  switches
	tables    *handle.Tables
	data      *data.Toolkit
}

// addRegistry makes the registry of tools, through which every call goes.
func (ts *toolkits) addRegistry(ctx context.Context) error {
	ts.tables = handle.New(handle.Options{Store: ts.Store, TTL: ts.Cfg.Store.KeepTables, Shared: ts.shared != nil ||
		ts.Cfg.Store.Dir != ":memory:", Log: ts.log})
	ts.onClose(func() error { ts.tables.Close(); return nil })
	ts.Registry = tools.NewRegistry(tools.Options{
		Policy:    access.Granted{},
		Present:   ts.Keys.Present,
		Journal:   ts.Store,
		Tables:    ts.tables,
		Timeout:   ts.Cfg.Executor.Timeout,
		Render:    data.Render,
		Hide:      ts.Secrets.Hide,
		Log:       ts.log,
		HasColumn: data.HasColumn,
		TableNames: func(c access.Caller, session string) (names []string) {
			for _, t := range ts.Sources.List(c, session) {
				names = append(names, t.Name)
			}
			return names
		},
		Hooks: tools.Hooks{
			Calling: ts.calling,
			Called:  ts.called,
			Denied:  ts.denied,
		},
	})
	ts.keepLatencies(ctx)
	return ts.readSwitches(ctx, ts.Store)
}

// kit is what a toolkit offers.
type kit struct {
	tools     []tools.Tool
	resources []tools.Resource
	prompts   []tools.Prompt
	live      []tools.Live
}

// register puts all that a toolkit offers into the registry.
func (ts *toolkits) register(k kit) error {
	if err := ts.Registry.Register(k.tools...); err != nil {
		return err
	}
	if err := ts.Registry.RegisterResources(k.resources...); err != nil {
		return err
	}
	if err := ts.Registry.RegisterPrompts(k.prompts...); err != nil {
		return err
	}
	return ts.Registry.RegisterLive(k.live...)
}

// addToolkits makes the toolkits, each with what it needs, and starts the configured MCP servers.
func (ts *toolkits) addToolkits(ctx context.Context) error {
	adding := []func(context.Context) error{ts.addData, ts.addMemory, ts.addPersonas, ts.addCode, ts.addDeclared}
	for _, add := range adding {
		if err := add(ctx); err != nil {
			return err
		}
	}
	var err error
	opts := ts.UpstreamOptions()
	opts.Requesting = ts.metrics.Upstream
	if ts.Upstream, err = upstream.New(announcer{ts.Registry, ts.front}, opts, upstreamServers(ts.Cfg)...); err != nil {
		return UsageError(err)
	}
	ts.Upstream.Start(context.WithoutCancel(ctx)) // ended by Close, after the runs that use it
	ts.onClose(ts.Upstream.Close)
	return nil
}

func (ts *toolkits) addData(ctx context.Context) error {
	l, err := ts.loadSources(ctx, ts.Cfg)
	if err != nil {
		return err
	}
	ts.onClose(ts.databases.Close)
	ts.Sources, ts.LoadErrs, ts.unopened = l.sources, l.errs, l.failed
	ts.databases.take(l.open)
	var demo []tools.Tool
	if ts.Cfg.Data.DemoOn() {
		demo = crm.Tools()
	}
	ts.data = data.New(data.Options{
		Sources: ts.Sources, Tables: ts.tables, Live: ts.Registry,
		Model: func() data.Model { return ts.textModel() }, Policy: access.Granted{},
	})
	k := kit{tools: append(ts.data.Tools(), demo...)}
	return ts.register(k)
}

// addDemo makes the demo CRM's data tables that can be asked about like any other.
func addDemo(ctx context.Context, to *data.Sources) error {
	asOf, err := crm.AsOf()
	if err != nil {
		return err
	}
	demo, err := crm.Tables(ctx)
	if err != nil {
		return err
	}
	for _, t := range demo {
		to.Add(data.SourceTable{Name: t.Name, Table: t.Table, Source: "demo", AsOf: asOf, Trusted: true})
	}
	return nil
}

func (ts *toolkits) addMemory(context.Context) error {
	c := ts.Cfg.Memory
	if !c.Enabled {
		return nil
	}
	embed, model := ts.embed()
	m, err := memory.New(memory.Options{
		Store: ts.folder, Embed: embed, Model: model, Personality: c.Personality, Variant: c.Variant, Log: ts.log,
		Forget: func(ctx context.Context, owner string) error {
			return ts.tables.DropFrom(ctx, access.Caller{ID: owner}, memory.Toolset)
		},
	})
	if err != nil {
		return UsageError(err)
	}
	ts.onClose(m.Close)
	return ts.register(kit{tools: m.Tools(), prompts: m.Prompts(), live: m.Live()})
}

func (ts *toolkits) addPersonas(ctx context.Context) error {
	c := ts.Cfg.Persona
	if !c.Enabled {
		return nil
	}
	store := persona.Embedded(ts.folder)
	if c.Neo4jURI != "" {
		graph, err := neo4j.Open(neo4j.Options{URI: c.Neo4jURI, User: c.Neo4jUser, Password: c.Neo4jPassword.Reveal(),
			Database: c.Neo4jDatabase})
		if err != nil {
			return UsageError(err)
		}
		ts.onClose(func() error { return graph.Close(context.WithoutCancel(ctx)) })
		store = graph
	}
	ts.Personas = persona.New(persona.Options{Store: store, Write: ts.proseModel, Updated: ts.Registry.Updated})
	k := ts.Personas
	return ts.register(kit{tools: k.Tools(), resources: k.Resources(), prompts: k.Prompts(), live: k.Live()})
}

func (ts *toolkits) addCode(ctx context.Context) error {
	c := ts.Cfg.Code
	roots, err := ts.codeRoots(ctx)
	if !c.Enabled || err != nil || len(roots) == 0 {
		return err
	}
	embed, model := ts.embed()
	opt := workspace.Options{
		Roots: roots, AutoIndex: c.AutoIndex, Watch: c.Watch, Embed: embed, EmbedModel: model,
		Limits:  scan.Limits{FileSize: int64(c.MaxFileKB) << 10, Total: int64(c.MaxRepoSizeMB) << 20},
		Updated: ts.Registry.Updated, Listed: func() { ts.listsChanged((*mcp.Server).ResourcesChanged) },
		Log: ts.log, Withhold: config.Holds, Hide: ts.Secrets.Hide,
	}
	path, err := storePath(ts.Cfg.Store.Dir)
	if err != nil {
		return err
	}
	if path != ":memory:" {
		opt.Dir = filepath.Join(filepath.Dir(path), "code")
	}
	opt.Limits.Private = ts.privateFolders(path, roots)
	if ts.Code, err = code.New(code.Options{Options: opt, Write: ts.proseModel}); err != nil {
		return UsageError(err)
	}
	ts.onClose(ts.Code.Close)
	k := ts.Code
	return ts.register(kit{tools: k.Tools(), resources: k.Resources(), live: k.Live()})
}

// embed is the embedder as toolkits want it, nil without one, and the name of its model.
func (m *models) embed() (embed func(context.Context, []string) ([][]float32, error), model string) {
	if m.embedder == nil {
		return nil, ""
	}
	return m.embedder.Embed, m.Cfg.Embeddings.Model
}
