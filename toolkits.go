package main

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
func (p *parts) register(k kit) error {
	if err := p.registry.Register(k.tools...); err != nil {
		return err
	}
	if err := p.registry.RegisterResources(k.resources...); err != nil {
		return err
	}
	if err := p.registry.RegisterPrompts(k.prompts...); err != nil {
		return err
	}
	return p.registry.RegisterLive(k.live...)
}

// addToolkits makes the toolkits, each with what it needs, and starts the configured MCP servers.
func (p *parts) addToolkits(ctx context.Context) error {
	for _, add := range []func(context.Context) error{p.addData, p.addMemory, p.addPersonas, p.addCode} {
		if err := add(ctx); err != nil {
			return err
		}
	}
	var err error
	opts := p.upstreamOptions()
	opts.Requesting = p.metrics.Upstream
	if p.upstream, err = upstream.New(announcer{p.registry, p}, opts, upstreamServers(p.cfg)...); err != nil {
		return usageError(err)
	}
	p.upstream.Start(context.WithoutCancel(ctx)) // ended by Close, after the runs that use it
	p.onClose(p.upstream.Close)
	return nil
}

func (p *parts) addData(ctx context.Context) error {
	p.sources = data.NewSources(p.tables, table.Limits{})
	var err error
	if p.sources.Withhold, err = p.withheld(); err != nil {
		return err
	}
	for _, s := range p.cfg.Data.Sources {
		load := p.sources.Load
		if s.Trusted() {
			load = p.sources.LoadTrusted
		}
		p.loadErrs = append(p.loadErrs, load(ctx, s.Path)...)
	}
	p.data = data.New(data.Options{Sources: p.sources, Tables: p.tables, Live: p.registry, Model: p.textModel(), Policy: access.Granted{}})
	k := kit{tools: p.data.Tools()}
	if p.cfg.Data.DemoOn() {
		if err := p.addDemo(ctx); err != nil {
			return err
		}
		k.tools = append(k.tools, crm.Tools()...)
	}
	return p.register(k)
}

// addDemo makes the demo CRM's data tables that can be asked about like any other.
func (p *parts) addDemo(ctx context.Context) error {
	asOf, err := crm.AsOf()
	if err != nil {
		return err
	}
	demo, err := crm.Tables(ctx)
	if err != nil {
		return err
	}
	for _, t := range demo {
		p.sources.Add(data.SourceTable{Name: t.Name, Table: t.Table, Source: "demo", AsOf: asOf, Trusted: true})
	}
	return nil
}

func (p *parts) addMemory(context.Context) error {
	c := p.cfg.Memory
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
		return usageError(err)
	}
	p.onClose(m.Close)
	return p.register(kit{tools: m.Tools(), prompts: m.Prompts(), live: m.Live()})
}

func (p *parts) addPersonas(ctx context.Context) error {
	c := p.cfg.Persona
	if !c.Enabled {
		return nil
	}
	store := persona.Embedded(p.folder)
	if c.Neo4jURI != "" {
		graph, err := neo4j.Open(neo4j.Options{URI: c.Neo4jURI, User: c.Neo4jUser, Password: c.Neo4jPassword.Reveal(), Database: c.Neo4jDatabase})
		if err != nil {
			return usageError(err)
		}
		p.onClose(func() error { return graph.Close(context.WithoutCancel(ctx)) })
		store = graph
	}
	p.personas = persona.New(persona.Options{Store: store, Write: p.proseModel(), Updated: p.registry.Updated})
	k := p.personas
	return p.register(kit{tools: k.Tools(), resources: k.Resources(), prompts: k.Prompts(), live: k.Live()})
}

func (p *parts) addCode(ctx context.Context) error {
	c := p.cfg.Code
	roots, err := p.codeRoots(ctx)
	if !c.Enabled || err != nil || len(roots) == 0 {
		return err
	}
	embed, model := p.embed()
	opt := code.Options{
		Roots: roots, AutoIndex: c.AutoIndex, Watch: c.Watch, Embed: embed, EmbedModel: model, Write: p.proseModel(),
		Limits:  scan.Limits{FileSize: int64(c.MaxFileKB) << 10, Total: int64(c.MaxRepoSizeMB) << 20},
		Updated: p.registry.Updated, Listed: func() { p.listsChanged((*server.Server).ResourcesChanged) }, Log: p.log, Withhold: config.Holds, Hide: p.secrets.Hide,
	}
	path, err := storePath(p.cfg.Store.Dir)
	if err != nil {
		return err
	}
	if path != ":memory:" {
		opt.Dir = filepath.Join(filepath.Dir(path), "code")
	}
	opt.Limits.Private = p.privateFolders(path, roots)
	if p.code, err = code.New(opt); err != nil {
		return usageError(err)
	}
	p.onClose(p.code.Close)
	k := p.code
	return p.register(kit{tools: k.Tools(), resources: k.Resources(), live: k.Live()})
}

// embed is the embedder as toolkits want it, nil without one, and the name of its model.
func (p *parts) embed() (embed func(context.Context, []string) ([][]float32, error), model string) {
	if p.embedder == nil {
		return nil, ""
	}
	return p.embedder.Embed, p.cfg.Embeddings.Model
}
