package app

import (
	"slices"

	"catena/internal/config"
	"catena/server"
	"catena/server/agui"
	"catena/server/openai"
)

// tags are what routes are about, in the order of the table.
var tags = []string{"chat", "runs", "sessions", "tables", "tools", "openai", "agui", "mcp", "aliases", "service"}

// Routes returns the table of all rooms: what a server made with any settings serves.
func Routes() []server.Route {
	p := newApp(config.Config{})
	core := &server.Core{}
	routes := append(server.Routes(), p.table(core).Routes...)
	slices.SortStableFunc(routes, func(a, b server.Route) int { return slices.Index(tags, a.Tag) - slices.Index(tags, b.Tag) })
	return routes
}

// table joins what the rooms serve over a core.
func (p *App) table(core *server.Core) server.Table {
	talks := server.NewConversations(core, p.Runs, p.Engine, p.Store)
	routes := openai.Routes(core, openai.Options{Runs: p.Runs, Planner: p.Engine, Sessions: p.Engine, Conversations: talks, Mapped: p.model != nil, Steps: p.Cfg.OpenAI.Steps})
	routes = append(routes, agui.Routes(core, agui.Options{Runs: p.Runs, Sessions: p.Engine, Conversations: talks})...)
	return server.Table{Routes: routes, Errors: []server.ErrorShape{openai.Errors()}}
}
