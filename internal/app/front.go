package app

import (
	"context"
	"errors"
	"sync/atomic"

	"catena/internal/access"
	"catena/server"
	"catena/server/mcp"
)

// front is the server that clients reach, once it is made.
type front struct {
	served  atomic.Pointer[server.Server]
	overMCP atomic.Pointer[mcp.Server] // its room for MCP
}

// listsChanged tells the clients of the server, if there is one.
func (f *front) listsChanged(tell ...func(*mcp.Server)) {
	if s := f.overMCP.Load(); s != nil {
		for _, say := range tell {
			say(s)
		}
	}
}

// Server is the HTTP and MCP front over the parts. opt says who calls.
func (p *App) Server(opt server.Options) (*server.Server, error) {
	return p.serverFor(opt, access.Caller{})
}

// serverFor is Server, with the caller of its stdio transport; the zero Caller is access.Local.
func (p *App) serverFor(opt server.Options, overStdio access.Caller) (*server.Server, error) {
	opt.Version, opt.Logger, opt.Info = BuildVersion(), p.log, p.info
	opt.Runs, opt.Planner, opt.Tools, opt.Sessions, opt.Data, opt.Tables = p.Runs, p.Engine, p.Registry, p.Engine,
		p.data, p.tables
	opt.Hide = p.Secrets.Hide
	opt.Health, opt.Metrics, opt.Request = p.health, p.metrics.Handler(), p.requested
	opt.Hosts, opt.Origins = p.Cfg.Listen.AllowedHosts, p.Cfg.Listen.AllowedOrigins
	opt.Replies = p.Store
	opt.Heavy, opt.UploadLimit = p.Sources.Heavy, int64(p.Cfg.Listen.MaxUploadMB)<<20
	core, err := server.NewCore(opt)
	if err != nil {
		return nil, err
	}
	overMCP := mcp.New(core, mcp.Options{Tools: p.Registry, Chat: core.PostChatBytes, Message: p.metrics.Message,
		Tasks: p.tasks, CallerNow: p.Runs.CallerNow, Stdio: overStdio,
		SigningKey: []byte(p.Cfg.Access.Signing.Reveal())})
	s, err := server.New(core, p.table(core, overMCP))
	p.served.Store(s)
	p.overMCP.Store(overMCP)
	return s, err
}

// health reports the parts that may fail while the process serves.
func (p *App) health(ctx context.Context) []server.Component {
	db := server.Component{Name: "store", Status: "healthy", Required: true}
	if err := p.Store.Ping(ctx); err != nil {
		db.Status, db.Detail = "down", "the store does not answer; see the log, or run catena doctor"
		if why, ok := errors.AsType[interface {
			error
			Unavailable() string
		}](err); ok {
			db.Detail = "the store " + why.Unavailable() + "; see the log, or run catena doctor"
		}
		p.log.WarnContext(ctx, "the store does not answer", "error", err)
	}
	model := server.Component{Name: "planner", Status: "healthy", Detail: p.PlannerName()}
	list := append([]server.Component{db, model}, p.modelComponents()...)
	if p.Cfg.Store.URL != "" {
		folder := server.Component{Name: "folder", Status: "healthy"}
		if err := p.folder.Ping(ctx); err != nil {
			folder.Status, folder.Detail = "down",
				"the file in store.dir does not answer, so memories and personas fail; see the log"
			p.log.WarnContext(ctx, "the file in store.dir does not answer", "error", err)
		}
		list = append(list, folder)
	}
	if p.Personas != nil && p.Personas.Kind() == "neo4j" {
		graph := server.Component{Name: "neo4j", Status: "healthy"}
		if err := p.Personas.Healthy(ctx); err != nil {
			graph.Status, graph.Detail = "down",
				"Neo4j does not answer, so the persona tools fail; check persona.neo4j_uri and the server"
			p.log.WarnContext(ctx, "Neo4j does not answer", "error", err)
		}
		list = append(list, graph)
	}
	if p.audit != nil && p.Cfg.Audit.To != "log" {
		record := server.Component{Name: "audit", Status: "healthy"}
		if p.audit.Healthy() != nil { // why is in the log
			record.Status, record.Detail = "down",
				"calls are made and not recorded; make room for the file of audit.to, or let Catena write it"
		}
		list = append(list, record)
	}
	return append(list, p.reloads.component()...)
}

// PlannerName says what plans: the models in the order in which they are asked, or the offline planner.
func (m *models) PlannerName() string {
	use := m.inUse()
	if use.model == nil {
		return "offline (no language model is configured)"
	}
	return use.names + ", then offline"
}

func (p *App) info() map[string]any {
	return map[string]any{"planner": p.PlannerName(), "models": p.modelComponents(),
		"tools": len(p.Registry.List(Local)), "tables": len(p.Sources.List(Local, ""))}
}
