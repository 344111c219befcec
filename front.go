package main

import (
	"context"
	"errors"

	"catena/server"
)

// server is the HTTP and MCP front over the parts. opt says who calls.
func (p *parts) server(opt server.Options) (*server.Server, error) {
	opt.Version, opt.Logger, opt.Info = buildVersion(), p.log, p.info
	opt.Runs, opt.Planner, opt.Tools, opt.Sessions, opt.Data, opt.Tables = p.runs, p.engine, p.registry, p.engine, p.data, p.tables
	opt.Hide = p.secrets.Hide
	opt.Health, opt.Metrics, opt.Request = p.health, p.metrics.Handler(), p.requested
	opt.Message, opt.Tasks = p.metrics.Message, p.tasks
	opt.Hosts, opt.Origins = p.cfg.Listen.AllowedHosts, p.cfg.Listen.AllowedOrigins
	opt.Steps, opt.Cache, opt.Replies = p.cfg.OpenAI.Steps, p.store, p.store
	if key := p.cfg.Access.Signing.Reveal(); key != "" {
		opt.SigningKey = []byte(key)
	}
	opt.UploadLimit = int64(p.cfg.Listen.MaxUploadMB) << 20
	s, err := server.New(opt)
	p.served.Store(s)
	return s, err
}

// health reports the parts that may fail while the process serves.
func (p *parts) health(ctx context.Context) []server.Component {
	db := server.Component{Name: "store", Status: "healthy", Required: true}
	if err := p.store.Ping(ctx); err != nil {
		db.Status, db.Detail = "down", "the store does not answer; see the log, or run catena doctor"
		if why, ok := errors.AsType[interface {
			error
			Unavailable() string
		}](err); ok {
			db.Detail = "the store " + why.Unavailable() + "; see the log, or run catena doctor"
		}
		p.log.WarnContext(ctx, "the store does not answer", "error", err)
	}
	model := server.Component{Name: "planner", Status: "healthy", Detail: p.plannerName()}
	list := append([]server.Component{db, model}, p.modelComponents()...)
	if p.cfg.Store.URL != "" {
		folder := server.Component{Name: "folder", Status: "healthy"}
		if err := p.folder.Ping(ctx); err != nil {
			folder.Status, folder.Detail = "down", "the file in store.dir does not answer, so memories and personas fail; see the log"
			p.log.WarnContext(ctx, "the file in store.dir does not answer", "error", err)
		}
		list = append(list, folder)
	}
	if p.personas != nil && p.personas.Kind() == "neo4j" {
		graph := server.Component{Name: "neo4j", Status: "healthy"}
		if err := p.personas.Healthy(ctx); err != nil {
			graph.Status, graph.Detail = "down", "Neo4j does not answer, so the persona tools fail; check persona.neo4j_uri and the server"
			p.log.WarnContext(ctx, "Neo4j does not answer", "error", err)
		}
		list = append(list, graph)
	}
	if p.audit != nil && p.cfg.Audit.To != "log" {
		record := server.Component{Name: "audit", Status: "healthy"}
		if p.audit.Healthy() != nil { // why is in the log
			record.Status, record.Detail = "down", "calls are made and not recorded; make room for the file of audit.to, or let Catena write it"
		}
		list = append(list, record)
	}
	return append(list, p.reloads.component()...)
}

func (p *parts) plannerName() string {
	if p.model == nil {
		return "offline (no language model is configured)"
	}
	return p.modelNames + ", then offline"
}

func (p *parts) info() map[string]any {
	return map[string]any{"planner": p.plannerName(), "tools": len(p.registry.List(local)), "tables": len(p.sources.List(local, ""))}
}
