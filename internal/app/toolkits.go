package app

import (
	"context"
	"path/filepath"

	"catena/internal/access"
	"catena/internal/config"
	"catena/server"
	"catena/table"
	"catena/tools"
	"catena/tools/code"
	"catena/tools/code/scan"
	"catena/tools/crm"
	"catena/tools/data"
	"catena/tools/memory"
	"catena/tools/persona"
	"catena/tools/persona/neo4j"
	"catena/tools/upstream"
)

// kit is what a toolkit offers.
type kit struct {
	tools     []tools.Tool
	resources []tools.Resource
	prompts   []tools.Prompt
	live      []tools.Live
}

// register puts all that a toolkit offers into the registry.
func (p *App) register(k kit) error {
	if err := p.Registry.Register(k.tools...); err != nil {
		return err
	}
	if err := p.Registry.RegisterResources(k.resources...); err != nil {
		return err
	}
	if err := p.Registry.RegisterPrompts(k.prompts...); err != nil {
		return err
	}
	return p.Registry.RegisterLive(k.live...)
}

// addToolkits makes the toolkits, each with what it needs, and starts the configured MCP servers.
func (p *App) addToolkits(ctx context.Context) error {
	for _, add := range []func(context.Context) error{p.addData, p.addMemory, p.addPersonas, p.addCode} {
		if err := add(ctx); err != nil {
			return err
		}
	}
	var err error
	opts := p.UpstreamOptions()
	opts.Requesting = p.metrics.Upstream
	if p.Upstream, err = upstream.New(announcer{p.Registry, p}, opts, upstreamServers(p.Cfg)...); err != nil {
		return UsageError(err)
	}
	p.Upstream.Start(context.WithoutCancel(ctx)) // ended by Close, after the runs that use it
	p.onClose(p.Upstream.Close)
	return nil
}

func (p *App) addData(ctx context.Context) error {
	p.Sources = data.NewSources(p.tables, table.Limits{})
	var err error
	if p.Sources.Withhold, err = p.withheld(); err != nil {
		return err
	}
	for _, s := range p.Cfg.Data.Sources {
		load := p.Sources.Load
		if s.Trusted() {
			load = p.Sources.LoadTrusted
		}
		p.LoadErrs = append(p.LoadErrs, load(ctx, s.Path)...)
	}
	p.data = data.New(data.Options{Sources: p.Sources, Tables: p.tables, Live: p.Registry, Model: p.textModel(), Policy: access.Granted{}})
	k := kit{tools: p.data.Tools()}
	if p.Cfg.Data.DemoOn() {
		if err := p.addDemo(ctx); err != nil {
			return err
		}
		k.tools = append(k.tools, crm.Tools()...)
	}
	return p.register(k)
}

// addDemo makes the demo CRM's data tables that can be asked about like any other.
func (p *App) addDemo(ctx context.Context) error {
	asOf, err := crm.AsOf()
	if err != nil {
		return err
	}
	demo, err := crm.Tables(ctx)
	if err != nil {
		return err
	}
	for _, t := range demo {
		p.Sources.Add(data.SourceTable{Name: t.Name, Table: t.Table, Source: "demo", AsOf: asOf, Trusted: true})
	}
	return nil
}

func (p *App) addMemory(context.Context) error {
	c := p.Cfg.Memory
	if !c.Enabled {
		return nil
	}
	embed, model := p.embed()
	m, err := memory.New(memory.Options{
		Store: p.folder, Embed: embed, Model: model, Personality: c.Personality, Variant: c.Variant, Log: p.log,
		Forget: func(ctx context.Context, owner string) error {
			return p.tables.DropFrom(ctx, access.Caller{ID: owner}, memory.Toolset)
		},
	})
	if err != nil {
		return UsageError(err)
	}
	p.onClose(m.Close)
	return p.register(kit{tools: m.Tools(), prompts: m.Prompts(), live: m.Live()})
}

func (p *App) addPersonas(ctx context.Context) error {
	c := p.Cfg.Persona
	if !c.Enabled {
		return nil
	}
	store := persona.Embedded(p.folder)
	if c.Neo4jURI != "" {
		graph, err := neo4j.Open(neo4j.Options{URI: c.Neo4jURI, User: c.Neo4jUser, Password: c.Neo4jPassword.Reveal(), Database: c.Neo4jDatabase})
		if err != nil {
			return UsageError(err)
		}
		p.onClose(func() error { return graph.Close(context.WithoutCancel(ctx)) })
		store = graph
	}
	p.Personas = persona.New(persona.Options{Store: store, Write: p.proseModel(), Updated: p.Registry.Updated})
	k := p.Personas
	return p.register(kit{tools: k.Tools(), resources: k.Resources(), prompts: k.Prompts(), live: k.Live()})
}

func (p *App) addCode(ctx context.Context) error {
	c := p.Cfg.Code
	roots, err := p.codeRoots(ctx)
	if !c.Enabled || err != nil || len(roots) == 0 {
		return err
	}
	embed, model := p.embed()
	opt := code.Options{
		Roots: roots, AutoIndex: c.AutoIndex, Watch: c.Watch, Embed: embed, EmbedModel: model, Write: p.proseModel(),
		Limits:  scan.Limits{FileSize: int64(c.MaxFileKB) << 10, Total: int64(c.MaxRepoSizeMB) << 20},
		Updated: p.Registry.Updated, Listed: func() { p.listsChanged((*server.Server).ResourcesChanged) }, Log: p.log, Withhold: config.Holds, Hide: p.Secrets.Hide,
	}
	path, err := storePath(p.Cfg.Store.Dir)
	if err != nil {
		return err
	}
	if path != ":memory:" {
		opt.Dir = filepath.Join(filepath.Dir(path), "code")
	}
	opt.Limits.Private = p.privateFolders(path, roots)
	if p.Code, err = code.New(opt); err != nil {
		return UsageError(err)
	}
	p.onClose(p.Code.Close)
	k := p.Code
	return p.register(kit{tools: k.Tools(), resources: k.Resources(), live: k.Live()})
}

// embed is the embedder as toolkits want it, nil without one, and the name of its model.
func (p *App) embed() (embed func(context.Context, []string) ([][]float32, error), model string) {
	if p.embedder == nil {
		return nil, ""
	}
	return p.embedder.Embed, p.Cfg.Embeddings.Model
}
