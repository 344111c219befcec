package app

import (
	"slices"

	"catena/internal/config"
	"catena/server"
	"catena/server/agui"
	"catena/server/mcp"
	"catena/server/openai"
	"catena/server/settings"
	"catena/server/share"
	"catena/tools"
)

// tags are what routes are about, in the order of the table.
var tags = []string{"chat", "runs", "sessions", "tables", "tools", "openai", "agui", "mcp", "aliases", "service"}

// Routes returns the table of all rooms: what a server made with any settings serves.
func Routes() []server.Route {
	p := newApp(config.Config{})
	p.Registry = tools.NewRegistry(tools.Options{})
	core := &server.Core{}
	joined := p.table(core, mcp.New(core, mcp.Options{Tools: p.Registry}))
	for _, end := range joined.Close {
		end()
	}
	routes := append(server.Routes(), joined.Routes...)
	slices.SortStableFunc(routes, func(a, b server.Route) int {
		return slices.Index(tags, a.Tag) - slices.Index(tags, b.Tag)
	})
	return routes
}

// table joins what the rooms serve over a core.
func (p *App) table(core *server.Core, overMCP *mcp.Server) server.Table {
	talks := server.NewConversations(core, p.Runs, p.Engine, p.Store)
	routes := openai.Routes(core, openai.Options{Runs: p.Runs, Planner: p.Engine, Sessions: p.Engine,
		Conversations: talks, Mapped: p.hasModel, Steps: p.Cfg.OpenAI.Steps})
	routes = append(routes, agui.Routes(core, agui.Options{Runs: p.Runs, Sessions: p.Engine, Conversations: talks})...)
	routes = append(routes, share.Routes(core, share.Options{Runs: p.Runs, Sessions: p.Engine, Store: p.Store,
		Tables: p.tables})...)
	routes = append(routes, settings.Routes(core, settings.Options{Models: p, Tools: p})...)
	return server.Table{
		Routes: append(routes, overMCP.Routes()...),
		Errors: []server.ErrorShape{openai.Errors(), mcp.Errors()},
		Close:  []func(){overMCP.Close},
	}
}
